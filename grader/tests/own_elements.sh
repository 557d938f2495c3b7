#!/usr/bin/env bash
# own_elements.sh: which element, in files of a student's own: the number within a row, one of two axes, a field, a
# number in place of its parts, and with what an element or a maximum begins: the change that undoes a slip is among the
# likeliest (grader/repair/edits: columns, axes, names, quotients, zeroed, running, full, lanes). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cp grader/tests/repair/own_{binary.cu,flash.cu,flat.c} "$top"
undone own_binary.cu 'P[(row * ns + s) * D + d]' 'P[(row * ns + s) * D]' 300
undone own_flash.cu 'v_tile[j * p.dim + d]' 'v_tile[j * p.dim]'
undone own_flat.c 'A[r * E + k]' 'A[r * E]' 1000
claim an_element_of_a_row_has_its_number_within_it

cat >"$top/lanes.c" <<'END'
#include <math.h>
#define W 8
#define EACH_LANE for (int w = 0; w < W; w++)
#define LANES(x) for (int x = 0; x < W; x++)
typedef struct { float v[W]; } lanes;
void update(lanes *p, lanes *sum, lanes top, int n) {
    for (int c = 0; c < n; c++) EACH_LANE {
        p[c].v[w] = expf(p[c].v[w] - top.v[w]);
        sum->v[w] += p[c].v[w];
    }
}
void scale(lanes *p, const float *by, float *all, int n) {
    for (int c = 0; c < n; c++) LANES(u) p[c].v[u] *= by[u];
    EACH_LANE all[w] = p[0].v[w];
}
END
undone lanes.c 'top.v[w]' 'top.v[0]'
undone lanes.c 'sum->v[w]' 'sum->v[n]'
undone lanes.c '= p[0].v[w]' '= p[0].v[0]'
undone lanes.c 'by[u]' 'by[c]'
claim a_loop_of_a_macro_has_a_counter_whatever_the_macro_is_given

cat >"$top/axes.cu" <<'END'
__global__ void put(float *to, const float *from, int H, int D) {
    int h = blockIdx.x, b = blockIdx.y;
    for (int d = threadIdx.x; d < D; d += blockDim.x) to[(b * H + h) * D + d] = from[(h * gridDim.y + b) * D + d];
}
END
undone axes.cu 'b = blockIdx.y' 'b = blockIdx.x' 12
undone axes.cu 'h = blockIdx.x' 'h = blockIdx.y' 12
claim two_numbers_of_a_block_are_of_two_axes

cat >"$top/views.c" <<'END'
#include <math.h>
typedef struct { const float *at; int rows, cols, down, right; } view;
static float get(view v, int r, int c) { return v.at[r * v.down + c * v.right]; }
void scores(float *to, view q, const float *k, int n, int causal) {
    const float scale = 1.0f / sqrtf((float)q.cols);
    for (int i = 0; i < n; i++) {
        float *s = to + i;
        *s = 0.0f;
        for (int d = 0; d < n; d++) *s += get(q, i, d) * k[d];
        *s *= scale;
        if (causal && i > q.rows - q.right) *s = -INFINITY;
    }
}
END
undone views.c $'        *s = 0.0f;\n' '' 5
claim what_is_added_to_is_zero_before
cat >"$top/running.cu" <<'END'
struct state { float m, l; };
__device__ void add(state &all, const float *s, int n) {
    float m = all.m;
    for (int c = 0; c < n; c++) m = fmaxf(m, s[c]);
    all.l *= expf(all.m - m);
    all.m = m;
    for (int c = 0; c < n; c++) all.l += expf(s[c] - m);
}
END
undone running.cu 'm = all.m;' 'm = -INFINITY;' 8
claim a_maximum_begins_with_that_of_all_before_it

cat >"$top/parts.cu" <<'END'
__global__ void load(float *a, float *b, const float *A, int m, int n) {
    const int i = threadIdx.x;
    a[i % m * n + i / m] = A[i];
    b[i] = a[i / n * n + i % n];
}
END
undone parts.cu 'b[i] =' 'b[i % m * n + i / m] =' 60
claim a_number_in_place_of_its_parts_turned_round
undone views.c 'sqrtf((float)q.cols)' 'sqrtf((float)q.down)' 600
claim another_field_of_a_struct_is_tried_that_nobody_reads_of_it

cat >"$top/slots.cu" <<'END'
static __device__ float sum_of(float x, float *room) {
    for (int k = 16; k; k /= 2) x += __shfl_xor_sync(~0u, x, k);
    room[threadIdx.x / 32] = x;
    __syncthreads();
    x = room[0] + room[1];
    return x;
}
static __device__ float most_of(float x, float *room) {
    for (int k = 16; k; k /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, k));
    room[threadIdx.x / 32] = x;
    __syncthreads();
    x = fmaxf(room[0], room[1]);
    return x;
}
__global__ void store(float *K, const float *k, const int *lengths, int max_seq, int D, float *out) {
    __shared__ float room[2];
    const int slot = lengths[blockIdx.x];
    if (slot >= max_seq) return;
    for (int d = threadIdx.x; d < D; d += blockDim.x)
        K[((size_t)blockIdx.x * max_seq + slot) * D + d] = k[blockIdx.x * D + d];
    out[blockIdx.x] = sum_of(k[threadIdx.x], room) / most_of(k[threadIdx.x], room);
}
END
undone slots.cu $'    if (slot >= max_seq) return;\n' '' 80
claim a_slot_is_stored_to_where_there_is_room
undone slots.cu 'x += __shfl_xor_sync(~0u, x, k)' 'x += __shfl_xor_sync(~0u, k, x)' 150
claim what_a_shuffle_hands_over_and_to_whom
undone slots.cu $'x, k));\n    room[threadIdx.x / 32] = x;' 'x, k));' 40
claim what_is_stored_there_in_a_sister_function

