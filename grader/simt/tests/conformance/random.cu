// random.cu: cuRAND. The numbers of a Philox state are NVIDIA's; of all others only what they must be on the whole.
#include "common.h"
#include <curand_kernel.h>

__global__ void philox(unsigned *out, float *uniform, unsigned long long seed, unsigned long long sequence,
                       unsigned long long offset) {
    curandStatePhilox4_32_10_t s;
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 9; i++) out[i] = curand(&s);
    uint4 four = curand4(&s);
    out[9] = four.x, out[10] = four.y, out[11] = four.z, out[12] = four.w;
    skipahead(6ull, &s);
    out[13] = curand(&s);
    for (int i = 0; i < 3; i++) uniform[i] = curand_uniform(&s);
    float4 u = curand_uniform4(&s);
    uniform[3] = u.x, uniform[4] = u.w;
    uniform[5] = (float)curand_uniform_double(&s);
    for (int i = 6; i < 9; i++) uniform[i] = rintf(1000 * curand_normal(&s));
    for (int i = 9; i < 12; i++) uniform[i] = (float)rint(1000 * curand_normal_double(&s));
}

template <class S> __global__ void fill(S *states, float *uniform, float *normal) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
    S mine = states[i];
    for (int k = 0; k < 16; k++) uniform[16 * i + k] = curand_uniform(&mine), normal[16 * i + k] = curand_normal(&mine);
    states[i] = mine;
}

static_assert(CURAND_STATUS_ALLOCATION_FAILED == 102 && CURAND_STATUS_DOUBLE_PRECISION_REQUIRED == 106 &&
                  CURAND_STATUS_PREEXISTING_FAILURE == 202 && CURAND_STATUS_INTERNAL_ERROR == 999,
              "programs list all of them, to print their names");

static const int N = 16 * 1024;

// Mean, variance and range of n numbers on the device.
static void look(const char *name, const float *device, float mean, float variance, float lowest, float highest) {
    static float x[N];
    CHECK(cudaMemcpy(x, device, sizeof x, cudaMemcpyDeviceToHost));
    double sum = 0, squares = 0;
    bool inside = true;
    for (float v : x) sum += v, squares += (v - mean) * (v - mean), inside &= v >= lowest && v <= highest;
    bool near = fabs(sum / N - mean) < 0.04 * sqrt(variance) && fabs(squares / N / variance - 1) < 0.06;
    printf("%s: %s\n", name, near && inside && x[0] != x[1] ? "as it should be" : "no");
}

template <class S> static void states(const char *name, float *uniform, float *normal) {
    S *s;
    CHECK(cudaMalloc(&s, N / 16 * sizeof *s));
    fill<<<N / 16 / 128, 128>>>(s, uniform, normal);
    printf("%s\n", name);
    look("  uniform", uniform, 0.5f, 1 / 12.f, 0x1p-33f, 1);
    look("  normal", normal, 0, 1, -7, 7);
    CHECK(cudaFree(s));
}

int main() {
    unsigned *out, h[14];
    float *uniform, *normal, u[12];
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMalloc(&uniform, N * sizeof(float)));
    CHECK(cudaMalloc(&normal, N * sizeof(float)));
    const unsigned long long starts[][3] = {
        {0, 0, 0}, {0x123456789abcdefull, 5, 3}, {7, 1ull << 33, 0xfffffffffffffff0ull}};
    for (auto &s : starts) {
        philox<<<1, 1>>>(out, uniform, s[0], s[1], s[2]);
        CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(u, uniform, sizeof u, cudaMemcpyDeviceToHost));
        for (unsigned x : h) printf("%08x ", x);
        for (float x : u) printf("%.9g ", x);
        printf("\n");
    }
    states<curandState>("XORWOW", uniform, normal);
    states<curandStatePhilox4_32_10_t>("Philox", uniform, normal);

    curandGenerator_t g;
    printf("%d ", curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
    printf("%d ", curandSetPseudoRandomGeneratorSeed(g, 42));
    printf("%d ", curandGenerateUniform(g, uniform, N));
    printf("%d ", curandGenerateNormal(g, normal, N, 3, 2));
    printf("%d ", curandGenerateNormal(g, normal, 7, 3, 2));  // pairs
    printf("%d\n", curandDestroyGenerator(g));
    look("uniform", uniform, 0.5f, 1 / 12.f, 0x1p-33f, 1);
    look("normal", normal, 3, 4, -11, 17);
}
