// decode.cu: rung 12, decoding at the speed of memory. Nearly all the work is reading K and V once, so what counts is
// that enough bytes are on their way at any time, on every multiprocessor, from the first microsecond to the last.
//
// All keys of all sequences and heads stand in one line, cut into chunks of 4 KiB of K and 4 KiB of V. Each block takes
// an equal share of the line, wherever a head begins or ends in it:
//
//      heads     |      0      |      1      |      2      |      3      |
//      chunks    ...................................................... .
//      blocks    |    0    |    1    |    2    |    3    |    4    |  5   |     a part of a head: m, l, o to workspace
//
// A warp takes every WARPS-th chunk of its block's share. It has its own place in shared memory, and asks the copy engine
// for its next chunk as soon as it has used this one: no barrier among warps until a head ends. 16 warps a multiprocessor
// with 8 KiB each under way are 17 MB in all. Of a head with several parts, the block that finishes last joins them: one
// kernel does all. Where shares are long, a chunk is a tile of the whole block (large.h). Small caches have a kernel that
// does without a line (small.h). Float16 of 64 and 128 dims goes through the tensor cores (columns.h).
#include "decode.h"

#include "large.h"
#include "line.h"
#include "part.h"
#include "small.h"

// X: part or columns.
template <class P, class X>
static __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    decode(typename P::T *O, const typename P::T *Q, const typename P::T *K, const typename P::T *V, const int *lengths,
           unsigned *arrived, attn_cache c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) char shared[];
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32, D = c.head_dim, row = D * sizeof(typename P::T);
    uint64_t *full = (uint64_t *)shared + w;
    char *tile = shared + 1024 + w * 2 * CHUNK;                   // K, then V
    float *parts = (float *)(shared + 1024 + WARPS * 2 * CHUNK);  // [2][WARPS][DP + 4]
    float *slots = (float *)(arrived + c.batch * c.heads);
    if (lane == 0) init(full, 1), fence_for_barriers();
    __syncwarp();
    cudaTriggerProgrammaticLaunchCompletion();
    prefetch<P>(K, V, lengths, c);
    cudaGridDependencySynchronize();  // what earlier kernels write is there

    place<P> ahead, here;
    ahead.look(lengths);
    const int total = chunks_of_all<P>(lengths, c), share = share_of<P>(total, gridDim.x, ahead.n);
    const int begin = min(total, (int)blockIdx.x * share), end = min(total, begin + share);
    if (begin == end) return;
    ahead.seek(begin, lengths, c.heads), here = ahead;

    auto ask = [&](int chunk) {
        if (chunk >= end) return;
        ahead.seek(chunk, lengths, c.heads);
        const int i = chunk - ahead.before, key = i % ahead.n * P::KEYS, bytes = min(P::KEYS, ahead.length - key) * row;
        const size_t at = (((size_t)ahead.b * c.heads + i / ahead.n) * c.max_seq + key) * D;
        expect_bytes(full, 2 * bytes);
        if (bytes > 0) bulk_load(tile, K + at, bytes, full), bulk_load(tile + CHUNK, V + at, bytes, full);
    };
    if (lane == 0) ask(begin + w);

    int chunk = begin + w, parity = 0, odd = 0;
    for (int from = begin, to; from < end; from = to, odd ^= 1) {
        here.seek(from, lengths, c.heads);
        const int head = (from - here.before) / here.n, start = here.before + head * here.n;
        const size_t pair = (size_t)here.b * c.heads + head;
        to = min(end, start + here.n);
        X x(Q + pair * D, D);
        for (; chunk < to; chunk += WARPS) {
            wait(full, parity), parity ^= 1;
            x.add(tile, tile + CHUNK, here.length - (chunk - start) * P::KEYS, row);
            __syncwarp();  // all lanes have read it
            if (lane == 0) ask(chunk + WARPS);
        }
        const int first = start / share, last = (start + here.n - 1) / share;  // blocks of this head
        float *warps = parts + odd * WARPS * (P::DP + 4);
        x.put(warps + w * (P::DP + 4));
        finish_head<P>(O + pair * D, warps, slots, arrived + pair, first, last, D);
    }
#endif
}

template <class P>
static attn_status launch(void *O, const void *Q, const void *K, const void *V, const int *lengths, void *workspace,
                          attn_cache c, cudaStream_t stream) {
    typedef typename P::T T;
    if (launch_small<P, 4>((T *)O, (const T *)Q, (const T *)K, (const T *)V, lengths, c, stream) ||
        launch_small<P, 8>((T *)O, (const T *)Q, (const T *)K, (const T *)V, lengths, c, stream))
        return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
    if (launch_large<P>((T *)O, (const T *)Q, (const T *)K, (const T *)V, lengths, workspace, c, stream))
        return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
    const size_t n = (c.max_seq + P::KEYS - 1) / P::KEYS, chunks = c.batch * c.heads * n;  // n: of a head
    size_t blocks = BLOCKS * multiprocessors();
    if (blocks > (chunks + P::LEAST - 1) / P::LEAST) blocks = (chunks + P::LEAST - 1) / P::LEAST;
    if (blocks > DECODE_MAX_BLOCKS) blocks = DECODE_MAX_BLOCKS;
    auto *kernel = decode<P, part<P>>;
    if constexpr (sizeof(T) == 2)  // to begin and to end a head is dearer with columns
        if (c.head_dim == P::DP && n > 2 * WARPS) kernel = decode<P, columns<P>>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, P::BYTES);
    cudaLaunchAttribute with[1] = {overlap()};  // the next call's blocks may start while this one's end
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(32 * WARPS), config.dynamicSmemBytes = P::BYTES;
    config.stream = stream, config.attrs = with, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, (T *)O, (const T *)Q, (const T *)K, (const T *)V, lengths,
                       (unsigned *)workspace, c);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

static int is_bad_cache(attn_cache c) {
    return c.batch < 1 || c.heads < 1 || c.max_seq < 1 || c.head_dim < 8 || c.head_dim > 128 || c.head_dim % 8 != 0;
}

ATTN_API attn_status attn_decode_f32(void *O, const void *Q, const void *K, const void *V, const int *lengths,
                                     void *workspace, attn_cache c, cudaStream_t stream) {
    if (is_bad_cache(c)) return ATTN_BAD_SHAPE;
    return (c.head_dim <= 64 ? launch<plan<float, 64>> : launch<plan<float, 128>>)(O, Q, K, V, lengths, workspace, c,
                                                                                   stream);
}
ATTN_API attn_status attn_decode_f16(void *O, const void *Q, const void *K, const void *V, const int *lengths,
                                     void *workspace, attn_cache c, cudaStream_t stream) {
    if (is_bad_cache(c)) return ATTN_BAD_SHAPE;
    return (c.head_dim <= 64 ? launch<plan<__half, 64>> : launch<plan<__half, 128>>)(O, Q, K, V, lengths, workspace, c,
                                                                                     stream);
}
