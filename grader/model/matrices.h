// matrices.h: products with weight matrices, W: [n_in, n_out], y = x W + b. X: [rows, n_in], Y: [rows, n_out]. Float32
// throughout (no TF32); row-major; device memory, 16-byte aligned; n_in and n_out are multiples of 4.
//
// Few rows (a decode step: one per sequence) use every weight for a handful of multiply-adds, so reading W is all the
// work: gemv.cu. Many rows (prefill) are a matrix product, for which there are libraries: lab_gemm has two homes,
// matrices_cublas.cu for nvcc and matrices_openblas.cu for grader/simt. Each says how many rows are few.
#ifndef LAB_MATRICES_H
#define LAB_MATRICES_H

#include <cuda_runtime.h>

#include "fused.h"
#include "layers.h"
#include "shape.h"

// All queue work on `stream` and return ATTN_OK, ATTN_BAD_SHAPE or ATTN_CUDA_ERROR.
attn_status lab_linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                       cudaStream_t stream);
attn_status lab_linear_gelu(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                            cudaStream_t stream);
attn_status lab_linear_add(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                           cudaStream_t stream);

// Y = X W^T. W: [n_out, n_in]: the logits, where W is the embedding. n_out may be any number. best: [rows,
// lab_candidates(n_out)]: the largest number of each of so many parts of a row of Y.
attn_status lab_logits(float *Y, lab_candidate *best, const float *X, const float *W, int rows, int n_in, int n_out,
                       cudaStream_t stream);
int lab_candidates(int n_out);

// ---- the same for one row, with the layer norm before it: each block normalises the row for itself, which takes less time
// than a kernel of its own. Where lab_norm_rides() says so.
int lab_norm_rides(int rows, int n_in);
// y = gelu_new(norm(x + add) W + b).
attn_status lab_norm_linear_gelu(float *y, const float *x, const float *add, lab_norm norm, const float *W,
                                 const float *b, int n_in, int n_out, cudaStream_t stream);
// y += add + x W + b: the function before has not added `add` to y.
attn_status lab_linear_add_both(float *y, const float *add, const float *x, const float *W, const float *b, int n_in,
                                int n_out, cudaStream_t stream);
// y = norm(x) W^T.
attn_status lab_norm_logits(float *y, lab_candidate *best, const float *x, lab_norm norm, const float *W, int n_in,
                            int n_out, cudaStream_t stream);

// What takes the place of lab_gemm and its finish where it can (fused.h); NULL: nothing.
void lab_use_linear(__typeof__(attn_linear) *linear);

// ---- the parts of the above
enum { LAB_GEMV_ROWS = 8 };  // what gemv.cu takes at most

typedef enum { LAB_STORE_SUM, LAB_STORE_GELU, LAB_ADD_SUM } lab_finish;  // Y = s; Y = gelu_new(s); Y += s

// rows <= LAB_GEMV_ROWS; b may be NULL.
attn_status lab_gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                     lab_finish finish, cudaStream_t stream);
// Y = X W, or with `add` Y += X W.
attn_status lab_gemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add,
                     cudaStream_t stream);
extern const int lab_few_rows;  // up to here gemv.cu is faster, 0 to LAB_GEMV_ROWS

#ifdef __cplusplus
// GPT-2's activation: 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
static __device__ __forceinline__ float gelu_new(float x) {
    return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}
#endif

#endif
