// naive.cu: task 2's chain with a GEMM of wide tiles: 8 x 8 sums a thread, 128 x 128 a block, copies ahead.
//
// Each of a block's warps makes a part of its tile of C, 4 TM x 8 TN, its lanes standing 4 x 8. The lane at (ty, tx)
// makes TM x TN in registers. Its rows are ty + 4i; its columns suit the way B lies:
//
//      C = A B^T:  As [BM][BK + 4], Bs [BN][BK + 4]   columns tx + 8j
//      C = A B:    As [BM][BK + 4], Bs [BK][BN]       columns 4tx .. 4tx + 3 and 4tx + 32 .. 4tx + 35
//
// For 4 steps of k a lane reads TM + TN times 16 bytes and does 4 TM TN multiply-adds: 16 loads for 256 where TM = TN =
// 8; a tile of 4 x 8 takes 12 for 128. The padding of 4 spreads rows that a warp reads together over different banks.
#include "../ladder/chain.h"  // the compiler searches grader/core

// WM x WN warps. BK: columns of k in a tile; STAGES: tiles of A and of B, of which all but one are on their way.
template <int WM, int WN, int TM_, int TN_> struct sizes {
    static constexpr int TM = TM_, TN = TN_, BM = WM * 4 * TM, BN = WN * 8 * TN, BK = 16, STAGES = 3;
    static constexpr int WARPS_N = WN, THREADS = 32 * WM * WN, AS = BK + 4;
    static constexpr int A_SIZE = BM * AS, NT_STAGE = A_SIZE + BN * AS, NN_STAGE = A_SIZE + BK * BN;
};

DEVICE void load4(float (&x)[4], const float *p) {
    float4 v = *(const float4 *)p;
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}

// Starts copying a step's tiles of A and B, one behind the other: rows row0.., columns col0.. of C; k0.. of k. Beyond k
// there is nothing to copy, but the step counts.
template <class T, bool TRANSPOSED, int VEC>
DEVICE void start_tiles(float *tiles, const float *A, const float *B, int row0, int col0, int k0, int m, int n, int k) {
    if (k0 < k) {
        start_copy<T::BM, T::BK, T::AS, VEC, T::THREADS>(tiles, A, row0, k0, m, k);
        if (TRANSPOSED)
            start_copy<T::BN, T::BK, T::AS, VEC, T::THREADS>(tiles + T::A_SIZE, B, col0, k0, n, k);
        else
            start_copy<T::BK, T::BN, T::BN, VEC, T::THREADS>(tiles + T::A_SIZE, B, k0, col0, k, n);
    }
    __pipeline_commit();
}

// c += a b for 4 steps of k. As, Bs: the lane's first row in the tile of A, and first column in that of B, at the first
// of the 4 steps.
template <class T> DEVICE void multiply_nt(float (&c)[T::TM][T::TN], const float *As, const float *Bs) {
    float a[T::TM][4], b[T::TN][4];  // [row][step], [column][step]
    UNROLL for (int i = 0; i < T::TM; i++) load4(a[i], As + 4 * i * T::AS);
    UNROLL for (int j = 0; j < T::TN; j++) load4(b[j], Bs + 8 * j * T::AS);
    // There and back over the rows, and two columns in turns that take their steps in another order: neighbours share a
    // number, and what they do not share lies in both banks of registers (../4_async_copies).
    UNROLL for (int j = 0; j < T::TN; j += 2) UNROLL for (int e = 0; e < 4; e++) UNROLL for (int h = 0; h < 2; h++)
        UNROLL for (int n = 0; n < T::TM; n++) {
        const int i = h ? T::TM - 1 - n : n;
        c[i][j + h] += a[i][e ^ h] * b[j + h][e ^ h];
    }
}
template <class T> DEVICE void multiply_nn(float (&c)[T::TM][T::TN], const float *As, const float *Bs) {
    float b[T::TN][4];
    UNROLL for (int e = 0; e < 4; e++) UNROLL for (int h = 0; h < T::TN / 4; h++) {
        float row[4];
        load4(row, Bs + e * T::BN + 32 * h);
        UNROLL for (int j = 0; j < 4; j++) b[4 * h + j][e] = row[j];
    }
    UNROLL for (int i = 0; i < T::TM; i++) {
        float a[4];
        load4(a, As + 4 * i * T::AS);
        UNROLL for (int e = 0; e < 4; e++) UNROLL for (int j = 0; j < T::TN; j++) c[i][j] += a[e] * b[j][e];
    }
}

