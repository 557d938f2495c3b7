// flash.cu: rung 7, wgmma: Hopper's tensor cores at their full rate.
//
// mma.sync (rung 6) is issued by a warp, reads its operands from registers and reaches two thirds of the peak. wgmma is
// issued by 4 warps at once, reads tiles from shared memory by itself and works on while its warps go on. The products
// are rung 6's, three float16 ones for one of float32; hopper.h has the instruction and how a tile must lie.
//
// A block owns 128 queries, each of its two warpgroups 64 of them. All its threads do everything in turn:
//
//      | load and split K, V | Q K^T | softmax | P V | load and split K, V | Q K^T | ...
//
// With D <= 64 two blocks fit on a multiprocessor, so that one can multiply while the other does not.
//
//      shared memory   queries [2 warpgroups][panels]   K [panels]   V [panels]          a panel: 64 dims, hi and lo
//
// Needs compute capability 9.0. Elsewhere a plain kernel stands in: a thread a query.
#include "../ladder/hopper.h"  // the compiler searches grader/core

template <int PANELS_> struct sizes {
    static constexpr int PANELS = PANELS_, THREADS = 256, Br = 128, Bc = 128;
    static constexpr int Q_PANEL = 64 * 64 * 4, PANEL = Bc * 64 * 4;         // bytes of hi and lo
    static constexpr int BYTES = 1024 + PANELS * (2 * Q_PANEL + 2 * PANEL);  // 1024: room to align
};

// s = Q K^T, as Qlo Khi^T + Qhi Klo^T + Qhi Khi^T: the small ones first, or they are lost beside the large.
template <class T> DEVICE void scores(float (&s)[64], const char *q, const char *k) {
    wgmma_begin();
    UNROLL for (int product = 0; product < 3; product++) UNROLL for (int d = 0; d < 64 * T::PANELS; d += 16) {
        const int Q_at = d / 64 * T::Q_PANEL + (product == 0) * T::Q_PANEL / 2 + d % 64 * 2;
        const int K_at = d / 64 * T::PANEL + (product == 1) * T::PANEL / 2 + d % 64 * 2;
        wgmma(s, descriptor(q) + (Q_at >> 4), descriptor(k) + (K_at >> 4), product + d > 0);
    }
    wgmma_commit();
    wgmma_wait<0>(s);
}

// o += P V, as Plo Vhi + Phi Vlo + Phi Vhi.
template <class T>
DEVICE void add_values(float (&o)[32 * T::PANELS], const uint32_t (&hi)[32], const uint32_t (&lo)[32], const char *v) {
    wgmma_begin();
    UNROLL for (int panel = 0; panel < T::PANELS; panel++) UNROLL for (int k = 0; k < T::Bc; k += 16) {
        const uint64_t V = descriptor(v) + ((panel * T::PANEL + k * 128) >> 4);
        wgmma(registers_at<32>(o + 32 * panel), lo + k / 4, V);
        wgmma(registers_at<32>(o + 32 * panel), hi + k / 4, V + (T::PANEL / 2 >> 4));
        wgmma(registers_at<32>(o + 32 * panel), hi + k / 4, V);
    }
    wgmma_commit();
    wgmma_wait<0>(o);
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS, T::PANELS == 1 ? 2 : 1)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
#ifdef HOPPER
    extern __shared__ char shared[];
    char *q = shared + (-(int)shared_address(shared) & 1023), *k = q + 2 * T::PANELS * T::Q_PANEL;
    char *v = k + T::PANELS * T::PANEL;
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv, t = threadIdx.x % 128, w = threadIdx.x / 128;
    const int blocks = (Sq + T::Br - 1) / T::Br;  // of a head; they run side by side and share K and V in the L2 cache
    const int first_q = (blocks - 1 - (int)(blockIdx.x % blocks)) * T::Br;  // last one first: causal, it takes longest
    const int first = first_q + 64 * w, row = first + t / 32 * 16 + t % 32 / 4;  // this lane's rows: row and row + 8
    const size_t head = blockIdx.x / blocks;
    Q += head * Sq * D, O += head * Sq * D, K += head * Sk * D, V += head * Sk * D;
    q += w * T::PANELS * T::Q_PANEL;
    load_split<64, T::PANELS, 128>(q, Q + (size_t)first * D, Sq - first, D, t);

    const float scale = 1.44269504f / sqrtf((float)D);
    float s[64], o[32 * T::PANELS] = {}, m[2] = {-INFINITY, -INFINITY}, l[2] = {};
    uint32_t hi[32], lo[32];
    const int shift = shape.causal ? Sk - Sq : Sk;      // row r sees keys 0 .. r + shift, as far as there are
    const int keys = min(Sk, first_q + T::Br + shift);  // no row sees more: later tiles are skipped
    for (int k0 = 0; k0 < keys; k0 += T::Bc) {
        __syncthreads();  // no warpgroup still multiplies by the last tiles
        load_split<T::Bc, T::PANELS, T::THREADS>(k, K + (size_t)k0 * D, Sk - k0, D, threadIdx.x);
        load_split<T::Bc, T::PANELS, T::THREADS>(v, V + (size_t)k0 * D, Sk - k0, D, threadIdx.x);
        fence_for_wgmma();
        __syncthreads();  // tiles, and the queries, are complete before any warpgroup multiplies by them
        scores<T>(s, q, k);
        if (k0 + T::Bc > Sk || k0 + T::Bc - 1 > first + shift)  // some row does not see the whole tile
            UNROLL for (int i = 0; i < 64; i++) {
                const int key = k0 + i / 4 * 8 + t % 4 * 2 + i % 2;
                if (key >= Sk || key > row + i % 4 / 2 * 8 + shift) s[i] = -INFINITY;
            }
        softmax(s, o, m, l, hi, lo, scale);
        add_values<T>(o, hi, lo, v);
    }

    UNROLL for (int r = 0; r < 2; r++) {
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) l[r] += __shfl_xor_sync(0xffffffff, l[r], bit);
        const float norm = 1 / l[r];
        float *out = O + (size_t)(row + 8 * r) * D + t % 4 * 2;
        UNROLL for (int d = 0; d < 64 * T::PANELS; d += 8) {
            const float *x = o + d / 2 + 2 * r;
            if (row + 8 * r < Sq && d < D) *(float2 *)(out + d) = make_float2(x[0] * norm, x[1] * norm);
        }
    }
#endif
}

template <class T>
static void launch(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    cudaFuncSetAttribute(flash_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    const int blocks = s.batch * s.heads * ((s.seq_q + T::Br - 1) / T::Br);
    flash_kernel<T><<<blocks, T::THREADS, T::BYTES, stream>>>(O, Q, K, V, s);
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (is_bad_shape(s)) return ATTN_BAD_SHAPE;
    if (device_generation() == 9)
        s.head_dim <= 64 ? launch<sizes<1>>(O, Q, K, V, s, stream) : launch<sizes<2>>(O, Q, K, V, s, stream);
    else
        launch_plain(O, Q, K, V, s, stream);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
