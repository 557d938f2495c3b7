#!/usr/bin/env bash
# own_missing.sh: statements and words that are missing in files of a student's own, in one file in C and one in CUDA:
# the change that brings one back is among the likeliest (grader/repair/edits: sisters, filled, advance, cut, results,
# halved, templates, launches, begins). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cat >"$top/right.c" <<'END'
#include <math.h>
#include <stddef.h>
typedef struct { float *k, *v, *s; int n, width; } tile;
static int at_most(int a, int b) { return a < b ? a : b; }
static void load(float *to, const float *from, int first, int n, int D) {
    for (int i = 0; i < n * D; i++) to[i] = from[first * D + i];
}
static void score(tile *t, const float *q, int nk) { t->s[0] = q[0] * t->k[nk] + t->v[nk]; }
static void hide(tile *t, int nk, int seen) { t->s[nk] = seen ? t->s[nk] : -INFINITY; }
static float larger(const float *s, int n, float top) {
    for (int c = 0; c < n; c++) top = s[c] > top ? s[c] : top;
    return top;
}
void first_walk(tile *t, const float *q, const float *K, const float *V, int n, int D, int SIZE, int seen) {
    for (int j = 0; j < n; j += SIZE) {
        const int nk = at_most(SIZE, n - j);
        load(t->k, K, j, nk, D);
        load(t->v, V, j, nk, D);
        score(t, q, nk);
        hide(t, nk, seen);
        float top = -INFINITY;
        top = larger(t->s, nk, top);
        for (int c = 0; c < nk; c++) t->s[c] = expf(t->s[c] - top);
        for (int c = 0; c < nk; c++) t->width += t->s[c] > 0.5f;
    }
}
void second_walk(tile *t, const float *q, int n, int SIZE, int seen) {
    for (int j = 0; j < n; j += SIZE) {
        score(t, q, SIZE);
        hide(t, SIZE, seen);
    }
}
void third_walk(tile *t, const float *q, int nk, int seen) {
    score(t, q, nk);
    hide(t, nk, seen);
    t->n = 1;
}
void rows(float *P, const float *S, int rows, int cols, int D) {
    const float *s = S;
    long place = 0;
    for (float *p = P; p < P + (size_t)rows * cols; p += cols, s += cols)
        for (int c = 0; c < cols; c++) p[c] = s[c];
    for (int r = 0; r < rows; r++) {
        const int at = r;
        for (int d = 0; d < D; d++) P[place + d] = S[d] * P[at];
        place += D;
    }
}
END
cat >"$top/right.cu" <<'END'
#define T 16
__device__ float all_of(float x, float *ring) {
    ring[threadIdx.x] = x;
    __syncthreads();
    for (int w = T / 2; w > 0; w /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, w));
    return x;
}
__global__ void softmax(float *P, const float *S, int cols) {
    __shared__ float ring[T];
    float m = -INFINITY, l = 0.0f;
    for (int c = threadIdx.x; c < cols; c += T) {
        float top = m;
        if (S[c] > top) top = S[c];
        const float old = expf(m - top);
        m = top;
        l = l * old + expf(S[c] - top);
    }
    m = all_of(m, ring);
    P[threadIdx.x] = l / m;
}
template <bool TURNED> __global__ void product(float *C, const float *B, int n) { C[n] = TURNED ? B[0] : B[n]; }
__global__ void keep(float *to, const float *from, int n) { to[n * gridDim.x] = from[n]; }
template <bool TURNED> static int multiply(float *C, const float *B, int n) {
    dim3 grid, block;
    grid.x = (n + T - 1) / T;
    grid.y = n;
    block.x = T;
    block.y = T;
    product<TURNED><<<grid, block>>>(C, B, n);
    return 0;
}
__global__ void doubled(float *P) {
    for (long n = 1; n < T; n *= 2) P[n] += P[0];
}
template <int D> static int go(float *C, int n) { return n > D && C != 0; }
int by_size(float *C, int n) { return n <= 32 ? go<32>(C, n) : n <= 64 ? go<64>(C, n) : go<128>(C, n); }
int gemm_nt(float *C, const float *B, int n) { return multiply<true>(C, B, n); }
int gemm_nn(float *C, const float *B, int n) { return multiply<false>(C, B, n); }
__global__ void mask(float *S, int total, int n, int rows, float by) {
    const int i = blockIdx.x * T + threadIdx.x;
    if (i >= total) return;
    const int key = i % n, query = i / n % rows;
    S[i] = key > query ? -INFINITY : S[i] * by;
}
typedef struct { int seq; const int *count; } tokens;
void each(float *S, tokens t, int n) { mask<<<(t.seq * n + T - 1) / T, T>>>(S, t.seq * n, n, 1, 2.0f); }
__global__ void keeps(float *P, const float *S, int cols) {
    float m = S[0], l = 0.0f;
    for (int c = 0; c < cols; c++) {
        const float was = m;
        if (S[c] > m) m = S[c];
        l = l * expf(was - m) + expf(S[c] - m);
    }
    P[0] = l;
}
int split(float *work, int rows, int parts, int D) {
    if (parts == 0) parts = 8;
    float *L = work + rows * parts * D;
    keep<<<parts, 64>>>(work, L, rows);
    return 0;
}
void fill(float *K, float *V, const float *k, const float *v, int n, int H) {
    keep<<<H, 128>>>(K, k, n);
    keep<<<H, 128>>>(V, v, n);
}
END