template <class T, bool TRANSPOSED, int VEC>
static __global__ void __launch_bounds__(T::THREADS, 2)
    gemm(float *C, const float *A, const float *B, int m, int n, int k) {
    extern __shared__ float4 shared[];  // float4 for its alignment
    constexpr int STAGE = TRANSPOSED ? T::NT_STAGE : T::NN_STAGE;
    float *tiles = (float *)shared;
    const int row0 = blockIdx.y * T::BM, col0 = blockIdx.x * T::BN, warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32, tx = lane / 2 % 8, ty = lane % 2 + lane / 16 * 2;
    const int row = warp / T::WARPS_N * 4 * T::TM + ty;
    const int col = warp % T::WARPS_N * 8 * T::TN + (TRANSPOSED ? tx : 4 * tx);
    A += (size_t)blockIdx.z * m * k;
    B += (size_t)blockIdx.z * k * n;
    C += (size_t)blockIdx.z * m * n;

    for (int s = 0; s < T::STAGES - 1; s++)
        start_tiles<T, TRANSPOSED, VEC>(tiles + s * STAGE, A, B, row0, col0, s * T::BK, m, n, k);
    float c[T::TM][T::TN] = {};
    for (int k0 = 0, turn = 0; k0 < k; k0 += T::BK, turn = turn + 1 < T::STAGES ? turn + 1 : 0) {
        __pipeline_wait_prior(T::STAGES - 2);
        __syncthreads();  // tile `turn` is complete before any thread reads it; no thread still reads the one before it
        const int free_one = turn ? turn - 1 : T::STAGES - 1;
        start_tiles<T, TRANSPOSED, VEC>(tiles + free_one * STAGE, A, B, row0, col0, k0 + (T::STAGES - 1) * T::BK, m, n,
                                        k);
        const float *As = tiles + turn * STAGE + row * T::AS;
        const float *Bs = tiles + turn * STAGE + T::A_SIZE + (TRANSPOSED ? col * T::AS : col);
        // Written out, the transposed one would be put in an order again that shares less.
#pragma unroll(TRANSPOSED ? 1 : T::BK / 4)
        for (int l = 0; l < T::BK; l += 4) {
            if (TRANSPOSED)
                multiply_nt<T>(c, As + l, Bs + l);
            else
                multiply_nn<T>(c, As + l, Bs + l * T::BN);
        }
    }

    UNROLL for (int i = 0; i < T::TM; i++) UNROLL for (int j = 0; j < T::TN; j++) {
        int at_row = row0 + row + 4 * i, at_col = col0 + col + (TRANSPOSED ? 8 * j : 32 * (j / 4) + j % 4);
        if (at_row < m && at_col < n) C[(size_t)at_row * n + at_col] = c[i][j];
    }
}

template <class T, bool TRANSPOSED>
static attn_status launch(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                          cudaStream_t stream) {
    constexpr int BYTES = sizeof(float) * T::STAGES * (TRANSPOSED ? T::NT_STAGE : T::NN_STAGE);
    bool aligned = k % 4 == 0 && (TRANSPOSED || n % 4 == 0);
    auto kernel = aligned ? gemm<T, TRANSPOSED, 4> : gemm<T, TRANSPOSED, 1>;
    // A kernel gets more than 48 KB of shared memory only if that is dynamic, and asked for before the launch.
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    dim3 grid((n + T::BN - 1) / T::BN, (m + T::BM - 1) / T::BM, batch);
    kernel<<<grid, T::THREADS, BYTES, stream>>>(C, A, B, m, n, k);
    return launched();
}

// Wide tiles where they fill the device, and where C has the columns for them.
template <bool TRANSPOSED>
static attn_status launch_gemm(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                               cudaStream_t stream) {
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    size_t wide = (size_t)batch * ((m + 127) / 128) * ((n + 127) / 128);
    if (n > 64 && wide >= (size_t)processors)
        return launch<sizes<4, 2, 8, 8>, TRANSPOSED>(C, A, B, batch, m, n, k, stream);
    if (2 * wide >= (size_t)processors) return launch<sizes<4, 1, 8, 8>, TRANSPOSED>(C, A, B, batch, m, n, k, stream);
    return launch<sizes<4, 1, 4, 8>, TRANSPOSED>(C, A, B, batch, m, n, k, stream);
}
