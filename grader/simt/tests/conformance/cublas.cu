// cublas.cu: products of matrices and functions of vectors, on whole numbers that every order of adding gets right.
#include "common.h"
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

static cublasHandle_t handle;
#define BLAS(call)                                                                                                     \
    do {                                                                                                               \
        cublasStatus_t status_ = (call);                                                                               \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                                        \
            printf("%s:%d: status %d\n", __FILE__, __LINE__, (int)status_);                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

template <class T> static T *numbers(int n, int seed) {
    std::vector<T> host((size_t)n);
    for (int i = 0; i < n; i++) host[(size_t)i] = (T)(float)((i * 7 + seed) % 9 - 4);
    return upload(host.data(), (size_t)n);
}

template <class T> static void show(const char *what, const T *device, int n) {
    std::vector<T> host((size_t)n);
    download(host.data(), device, (size_t)n);
    double weighted = 0;
    printf("%-28s", what);
    for (int i = 0; i < n; i++) {
        if (i < 6) printf(" %g", (double)(float)host[(size_t)i]);
        weighted += (i % 13 + 1) * (double)(float)host[(size_t)i];
    }
    printf("  sum %g\n", weighted);
}

// Sizes that differ, so that a wrong dimension cannot hide; rows of padding in each matrix.
enum { M = 7, N = 5, K = 6, LD = 9 };

static void operations() {
    const float alpha = 2, beta = -1;
    const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            float *A = numbers<float>(LD * LD, 1), *B = numbers<float>(LD * LD, 2), *C = numbers<float>(LD * N, 3);
            BLAS(cublasSgemm(handle, ops[a], ops[b], M, N, K, &alpha, A, LD, B, LD, &beta, C, LD));
            char what[32];
            snprintf(what, sizeof what, "sgemm %c%c", "NT"[a], "NT"[b]);
            show(what, C, LD * N);
        }
}

static void doubles() {
    const double alpha = 3, beta = 0;
    double *A = numbers<double>(M * K, 4), *B = numbers<double>(K * N, 5), *C = device_array<double>(M * N, 0xff);
    BLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, A, M, B, K, &beta, C, M));
    show("dgemm, beta 0 over NaN", C, M * N);
}

template <class In, class Out> static void mixed(const char *what, cudaDataType in, cudaDataType out) {
    const float alpha = 1, beta = 1;
    In *A = numbers<In>(M * K, 1), *B = numbers<In>(K * N, 2);
    Out *C = numbers<Out>(M * N, 3);
    BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, A, in, M, B, in, K, &beta, C, out, M,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show(what, C, M * N);
}

static void batches() {
    const float alpha = 1, beta = 0;
    float *A = numbers<float>(3 * M * K, 1), *B = numbers<float>(3 * K * N, 2), *C = device_array<float>(3 * M * N);
    BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, A, M, M * K, B, K, K * N, &beta,
                                   C, M, M * N, 3));
    show("strided batch", C, 3 * M * N);
    BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, A, M, 0, B, K, K * N, &beta, C, M,
                                   M * N, 3));
    show("one A for all", C, 3 * M * N);
    float *a[] = {A, A + M * K, A + 2 * M * K}, *b[] = {B, B, B}, *c[] = {C + 2 * M * N, C + M * N, C};
    float **da = upload(a, 3), **db = upload(b, 3), **dc = upload(c, 3);
    BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, da, M, db, K, &beta, dc, M, 3));
    show("batch of pointers", C, 3 * M * N);
    __half *H = numbers<__half>(3 * M * K, 1), *G = numbers<__half>(3 * K * N, 2);
    BLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, H, CUDA_R_16F, M, M * K, G,
                                    CUDA_R_16F, K, K * N, &beta, C, CUDA_R_32F, M, M * N, 3, CUBLAS_COMPUTE_32F,
                                    CUBLAS_GEMM_ALGO7_TENSOR_OP));
    show("strided batch of halves", C, 3 * M * N);
}

