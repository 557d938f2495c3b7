#!/usr/bin/env bash
# own_misplaced.sh: a statement on the wrong side of the line that moves its pointer on, or behind the if whose part it
# is; a number of a thread's own where a loop goes on with the first of all; a flag that depends on sizes
# (grader/repair/edits: pointed, early, otherwise, first_seat, conditions, empty, lost). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cat >"$top/right.cu" <<'E'
#include "task4.h"
__device__ void fetch(float *to, const float *from, int rows, int D);
__device__ float larger(float a, float b) { return a > b ? a : b; }
__global__ void flash(float *O, const float *Q, const float *K, const float *V, int *lengths, attn_shape shape, int D,
                      int room) {
    __shared__ float q[1024], seats[8], at;
    const int n = lengths[blockIdx.x];
    O += blockIdx.x * D;
    Q += blockIdx.x * D;
    fetch(q, Q, room, D);
    V += blockIdx.x * room * D;
    K = K + blockIdx.x * room * D;
    float x = q[threadIdx.x];
    if (threadIdx.x % 32 == 0) seats[threadIdx.x / 32] = x;
    __syncthreads();
    x = seats[0];
    for (int w = 1; w < 8; w++) x = larger(x, seats[w]);
    if (n < room) {
        for (int d = threadIdx.x; d < D; d += 32) O[d] = x * K[d] + V[d];
        if (threadIdx.x == 0) lengths[blockIdx.x] = n + 1;
    }
}
E
undone right.cu '    O += blockIdx.x * D;
    Q += blockIdx.x * D;
    fetch(q, Q, room, D);' '    fetch(q, Q, room, D);
    O += blockIdx.x * D;
    Q += blockIdx.x * D;'
claim what_reads_a_pointer_stands_behind_the_line_that_moves_it_on_some_lines_away
undone right.cu 'x = seats[0];' 'x = seats[threadIdx.x / 32];'
claim what_a_loop_goes_on_with_from_the_second_is_the_first
undone right.cu '        if (threadIdx.x == 0) lengths[blockIdx.x] = n + 1;
    }' '    }
    if (threadIdx.x == 0) lengths[blockIdx.x] = n + 1;'
claim what_stands_behind_an_if_is_a_part_of_it
cp grader/tests/repair/own_carved.cu "$top/tree.cu"
likely=200 undone tree.cu '        for (int h = nt >> 1; h > 0; h >>= 1) {
            if (tid < h) buf[tid] += buf[tid + h];
            __syncthreads();
        }
        const float all = buf[0];' '        const float all = buf[0];
        for (int h = nt >> 1; h > 0; h >>= 1) {
            if (tid < h) buf[tid] += buf[tid + h];
            __syncthreads();
        }'
claim an_element_is_read_behind_the_loop_that_makes_it
cat >"$top/call.cu" <<'E'
#include "task6.h"
attn_status prompt(float *O, const float *Q, const float *K, const float *V, attn_shape s, const attn_functions *call,
                   cudaStream_t stream) {
    s.causal = 1;
    return call->flash(O, Q, K, V, s, stream);
}
E
undone call.cu 's.causal = 1' 's.causal = s.seq_q < s.seq_kv'
undone call.cu 's.causal = 1' 's.causal = (s.heads > 1 && s.seq_q > 1)'
claim a_flag_is_set_whatever_the_sizes_are
cat >"$top/walk.c" <<'E'
void sum(float *out, const float *a, int n);
void rows(float *O, const float *Q, const float *K, int *count, int D, int room, int head) {
    O += head * D;
    K += head * room * D;
    for (int d = 0; d < D; d++) O[d] = Q[d] * K[d];
    float top = K[0];
    for (int j = 1; j < room; j++) top = top > K[j] ? top : K[j];
    O[0] += top;
    if (*count < room) {
        sum(O, K, D);
        ++*count;
    }
}
E
undone walk.c 'float top = K[0];' 'float top = Q[0];'
undone walk.c '        ++*count;
    }' '    }
    ++*count;'
claim so_it_is_in_c

cat >"$top/empty.cu" <<'E'
__device__ float lse(float m, float l) {
    return l > 0.0f ? m + logf(l) : -INFINITY;
}
__global__ void append(float *K, const float *k, int *lengths, int room) {
    const int b = blockIdx.x, n = lengths[b];
    if (n < room) K[(b * room + n) * 32 + threadIdx.x] = k[b * 32 + threadIdx.x];
    __syncthreads();
    if (n < room) lengths[b] = n + 1;
}
E
undone empty.cu 'l > 0.0f ?' 'l > 1.0f ?'
claim what_has_no_key_has_a_sum_of_0_and_not_of_1
undone empty.cu 'if (n < room) lengths' 'lengths'
claim what_is_counted_on_is_asked_about_as_elsewhere

cat >"$top/groups.c" <<'END'
void scale(float *x, const float *y, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        x[i] = y[i];
        x[i + 1] = y[i + 1];
    }
    for (; i < n; i++) x[i] = y[i];
    for (; n + 4 <= i; n += 4) x[n] = 0;
}
END
run build/bin/edits "$top/groups.c" "$top/out.c" "$top/out.tab"
[[ $(grep -c 'before rest' "$top/out.tab") == 1 ]] || complain "$(grep 'before rest' "$top/out.tab")"
claim a_loop_whose_rest_another_one_does_is_not_simply_left_out

cat >"$top/left.cu" <<'E'
__device__ void load(float *to, const float *from, int rows);
__device__ void add(float *sum, const float *a, const float *b);
__global__ void product(float *C, const float *A, const float *B, int k) {
    __shared__ float a[512], b[512];
    float sum[4] = {};
    int left = k;
    while (left > 0) {
        load(a, A, left);
        load(b, B, left);
        __syncthreads();
        add(sum, a, b);
        __syncthreads();
        A += 16;
        B += 16;
        left -= 16;
    }
    C[threadIdx.x] = sum[0];
}
E
undone left.cu '        load(b, B, left);
        __syncthreads();
        add(sum, a, b);
        __syncthreads();
        A += 16;
        B += 16;
        left -= 16;' '        left -= 16;
        load(b, B, left);
        __syncthreads();
        add(sum, a, b);
        __syncthreads();
        A += 16;
        B += 16;' 40
cat >"$top/walk.c" <<'E'
void walk(float *y, const float *x, const float *w, int n, int D) {
    int row = 0;
    for (const float *p = x; p < x + n * D; p += D) {
        float s = 0.0f;
        for (int d = 0; d < D; d++) s += p[d] * w[row * D + d];
        y[row] = s;
        y[n + row] = w[row];
        row++;
    }
}
E
undone walk.c '        y[row] = s;
        y[n + row] = w[row];
        row++;' '        y[row] = s;
        row++;
        y[n + row] = w[row];'
claim a_count_moves_on_at_the_end_of_the_round_that_reads_it
