// Grids and blocks of two dimensions; two buffers that take turns, so that a round of a product has one barrier.
#include "task2.h"
#include <math.h>

namespace {
constexpr int WARP = 32, ROWS = 4;
constexpr int TM = 16, TN = 64, TK = 8;  // a block of 16 x 16 threads makes 16 x 64 elements of C

template <typename F> __device__ __forceinline__ float butterfly(float x, F join) {
#pragma unroll
    for (int hop = WARP / 2; hop >= 1; hop >>= 1) x = join(x, __shfl_xor_sync(0xffffffffu, x, hop));
    return x;
}

__global__ void soft_rows(float *P, const float *S, int rows, int cols) {
    const int lane = threadIdx.x;
    for (int row = blockIdx.x * ROWS + threadIdx.y; row < rows; row += gridDim.x * ROWS) {
        const float *in = S + size_t(row) * cols;
        float *out = P + size_t(row) * cols;
        float best = -INFINITY;
        for (int j = lane; j < cols; j += WARP) best = fmaxf(best, in[j]);
        best = butterfly(best, [](float a, float b) { return fmaxf(a, b); });
        float mass = 0.f;
        for (int j = lane; j < cols; j += WARP) mass += expf(in[j] - best);
        mass = butterfly(mass, [](float a, float b) { return a + b; });
        const float share = 1.f / mass;
        for (int j = lane; j < cols; j += WARP) out[j] = expf(in[j] - best) * share;
    }
}

template <typename Fetch> __device__ void product(float *C, const float *A, Fetch fetch, int m, int n, int k) {
    __shared__ float left[2][TM][TK + 1], right[2][TK][TN];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int i0 = blockIdx.y * TM, j0 = blockIdx.x * TN;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    for (int l0 = 0, now = 0; l0 < k; l0 += TK, now ^= 1) {
        if (id < TM * TK) {
            const int r = id / TK, c = id % TK;
            left[now][r][c] = i0 + r < m && l0 + c < k ? A[size_t(i0 + r) * k + l0 + c] : 0.f;
        }
        for (int e = id; e < TK * TN; e += 256)
            right[now][e / TN][e % TN] = l0 + e / TN < k && j0 + e % TN < n ? fetch(l0 + e / TN, j0 + e % TN) : 0.f;
        __syncthreads();  // and nobody fills this buffer again before all have met in the next round
        for (int l = 0; l < TK; l++) {
            const float a = left[now][ty][l];
            for (int w = 0; w < 4; w++) acc[w] += a * right[now][l][tx + 16 * w];
        }
    }
    for (int w = 0; w < 4; w++)
        if (i0 + ty < m && j0 + tx + 16 * w < n) C[size_t(i0 + ty) * n + j0 + tx + 16 * w] = acc[w];
}

__global__ void times_transposed(float *C, const float *A, const float *B, int m, int n, int k) {
    const size_t z = blockIdx.z;
    const float *b = B + z * n * k;
    product(
        C + z * m * n, A + z * m * k, [=](int l, int j) { return b[size_t(j) * k + l]; }, m, n, k);
}
__global__ void times_plain(float *C, const float *A, const float *B, int m, int n, int k) {
    const size_t z = blockIdx.z;
    const float *b = B + z * k * n;
    product(
        C + z * m * n, A + z * m * k, [=](int l, int j) { return b[size_t(l) * n + j]; }, m, n, k);
}

// a thread has one score; y counts all rows of all heads
__global__ void temper(float *S, int rows, int sq, int sk, int causal, float scale) {
    const int key = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (key >= sk || row >= rows) return;
    const int limit = causal ? row % sq + sk - sq : sk - 1;
    float *s = S + size_t(row) * sk + key;
    *s = key > limit ? -INFINITY : *s * scale;
}

int up(int x, int y) { return (x + y - 1) / y; }
attn_status ok() { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }
}  // namespace

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    soft_rows<<<min(up(rows, ROWS), 1024), dim3(WARP, ROWS), 0, stream>>>(P, S, rows, cols);
    return ok();
}
ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    times_transposed<<<dim3(up(n, TN), up(m, TM), batch), dim3(16, 16), 0, stream>>>(C, A, B, m, n, k);
    return ok();
}
ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    times_plain<<<dim3(up(n, TN), up(m, TM), batch), dim3(16, 16), 0, stream>>>(C, A, B, m, n, k);
    return ok();
}
ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
        s.head_dim % 8 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    const int heads = s.batch * s.heads, rows = heads * s.seq_q;
    attn_status st = attn_gemm_nt(scores, Q, K, heads, s.seq_q, s.seq_kv, s.head_dim, stream);
    if (st) return st;
    temper<<<dim3(up(s.seq_kv, 64), up(rows, 4)), dim3(64, 4), 0, stream>>>(scores, rows, s.seq_q, s.seq_kv, s.causal,
                                                                            rsqrtf((float)s.head_dim));
    if ((st = ok())) return st;
    if ((st = attn_softmax_batched(scores, scores, rows, s.seq_kv, stream))) return st;
    return attn_gemm_nn(O, scores, V, heads, s.seq_q, s.head_dim, s.seq_kv, stream);
}