static void vectors() {
    const float two = 2, one = 1;
    float *x = numbers<float>(40, 1), *y = numbers<float>(40, 2), *A = numbers<float>(M * N, 3), answer;
    double d;
    int index;
    BLAS(cublasSaxpy(handle, 10, &two, x, 3, y, 2));
    show("axpy with steps", y, 40);
    BLAS(cublasSaxpy(handle, 10, &two, x, -1, y, 1));
    show("axpy backwards", y, 40);
    BLAS(cublasSscal(handle, 20, &two, y, 2));
    show("scal", y, 40);
    BLAS(cublasSgemv(handle, CUBLAS_OP_N, M, N, &two, A, M, x, 2, &one, y, 3));
    show("gemv N", y, 40);
    BLAS(cublasSgemv(handle, CUBLAS_OP_T, M, N, &two, A, M, x, 1, &one, y, 1));
    show("gemv T", y, 40);
    float *C = device_array<float>(M * N);
    BLAS(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, N, M, &two, A, M, &one, y, N, C, N));
    show("geam T", C, M * N);
    BLAS(cublasSdot(handle, 40, x, 1, y, 1, &answer));
    printf("dot %g", answer);
    BLAS(cublasSasum(handle, 20, x, 2, &answer));
    printf(", asum %g", answer);
    BLAS(cublasIsamax(handle, 40, x, 1, &index));
    printf(", isamax %d", index);
    BLAS(cublasIsamax(handle, 0, x, 1, &index));
    printf(", of none %d", index);
    const float triangle[] = {3, 0, 4};
    BLAS(cublasSnrm2(handle, 3, upload(triangle, 3), 1, &answer));
    printf(", nrm2 %g", answer);
    BLAS(cublasDdot(handle, 9, numbers<double>(9, 1), 1, numbers<double>(9, 2), -1, &d));
    printf(", ddot backwards %g\n", d);

    float *on_device = device_array<float>(2);
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasSdot(handle, 40, x, 1, x, 1, on_device));
    BLAS(cublasSscal(handle, 40, on_device, y, 1));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    show("a factor on the device", y, 40);
}

static void moves() {
    const float half = 0.5f;
    int index;
    float *x = numbers<float>(40, 3), *y = device_array<float>(20), *A = numbers<float>(LD * N, 1), host[20];
    BLAS(cublasScopy(handle, 20, x, 2, y, -1));
    show("copy, every second, back", y, 20);
    BLAS(cublasSswap(handle, 20, x, 1, y, 1));
    show("swap, x", x, 40);
    show("swap, y", y, 20);
    BLAS(cublasSger(handle, M, N, &half, x, 2, y, 1, A, LD));
    show("ger", A, LD * N);
    BLAS(cublasIsamin(handle, 40, x, 1, &index));
    printf("isamin %d", index);
    BLAS(cublasGetVectorAsync(20, sizeof *y, y, 1, host, 1, 0));
    CHECK(cudaDeviceSynchronize());
    BLAS(cublasSetMatrixAsync(4, 5, sizeof *host, host, 4, A, LD, 0));
    CHECK(cudaDeviceSynchronize());
    show(", set by 4 rows", A, LD * N);
}

static void refusals() {
    const float one = 1;
    float *A = device_array<float>(64), *C = device_array<float>(64);
    auto gemm = [&](int m, int n, int k, int lda, int ldb, int ldc) {
        return (int)cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, A, lda, A, ldb, &one, C, ldc);
    };
    printf("refused: lda %d, ldb %d, ldc %d, m %d, empty %d\n", gemm(4, 3, 2, 2, 3, 4), gemm(4, 3, 2, 4, 1, 4),
           gemm(4, 3, 2, 4, 3, 3), gemm(-1, 3, 2, 4, 3, 4), gemm(0, 3, 2, 4, 3, 4));
    printf("without a handle: %d\n",
           (int)cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, A, 1, A, 1, &one, C, 1));
    printf("%s: %s\n", cublasGetStatusName(CUBLAS_STATUS_SUCCESS), cublasGetStatusString(CUBLAS_STATUS_SUCCESS));
}

int main() {
    cudaStream_t stream;
    cublasMath_t math;
    CHECK(cudaStreamCreate(&stream));
    BLAS(cublasCreate(&handle));
    BLAS(cublasSetStream(handle, stream));
    BLAS(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
    BLAS(cublasGetMathMode(handle, &math));
    printf("math mode %d\n", (int)math);
    operations();
    doubles();
    mixed<__half, __half>("halves", CUDA_R_16F, CUDA_R_16F);
    mixed<__half, float>("halves into floats", CUDA_R_16F, CUDA_R_32F);
    mixed<__nv_bfloat16, float>("bfloat16 into floats", CUDA_R_16BF, CUDA_R_32F);
    mixed<float, float>("floats", CUDA_R_32F, CUDA_R_32F);
    batches();
    vectors();
    moves();
    refusals();
    BLAS(cublasDestroy(handle));
    return 0;
}
