// task2.cu: the TODOs of task 2, one by one.
#include "probe.h"
#include "task2.h"

#include <math.h>

#include LAB_STAGE_FILE

EXPECT_DEVICE(float, block_reduce, (reduction op, float x, float *part));
EXPECT_DEVICE(float, thread_max, (const float *s, int cols));
EXPECT_DEVICE(float, exponentiate, (float *p, const float *s, float m, int cols));
EXPECT_DEVICE(void, normalise, (float *p, float l, int cols));
EXPECT_DEVICE(size_t, matrix_offset, (int rows, int cols));
EXPECT_DEVICE(float, load_or_zero, (const float *M, int r, int c, int rows, int cols));
EXPECT_DEVICE(void, load_tiles_nt,
              (tile_row * As, tile_row *Bs, const float *A, const float *B, int k0, int m, int n, int k));
EXPECT_DEVICE(float, multiply_nt, (const tile_row *As, const tile_row *Bs));
EXPECT_DEVICE(void, load_tiles_nn,
              (tile_row * As, tile_row *Bs, const float *A, const float *B, int k0, int m, int n, int k));
EXPECT(void, gemm_nn, (float *C, const float *A, const float *B, int m, int n, int k));

// ---- The softmax. A block has row blockIdx.x, as in the student's kernel; shape: seq_q rows of seq_kv columns -------

// 2.1: out [rows][THREADS], the result in each thread; x alike
static __global__ void run_block_reduce(float *out, const float *x, int op) {
    __shared__ float part[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    out[i] = block_reduce(op ? SUM : MAX, x[i], part);
}
PROBE(block_reduce) {
    run_block_reduce<<<shape.seq_q, THREADS, 0, stream>>>(tensors[0], tensors[1], extra[0]);
    return PROBED();
}

// 2.2: out [rows][THREADS], each thread's maximum. -INFINITY, of a thread without columns, comes out as -100
static __global__ void run_thread_max(float *out, const float *S, int cols) {
    const float m = thread_max(S + (size_t)blockIdx.x * cols, cols);
    out[blockIdx.x * THREADS + threadIdx.x] = m == -INFINITY ? -100.0f : m;
}
PROBE(thread_max) {
    run_thread_max<<<shape.seq_q, THREADS, 0, stream>>>(tensors[0], tensors[1], shape.seq_kv);
    return PROBED();
}

// 2.3: out [rows][cols + THREADS], the exponentials, then each thread's sum
static __global__ void run_exponentiate(float *out, const float *S, const float *m, int cols) {
    float *p = out + (size_t)blockIdx.x * (cols + THREADS);
    p[cols + threadIdx.x] = exponentiate(p, S + (size_t)blockIdx.x * cols, m[blockIdx.x], cols);
}
PROBE(exponentiate) {
    run_exponentiate<<<shape.seq_q, THREADS, 0, stream>>>(tensors[0], tensors[1], tensors[2], shape.seq_kv);
    return PROBED();
}

// 2.4: out [rows][cols] = P / l
static __global__ void run_normalise(float *out, const float *P, const float *l, int cols) {
    float *p = out + (size_t)blockIdx.x * cols;
    for (int c = threadIdx.x; c < cols; c += THREADS) p[c] = P[(size_t)blockIdx.x * cols + c];
    __syncthreads();
    normalise(p, l[blockIdx.x], cols);
}
PROBE(normalise) {
    run_normalise<<<shape.seq_q, THREADS, 0, stream>>>(tensors[0], tensors[1], tensors[2], shape.seq_kv);
    return PROBED();
}

// ---- The products. shape: batch, m = seq_q, n = seq_kv, k = head_dim ------------------------------------------------

// 2.5: out [batch][2], the offset / 65536 and the rest, of the last block of each matrix. extra: rows, cols
static __global__ void run_matrix_offset(float *out, int rows, int cols) {
    const size_t offset = matrix_offset(rows, cols);
    if (blockIdx.x + 1 < gridDim.x || blockIdx.y + 1 < gridDim.y) return;
    out[2 * blockIdx.z] = (float)(offset / 65536), out[2 * blockIdx.z + 1] = (float)(offset % 65536);
}
PROBE(matrix_offset) {
    run_matrix_offset<<<dim3(3, 4, shape.batch), 1, 0, stream>>>(tensors[0], extra[0], extra[1]);
    return PROBED();
}

// 2.6: out [m + 3][n + 5] of M [m][n]
static __global__ void run_load_or_zero(float *out, const float *M, int rows, int cols) {
    for (int i = threadIdx.x; i < (rows + 3) * (cols + 5); i += THREADS)
        out[i] = load_or_zero(M, i / (cols + 5), i % (cols + 5), rows, cols);
}
PROBE(load_or_zero) {
    run_load_or_zero<<<1, THREADS, 0, stream>>>(tensors[0], tensors[1], shape.seq_q, shape.seq_kv);
    return PROBED();
}

// 2.7, 2.9: out [blocks][As, Bs][TILE][TILE], in the step at k0 = extra[0]
static __global__ void run_load_tiles(float *out, const float *A, const float *B, int k0, int m, int n, int k, int nt) {
    __shared__ tile_row As[TILE], Bs[TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    As[ty][tx] = Bs[ty][tx] = NAN;
    __syncthreads();
    if (nt)
        load_tiles_nt(As, Bs, A, B, k0, m, n, k);
    else
        load_tiles_nn(As, Bs, A, B, k0, m, n, k);
    __syncthreads();
    out += (blockIdx.y * gridDim.x + blockIdx.x) * 2 * TILE * TILE;
    out[ty * TILE + tx] = As[ty][tx], out[(TILE + ty) * TILE + tx] = Bs[ty][tx];
}
static attn_status load_tiles(float *const tensors[], attn_shape s, int k0, int nt, cudaStream_t stream) {
    const dim3 grid((s.seq_kv + TILE - 1) / TILE, (s.seq_q + TILE - 1) / TILE);
    run_load_tiles<<<grid, dim3(TILE, TILE), 0, stream>>>(tensors[0], tensors[1], tensors[2], k0, s.seq_q, s.seq_kv,
                                                          s.head_dim, nt);
    return PROBED();
}
PROBE(load_tiles_nt) { return load_tiles(tensors, shape, extra[0], 1, stream); }
PROBE(load_tiles_nn) { return load_tiles(tensors, shape, extra[0], 0, stream); }

// 2.8: out [TILE][TILE] = A B^T, both [TILE][TILE]
static __global__ void run_multiply_nt(float *out, const float *A, const float *B) {
    __shared__ tile_row As[TILE], Bs[TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    As[ty][tx] = A[ty * TILE + tx], Bs[ty][tx] = B[ty * TILE + tx];
    __syncthreads();
    out[ty * TILE + tx] = multiply_nt(As, Bs);
}
PROBE(multiply_nt) {
    run_multiply_nt<<<1, dim3(TILE, TILE), 0, stream>>>(tensors[0], tensors[1], tensors[2]);
    return PROBED();
}

// 2.10, 2.11: a whole kernel, and the chain, while lines of ATTN_TODO still stand in the functions that launch them
PROBE(gemm_nn) {
    const dim3 grid((shape.seq_kv + TILE - 1) / TILE, (shape.seq_q + TILE - 1) / TILE, shape.batch);
    gemm_nn<<<grid, dim3(TILE, TILE), 0, stream>>>(tensors[0], tensors[1], tensors[2], shape.seq_q, shape.seq_kv,
                                                   shape.head_dim);
    return PROBED();
}
PROBE(naive) { return attn_naive(tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], shape, stream); }
