// wgmma.cu: products of a warpgroup: sums touched too early, tiles overwritten or not yet there, fences that are missing. The tiles
// are all zeros: 64 rows of A and 8 of B, 16 deep, float16, no swizzle.
#include "zoo.h"
#include <cstdint>

__device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint64_t descriptor(const void *p, uint64_t swizzle = 0) {
    return (uint64_t)(shared_address(p) >> 4) | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32 | swizzle << 62;
}
__device__ void product(float (&d)[4], uint64_t a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b));
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

enum What {
    RIGHT,
    READ_BEFORE_THE_WAIT,
    WRITTEN_BEFORE_THE_WAIT,
    NOT_COMMITTED,
    OVERWRITTEN,
    NO_FENCE,
    CHANGED_WITHOUT_FENCE,
    NO_PROXY_FENCE,
    EARLY_PROXY_FENCE,
    MISALIGNED
};

template <What WHAT> __global__ void multiply(float *out) {
    __shared__ alignas(1024) uint32_t a[512], b[64];
    if (WHAT == EARLY_PROXY_FENCE) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int i = threadIdx.x; i < 512; i += 128) a[i] = 0;
    if (threadIdx.x < 64) b[threadIdx.x] = 0;
    if (WHAT != NO_PROXY_FENCE && WHAT != EARLY_PROXY_FENCE)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {1, 2, 3, 4};
    if (WHAT != NO_FENCE) fence();
    product(d, descriptor(a), WHAT == MISALIGNED ? descriptor((char *)b + 128, 1) : descriptor(b));
    if (WHAT != NOT_COMMITTED) commit();
    if (WHAT == WRITTEN_BEFORE_THE_WAIT) d[1] = 7;
    if (WHAT == OVERWRITTEN) {
        __syncthreads();
        if (threadIdx.x == 0) b[5] = 7;
    }
    if (WHAT == READ_BEFORE_THE_WAIT) out[threadIdx.x] = d[0];
    wait();
    if (WHAT == CHANGED_WITHOUT_FENCE) {
        d[0] *= 2;
        product(d, descriptor(a), descriptor(b));
        commit();
        wait();
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

__global__ void no_proxy_fence_before_a_bulk_store(float *out) {
    __shared__ alignas(128) float tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out),
                     "r"(shared_address(tile))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

template <What WHAT> static void go(float *out, float *) { multiply<WHAT><<<1, 128>>>(out); }

static const Case cases[] = {
    {"wgmma_as_it_should_be", 128, 1, go<RIGHT>},
    {"wgmma_sums_read_before_the_wait", 128, 1, go<READ_BEFORE_THE_WAIT>},
    {"wgmma_sums_written_before_the_wait", 128, 1, go<WRITTEN_BEFORE_THE_WAIT>},
    {"wgmma_not_committed", 128, 1, go<NOT_COMMITTED>},
    {"wgmma_tile_overwritten", 128, 1, go<OVERWRITTEN>},
    {"wgmma_without_fence", 128, 1, go<NO_FENCE>},
    {"wgmma_sums_changed_without_fence", 128, 1, go<CHANGED_WITHOUT_FENCE>},
    {"wgmma_without_proxy_fence", 128, 1, go<NO_PROXY_FENCE>},
    {"wgmma_proxy_fence_before_the_stores", 128, 1, go<EARLY_PROXY_FENCE>},
    {"wgmma_misaligned_tile", 128, 1, go<MISALIGNED>},
    {"no_proxy_fence_before_a_bulk_store", 32, 1,
     [](float *out, float *) { no_proxy_fence_before_a_bulk_store<<<1, 32>>>(out); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
