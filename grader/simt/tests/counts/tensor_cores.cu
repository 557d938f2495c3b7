// tensor_cores.cu: the copy engine brings a tile A of 64 x 16 halves and a B of 8 x 16; a warpgroup multiplies them by wgmma, and
// each of its warps a product of mma.sync.
#include "common.h"
#include <cstdint>

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint64_t descriptor(const void *p) {  // no swizzle: core matrices of 128 bytes, two side by side
    return (uint64_t)(at(p) >> 4) | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
}
__device__ void load(void *to, const void *from, int bytes, uint64_t *full) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
        "l"(from), "r"(bytes), "r"(at(full))
        : "memory");
}

__global__ void tensor_cores(float *y, const char *x) {
    __shared__ alignas(128) char a[2048], b[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full)));
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 2304;" ::"r"(at(&full)) : "memory");
        load(a, x, 2048, &full), load(b, x + 2048, 256, &full);
    }
    __syncthreads();
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra W;}" ::"r"(at(&full))
                 : "memory");
    float d[4] = {}, e[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(a)), "l"(descriptor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, "
                 "%1, %2, %3};"
                 : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
                 : "r"(0));
    y[threadIdx.x] = d[0] + d[1] + d[2] + d[3] + e[0] + e[1] + e[2] + e[3];
}

int main() {
    float *y;
    char *x;
    cudaMalloc(&x, 2304);
    cudaMalloc(&y, 128 * sizeof(float));
    cudaMemset(x, 0, 2304);
    tensor_cores<<<1, 128>>>(y, x);
    return finish();
}
