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
// kernel does all. Small caches have another: small.h.
#include "decode.h"

#include "part.h"
#include "small.h"

DEVICE void bulk_load(char *to, const void *from, int bytes, uint64_t *b) {  // the copy engine, without a tensor map
    uint64_t once;  // each byte is read once: what is in L2 need not make room for it
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
                 " [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(b)), "l"(once)
                 : "memory");
}
DEVICE void fence_for_barriers(void) { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

template <class P> DEVICE int chunks_of(int length) {  // an empty sequence has one, too: somebody has to write 0
    return max(1, (length + P::KEYS - 1) / P::KEYS);
}
// A head of `many` chunks and more, twice a block's share, keeps some back: they are not in the line, but for those of its
// blocks that are ready first.
template <bool KEEP> DEVICE int kept_back(int n, int many) { return KEEP && n >= many ? n / 16 : 0; }
template <class P, bool KEEP> DEVICE int in_line(int length, int many) {
    const int n = chunks_of<P>(length);
    return n - kept_back<KEEP>(n, many);
}
template <class P, bool KEEP> DEVICE int chunks_of_all(const int *lengths, attn_cache c, int many) {
    int n = 0;
    for (int b = threadIdx.x % 32; b < c.batch; b += 32) n += in_line<P, KEEP>(lengths[b], many) * c.heads;
    UNROLL for (int bit = 1; bit < 32; bit *= 2) n += __shfl_xor_sync(0xffffffff, n, bit);
    return n;
}

// How many chunks a block takes: an equal share, or a few more where heads of n chunks then end where blocks do: parts of
// two heads would cost it more time. Any number is right that leaves nothing over.
DEVICE int share_of(int total, int blocks, int n) {
    const int least = max(LEAST, (total + blocks - 1) / blocks);
    if (least <= 4 * EXTRA) return least;
    const int even = n > least ? (n - 1) / (n / least) + 1 : (least - 1) / n * n + n;
    return even <= least + EXTRA ? even : least;
}

// Where a chunk of the line lies: heads of sequence b have n chunks each; before them there are `before`.
template <class P, bool KEEP> struct place {
    int many, b = 0, before = 0, n, length;
    __device__ __forceinline__ void look(const int *lengths) {
        length = lengths[b], n = in_line<P, KEEP>(length, many);
    }
    __device__ __forceinline__ void seek(int chunk, const int *lengths, int heads) {
        while (chunk >= before + n * heads) before += n * heads, b++, look(lengths);
    }
};

// Each warp asks for its first chunk before the kernel before this one has ended: to L2 only, which sees what that kernel
// still writes. It may write the lengths, too; then this was in vain, and no more. They are read past L1, which would keep
// them. A lane has a sequence: more than 32 are not worth the trouble.
template <class P, bool KEEP>
DEVICE void prefetch(const typename P::T *K, const typename P::T *V, const int *lengths, attn_cache c, int many) {
    if (c.batch > 32) return;
    const int lane = threadIdx.x % 32;
    int length = 0;
    if (lane < c.batch) asm volatile("ld.global.cg.b32 %0, [%1];" : "=r"(length) : "l"(lengths + lane));
    length = max(0, min(length, c.max_seq));
    const int n = lane < c.batch ? in_line<P, KEEP>(length, many) : 0;
    int upto = n * c.heads;  // chunks of this sequence and those before
    UNROLL for (int bit = 1; bit < 32; bit *= 2) {
        const int before = __shfl_up_sync(0xffffffff, upto, bit);
        if (lane >= bit) upto += before;
    }
    const int share = share_of(__shfl_sync(0xffffffff, upto, 31), gridDim.x, __shfl_sync(0xffffffff, n, 0));
    const int chunk = blockIdx.x * share + threadIdx.x / 32;
    const int b = __ffs(__ballot_sync(0xffffffff, upto > chunk)) - 1;
    if (b < 0 || threadIdx.x / 32 >= share) return;
    const int i = chunk - __shfl_sync(0xffffffff, upto - n * c.heads, b);
    const int head = i / __shfl_sync(0xffffffff, n, b), key = i % __shfl_sync(0xffffffff, n, b) * P::KEYS;
    const int bytes = min(P::KEYS, __shfl_sync(0xffffffff, length, b) - key) * c.head_dim * (int)sizeof *K;
    const size_t at = (((size_t)b * c.heads + head) * c.max_seq + key) * c.head_dim;
    if (lane > 0 || bytes <= 0) return;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(K + at), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(V + at), "r"(bytes) : "memory");
}

template <class P> DEVICE void load_query(float (&q)[P::E], const typename P::T *Q, int D) {  // scaled for exp2
    const int first = threadIdx.x % P::LANES * P::E;
    if (first < D) unpack(q, (const char *)(Q + first));
    UNROLL for (int i = 0; i < P::E; i++) q[i] *= 1.44269504f / sqrtf((float)D);
}

