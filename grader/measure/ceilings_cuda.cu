// ceilings_cuda.cu: what this GPU can do at most: bytes to and from its memory, fp32 multiply-adds, cuBLAS's rate in
// a large product, kernels one after the other. Prints one JSON object.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>

static __global__ void copy(float4 *to, const float4 *from, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

// Four loads in flight per thread. The store is unreachable; it stops the compiler from removing the loads.
static __global__ void read(float *to, const float4 *from, size_t n) {
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
        const float4 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
        sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
    }
    for (; i < n; i += stride) sum += from[i].x;
    if (sum == 1.2345f) *to = sum;
}

enum { CHAINS = 16, TURNS = 4096 };

static __global__ void multiply_add(float *to, float a, float b) {
    float x[CHAINS];
#pragma unroll
    for (int k = 0; k < CHAINS; k++) x[k] = b * k + threadIdx.x;
    for (int t = 0; t < TURNS; t++) {
#pragma unroll
        for (int k = 0; k < CHAINS; k++) x[k] = x[k] * a + b;
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < CHAINS; k++) sum += x[k];
    if (sum == 1.2345f) *to = sum;
}

// The shortest of many launches, in seconds.
template <class Launch> static double best(Launch launch) {
    cudaEvent_t start, stop;
    float least = 1e30f;
    cudaEventCreate(&start), cudaEventCreate(&stop);
    for (int trial = 0; trial < 20; trial++) {
        float ms = 0;
        cudaEventRecord(start);
        launch();
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&ms, start, stop);
        if (trial >= 3 && ms < least) least = ms;
    }
    return least * 1e-3;
}

// FLOP/s of a square fp32 product of n x n, without TF32. a, b, c: n * n floats each. 0 where cuBLAS does not work.
static double gemm_rate(int n, const float *a, const float *b, float *c) {
    cublasHandle_t handle;
    const float one = 1, zero = 0;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 0;
    cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
    const double seconds =
        best([=] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n); });
    cublasDestroy(handle);
    return 2.0 * n * n * n / seconds;
}

// The same of half-precision inputs, on tensor cores. 0 where there are none.
static double tensor_rate(int n, const void *a, const void *b, float *c) {
    cublasHandle_t handle;
    const float one = 1, zero = 0;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 0;
    const auto product = [=] {
        return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_16F, n, b, CUDA_R_16F, n, &zero,
                            c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    };
    const bool works = product() == CUBLAS_STATUS_SUCCESS && cudaDeviceSynchronize() == cudaSuccess;
    const double seconds = works ? best([=] { product(); }) : 0;
    cublasDestroy(handle);
    return works ? 2.0 * n * n * n / seconds : 0;
}

static __global__ void after_another(float *x) { x[threadIdx.x] += 1; }

// Kernels in a second, each of which needs what the one before it wrote: in a graph, the fastest way there is.
static double kernel_rate(float *x) {
    enum { KERNELS = 500 };
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess ||
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess)
        return 0;
    for (int i = 0; i < KERNELS; i++) after_another<<<1, 32, 0, stream>>>(x);
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess)
        return 0;
    return KERNELS / best([=] { cudaGraphLaunch(ready, cudaStreamLegacy); });
}

int main() {
    size_t free = 0, all = 0, bytes = (size_t)2 << 30;
    float4 *from, *to;
    cudaDeviceProp p;
    if (cudaMemGetInfo(&free, &all) != cudaSuccess || cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 1;
    while (bytes > free / 4) bytes /= 2;
    if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess) return 1;
    cudaMemset(from, 1, bytes);
    const size_t n = bytes / sizeof(float4);
    const int blocks = p.multiProcessorCount * 8;
    double copied = 0, got = 0;
    for (int threads = 256; threads <= 1024; threads *= 2)
        for (int per = 2; per <= 16; per *= 2) {
            const int grid = p.multiProcessorCount * per;
            const double c = 2.0 * bytes / best([=] { copy<<<grid, threads>>>(to, from, n); }),
                         r = 1.0 * bytes / best([=] { read<<<grid, threads>>>((float *)to, from, n); });
            copied = c > copied ? c : copied, got = r > got ? r : got;
        }
    const double flops = 2.0 * CHAINS * TURNS * 256 * blocks,
                 rate = flops / best([=] { multiply_add<<<blocks, 256>>>((float *)to, 0.999f, 1e-3f); });
    int side = 8192;
    while (2 * sizeof(float) * side * side > bytes) side /= 2;
    const double gemm = gemm_rate(side, (float *)from, (float *)from + (size_t)side * side, (float *)to);
    const double tensor = tensor_rate(side, from, (float *)from + (size_t)side * side, (float *)to);
    const double kernels = kernel_rate((float *)to);
    if (cudaGetLastError() != cudaSuccess) return 1;
    printf("{\"copy_gb_s\": %.6g, \"read_gb_s\": %.6g, \"fma_gflop_s\": %.6g, \"gemm_gflop_s\": %.6g", copied * 1e-9,
           got * 1e-9, rate * 1e-9, gemm * 1e-9);
    if (tensor > 0) printf(", \"tensor_gflop_s\": %.6g", tensor * 1e-9);
    if (kernels > 0) printf(", \"kernels_s\": %.6g", kernels);
    puts("}");
    return 0;
}
