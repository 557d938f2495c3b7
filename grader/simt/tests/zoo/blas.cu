// blas.cu: cuBLAS reads and writes device memory as kernels do, so what is wrong with it is said at the call's line.
#include "zoo.h"
#include <cublas_v2.h>

__global__ void fill(float *x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] = threadIdx.x;
}

// C = A B of 4 x 4, where A has leading dimension lda.
static void multiply(float *C, const float *A, const float *B, int lda = 4) {
    const float alpha = 1, beta = 0;
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &alpha, A, lda, B, 4, &beta, C, 4);
    if (status != CUBLAS_STATUS_SUCCESS) printf("%s\n", cublasGetStatusName(status));
    cublasDestroy(handle);
}

// Right: a kernel fills A, the library multiplies, a kernel reads what the library wrote.
__global__ void copy(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
static void blas_between_kernels(float *out, float *x) {
    float *C;
    cudaMalloc(&C, 16 * sizeof(float));
    fill<<<1, 32>>>(x, 16);
    multiply(C, x, x);
    copy<<<1, 16>>>(out, C);
}

static void blas_unwritten(float *out, float *x) {
    float *A;
    cudaMalloc(&A, 16 * sizeof(float));
    fill<<<1, 32>>>(A, 13);  // the last three have no value
    multiply(out, A, x);
}

void blas_in_flight(float *x) {
    float *C;
    cudaMallocManaged(&C, 16 * sizeof(float));
    const float alpha = 1, beta = 0;
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &alpha, x, 4, x, 4, &beta, C, 4);
    printf("C[3] = %g\n", C[3]);  // the product may still be under way
    cudaDeviceSynchronize();
    printf("C[4] = %g\n", C[4]);
}

static void blas_host_pointer(float *out, float *x) {
    static float A[16];
    multiply(out, A, x);
}

static const Case cases[] = {
    {"blas_between_kernels", 16, 16, [](float *out, float *x) { blas_between_kernels(out, x); }},
    {"blas_unwritten", 16, 16, [](float *out, float *x) { blas_unwritten(out, x); }},
    {"blas_in_flight", 1, 16, [](float *, float *x) { blas_in_flight(x); }},
    {"blas_row_major", 16, 16, [](float *out, float *x) { multiply(out, x, x, 2); }},
    {"blas_past_the_end", 16, 16, [](float *out, float *x) { multiply(out, x, x, 6); }},
    {"blas_host_pointer", 16, 16, [](float *out, float *x) { blas_host_pointer(out, x); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