undone right.c $'    hide(t, nk, seen);\n    t->n = 1;\n' $'    t->n = 1;\n'
undone right.c $'        score(t, q, nk);\n        hide' $'        hide'
claim what_stands_beside_such_a_statement_elsewhere_is_missing
undone right.c $'        load(t->v, V, j, nk, D);\n' '' 200
undone right.cu $'    block.y = T;\n' ''
claim what_is_done_to_one_of_two_is_done_to_the_other
undone right.c $'        place += D;\n' '' 200
undone right.c ', s += cols' ''
claim a_position_that_nobody_moves_on_is_moved_on
undone right.c $'c < nk; c++) t->s[c] = expf(t->s[c] - top);\n        for (int c = 0; c < nk;' \
    $'c < SIZE; c++) t->s[c] = expf(t->s[c] - top);\n        for (int c = 0; c < SIZE;' 50
claim two_loops_over_a_whole_tile_end_where_the_last_one_does
undone right.c 'top = larger(' 'larger(' 50
undone right.cu 'm = all_of(' 'all_of(' 50
claim a_result_that_is_thrown_away_is_kept
undone right.cu 'w = T / 2' 'w = T'
undone right.cu 'long n = 1' 'long n = 2'
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
[[ ! $(awk -F '\t' '$8 == "2 / 2"' "$top/table.tsv") ]] || complain 'a number is not said as what it comes to'
claim a_walk_in_halves_begins_at_half
undone right.cu 'w /= 2) x =' 'w--) x =' 100
undone right.cu 'w > 0' 'w > 1'
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
[[ $(awk -F '\t' '$6 == "halved" && $10 == "w > 0"' "$top/table.tsv") ]] || complain 'w = 1 is not its last step'
claim a_walk_in_halves_ends_with_1
undone right.cu 'multiply<false>(' 'multiply<true>('
undone right.cu 'go<64>(' 'go<32>('
claim another_argument_of_a_template_is_tried
undone right.cu 'keep<<<H, 128>>>(V' 'keep<<<1, 128>>>(V' 50
claim a_kernel_is_launched_as_it_is_elsewhere
undone right.cu $'        m = top;\n' '' 60
claim a_maximum_that_grew_is_kept

undone right.cu 'i / n % rows' 'i / n' 60
claim a_number_of_several_parts_is_taken_apart
undone right.cu $'    if (parts == 0) parts = 8;\n    float *L = work + rows * parts * D;' \
    $'    float *L = work + rows * parts * D;\n    if (parts == 0) parts = 8;' 50
claim what_is_read_before_it_is_set_comes_later

undone right.cu '(t.seq * n' '(t.count[0] * n' 50
claim the_first_of_many_is_not_as_long_as_the_longest

undone right.cu '(work, L, rows)' '(work, NULL, rows)' 50
claim what_is_handed_to_nobody_is_handed_over
undone right.cu $'        const float was = m;\n        if (S[c] > m) m = S[c];\n' \
    $'        if (S[c] > m) m = S[c];\n        const float was = m;\n' 50
claim what_is_to_be_kept_is_kept_before_it_changes

# not_tried OLD NEW: no change of right.cu says that
not_tried() {
    build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
    [[ ! $(awk -F '\t' -v old="$1" -v new="$2" '$7 == old && $8 == new || $9 == old && $10 == new' \
        "$top/table.tsv") ]] || complain "$1: $2"
}
printf '%s\n' '__global__ void g(float *P, int n) { for (int c = threadIdx.x; c < n; c += 16) P[c] = 0.0f;
    for (int i = 0; i < n; i++) P[i] = 1.0f; }' >>"$top/right.cu"
not_tried 'threadIdx.x ... c += 16' '0 ... c++'
claim no_thread_walks_the_whole_row
not_tried 'grid.x = (n + T - 1) / T' 'grid.x = (n + T - 1) % T'
not_tried '(t.seq * n + T - 1) / T' '(t.seq * n + T - 1)'
claim a_number_of_blocks_is_no_remainder_and_is_divided

