// flash.cu: rung 11, float16 or bfloat16 in and out: one product each, so that everything around it counts.
//
// A block stays for the whole call and takes one work item after the other, 64 queries a consumer. Its warpgroups:
//
//      producer        one thread: asks the copy engine for Q, K, V of this item, and already of the next
//      consumers       2 (D > 64) or 3: Q K^T, softmax, P V; the copy engine writes O
//
// Shared memory; mbarriers say when a place is full and when it is empty:
//
//      Q   64 rows a consumer, twice: this item and the next. O passes through the same place on its way out.
//      K   a ring of STAGES tiles of 128 keys         V   another
//
// A consumer queues Q K^T of this tile and P V of the last one at once, then does its softmax while others multiply:
//
//      consumer 0   | Q K^T, P V |       softmax           | Q K^T, P V |
//      consumer 1      softmax   | Q K^T, P V |      softmax            |
//      consumer 2           softmax           | Q K^T, P V |
#include "half.h"
#include "tma.h"
#include "wgmma.h"
#include "work.h"

template <class T> DEVICE void produce(const maps &m, const problem &p, const places &s) {
    ring r;
    auto load = [&](char *to, const CUtensorMap *map, int bytes, int row, int head, uint64_t *full) {
        expect_bytes(full, bytes);
        for (int i = 0; i < T::PANELS; i++) tma_load(to + i * bytes / T::PANELS, map, 64 * i, row, head, full);
    };
    for (int i = 0;; i++) {
        const int number = atomicInc(p.next, p.items + gridDim.x - 1), at = i % 2 * T::CONSUMERS;
        s.numbers[i % 4] = number;
        const item n = number < p.items ? item_of<T>(p, number) : item();
        for (int tile = n.tiles - 1; tile >= 0; tile--, r.next()) {  // the last first: only that one needs a mask
            wait(s.k_empty + r.slot, r.parity ^ 1);
            load(s.k + r.slot * T::KV, &m.k, T::KV, tile * Bc, n.head, s.k_full + r.slot);
            if (tile == n.tiles - 1)
                for (int c = at; c < at + T::CONSUMERS; c++) {
                    wait(s.q_empty + c, i / 2 % 2 ^ 1);
                    load(s.q + c * T::Q, &m.q, T::Q, n.first_q + 64 * (c - at), n.head, s.q_full + c);
                }
            wait(s.v_empty + r.slot, r.parity ^ 1);
            load(s.v + r.slot * T::KV, &m.v, T::KV, tile * Bc, n.head, s.v_full + r.slot);
        }
        if (number < p.items) continue;
        for (int c = at; c < at + T::CONSUMERS; c++) wait(s.q_empty + c, i / 2 % 2 ^ 1), arrive_alone(s.q_full + c);
        return;
    }
}

template <class T>
DEVICE void start_scores(float (&s)[64], const char *q, const uint32_t *in_registers, const char *k) {
    const uint64_t Q = descriptor(q), K = descriptor(k);
    wgmma_begin();
    UNROLL for (int d = 0; d < T::DP; d += 16) {
        const uint64_t b = K + ((d / 64 * T::KV_PANEL + d % 64 * 2) >> 4);
        if (T::Q_IN_REGISTERS)
            scores(typename T::H(), s, in_registers + d / 4, b, d > 0);
        else
            scores(typename T::H(), s, Q + ((d / 64 * T::Q_PANEL + d % 64 * 2) >> 4), b, d > 0);
    }
    wgmma_commit();
}

template <class T> DEVICE void start_values(float (&o)[T::DP / 2], const uint32_t (&weights)[32], const char *v) {
    const uint64_t V = descriptor(v) | (uint64_t)(T::KV_PANEL >> 4) << 16;  // from 64 dims to the next 64
    wgmma_begin();
    UNROLL for (int k = 0; k < Bc; k += 16) values(typename T::H(), o, weights + k / 4, V + (k * 128 >> 4));
    wgmma_commit();
}

