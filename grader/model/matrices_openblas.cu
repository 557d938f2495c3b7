// matrices_openblas.cu: lab_gemm for grader/simt, by OpenBLAS (-DLAB_OPENBLAS), or without it by the kernel for few rows.
//
// Device memory may be touched by kernels only. So the library is called by a kernel, one of one thread: on a CPU that is
// a function like any other. Checked mode does without the library, whose writes it could not see.
#include "matrices.h"

#include "launch.h"

#ifdef LAB_OPENBLAS
#include <cblas.h>

const int lab_few_rows = 0;  // a warp's shuffles are dear on a CPU

static __global__ void sgemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, n_out, n_in, 1, X, n_in, W, n_out, add ? 1 : 0, Y,
                n_out);
}

attn_status lab_gemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add,
                     cudaStream_t stream) {
    return launch(sgemm, 1, 1, stream, Y, X, W, rows, n_in, n_out, add);
}

#else
const int lab_few_rows = LAB_GEMV_ROWS;

attn_status lab_gemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add,
                     cudaStream_t stream) {
    for (int r = 0; r < rows; r += LAB_GEMV_ROWS) {
        const attn_status status =
            lab_gemv(Y + (size_t)r * n_out, X + (size_t)r * n_in, W, NULL, min(rows - r, (int)LAB_GEMV_ROWS), n_in,
                     n_out, add ? LAB_ADD_SUM : LAB_STORE_SUM, stream);
        if (status != ATTN_OK) return status;
    }
    return ATTN_OK;
}
#endif
