// flash.cu: rung 9, the keys of a query split over a cluster of blocks.
//
// Rung 8 makes a block for 128 queries of a head. With B H = 8 heads of 1024 there are 64 blocks, and an H200 has 132
// multiprocessors; with 512 there are 32. So a cluster of 2, 4 or 8 blocks shares 128 queries, and each block walks
// over its part of the keys, as rung 8 does over all. Then each has an O, m and l of its own, and they are joined:
//
//      M = max m_k      O = sum exp(m_k - M) O_k / sum exp(m_k - M) l_k
//
// Blocks of a cluster store into each other's shared memory: there is no workspace and no second kernel. parts.h.
//
//      block 0   keys   0 .. 255   O0 m0 l0 -+- joins dims  0 .. 31
//      block 1   keys 256 .. 511   O1 m1 l1 -+- joins dims 32 .. 63      and so on
//
// Needs compute capability 9.0, as rung 8 does.
#include "../ladder/9_split_keys/parts.h"  // the compiler searches grader/core

// Half a tile is its keys or its values: K of tile i is half 2i. Of that, WIDTH dims from `dim` on. All producers load
// STEP rows of CHUNK dims at once, then the next rows, then the next dims: a thread writes the same places of the ring
// whether an item is wide or narrow.
template <class T, int WIDTH> DEVICE void load(float4 (&x)[8], const block &b, int half, int dim) {
    const int row = (b.first_tile + half / 2) * T::Bc + threadIdx.x / T::LANES, col = threadIdx.x % T::LANES * 4;
    const uint32_t row_bytes = 4 * b.D;
    // Beyond the last row, and the last dim, others are repeated: masks, and zeros in Q, keep them out of the result.
    const float *from = half % 2 ? b.V : b.K;
    UNROLL for (int i = 0; i < WIDTH / 8; i++) {
        const int more = i / T::HIGH * T::CHUNK;  // of a whole panel the chunks end where D does, or before
        const char *at =
            (const char *)(from + (WIDTH < 64 ? min(dim + col + more, b.D - 4) : min(dim + col, b.D - 4) + more));
        x[i] = *(const float4 *)(at + (size_t)(uint32_t)min(row + i % T::HIGH * T::STEP, b.Sk - 1) * row_bytes);
    }
}
template <class T, int WIDTH> DEVICE void hand_over(const float4 (&x)[8], const block &b, int item) {
    const int slot = item % T::STAGES, row = threadIdx.x / T::LANES, col = threadIdx.x % T::LANES * 4;
    char *tile = b.ring + slot * T::ITEM;
    wait(b.empty + slot, item / T::STAGES % 2 ^ 1);  // the first round finds every place empty
    UNROLL for (int i = 0; i < WIDTH / 8; i++)
        store_split(tile, T::ITEM / 2, row + i % T::HIGH * T::STEP, col + i / T::HIGH * T::CHUNK, x[i]);
    fence_for_wgmma();
    arrive(b.full + slot);
}
// The next item is asked for when this one is stored, and not sooner: the fence would wait for it.
template <class T> DEVICE void produce(const block &b) {
    float4 x[8];
    load<T, 64>(x, b, 0, 0);
    for (int half = 0, item = 0; half < 2 * b.tiles; half++) {
        hand_over<T, 64>(x, b, item++);
        if (T::PANELS > 1) load<T, T::LAST>(x, b, half, 64), hand_over<T, T::LAST>(x, b, item++);
        load<T, 64>(x, b, half + 1, 0);
    }
}

// s = Q K^T of one tile, as Qlo Khi^T + Qhi Klo^T + Qhi Khi^T: the small ones first, or they are lost beside the large.
template <class T> DEVICE void start_scores(float (&s)[64], const block &b, const char *q, int item) {
    UNROLL for (int panel = 0; panel < T::PANELS; panel++, item++) {
        wait(b.full + item % T::STAGES, item / T::STAGES % 2);
        const uint64_t Q = descriptor(q + panel * T::Q_PANEL), K = descriptor(b.ring + item % T::STAGES * T::ITEM);
        wgmma_begin();
        UNROLL for (int product = 0; product < 3; product++)
            UNROLL for (int d = 0; d < min(64, T::DP - 64 * panel); d += 16)
                wgmma(s, Q + (((product == 0) * T::Q_PANEL / 2 + d * 2) >> 4),
                      K + (((product == 1) * T::ITEM / 2 + d * 2) >> 4), panel + product + d > 0);
        wgmma_commit();
    }
}

