// large.h: decoding where blocks have long shares of the line: one block a multiprocessor, and few large copies.
//
// A chunk of the line is a tile of the whole block, 32 KiB of K and 32 KiB of V. One warp asks for tiles, three ahead,
// and does nothing else; the others have a piece of each, and say when they have read it. So copies go on while a head
// ends: nobody who waits for others has the next copy to ask for.
//
//      asks           tile 3 | tile 4 | ...        waits for `empty`
//      shared memory  tile 0 | tile 1 | tile 2     `full`: it has come, `empty`: 8 warps have read it
//      warps 0 .. 7   keys 0 .. 15 | 16 .. 31 | ...   of each tile
#ifndef LARGE_H
#define LARGE_H

#include "columns.h"
#include "line.h"

template <class P_> struct large_plan {
    typedef P_ P;
    typedef typename P::T T;
    static constexpr int KEYS = WARPS * P::KEYS, TILE = WARPS * CHUNK, STAGES = 3, EARLY = 2;  // tiles asked for early
    static constexpr int LEAST = 1, EXTRA = 0;
    static constexpr int BYTES = 1024 + STAGES * 2 * TILE + 2 * WARPS * (P::DP + 4) * 4;
};

// Each lane for itself: it costs nothing, and racecheck, which sees no order in __syncwarp(), can follow.
DEVICE void arrive_alone(uint64_t *b) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}

// X: part or columns.
template <class S, class X>
static __global__ void __launch_bounds__(32 * WARPS + 32, 1)
    decode_large(typename S::T *O, const typename S::T *Q, const typename S::T *K, const typename S::T *V,
                 const int *lengths, unsigned *arrived, attn_cache c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    typedef typename S::P P;
    extern __shared__ __align__(128) char shared[];
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32, D = c.head_dim, row = D * sizeof(typename S::T);
    uint64_t *full = (uint64_t *)shared, *empty = full + S::STAGES;
    char *tiles = shared + 1024;                                // [STAGES][2][TILE]: K, then V
    float *parts = (float *)(tiles + S::STAGES * 2 * S::TILE);  // [2][WARPS][DP + 4]
    float *slots = (float *)(arrived + c.batch * c.heads);
    if (threadIdx.x == 0) {
        UNROLL for (int i = 0; i < S::STAGES; i++) init(full + i, 1), init(empty + i, 32 * WARPS);
        fence_for_barriers();
    }
    cudaTriggerProgrammaticLaunchCompletion();
    if (w < S::EARLY) prefetch<S>(K, V, lengths, c);
    __syncthreads();                  // the barriers stand
    cudaGridDependencySynchronize();  // what earlier kernels write is there

    place<S> here;
    here.look(lengths);
    const int total = chunks_of_all<S>(lengths, c), share = share_of<S>(total, gridDim.x, here.n);
    const int begin = min(total, (int)blockIdx.x * share), end = min(total, begin + share);
    if (begin == end) return;
    here.seek(begin, lengths, c.heads);

    int stage = 0, parity = 0;
    auto next = [&] {
        if (++stage == S::STAGES) stage = 0, parity ^= 1;
    };
    if (w == WARPS) {
        if (lane > 0) return;
        for (int t = begin; t < end; t++, next()) {
            here.seek(t, lengths, c.heads);
            const int i = t - here.before, key = i % here.n * S::KEYS, bytes = min(S::KEYS, here.length - key) * row;
            const size_t at = (((size_t)here.b * c.heads + i / here.n) * c.max_seq + key) * D;
            char *tile = tiles + stage * 2 * S::TILE;
            if (t - begin >= S::STAGES) wait(empty + stage, parity ^ 1);
            expect_bytes(full + stage, 2 * bytes);
            if (bytes <= 0) continue;  // an empty sequence
            bulk_load(tile, K + at, bytes, full + stage);
            bulk_load(tile + S::TILE, V + at, bytes, full + stage);
        }
        return;
    }
    int odd = 0;
    for (int from = begin, to; from < end; from = to, odd ^= 1) {
        here.seek(from, lengths, c.heads);
        const int head = (from - here.before) / here.n, start = here.before + head * here.n;
        const size_t pair = (size_t)here.b * c.heads + head;
        to = min(end, start + here.n);
        X x(Q + pair * D, D);
        for (int t = from; t < to; t++, next()) {
            const int first = w * P::KEYS;  // of the tile's keys
            const char *tile = tiles + stage * 2 * S::TILE + first * row;
            wait(full + stage, parity);
            x.add(tile, tile + S::TILE, here.length - (t - start) * S::KEYS - first, row);
            arrive_alone(empty + stage);
        }
        float *warps = parts + odd * WARPS * (P::DP + 4);
        x.put(warps + w * (P::DP + 4));
        finish_head<P>(O + pair * D, warps, slots, arrived + pair, start / share, (start + here.n - 1) / share, D);
    }
#endif
}

// Launches it, if blocks have two tiles and more, and heads seldom end: they have 8 tiles, or are fewer than blocks.
template <class P>
static bool launch_large(typename P::T *O, const typename P::T *Q, const typename P::T *K, const typename P::T *V,
                         const int *lengths, void *workspace, attn_cache c, cudaStream_t stream) {
    typedef large_plan<P> S;
    const int blocks = multiprocessors();
    const size_t n = (c.max_seq + S::KEYS - 1) / S::KEYS, tiles = c.batch * c.heads * n;
    const bool seldom_end = n >= 8 || c.batch * c.heads <= blocks;
    if (!seldom_end || tiles < 2 * (size_t)blocks || blocks > DECODE_MAX_BLOCKS) return false;
    auto *kernel = decode_large<S, part<P>>;
    if constexpr (sizeof *O == 2)
        if (c.head_dim == P::DP) kernel = decode_large<S, columns<P>>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::BYTES);
    cudaLaunchAttribute with[1] = {overlap()};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(32 * WARPS + 32), config.dynamicSmemBytes = S::BYTES;
    config.stream = stream, config.attrs = with, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, O, Q, K, V, lengths, (unsigned *)workspace, c);
    return true;
}

#endif
