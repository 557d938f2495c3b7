#!/usr/bin/env bash
# own_dropped.sh: a part of a formula that somebody drops: whether there is a mask (masked), the other one of two
# (joined, consumed), a number of many (unmultiplied, of_batch, share_of_all, same_row), a limit (limited, whole_tile),
# the sum that a state has (total); and a slip that leaves a wrong one: of four numbers (components), of a size that is
# rounded up (rounds_up), of a field (like_parameter), of two arguments (functions), of / and * (operators), of a call
# that stands in a loop (order). The change that undoes it is among the likeliest (grader/repair/edits). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cat >"$top/right.c" <<'E'
#include <math.h>
#include <stddef.h>
#include "shape.h"
typedef struct { float top, sum; } state;
typedef struct { float mass; } row;
typedef struct { int first, rows, causal; } tile;
static int least(int a, int b) { return a < b ? a : b; }
static state join(state a, state b) {
    const float top = fmaxf(a.top, b.top);
    return (state){top, a.sum * expf(a.top - top) + b.sum * expf(b.top - top)};
}
static void take_in(row *s, float *acc, const float *p, int n) {
    for (int j = 0; j < n; j++) {
        s->mass = s->mass * p[0] + p[j];
        acc[j] += p[j];
    }
}
static int hides(const tile *t, int r, int j) {
    const int hidden = t->causal && j > t->first + r;
    return hidden;
}
static void mask(float *S, int n, int causal) {
    for (int j = 0; j < n; j++) S[j] = causal ? -INFINITY : S[j];
}
static void tiles(float *O, float *acc, const float *p, row *st, int n, int size, int D) {
    for (int j0 = 0; j0 < n; j0 += size) {
        const int there = least(size, n - j0);
        take_in(st, acc, p, there);
    }
    for (int r = 0; r < size; r++)
        for (int d = 0; d < D; d++) O[r * D + d] = acc[r * D + d] / st[r].mass;
}
static void copy(float *to, const float *from, int n) { to[n] = from[n]; }
static void hide(float *S) { S[0] = 0.0f; }
static void bare(float *S) { S[1] = 0.0f; }
static void finish(float *O, const float *Q) { O[0] = Q[0]; }
void all(float *O, const float *Q, float *acc, float *w, state *st, row *rows, attn_shape s) {
    const int H = s.heads;
    for (int b = 0; b < s.batch; b++)
        for (int h = 0; h < H; h++) {
            const size_t head = b * H + h, at = head * s.seq_q * s.head_dim;
            const float *from = Q + head * s.seq_q * s.head_dim;
            tiles(O + at, acc, from, rows, s.seq_q, 16, s.head_dim);
            copy(O + at, Q + at, 1);
            mask(O + at, s.seq_kv, s.causal);
            hide(w);
            w[h] = 1.0f;
        }
    finish(O, Q);
    st[0] = join(st[0], st[1]);
    for (int r = 0; r < 2; r++) {
        if (s.causal) bare(w);
        w[r] = 1.0f;
    }
}
E
undone right.c 't->causal && j > t->first + r' 'j > t->first + r'
claim a_limit_of_keys_asks_whether_there_is_a_mask
undone right.c 'fmaxf(a.top, b.top)' 'a.top'
claim of_two_states_the_larger_maximum_is_taken
undone right.c 'acc[r * D + d] / st[r].mass' 'acc[r * D + d]'
claim what_is_stored_is_divided_by_the_sum_that_nobody_reads
undone right.c 'b * H + h' 'H + h'
claim a_size_to_which_a_counter_is_added_has_a_factor
undone right.c 'least(size, n - j0)' 'n - j0'
claim what_is_left_from_a_tile_on_is_no_more_than_the_tile
undone right.c 's.seq_kv, s.causal' 's.seq_kv, s.heads'
claim a_field_is_handed_over_as_the_parameter_that_is_called_like_it
undone right.c 'copy(O + at, Q + at' 'copy(Q + at, O + at'
claim what_is_only_read_is_not_handed_over_to_be_written
undone right.c $'        }\n    finish(O, Q);' $'            finish(O, Q);\n        }' 400
claim a_call_that_counts_with_none_of_the_loops_stands_behind_all_of_them
undone right.c 'Q + head * s.seq_q' 'Q + head / s.seq_q'
claim a_row_that_nobody_takes_the_rest_of_is_multiplied
undone right.c $'            hide(w);\n' ''
undone right.c $'        if (s.causal) bare(w);\n' ''
claim a_function_that_nobody_calls_is_called
cat >"$top/parts.c" <<'E'
typedef struct { float *key, *score, *out, *top; } parts;
void open(parts *w, float *all, int br, int bc, int dim) {
    w->key = all;
    w->score = w->key + dim * bc;
    w->out = w->score + br * bc;
    w->top = w->out + br * dim;
}
void four(float **to, float *all, int n) {
    float *q = all + n, *k = all + 2 * n, *v = all + 3 * n;
    to[0] = q, to[1] = k, to[2] = v;
}
E
undone parts.c 'w->score + br * bc' 'w->score'
undone parts.c 'all + 3 * n' 'all'
claim a_part_begins_behind_the_one_before
cat >"$top/sides.c" <<'E'
#include "task3.h"
void sizes(int *to, attn_shape shape, int most) {
    const int Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim, shift = Sk - Sq;
    const int rows = shape.seq_q < most ? shape.seq_q : most;
    for (int i = 0; i < Sq; i++) to[i] = i + shift < Sk ? rows * D : Sq;
    to[0] = rows + Sq * D + Sk;
}
E
sed 's/Sq = shape.seq_q/Sq = shape.seq_kv/' "$top/sides.c" >"$top/twice.c"
# shared FILE SIZE: is the size at which Sq begins, with the change to SIZE, taken for one that hides a mistake?
shared() {
    build/bin/edits "$top/$1" "$top/out.c" "$top/table.tsv"
    awk -F '\t' -v to="$2" '$8 == to && $3 == 3 && $4 == 26 {print $12; exit}' "$top/table.tsv"
}
run echo "$(shared sides.c seq_kv)$(shared twice.c seq_q)"
[[ $out == 10 ]] || complain "shared: $out"
claim of_two_sizes_that_are_the_same_side_one_is_another

