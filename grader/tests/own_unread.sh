#!/usr/bin/env bash
# own_unread.sh: what is there and not used, or done once where it is done often: an array that is filled and read by
# nobody (grader/repair/edits: consumed), sums in an array that begin anew in each round (anew), one element of each
# thread where there are more of them (one_each), a template's flag that two sizes do not ask (templates), the maximum
# of a lambda where a sum is meant (sister_calls), the number of the last element taken for a count (counted), a loop
# whose rounds never ask which one they are (uncounted), where a tile ends, and which keys it has for a query
# (remaining); a maximum that nobody reads, or that begins with 0 (states), a loop over the heads of one batch, a size
# that is given, or written in figures (unread), a tile that is taken apart by rows with their padding (flat), a matrix
# that is read column by column (columnwise); what is kept of a tile and not asked (remembered). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=130

cat >"$top/right.cu" <<'E'
#include <math.h>
constexpr int ROWS = 8, TILE = 32;
struct View { const float *data; int rows, cols; };
template <typename Op>
__device__ float reduce(float value, float *scratch, Op op) {
    scratch[threadIdx.x] = value;
    __syncthreads();
    return op(scratch[0], scratch[1]);
}
__device__ void load(float *to, const float *from, int have, int D) {
    const int warp = threadIdx.x / 32, col = threadIdx.x % 32;
    if (col >= D) return;
    for (int i = col; i < D; i += 32) for (int row = warp; row < have; row += 4) to[row * D + i] = from[row * D + i];
}
__device__ void stage(float *tile, const float *from, int size) {
    for (int n = threadIdx.x; n < size * ROWS; n += blockDim.x) tile[n] = from[n];
}
__device__ void store(float *O, const float *o, int D) {
    const int d = threadIdx.x;
    for (int i = d; i < D; i += blockDim.x) O[i] = o[i];
}
__global__ void walk(float *O, const float *K, const float *V, int batch, int n, int D) {
    extern __shared__ float memory[];
    float *keys = memory;
    float *values = memory + TILE * D;
    for (int z = 0; z < batch; z++) {
        for (int i = 0; i < ROWS; i++) acc[i] = 0.0f;
        load(keys, K, n, D);
        load(values, V, n, D);
        for (int c = 0; c < n; c++) {
            float s = 0;
            for (int d = 0; d < D; d++) s += keys[c * D + d];
            for (int u = 0; u < ROWS; u++) acc[u] += s * values[c * D + u];
        }
        store(O, acc, D);
    }
}
__global__ void rows(float *P, const float *S, int cols) {
    __shared__ float scratch[TILE];
    float top = S[threadIdx.x], sum = S[threadIdx.x];
    top = reduce(top, scratch, [](float x, float y) { return fmaxf(x, y); });
    sum = reduce(sum, scratch, [](float x, float y) { return x + y; });
    P[threadIdx.x] = expf(S[threadIdx.x] - top) / sum;
}
template <bool kTransposed>
__global__ void multiply(float *C, const float *A, const float *B, int m, int n, int k) {
    const View a = {A, m, k};
    const View b = {B, (kTransposed ? n : k), (kTransposed ? k : n)};
    for (int l = 0; l < k; l++) C[l] += a.data[l] * b.data[l * b.cols];
}
E
sed -i 's/^    for (int z = 0; z < batch; z++) {/    float acc[ROWS] = {};\n&/' "$top/right.cu"
cat >"$top/right.c" <<'E'
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
enum { SIDE = 8 };
void tiles_of(float *O, const float *V, int n, int Bc, int first);
void tiles_of(float *O, const float *V, int n, int Bc, int first) {
    for (int j = 0; j < n; j += Bc) {
        const int width = MIN(Bc, n - j), end = MIN(j + Bc, n);
        for (int c = 0; c < width; c++) O[j] += V[end - c - 1];
    }
    for (int p = 0; p < n / SIDE; p++) O[first + SIDE * p] = 0;
    for (int r = 0; r < SIDE; r++) O[first + r] = 1;
}
void softmax(float *P, const float *S, int n);
void softmax(float *P, const float *S, int n) {
    for (int c = 0; c < n; c++) P[c] = S[c];
}
void multiply(float *O, const float *P, const float *V, int n);
void multiply(float *O, const float *P, const float *V, int n) {
    for (int c = 0; c < n; c++) O[c] += P[c] * V[c];
}
void attend(float *O, const float *V, int n, int Bc);
void attend(float *O, const float *V, int n, int Bc) {
    float *scores = malloc((size_t)n * 4), *probs = malloc((size_t)n * 4);
    const int last = n - 1, tiles = last / Bc + 1;
    for (int t = 0; t < tiles; t++) scores[t] = V[t];
    softmax(probs, scores, n);
    multiply(O, probs, V, n);
}
typedef struct { float *keys; const float *held; int width; } crew;
void turn(crew *me, const float *K, int n);
void turn(crew *me, const float *K, int n) {
    if (me->held == K && me->width == n) return;
    for (int c = 0; c < n; c++) me->keys[c] = K[n - 1 - c];
    me->held = K;
    me->width = n;
}
E
cat >"$top/softmax.cu" <<'E'
#include <math.h>
constexpr int NT = 64;
struct State { float m, l; };
__global__ void rows(float *P, const float *S, int cols) {
    __shared__ float part[NT], row_max;
    const int t = threadIdx.x;
    part[t] = S[t];
    __syncthreads();
    for (int d = NT / 2; d > 0; d /= 2) {
        if (t < d) part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    if (t == 0) row_max = part[0];
    __syncthreads();
    for (int c = t; c < cols; c += NT) P[c] = expf(S[c] - row_max);
}
__global__ void walk(float *O, const float *S, int n) {
    State my;
    my.m = -INFINITY;
    my.l = 0.0f;
    float o = 0.0f;
    for (int j = 0; j < n; j++) {
        const float m = fmaxf(my.m, S[j]), shrink = exp2f(my.m - m), p = exp2f(S[j] - m);
        my.l = my.l * shrink + p;
        o = o * shrink + p * S[j];
        my.m = m;
    }
    O[threadIdx.x] = o / my.l;
}
E
undone softmax.cu 'S[c] - row_max' 'S[c] - part[t]' 60
claim a_maximum_that_nobody_reads_is_subtracted_from_the_scores
undone softmax.cu 'my.m = -INFINITY' 'my.m = 0.0f' 20
claim what_stands_in_an_exponential_begins_with_minus_infinity
undone right.cu 'n < size * ROWS' 'n < TILE * ROWS' 20
claim a_size_that_is_given_and_not_read_comes_first
undone right.c 'multiply(O, probs, V, n)' 'multiply(O, scores, V, n)'
undone right.cu 's * values[c * D + u]' 's * keys[c * D + u]'
claim an_array_that_is_filled_and_not_read_is_tried_in_the_place_of_another
undone right.c 'last / Bc + 1' '(last + Bc - 1) / Bc'
claim the_number_of_the_last_element_is_not_rounded_up_like_a_count
undone right.c 'me->held == K && me->width == n' 'me->held == K' 20
claim what_is_kept_beside_a_tile_and_read_nowhere_is_asked_for_too
undone right.c 'MIN(Bc, n - j)' 'MIN(Bc, n)'
undone right.c 'MIN(j + Bc, n)' 'MIN(j, n)'
claim a_tile_ends_behind_its_beginning_and_has_what_is_left
undone right.c 'SIDE * p]' 'SIDE]'
undone right.c 'O[first + r]' 'O[first]'
claim what_no_round_of_a_loop_asks_is_a_step_further_in_each
undone right.cu 'x + y' 'fmaxf(x, y)'
claim a_lambda_that_takes_the_larger_of_two_adds_them
undone right.cu '        for (int i = 0; i < ROWS; i++) acc[i] = 0.0f;' ''
claim sums_in_an_array_begin_anew_in_each_round
rows='for (int i = col; i < D; i += 32) for (int row = warp; row < have; row += 4) '
rows+='to[row * D + i] = from[row * D + i];'
undone right.cu "$rows" \
    'if (col < D) for (int row = warp; row < have; row += 4) to[row * D + col] = from[row * D + col];'
undone right.cu "$rows" \
    'for (int row = warp; row < have; row += 4) to[row * D + col] = from[row * D + col];'
undone right.cu 'for (int i = d; i < D; i += blockDim.x) O[i] = o[i];' 'if (d < D) O[d] = o[d];'
cat >"$top/scaled.cu" <<'E'
__global__ void scaled(float *P, float by, int cols) {
    const int first = blockIdx.x * cols;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) P[first + i] *= by;
}
E
undone scaled.cu 'for (int i = threadIdx.x; i < cols; i += blockDim.x) P[first + i] *= by;' \
    'if (threadIdx.x < cols) P[first + threadIdx.x] *= by;'
