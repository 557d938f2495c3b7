// Every form of shared memory, in kernels, device functions and templates.
#include "tap.h"
#include <stdint.h>

extern __shared__ int whole[];  // dynamic, at file scope

struct cell { float weight; int index; };

template <class T, int N> __device__ T reversed(T value) {
    __shared__ T line[N];
    line[threadIdx.x] = value;
    __syncthreads();
    T result = line[N - 1 - threadIdx.x];
    __syncthreads();
    return result;
}

// Bits of the result: one for each form that keeps its value.
__global__ void static_forms(int *result) {
    __shared__ float grid[4][8], *corner, sum;
    static __shared__ cell cells[32];
    volatile __shared__ int flag;
    __shared__ struct { int a; float b; } local;
    __shared__ __align__(64) unsigned char raw[100];
    __shared__ alignas(32) short aligned;
    __shared__ unsigned long long counts[2] __attribute__((aligned(16)));
    int t = threadIdx.x;
    grid[t / 8][t % 8] = t;
    cells[t].index = t;
    if (t == 0)
        corner = &grid[3][7], sum = 1, flag = 2, local.a = 3, local.b = 4, counts[1] = 5, aligned = 6;
    __syncthreads();
    int bits = (*corner == 31) | (sum == 1) << 1 | (flag == 2) << 2 | (local.a + local.b == 7) << 3 | (counts[1] == 5) << 4;
    bits |= ((uintptr_t)raw % 64 == 0) << 5 | ((uintptr_t)&aligned % 32 == 0) << 6 | (sizeof grid == 128) << 7;
    bits |= (cells[31 - t].index == 31 - t) << 8 | (sizeof raw == 100 && aligned == 6) << 9;
    result[t] = bits;
}

__global__ void instances(int *result) {
    int a = reversed<int, 32>(threadIdx.x);
    float b = reversed<float, 32>(threadIdx.x + 0.5f);
    result[threadIdx.x] = a == 31 - (int)threadIdx.x && b == 31.5f - threadIdx.x;
}

template <class T> __global__ void dynamic_in_template(int *result) {
    extern __shared__ __align__(16) unsigned char bytes[];
    extern __shared__ T values[];
    T *same = reinterpret_cast<T *>(&bytes);
    same[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    result[threadIdx.x] = values[31 - threadIdx.x] == (T)(31 - threadIdx.x);
}

__global__ void dynamic_at_file_scope(int *result) {
    int *second = whole + blockDim.x;
    whole[threadIdx.x] = threadIdx.x + blockIdx.x, second[threadIdx.x] = 1;
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1)
        result[threadIdx.x] = whole[31 - threadIdx.x] == 31 - (int)threadIdx.x + (int)blockIdx.x && second[0] == 1;
}

__global__ void rows(int *result) {
    extern __shared__ int row[][32];
    row[1][threadIdx.x] = threadIdx.x;
    __syncthreads();
    result[threadIdx.x] = row[1][31 - threadIdx.x] + (int)threadIdx.x == 31;
}

static int *result;
static bool all(int value) {
    int host[32];
    if (cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    cudaMemset(result, 0, sizeof host);
    for (int i = 0; i < 32; i++)
        if (host[i] != value)
            return printf("# thread %d: %d, not %d\n", i, host[i], value), false;
    return true;
}

int main() {
    cudaMalloc(&result, 32 * sizeof *result);
    cudaMemset(result, 0, 32 * sizeof *result);
    static_forms<<<1, 32>>>(result), ok(all(1023), "scalars, arrays, pointers, structs, volatile, aligned");
    instances<<<1, 32>>>(result), ok(all(1), "each instance of a device function has its own");
    dynamic_in_template<float><<<1, 32, 32 * sizeof(float)>>>(result), ok(all(1), "extern __shared__ float in a template");
    dynamic_in_template<short><<<1, 32, 32 * sizeof(short)>>>(result), ok(all(1), "extern __shared__ short in a template");
    dynamic_at_file_scope<<<64, 32, 256>>>(result), ok(all(1), "extern __shared__ at file scope, one per block");
    rows<<<1, 32, 256>>>(result), ok(all(1), "extern __shared__ rows");
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}
