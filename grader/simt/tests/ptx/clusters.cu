// clusters.cu: clusters by attribute and by __cluster_dims__, their barrier, each other's shared memory, remote mbarriers, copies to
// several blocks; cooperative launches with grid.sync().
#include "common.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each block reads its neighbour's tile.
__global__ void __cluster_dims__(4, 1, 1) neighbours(int *out) {
    __shared__ int tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    tile[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(tile, (rank + 1) % cluster.num_blocks());
    out[blockIdx.x * 64 + threadIdx.x] = theirs[threadIdx.x];
    cluster.sync();
}

// The same in PTX; a mbarrier of block 0 counts arrivals of all blocks, and bytes that st.async sends.
__global__ void remote(int *out) {
    __shared__ int box[16], sent[16];
    __shared__ uint64_t barrier;
    uint32_t rank, size, there, b = shared_address(&barrier), at;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    if (threadIdx.x == 0 && rank == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(size));
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(size * 4) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x == 0) {
        asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(shared_address(&box[rank])));
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(rank * 7) : "memory");
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(b), "r"(0));
        asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(shared_address(&sent[rank])));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at), "r"(rank * 9), "r"(there)
                     : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    }
    if (rank == 0) {
        asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" ::"r"(b)
                     : "memory");
        if (threadIdx.x < size) out[blockIdx.x / size * size + threadIdx.x] = box[threadIdx.x] + sent[threadIdx.x];
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// Block 0 fetches for both blocks.
__global__ void __cluster_dims__(2) multicast(const float *in, float *out) {
    __shared__ alignas(128) float tile[64];
    __shared__ uint64_t barrier;
    uint32_t b = shared_address(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(b) : "memory");
    }
    cg::this_cluster().sync();
    if (threadIdx.x == 0 && cg::this_cluster().block_rank() == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                         shared_address(tile)),
                     "l"(in), "r"(256), "r"(b), "h"((uint16_t)3)
                     : "memory");
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" ::"r"(b) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
    cg::this_cluster().sync();
}

// Sums of sums: each step needs all blocks' last one.
__global__ void grid_steps(int *a, int *b, int steps) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int s = 0; s < steps; s++) {
        b[i] = a[(i + blockDim.x) % n] + 1;
        grid.sync();
        a[i] = b[(i + 1) % n];
        grid.sync();
    }
}

int main() {
    int *d = device_array<int>(8 * 64), found[8 * 64];
    neighbours<<<8, 64>>>(d);
    download(found, d, 8 * 64);
    for (int i = 0; i < 8 * 64; i++) {
        int block = i / 64;
        expect("neighbours", found[i], (block / 4 * 4 + (block + 1) % 4) * 1000 + i % 64);
    }
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 8, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16), config.blockDim = dim3(32), config.attrs = &attribute, config.numAttrs = 1;
    int clusters = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, remote, &config));
    expect("there is room for clusters", clusters > 0, 1);
    CHECK(cudaLaunchKernelEx(&config, remote, d));
    download(found, d, 16);
    for (int i = 0; i < 16; i++) expect("remote", found[i], i % 8 * 16);
    attribute.val.clusterDim.x = 16;
    expect("16 blocks are refused", cudaLaunchKernelEx(&config, remote, d) != cudaSuccess, 1);
    cudaGetLastError();
    CHECK(cudaFuncSetAttribute(remote, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaLaunchKernelEx(&config, remote, d));
    download(found, d, 16);
    for (int i = 0; i < 16; i++) expect("remote, allowed", found[i], i * 16);

    float in[64], out[128], *df = device_array<float>(128);
    for (int i = 0; i < 64; i++) in[i] = small_number(i);
    multicast<<<2, 64>>>(device_array(64, in), df);
    download(out, df, 128);
    for (int i = 0; i < 128; i++) expect("multicast", out[i], in[i % 64]);

    enum { BLOCKS = 12, THREADS = 96, N = BLOCKS * THREADS, STEPS = 5 };
    static int a[N], b[N], wanted[N];
    for (int i = 0; i < N; i++) a[i] = wanted[i] = i * i % 101;
    int *da = device_array(N, a), *db = device_array<int>(N), steps = STEPS;
    void *arguments[] = {&da, &db, &steps};
    CHECK(cudaLaunchCooperativeKernel((void *)grid_steps, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
    download(a, da, N);
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < N; i++) b[i] = wanted[(i + THREADS) % N] + 1;
        for (int i = 0; i < N; i++) wanted[i] = b[(i + 1) % N];
    }
    for (int i = 0; i < N; i++) expect("grid", a[i], wanted[i]);
    return finish();
}
