# one_line.sh: sourced by line_slips and line_loops: one wrong line of a function or a kernel, and how far down the list
# of changes the one stands that undoes it (grader/repair/edits).
# shellcheck shell=bash disable=SC2154
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

most=160
# reaches WRONG RIGHT: among the $most likeliest changes is the one that makes this line of a function right
reaches() {
    local k
    for k in "$1" "$2"; do
        printf 'typedef float vec __attribute__((vector_size(16)));
void f(float *C, const float *A, int n, int rows, int TM, int TK, int tile_max, int new_max, int key, int query) {
    for (int r = 0; r < rows; r++)
        for (int d = 0; d < TK; d++) {
            %s
        }
}\n' "$k" >"$top/line.$([[ $k == "$1" ]] && echo wrong || echo right).c"
    done
    run build/bin/edits "$top/line.wrong.c" --reaches "$top/line.right.c"
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$1 to $2: change ${out%% *}"
}

# kernel WRONG RIGHT: the same within a loop of a kernel
kernel() {
    local k
    for k in "$1" "$2"; do
        printf '#define STRIDE(D) ((D) + 1)
#define LEAST FLT_MIN
#define MUCH_LESS (-1e30f)
constexpr int BC = 32;
struct tile { const float *K, *V; int n; };
static __device__ float helper(float x) { return 2 * x; }
static __global__ void f(float *O, const float *K, const float *V, const float *L, int D, int n) {
    struct tile t = {};
    for (int c = 0; c < n; c++) {
        %s
    }
}\n' "$k" >"$top/line.$([[ $k == "$1" ]] && echo wrong || echo right).cu"
    done
    run build/bin/edits "$top/line.wrong.cu" --reaches "$top/line.right.cu"
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$1 to $2: change ${out%% *}"
}

# file NAME: edits' table of what stands on the input
file() { cat >"$top/$1" && build/bin/edits "$top/$1" "$top/out.$1" "$top/file.tsv"; }
changes() { has "$top/file.tsv" "$@"; }
# has TABLE OLD NEW: one of its changes is this. Nothing is piped: who reads only so far would end who writes.
has() { [[ $'\n'$(cut -f 7,8 "$1")$'\n' == *$'\n'"$2"$'\t'"$3"$'\n'* ]]; }
