// language.cu: C++ on the device: templates, recursion, function pointers, structs with methods, local arrays, lambdas,
// operators, __host__ __device__, constants, early return, divergent loops.
#include "common.h"

struct Complex {
    float re, im;
    __host__ __device__ Complex(float r = 0, float i = 0) : re(r), im(i) {}
    __host__ __device__ Complex operator*(const Complex &o) const {
        return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
    __host__ __device__ float norm() const { return re * re + im * im; }
};
__host__ __device__ int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
template <int N> struct Factorial { static constexpr int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr int value = 1; };
template <class F> __device__ int apply(F f, int x) { return f(x); }
__device__ int square(int x) { return x * x; }
__device__ int negate(int x) { return -x; }
__device__ int (*functions[2])(int) = {square, negate};
enum class Mode { add, multiply };
template <Mode mode, class... T> __device__ int fold(T... v) {
    if constexpr (mode == Mode::add)
        return (v + ...);
    else
        return (v * ...);
}
__global__ void everything(int *out) {
    int t = threadIdx.x, k = 0;
    int *o = out + t * 10;
    Complex z(1, 0), w(0.5f, 0.5f);
    for (int i = 0; i < t % 5; i++) z = z * w;
    o[k++] = (int)(z.norm() * 1024);
    o[k++] = gcd(t * 12, 90);
    o[k++] = Factorial<6>::value;
    o[k++] = apply([t](int x) { return x * 10 + t; }, 4);
    o[k++] = functions[t % 2](t);
    o[k++] = fold<Mode::add>(t, 1, 2) + fold<Mode::multiply>(t, 3);
    int local[16];
    for (int i = 0; i < 16; i++) local[i] = i * t;
    for (int i = 1; i < 16; i++) local[i] += local[i - 1];
    o[k++] = local[15];
    int steps = 0;
    for (unsigned n = t + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) steps++;
    o[k++] = steps;
    switch (t % 4) {
    case 0: o[k] = 100; break;
    case 1: o[k] = 200;
    case 2: o[k] = 300; break;
    default: return;
    }
    o[9] = sizeof(size_t) + (t > 5 ? 1 : 0);
}
__global__ void grid_stride(const int *in, int n, long long *total) {
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    atomicAdd((unsigned long long *)total, (unsigned long long)sum);
}

int main() {
    int *out = device_array<int>(640), h[640];
    everything<<<1, 64>>>(out);
    download(h, out, 640);
    for (int t : {0, 1, 2, 3, 10, 63}) {
        for (int k = 0; k < 10; k++) printf("%d ", h[t * 10 + k]);
        printf("\n");
    }
    printf("all: %016llx, host gcd %d\n", hash_of(h, sizeof h), gcd(36, 60));
    static int in[10000];
    long long want = 0, got, *total = device_array<long long>(1);
    for (int i = 0; i < 10000; i++) want += in[i] = i * 31 % 1009 - 300;
    grid_stride<<<7, 96>>>(upload(in, 10000), 10000, total);
    download(&got, total, 1);
    printf("grid stride: %s\n", got == want ? "right" : "wrong");
    return 0;
}
