// sync.cu: __syncthreads and its reductions; static, dynamic and two-dimensional shared memory; last block reduces.
#include "common.h"

__global__ void reverse(int *out) {
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x] + blockIdx.x;
}
__global__ void votes(int *out) {
    int t = threadIdx.x;
    int count = __syncthreads_count(t % 3 == 0), all = __syncthreads_and(t < 1000), none = __syncthreads_and(t < 10),
        some = __syncthreads_or(t == 77), nobody = __syncthreads_or(t < 0);
    if (t == 13) out[0] = count, out[1] = all, out[2] = none, out[3] = some, out[4] = nobody;
}
template <class T> __global__ void dynamic(T *out) {
    extern __shared__ __align__(16) unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);
    s[threadIdx.x] = (T)threadIdx.x / 2;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void early_exit(int *out, int n) {  // __syncthreads waits for those that have not returned
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t >= n) return;
    s[t] = t;
    __syncthreads();
    out[t] = s[n - 1 - t];
    int count = __syncthreads_count(1);
    if (t == 0) out[n] = count;
}
__device__ unsigned ticket;
__global__ void last_block(const int *in, int n, int *partial, int *out) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; i++) total += ((volatile int *)partial)[i];
        *out = total;
    }
}
__global__ void big_dynamic(int *out, int n) {
    extern __shared__ int s2[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s2[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s2[n - 1];
}

int main() {
    int *out = device_array<int>(1024), h[1024];
    reverse<<<2, 256>>>(out);
    download(h, out, 512);
    printf("reverse: %d %d %d\n", h[0], h[255], h[300]);
    votes<<<1, 200>>>(out);
    download(h, out, 5);
    printf("count %d and %d %d or %d %d\n", h[0], h[1] != 0, h[2] != 0, h[3] != 0, h[4] != 0);
    float *f = device_array<float>(64), hf[64];
    double *d = device_array<double>(64), hd[64];
    dynamic<<<1, 64, 64 * sizeof(float)>>>(f);
    dynamic<<<1, 64, 64 * sizeof(double)>>>(d);
    download(hf, f, 64), download(hd, d, 64);
    printf("dynamic: %g %g %g %g\n", hf[0], hf[63], hd[1], hd[62]);

    const int n = 37;
    float a[n * n], b[n * n];
    for (int i = 0; i < n * n; i++) a[i] = (float)i;
    float *out2 = device_array<float>(n * n);
    transpose<<<dim3(3, 3), dim3(16, 16)>>>(upload(a, n * n), out2, n);
    download(b, out2, n * n);
    int bad = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) bad += b[i * n + j] != a[j * n + i];
    printf("transpose: %d wrong\n", bad);

    int big[5000], want = 0;
    for (int i = 0; i < 5000; i++) want += big[i] = i * 7 % 101;
    last_block<<<13, 96>>>(upload(big, 5000), 5000, device_array<int>(13), out);
    download(h, out, 1);
    printf("last block: %s\n", h[0] == want ? "right" : "wrong");

    early_exit<<<1, 128>>>(out, 75);
    download(h, out, 76);
    printf("early exit: %d %d, count %d\n", h[0], h[74], h[75]);

    int bytes = 160 * 1024;
    CHECK(cudaFuncSetAttribute(big_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    big_dynamic<<<1, 128, bytes>>>(out, bytes / 4);
    download(h, out, 1);
    printf("160 KB of shared memory: %d\n", h[0]);
    return 0;
}
