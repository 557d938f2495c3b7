// flash.cu: rung 8, warp specialisation. Two warpgroups only fetch and split, two only multiply.
//
// In rung 7 all threads did everything in turn: while they split tiles, nobody multiplies. Here a block has four
// warpgroups of 128 threads:
//
//      2 producers      read K and V from global memory, split them, write tiles into a ring in shared memory
//      2 consumers      own 64 queries each: Q K^T, softmax, P V
//
// An item of the ring is 128 keys x 64 dims of K or of V: K0 V0 K1 V1 ..., or with D = 128 K0 K0' V0 V0' K1 K1' ...
// Two mbarriers a place say who may touch it:
//
//      producer:  wait for empty[i]   write the item   arrive at full[i]
//      consumer:  wait for full[i]    multiply by it   arrive at empty[i]
//
// Consumers take turns at the tensor cores: while one multiplies, the other does its softmax.
//
//      consumer 0   | P V, Q K^T |  softmax   | P V, Q K^T |  softmax
//      consumer 1      softmax   | P V, Q K^T |  softmax   | P V, Q K^T |
//
// Registers move, too (setmaxnreg): of 128 a thread, producers give up 48. Consumers, who hold S, P and O, take them.
//
// Needs compute capability 9.0. Elsewhere a plain kernel stands in: a thread a query.
#include "../ladder/hopper.h"  // the compiler searches grader/core

// Bytes are of hi and lo together. PANELS: 64 dims each. STAGES: as many items as fit beside the queries.
template <int PANELS_> struct plan {
    static constexpr int PANELS = PANELS_, DP = 64 * PANELS, CONSUMERS = 2, PRODUCERS = 2, THREADS = 512;
    static constexpr int Br = 64 * CONSUMERS, Bc = 128, Q_PANEL = 64 * 64 * 4, ITEM = Bc * 64 * 4;
    static constexpr int HEAD = 1024, QUERIES = CONSUMERS * PANELS * Q_PANEL;  // HEAD: barriers, and room to align
    static constexpr int STAGES = (227 * 1024 - 2 * HEAD - QUERIES) / ITEM;
    static constexpr int BYTES = 2 * HEAD + QUERIES + STAGES * ITEM;
};

struct block {  // what all its threads know
    char *queries, *ring;
    uint64_t *full, *empty;
    const float *Q, *K, *V;  // of this block's head
    float *O;
    int D, Sq, Sk, first_q, shift, tiles;  // row r sees keys 0 .. r + shift, as far as there are
};

// A thread splits 8 float4 of each item, and holds those of two: while it stores one item, the next is on its way.
template <class T> DEVICE void produce(const block &b) {
    constexpr int STEP = 8 * T::PRODUCERS;  // rows that all producers write at once
    const int row0 = threadIdx.x / 16, col = threadIdx.x % 16 * 4, last = b.Sk - 1;
    const char *from;
    int row;
    auto begin = [&](int item) {
        row = item / (2 * T::PANELS) * T::Bc + row0;
        from = (const char *)((item / T::PANELS % 2 ? b.V : b.K) + min(item % T::PANELS * 64 + col, b.D - 4));
    };
    // Beyond the last row, and the last dim, others are repeated: masks, and zeros in Q, keep them out of the result.
    auto load = [&](int i) { return *(const float4 *)(from + (size_t)min(row + STEP * i, last) * (4 * b.D)); };
    float4 x[2][8];
    begin(0);
    UNROLL for (int i = 0; i < 8; i++) x[0][i] = load(i);
    begin(1);
    UNROLL for (int i = 0; i < 8; i++) x[1][i] = load(i);
    for (int both = 0; both < 2 * T::PANELS * b.tiles; both += 2) UNROLL for (int k = 0; k < 2; k++) {
            const int item = both + k, slot = item % T::STAGES;
            char *tile = b.ring + slot * T::ITEM;
            wait(b.empty + slot, item / T::STAGES % 2 ^ 1);  // the first round finds every place empty
            UNROLL for (int i = 0; i < 8; i++) store_split(tile, T::ITEM / 2, row0 + STEP * i, col, x[k][i]);
            fence_for_wgmma();
            arrive(b.full + slot);
            begin(item + 2);
            UNROLL for (int i = 0; i < 8; i++) x[k][i] = load(i);
        }
}

// s = Q K^T of one tile, as Qlo Khi^T + Qhi Klo^T + Qhi Khi^T: the small ones first, or they are lost beside the large.
template <class T> DEVICE void start_scores(float (&s)[64], const block &b, const char *q, int item) {
    UNROLL for (int panel = 0; panel < T::PANELS; panel++, item++) {
        wait(b.full + item % T::STAGES, item / T::STAGES % 2);
        const uint64_t Q = descriptor(q + panel * T::Q_PANEL), K = descriptor(b.ring + item % T::STAGES * T::ITEM);
        wgmma_begin();
        UNROLL for (int product = 0; product < 3; product++) UNROLL for (int d = 0; d < 64; d += 16)
            wgmma(s, Q + (((product == 0) * T::Q_PANEL / 2 + d * 2) >> 4),
                  K + (((product == 1) * T::ITEM / 2 + d * 2) >> 4), panel + product + d > 0);
        wgmma_commit();
    }
}

