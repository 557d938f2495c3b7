#!/usr/bin/env bash
# own_gaps.sh: slips of files of a student's own, a place for each in one file in C and one in CUDA: the change that
# undoes one is among those that are tried (grader/repair/edits: arms of ?:, counted, inlined, placed, fields, empty,
# caps, parts, unread, remaining, awaited, queued, unset, follows, shared). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=1500

cat >"$top/right.c" <<'END'
#include <math.h>
#include <stddef.h>
#define LOWEST (-1e30f)
static int smaller(int a, int b) { return a < b ? a : b; }
static int seen(int causal, int i, int n, int m) { return causal ? i + n - m + 1 : n; }
typedef struct { int causal, br, m, n; } masked;
static int first(masked w, int i) { return w.causal ? i : 0; }
static int ends(masked w, int i) {
    const int end = w.causal ? smaller(w.n, i * w.br + w.n - w.m) : w.n;
    return end + first(w, i);
}
void project(float *y, const float *x, const float *w, int H, int D, int E) {
    for (int e = 0; e < E; e++) {
        float sum = 0.0f;
        for (int h = 0; h < H; h++)
            for (int d = 0; d < D; d++) sum += x[h * D + d] * w[e * E + h * D + d];
        y[e / D * E + e % D] = sum;
    }
}
void attend(float *out, const float *s, float *top, int tile, int SIZE, int n, int m, int D, int causal) {
    int last = seen(causal, (tile + 1) * SIZE, n, m);
    if (last > n) last = n;
    for (int i = 0; i < SIZE; i++) {
        const int row = tile * SIZE + i;
        if (row >= m) break;
        float high = top[i];
        for (int j = 0; j < last; j++) high = s[j] > high ? s[j] : high;
        top[i] = high;
    }
    for (int k = 0; k < last; k += SIZE) {
        const int nk = smaller(SIZE, last - k);
        for (int j = 0; j < nk; j++) top[j] += s[k + j];
    }
    for (int i = 0; i < SIZE && tile * SIZE + i < m; i++) {
        float *o = out + ((size_t)tile * SIZE + i) * D;
        for (int d = 0; d < D; d++) o[d] = top[i] > 0.0f ? o[d] / top[i] : 0.0f;
    }
}
END
cat >"$top/right.cu" <<'END'
typedef struct { int heads, dim, most; } sizes;
typedef struct { int seq; const int *past, *count; } tokens;
#define TILE 16
__global__ void scores(float *S, const float *q, const float *K, int n, int D) {
    int tiles = (n + TILE - 1) / TILE;
    for (int j = 0; j < tiles; j++) {
        int nk = min(TILE, n - j * TILE);
        const int t = threadIdx.x;
        for (int y = t; y < nk; y += TILE) S[j * TILE + y] = q[0] * K[(j * TILE + y) * D];
    }
}
__global__ void walk(float *S, int last, int n, int D, int causal) {
    int end = D;
    if (causal) {
        int need = last / n;
        if (need < end) end = need;
    }
    for (int i = 0; i < end; i++) S[i] = 0.0f;
}
__global__ void count(int *lengths, int batch, int most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch && lengths[i] < most) lengths[i] = lengths[i] + 1;
}
__global__ void store(float *C, const float *X, sizes z, int D4) {
    __shared__ float sums[64];
    int b = blockIdx.y, h = blockIdx.x, me = threadIdx.x, part = 64;
    size_t row = (size_t)b * z.heads + h;
    if (part > z.dim) part = z.dim;
    sums[me] = X[row * z.dim + me];
    __syncthreads();
    float w = expf(sums[me]);
    C[row * z.most + me / D4 * z.dim + me % D4] = w / sums[0];
}
__global__ void matmul(float *C, const float *B, int k, int row, int column) { C[k] = B[k * row + column]; }
bool refuse(tokens t, sizes z, int B) {
    int fresh = 0;
    bool full = false;
    for (int b = 0; b < B; b++) {
        fresh += !t.past[b];
        full |= t.past[b] + t.count[b] > z.most;
    }
    return full || (fresh && fresh < B);
}
__global__ void pieces(float *S, const float *q, int n, int all) {
    const int from = blockIdx.x * n, to = min(all, from + n);
    for (int j = from; j < to; j += TILE) {
        const int left = to - j < TILE ? to - j : TILE;
        for (int y = threadIdx.x; y < left; y += TILE) S[j + y] = q[j + y];
    }
}
__device__ float largest(float x, float *ring) {
    ring[threadIdx.x] = x;
    __syncthreads();
    float found = ring[0];
    for (int i = 1; i < TILE; i++) found = fmaxf(found, ring[i]);
    __syncthreads();
    return found;
}
__device__ float total(float x, float *ring) {
    ring[threadIdx.x] = x;
    __syncthreads();
    float found = ring[0];
    for (int i = 1; i < TILE; i++) found += ring[i];
    __syncthreads();
    return found;
}
int step(float *C, const float *X, int *lengths, sizes z, bool first, cudaStream_t stream) {
    if (first) {
        store<<<1, 64, 0, stream>>>(C, X, z, 4);
    } else {
        for (int b = 0; b < z.heads; b++) {
            cudaMemcpyAsync(C + b * z.most, X + b * z.dim, z.dim * sizeof(float), cudaMemcpyDeviceToDevice, stream);
            cudaMemcpyAsync(C + b * z.heads, X + b * z.most, z.dim * sizeof(float), cudaMemcpyDeviceToDevice, stream);
        }
    }
    count<<<1, 64, 0, stream>>>(lengths, z.heads, z.most);
    return cudaGetLastError() != cudaSuccess;
}
int launch(float *C, const float *B, int k) {
    matmul<<<1, 1>>>(C, B, k, 1, k);
    return ATTN_OK;
}
END