// o += P V of one panel, as Plo Vhi + Phi Vlo + Phi Vhi.
template <class T, int WIDTH>
DEVICE void start_panel(float *o, const uint32_t (&hi)[32], const uint32_t (&lo)[32], const block &b, int item) {
    wait(b.full + item % T::STAGES, item / T::STAGES % 2);
    const uint64_t V = descriptor(b.ring + item % T::STAGES * T::ITEM);
    floats<WIDTH / 2> &d = registers_at<WIDTH / 2>(o);
    wgmma_begin();
    UNROLL for (int k = 0; k < T::Bc; k += 16) {
        wgmma(d, lo + k / 4, V + (k * 128 >> 4));
        wgmma(d, hi + k / 4, V + ((k * 128 + T::ITEM / 2) >> 4));
        wgmma(d, hi + k / 4, V + (k * 128 >> 4));
    }
    wgmma_commit();
}
template <class T>
DEVICE void start_values(float (&o)[T::SUMS], const uint32_t (&hi)[32], const uint32_t (&lo)[32], const block &b,
                         int item) {
    if (T::PANELS > 1) start_panel<T, 64>(o, hi, lo, b, item++);
    start_panel<T, T::LAST>(o + 32 * (T::PANELS - 1), hi, lo, b, item);
}

// Waits until only LEFT products are under way, and gives the places of V back.
template <class T, int LEFT> DEVICE void finish_values(float (&o)[T::SUMS], const block &b, int item) {
    if (T::PANELS > 1) wgmma_wait<LEFT + 1>(registers_at<32>(o)), arrive(b.empty + item++ % T::STAGES);
    wgmma_wait<LEFT>(registers_at<T::LAST / 2>(o + 32 * (T::PANELS - 1))), arrive(b.empty + item % T::STAGES);
}

// The softmax of hopper.h without a look at the scores: their sum tells afterwards whether a weight was too large for
// float16. Then m is raised, and all is done once more.
DEVICE void softmax_unseen(const float (&s)[64], float (&o)[32], float (&m)[2], float (&l)[2], uint32_t (&hi)[32],
                           uint32_t (&lo)[32], float scale, bool first) {
    for (bool sure = first;; sure = true) {
        float top[2], sum[2] = {};
        if (sure) largest(s, top, scale), raise_maximum(top, o, m, l);
        weigh(s, m, sum, hi, lo, scale);
        if (!sure && __any_sync(0xffffffff, !(sum[0] < 32768 && sum[1] < 32768))) continue;  // a NaN is not
        l[0] += sum[0], l[1] += sum[1];
        return;
    }
}

