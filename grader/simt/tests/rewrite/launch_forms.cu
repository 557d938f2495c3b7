// Every form of a kernel launch: each adds its own number to a sum on the device.
#include "forms.cuh"
#include "tap.h"

__global__ void add(int *sum, float value) { atomicAdd(sum, (int)value); }
__launch_bounds__(128) __global__ void add_bounded(int *sum) { atomicAdd(sum, 1); }
template <class T> __global__ void add_value(T *sum, T value) { atomicAdd(sum, value); }
template <int N, class T> __global__ void __launch_bounds__(64) add_partly(T *sum) { atomicAdd(sum, N); }
template <class T, class... Rest> __global__ void add_pack(T *sum, Rest... rest) { atomicAdd(sum, (T)(0 + ... + rest)); }
template <class F> __global__ void add_result(F f, int *sum) { atomicAdd(sum, f(20)); }
__global__ void add_default(int *sum, int value = 40, float more = 2) { atomicAdd(sum, value + (int)more); }
template <class T, int N = 3> __global__ void add_template_default(T *sum, const T value = N) { atomicAdd(sum, value); }
struct pair_of { int a, b; };
__global__ void add_pair(pair_of p, int *sum, const int *nothing) { atomicAdd(sum, nothing ? -1 : p.a + p.b); }
__global__ void overloaded(int *sum) { atomicAdd(sum, 1); }
__global__ void overloaded(unsigned *sum) { atomicAdd(sum, 2u); }
extern "C" __global__ void add_c(int *sum) { atomicAdd(sum, 1); }
namespace outer {
namespace inner {
template <int A, int B> __global__ void add_product(int *sum) { atomicAdd(sum, A * B); }
static __global__ void add_one(int *sum) { atomicAdd(sum, 1); }
} // namespace inner
template <class T> __global__ void add_used(T *sum, T value) { atomicAdd(sum, value); }
} // namespace outer
using outer::add_used;
namespace short_name = outer::inner;

template <void (*kernel)(int *)> static void launch_parameter(int *sum) { kernel<<<1, 1>>>(sum); }
template <class K, class... A> static void launch_any(K kernel, dim3 grid, A... arguments) { kernel<<<grid, 1>>>(arguments...); }
template <int D> static void launch_in_template(int *sum, dim3 grid) {
    outer::inner::add_product<D, (D > 3 ? 2 : 1)><<<grid, dim3(1, 1)
                                                 >>>(sum);
}
struct holder {
    void (*run)(int *, float);
    void (*table[2])(int *, float);
    void launch(int *sum) { this->run<<<1, 1>>>(sum, 1); }
};
static void (*choose(int))(int *, float) { return add; }

static int *sum;
// The sum on the device since the last call.
static int taken() {
    int host = -1;
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemset(sum, 0, sizeof host);
    return cudaGetLastError() == cudaSuccess ? host : -2;
}

