// cublas_v2.h: of cuBLAS, what baselines use: products of matrices and the functions of axes (../runtime/cublas.cpp).
//
// Matrices lie by columns: element (i, j) of A is A[i + j * lda]. For row-major C = A B compute C' = B' A': give B first,
// and n before m. fp16 and bf16 are multiplied and added up in fp32; so are TF32 and the other fast modes.
#ifndef SIMT_CUBLAS_V2_H
#define SIMT_CUBLAS_V2_H

#include "cuda_runtime_api.h"
#if defined(__cplusplus) && !defined(SIMT_RUNTIME)
#include "cuda_bf16.h"  // as NVIDIA's does
#include "cuda_fp16.h"
#endif
#include "library_types.h"

typedef struct cublasContext *cublasHandle_t;

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    // Numbers of algorithms, for programs that try them all; here each means the default.
    // clang-format off
    CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1, CUBLAS_GEMM_ALGO2, CUBLAS_GEMM_ALGO3, CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5, CUBLAS_GEMM_ALGO6, CUBLAS_GEMM_ALGO7, CUBLAS_GEMM_ALGO8, CUBLAS_GEMM_ALGO9, CUBLAS_GEMM_ALGO10,
    CUBLAS_GEMM_ALGO11, CUBLAS_GEMM_ALGO12, CUBLAS_GEMM_ALGO13, CUBLAS_GEMM_ALGO14, CUBLAS_GEMM_ALGO15,
    CUBLAS_GEMM_ALGO16, CUBLAS_GEMM_ALGO17, CUBLAS_GEMM_ALGO18, CUBLAS_GEMM_ALGO19, CUBLAS_GEMM_ALGO20,
    CUBLAS_GEMM_ALGO21, CUBLAS_GEMM_ALGO22, CUBLAS_GEMM_ALGO23,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO1_TENSOR_OP, CUBLAS_GEMM_ALGO2_TENSOR_OP,
    CUBLAS_GEMM_ALGO3_TENSOR_OP, CUBLAS_GEMM_ALGO4_TENSOR_OP, CUBLAS_GEMM_ALGO5_TENSOR_OP,
    CUBLAS_GEMM_ALGO6_TENSOR_OP, CUBLAS_GEMM_ALGO7_TENSOR_OP, CUBLAS_GEMM_ALGO8_TENSOR_OP,
    CUBLAS_GEMM_ALGO9_TENSOR_OP, CUBLAS_GEMM_ALGO10_TENSOR_OP, CUBLAS_GEMM_ALGO11_TENSOR_OP,
    CUBLAS_GEMM_ALGO12_TENSOR_OP, CUBLAS_GEMM_ALGO13_TENSOR_OP, CUBLAS_GEMM_ALGO14_TENSOR_OP,
    CUBLAS_GEMM_ALGO15_TENSOR_OP
    // clang-format on
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t size);
#define cublasSetWorkspace cublasSetWorkspace_v2
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

// C (m x n) = alpha op(A) (m x k) op(B) (k x n) + beta C
#define SIMT_CUBLAS_SHAPE cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
cublasStatus_t cublasGemmEx(SIMT_CUBLAS_SHAPE, const void *alpha, const void *A, cudaDataType atype, int lda,
                            const void *B, cudaDataType btype, int ldb, const void *beta, void *C, cudaDataType ctype,
                            int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(SIMT_CUBLAS_SHAPE, const void *alpha, const void *A, cudaDataType atype,
                                          int lda, long long stridea, const void *B, cudaDataType btype, int ldb,
                                          long long strideb, const void *beta, void *C, cudaDataType ctype, int ldc,
                                          long long stridec, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algo);

// What exists for float (S) and double (D). gemv: y = alpha op(A) x + beta y, A is m x n. ger: A = alpha x y' + A.
// geam: C = alpha op(A) + beta op(B).
#define SIMT_CUBLAS_FOR(S, T)                                                                                          \
    cublasStatus_t cublas##S##gemm(SIMT_CUBLAS_SHAPE, const T *alpha, const T *A, int lda, const T *B, int ldb,        \
                                   const T *beta, T *C, int ldc);                                                      \
    cublasStatus_t cublas##S##gemmBatched(SIMT_CUBLAS_SHAPE, const T *alpha, const T *const A[], int lda,              \
                                          const T *const B[], int ldb, const T *beta, T *const C[], int ldc,           \
                                          int count);                                                                  \
    cublasStatus_t cublas##S##gemmStridedBatched(SIMT_CUBLAS_SHAPE, const T *alpha, const T *A, int lda,               \
                                                 long long stridea, const T *B, int ldb, long long strideb,            \
                                                 const T *beta, T *C, int ldc, long long stridec, int count);          \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,   \
                                   int n, const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb,     \
                                   T *C, int ldc);                                                                     \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha,       \
                                   const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy);          \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,           \
                                   int incy);                                                                          \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,           \
                                  const T *y, int incy, T *A, int lda);                                                \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);                \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);                      \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);                      \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,            \
                                  T *result);                                                                          \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result);                     \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result);
SIMT_CUBLAS_FOR(S, float)
SIMT_CUBLAS_FOR(D, double)
#undef SIMT_CUBLAS_FOR
#undef SIMT_CUBLAS_SHAPE

// The index, from 1, of the first of the largest |x|, of the smallest.
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float *x, int incx, int *result);
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double *x, int incx, int *result);
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float *x, int incx, int *result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double *x, int incx, int *result);

// n elements, or rows x cols, of `size` bytes each, from the host to the device (Set) and back (Get).
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *device_y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *device_x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *A, int lda, void *device_B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *device_A, int lda, void *B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *device_y, int incy, cudaStream_t s);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device_x, int incx, void *y, int incy, cudaStream_t s);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *A, int lda, void *device_B, int ldb,
                                    cudaStream_t s);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *device_A, int lda, void *B, int ldb,
                                    cudaStream_t s);

#ifdef __cplusplus
}

// Programs from before CUDA 11 give the type of the sums as an element type.
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void *alpha, const void *A, cudaDataType atype,
                                          int lda, const void *B, cudaDataType btype, int ldb, const void *beta,
                                          void *C, cudaDataType ctype, int ldc, cudaDataType compute,
                                          cublasGemmAlgo_t algo) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, atype, lda, B, btype, ldb, beta, C, ctype, ldc,
                        compute == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                        : compute == CUDA_R_32F ? CUBLAS_COMPUTE_32F
                                                : CUBLAS_COMPUTE_16F,
                        algo);
}
#endif

#endif
