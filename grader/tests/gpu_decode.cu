// gpu_decode.cu: rung 12 of the ladder (12_decode) against sums in double, in shapes that take each of its kernels: small
// enough for compute-sanitizer to watch. Needs compute capability 9.0.
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <vector>

#include "decode.h"

static int count;

static float number(uint32_t *state) {  // uniform, -1 to 1
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (1 << 23) - 1;
}

static float as_float(float x) { return x; }
static float as_float(__half x) { return __half2float(x); }

// n elements on the device, with what `get` brings back. Every element is written.
template <class T> struct tensor {
    std::vector<T> host;
    T *device;
    tensor(size_t n, uint32_t seed) : host(n) {
        for (T &x : host) x = (T)number(&seed);
        cudaMalloc(&device, n * sizeof(T));
        put();
    }
    ~tensor() { cudaFree(device); }
    void put() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
    void get() { cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
};

// What the contract asks of one query, batch * heads and dims: the largest difference.
template <class T>
static double error(const tensor<T> &O, const tensor<T> &Q, const tensor<T> &K, const tensor<T> &V, attn_cache c,
                    const std::vector<int> &lengths) {
    double worst = 0;
    for (int pair = 0; pair < c.batch * c.heads; pair++) {
        const int length = lengths[pair / c.heads], D = c.head_dim;
        const size_t row = (size_t)pair * D, cache = (size_t)pair * c.max_seq * D;
        std::vector<double> p(length), o(D);
        double sum = 0;
        for (int j = 0; j < length; j++) {
            double s = 0;
            for (int d = 0; d < D; d++) s += (double)as_float(Q.host[row + d]) * as_float(K.host[cache + j * D + d]);
            sum += p[j] = exp(s / sqrt(D));
        }
        for (int j = 0; j < length; j++)
            for (int d = 0; d < D; d++) o[d] += p[j] / sum * as_float(V.host[cache + j * D + d]);
        for (int d = 0; d < D; d++) worst = fmax(worst, fabs(o[d] - as_float(O.host[row + d])));
    }
    return worst;
}

typedef attn_status (*entry)(void *, const void *, const void *, const void *, const int *, void *, attn_cache,
                             cudaStream_t);

// Two calls, full caches or ragged ones: the second finds the workspace as the first has left it.
template <class T> static int shape(entry decode, attn_cache c, bool full, double allowed) {
    const size_t rows = (size_t)c.batch * c.heads;
    tensor<T> O(rows * c.head_dim, 1), Q(rows * c.head_dim, 2), K(rows * c.max_seq * c.head_dim, 3),
        V(rows * c.max_seq * c.head_dim, 4);
    tensor<int> lengths(c.batch, 0);
    for (int b = 0; b < c.batch; b++) lengths.host[b] = full ? c.max_seq : c.max_seq * b / c.batch;
    lengths.put();
    void *workspace;
    cudaMalloc(&workspace, DECODE_WORKSPACE(c));
    cudaMemset(workspace, 0, DECODE_WORKSPACE(c));
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        attn_status status =
            decode(O.device, Q.device, K.device, V.device, lengths.device, workspace, c, cudaStream_t(0));
        if (status != ATTN_OK || cudaDeviceSynchronize() != cudaSuccess) worst = INFINITY;
        O.get();
        worst = fmax(worst, error(O, Q, K, V, c, lengths.host));
    }
    cudaFree(workspace);
    const bool ok = worst <= allowed;
    printf("%sok %d - %s B %d, H %d, D %d, %d keys, %s: %.1e\n", ok ? "" : "not ", ++count,
           sizeof(T) == 4 ? "float32" : "float16", c.batch, c.heads, c.head_dim, c.max_seq, full ? "full" : "ragged",
           worst);
    return !ok;
}

int main(void) {
    // Registers of a cluster hold the first seven, and float16 of the eighth; the next four stream in chunks, the others
    // in tiles.
    static const attn_cache SHAPES[] = {{1, 8, 1024, 64},  {2, 3, 77, 40},      {1, 8, 200, 128},   {3, 2, 600, 64},
                                        {1, 1, 1, 8},      {40, 7, 90, 64},     {2, 20, 700, 64},   {1, 32, 1300, 128},
                                        {1, 1, 5000, 96},  {2, 70, 700, 64},    {60, 7, 90, 64},    {5, 30, 500, 128},
                                        {2, 64, 400, 128}, {2, 1, 130000, 128}, {7, 32, 1030, 128}, {2, 2, 110000, 64},
                                        {2, 1, 110000, 72}};
    int failed = 0;
    for (const attn_cache &c : SHAPES)
        for (bool full : {true, false}) {
            failed += shape<float>(attn_decode_f32, c, full, 1e-5);
            failed += shape<__half>(attn_decode_f16, c, full, 4e-3);
        }
    printf("1..%d\n", count);
    return failed != 0;
}
