// matrices.cu: chooses between a kernel and a library for a product; adds bias and activation to the library's.
#include "matrices.h"

#include "launch.h"

// Y: [rows, n_out]. Y + b, and gelu_new of it if asked for. Four columns per thread.
static __global__ void finish_rows(float *Y, const float *b, size_t n, int n_out, int gelu) {
    let_next_start();
    wait_for_previous();  // Y has been computed
    const size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    float4 y = *(float4 *)(Y + i);
    const float4 c = *(const float4 *)(b + i % n_out);
    y = make_float4(y.x + c.x, y.y + c.y, y.z + c.z, y.w + c.w);
    if (gelu) y = make_float4(gelu_new(y.x), gelu_new(y.y), gelu_new(y.z), gelu_new(y.w));
    *(float4 *)(Y + i) = y;
}

static __typeof__(attn_linear) *own_linear;

void lab_use_linear(__typeof__(attn_linear) *linear) { own_linear = linear; }

static attn_status product(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                           lab_finish finish, cudaStream_t stream) {
    if (rows < 1 || n_in < 4 || n_in % 4 != 0 || n_out < 4 || n_out % 4 != 0) return ATTN_BAD_SHAPE;
    if (rows <= lab_few_rows) return lab_gemv(Y, X, W, b, rows, n_in, n_out, finish, stream);
    attn_status status = own_linear ? own_linear(Y, X, W, b, rows, n_in, n_out, finish, stream) : ATTN_BAD_SHAPE;
    if (status != ATTN_BAD_SHAPE) return status;
    status = lab_gemm(Y, X, W, rows, n_in, n_out, finish == LAB_ADD_SUM, stream);
    if (status != ATTN_OK) return status;
    const size_t n = (size_t)rows * n_out;
    return launch(finish_rows, (unsigned)((n / 4 + 255) / 256), 256, stream, Y, b, n, n_out, finish == LAB_STORE_GELU);
}

attn_status lab_linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                       cudaStream_t stream) {
    return product(Y, X, W, b, rows, n_in, n_out, LAB_STORE_SUM, stream);
}

attn_status lab_linear_gelu(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                            cudaStream_t stream) {
    return product(Y, X, W, b, rows, n_in, n_out, LAB_STORE_GELU, stream);
}

attn_status lab_linear_add(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                           cudaStream_t stream) {
    return product(Y, X, W, b, rows, n_in, n_out, LAB_ADD_SUM, stream);
}
