// tiles.cu: matrix tiles in shared memory: GEMM, transpose, attention, asynchronous copies.
#include "barriers.h"
#include <cuda_pipeline.h>

constexpr int T = 16;

__global__ void gemm(float *C, const float *A, const float *B, int S) {
    __shared__ float As[T][T], Bs[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int k0 = 0; k0 < S; k0 += T) {
        As[y][x] = A[row * S + k0 + x];
        Bs[y][x] = B[(k0 + y) * S + col];
        SYNCTHREADS(1);  // the tiles are complete
        for (int k = 0; k < T; k++) sum += As[y][k] * Bs[k][x];
        SYNCTHREADS(2);  // nobody reads them any more
    }
    C[row * S + col] = sum;
}

// Two tiles of each: the next one is loaded while this one is used, and one barrier a step is enough.
__global__ void gemm_double_buffered(float *C, const float *A, const float *B, int S) {
    __shared__ float As[2][T][T], Bs[2][T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    As[0][y][x] = A[row * S + x];
    Bs[0][y][x] = B[y * S + col];
    SYNCTHREADS(1);  // the first tiles are complete
    for (int k0 = 0, b = 0; k0 < S; k0 += T, b ^= 1) {
        if (k0 + T < S) {
            As[b ^ 1][y][x] = A[row * S + k0 + T + x];
            Bs[b ^ 1][y][x] = B[(k0 + T + y) * S + col];
        }
        for (int k = 0; k < T; k++) sum += As[b][y][k] * Bs[b][k][x];
        SYNCTHREADS(2);  // the next tiles are complete, these may be overwritten
    }
    C[row * S + col] = sum;
}

__global__ void transpose(float *y, const float *x, int n) {
    __shared__ float tile[T][T + 1];
    int col = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x[row * n + col];
    SYNCTHREADS(1);  // a column is read that other threads wrote
    y[(blockIdx.x * T + threadIdx.y) * n + blockIdx.y * T + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Attention, D = 16, 16 rows and 4 threads a row (64 threads): scores by each thread for its keys, shared by the row.
__global__ void flash(float *O, const float *Q, const float *K, const float *V, int S) {
    constexpr int D = 16, B = 16, TPR = 4;
    extern __shared__ float smem[];
    float *Ks = smem, *Vs = Ks + B * D, *Ps = Vs + B * D;
    int t = threadIdx.x, r = t / TPR, x = t % TPR, row = blockIdx.x * B + r;
    float acc[D / TPR] = {}, m = -INFINITY, l = 0;
    for (int j = 0; j < S; j += B) {
        for (int i = t; i < B * D; i += B * TPR) Ks[i] = K[j * D + i], Vs[i] = V[j * D + i];
        SYNCTHREADS(1);  // the tiles are complete
        float m_new = m, s[B / TPR], sum = 0;
        for (int c = 0; c < B / TPR; c++) {
            s[c] = 0;
            for (int d = 0; d < D; d++) s[c] += Q[row * D + d] * Ks[(x + c * TPR) * D + d];
            m_new = fmaxf(m_new, s[c]);
        }
        for (int o = TPR / 2; o > 0; o /= 2) m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffffu, m_new, o));
        for (int c = 0; c < B / TPR; c++) sum += Ps[r * B + x + c * TPR] = __expf(s[c] - m_new);
        for (int o = TPR / 2; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
        SYNCWARP(2);  // the row's probabilities are there: its four threads are in one warp
        float scale = __expf(m - m_new);
        l = l * scale + sum, m = m_new;
        for (int d = 0; d < D / TPR; d++) {
            acc[d] *= scale;
            for (int c = 0; c < B; c++) acc[d] += Ps[r * B + c] * Vs[c * D + x + d * TPR];
        }
        SYNCTHREADS(3);  // nobody reads the tiles any more
    }
    for (int d = 0; d < D / TPR; d++) O[row * D + x + d * TPR] = acc[d] / l;
}

// Two stages of cp.async: each thread copies 4 floats of the next stage, and all use all of this one.
__global__ void async_pipeline(float *out, const float *x, int stages) {
    __shared__ __align__(16) float tile[2][256];
    int t = threadIdx.x;
    float sum = 0;
    __pipeline_memcpy_async(&tile[0][4 * t], &x[4 * t], 16);
    __pipeline_commit();
    for (int i = 0; i < stages; i++) {
        if (i + 1 < stages) __pipeline_memcpy_async(&tile[(i + 1) % 2][4 * t], &x[(i + 1) * 256 + 4 * t], 16);
        __pipeline_commit();
        if (removed != 1) __pipeline_wait_prior(1);  // this stage has landed; removed: the wait
        SYNCTHREADS(2);                              // everyone's part of it has
        for (int k = 0; k < 256; k += 64) sum += tile[i % 2][k + 63 - t];
        SYNCTHREADS(3);  // it may be overwritten
    }
    out[t] = sum;
}

static const Kernel kernels[] = {
    {"gemm", 2, [](const Buffers &b) { gemm<<<dim3(2, 2), dim3(T, T)>>>(b.out, b.x, b.y, 32); }},
    {"gemm_double_buffered", 2,
     [](const Buffers &b) { gemm_double_buffered<<<dim3(3, 3), dim3(T, T)>>>(b.out, b.x, b.y, 48); }},
    {"transpose", 1, [](const Buffers &b) { transpose<<<dim3(2, 2), dim3(T, T)>>>(b.out, b.x, 32); }},
    {"flash", 3, [](const Buffers &b) { flash<<<2, 64, 3 * 256 * sizeof(float)>>>(b.out, b.x, b.y, b.z, 48); }},
    {"async_pipeline", 3, [](const Buffers &b) { async_pipeline<<<1, 64>>>(b.out, b.x, 4); }},
    {nullptr, 0, nullptr},
};
const KernelList tiles = {kernels, remove_barrier};
