// matrices_openblas.cu: lab_gemm for grader/simt, by OpenBLAS (-DLAB_OPENBLAS), or without it by a kernel for processors.
//
// Device memory may be touched by kernels only. So the library is called by a kernel, one of one thread: on a CPU that is
// a function like any other. Checked mode does without the library, whose writes it could not see.
#include "matrices.h"

#include "block.h"
#include "launch.h"

const int lab_few_rows = 0;  // gemv.cu adds over a warp by shuffles, which are dear on a CPU: 300 times as slow

#ifdef LAB_OPENBLAS
#include <cblas.h>

static __global__ void sgemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, n_out, n_in, 1, X, n_in, W, n_out, add ? 1 : 0, Y,
                n_out);
}

attn_status lab_gemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add,
                     cudaStream_t stream) {
    return launch(sgemm, 1, 1, stream, Y, X, W, rows, n_in, n_out, add);
}

#else
enum { TILE_ROWS = 4, WIDE = 16, NARROW = 4, DEPTH = 64 };

// sum += x w, of copies: the sums stay in registers, the loop over columns becomes vectors, and checked mode, which looks
// at each access of memory, has looked at the copying.
template <int COLUMNS>
static __device__ __attribute__((no_sanitize("thread"))) void
add_products(float (*sum)[COLUMNS], const float (*x)[DEPTH], const float (*w)[COLUMNS], int depth) {
    for (int i = 0; i < depth; i++)
        UNROLL for (int r = 0; r < TILE_ROWS; r++) for (int c = 0; c < COLUMNS; c++) sum[r][c] += x[r][i] * w[i][c];
}

// COLUMNS columns of at most TILE_ROWS rows.
template <int COLUMNS>
static __device__ void multiply_strip(float *Y, const float *X, const float *W, int rows, int n_in, int n_out,
                                      int add) {
    float sum[TILE_ROWS][COLUMNS] = {}, x[TILE_ROWS][DEPTH], w[DEPTH][COLUMNS];
    for (int first = 0; first < n_in; first += DEPTH) {
        const int depth = min(n_in - first, (int)DEPTH);
        for (int r = 0; r < TILE_ROWS; r++)
            memcpy(x[r], X + (size_t)min(r, rows - 1) * n_in + first, depth * sizeof(float));
        for (int i = 0; i < depth; i++) memcpy(w[i], W + (size_t)(first + i) * n_out, sizeof w[i]);
        add_products<COLUMNS>(sum, x, w, depth);
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < COLUMNS; c++) {
            float *y = Y + (size_t)r * n_out + c;
            *y = add ? *y + sum[r][c] : sum[r][c];
        }
}

// A block of one thread computes a strip. n_out is a multiple of NARROW.
static __global__ void strips(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add) {
    const int wide = n_out / WIDE, s = blockIdx.x, first = blockIdx.y * TILE_ROWS;
    const int column = s < wide ? s * WIDE : wide * WIDE + (s - wide) * NARROW;
    Y += (size_t)first * n_out + column, X += (size_t)first * n_in, W += column;
    if (s < wide)
        multiply_strip<WIDE>(Y, X, W, min(rows - first, (int)TILE_ROWS), n_in, n_out, add);
    else
        multiply_strip<NARROW>(Y, X, W, min(rows - first, (int)TILE_ROWS), n_in, n_out, add);
}

attn_status lab_gemm(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, int add,
                     cudaStream_t stream) {
    const dim3 grid(n_out / WIDE + n_out % WIDE / NARROW, (rows + TILE_ROWS - 1) / TILE_ROWS);
    return launch(strips, grid, 1, stream, Y, X, W, rows, n_in, n_out, add);
}
#endif
