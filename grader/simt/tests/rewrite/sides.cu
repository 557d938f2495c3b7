// sides.cu: nvcc compiles a file twice, for the device with __CUDA_ARCH__; here both sides are in one program.
#include "sides.cuh"
#include "tap.h"

namespace deep {
template <class T> __global__ void bodies(T *out) {
#if __CUDA_ARCH__ >= 700
    out[0] = 700;
    out[1] = __LINE__;
#elif defined(__CUDA_ARCH__)
    out[0] = 1;
#endif
    out[2] = Pair().width();
    out[3] = twin(5);
#ifdef __CUDA_ARCH__
    out[4] = __CUDA_ARCH__ + device_alone();
#endif
}
}  // namespace deep

#if __CUDA_ARCH__ < 700 && defined(__CUDA_ARCH__)
#error "an old device"
#endif

__host__ __device__ constexpr int side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

static int on_the_host() { return 3; }
__host__ __device__ int named_by_its_side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return on_the_host() + (rand() < 0);
#endif
}

#if __CUDA_ARCH__ >= 800
#define BLOCKS 2
#else
#define BLOCKS 1
#endif
template <bool Twice = true> __global__ void __launch_bounds__(64, BLOCKS) bounded(int *out) { *out = Twice + BLOCKS; }

template <class F> __global__ void call(int *out, F f) { f(out); }

int main() {
    int *d, h[8] = {};
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    deep::bodies<<<1, 1>>>(d);
    const int line = __LINE__ + 6;
    call<<<1, 1>>>(d + 5, [=] __device__(int *out) {
#ifdef __CUDA_ARCH__
        out[0] = 55;
#endif
        out[1] = side() + named_by_its_side();
        out[2] = __LINE__;
    });
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok(h[0] == 700 && h[1] == 9, "a kernel has the device's body, at its lines");
    ok(h[2] == 32 && Pair().width() == 1, "a method has one body for each side");
    ok(h[3] == 1005 && twin(5) == 6, "a function of the device and one of the host with one name");
    ok(h[4] == 900 + 32, "a function that only the device has");
    ok(h[5] == 55 && h[7] == line, "a device lambda in a host function, and the lines behind it");
    ok(h[6] == 2 && side() == 0, "a constexpr function");
    ok(named_by_its_side() == 3, "the host's side may call what is the host's");
    ok(Pair().line() == 23, "lines of the header");
#ifdef __CUDA_ARCH__
    ok(false, "the host has none of it");
#else
    ok(host_alone() == 1, "a function that only the host has");
#endif
    bounded<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok(h[0] == 3, "a kernel whose launch bounds are not the host's is one kernel, the device's");
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}
