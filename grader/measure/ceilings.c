// ceilings.c: peak multiply-add rate per instruction set, and memory bandwidth.
#include "ceilings.h"

#include <omp.h>
#include <stdlib.h>

#include "process.h"

enum { ACCUMULATORS = 12 };  // independent chains: enough to cover latency 4 to 5 at two or three a cycle

static volatile float sink;

// One thread's work: `turns` rounds of ACCUMULATORS independent multiply-adds on vectors of `bytes` bytes. The compiler
// keeps the accumulators in registers and contracts a * b + c.
#define FMA_KERNEL(name, bytes, target)                                                                                \
    typedef float vec_##name __attribute__((vector_size(bytes)));                                                      \
    target static void fma_##name(long turns) {                                                                        \
        vec_##name acc[ACCUMULATORS], a, b;                                                                            \
        for (unsigned i = 0; i < bytes / sizeof(float); i++) a[i] = 0.999f, b[i] = 1e-3f;                              \
        for (int k = 0; k < ACCUMULATORS; k++) acc[k] = b * (float)k;                                                  \
        for (long t = 0; t < turns; t++) {                                                                             \
            _Pragma("GCC unroll 16") for (int k = 0; k < ACCUMULATORS; k++) acc[k] = acc[k] * a + b;                   \
        }                                                                                                              \
        float sum = 0;                                                                                                 \
        for (int k = 0; k < ACCUMULATORS; k++) sum += acc[k][0];                                                       \
        sink = sum;                                                                                                    \
    }

#if defined(__x86_64__)
FMA_KERNEL(sse2, 16, )
FMA_KERNEL(avx2, 32, __attribute__((target("avx2,fma"))))
FMA_KERNEL(avx512, 64, __attribute__((target("avx512f"))))
#elif defined(__aarch64__)
FMA_KERNEL(neon, 16, )
#else
FMA_KERNEL(vector, 16, )
#endif

typedef struct {
    const char *isa;
    void (*run)(long);
    int lanes;
} kernel;

static int kernels(kernel found[3]) {
    int n = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    found[n++] = (kernel){"sse2", fma_sse2, 4};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found[n++] = (kernel){"avx2", fma_avx2, 8};
    if (__builtin_cpu_supports("avx512f")) found[n++] = (kernel){"avx512", fma_avx512, 16};
#elif defined(__aarch64__)
    found[n++] = (kernel){"neon", fma_neon, 4};
#else
    found[n++] = (kernel){"vector", fma_vector, 4};
#endif
    return n;
}

// Best of many short trials: a peak is what the machine does when nothing disturbs it.
static double fma_rate(kernel k, int threads) {
    const long turns = 1000000;
    double best = 0;
    for (int trial = 0; trial < 16; trial++) {
        const double start = lab_now();
#pragma omp parallel num_threads(threads)
        k.run(turns);
        const double rate = 2.0 * ACCUMULATORS * k.lanes * turns * threads / (lab_now() - start) * 1e-9;
        best = rate > best ? rate : best;
    }
    return best;
}

// STREAM triad a = b + s c over arrays far larger than the caches.
static double triad_rate(int threads) {
    const long n = 16 << 20;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    double best = 0;
    for (int trial = 0; a && b && c && trial < 8; trial++) {
        const double start = lab_now();
#pragma omp parallel for num_threads(threads) schedule(static)
        for (long i = 0; i < n; i++) {
            if (trial == 0) b[i] = c[i] = 1;
            a[i] = b[i] + 3 * c[i];
        }
        const double rate = 3.0 * sizeof(float) * n / (lab_now() - start) * 1e-9;
        if (trial > 0 && rate > best) best = rate;  // the first touches the pages
    }
    free(a), free(b), free(c);
    return best;
}

int lab_measure_ceilings(int threads, lab_ceiling found[LAB_MAX_CEILINGS]) {
    kernel ks[3];
    int n = 0;
    const int n_kernels = kernels(ks);
    for (int i = 0; i < n_kernels; i++)
        for (int t = 1; t <= threads && n < LAB_MAX_CEILINGS; t = t < threads && 2 * t > threads ? threads : 2 * t)
            found[n++] = (lab_ceiling){ks[i].isa, t, fma_rate(ks[i], t)};
    for (int t = 1; t <= threads && n < LAB_MAX_CEILINGS; t = t < threads && 2 * t > threads ? threads : 2 * t)
        found[n++] = (lab_ceiling){0, t, triad_rate(t)};
    return n;
}
