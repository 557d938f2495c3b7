// wmma.cu: warp matrices: both layouts of both operands, every type of element and shape. Small integers, so that every order
// of summation gives the same result.
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

// C = A B of one tile, by its layouts; A and B hold what fits a signed and an unsigned char.
template <int M, int N, int K, class T, class Memory, class Acc, class LayoutA, class LayoutB>
__global__ void multiply_tile(const Memory *a, const Memory *b, Acc *c, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Acc> sum;
    wmma::load_matrix_sync(fa, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
    wmma::load_matrix_sync(fb, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
    wmma::load_matrix_sync(sum, c, layout == wmma::mem_row_major ? N : M, layout);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] + sum.x[i];
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(c, sum, layout == wmma::mem_row_major ? N : M, layout);
}

template <int M, int N, int K, class T, class Memory, class Acc, class LayoutA, class LayoutB>
void run_tile(const char *name, wmma::layout_t layout) {
    Memory a[M * K], b[K * N];
    Acc before[M * N], after[M * N];
    int least = std::is_same<T, unsigned char>::value ? 0 : -2, bad = 0;
    for (int i = 0; i < M * K; i++) a[i] = Memory((float)(i * 7 % 5 + least));
    for (int i = 0; i < K * N; i++) b[i] = Memory((float)(i * 11 % 7 + least));
    for (int i = 0; i < M * N; i++) before[i] = Acc((float)(i % 13));
    Acc *c = upload(before, M * N);
    multiply_tile<M, N, K, T, Memory, Acc, LayoutA, LayoutB><<<1, 32>>>(upload(a, M * K), upload(b, K * N), c, layout);
    download(after, c, M * N);
    bool a_rows = std::is_same<LayoutA, wmma::row_major>::value, b_rows = std::is_same<LayoutB, wmma::row_major>::value;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int at = layout == wmma::mem_row_major ? i * N + j : j * M + i;
            float sum = 2 * (float)before[at];
            for (int k = 0; k < K; k++)
                sum += (float)a[a_rows ? i * K + k : k * M + i] * (float)b[b_rows ? k * N + j : j * K + k];
            bad += (float)after[at] != sum;
        }
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Acc> sum;
    printf("%s: %d wrong, c[5] = %g; elements %d %d %d\n", name, bad, (float)after[5], (int)fa.num_elements,
           (int)fb.num_elements, (int)sum.num_elements);
}

template <int M, int N, int K, class T, class Memory, class Acc> void run_layouts(const char *name) {
    using wmma::col_major;
    using wmma::row_major;
    run_tile<M, N, K, T, Memory, Acc, row_major, row_major>(name, wmma::mem_row_major);
    run_tile<M, N, K, T, Memory, Acc, row_major, col_major>(name, wmma::mem_col_major);
    run_tile<M, N, K, T, Memory, Acc, col_major, row_major>(name, wmma::mem_row_major);
    run_tile<M, N, K, T, Memory, Acc, col_major, col_major>(name, wmma::mem_col_major);
}

// What is lost of a float that is rounded to tf32, and of one that is not.
__global__ void round_tf32(float *out) {
    const float values[] = {1.00048828125f, 1.000488f, -1.0014649f, 3.0e38f, 0.0f, -0.1f};
    for (int i = 0; i < 6; i++) out[i] = wmma::__float_to_tf32(values[i]);
}

void run_shapes() {
    run_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32 16x16x8");
    run_layouts<8, 8, 4, double, double, double>("double 8x8x4");
    run_layouts<32, 8, 16, __half, __half, float>("half 32x8x16");
    run_layouts<8, 32, 16, __half, __half, __half>("half 8x32x16");
    run_layouts<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16 32x8x16");
    run_layouts<16, 16, 16, signed char, signed char, int>("signed char 16x16x16");
    run_layouts<32, 8, 16, unsigned char, unsigned char, int>("unsigned char 32x8x16");
    run_layouts<8, 32, 16, signed char, signed char, int>("signed char 8x32x16");
    float rounded[6], *out = device_array<float>(6);
    round_tf32<<<1, 1>>>(out);
    download(rounded, out, 6);
    for (int i = 0; i < 6; i++) printf("%.9g%c", rounded[i], i == 5 ? '\n' : ' ');
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
    run_shapes();
    return 0;
}
