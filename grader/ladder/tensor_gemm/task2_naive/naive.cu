// naive.cu: task 2's chain with a GEMM on tensor cores, as exact as float32.
//
// Tensor cores multiply TF32: a float32 with 10 of its 23 digits behind the point. A float32 is cut in two such
// numbers, x = hi + lo, and a product becomes three (Alo Blo, 2^-22 of it, is left out):
//
//      A B = Alo Bhi + Ahi Blo + Ahi Bhi            small products first: they are not lost beside large sums
//
// The tensor core cuts off what does not fit when it adds, always towards zero, and over many steps of k that sums up
// (README.md). So it adds up 8 steps only, and the CUDA cores, which round, add those to C.
//
// Unlike two float16, two TF32 have float32's range: nothing overflows that would not in float32. The cut is made in
// registers, one AND and one subtraction a number; tiles and copies are those of wide_gemm. mma.m16n8k8 wants its
// operands spread over the 32 lanes like this:
//
//      lane 4r + c holds   of A (16 x 8): rows r, r + 8, columns c, c + 4
//                          of B (8 x 8):  rows c, c + 4, column r
//                          of C (16 x 8): rows r, r + 8, columns 2c, 2c + 1
//
// So a warp reads 8 rows and 4 columns of a tile at once: rows are padded so that these 32 numbers lie in 32 banks.
//
// Needs compute capability 8.0. Elsewhere a plain kernel stands in: a thread an element.
#include "../ladder/chain.h"  // the compiler searches grader/core

// WM x WN warps, each with MT x NT tiles of 16 x 8. BK: columns of k in a tile; STAGES: tiles of A and of B, of which
// all but one are on their way.
template <int WM, int WN, int MT_, int NT_> struct sizes {
    static constexpr int MT = MT_, NT = NT_, BM = WM * 16 * MT, BN = WN * 8 * NT, BK = 16, STAGES = 4;
    static constexpr int WARPS_N = WN, THREADS = 32 * WM * WN, AS = BK + 4, BS = BN + 8;
    static constexpr int A_SIZE = BM * AS, NT_STAGE = A_SIZE + BN * AS, NN_STAGE = A_SIZE + BK * BS;
};

// Starts copying a step's tiles of A and B, one behind the other: rows row0.., columns col0.. of C; k0.. of k. Beyond k
// there is nothing to copy, but the step counts.
template <class T, bool TRANSPOSED, int VEC>
DEVICE void start_tiles(float *tiles, const float *A, const float *B, int row0, int col0, int k0, int m, int n, int k) {
    if (k0 < k) {
        start_copy<T::BM, T::BK, T::AS, VEC, T::THREADS>(tiles, A, row0, k0, m, k);
        if (TRANSPOSED)
            start_copy<T::BN, T::BK, T::AS, VEC, T::THREADS>(tiles + T::A_SIZE, B, col0, k0, n, k);
        else
            start_copy<T::BK, T::BN, T::BS, VEC, T::THREADS>(tiles + T::A_SIZE, B, k0, col0, k, n);
    }
    __pipeline_commit();
}

// The tensor core reads the upper 19 bits of each.
DEVICE void cut(float x, uint32_t &hi, uint32_t &lo) {
    hi = __float_as_uint(x) & 0xffffe000;
    lo = __float_as_uint(x - __uint_as_float(hi));
}