// O / l of a consumer's 64 rows into the place of its queries, from where they are copied.
template <class T> DEVICE void store_rows(const float (&o)[T::DP / 2], const float (&l)[2], char *to, int row, int w) {
    UNROLL for (int r = 0; r < 2; r++) {
        float sum = l[r];
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) sum += __shfl_xor_sync(0xffffffff, sum, bit);
        const float norm = 1 / sum;
        UNROLL for (int d = 0; d < T::DP; d += 8) {  // no bank twice: 8 rows, each at another piece
            char *at = to + d / 64 * T::Q_PANEL + (row + 8 * r) * 128 + (d % 64 / 8 ^ row % 8) * 16;
            const float *x = &o[d / 2 + 2 * r];
            *(uint32_t *)(at + threadIdx.x % 4 * 4) = pack(typename T::H(), x[0] * norm, x[1] * norm);
        }
    }
    fence_for_wgmma();                      // and for the copy engine
    named_sync(1 + T::CONSUMERS + w, 128);  // all rows are written before they are copied
}

// The first of an item's tiles, of which this consumer's rows see no key: places are freed, turns handed on.
template <class T> DEVICE void pass_by(const places &at, ring &k, ring &v, int all, int seen, int w, int next) {
    for (int tile = all - 1; tile >= seen; tile--) {
        wait(at.k_full + k.slot, k.parity), arrive(at.k_empty + k.slot), k.next();
        if (T::TURNS && tile < all - 1) named_sync(1 + w, 256), named_arrive(1 + next, 256);
        wait(at.v_full + v.slot, v.parity), arrive(at.v_empty + v.slot), v.next();
    }
}

template <class T> DEVICE void consume(const maps &maps, const problem &p, const places &at, int w) {
    const int t = threadIdx.x % 128, next = (w + 1) % T::CONSUMERS;
    ring k, v;
    if (T::TURNS && next == 0) named_arrive(1, 256);  // consumer 0 has the first turn
    for (int i = 0;; i++) {
        const int place = i % 2 * T::CONSUMERS + w;
        char *q = at.q + place * T::Q;
        wait(at.q_full + place, i / 2 % 2);
        if (at.numbers[i % 4] >= p.items) break;
        const item n = item_of<T>(p, at.numbers[i % 4]);
        const int first = n.first_q + 64 * w, row = t / 32 * 16 + t % 32 / 4;  // a lane has first + row, and + 8
        const int tiles = tiles_before(p, first + 64);  // of the item's, those that these rows see
        pass_by<T>(at, k, v, n.tiles, tiles, w, next);
        if (!tiles) {
            if (t == 0) arrive_alone(at.q_empty + place);
            continue;
        }
        const bool in_turn = T::TURNS && tiles < n.tiles;  // others are at their second tile
        float s[64], o[T::DP / 2] = {}, m[2] = {-1e30f, -1e30f}, l[2] = {}, rescale[2];  // finite: no inf - inf
        uint32_t weights[32], in_registers[T::DP / 4];
        if (T::Q_IN_REGISTERS)
            UNROLL for (int d = 0; d < T::DP; d += 16)
                load_fragment(in_registers + d / 4, q + d / 64 * T::Q_PANEL, d % 64);
        wait(at.k_full + k.slot, k.parity);
        if (in_turn) named_sync(1 + w, 256);
        start_scores<T>(s, q, in_registers, at.k + k.slot * T::KV);
        if (in_turn) named_arrive(1 + next, 256);
        wgmma_wait<0>(s);
        arrive(at.k_empty + k.slot), k.next();
        mask(s, p, first, (tiles - 1) * Bc);
        softmax(s, m, l, rescale, p.scale);
        pack(typename T::H(), weights, s);
        for (int tile = tiles - 2; tile >= 0; tile--) {
            wait(at.k_full + k.slot, k.parity);
            if (T::TURNS) named_sync(1 + w, 256);  // my turn
            start_scores<T>(s, q, in_registers, at.k + k.slot * T::KV);
            wait(at.v_full + v.slot, v.parity);
            start_values<T>(o, weights, at.v + v.slot * T::KV);
            if (T::TURNS) named_arrive(1 + next, 256);  // the next one's turn: its products queue behind these
            wgmma_wait<1>(s);
            arrive(at.k_empty + k.slot), k.next();
            mask(s, p, first, tile * Bc);
            const bool raised = softmax(s, m, l, rescale, p.scale);
            wgmma_wait<0>(o);
            arrive(at.v_empty + v.slot), v.next();
            pack(typename T::H(), weights, s);
            if (raised) UNROLL for (int i = 0; i < T::DP / 2; i++) o[i] *= rescale[i / 2 % 2];
        }
        wait(at.v_full + v.slot, v.parity);
        start_values<T>(o, weights, at.v + v.slot * T::KV);
        wgmma_wait<0>(o);
        arrive(at.v_empty + v.slot), v.next();
        store_rows<T>(o, l, q, row, w);
        if (t == 0) {
            for (int j = 0; j < T::PANELS; j++) tma_store(&maps.o, q + j * T::Q_PANEL, 64 * j, first, n.head);
            tma_stores_have_read();
            arrive_alone(at.q_empty + place);
        }
    }
    if (T::TURNS && w == 0) named_sync(1, 256);  // the turn that nobody takes
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS, 1) half_kernel(const __grid_constant__ maps m, const problem p) {
#ifdef HOPPER
    extern __shared__ char shared[];
    places at;
    at.q_full = (uint64_t *)shared, at.q_empty = at.q_full + 2 * T::CONSUMERS,
    at.k_full = at.q_empty + 2 * T::CONSUMERS;
    at.k_empty = at.k_full + STAGES, at.v_full = at.k_empty + STAGES, at.v_empty = at.v_full + STAGES;
    at.numbers = (int *)(at.v_empty + STAGES);
    at.q = shared + T::HEAD + (-(int)shared_address(shared) & 1023);  // swizzled tiles begin at multiples of 1024
    at.k = at.q + 2 * T::CONSUMERS * T::Q, at.v = at.k + STAGES * T::KV;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2 * T::CONSUMERS; i++) init(at.q_full + i, 1), init(at.q_empty + i, 1);
        for (int i = 0; i < STAGES; i++) {
            init(at.k_full + i, 1), init(at.k_empty + i, 4 * T::CONSUMERS);  // 4: warps
            init(at.v_full + i, 1), init(at.v_empty + i, 4 * T::CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();  // the barriers stand before anyone uses them
    const int wg = warpgroup();
    if (wg == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(T::PRODUCER_REGISTERS));
        if (threadIdx.x == 0) produce<T>(m, p, at);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(T::REGISTERS));
        consume<T>(m, p, at, wg - 1);
    }
