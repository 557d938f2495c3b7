// spins.cu: threads that look for a word in a loop while others wait for the copy engine. A copy that comes late must not wait until
// the loops end: within a block, and between the blocks of a cluster, where one block sleeps and the other one spins.
#include "common.h"

#include <cooperative_groups.h>

constexpr int N = 32;

__device__ void copy_and_wait(float *tile, const float *from, uint64_t *full) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(full)), "r"(4 * N)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(tile)),
                     "l"(from), "r"(4 * N), "r"(shared_address(full))
                     : "memory");
    }
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again; }" ::"r"(
                     shared_address(full))
                 : "memory");
}

__device__ void begin(uint64_t *full) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
}

// Tells that y is there: one thread, after all of its warp have stored.
__device__ void tell(int *flag) {
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) atomicExch(flag, 1);
}
__device__ void look(int *flag) {
    while (atomicAdd(flag, 0) == 0) __nanosleep(20);
    __threadfence();
}

__global__ void within(const float *x, float *y, int *flag) {
    __shared__ alignas(128) float tile[N];
    __shared__ uint64_t full;
    begin(&full);
    __syncthreads();
    if (threadIdx.x < N) {
        copy_and_wait(tile, x, &full);
        y[threadIdx.x] = 2 * tile[threadIdx.x];
        tell(flag);
    } else {
        look(flag);
        y[threadIdx.x] = y[threadIdx.x - N] + 1;
    }
}

__global__ void __cluster_dims__(2, 1, 1) between(const float *x, float *y, int *flag) {
    __shared__ alignas(128) float tile[N];
    __shared__ uint64_t full;
    begin(&full);
    cooperative_groups::this_cluster().sync();
    if (blockIdx.x == 0) {
        copy_and_wait(tile, x, &full);
        y[threadIdx.x] = 2 * tile[threadIdx.x];
        tell(flag);
    } else {
        look(flag);
        y[N + threadIdx.x] = y[threadIdx.x] + 1;
    }
}

// Two warps hand each other words in shared memory, number and sign in one: relaxed accesses, and no barrier.
__global__ void words(float *y) {
    __shared__ uint64_t word[2 * N];
    word[threadIdx.x] = 0;
    __syncthreads();
    const uint32_t to = shared_address(&word[threadIdx.x ^ N]), mine = shared_address(&word[threadIdx.x]);
    asm volatile("st.relaxed.cta.shared.b64 [%0], %1;" ::"r"(to), "l"((uint64_t)1 << 32 | threadIdx.x) : "memory");
    uint64_t x;
    do asm volatile("ld.relaxed.cta.shared.b64 %0, [%1];" : "=l"(x) : "r"(mine) : "memory");
    while (x >> 32 != 1);
    y[threadIdx.x] = (float)(uint32_t)x;
}

int main() {
    float x[N], h[2 * N];
    for (int i = 0; i < N; i++) x[i] = small_number(i);
    const int none = 0;
    for (int kind = 0; kind < 2; kind++) {
        float *from = device_array(N, x), *to = device_array<float>(2 * N);
        int *flag = device_array(1, &none);
        if (kind == 0) within<<<1, 2 * N>>>(from, to, flag);
        if (kind == 1) between<<<2, N>>>(from, to, flag);
        download(h, to, 2 * N);
        for (int i = 0; i < N; i++) expect("copied", h[i], 2 * x[i]), expect("looked for", h[N + i], 2 * x[i] + 1);
    }
    float *to = device_array<float>(2 * N);
    words<<<1, 2 * N>>>(to);
    download(h, to, 2 * N);
    for (int i = 0; i < 2 * N; i++) expect("word", h[i], i ^ N);
    return finish();
}