template <class T> DEVICE void consume(const block &b, int w) {
    const int t = threadIdx.x % 128, sharers = 1 + b.by.few;
    const int first = b.first_q + (b.by.few ? 0 : 64 * w);  // its queries: first .. first + 63
    char *q = b.queries + w * T::PANELS * T::Q_PANEL;
    load_split<64, T::PANELS, 128>(q, b.Q + (size_t)first * b.D, b.Sq - first, b.D, t);
    fence_for_wgmma();
    named_sync(3 + w, 128);                            // all queries are written before any is multiplied
    const int row = first + t / 32 * 16 + t % 32 / 4;  // and row + 8
    float s[64], o[T::SUMS] = {}, m[2] = {LOWEST, LOWEST}, l[2] = {};
    uint32_t hi[32], lo[32];
    if (!b.by.few && w == 1) named_arrive(1, 256);  // consumer 0 has the first turn
    const int start = b.by.few ? w : 0;
    int item = 2 * T::PANELS * start, values = item;  // where K is, and V of the tile before
    for (int tile = start; tile < b.tiles; tile += sharers) {
        if (!b.by.few) named_sync(1 + w, 256);  // my turn
        if (tile > start) {
            start_values<T>(o, hi, lo, b, values);
            if (T::PANELS > 1) finish_values<T, 0>(o, b, values);  // no registers for what follows, too
        }
        start_scores<T>(s, b, q, item);
        if (!b.by.few) named_arrive(2 - w, 256);  // the other's turn: its products queue behind these
        if (tile > start && T::PANELS == 1) finish_values<T, 1>(o, b, values);
        UNROLL for (int panel = 0; panel < T::PANELS; panel++, item++) {
            panel + 1 < T::PANELS ? wgmma_wait<1>(s) : wgmma_wait<0>(s);
            arrive(b.empty + item % T::STAGES);
        }
        if (b.by.halvings && tile + sharers >= b.tiles) cluster_arrive();  // where the queries stood, parts may come
        const int k0 = (b.first_tile + tile) * T::Bc;
        if (k0 + T::Bc > b.Sk || k0 + T::Bc - 1 > first + b.shift)  // some row does not see the whole tile
            UNROLL for (int i = 0; i < 64; i++) {
                const int key = k0 + i / 4 * 8 + t % 4 * 2 + i % 2;
                if (key >= b.Sk || key > row + i % 4 / 2 * 8 + b.shift) s[i] = -INFINITY;
            }
        if constexpr (T::PANELS == 1)
            softmax_unseen(s, o, m, l, hi, lo, b.scale, tile == start);
        else  // no registers for scores that are needed twice
            softmax(s, o, m, l, hi, lo, b.scale);
        values = item, item += T::PANELS + 2 * T::PANELS * (sharers - 1);
    }
    if (b.by.halvings && start >= b.tiles) cluster_arrive();
    if (!b.by.few) named_sync(1 + w, 256);
    if (start < b.tiles) {
        start_values<T>(o, hi, lo, b, values);
        finish_values<T, 0>(o, b, values);
    }
    if (!b.by.few && w == 0) named_arrive(2, 256);  // nobody waits for a third turn
    UNROLL for (int r = 0; r < 2; r++) UNROLL for (int bit = 1; bit <= 2; bit *= 2) l[r] +=
        __shfl_xor_sync(0xffffffff, l[r], bit);
    if (!T::SHARED && !T::FEW) return join_parts<T, 0, false>(b, w, row, o, m, l);
    T::FEW && !b.by.halvings ? send_and_join<T, 1, false>(b, w, row, o, m, l)
    : b.by.doublings() == 1  ? send_and_join<T, 1, true>(b, w, row, o, m, l)
    : b.by.doublings() == 2  ? send_and_join<T, 2, true>(b, w, row, o, m, l)
                             : send_and_join<T, 3, true>(b, w, row, o, m, l);
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS, 1)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape s, float scale, int halvings) {
#ifdef HOPPER
    extern __shared__ char shared[];
    const sharing by = {T::HALVINGS == AT_LAUNCH ? halvings : T::HALVINGS, T::FEW};
    const int rows = 128 >> by.few;               // of queries, in a block
    const int group = blockIdx.x >> by.halvings;  // a group of blocks has the same queries
    block b;
    b.full = (uint64_t *)shared, b.empty = b.full + T::STAGES, b.mailed = b.empty + T::STAGES;
    b.queries = shared + T::HEAD + (-(int)shared_address(shared) & 1023);  // swizzled tiles begin at multiples of 1024
    b.ring = b.queries + T::QUERIES, b.by = by;
    b.D = s.head_dim, b.Sq = s.seq_q, b.Sk = s.seq_kv, b.rank = blockIdx.x - (group << by.halvings);
    const int blocks = by.in_blocks(b.Sq);  // of a head; they run side by side and share K and V in L2
#ifdef FOR_PROMPTS                          // rung 16: the longest of all heads first
    const int heads = s.batch * s.heads;
    b.first_q = (blocks - 1 - group / heads) * rows;
    const size_t head = group % heads;
#else
    b.first_q = (blocks - 1 - group % blocks) * rows;  // last one first: where causal, it takes longest
    const size_t head = group / blocks;
#endif
    b.Q = Q + head * b.Sq * b.D, b.O = O + head * b.Sq * b.D, b.K = K + head * b.Sk * b.D, b.V = V + head * b.Sk * b.D;
#ifdef FOR_PROMPTS
    b.Sk = s.seq_q;  // keys and values stand in the cache, and seq_kv is its room
#endif
    b.shift = s.causal ? b.Sk - b.Sq : b.Sk, b.scale = scale;
    b.of_all = (min(b.Sk, b.first_q + rows + b.shift) + T::Bc - 1) / T::Bc;  // no row sees more
    b.first_tile = first_tile(b, b.rank), b.tiles = first_tile(b, b.rank + 1) - b.first_tile;
    if (threadIdx.x == 0) {
        for (int i = 0; i < T::STAGES; i++)
            init(b.full + i, 4 * T::PRODUCERS), init(b.empty + i, 4 * T::CONSUMERS >> by.few);
        for (int w = 0; w < T::CONSUMERS; w++) init(b.mailed + w, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        const int mail = ((1 << by.doublings()) - 1) * (share<T>(by.doublings()) + 1) * 512;
        for (int w = 0; w < T::CONSUMERS; w++) expect_bytes(b.mailed + w, mail);
    }
    __syncthreads();  // the barriers stand before anyone uses them
    wait_for_last_kernel();
    const int wg = T::PANELS > 1 || T::FEW ? warpgroup() : threadIdx.x / 128;  // D = 64 gains nothing
    if (wg < T::PRODUCERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 64;");
        produce<T>(b);
        if (by.halvings) cluster_arrive(), cluster_wait();
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 192;");
        consume<T>(b, wg - T::PRODUCERS);
    }
#endif
}

template <class T> static void launch(const call &c, sharing by) {
    const launch_of<T> as(c.shape, by, c.stream);
    cudaFuncSetAttribute(flash_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    cudaLaunchKernelEx(&as.config, flash_kernel<T>, c.O, c.Q, c.K, c.V, c.shape,
                       1.44269504f / sqrtf((float)c.shape.head_dim), by.halvings);
}

#ifndef FOR_PROMPTS
// At most 2^halvings blocks in a cluster: fewer, where there are not as many tiles, or the device cannot hold them all.
template <class T> static sharing as_fit(const attn_shape &s, int halvings) {
    sharing by = {halvings, T::FEW};
    cudaFuncSetAttribute(flash_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    for (int room = 0; by.halvings; by.halvings--) {
        if (T::Bc << by.doublings() > s.seq_kv + T::Bc - 1) continue;
        const launch_of<T> as(s, by, 0);
        cudaOccupancyMaxActiveClusters(&room, flash_kernel<T>, &as.config);
        if (by.groups(s) <= room) break;
    }
    return by;
}

// Blocks of 64 queries where they occupy more of the device at once than those of 128.
template <int DP> static void launch_best(const call &c) {
    typedef plan<DP, true, true> few;
    typedef plan<DP, true, false> shared;
    const sharing a = as_fit<few>(c.shape, 2), b = as_fit<shared>(c.shape, 3);
    const int blocks = a.blocks(c.shape);
    if (blocks <= multiprocessors() && blocks > b.blocks(c.shape))
        launch<few>(c, a);
    else if (DP == 64 && b.halvings == 1)  // 3 % sooner by a kernel of its own
        launch<plan<DP, true, false, DP == 64 ? 1 : AT_LAUNCH>>(c, b);
    else
        b.halvings ? launch<shared>(c, b) : launch<plan<DP, false, false>>(c, b);
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (is_bad_shape(s)) return ATTN_BAD_SHAPE;
    if (device_generation() == 9)
        (s.head_dim <= 64    ? launch_best<64>
         : s.head_dim <= 80  ? launch_best<80>
         : s.head_dim <= 96  ? launch_best<96>
         : s.head_dim <= 112 ? launch_best<112>
                             : launch_best<128>)({O, Q, K, V, s, stream});
    else
        launch_plain(O, Q, K, V, s, stream);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
#endif
