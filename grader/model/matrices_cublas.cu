// matrices_cublas.cu: lab_gemm for a GPU. cuBLAS's matrices are column-major, so it is asked for Y^T = W^T X^T, which has
// the same bytes. Its default mode computes float32 products in float32.
#include <cublas_v2.h>

#include "matrices.h"

const int lab_few_rows = LAB_GEMV_ROWS;

enum { WORKSPACE = 32 << 20 };  // bytes; given once, because cuBLAS may not allocate while a graph is recorded

static cublasHandle_t library;
static void *workspace;
static cudaStream_t current;

static int use(cudaStream_t stream) {
    if (library && current == stream) return 1;
    if (!library && cublasCreate(&library) != CUBLAS_STATUS_SUCCESS) return 0;
    if (!workspace && cudaMalloc(&workspace, WORKSPACE) != cudaSuccess) return 0;
    current = stream;
    return cublasSetStream(library, stream) == CUBLAS_STATUS_SUCCESS &&
           cublasSetWorkspace(library, workspace, WORKSPACE) == CUBLAS_STATUS_SUCCESS;
}

attn_status lab_gemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add,
                     cudaStream_t stream) {
    const float one = 1, beta = add ? 1 : 0;
    if (!use(stream)) return ATTN_CUDA_ERROR;
    const cublasStatus_t status =
        cublasSgemm(library, CUBLAS_OP_N, CUBLAS_OP_N, n_out, rows, n_in, &one, W, n_out, X, n_in, &beta, Y, n_out);
    return status == CUBLAS_STATUS_SUCCESS ? ATTN_OK : ATTN_CUDA_ERROR;
}
