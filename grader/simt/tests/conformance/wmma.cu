// wmma.cu: 16x16x16 warp matrices: both layouts of both operands, half and bfloat16, float and half sums. Small integers,
// so that every order of summation gives the same result.
#include "common.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

const int N = 48;  // C = A B, N x N

template <class T, class Acc, class LayoutA, class LayoutB> __global__ void multiply(const T *a, const T *b, Acc *c) {
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Acc> sum;
    wmma::fill_fragment(sum, (Acc)0.0f);
    constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value,
                   b_rows = std::is_same<LayoutB, wmma::row_major>::value;
    for (int k = 0; k < N; k += 16) {
        wmma::load_matrix_sync(fa, a_rows ? a + row * N + k : a + k * N + row, N);
        wmma::load_matrix_sync(fb, b_rows ? b + k * N + column : b + column * N + k, N);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + row * N + column, sum, N, wmma::mem_row_major);
}
// D = 2 A B + C, through shared memory, several warps; the result is stored column-major.
__global__ void fused(const __half *a, const __half *b, const float *c, float *d) {
    __shared__ __align__(32) __half sa[4][256], sb[256];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = lane; i < 256; i += 32) sa[warp][i] = a[(warp % 3 * 16 + i / 16) * N + i % 16];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) sb[i] = b[i / 16 * N + i % 16];
    __syncthreads();
    if (warp == 3) return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> old, sum;
    wmma::load_matrix_sync(fa, sa[warp], 16);
    wmma::load_matrix_sync(fb, sb, 16);
    wmma::load_matrix_sync(old, c + warp * 256, 16, wmma::mem_row_major);
    wmma::fill_fragment(sum, 0.0f);
    wmma::mma_sync(sum, fa, fb, sum);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = 2 * sum.x[i] + old.x[i];
    wmma::store_matrix_sync(d + warp * 256, sum, 16, wmma::mem_col_major);
}

template <class T, class Acc, class LayoutA, class LayoutB> void run(const char *name) {
    static T a[N * N], b[N * N];
    static Acc c[N * N];
    for (int i = 0; i < N * N; i++) a[i] = T((float)(i * 7 % 5 - 2)), b[i] = T((float)(i * 11 % 7 - 3));
    Acc *out = device_array<Acc>(N * N);
    multiply<T, Acc, LayoutA, LayoutB><<<dim3(3, 3), 32>>>(upload(a, N * N), upload(b, N * N), out);
    download(c, out, N * N);
    bool a_rows = std::is_same<LayoutA, wmma::row_major>::value, b_rows = std::is_same<LayoutB, wmma::row_major>::value;
    int bad = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += (float)(a_rows ? a[i * N + k] : a[k * N + i]) * (float)(b_rows ? b[k * N + j] : b[j * N + k]);
            bad += (float)c[i * N + j] != sum;
        }
    printf("%s: %d wrong, c[5] = %g\n", name, bad, (float)c[5]);
}

int main() {
    using wmma::col_major;
    using wmma::row_major;
    run<__half, float, row_major, row_major>("half, float, rows x rows");
    run<__half, float, row_major, col_major>("half, float, rows x columns");
    run<__half, float, col_major, row_major>("half, float, columns x rows");
    run<__half, __half, col_major, col_major>("half, half, columns x columns");
    run<__nv_bfloat16, float, row_major, col_major>("bfloat16, float, rows x columns");
    static __half a[N * N], b[N * N];
    static float c[768], d[768];
    for (int i = 0; i < N * N; i++) a[i] = __float2half((float)(i % 9 - 4)), b[i] = __float2half((float)(i % 4 - 1));
    for (int i = 0; i < 768; i++) c[i] = (float)(i % 100);
    float *out = device_array<float>(768);
    fused<<<1, 128>>>(upload(a, N * N), upload(b, N * N), upload(c, 768), out);
    download(d, out, 768);
    int bad = 0;
    for (int w = 0; w < 3; w++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float sum = c[w * 256 + i * 16 + j];
                for (int k = 0; k < 16; k++)
                    sum += 2 * __half2float(a[(w * 16 + i) * N + k]) * __half2float(b[k * N + j]);
                bad += d[w * 256 + j * 16 + i] != sum;
            }
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, row_major> f;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> g;
    printf("fused: %d wrong; elements %d %d\n", bad, (int)f.num_elements, (int)g.num_elements);
    return 0;
}
