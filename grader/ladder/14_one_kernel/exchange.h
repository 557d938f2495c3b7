// exchange.h: how blocks of one kernel hand numbers to each other without a barrier: a number and the step that it belongs
// to are one word of 8 bytes, which memory reads and writes as a whole. Who sees the right step has the right number:
// one trip to L2 to put it there, one to see it. (NCCL calls it LL.) Blocks of a cluster put their words straight into each
// other's shared memory: half the way, and memory's traffic does not stand on it.
#ifndef ONE_KERNEL_EXCHANGE_H
#define ONE_KERNEL_EXCHANGE_H

#include "../hopper.h"

#define MEMBER __device__ __forceinline__

typedef uint64_t word;  // above: the step; below: the bits of a float

DEVICE void put(word *to, float x, unsigned step) {
    const word w = (word)step << 32 | __float_as_uint(x);
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(to), "l"(w) : "memory");
}
DEVICE word look(const word *at) {
    word x;
    asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(x) : "l"(at) : "memory");
    return x;
}

struct near {  // words in shared memory
    uint32_t at;
    MEMBER near operator+(int i) const { return {at + 8 * i}; }
};
DEVICE void put(near to, int rank, float x, unsigned step) {  // into that of a block of the cluster
    const word w = (word)step << 32 | __float_as_uint(x);
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(to.at), "r"(rank));
    asm volatile("st.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(there), "l"(w) : "memory");
}
DEVICE word look(near at) {
    word x;
    asm volatile("ld.relaxed.cluster.shared::cta.b64 %0, [%1];" : "=l"(x) : "r"(at.at) : "memory");
    return x;
}

DEVICE void let_others_run() {
#ifdef __SIMT__
    __nanosleep(0);  // on a CPU the other blocks run only if this one lets them
#endif
}

// x[i] = the number at `from` + at(i), of this step, as soon as a whole warp has its own. Where at(i) < 0: 0.
template <int N, class From, class At> DEVICE void get(float (&x)[N], From from, unsigned step, At at) {
    for (;;) {
        word w[N];
        bool all = true;
        UNROLL for (int i = 0; i < N; i++) w[i] = at(i) < 0 ? (word)step << 32 : look(from + at(i));
        UNROLL for (int i = 0; i < N; i++) all &= (unsigned)(w[i] >> 32) == step,
            x[i] = __uint_as_float((unsigned)w[i]);
        if (__all_sync(0xffffffff, all)) return;
        let_others_run();
    }
}

#endif
