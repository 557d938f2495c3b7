// common.h: numbers, plain attention in double, and what differs.
#ifndef LADDER_COMMON_H
#define LADDER_COMMON_H

#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

namespace claims {

template <class T> struct array {  // on both sides; seed 0: NaN
    std::vector<double> host;
    T *device = nullptr;
    array(int n, unsigned seed) : host(n) {
        for (int i = 0; i < n; i++)
            host[i] = seed ? (int)((i + 1000 * seed) * 2654435761u >> 16 & 255) / 128.0 - 1 : NAN;
        cudaMalloc(&device, n * sizeof(T));
        upload();
    }
    void upload() {  // host gets what T can hold
        std::vector<T> narrow(host.size());
        for (size_t i = 0; i < host.size(); i++) narrow[i] = (T)(float)host[i], host[i] = (float)narrow[i];
        cudaMemcpy(device, narrow.data(), narrow.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    void download() {
        std::vector<T> narrow(host.size());
        cudaMemcpy(narrow.data(), device, narrow.size() * sizeof(T), cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < host.size(); i++) host[i] = (float)narrow[i];
    }
};

// O = softmax(q K^T / sqrt(d)) V over the first n keys; 0 without keys.
inline void attend(std::vector<double> &o, const double *q, const std::vector<double> &k, const std::vector<double> &v,
                   int n, int d) {
    double sum = 0;
    for (double &x : o) x = 0;
    for (int j = 0; j < n; j++) {
        double score = 0;
        for (int c = 0; c < d; c++) score += q[c] * k[j * d + c];
        const double weight = std::exp(score / std::sqrt((double)d));
        for (int c = 0; c < d; c++) o[c] += weight * v[j * d + c];
        sum += weight;
    }
    for (double &x : o) x = n ? x / sum : 0;
}

static int failures;
inline void expect(const char *what, double found, double want, double allowed) {
    if (!(std::fabs(found - want) <= allowed) && failures++ < 5) printf("%s: %.9g, expected %.9g\n", what, found, want);
}
inline void expect_status(const char *what, int status) {
    cudaError_t error = cudaDeviceSynchronize();
    if ((status || error) && failures++ < 5) printf("%s: status %d, %s\n", what, status, cudaGetErrorString(error));
}
inline int finish() {
    puts(failures ? "FAILED" : "OK");
    return failures != 0;
}

}  // namespace claims

#endif
