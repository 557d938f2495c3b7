// memory.cu: memory without a value, memory that is gone, memory of somebody else.
#include "zoo.h"
#include <cstdlib>

__global__ void copy(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

static void uninitialised_global(float *out) {
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));  // and never filled
    copy<<<1, 32>>>(out, x);
}

__global__ void uninitialised_shared(float *out, int n) {
    __shared__ float tile[32];
    if (threadIdx.x < n) tile[threadIdx.x] = 1;  // the edge of the tile has no value
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += tile[i];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void one_element_each(float *out) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = 1;  // and the tile has more than the block has threads
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + blockDim.x];
}

__global__ void one_number_each(float *out) {
    __shared__ float tile[16][8];
    for (int n = threadIdx.x; n < 16 * 8; n += 1024) tile[n / 8][n % 8] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[15][threadIdx.x % 8];
}

__global__ void returned_early(float *out, int rows) {
    __shared__ float tile[64];
    if (threadIdx.x >= (unsigned)rows) return;
    for (int n = threadIdx.x; n < 64; n += blockDim.x) tile[n] = 1;
    __syncwarp(__activemask());
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

void use_after_free(float *out, float *x) {
    cudaFree(x);
    copy<<<1, 32>>>(out, x);
}

static void host_pointer(float *out) {
    float *x = (float *)calloc(32, sizeof(float));
    copy<<<1, 32>>>(out, x);
}

__global__ void foreign_local(float **where, float *out) {
    float mine[2] = {(float)threadIdx.x, 1};
    where[threadIdx.x] = mine;
    __syncthreads();
    out[threadIdx.x] = where[threadIdx.x ^ 1][0];  // the neighbour's variable
    __syncthreads();
}

static float *managed(int fill) {
    float *x;
    cudaMallocManaged(&x, 32 * sizeof(float));
    if (fill)
        for (int i = 0; i < 32; i++) x[i] = i;
    return x;
}

void managed_in_flight(float *x) {
    float *y = managed(1);
    copy<<<1, 32>>>(y, x);
    printf("y[3] = %g\n", y[3]);  // the kernel may still run
    cudaDeviceSynchronize();
    printf("y[4] = %g\n", y[4]);
}

// Right: a library's function that nobody watches has written it.
static void managed_by_library(float *out) {
    float *x = managed(0);
    snprintf((char *)x, 128, "%127s", "text");
    copy<<<1, 32>>>(out, x);
}

// No mistake: objects with virtual functions that one kernel makes and another one uses and deletes.
struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
};

__global__ void make_objects(Shape **s) { s[threadIdx.x] = new Square(threadIdx.x); }
__global__ void use_objects(float *out, Shape **s) {
    out[threadIdx.x] = s[threadIdx.x]->area();
    delete s[threadIdx.x];
}

static const Case cases[] = {
    {"uninitialised_global", 32, 0, [](float *out, float *) { uninitialised_global(out); }},
    {"uninitialised_shared", 64, 0, [](float *out, float *) { uninitialised_shared<<<2, 32>>>(out, 30); }},
    {"one_element_each", 64, 0, [](float *out, float *) { one_element_each<<<1, 64, 128 * sizeof(float)>>>(out); }},
    {"one_number_each", 64, 0, [](float *out, float *) { one_number_each<<<1, 64>>>(out); }},
    {"returned_early", 64, 0, [](float *out, float *) { returned_early<<<1, 64>>>(out, 20); }},
    {"use_after_free", 32, 32, [](float *out, float *x) { use_after_free(out, x); }},
    {"host_pointer", 32, 0, [](float *out, float *) { host_pointer(out); }},
    {"null_pointer", 32, 0, [](float *out, float *) { copy<<<1, 32>>>(out, nullptr); }},
    {"device_pointer_on_host", 1, 32, [](float *, float *x) { printf("x[3] = %g\n", x[3]); }},
    {"foreign_local", 32, 64, [](float *out, float *x) { foreign_local<<<1, 32>>>((float **)x, out); }},
    {"managed_in_flight", 1, 32, [](float *, float *x) { managed_in_flight(x); }},
    {"managed_unwritten", 32, 0, [](float *out, float *) { copy<<<1, 32>>>(out, managed(0)); }},
    {"managed_by_host", 32, 0, [](float *out, float *) { copy<<<1, 32>>>(out, managed(1)); }},
    {"managed_by_library", 32, 0, [](float *out, float *) { managed_by_library(out); }},
    {"objects_of_kernels", 8, 16,
     [](float *out, float *x) {
         make_objects<<<1, 8>>>((Shape **)x);
         use_objects<<<1, 8>>>(out, (Shape **)x);
     }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