cat >"$top/lanes.cu" <<'END'
#define UNROLL _Pragma("unroll")
enum { OWN = 4 };
struct state {
    float l, o[OWN];
};
static __device__ float most_of(float x) {
    UNROLL for (int k = 16; k >= 1; k >>= 1) x = fmaxf(x, __shfl_xor_sync(~0u, x, k));
    return x;
}
static __device__ int begin_of(int length, int part, int parts) {
    return part * (length / parts) + min(part, length % parts);
}
__global__ void add(float *O, const float *V, float p, float alpha, int keys, int D) {
    state st = {0.0f, {0.0f}}, *row = &st;
    const int from = begin_of(keys, blockIdx.x, gridDim.x), end = begin_of(keys, blockIdx.x + 1, gridDim.x);
    for (int e = 0; e < OWN; e++) {
        float sum = row->o[e] * alpha;
        for (int j = from; j < end; j++) sum += most_of(p) * V[j * D + threadIdx.x + 32 * e];
        row->o[e] = sum;
    }
    _Pragma("unroll") for (int e = 0; e < OWN; e++) O[blockIdx.x * D + threadIdx.x + 32 * e] = row->o[e];
}
END
undone lanes.cu 'k >= 1; k >>= 1' 'k > 1; k >>= 1'
undone lanes.cu '_Pragma("unroll") for (int e = 0' '_Pragma("unroll") for (int e = 1'
claim a_loop_behind_a_directive_in_a_macro_is_a_loop
undone lanes.cu 'row->o[e] * alpha' 'row->o[0] * alpha' 40
claim in_a_loop_over_all_of_them_the_first_one_is_the_loops
undone lanes.cu '+ min(part' '+ max(part' 200
claim the_least_and_the_most_are_mixed_up

cat >"$top/share.cu" <<'END'
enum { BR = 64, BC = 32 };
__global__ void copy(float *to, const float *from, int n, int D) {
    for (int i = threadIdx.x; i < BC * D; i += BR) {
        if (i < n * D)
            to[i] = from[i];
        else
            to[i] = 0.0f;
    }
}
END
undone share.cu 'n * D' 'n * BC' 8
claim rows_of_which_some_are_there_are_as_long_as_all

cat >"$top/walked.cu" <<'END'
enum { OWN = 4, BC = 32 };
struct state {
    float m, l, o[OWN];
};
static __device__ float most_of(const float *s, float m) {
    for (int c = 0; c < BC; c++) m = fmaxf(m, s[c]);
    return m;
}
static __device__ void rescale(state *row, float m) {
    const float alpha = expf(row->m - m);
    row->l *= alpha;
    row->m = m;
}
__global__ void add(float *O, const float *s, int D) {
    state rows[2] = {};
    rescale(&rows[0], most_of(s, rows[0].m));
    for (int e = 0; e < OWN; e++) rows[1].o[e] += O[e * D];
}
END
build/bin/edits "$top/walked.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
ranks() {
    awk -F '\t' -v text="$1" '$5 == "rescale" && $6 == "statement" && index($8, text) { print $2; exit }' \
        "$top/table.tsv"
}
own=$(ranks 'e < OWN; e++) row->o[e] *= m;') other=$(ranks 'c < BC; c++) row->o[c] *= m;')
[[ $own && $other ]] && ((own < other)) || complain "$own, and $other with the loop over another row"
claim a_row_is_walked_over_as_it_is_elsewhere

cat >"$top/right.cu" <<'END'
__device__ float tree_sum(float *buf, float x) {
    buf[threadIdx.x] = x;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (threadIdx.x < h) buf[threadIdx.x] += buf[threadIdx.x + h];
        __syncthreads();
    }
    const float all = buf[0];
    __syncthreads();
    return all;
}
__device__ float warp_sum(float x) {
    for (int far = 16; far > 0; far >>= 1) x += __shfl_xor_sync(0xffffffff, x, far);
    return x;
}
__global__ void score(float *S, const float4 *q, const float4 *k, float *buf, int quads) {
    const int lane = threadIdx.x % 32;
    const bool has = lane < quads;
    const float4 a = q[has ? lane : 0], b = k[has ? lane : 0];
    const float s = warp_sum(has ? a.x * b.x + a.y * b.y : 0.0f);
    S[blockIdx.x] = tree_sum(buf, s);
}
END
likely=60
undone right.cu 'all = buf[0]' 'all = buf[threadIdx.x]'
undone right.cu 'has ? a.x * b.x + a.y * b.y : 0.0f' 'a.x * b.x + a.y * b.y'
claim a_tree_leaves_its_sum_in_element_0_and_a_lane_without_dims_adds_0
plan
