// gangs.cu: blocks that run at the same time, in clusters and cooperative launches: races between them and inside of one.
#include "zoo.h"
#include <cooperative_groups.h>
#include <cstdint>

namespace cg = cooperative_groups;

// Each block reads its neighbour's tile.
template <bool BEFORE, bool AFTER> __global__ void __cluster_dims__(2) neighbours(float *out) {
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = blockIdx.x;
    if (BEFORE)
        cluster.sync();
    else
        __syncthreads();  // of one block
    const float *theirs = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x];
    if (AFTER) cluster.sync();
    tile[threadIdx.x] = 7;
}

// Arrives, works on what is its own, waits.
__global__ void __cluster_dims__(2) split_barrier(float *out, bool early) {
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    const float *theirs = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    float sum = 0;
    tile[threadIdx.x] = blockIdx.x;
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    if (early) sum += theirs[threadIdx.x];
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    sum += theirs[threadIdx.x];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
    cluster.sync();
}

__global__ void __cluster_dims__(2) race_inside_a_block(float *out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = threadIdx.x;
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    cg::this_cluster().sync();
}

__global__ void __cluster_dims__(2) past_the_end(float *out, int n) {
    out[blockIdx.x * 32 + threadIdx.x] = 1;
    if (cg::this_cluster().block_rank() == 1) out[n + threadIdx.x] = 1;
}

// A block's mbarrier tells what another block has stored; the wrong one stores after it has told.
__global__ void __cluster_dims__(2) told_by_mbarrier(float *out, bool late) {
    __shared__ float box[32];
    __shared__ uint64_t full;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&full), there;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at));
    cluster.sync();
    if (cluster.block_rank() == 1) {
        if (!late) *cluster.map_shared_rank(&box[threadIdx.x], 0) = 3;
        asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(at));
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
        if (late) *cluster.map_shared_rank(&box[threadIdx.x], 0) = 3;
    } else {
        asm volatile(
            "{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" ::
                "r"(at)
            : "memory");
        out[threadIdx.x] = box[31 - threadIdx.x];
    }
    cluster.sync();
}

template <bool SYNC> __global__ void neighbours_of_the_grid(float *out, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    x[i] = i;
    if (SYNC)
        cg::this_grid().sync();
    else
        __syncthreads();
    out[i] = x[(i + blockDim.x) % n];
}

static void cooperative(void (*kernel)(float *, float *), float *out, float *x) {
    void *arguments[] = {&out, &x};
    cudaLaunchCooperativeKernel((void *)kernel, dim3(4), dim3(32), arguments, 0, 0);
}

static const Case cases[] = {
    {"cluster_synchronised", 64, 0, [](float *out, float *) { neighbours<true, true><<<2, 32>>>(out); }},
    {"cluster_read_without_its_barrier", 64, 0, [](float *out, float *) { neighbours<false, true><<<2, 32>>>(out); }},
    {"cluster_overwritten_while_another_reads", 64, 0,
     [](float *out, float *) { neighbours<true, false><<<2, 32>>>(out); }},
    {"cluster_barrier_in_two_halves", 64, 0, [](float *out, float *) { split_barrier<<<2, 32>>>(out, false); }},
    {"cluster_read_between_arrive_and_wait", 64, 0, [](float *out, float *) { split_barrier<<<2, 32>>>(out, true); }},
    {"race_inside_a_block_of_a_cluster", 128, 0, [](float *out, float *) { race_inside_a_block<<<2, 64>>>(out); }},
    {"past_the_end_in_a_cluster", 64, 0, [](float *out, float *) { past_the_end<<<2, 32>>>(out, 64); }},
    {"told_by_a_remote_arrival", 32, 0, [](float *out, float *) { told_by_mbarrier<<<2, 32>>>(out, false); }},
    {"stored_after_a_remote_arrival", 32, 0, [](float *out, float *) { told_by_mbarrier<<<2, 32>>>(out, true); }},
    {"grid_synchronised", 128, 128, [](float *out, float *x) { cooperative(neighbours_of_the_grid<true>, out, x); }},
    {"grid_without_grid_sync", 128, 128,
     [](float *out, float *x) { cooperative(neighbours_of_the_grid<false>, out, x); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
