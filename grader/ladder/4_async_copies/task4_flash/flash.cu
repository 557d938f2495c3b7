// flash.cu: attention in one fused kernel. FlashAttention-2, Algorithm 1 (Dao 2023), in float32 on the CUDA cores.
//
// A block owns Br queries of one head, and each of its warps an equal share of them from the first instruction to the
// last: row max, row sum and probabilities never leave the warp. Its lanes stand 4 x 8. The lane at (ty, tx) computes
//
//      S, a warp's rows x Bc keys               O, a warp's rows x DP dims
//               tx   tx+8  tx+16 ...                   4tx..4tx+3   4tx+32..4tx+35 ...
//      ty       s    s     s                    ty        oooo         oooo
//      ty+4     s    s     s                    ty+4      oooo         oooo
//
// in registers: TM numbers of Q and TN of K are read for TM * TN multiply-adds, so memory can keep up with arithmetic.
//
// Shared memory, in floats. DP is head_dim rounded up to a multiple of 32, the surplus zeros. The padding of rows
// spreads what a warp reads or writes at once over different banks.
//
//      Qs [Br][DP + 4]   the block's queries
//      Ks [Bc][DP + 4]   one tile; the next one travels while O is computed
//      Vs [Bc][DP]       one tile; travels while S is computed
//      Ps [Br][Bc + 8]   probabilities, on their way from S's layout to O's
#include "task4.h"
#include <cuda_pipeline.h>
#include <math.h>

#ifndef BR
#define BR 0  // queries per tile, a multiple of 16; 0: see choose()
#endif
#ifndef BC
#define BC 64  // keys per tile, a multiple of 8
#endif
#define UNROLL _Pragma("unroll")  // registers cannot be indexed at run time: every loop over them is unrolled

// What follows from the tile sizes. 4 warps or 8: a lane has registers for 64 numbers of O and their company, not more.
template <int DP_, int Br_, int Bc_> struct sizes {
    static constexpr int DP = DP_, Br = Br_, Bc = Bc_, WARPS = Br * DP > 128 * 64 ? 8 : 4, THREADS = 32 * WARPS;
    static constexpr int TM = Br / WARPS / 4, TN = Bc / 8, TD = DP / 32;  // rows, keys, and fours of dims, of a lane
    static constexpr int QS = DP + 4, KS = QS, PS = Bc + 8;               // row lengths in shared memory
    static constexpr int BYTES = sizeof(float) * (Br * QS + Bc * QS + Bc * DP + Br * PS);
    static_assert(Br % (4 * WARPS) == 0 && Bc % 8 == 0 && DP % 32 == 0, "a warp's tiles are made for 4 x 8 lanes");
};

// One instruction; exp2f takes four, to be exact where the result is below 2^-126. That is 0 here.
static __device__ __forceinline__ float exp2_approx(float x) {
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}

static __device__ __forceinline__ void load4(float (&x)[4], const float *p) {
    float4 v = *(const float4 *)p;
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}

// Starts copying src [rows][D] into tile [ROWS][stride]. Where the tile has more rows or columns, it gets zeros.
template <class T, int ROWS>
static __device__ __forceinline__ void start_copy(float *tile, int stride, const float *src, int rows, int D) {
    for (int i = threadIdx.x; i < ROWS * T::DP / 4; i += T::THREADS) {
        int row = i / (T::DP / 4), col = i % (T::DP / 4) * 4;
        bool inside = row < rows && col < D;
        const float *from = inside ? src + (size_t)row * D + col : src;
        __pipeline_memcpy_async(tile + row * stride + col, from, 16, inside ? 0 : 16);
    }
    __pipeline_commit();
}

// Registers lie in two banks, n % 2. Neighbours j take other dims, so that their reads are of both. In a tile of 8 x 8 the
// walk over rows goes there and back, so that neighbours share a number of q or of k; written out several times, the
// compiler would put it in an order again that shares less. For smaller tiles that is slower.
template <class T> constexpr bool THERE_AND_BACK = T::TM *T::TN >= 64;