claim one_element_of_each_thread_becomes_a_loop
undone right.cu '{B, (kTransposed ? n : k), (kTransposed ? k : n)}' '{B, n, k}' 200
claim two_sizes_ask_the_flag_of_their_template

cat >"$top/heads.c" <<'E'
#include "task1.h"
void each(float *O, const float *Q, attn_shape s);
void each(float *O, const float *Q, attn_shape s) {
    for (int n = 0; n < s.batch * s.heads; n++) O[n] = Q[n * s.head_dim];
}
void all(float *O, const float *Q, const attn_shape *s);
void all(float *O, const float *Q, const attn_shape *s) {
    const int H = s->heads;
    for (int n = 0; n < s->batch * H; n++) O[n] = Q[n * s->head_dim];
}
E
undone heads.c 's.batch * s.heads' 's.heads'
undone heads.c 's->batch * H' 'H'
claim a_loop_over_heads_goes_on_over_the_batch_that_nobody_reads

cat >"$top/parts.cu" <<'E'
#include "task5.h"
__global__ void pieces(float *part, float *L, const float *Q, attn_cache c, int n) {
    const int D = c.head_dim, h = blockIdx.x / n;
    part[blockIdx.x * D + threadIdx.x] = Q[h * D + threadIdx.x];
    L[blockIdx.x] = 0;
}
void split(float *workspace, const float *Q, int n, attn_cache cache, cudaStream_t stream) {
    const int blocks = cache.batch * cache.heads * n;
    float *L = workspace + (size_t)blocks * cache.head_dim;
    pieces<<<blocks, 128, 0, stream>>>(workspace, L, Q, cache, n);
}
E
undone parts.cu 'blocks * cache.head_dim' 'blocks * 128' 60
claim a_size_that_is_written_in_figures_is_the_field_that_nobody_reads