sed 's/^    keep<<<H, 128>>>(V.*//; s/  m = all_of(/  all_of(/' "$top/right.cu" >"$top/idle.cu"
printf '%s\n' '__global__ void add(int *n) { n[0]++; }' 'void attn_out(int *n) { n[0] = 0; }' >>"$top/idle.cu"
build/bin/edits "$top/idle.cu" --idle . >"$top/idle.tsv"
says_all=$(cut -f 1,2 "$top/idle.tsv" | tr '\t\n' ' ,')
[[ $says_all == *'kernel add,'*'result all_of,'* && $says_all != *attn_out* && $says_all != *'kernel keep,'* ]] ||
    complain "$says_all"
claim what_nobody_calls_and_nobody_takes_is_listed

cat >"$top/lost.cu" <<'END'
__global__ void product(float *C, const float *A, int n) {
    float acc = 0;
    C += blockIdx.x * n;
    for (int l = 0; l < n; l++) acc += A[l];
}
END
run build/bin/edits "$top/lost.cu" --idle .
[[ $out == *$'unread\tacc\t4\tC' ]] || complain "$out"
sed -i 's/^}/    if (n > 1) C[0] = 1;\n}/' "$top/lost.cu"
run build/bin/edits "$top/lost.cu" --idle .
[[ $out == *$'unread\tacc\t4\t' ]] || complain "$out"
claim of_a_sum_that_nobody_stores_the_output_is_named
cat >"$top/nest.c" <<'END'
void f(float *O, const float *S, int heads, int n) {
    for (int h = 0; h < heads; h++) {
#pragma omp parallel for schedule(static)
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) O[h * n + i] += S[j];
        }
    }
#pragma omp parallel for collapse(2)
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < n; i++) O[h * n + i] *= 2;
}
END
moved=()
for n in 1 2 3; do
    run build/bin/edits "$top/nest.c" --pragma "$top/moved$n.c" --number $n
    moved+=("$out")
done
[[ ${moved[*]} == *$'3\t2\tfor (int h = 0; h < heads; h++)'*$'3\t5\tfor (int i = 0; i < n; i++)'* && ! ${moved[2]} ]] ||
    complain "${moved[*]}"
text=$(tr -d ' \n' <"$top/moved2.c")
[[ $text == *'{#pragmaompparallelforschedule(static)for(inti=0;'* ]] || complain "$text"
[[ $(grep -c pragma "$top/moved1.c") == 2 ]] || complain 'the pragma is not moved, it is copied'
claim a_pragma_is_tried_above_the_other_loops_of_its_nest

cat >"$top/begin.cu" <<'END'
struct state { float top, sum; float4 out; };
struct tile { float *most, *mass; };
__global__ void online(tile t, float *O, const float *S, int n) {
    state s[2];
    float rest[8], old[8];
    for (int r = 0; r < 2; r++) {
        s[r].sum = 0.0f;
        s[r].top = S[r];
        s[r].out = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        t.mass[r] = 0.0f;
        t.most[r] = S[r];
    }
    for (int d = 0; d < 8; d++) {
        rest[d] = 0.0f;
        old[d] = S[d];
    }
    for (int k = 0; k < n; k++) {
        s[0].sum = s[0].sum * old[0] + s[0].top;
        s[0].out.x += s[0].sum;
        t.mass[k] *= t.most[k];
        rest[k] += S[k];
    }
    O[0] = rest[0] + s[0].out.x;
}
END
undone begin.cu $'        s[r].sum = 0.0f;\n' ''
undone begin.cu $'        t.mass[r] = 0.0f;\n' ''
undone begin.cu $'        rest[d] = 0.0f;\n' ''
tried_here() { [[ $(cut -f 8 "$top/table.tsv") == *"$1"* ]] || complain "not tried: $1"; }
grep -v 's\[r\].out = ' "$top/begin.cu" >"$top/wrong.cu"
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 100
tried_here 's[r].out = make_float4(0.0f, 0.0f, 0.0f, 0.0f);'
build/bin/edits "$top/begin.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$6 == "begins"' "$top/table.tsv") ]] || complain 'what has begun begins again'
claim a_sum_begins_where_its_sister_does
cat >"$top/copies.c" <<'E'
typedef struct { int rows, cols, step; } extent;
void multiply(float *C, extent e, int rows, int cols) {
    extent right = e;
    right.rows = rows;
    right.cols = e.cols - cols;
    add(C + cols, right);
}
E
undone copies.c $'    right.rows = rows;\n' ''
claim a_field_of_a_copy_is_set_to_what_is_called_like_it
cat >"$top/inputs.c" <<'END'
void product(float *C, const float *A, const float *W, int n);
void split(float *to, const float *from, int n);
void layer(float *y, const float *x, const float *Wq, const float *Wk, float *q, float *k, float *flat, int n) {
    product(flat, x, Wq, n);
    split(q, flat, n);
    product(flat, x, Wk, n);
    split(k, flat, n);
    product(y, q, k, n);
}
END
undone inputs.c $'    product(flat, x, Wq, n);\n' ''
undone inputs.c $'    product(flat, x, Wk, n);\n' ''
claim a_call_for_an_input_that_nobody_reads_is_tried
plan
