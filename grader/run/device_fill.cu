// device_fill.cu: counter-based inputs need no transfer: gigabytes of them are made in milliseconds, and the checker
// makes again only the rows that it compares.
#include <cuda_runtime.h>

#include "device_fill.h"
#include "inputs.h"

enum { MOST_BLOCKS = 4096, THREADS = 256, MOST_TENSORS = 8 };

// ---- lab_bits and the quick numbers of inputs.c: integer arithmetic, so host and device agree in every bit.

static __device__ uint64_t bits(uint64_t key, uint64_t index) {
    uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static __device__ float quick(uint32_t b) { return (float)((int)((b & 0xffff) + (b >> 16)) - 65535) * LAB_QUICK_SCALE; }

static dim3 grid_of(size_t n, uint32_t sets) {
    const size_t blocks = (n + THREADS - 1) / THREADS;
    return dim3((unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), sets);
}

template <class T> static __device__ T *of_set(T *x, size_t stride) {
    return (T *)((char *)x + (size_t)blockIdx.y * stride);
}

// ---- Inputs

static __global__ void normal(float2 *x, size_t pairs, uint64_t key, size_t stride) {
    float2 *const mine = of_set(x, stride);
    const uint64_t first = (uint64_t)blockIdx.y * pairs;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < pairs; i += (size_t)gridDim.x * blockDim.x) {
        const uint64_t b = bits(key, first + i);
        mine[i] = make_float2(quick((uint32_t)b), quick((uint32_t)(b >> 32)));
    }
}

static __global__ void constant(int *x, size_t n, int value, size_t stride) {
    int *const mine = of_set(x, stride);
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        mine[i] = value;
}

extern "C" int lab_fill_normal(float *x, size_t n, uint64_t key, uint32_t sets, size_t stride, void *stream) {
    normal<<<grid_of(n / 2, sets), THREADS, 0, (cudaStream_t)stream>>>((float2 *)x, n / 2, key, stride);
    return cudaGetLastError();
}

extern "C" int lab_fill_constant(int *x, size_t n, int value, uint32_t sets, size_t stride, void *stream) {
    constant<<<grid_of(n, sets), THREADS, 0, (cudaStream_t)stream>>>(x, n, value, stride);
    return cudaGetLastError();
}

static __global__ void large(float *x, size_t n) {
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) x[i] *= LAB_LARGE_TIMES;
}

extern "C" int lab_fill_large(float *x, size_t n, void *stream) {
    large<<<1, THREADS, 0, (cudaStream_t)stream>>>(x, n);
    return cudaGetLastError();
}

// ---- Links: nothing of a call can be computed before the last one is done

typedef struct {
    float *x[MOST_TENSORS];
    size_t n[MOST_TENSORS], step[MOST_TENSORS];
} inputs;

static __global__ void link(inputs in, const float *last, size_t n_last, uint32_t set, const uint64_t *key,
                            float *seen) {
    const float value = last[bits(*key, set) % n_last];
    const int t = blockIdx.y;
    const uint64_t of_this = bits(*key, (uint64_t)(uint32_t)__float_as_int(value) << 32 | set);
    const size_t j = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (j == 0 && t == 0) seen[set - 1] = value;
    for (size_t k = j; k * in.step[t] < in.n[t]; k += (size_t)gridDim.x * blockDim.x)
        in.x[t][k * in.step[t]] = quick((uint32_t)bits(of_this + t, k));
}

extern "C" int lab_link(float *const x[], const size_t n[], int tensors, const float *last, size_t n_last, uint32_t set,
                        const uint64_t *key, float *seen, void *stream) {
    inputs in = {};
    size_t most = 0;
    for (int t = 0; t < tensors && t < MOST_TENSORS; t++) {
        in.x[t] = x[t], in.n[t] = n[t], in.step[t] = lab_fresh_step(n[t]);
        most = n[t] / in.step[t] > most ? n[t] / in.step[t] : most;
    }
    link<<<grid_of(most + 1, tensors), THREADS, 0, (cudaStream_t)stream>>>(in, last, n_last, set, key, seen);
    return cudaGetLastError();
}

// ---- Digests: the output was there when the clock stopped

static __global__ void digest(const float *x, size_t n, uint64_t key, size_t stride, uint64_t *digests) {
    __shared__ uint64_t sum[THREADS];
    const float *const mine = of_set(x, stride);
    const size_t first = (size_t)blockIdx.x * LAB_CHUNK, have = n - first < LAB_CHUNK ? n - first : LAB_CHUNK;
    uint64_t own = 0;
    for (size_t i = threadIdx.x; i < have; i += THREADS)
        own += bits(key, (uint64_t)(uint32_t)__float_as_int(mine[first + i]) << 32 | i);
    sum[threadIdx.x] = own;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();  // the sums of the upper half are written
        if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
    }
    if (threadIdx.x == 0) digests[(size_t)blockIdx.y * gridDim.x + blockIdx.x] = sum[0];
}

extern "C" int lab_digest_all(const float *x, size_t n, uint64_t key, uint32_t sets, size_t stride, uint64_t *digests,
                              void *stream) {
    const dim3 grid((unsigned)((n + LAB_CHUNK - 1) / LAB_CHUNK), sets);
    digest<<<grid, THREADS, 0, (cudaStream_t)stream>>>(x, n, key, stride, digests);
    return cudaGetLastError();
}

// ---- Caches

#ifdef __CUDACC__
static size_t filler_bytes() {
    int l2 = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device);
    return 2 * (size_t)l2 + (1 << 20);
}

extern "C" int lab_flush_caches(void *stream) {
    static char *filler;
    static size_t bytes;
    if (!filler && cudaMalloc(&filler, bytes = filler_bytes()) != cudaSuccess) return cudaErrorMemoryAllocation;
    return cudaMemsetAsync(filler, 1, bytes, (cudaStream_t)stream);
}

// Some milliseconds of arithmetic on every multiprocessor.
static __global__ void exercise(float *x) {
    const long long start = clock64(), cycles = 5000000;
    float sum = threadIdx.x;
    while (clock64() - start < cycles)
        for (int i = 0; i < 256; i++) sum = sum * 0.999f + 1.f;
    if (sum == 1.2345f) *x = sum;
}

extern "C" int lab_wake(void *stream) {
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    exercise<<<4 * processors, THREADS, 0, (cudaStream_t)stream>>>(nullptr);
    return cudaGetLastError();
}
static __device__ uint64_t nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

static __global__ void wait(uint64_t ns) {
    for (const uint64_t start = nanoseconds(); nanoseconds() - start < ns;) {}
}

extern "C" int lab_keep_busy(unsigned microseconds, void *stream) {
    wait<<<1, 1, 0, (cudaStream_t)stream>>>(1000 * (uint64_t)microseconds);
    return cudaGetLastError();
}
#else  // a processor needs none of these: no kernel is timed on one
extern "C" int lab_flush_caches(void *) { return 0; }
extern "C" int lab_wake(void *) { return 0; }
extern "C" int lab_keep_busy(unsigned, void *) { return 0; }
#endif

extern "C" int lab_free_caches() {
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    cudaCtxResetPersistingL2Cache();
    cudaGetLastError();  // neither is known to every device
    const int error = lab_wake(nullptr);
    return error ? error : lab_flush_caches(nullptr);
}