template <class P, bool KEEP>
static __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    decode(typename P::T *O, const typename P::T *Q, const typename P::T *K, const typename P::T *V, const int *lengths,
           unsigned *arrived, attn_cache c, int many) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) char shared[];
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32, D = c.head_dim, row = D * sizeof(typename P::T);
    uint64_t *full = (uint64_t *)shared + w;
    char *tile = shared + 1024 + w * 2 * CHUNK;                   // K, then V
    float *parts = (float *)(shared + 1024 + WARPS * 2 * CHUNK);  // [2][WARPS][DP + 4]
    unsigned *taken = arrived + c.batch * c.heads;                // of what a head keeps back
    float *slots = (float *)(taken + c.batch * c.heads);
    if (lane == 0) init(full, 1), fence_for_barriers();
    __syncwarp();
    cudaTriggerProgrammaticLaunchCompletion();
    prefetch<P, KEEP>(K, V, lengths, c, many);
    cudaGridDependencySynchronize();  // what earlier kernels write is there

    place<P, KEEP> ahead = {many}, here, end_place;
    ahead.look(lengths);
    const int total = chunks_of_all<P, KEEP>(lengths, c, many), blocks = gridDim.x;
    const int share = share_of(total, blocks, ahead.n);
    const int begin = min(total, (int)blockIdx.x * share), end = min(total, begin + share);
    if (begin == end) return;
    ahead.seek(begin, lengths, c.heads), here = ahead;

    auto load = [&](const place<P, KEEP> &at_b, int head, int i) {
        const int key = i * P::KEYS, bytes = min(P::KEYS, at_b.length - key) * row;
        const size_t at = (((size_t)at_b.b * c.heads + head) * c.max_seq + key) * D;
        expect_bytes(full, 2 * bytes);
        if (bytes > 0) bulk_load(tile, K + at, bytes, full), bulk_load(tile + CHUNK, V + at, bytes, full);
    };
    int back = 0, end_head = 0, extra = -1;  // of the block's last head: how many are kept back; which one is ours
    unsigned ticket = 0;                     // for the next one: asked for while there is something else to wait for
    if (KEEP) {
        end_place = ahead, end_place.seek(end - 1, lengths, c.heads);
        back = kept_back<KEEP>(chunks_of<P>(end_place.length), many);
        end_head = (end - 1 - end_place.before) / end_place.n;
    }
    auto take = [&] { ticket = atomicAdd(taken + (size_t)end_place.b * c.heads + end_head, 1u); };
    auto ask = [&](int chunk) {  // the chunks of the line first
        if (KEEP && back > 0 && (chunk < end ? chunk + WARPS >= end : chunk < begin + WARPS)) take();
        if (chunk < end) {
            ahead.seek(chunk, lengths, c.heads);
            const int i = chunk - ahead.before;
            load(ahead, i / ahead.n, i % ahead.n);
        } else if (KEEP && back > 0) {
            extra = ticket < (unsigned)back ? end_place.n + (int)ticket : -1;
            if (extra >= 0) take(), load(end_place, end_head, extra);
        }
    };
    if (lane == 0) ask(begin + w);

    int chunk = begin + w, parity = 0, odd = 0;
    for (int from = begin, to; from < end; from = to, odd ^= 1) {
        here.seek(from, lengths, c.heads);
        const int head = (from - here.before) / here.n, start = here.before + head * here.n;
        const size_t pair = (size_t)here.b * c.heads + head;
        to = min(end, start + here.n);
        float q[P::E] = {};
        load_query<P>(q, Q + pair * D, D);
        part<P> x;
        for (; chunk < to || (KEEP && to == end && back > 0); chunk += WARPS) {
            const int i = KEEP && chunk >= to ? __shfl_sync(0xffffffff, extra, 0) : chunk - start;
            if (KEEP && i < 0) break;  // all are taken
            wait(full, parity), parity ^= 1;
            x.add(tile, tile + CHUNK, q, here.length - i * P::KEYS, row);
            __syncwarp();  // all lanes have read it
            if (lane == 0) ask(chunk + WARPS);
        }
        const int first = start / share, last = (start + here.n - 1) / share;  // blocks of this head
        const bool last_one =
            finish_head<P>(O + pair * D, x, parts + odd * WARPS * (P::DP + 4), slots, arrived + pair, first, last, D);
        if (KEEP && threadIdx.x == 0 && last_one) taken[pair] = 0;  // nobody takes any more
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
    const size_t n = (c.max_seq + P::KEYS - 1) / P::KEYS, chunks = c.batch * c.heads * n;  // n: of a head
    size_t blocks = BLOCKS * multiprocessors();
    if (blocks > (chunks + LEAST - 1) / LEAST) blocks = (chunks + LEAST - 1) / LEAST;
    if (blocks > DECODE_MAX_BLOCKS) blocks = DECODE_MAX_BLOCKS;
    // A share is at most this; where it is large, blocks that are ready early have something to take. Float16
    // alone: float32 loses 12 to 26 % (README.md).
    const size_t share = (chunks + blocks - 1) / blocks;
    auto *kernel = share >= 60 && n >= 2 * share ? decode<P, sizeof(T) == 2> : decode<P, false>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, P::BYTES);
    cudaLaunchAttribute with[1] = {overlap()};  // the next call's blocks may start while this one's end
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(32 * WARPS), config.dynamicSmemBytes = P::BYTES;
    config.stream = stream, config.attrs = with, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, (T *)O, (const T *)Q, (const T *)K, (const T *)V, lengths,
                       (unsigned *)workspace, c, (int)(2 * share));
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
