// A shared object for plugin_host.c: what a student's stage is to the runner.
__constant__ int offset = 5;

template <class T> static __device__ T neighbour(T value) {
    __shared__ T line[64];
    line[threadIdx.x] = value;
    __syncthreads();
    return line[63 - threadIdx.x];
}

__global__ void kernel(int *out) { out[threadIdx.x] = neighbour((int)threadIdx.x) + offset; }

extern "C" int stage(int *out) {
    kernel<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