// sum = a b + sum, or a b + 0 where it is the first product.
template <bool FIRST> DEVICE void mma(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
    if (FIRST) UNROLL for (int e = 0; e < 4; e++) sum[e] = 0;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

// c += a b for 8 steps of k. As, Bs: the lane's first element in the tiles, at the first of the 8 steps; b_k, b_n: from
// one step to the next in B, and from one column to the next.
template <class T>
DEVICE void multiply(float (&c)[T::MT][T::NT][4], const float *As, const float *Bs, int b_k, int b_n) {
    uint32_t a_hi[T::MT][4], a_lo[T::MT][4];
    UNROLL for (int i = 0; i < T::MT; i++) UNROLL for (int e = 0; e < 4; e++)
        cut(As[(16 * i + e % 2 * 8) * T::AS + e / 2 * 4], a_hi[i][e], a_lo[i][e]);
    UNROLL for (int j = 0; j < T::NT; j++) {
        uint32_t b_hi[2], b_lo[2];
        UNROLL for (int e = 0; e < 2; e++) cut(Bs[8 * j * b_n + 4 * e * b_k], b_hi[e], b_lo[e]);
        float sum[T::MT][4];
        UNROLL for (int i = 0; i < T::MT; i++) mma<true>(sum[i], a_lo[i], b_hi);
        UNROLL for (int i = 0; i < T::MT; i++) mma<false>(sum[i], a_hi[i], b_lo);
        UNROLL for (int i = 0; i < T::MT; i++) mma<false>(sum[i], a_hi[i], b_hi);
        UNROLL for (int i = 0; i < T::MT; i++) UNROLL for (int e = 0; e < 4; e++) c[i][j][e] += sum[i][e];
    }
}

template <class T, bool TRANSPOSED, int VEC>
static __global__ void __launch_bounds__(T::THREADS, 2)
    gemm(float *C, const float *A, const float *B, int m, int n, int k) {
    extern __shared__ float4 shared[];  // float4 for its alignment
    constexpr int STAGE = TRANSPOSED ? T::NT_STAGE : T::NN_STAGE;
    float *tiles = (float *)shared;
    const int row0 = blockIdx.y * T::BM, col0 = blockIdx.x * T::BN, warp = threadIdx.x / 32;
    const int r = threadIdx.x % 32 / 4, lane_c = threadIdx.x % 4;  // as above
    const int row = warp / T::WARPS_N * 16 * T::MT, col = warp % T::WARPS_N * 8 * T::NT;
    A += (size_t)blockIdx.z * m * k;
    B += (size_t)blockIdx.z * k * n;
    C += (size_t)blockIdx.z * m * n;

    for (int s = 0; s < T::STAGES - 1; s++)
        start_tiles<T, TRANSPOSED, VEC>(tiles + s * STAGE, A, B, row0, col0, s * T::BK, m, n, k);
    float c[T::MT][T::NT][4] = {};
    for (int k0 = 0, turn = 0; k0 < k; k0 += T::BK, turn = turn + 1 < T::STAGES ? turn + 1 : 0) {
        __pipeline_wait_prior(T::STAGES - 2);
        __syncthreads();  // tile `turn` is complete before any thread reads it; no thread still reads the one before it
        const int free_one = turn ? turn - 1 : T::STAGES - 1;
        start_tiles<T, TRANSPOSED, VEC>(tiles + free_one * STAGE, A, B, row0, col0, k0 + (T::STAGES - 1) * T::BK, m, n,
                                        k);
        const int b_k = TRANSPOSED ? 1 : T::BS, b_n = TRANSPOSED ? T::AS : 1;
        const float *As = tiles + turn * STAGE + (row + r) * T::AS + lane_c;
        const float *Bs = tiles + turn * STAGE + T::A_SIZE + (col + r) * b_n + lane_c * b_k;
        UNROLL for (int l = 0; l < T::BK; l += 8) multiply<T>(c, As + l, Bs + l * b_k, b_k, b_n);
    }

    UNROLL for (int i = 0; i < T::MT; i++) UNROLL for (int j = 0; j < T::NT; j++) UNROLL for (int h = 0; h < 2; h++) {
        const int at_row = row0 + row + 16 * i + 8 * h + r, at_col = col0 + col + 8 * j + 2 * lane_c;
        float *to = C + (size_t)at_row * n + at_col;
        if (at_row < m && at_col + 1 < n && n % 2 == 0)
            *(float2 *)to = make_float2(c[i][j][2 * h], c[i][j][2 * h + 1]);
        else if (at_row < m)
            for (int e = 0; e < 2; e++)
                if (at_col + e < n) to[e] = c[i][j][2 * h + e];
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

static __global__ void plain_gemm(float *C, const float *A, const float *B, int m, int n, int k, int b_k, int b_n) {
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = at / n, col = at % n, z = blockIdx.y;
    if (row >= m) return;
    float sum = 0;
    for (int l = 0; l < k; l++) sum += A[(z * m + row) * k + l] * B[z * k * n + (size_t)l * b_k + col * b_n];
    C[z * m * n + at] = sum;
}

// Wide tiles where they fill the device, and where C has the columns for them.
template <bool TRANSPOSED>
static attn_status launch_gemm(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                               cudaStream_t stream) {
    int device = 0, processors = 1, generation = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, device);
    if (generation < 8) {
        dim3 grid(((size_t)m * n + 255) / 256, batch);
        plain_gemm<<<grid, 256, 0, stream>>>(C, A, B, m, n, k, TRANSPOSED ? 1 : n, TRANSPOSED ? k : 1);
        return launched();
    }
    size_t wide = (size_t)batch * ((m + 127) / 128) * ((n + 127) / 128);
    if (n > 64 && wide >= (size_t)processors)
        return launch<sizes<2, 4, 4, 4>, TRANSPOSED>(C, A, B, batch, m, n, k, stream);
    if (2 * wide >= (size_t)processors) return launch<sizes<4, 1, 2, 8>, TRANSPOSED>(C, A, B, batch, m, n, k, stream);
    return launch<sizes<2, 2, 2, 4>, TRANSPOSED>(C, A, B, batch, m, n, k, stream);
}