// o += P V of one tile, as Plo Vhi + Phi Vlo + Phi Vhi.
template <class T>
DEVICE void start_values(float (&o)[32 * T::PANELS], const uint32_t (&hi)[32], const uint32_t (&lo)[32], const block &b,
                         int item) {
    UNROLL for (int panel = 0; panel < T::PANELS; panel++, item++) {
        wait(b.full + item % T::STAGES, item / T::STAGES % 2);
        const uint64_t V = descriptor(b.ring + item % T::STAGES * T::ITEM);
        wgmma_begin();
        UNROLL for (int k = 0; k < T::Bc; k += 16) {
            wgmma(registers_at<32>(o + 32 * panel), lo + k / 4, V + (k * 128 >> 4));
            wgmma(registers_at<32>(o + 32 * panel), hi + k / 4, V + ((k * 128 + T::ITEM / 2) >> 4));
            wgmma(registers_at<32>(o + 32 * panel), hi + k / 4, V + (k * 128 >> 4));
        }
        wgmma_commit();
    }
}

template <class T> DEVICE void consume(const block &b, int w) {
    const int t = threadIdx.x % 128, first = b.first_q + 64 * w;  // this consumer's queries: first .. first + 63
    char *q = b.queries + w * T::PANELS * T::Q_PANEL;
    load_split<64, T::PANELS, 128>(q, b.Q + (size_t)first * b.D, b.Sq - first, b.D, t);
    fence_for_wgmma();
    named_sync(3 + w, 128);                            // all queries are written before any is multiplied
    const int row = first + t / 32 * 16 + t % 32 / 4;  // and row + 8
    const float scale = 1.44269504f / sqrtf((float)b.D);
    float s[64], o[32 * T::PANELS] = {}, m[2] = {-INFINITY, -INFINITY}, l[2] = {};
    uint32_t hi[32], lo[32];
    if (w == 1) named_arrive(1, 256);  // consumer 0 has the first turn
    for (int tile = 0, item = 0;; tile++) {
        named_sync(1 + w, 256);  // my turn
        if (tile > 0) {
            start_values<T>(o, hi, lo, b, item);
            UNROLL for (int panel = 0; panel < T::PANELS; panel++, item++) {
                floats<32> &x = registers_at<32>(o + 32 * panel);
                panel + 1 < T::PANELS ? wgmma_wait<1>(x) : wgmma_wait<0>(x);
                arrive(b.empty + item % T::STAGES);
            }
        }
        if (tile == b.tiles) break;
        start_scores<T>(s, b, q, item);
        named_arrive(2 - w, 256);  // the other's turn: its products queue behind these
        UNROLL for (int panel = 0; panel < T::PANELS; panel++, item++) {
            panel + 1 < T::PANELS ? wgmma_wait<1>(s) : wgmma_wait<0>(s);
            arrive(b.empty + item % T::STAGES);
        }
        const int k0 = tile * T::Bc;
        if (k0 + T::Bc > b.Sk || k0 + T::Bc - 1 > first + b.shift)  // some row does not see the whole tile
            UNROLL for (int i = 0; i < 64; i++) {
                const int key = k0 + i / 4 * 8 + t % 4 * 2 + i % 2;
                if (key >= b.Sk || key > row + i % 4 / 2 * 8 + b.shift) s[i] = -INFINITY;
            }
        softmax(s, o, m, l, hi, lo, scale);
    }
    if (w == 0) named_arrive(2, 256);  // nobody waits for a third turn
    UNROLL for (int r = 0; r < 2; r++) {
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) l[r] += __shfl_xor_sync(0xffffffff, l[r], bit);
        const float norm = 1 / l[r];
        float *out = b.O + (size_t)(row + 8 * r) * b.D + t % 4 * 2;
        UNROLL for (int d = 0; d < T::DP; d += 8) {
            const float *x = o + d / 2 + 2 * r;
            if (row + 8 * r < b.Sq && d < b.D) *(float2 *)(out + d) = make_float2(x[0] * norm, x[1] * norm);
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS, 1)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
#ifdef HOPPER
    extern __shared__ char shared[];
    block b;
    b.full = (uint64_t *)shared, b.empty = b.full + T::STAGES;
    b.queries = shared + T::HEAD + (-(int)shared_address(shared) & 1023);  // swizzled tiles begin at multiples of 1024
    b.ring = b.queries + T::QUERIES;
    b.D = s.head_dim, b.Sq = s.seq_q, b.Sk = s.seq_kv;
    const int blocks = (s.seq_q + T::Br - 1) / T::Br;  // of a head; they run side by side and share K and V in L2
    b.first_q = (blocks - 1 - (int)(blockIdx.x % blocks)) * T::Br;  // last one first: where causal, it takes longest
    const size_t head = blockIdx.x / blocks;
    b.Q = Q + head * b.Sq * b.D, b.O = O + head * b.Sq * b.D, b.K = K + head * b.Sk * b.D, b.V = V + head * b.Sk * b.D;
    b.shift = s.causal ? b.Sk - b.Sq : b.Sk;
    b.tiles = (min(b.Sk, b.first_q + T::Br + b.shift) + T::Bc - 1) / T::Bc;  // no row sees more
    if (threadIdx.x == 0) {
        for (int i = 0; i < T::STAGES; i++)
            init(b.full + i, 4 * T::PRODUCERS), init(b.empty + i, 4 * T::CONSUMERS);  // warps
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();  // the barriers stand before anyone uses them
    const int wg = warpgroup();
    if (wg < T::PRODUCERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 80;");
        produce<T>(b);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 176;");
        consume<T>(b, wg - T::PRODUCERS);
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
        s.head_dim <= 64 ? launch<plan<1>>(O, Q, K, V, s, stream) : launch<plan<2>>(O, Q, K, V, s, stream);
    else
        launch_plain(O, Q, K, V, s, stream);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