# Who is refused is asked on the host: changes of kernels come last, where nothing else is wrong.
asked="$top/asked.cu"
text=$(<"$top/right.cu")
printf '%s\n' "${text/fresh += !t.past[b]/fresh += !t.past[B - 1]}" >"$asked"
run build/bin/edits "$asked" --reaches "$top/right.cu" --limit 30000
numbers=${out%% *}
run build/bin/edits "$asked" --reaches "$top/right.cu" --limit 30000 --statuses yes
((${out%% *} > 0 && ${out%% *} < numbers)) || complain "change $out, and $numbers where numbers are wrong"
claim who_is_refused_is_asked_on_the_host

undone right.c 'i + n - m + 1 : n' 'i + n - m : n'
claim one_more_is_tried_in_an_arm_of_a_choice
undone right.c 'w.causal ? smaller(w.n, i * w.br + w.n - w.m) : w.n' 'smaller(w.n, i * w.br + w.n - w.m)' 100
claim a_position_under_a_mask_asks_for_the_mask
undone right.c 'top[i];' 'LOWEST;' 300
claim a_macro_has_the_type_of_its_number
undone right.c 'i < SIZE && tile * SIZE + i < m;' 'i < SIZE;'
claim a_condition_of_another_line_is_written_out
undone right.c '((size_t)tile * SIZE + i) * D' '(size_t)i * D'
undone right.c 'w[e * E + h * D + d]' 'w[e * E + d]'
claim what_stands_before_a_place_within_a_tile_or_a_head_is_added
undone right.c 'e / D * E + e % D' 'e % D * E + e / D'
undone right.c 'e / D * E + e % D' 'e / D * E + e'
claim the_parts_of_a_number_are_exchanged_or_taken
undone right.c $'    if (last > n) last = n;\n' ''
undone right.c 'if (last > n) last = n' 'last = n'
claim a_number_is_cut_off_at_a_limit
undone right.c 'top[i] > 0.0f ? o[d] / top[i] : 0.0f' 'o[d] / top[i]'
claim a_quotient_asks_whether_there_is_anything_to_divide_by

undone right.cu 'min(TILE, n - j * TILE)' TILE 350
claim the_last_of_tiles_that_are_counted_is_cut_off
undone right.cu 'i < batch && lengths[i] < most' 'i < batch' 100
claim a_size_that_nobody_reads_is_a_limit
undone right.cu 'size_t)b * z.heads + h' 'size_t)b + h'
undone right.cu 't.past[b] + t.count[b]' 't.past[b] + t.seq'
undone right.cu 't.past[b] + t.count[b]' 't.count[b]'
claim fields_that_stand_for_each_of_many_are_tried
undone right.cu 'full |= t' 'full = t' 110
claim what_is_found_in_one_round_holds_after_the_next
undone right.cu 'fresh += !t' 'fresh += t'
claim what_is_counted_is_asked_whether_it_is_nothing
undone right.cu 'w / sums[0]' 'w / sums[me]'
claim the_first_element_is_tried_for_a_threads_own
undone right.cu 'B, k, 1, k);' 'B, k, k, 1);'
claim a_number_and_a_name_among_the_arguments_are_exchanged
undone right.cu 'S[j * TILE + y]' 'S[j * TILE + t]' 300
claim a_loops_counter_is_tried_for_what_it_begins_with

undone right.cu 'to - j < TILE ? to - j : TILE' 'all - j < TILE ? all - j : TILE' 100
claim what_is_left_is_counted_from_the_end_of_the_walk
waits=$'    __syncthreads();\n' total=$'    return found;\n}\n__device__ float total'
undone right.cu "$waits$total" "$total" 150
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
first=$(awk -F '\t' '$6 == "barrier"' "$top/table.tsv" | sort -t $'\t' -n -k 2,2 -s | sed -n 1p | cut -f 5,9)
[[ $first == $'largest\treturn found;' ]] || complain "$first comes first"
claim what_one_function_waits_for_the_other_waits_for