cat >"$top/right.cu" <<'E'
#include "task4.h"
constexpr int T = 16, WIDE = 32;
static __device__ float4 zeros() { return make_float4(0.f, 0.f, 0.f, 0.f); }
__global__ void multiply(float *C, const float *A, const float *B, int n) {
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    a[y][x] = A[y * n + x];
    b[y][x] = B[y * n + x];
    __syncthreads();
    for (int l = 0; l < T; l++) sum += a[y][l] * b[l][x];
    C[y * n + x] = sum;
}
__device__ void copy(float4 *to, const float4 *from, int have, int want, int width) {
    for (int n = threadIdx.x; n < want * width; n += T) {
        const int r = n / width, x = n - r * width;
        to[r * (width + 1) + x] = r < have ? from[n] : zeros();
    }
}
__device__ void fetch(float *dst, int pitch, const float *src, int D) {
    for (int r = threadIdx.y; r < T; r += T)
        for (int d = threadIdx.x; d < D; d += T) dst[r * pitch + d] = src[r * D + d];
}
__global__ void scores(float *S, const float *sq, const float *sk, attn_shape s, int rows, bool causal, int *share) {
    const int D = s.head_dim, pitch = D + 1, i = blockIdx.x, shift = s.seq_kv - s.seq_q;
    const int from = blockIdx.y * T, to = min(from + T, rows);
    share[0] = (int)(rows * blockIdx.y / gridDim.y);
    for (int j = from; j < to; j++) {
        const bool seen = j < rows && (!causal || j <= i + shift);
        const int c = j - from;
        float dot = 0.0f;
        for (int d = 0; d < D; d++) dot += sq[i * pitch + d] * sk[c * pitch + d];
        S[c] = seen ? dot : -INFINITY;
    }
}
__device__ void four(float *s, const float *k, float4 q) {
    s[0] += k[0] * q.x;
    s[1] += k[0] * q.y;
    s[2] += k[0] * q.z;
    s[3] += k[0] * q.w;
}
__global__ void tally(int *share, int batches) {
    for (int b = threadIdx.x; b < batches; b += T) share[b] = b;
}
void launch(float *S, const float *q, const float *k, attn_shape s, int n, int *share) {
    const int batches = s.batch, heads = s.heads;
    tally<<<1, T>>>(share, batches);
    tally<<<heads, T>>>(share, n);
    const dim3 blocks((n + T - 1) / T, n), threads(T, T);
    multiply<<<blocks, threads>>>(S, q, k, n);
    scores<<<dim3(s.batch * s.heads, 4), (n + 31) / 32>>>(S, q, k, s, n, s.causal, share);
}
E
undone right.cu ' * b[l][x]' ''
claim a_tile_that_is_filled_and_not_read_is_a_factor
undone right.cu 'r < have ? from[n] : zeros()' 'from[n]'
claim who_is_told_how_many_rows_there_are_asks
undone right.cu 'src[r * D + d]' 'src[d]'
claim what_is_copied_to_a_row_comes_from_the_row_of_that_number
undone right.cu 'min(from + T, rows)' 'rows'
claim a_share_ends_where_it_does
undone right.cu '(rows * blockIdx.y / gridDim.y)' '(blockIdx.y / gridDim.y)'
claim a_share_is_one_of_all
undone right.cu '(!causal || j <= i + shift)' '(j <= i + shift)'
claim a_limit_of_keys_holds_with_a_mask_alone
undone right.cu 'sk[c * pitch + d]' 'sk[pitch + d]' 200
claim a_row_of_a_tile_has_a_number
undone right.cu 'q.w' 'q.z'
undone right.cu 'q.x' 'q.y'
claim of_four_numbers_each_is_taken_once
undone right.cu '(n + T - 1) / T' '(n + WIDE - 1) / T'
undone right.cu '(n + 31) / 32' '(n + 15) / 32'
undone right.cu '(n + T - 1) / T' 'n / T + 1' 200
claim a_number_of_groups_is_rounded_up_by_their_size
undone right.cu 's.batch * s.heads' 's.heads'
claim a_grid_has_a_block_for_each_head_of_each_batch
undone right.cu 'n, s.causal' 'n, s.heads'
claim a_kernel_is_given_the_field_that_its_parameter_is_called_like
undone right.cu 'share, batches);' 'share, heads);' 50
claim a_kernel_is_given_the_variable_that_its_parameter_is_called_like
build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$6 == "mask" && $2 <= 4' "$top/table.tsv") ]] || complain 'who asks for a mask asks again'
claim what_is_asked_is_not_asked_again
cat >"$top/hidden.cu" <<'E'
__global__ void prepare(float *s, int n, int last, float scale) {
    for (int j = threadIdx.x; j <= last; j += 32) s[j] *= scale;
    for (int j = last + 1 + threadIdx.x; j < n; j += 32) s[j] = -1.0f;
}
E
undone hidden.cu 'j <= last' 'j < last'
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$3 == 2 && $7 == "last" && $8 == "n" && $11 == ""' "$top/table.tsv") ]] ||
    complain 'a loop runs into what the next one sets'
claim a_loop_does_not_end_where_the_next_one_does
plan
