// math.cu: mathematical functions against the host's in double. A line says only whether the error is below the bound
// that the CUDA C++ Programming Guide gives (doubled), since a GPU's last digits differ from a CPU's.
#include "common.h"
#include <cmath>

const int n = 64;
#define FUNCTIONS(X)                                                                                                   \
    X(sqrtf(x), sqrt(d), 4e-7)                                                                                         \
    X(rsqrtf(x), 1 / sqrt(d), 6e-7) X(cbrtf(x), cbrt(d), 4e-7) X(rcbrtf(x), 1 / cbrt(d), 6e-7) X(                      \
        expf(x), exp(d), 6e-7) X(exp2f(x), exp2(d), 6e-7) X(exp10f(x), pow(10., d), 2e-6) X(expm1f(x), expm1(d), 6e-7) \
        X(logf(x), log(d), 6e-7) X(log2f(x), log2(d), 6e-7) X(log10f(x), log10(d), 6e-7) X(log1pf(x), log1p(d), 6e-7)  \
            X(sinf(x), sin(d), 6e-7) X(cosf(x), cos(d), 6e-7) X(tanf(x), tan(d), 2e-6)                                 \
                X(sinpif(x), sin(M_PI *d), 2e-6) X(cospif(x), cos(M_PI *d), 2e-6) X(tanhf(x), tanh(d), 6e-7)           \
                    X(sinhf(x), sinh(d), 1e-6) X(coshf(x), cosh(d), 1e-6) X(atanf(x), atan(d), 6e-7)                   \
                        X(atan2f(x, 2.0f), atan2(d, 2), 6e-7) X(asinhf(x), asinh(d), 1e-6) X(erff(x), erf(d), 6e-7)    \
                            X(erfcf(x), erfc(d), 2e-6) X(normcdff(x), 0.5 * erfc(-d * M_SQRT1_2), 2e-6)                \
                                X(tgammaf(x), tgamma(d), 4e-6) X(lgammaf(x), lgamma(d), 2e-6)                          \
                                    X(powf(x, 1.7f), pow(d, (double)1.7f), 3e-6) X(hypotf(x, 2.0f), hypot(d, 2), 6e-7) \
                                        X(norm3df(x, 1.0f, 2.0f), sqrt(d *d + 5), 6e-7)                                \
                                            X(fmodf(x, 0.3f), fmod(d, (double)0.3f), 4e-7)                             \
                                                X(fmaf(x, x, 1.0f), fma(d, d, 1), 2e-7)                                \
                                                    X(fdimf(x, 1.0f), fdim(d, 1), 2e-7) X(__expf(x), exp(d), 2e-6)     \
                                                        X(__logf(x), log(d), 4e-6) X(__log2f(x), log2(d), 4e-6)        \
                                                            X(__sinf(x), sin(d), 2e-5) X(__cosf(x), cos(d), 2e-5)      \
                                                                X(__powf(x, 1.5f), pow(d, 1.5), 2e-5)                  \
                                                                    X(__fdividef(x, 3.0f), d / 3, 4e-7)                \
                                                                        X(__frcp_rn(x), 1 / d, 2e-7)                   \
                                                                            X(__fsqrt_rn(x), sqrt(d), 2e-7)            \
                                                                                X(__frsqrt_rn(x), 1 / sqrt(d), 2e-7)

__global__ void evaluate(const float *in, float *out) {
    float x = in[threadIdx.x];
    int k = 0;
#define X(device, host, bound) out[k++ * n + threadIdx.x] = device;
    FUNCTIONS(X)
#undef X
}
__global__ void exact(float *out) {
    float nan = __int_as_float(0x7fc00000), inf = __int_as_float(0x7f800000);
    int k = 0;
    out[k++] = fmaxf(nan, 2), out[k++] = fminf(3, nan), out[k++] = max(1, 2), out[k++] = min(1.5f, 2.5f),
    out[k++] = max(-1, 1u) == 4294967295u;
    out[k++] = __saturatef(1.5f), out[k++] = __saturatef(-1), out[k++] = __saturatef(nan), out[k++] = isnan(nan),
    out[k++] = isinf(-inf) != 0;
    out[k++] = isfinite(inf) != 0, out[k++] = signbit(-0.0f) != 0, out[k++] = copysignf(3, -1),
    out[k++] = truncf(-2.7f), out[k++] = roundf(2.5f);
    out[k++] = rintf(2.5f), out[k++] = floorf(-2.5f), out[k++] = ceilf(-2.5f), out[k++] = nearbyintf(3.5f),
    out[k++] = fabsf(-4);
    out[k++] = __fadd_rn(1, 2), out[k++] = __fmul_rn(3, 4), out[k++] = __fmaf_rn(2, 3, 4), out[k++] = __fdiv_rn(1, 4),
    out[k++] = ldexpf(3, 4);
    out[k++] = __fadd_rz(1, 1e-10f) == 1, out[k++] = __fadd_ru(1, 1e-10f) > 1, out[k++] = scalbnf(1, -3),
    out[k++] = ilogbf(100), out[k++] = remainderf(5, 3);
    int e;
    out[k++] = frexpf(12, &e), out[k++] = e;
    float whole;
    out[k++] = modff(3.25f, &whole), out[k++] = whole;
    out[k++] = abs(-3), out[k++] = llabs(-5ll), out[k++] = sqrt(16.0), out[k++] = pow(2.0, 10.0), out[k++] = rsqrt(4.0),
    out[k++] = fmin(1.0, 2.0);
}

int main() {
    float h[n], *in, *out = device_array<float>(64 * n);
    static float r[64 * n];
    for (int i = 0; i < n; i++) h[i] = 0.07f + 0.11f * i;
    in = upload(h, n);
    evaluate<<<1, n>>>(in, out);
    download(r, out, 64 * n);
    int k = 0;
#define X(device, host, bound)                                                                                         \
    {                                                                                                                  \
        double worst = 0;                                                                                              \
        for (int i = 0; i < n; i++) {                                                                                  \
            double d = h[i], want = host, scale = fabs(want) > 1 ? fabs(want) : 1;                                     \
            double error = fabs(r[k * n + i] - want) / scale;                                                          \
            worst = error > worst || error != error ? error : worst;                                                   \
        }                                                                                                              \
        printf("%s %s\n", #device, worst <= bound ? "ok" : "off");                                                     \
        if (!(worst <= bound)) fprintf(stderr, "%s: %g\n", #device, worst);                                            \
        k++;                                                                                                           \
    }
    FUNCTIONS(X)
#undef X
    exact<<<1, 1>>>(out);
    download(r, out, 40);
    for (int i = 0; i < 40; i++) printf("%g ", r[i]);
    printf("\n");
    return 0;
}