#endif
}

template <class T>
static attn_status launch(CUtensorMapDataType type, void *O, const void *Q, const void *K, const void *V, attn_shape s,
                          cudaStream_t stream) {
    static unsigned calls;
    const int heads = s.batch * s.heads, blocks = (s.seq_q + T::Br - 1) / T::Br, D = s.head_dim;
    const int fit = (4 << 20) / D / s.seq_kv, group = s.causal ? max(1, min(heads, fit)) : 1;
    maps m;
    problem p = {s.seq_kv, s.causal ? s.seq_kv - s.seq_q : s.seq_kv, blocks, heads, group, blocks * heads};
    p.end = (s.seq_q + 63) / 64 * 64;
    p.scale = 1.44269504f / sqrtf((float)D);
    int device = 0, multiprocessors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (!write_map(&m.q, type, Q, D, s.seq_q, heads, 64) || !write_map(&m.k, type, K, D, s.seq_kv, heads, Bc) ||
        !write_map(&m.v, type, V, D, s.seq_kv, heads, Bc) || !write_map(&m.o, type, O, D, s.seq_q, heads, 64) ||
        cudaGetSymbolAddress((void **)&p.next, next_items) != cudaSuccess)
        return ATTN_CUDA_ERROR;
    p.next += calls++ % CALLS;
    cudaFuncSetAttribute(half_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    half_kernel<T><<<min(multiprocessors, p.items), T::THREADS, T::BYTES, stream>>>(m, p);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

template <class H>
static attn_status flash(CUtensorMapDataType type, void *O, const void *Q, const void *K, const void *V, attn_shape s,
                         cudaStream_t stream) {
    if (is_bad_shape(s)) return ATTN_BAD_SHAPE;
    if (device_generation() != 9) return ATTN_CUDA_ERROR;
    auto *run = s.head_dim <= 64 ? launch<plan<H, 1, 3>> : launch<plan<H, 2, 2>>;
    return run(type, O, Q, K, V, s, stream);
}

ATTN_API attn_status attn_flash_f16(void *O, const void *Q, const void *K, const void *V, attn_shape s,
                                    cudaStream_t stream) {
    return flash<__half>(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, O, Q, K, V, s, stream);
}
ATTN_API attn_status attn_flash_bf16(void *O, const void *Q, const void *K, const void *V, attn_shape s,
                                     cudaStream_t stream) {
    return flash<__nv_bfloat16>(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, O, Q, K, V, s, stream);
}
