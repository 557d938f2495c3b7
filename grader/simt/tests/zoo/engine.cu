// engine.cu: mbarriers, the copy engine and named barriers: what is read too early, written too early, or never comes.
#include "zoo.h"
#include <cstdint>

__device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t *b, int n) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(n));
}
__device__ void expect(uint64_t *b, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)),
                 "r"(bytes)
                 : "memory");
}
__device__ void load(float *to, const float *from, int bytes, uint64_t *b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(b))
                 : "memory");
}
__device__ void wait(uint64_t *b, int parity) {
    asm volatile(
        "{.reg .pred p;\nW: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra W;}" ::"r"(shared_address(b)),
        "r"(parity)
        : "memory");
}

template <int WHAT> __global__ void bulk(float *out, const float *x) {
    __shared__ alignas(128) float tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        init(&full, 1);
        expect(&full, WHAT == 2 ? 256 : 128);
        load(tile, x, 128, &full);
    }
    __syncthreads();
    if (WHAT == 1) wait(&full, 1);  // the parity of the phase before
    if (WHAT == 2) wait(&full, 0);  // 128 bytes never come
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void tile_written_before_the_store_has_read_it(float *out) {
    __shared__ alignas(128) float tile[32];
    tile[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out),
                     "r"(shared_address(tile))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        tile[0] = 7;
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

__device__ void store(float *to, const float *from, int bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void wait_for_stores() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// A tile that threads have written is loaded anew.
template <bool BARRIER, bool FENCE> __global__ void loaded_over_stores(float *out, const float *x) {
    __shared__ alignas(128) float tile[64];
    __shared__ uint64_t full;
    tile[threadIdx.x] = 1;
    if (threadIdx.x == 0) init(&full, 1);
    if (FENCE) proxy_fence();
    if (BARRIER) __syncthreads();
    if (threadIdx.x == 0) {
        expect(&full, 256);
        load(tile, x, 256, &full);
    }
    __syncthreads();
    wait(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

// The barrier comes before the wait: the other threads write while the engine may still read.
template <bool RIGHT> __global__ void barrier_before_the_wait(float *out) {
    __shared__ alignas(128) float tile[64];
    tile[threadIdx.x] = threadIdx.x;
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) store(out, tile, 256);
    if (RIGHT && threadIdx.x == 0) wait_for_stores();
    __syncthreads();
    if (!RIGHT && threadIdx.x == 0) wait_for_stores();
    tile[threadIdx.x] = 7;
}

// The engine has done the store before anybody asks for it; that was luck.
__global__ void written_after_other_copies(float *out, const float *x) {
    __shared__ alignas(128) float tile[64], other[64];
    __shared__ uint64_t full;
    tile[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) init(&full, 1);
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        store(out, tile, 256);
        expect(&full, 256);
        load(other, x, 256, &full);
    }
    wait(&full, 0);
    tile[threadIdx.x] = other[threadIdx.x];
    if (threadIdx.x == 0) wait_for_stores();
}

// Two blocks store to one place of global memory.
__global__ void stored_by_two_blocks(float *out) {
    __shared__ alignas(128) float tile[64];
    tile[threadIdx.x] = blockIdx.x;
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) store(out, tile, 256);
}

__global__ void copy(float *out, const float *x) { out[threadIdx.x] = x[threadIdx.x]; }

static void stored_and_read(float *out, float *) {
    float *fresh;
    cudaMalloc(&fresh, 256);
    barrier_before_the_wait<true><<<1, 64>>>(fresh);
    copy<<<1, 64>>>(out, fresh);
}

__global__ void named_barrier_with_the_wrong_count(float *out) {
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 128;" ::: "memory");  // 64 come
    out[threadIdx.x] = 1;
}

__global__ void arrival_too_many(float *out) {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 16);
    __syncthreads();
    asm volatile("mbarrier.arrive.shared.b64 _, [%0], 17;" ::"r"(shared_address(&b)) : "memory");
    out[threadIdx.x] = 1;
}

__global__ void no_order_between_named_barriers(float *out) {
    __shared__ float tile[32];
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = 1;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 32;" ::: "memory");  // another barrier
        out[threadIdx.x - 64] = tile[threadIdx.x - 64];
    }
}

// Two rounds with one barrier each: a fast thread writes again what a slow one has still to read.
template <bool NAMED> __global__ void rewritten_after_one_barrier(float *out) {
    __shared__ float tile[64];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 64);
    __syncthreads();
    for (int round = 0; round < 2; round++) {
        tile[threadIdx.x] = threadIdx.x + round;
        if (NAMED) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
        } else {
            asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(&b)) : "memory");
            wait(&b, round);
        }
        out[threadIdx.x] = tile[63 - threadIdx.x];
    }
}

static const Case cases[] = {
    {"tile_read_before_its_mbarrier", 32, 32, [](float *out, float *x) { bulk<0><<<1, 32>>>(out, x); }},
    {"mbarrier_with_the_wrong_parity", 32, 32, [](float *out, float *x) { bulk<1><<<1, 32>>>(out, x); }},
    {"expect_tx_of_too_many_bytes", 32, 32, [](float *out, float *x) { bulk<2><<<1, 32>>>(out, x); }},
    {"tile_written_before_the_store_has_read_it", 32, 32,
     [](float *out, float *) { tile_written_before_the_store_has_read_it<<<1, 32>>>(out); }},
    {"loaded_over_stores_without_barrier", 64, 64,
     [](float *out, float *x) { loaded_over_stores<false, true><<<1, 64>>>(out, x); }},
    {"loaded_over_stores_without_fence", 64, 64,
     [](float *out, float *x) { loaded_over_stores<true, false><<<1, 64>>>(out, x); }},
    {"loaded_over_stores_with_both", 64, 64,
     [](float *out, float *x) { loaded_over_stores<true, true><<<1, 64>>>(out, x); }},
    {"barrier_before_the_wait_for_a_store", 64, 1,
     [](float *out, float *) { barrier_before_the_wait<false><<<1, 64>>>(out); }},
    {"written_after_other_copies", 64, 64, [](float *out, float *x) { written_after_other_copies<<<1, 64>>>(out, x); }},
    {"stored_by_two_blocks", 64, 1, [](float *out, float *) { stored_by_two_blocks<<<2, 64>>>(out); }},
    {"stored_by_the_engine_and_read", 64, 1, stored_and_read},
    {"named_barrier_with_the_wrong_count", 96, 1,
     [](float *out, float *) { named_barrier_with_the_wrong_count<<<1, 96>>>(out); }},
    {"mbarrier_arrival_too_many", 32, 1, [](float *out, float *) { arrival_too_many<<<1, 32>>>(out); }},
    {"rewritten_after_one_mbarrier", 64, 1,
     [](float *out, float *) { rewritten_after_one_barrier<false><<<1, 64>>>(out); }},
    {"rewritten_after_one_named_barrier", 64, 1,
     [](float *out, float *) { rewritten_after_one_barrier<true><<<1, 64>>>(out); }},
    {"no_order_between_named_barriers", 32, 1,
     [](float *out, float *) { no_order_between_named_barriers<<<1, 96>>>(out); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
