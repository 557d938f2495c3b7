// synccheck.cu: what ends compute-sanitizer's synccheck (2025.3.1) with an illegal access, and nothing else does. Each
// block of a cluster of 16 sends 16 bytes to the first one, which waits for all. With 8 blocks a cluster, or with one
// cluster of 16 alone, it ends well: "no error". memcheck, racecheck and initcheck find nothing.
//
//     nvcc -std=c++17 -arch=sm_90 synccheck.cu -o synccheck && compute-sanitizer --tool synccheck ./synccheck
#include <stdint.h>
#include <stdio.h>

enum { BLOCKS = 16, CLUSTERS = 8 };

static __device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
static __device__ uint32_t in_first(const void *p) {
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(at(p)));
    return there;
}
static __global__ void kernel() {
    __shared__ __align__(16) float mail[BLOCKS][4];
    __shared__ uint64_t bar;
    const int rank = blockIdx.x % BLOCKS;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(at(&bar))
                     : "memory");
        if (rank == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(16 * BLOCKS)
                         : "memory");
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    if (threadIdx.x > 0) return;
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %1, %1, %1}, [%2];" ::"r"(
                     in_first(mail[rank])),
                 "f"(1.f), "r"(in_first(&bar))
                 : "memory");
    if (rank == 0)
        asm volatile(
            "{.reg .pred done;\nagain: mbarrier.try_wait.parity.shared.b64 done, [%0], 0;\n@!done bra again;}" ::"r"(
                at(&bar))
            : "memory");
}
int main(void) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute with = {};
    with.id = cudaLaunchAttributeClusterDimension, with.val.clusterDim = {BLOCKS, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS * CLUSTERS), config.blockDim = dim3(32), config.attrs = &with, config.numAttrs = 1;
    for (int i = 0; i < 4; i++) cudaLaunchKernelEx(&config, kernel);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