# A barrier is not moved to between two loads, before one is tried at the end of the round.
cat >"$top/wrong.cu" <<'END'
__global__ void walk(float *o, const float *k, const float *v, int n) {
    __shared__ float a[64], b[64];
    for (int i = 0; i < n; i += 64) {
        load(a, k + i);
        load(b, v + i);
        __syncthreads();
        score(o, a);
        __syncthreads();
        add(o, b);
    }
}
END
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 8000
rank_of() { awk -F '\t' -v kind="$1" -v text="$2" '$6 ~ kind && $9 ~ text { print $2; exit }' "$top/table.tsv"; }
(($(rank_of '^before line 5$' '^load') > $(rank_of '^barrier$' '^load.a'))) || complain "$(<"$top/table.tsv")"
claim a_barrier_that_is_missing_goes_before_one_between_two_loads
cat >"$top/wrong.cu" <<'END'
__global__ void set(float *o, int n) { o[(blockIdx.y + blockIdx.z * gridDim.x) * n] = 0.0f; }
END
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 8000
first=$(awk -F '\t' '$10 ~ /blockIdx.z [*] gridDim.y/ { print $1; exit }' "$top/table.tsv")
((first && first <= 100)) || complain "change $first"
claim a_block_is_counted_by_the_size_of_the_axis_that_counts_faster

branch=$(sed -n '/^    if (first) {/, /^    count/p' "$top/right.cu")
count=${branch##*$'\n'}
undone right.cu "$branch" "$count"$'\n'"${branch%$'\n'*}" 200
claim what_is_queued_before_a_branch_is_queued_behind_it

# not_tried OLD NEW: no change of right.cu says that
not_tried() {
    build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
    [[ ! $(awk -F '\t' -v old="$1" -v new="$2" '$7 == old && $8 == new' "$top/table.tsv") ]] || complain "$1: $2"
}
not_tried 'end = need;' ''
not_tried 'need < end' 0
not_tried 'if (need < end) end = need;' ''
claim the_end_of_a_walk_under_a_mask_stays
not_tried 'last / n' 'last % D'
claim a_count_is_no_digit
not_tried ATTN_OK 'ATTN_OK + 1'
claim a_status_is_not_counted_on
for side in need end; do
    [[ ! $(cut -f 10 "$top/table.tsv" | grep -Fx "$side < $side") ]] || complain "$side < $side"
done
claim nothing_is_compared_with_itself

# What a function is given and does not read, what no line sets, and parts of one piece of memory.
cat >"$top/right.c" <<'END'
typedef struct { int heads, seq_q, seq_kv, dim; } sizes;
struct job { const float *q; float *o; int n, shift; float norm; };
enum { QUERIES, KEYS, ALL };
static int seen(const struct job *w, int row, int first, int most) {
    const int until = row + w->shift + 1 - first;
    return until < 0 ? 0 : until < most ? until : most;
}
static const float *head(const float *x, sizes s, int b, int h, int n) { return x + (b * s.heads + h) * n * s.dim; }
static float *room(float *all, int n, int dim) {
    float *q = all, *k = q + n * dim, *o = k + n * dim;
    return o + seen((void *)q, n, dim, n);
}
float run(const float *Q, const float *K, float *O, sizes s) {
    const float *from[ALL] = {[QUERIES] = Q, [KEYS] = K};
    struct job w = {Q, O, s.seq_q};
    w.shift = s.seq_kv - s.seq_q;
    w.norm = 1.0f / sqrtf((float)s.dim);
    return w.norm * seen(&w, s.seq_kv, s.seq_q, s.dim) * *head(from[KEYS], s, 0, 0, 1) * *room(O, 1, 1);
}
END
undone right.c '+ 1 - first' '+ 1' 10
build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 8000
run awk -F'\t' '$8 ~ /- first$/ && $6 == "unread" { print $12 }' "$top/table.tsv"
[[ $out == 0 ]] || complain "it comes behind all else: $out"
undone right.c '(b * s.heads + h) * n' 'h * n' 40
claim a_number_that_is_given_and_not_read_says_from_where_or_which
undone right.c '    w.shift = s.seq_kv - s.seq_q;
' '' 40
grep -v 'w.norm = ' "$top/right.c" >"$top/wrong.c"
build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 8000
[[ $(<"$top/table.tsv") == *$'\tw.norm = 1.0f / sqrtf((float)s.dim);'* ]] || complain 'a factor is not set'
claim a_field_that_a_list_leaves_out_is_set
undone right.c '*o = k + n * dim' '*o = k' 30
claim a_part_of_memory_begins_behind_the_one_before
cat >"$top/slots.c" <<'E'
typedef struct { int D, br, bc; } sizes;
typedef struct { float *S, *acc, *m; } slot;
static size_t floats(const sizes *g) { return (size_t)g->br * g->bc + (size_t)g->br * (g->D + 1) + g->br; }
static slot slot_of(float *pool, int thread, const sizes *g) {
    slot t;
    t.S = pool + thread * floats(g);
    t.acc = t.S + (size_t)g->br * g->bc;
    t.m = t.acc + (size_t)g->br * (g->D + 1);
    return t;
}
E
undone slots.c 't.acc + (size_t)g->br * (g->D + 1)' 't.acc + (size_t)g->br * g->bc' 30
undone slots.c 't.S + (size_t)g->br * g->bc' 't.S + (size_t)g->br * (g->D + 1)' 30
claim a_part_is_as_long_as_one_of_those_that_memory_is_asked_for

plan
