// steps.cu: sums by lanes that are taken to step together: through a volatile pointer, without a barrier, right on most
// GPUs.
#include "tap.h"

template <unsigned N> __device__ void last(volatile int *s, int t) {
    if (N >= 64) s[t] += s[t + 32];
    if (N >= 32) s[t] += s[t + 16];
    s[t] += s[t + 8], s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void sums(const int *in, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[128 * blockIdx.x + t];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) last<64>(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void sum_in_global_memory(int *x) {
    volatile int *s = x;
    int t = threadIdx.x, mine = s[t];
    if (blockDim.x >= 32) {
        s[t] = mine = mine + s[t + 32];
    }
    { s[t] = mine = mine + s[t + 16]; }
    s[t] = mine = mine + s[t + 8];
    s[t] = mine = mine + s[t + 4];
    s[t] = mine = mine + s[t + 2];
    s[t] = mine = mine + s[t + 1];
}

__global__ void scan(int *x) {  // each lane reads what the lanes below have just stored
    __shared__ volatile int padded[64];
    int t = threadIdx.x, i = t + 32;
    padded[t] = 0, padded[i] = x[t];
    padded[i] += padded[i - 1];
    padded[i] += padded[i - 2];
    padded[i] += padded[i - 4];
    padded[i] += padded[i - 8];
    padded[i] += padded[i - 16];
    x[t] = padded[i];
}

int main() {
    int *in, *out, of_blocks[2] = {}, of_64 = 0, of_32 = 0;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    for (int i = 0; i < 256; i++) {
        in[i] = i * i % 97 + 1;
        of_blocks[i / 128] += in[i];
        if (i < 64) of_64 += in[i];
    }
    sums<<<2, 128>>>(in, out);
    cudaDeviceSynchronize();
    ok(out[0] == of_blocks[0] && out[1] == of_blocks[1], "sums of a block by its last warp");
    sum_in_global_memory<<<1, 32>>>(in);
    cudaDeviceSynchronize();
    ok(in[0] == of_64, "a sum by a warp in global memory");
    for (int i = 0; i < 32; i++) in[i] = i + 1, of_32 += i + 1;
    scan<<<1, 32>>>(in);
    cudaDeviceSynchronize();
    ok(in[0] == 1 && in[1] == 3 && in[31] == of_32, "a scan by a warp");
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}