// s += Q K^T. Q, K: this lane's first row, and first key, in Qs and Ks.
template <class T>
static __device__ __forceinline__ void add_scores(float (&s)[T::TM][T::TN], const float *Q, const float *K) {
    if constexpr (THERE_AND_BACK<T>) {
#pragma unroll 1
        for (int d = 0; d < T::DP; d += 4, Q += 4, K += 4) {
            float q[T::TM][4], k[T::TN][4];
            UNROLL for (int i = 0; i < T::TM; i++) load4(q[i], Q + 4 * i * T::QS);
            UNROLL for (int j = 0; j < T::TN; j++) load4(k[j], K + 8 * j * T::KS);
            UNROLL for (int c = 0; c < 4; c++) UNROLL for (int h = 0; h < 2; h++)
                UNROLL for (int j = h; j < T::TN; j += 2) UNROLL for (int n = 0; n < T::TM; n++) {
                const int i = j / 2 % 2 ? T::TM - 1 - n : n;
                s[i][j] += q[i][c ^ h] * k[j][c ^ h];
            }
        }
    } else {
#pragma unroll 4
        for (int d = 0; d < T::DP; d += 4) {
            float k[T::TN][4];
            UNROLL for (int j = 0; j < T::TN; j++) load4(k[j], K + 8 * j * T::KS + d);
            UNROLL for (int i = 0; i < T::TM; i++) {
                float q[4];
                load4(q, Q + 4 * i * T::QS + d);
                UNROLL for (int c = 0; c < 4; c++) UNROLL for (int j = 0; j < T::TN; j++) s[i][j] +=
                    q[c ^ j % 2] * k[j][c ^ j % 2];
            }
        }
    }
}

// The online softmax: P = 2^(scale s - m); scale: log2(e) / sqrt(D). O / l is right for every m. So m need not be the row
// max: it is raised to that, and l and o are rescaled, only where some score of the warp lies 8 above. P: this lane's
// first place in Ps.
template <class T>
static __device__ __forceinline__ void add_probabilities(float *P, float (&m)[T::TM], float (&l)[T::TM],
                                                         float (&o)[T::TM][T::TD][4], const float (&s)[T::TM][T::TN],
                                                         float scale) {
    float top[T::TM];
    bool high = false;
    UNROLL for (int i = 0; i < T::TM; i++) {
        top[i] = s[i][0];
        UNROLL for (int j = 1; j < T::TN; j++) top[i] = fmaxf(top[i], s[i][j]);
        top[i] *= scale, high |= top[i] > m[i] + 8;
    }
    // Every row sees key 0, and that is in the first tile: there m becomes finite.
    if (__any_sync(0xffffffff, high)) UNROLL for (int i = 0; i < T::TM; i++) {
            UNROLL for (int bit = 2; bit <= 8; bit *= 2) top[i] =
                fmaxf(top[i], __shfl_xor_sync(0xffffffff, top[i], bit));
            top[i] = fmaxf(m[i], top[i]);
            const float rescale = exp2_approx(m[i] - top[i]);
            m[i] = top[i], l[i] *= rescale;
            UNROLL for (int t = 0; t < T::TD; t++) UNROLL for (int c = 0; c < 4; c++) o[i][t][c] *= rescale;
        }
    UNROLL for (int i = 0; i < T::TM; i++) UNROLL for (int j = 0; j < T::TN; j++) {
        const float p = exp2_approx(fmaf(scale, s[i][j], -m[i]));
        l[i] += p;
        P[4 * i * T::PS + 8 * j] = p;
    }
}