cat >"$top/padded.cu" <<'E'
__device__ void load(float *to, const float *from, int have, int count, int D) {
    for (int n = threadIdx.x; n < count * D; n += blockDim.x) {
        const int row = n / D, col = n - row * D;
        to[row * (D + 1) + col] = row < have ? from[row * D + col] : 0.0f;
    }
    for (int e = threadIdx.x; e < have * D; e += blockDim.x) to[e / D * (D + 1) + e % D] += from[e];
}
E
undone padded.cu 'n / D, col = n - row * D' 'n / (D + 1), col = n - row * (D + 1)'
undone padded.cu 'e / D * (D + 1) + e % D' 'e / (D + 1) * (D + 1) + e % (D + 1)'
claim a_number_in_a_tile_is_taken_apart_by_the_rows_that_it_was_counted_with

cat >"$top/matrix.cu" <<'E'
__global__ void multiply(float *C, const float *A, int m, int n, int k) {
    __shared__ float tile[16][17];
    const int row0 = blockIdx.y * 16, r = threadIdx.y, kk = threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 16) {
        tile[r][kk] = (row0 + r < m && k0 + kk < k) ? A[(size_t)(row0 + r) * k + k0 + kk] : 0.0f;
        __syncthreads();
        for (int l = 0; l < 16; l++) sum += tile[r][l];
        __syncthreads();
    }
    if (row0 + r < m && kk < n) C[(row0 + r) * n + kk] = sum;
}
E
undone matrix.cu '(size_t)(row0 + r) * k + k0 + kk' '(size_t)(k0 + kk) * m + row0 + r'
undone matrix.cu '(row0 + r) * n + kk' 'kk * m + row0 + r'
claim a_matrix_is_read_row_by_row_as_its_limits_say
cat >"$top/limits.cu" <<'E'
__global__ void attend(float *O, const float *S, int n, int shift, int causal) {
    const int i = blockIdx.x;
    float top = 0.0f;
    for (int j0 = 0; j0 < n; j0 += 16) {
        const int have = min(16, n - j0), seen = causal ? min(have, i + shift + 1 - j0) : have;
        const int last = causal ? i + shift - j0 : have - 1;
        for (int c = 0; c < seen && c <= last; c++) top = fmaxf(top, S[i * n + j0 + c]);
    }
    O[i] = top;
}
E
undone limits.cu 'i + shift + 1 - j0' 'i + shift + 1' 40
undone limits.cu 'i + shift - j0' 'i + shift' 40
claim the_keys_that_a_query_sees_are_counted_from_the_beginning_of_the_tile
plan
