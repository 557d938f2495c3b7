// naive.cu: attention in three kernels as students first write them: tiled products with two barriers a tile, a softmax by a
// block a row. B = 1, H = 8, S = 1024, D = 64, causal; the masked half is computed, too.
#include "speed.h"

#include <math.h>
#include <vector>

constexpr int S = 1024, D = 64, H = 8, T = 16;
constexpr size_t N = (size_t)H * S * D;

__global__ void score(float *s, const float *q, const float *k) {
    int j = blockIdx.x * T + threadIdx.x, i = blockIdx.y * T + threadIdx.y, h = blockIdx.z;
    __shared__ float a[T][T + 1], b[T][T + 1];
    float sum = 0;
    for (int d = 0; d < D; d += T) {
        a[threadIdx.y][threadIdx.x] = q[((size_t)h * S + i) * D + d + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = k[((size_t)h * S + blockIdx.x * T + threadIdx.y) * D + d + threadIdx.x];
        __syncthreads();
        for (int e = 0; e < T; e++) sum += a[threadIdx.y][e] * b[threadIdx.x][e];
        __syncthreads();
    }
    s[((size_t)h * S + i) * S + j] = j <= i ? sum * 0.125f : -INFINITY;
}

__global__ void softmax(float *s) {
    __shared__ float part[256];
    float *row = s + (size_t)blockIdx.x * S;
    int t = threadIdx.x;
    float m = -INFINITY, l = 0;
    for (int j = t; j < S; j += 256) m = fmaxf(m, row[j]);
    part[t] = m;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) part[t] = fmaxf(part[t], part[t + k]);
        __syncthreads();
    }
    m = part[0];
    __syncthreads();
    for (int j = t; j < S; j += 256) l += row[j] = expf(row[j] - m);
    part[t] = l;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) part[t] += part[t + k];
        __syncthreads();
    }
    for (int j = t; j < S; j += 256) row[j] /= part[0];
}

__global__ void product(float *o, const float *p, const float *v) {
    int d = blockIdx.x * T + threadIdx.x, i = blockIdx.y * T + threadIdx.y, h = blockIdx.z;
    __shared__ float a[T][T + 1], b[T][T + 1];
    float sum = 0;
    for (int j = 0; j < S; j += T) {
        a[threadIdx.y][threadIdx.x] = p[((size_t)h * S + i) * S + j + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = v[((size_t)h * S + j + threadIdx.y) * D + d];
        __syncthreads();
        for (int e = 0; e < T; e++) sum += a[threadIdx.y][e] * b[e][threadIdx.x];
        __syncthreads();
    }
    o[((size_t)h * S + i) * D + d] = sum;
}

// The row of one query, by plain loops.
static double worst_error(const float *x, const float *o, int h, int i) {
    std::vector<double> p(i + 1);
    const float *head = x + (size_t)h * S * D;
    double m = -INFINITY, l = 0, worst = 0;
    for (int j = 0; j <= i; j++) {
        for (int d = 0; d < D; d++) p[j] += 0.125 * head[i * D + d] * head[j * D + d];
        m = fmax(m, p[j]);
    }
    for (int j = 0; j <= i; j++) l += p[j] = exp(p[j] - m);
    for (int d = 0; d < D; d++) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += p[j] / l * head[j * D + d];
        worst = fmax(worst, fabs(sum - o[((size_t)h * S + i) * D + d]));
    }
    return worst;
}

int main() {
    float *x, *s, *o;
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&o, N * sizeof *o);
    cudaMalloc(&s, (size_t)H * S * S * sizeof *s);
    std::vector<float> in(N), out(N);
    for (size_t i = 0; i < N; i++) in[i] = (float)(i * 2654435761u % 1000) / 500 - 1;
    cudaMemcpy(x, in.data(), N * sizeof *x, cudaMemcpyHostToDevice);
    double a = best_seconds([&] { score<<<dim3(S / T, S / T, H), dim3(T, T)>>>(s, x, x); });
    softmax<<<H * S, 256>>>(s);
    double c = best_seconds([&] { product<<<dim3(D / T, S / T, H), dim3(T, T)>>>(o, s, x); });
    cudaMemcpy(out.data(), o, N * sizeof *o, cudaMemcpyDeviceToHost);
    for (int i : {0, 1, 517, 1023})
        if (!(worst_error(in.data(), out.data(), i % H, i) < 1e-4)) return printf("WRONG in row %d\n", i), 1;
    double b = best_seconds([&] { softmax<<<H * S, 256>>>(s); });
    printf("naive attention: %.2f s = scores %.2f + softmax %.2f + product %.2f\n", a + b + c, a, b, c);
}