// o += P V. P: this lane's first row in Ps; V: this lane's first dims in Vs.
template <class T>
static __device__ __forceinline__ void add_values(float (&o)[T::TM][T::TD][4], const float *P, const float *V) {
#pragma unroll 4
    for (int k = 0; k < T::Bc; k += 4) {
        float p[T::TM][4];
        UNROLL for (int i = 0; i < T::TM; i++) load4(p[i], P + 4 * i * T::PS + k);
        UNROLL for (int e = 0; e < 4; e++) UNROLL for (int t = 0; t < T::TD; t++) {
            float v[4];
            load4(v, V + (k + e) * T::DP + 32 * t);
            // v[c] is read once for all rows, and where the next c begins with the row that this one ended with, p once more:
            // o and one of them make two reads for each multiply-add. (Small tiles are slower so.)
            UNROLL for (int c = 0; c < 4; c++) UNROLL for (int n = 0; n < T::TM; n++) {
                const int i = T::TM * T::TN >= 32 && (c + e) % 2 ? T::TM - 1 - n : n;
                o[i][t][c] += p[i][e] * v[c];
            }
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape, float scale) {
    extern __shared__ float4 shared[];
    float *Qs = (float *)shared, *Ks = Qs + T::Br * T::QS, *Vs = Ks + T::Bc * T::QS, *Ps = Vs + T::Bc * T::DP;
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    const int first_q = (int)(gridDim.y - 1 - blockIdx.y) * T::Br;  // last tile first: where causal, it takes longest
    const size_t head = blockIdx.x;
    Q += (head * Sq + first_q) * D, O += (head * Sq + first_q) * D;
    K += head * Sk * D, V += head * Sk * D;
    // Lanes 2n and 2n + 1 share tx: a load of 16 bytes per lane from 8 rows of K then takes 2 wavefronts, not 4.
    const int lane = threadIdx.x % 32, tx = lane / 2 % 8, ty = lane % 2 + lane / 16 * 2;
    const int row0 = threadIdx.x / 32 * (T::Br / T::WARPS) + ty;  // this lane's rows of the tile are row0 + 4i

    start_copy<T, T::Br>(Qs, T::QS, Q, Sq - first_q, D);
    start_copy<T, T::Bc>(Ks, T::QS, K, Sk, D);
    float m[T::TM], l[T::TM] = {}, o[T::TM][T::TD][4] = {};  // l: this lane's part of the row sum
    UNROLL for (int i = 0; i < T::TM; i++) m[i] = -INFINITY;

    const int shift = shape.causal ? first_q + Sk - Sq : Sk;  // row r sees keys 0 .. r + shift, as far as there are
    const int keys = min(Sk, shift + T::Br);                  // no row sees more: later tiles are skipped
    for (int k0 = 0; k0 < keys; k0 += T::Bc) {
        __pipeline_wait_prior(0);
        __syncthreads();  // the copied K tile, and Qs, are complete before any warp reads them; no warp still reads Vs
        start_copy<T, T::Bc>(Vs, T::DP, V + (size_t)k0 * D, Sk - k0, D);
        float s[T::TM][T::TN] = {};
        add_scores<T>(s, Qs + row0 * T::QS, Ks + tx * T::QS);

        if (k0 + T::Bc > Sk || k0 + T::Bc - 1 > shift)  // some row does not see the whole tile
            UNROLL for (int i = 0; i < T::TM; i++) {
                int last = min(Sk - 1, shift + row0 + 4 * i) - k0;
                UNROLL for (int j = 0; j < T::TN; j++) s[i][j] = tx + 8 * j <= last ? s[i][j] : -INFINITY;
            }
        add_probabilities<T>(Ps + row0 * T::PS + tx, m, l, o, s, scale);

        __pipeline_wait_prior(0);
        __syncthreads();  // the copied V tile, and Ps, are complete before any warp reads them; no warp still reads Ks
        if (k0 + T::Bc < keys) start_copy<T, T::Bc>(Ks, T::QS, K + (size_t)(k0 + T::Bc) * D, Sk - k0 - T::Bc, D);
        add_values<T>(o, Ps + row0 * T::PS, Vs + 4 * tx);
    }

    UNROLL for (int i = 0; i < T::TM; i++) {
        UNROLL for (int bit = 2; bit <= 8; bit *= 2) l[i] += __shfl_xor_sync(0xffffffff, l[i], bit);
        const float norm = 1 / l[i];
        UNROLL for (int t = 0; t < T::TD; t++) {
            int row = row0 + 4 * i, col = 4 * tx + 32 * t;
            float4 out = make_float4(o[i][t][0] * norm, o[i][t][1] * norm, o[i][t][2] * norm, o[i][t][3] * norm);
            if (first_q + row < Sq && col < D) *(float4 *)(O + (size_t)row * D + col) = out;
        }
    }
}

template <class T>
static attn_status launch(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    // A kernel gets more than 48 KB of shared memory only if that is dynamic, and asked for before the launch.
    cudaFuncSetAttribute(flash_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    dim3 grid(s.batch * s.heads, (s.seq_q + T::Br - 1) / T::Br);
    flash_kernel<T><<<grid, T::THREADS, T::BYTES, stream>>>(O, Q, K, V, s, 1.44269504f / sqrtf((float)s.head_dim));
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

// Large tiles read K and V less often, small ones make more blocks. Large, if they fill most of the places that the
// device has for blocks; twice the places where causal, as half the blocks are done early. Tiny, if nothing else fits.
template <int DP>
static attn_status choose(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
#if BR
    return launch<sizes<DP, BR, BC>>(O, Q, K, V, s, stream);
#else
    int device = 0, processors = 1, room = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    size_t places = (size_t)processors * (DP > 64 ? 1 : 2) * (s.causal ? 2 : 1);
    bool large = (size_t)s.batch * s.heads * ((s.seq_q + 127) / 128) >= places * 3 / 4;
    if (large && sizes<DP, 128, BC>::BYTES <= room) return launch<sizes<DP, 128, BC>>(O, Q, K, V, s, stream);
    if (sizes<DP, 32, BC>::BYTES <= room) return launch<sizes<DP, 32, BC>>(O, Q, K, V, s, stream);
    return launch<sizes<DP, 16, 16>>(O, Q, K, V, s, stream);
#endif
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
        s.head_dim % 8 != 0 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    if (s.head_dim <= 32) return choose<32>(O, Q, K, V, s, stream);
    if (s.head_dim <= 64) return choose<64>(O, Q, K, V, s, stream);
    if (s.head_dim <= 96) return choose<96>(O, Q, K, V, s, stream);
    return choose<128>(O, Q, K, V, s, stream);
}
