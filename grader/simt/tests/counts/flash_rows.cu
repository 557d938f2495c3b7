// flash_rows.cu: attention with an online softmax, one thread a query row, tiles of K and V in shared memory. All lanes
// read the same float4 of K and V: a broadcast.
#include "common.h"
#include <cmath>

constexpr int D = 64, Br = 32, Bc = 32;

__global__ void flash_rows(float *O, const float *Q, const float *K, const float *V, int S) {
    __shared__ __align__(16) float Ks[Bc][D], Vs[Bc][D];
    const int head = blockIdx.y * S * D;
    int t = threadIdx.x, row = blockIdx.x * Br + t;
    float q[D], acc[D], m = -INFINITY, l = 0;
    for (int d = 0; d < D; d++) q[d] = Q[head + row * D + d] * 0.125f, acc[d] = 0;
    for (int j = 0; j < S; j += Bc) {
        for (int i = t; i < Bc * D; i += Br) {
            Ks[i / D][i % D] = K[head + j * D + i];
            Vs[i / D][i % D] = V[head + j * D + i];
        }
        __syncthreads();  // the tiles are complete
        for (int c = 0; c < Bc; c++) {
            const float4 *k = (const float4 *)Ks[c], *v = (const float4 *)Vs[c];
            float s = 0;
            for (int d = 0; d < D; d += 4) {
                float4 kd = k[d / 4];
                s += q[d] * kd.x + q[d + 1] * kd.y + q[d + 2] * kd.z + q[d + 3] * kd.w;
            }
            float m_new = fmaxf(m, s), scale = __expf(m - m_new), p = __expf(s - m_new);
            l = l * scale + p;
            for (int d = 0; d < D; d += 4) {
                float4 vd = v[d / 4];
                acc[d] = acc[d] * scale + p * vd.x, acc[d + 1] = acc[d + 1] * scale + p * vd.y;
                acc[d + 2] = acc[d + 2] * scale + p * vd.z, acc[d + 3] = acc[d + 3] * scale + p * vd.w;
            }
            m = m_new;
        }
        __syncthreads();  // nobody reads them any more
    }
    for (int d = 0; d < D; d++) O[head + row * D + d] = acc[d] / l;
}

int main(int argc, char **argv) {
    int S = argc > 1 ? atoi(argv[1]) : 128, H = 2;
    size_t n = (size_t)H * S * D;
    float *Q, *K, *V, *O;
    cudaMalloc(&Q, n * sizeof(float));
    cudaMalloc(&K, n * sizeof(float));
    cudaMalloc(&V, n * sizeof(float));
    cudaMalloc(&O, n * sizeof(float));
    fill(Q, n);
    fill(K, n);
    fill(V, n);
    flash_rows<<<dim3(S / Br, H), Br>>>(O, Q, K, V, S);
    return finish();
}
