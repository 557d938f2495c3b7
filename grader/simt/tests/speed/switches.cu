// switches.cu: what a thread's turn costs: nanoseconds between a barrier or a shuffle of one thread and that of the next.
#include "speed.h"

__global__ void one_barrier(float *x, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += x[threadIdx.x];
        __syncthreads();
    }
    x[threadIdx.x] = s;
}

__global__ void two_barriers(float *x, int n) {
    __shared__ float a[256];
    float s = 0;
    for (int i = 0; i < n; i++) {
        a[threadIdx.x] = s;
        __syncthreads();
        s += a[threadIdx.x ^ 1];
        __syncthreads();
    }
    x[threadIdx.x] = s;
}

__global__ void one_shuffle(float *x, int n) {
    float s = x[threadIdx.x];
    for (int i = 0; i < n; i++) s += __shfl_xor_sync(~0u, s, 1);
    x[threadIdx.x] = s;
}

__global__ void two_shuffles(float *x, int n) {
    float s = x[threadIdx.x];
    for (int i = 0; i < n; i++) {
        s += __shfl_xor_sync(~0u, s, 1);
        s += __shfl_xor_sync(~0u, s, 2);
    }
    x[threadIdx.x] = s;
}

int main() {
    const int blocks = 320, loops = 64;
    const struct {
        const char *name;
        void (*kernel)(float *, int);
        int turns;
    } kernels[] = {{"one barrier", one_barrier, 1},
                   {"two barriers", two_barriers, 2},
                   {"one shuffle", one_shuffle, 1},
                   {"two shuffles", two_shuffles, 2}};
    float *x;
    cudaMalloc(&x, 256 * sizeof *x);
    for (const auto &k : kernels) {
        cudaMemset(x, 0, 256 * sizeof *x);
        double seconds = best_seconds([&] { k.kernel<<<blocks, 256>>>(x, loops); });
        printf("%s in a loop: %.1f ns a turn\n", k.name, seconds * 1e9 / blocks / 256 / loops / k.turns);
    }
}
