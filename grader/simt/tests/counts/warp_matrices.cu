// warp_matrices.cu: a warp multiplies tiles of 16 x 16 by nvcuda::wmma, three times. (How its fragments load is simt's
// choice, as CUDA leaves it open: requests and sectors are not a GPU's.)
#include "common.h"
#include <mma.h>

using namespace nvcuda;

__global__ void warp_matrices(float *y, const half *x) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::load_matrix_sync(a, x, 16);
    wmma::load_matrix_sync(b, x + 256, 16);
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < 3; i++) wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(y, sum, 16, wmma::mem_row_major);
}

int main() {
    float *y;
    half *x;
    cudaMalloc(&x, 512 * sizeof(half));
    cudaMalloc(&y, 256 * sizeof(float));
    cudaMemset(x, 0, 512 * sizeof(half));
    warp_matrices<<<1, 32>>>(y, x);
    return finish();
}
