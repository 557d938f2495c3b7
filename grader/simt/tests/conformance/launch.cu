// launch.cu: every form of a launch; built-in variables; kernels through pointers, templates, macros, cudaLaunchKernel.
// clang-format off: it does not know <<< >>> in all these forms
#include "common.h"

#include <new>

__global__ void indices(unsigned *out) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

__global__ void shape(unsigned *out) {
    bool last_thread = threadIdx.x == blockDim.x - 1 && threadIdx.y == blockDim.y - 1 && threadIdx.z == blockDim.z - 1;
    if (last_thread && blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 && blockIdx.z == gridDim.z - 1) {
        out[0] = gridDim.x, out[1] = gridDim.y, out[2] = gridDim.z;
        out[3] = blockDim.x, out[4] = blockDim.y, out[5] = blockDim.z, out[6] = warpSize;
    }
}

struct Pair {
    int a;
    double b;
};
template <class T, int N> __global__ void __launch_bounds__(64) sum_arguments(T *out, T x, Pair p, const int (*table)[N]) {
    *out = x + (T)p.a + (T)p.b + (T)(*table)[N - 1];
}
namespace outer {
namespace inner {
__global__ void add(int *p, int v) { atomicAdd(p, v); }
} // namespace inner
} // namespace outer
__global__ void own_copy(int *out, int v) {  // a parameter is the thread's own
    v += threadIdx.x;
    out[threadIdx.x] = v;
}
struct Shared {  // no copy of it is passed: a reference parameter is the address of managed memory
    int value;
    Shared() : value(7) {}
    Shared(const Shared &) = delete;
};
__global__ void by_reference(Shared &s, const int &by) { s.value += by; }
template <class T> __global__ void by_reference_too(T &s) { s.value *= 2; }
struct Owner {  // the host copies it for a launch, and destroys the copy
    int *memory;
    Owner() : memory(device_array<int>(1)) {}
    Owner(const Owner &o) : memory(o.memory) { copies++; }
    ~Owner() { destroyed++; }
    static int copies, destroyed;
};
int Owner::copies, Owner::destroyed;
__global__ void by_value(Owner o, int n) { atomicAdd(o.memory, n); }

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

int main() {
    unsigned *out = device_array<unsigned>(6 * 60);
    indices<<<dim3(3, 2, 1), dim3(5, 4, 3)>>>(out);
    unsigned h[360], bad = 0;
    download(h, out, 360);
    for (unsigned i = 0; i < 360; i++)
        bad += h[i] != i / 60 * 1000 + i % 60;
    printf("indices: %u wrong\n", bad);

    shape<<<{7, 3, 2},
            {32, 2, 4}>>>(out);
    download(h, out, 7);
    printf("grid %u %u %u block %u %u %u warp %u\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);

    double *d = device_array<double>(1), r;
    int table[3] = {1, 2, 300};
    const int(*dt)[3] = (const int(*)[3])upload(table, 3);
    sum_arguments<double, 3><<<1, 1>>>(d, 5, Pair{7, 0.25}, dt);
    download(&r, d, 1);
    printf("arguments: %g\n", r);

    int *n = device_array<int>(64), hn[64];
    outer::inner::add<<<2, 3>>>(n, 10);
    LAUNCH(outer::inner::add, 1, 1, n, 100);
    auto pointer = outer::inner::add;
    pointer<<<(1 << 3) / 4, 1, 0, 0>>>(n, 1000);
    int v = 10000;
    void *arguments[] = {&n, &v};
    CHECK(cudaLaunchKernel(outer::inner::add, dim3(2), dim3(1), arguments, 0, 0));
    if (n) outer::inner::add<<<1, 1>>>(n, 100000); else outer::inner::add<<<1, 1>>>(n, 7);
    download(hn, n, 1);
    printf("sum: %d\n", hn[0]);
    own_copy<<<1, 64>>>(n, 5);
    download(hn, n, 64);
    printf("own copies: %d %d %d\n", hn[0], hn[1], hn[63]);

    void *memory;
    CHECK(cudaMallocManaged(&memory, sizeof(Shared)));
    Shared *s = new (memory) Shared;
    by_reference<<<1, 1>>>(*s, s->value);
    by_reference_too<<<1, 1>>>(*s);
    CHECK(cudaDeviceSynchronize());
    printf("by reference: %d\n", s->value);

    Owner owner;
    by_value<<<2, 64>>>(owner, 3);
    download(hn, owner.memory, 1);
    printf("by value: %d, copies %d, destroyed %d\n", hn[0], Owner::copies, Owner::destroyed);
    return 0;
}