int main() {
    cudaMalloc(&sum, 64 * sizeof *sum);
    cudaMemset(sum, 0, 64 * sizeof *sum);
    int n = 1 << 3;
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    add<<<1, 1>>>(sum, 5), ok(taken() == 5, "an int argument becomes the kernel's float");
    add <<< dim3(2, 1), (n > 4 ? 3 : 2), 0, stream >>> (sum, 2.5), ok(taken() == 12, "grid, block, shared bytes, stream");
    add<<<{2}, {1, 2}>>>(sum, 1), ok(taken() == 4, "braces for dim3");
    add<<<
        n >> 3,
        2
    >>>(
        sum,
        1
    );
    ok(taken() == 2, "a launch over many lines");
    LAUNCH(add, 1, 1, sum, 7), ok(taken() == 7, "a launch in a macro");
    LAUNCH((add_partly<3, int>), 1, 1, sum), ok(taken() == 3, "a parenthesized template in a macro");
    launch_from_header(sum);
    int line[32] = {0};
    cudaMemcpy(line, sum, sizeof line, cudaMemcpyDeviceToHost);
    ok(line[0] == 31 && line[31] == 0, "a launch and a __shared__ macro in a header");
    taken();

    add_value<<<1, 1>>>(sum, 9), ok(taken() == 9, "deduced template arguments");
    add_value<int><<<1, 1>>>(sum, n + 1.7), ok(taken() == 9, "explicit template arguments");
    add_partly<4><<<1, 1>>>(sum), ok(taken() == 4, "explicit and deduced template arguments");
    add_partly<(1 << 4), int><<<1, 1>>>(sum), ok(taken() == 16, "a shift in the template arguments");
    add_pack<<<1, 1>>>(sum, 1, 2.5f, 3L), ok(taken() == 6, "a parameter pack");
    add_result<<<1, 1>>>([=] __device__ (int x) { return x + n; }, sum), ok(taken() == 28, "a device lambda");
    launch_in_template<4>(sum, 2), ok(taken() == 16, "a launch in a template, with a comma in its arguments");
    launch_parameter<add_bounded>(sum), ok(taken() == 1, "a kernel as template argument");
    launch_any(add, dim3(2), sum, 3), ok(taken() == 6, "a kernel as function argument");

    auto pointer = add;
    pointer<<<1, 1>>>(sum, 11), ok(taken() == 11, "a pointer to a kernel");
    (add)<<<1, 1>>>(sum, 12), ok(taken() == 12, "a kernel in parentheses");
    (*pointer)<<<1, 1>>>(sum, 13), ok(taken() == 13, "a dereferenced pointer");
    holder h = {add, {add, add}};
    h.table[1]<<<1, 1>>>(sum, 1), (&h)->run<<<1, 1>>>(sum, 1), h.launch(sum), ok(taken() == 3, "members");
    choose(1)<<<1, 1>>>(sum, 4), ok(taken() == 4, "the result of a call");
    ::add<<<1, 1>>>(sum, 5), short_name::add_one<<<1, 1>>>(sum), ok(taken() == 6, "qualified names");
    add_used<<<1, 1>>>(sum, 5), ok(taken() == 5, "a name from a using-declaration");
    add_pair<<<1, 1>>>({3, 4}, sum, NULL), ok(taken() == 7, "braces and NULL as arguments");
    overloaded<<<1, 1>>>(sum), overloaded<<<1, 1>>>((unsigned *)sum), ok(taken() == 3, "overloaded kernels");
    add_default<<<1, 1>>>(sum), add_default<<<1, 1>>>(sum, 1), ok(taken() == 45, "default arguments");
    add_default<<<1, 1>>>(sum, 1, 7), ok(taken() == 8, "no default argument needed");
    add_template_default<<<1, 1>>>(sum), add_template_default<int, 5><<<1, 1>>>(sum), ok(taken() == 8, "defaults in a template");
    add_c<<<1, 1>>>(sum), ok(taken() == 1, "extern \"C\"");
    if (n) add_c<<<1, 1>>>(sum); else add_bounded<<<1, 1>>>(sum);
    ok(taken() == 1, "a launch as the body of an if");
    if (n == 8) (add)<<<1, 1>>>(sum, 2);
    ok(taken() == 2, "a condition before a kernel in parentheses");
    auto later = [&](int value) { add_value<<<1, 1>>>(sum, value); };
    later(6), ok(taken() == 6, "a launch in a lambda");

    // The instance that the launch deduces is the one whose limit was raised.
    add_value<<<1, 1, 60000>>>(sum, 1);
    ok(cudaGetLastError() != cudaSuccess, "60000 shared bytes need the opt-in");
    cudaFuncSetAttribute(add_value<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
    taken();
    add_value<<<1, 1, 60000>>>(sum, 1), ok(taken() == 1, "cudaFuncSetAttribute(add_value<int>) counts for add_value<<<>>>");
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}
