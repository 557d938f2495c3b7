// line.h: all keys of all sequences and heads in one line, cut into chunks, of which each block takes an equal share: where
// a chunk lies, and how it is asked for. decode.cu draws it. P: a plan of part.h or of large.h; P::KEYS a chunk's keys.
#ifndef LINE_H
#define LINE_H

#include "decode.h"
#include "part.h"

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
template <class P> DEVICE int chunks_of_all(const int *lengths, attn_cache c) {
    int n = 0;
    for (int b = threadIdx.x % 32; b < c.batch; b += 32) n += chunks_of<P>(lengths[b]) * c.heads;
    UNROLL for (int bit = 1; bit < 32; bit *= 2) n += __shfl_xor_sync(0xffffffff, n, bit);
    return n;
}

// How many chunks a block takes: an equal share, or a few more where heads of n chunks then end where blocks do: parts of
// two heads would cost it more time. Any number is right that leaves nothing over.
template <class P> DEVICE int share_of(int total, int blocks, int n) {
    const int least = max(P::LEAST, (total + blocks - 1) / blocks);
    if (least <= 4 * P::EXTRA) return least;
    const int even = n > least ? (n - 1) / (n / least) + 1 : (least - 1) / n * n + n;
    return even <= least + P::EXTRA ? even : least;
}

// Where a chunk of the line lies: heads of sequence b have n chunks each; before them there are `before`.
template <class P> struct place {
    int b = 0, before = 0, n, length;
    __device__ __forceinline__ void look(const int *lengths) { length = lengths[b], n = chunks_of<P>(length); }
    __device__ __forceinline__ void seek(int chunk, const int *lengths, int heads) {
        while (chunk >= before + n * heads) before += n * heads, b++, look(lengths);
    }
};

// Each warp asks for its first chunk before the kernel before this one has ended: to L2 only, which sees what that kernel
// still writes. It may write the lengths, too; then this was in vain, and no more. They are read past L1, which would keep
// them. A lane has a sequence: more than 32 are not worth the trouble.
template <class P>
DEVICE void prefetch(const typename P::T *K, const typename P::T *V, const int *lengths, attn_cache c) {
    if (c.batch > 32) return;
    const int lane = threadIdx.x % 32;
    int length = 0;
    if (lane < c.batch) asm volatile("ld.global.cg.b32 %0, [%1];" : "=r"(length) : "l"(lengths + lane));
    length = max(0, min(length, c.max_seq));
    const int n = lane < c.batch ? chunks_of<P>(length) : 0;
    int upto = n * c.heads;  // chunks of this sequence and those before
    UNROLL for (int bit = 1; bit < 32; bit *= 2) {
        const int before = __shfl_up_sync(0xffffffff, upto, bit);
        if (lane >= bit) upto += before;
    }
    const int share = share_of<P>(__shfl_sync(0xffffffff, upto, 31), gridDim.x, __shfl_sync(0xffffffff, n, 0));
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

#endif
