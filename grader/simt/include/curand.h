// curand.h: cuRAND's host API, as far as programs use it to fill arrays: uniform, normal and log-normal numbers, and
// integers. All generators are Philox (curand_kernel.h); the numbers are not cuRAND's.
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H

#include <vector>

#include "curand_kernel.h"

enum curandStatus_t {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999,
};
typedef curandStatus_t curandStatus;
enum curandRngType_t {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
};
typedef curandRngType_t curandRngType;
typedef struct curandGenerator {
    bool on_host;
    unsigned long long seed;
    curandStatePhilox4_32_10 state;
} * curandGenerator_t;

inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    curand_init(g->seed, 0, offset, &g->state);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->seed = seed;
    return curandSetGeneratorOffset(g, 0);
}
inline curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t) {
    *g = new curandGenerator{};
    return curandSetGeneratorOffset(*g, 0);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type) {
    curandStatus_t status = curandCreateGenerator(g, type);
    (*g)->on_host = true;
    return status;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    delete g;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t) {
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

namespace simt {

// n numbers that next(state) makes, in groups of this many.
template <class T, class F>
inline curandStatus_t fill_random(curandGenerator_t g, T *out, size_t n, size_t group, F next) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    if (n % group) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    std::vector<T> numbers(n);
    for (T &x : numbers) x = (T)next(&g->state);
    cudaMemcpyKind way = g->on_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return cudaMemcpy(out, numbers.data(), n * sizeof(T), way) ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

}  // namespace simt

inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n) {
    return simt::fill_random(g, out, n, 1, [](auto *s) { return curand(s); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n) {
    return simt::fill_random(g, out, n, 1, [](auto *s) { return curand_uniform(s); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n) {
    return simt::fill_random(g, out, n, 1, [](auto *s) { return curand_uniform_double(s); });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation) {
    return simt::fill_random(g, out, n, 2, [=](auto *s) { return mean + deviation * curand_normal(s); });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean,
                                                 double deviation) {
    return simt::fill_random(g, out, n, 2, [=](auto *s) { return mean + deviation * curand_normal_double(s); });
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation) {
    return simt::fill_random(g, out, n, 2, [=](auto *s) { return expf(mean + deviation * curand_normal(s)); });
}

#endif
