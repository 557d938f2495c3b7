// printf.cu: printf in kernels: formats, order within a thread, between launches and host output.
#include "common.h"

__device__ void helper(int i) { printf("helper %d\n", i); }
__global__ void formats(const char *) {
    printf("int %d %5d|%-5d|%05d unsigned %u hex %x char %c percent %% long %ld %lld %llx\n", -3, 42, 42, 42,
           4000000000u, 0xbeef, 'q', 123456789012L, -5ll, 0xfedcba9876543210ull);
    printf("float %f %.2f %8.3f| %e %g double %g string %s\n", 1.5f, 2.25, 3.14159, 12345.678, 0.0001, 1e100, "hello");
    helper(7);
    printf("no arguments\n");
}
__global__ void one_per_block() {
    if (threadIdx.x == 0 && blockIdx.x == 2) printf("block %d of %d\n", blockIdx.x, gridDim.x);
}

int main() {
    printf("before\n");
    fflush(stdout);
    formats<<<1, 1>>>(nullptr);
    CHECK(cudaDeviceSynchronize());
    printf("between\n");
    fflush(stdout);
    one_per_block<<<4, 32>>>();
    CHECK(cudaDeviceSynchronize());
    printf("after\n");
    return 0;
}
