// structs.cu: structs that move as a whole: copied, set to zero, given to and returned from functions. Every compiler has
// its own way to move them, and none of these ways may hide an access.
#include "zoo.h"

struct Vector {
    float x, y, z;
};
struct Row {
    double v[8];
};

__device__ __noinline__ Vector cross(Vector a, Vector b) {
    return Vector{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

__device__ __attribute__((noinline)) Row twice(Row row) {
    for (double &v : row.v) v *= 2;
    return row;
}

__global__ void struct_by_value(Vector *a) {
    int i = threadIdx.x;
    a[i + 1] = cross(a[i], a[0]);  // the left neighbour writes a[i] at the same time
}

__global__ void struct_returned(Row *out, const Row *x) {
    __shared__ Row rows[2];
    rows[threadIdx.x] = twice(x[threadIdx.x]);
    out[threadIdx.x] = twice(rows[threadIdx.x]);  // written by this thread: no report
    out[2] = rows[0];                             // both threads, the same value
}

__global__ void struct_copied(Row *out, const Row *x) {
    __shared__ Row rows[64];
    rows[threadIdx.x] = x[threadIdx.x];
    out[threadIdx.x] = rows[63 - threadIdx.x];  // no __syncthreads
}

__global__ void struct_set_to_zero(Row *out) {
    __shared__ Row rows[64];
    rows[threadIdx.x] = Row{};
    out[threadIdx.x] = rows[63 - threadIdx.x];  // no __syncthreads
}

__global__ void struct_unwritten(Row *out, const Row *x) { out[threadIdx.x] = x[threadIdx.x]; }

__global__ void struct_past_the_end(Vector *out, const Vector *x) { out[threadIdx.x] = x[threadIdx.x + 1]; }

// Padding: g++ and clang++ copy these by words, by 16 bytes, or by memcpy.
struct Small {
    char a;
    int b;
};
struct Mixed {
    int a;
    double b;
};
struct alignas(16) Aligned {
    float x, y, z;
};
struct Outer {
    double before;
    Mixed mixed[2];
    char last;
};

__device__ void fill(Small &s) { s.a = 1, s.b = 2; }
__device__ void fill(Mixed &m) { m.a = 1, m.b = 2; }
__device__ void fill(Aligned &a) { a.x = 1, a.y = 2, a.z = 3; }
__device__ void fill(Outer &o) {
    o.before = 1, o.last = 2;
    for (Mixed &m : o.mixed) fill(m);
}

// By way of shared memory and of a local array, and part of a struct.
template <class T> __global__ void padded(T *x, T *y, Mixed *part) {
    __shared__ T tile[32];
    const int i = threadIdx.x;
    fill(x[i]);
    tile[i] = x[i];
    __syncthreads();
    T two[2];
    two[i & 1] = tile[31 - i];
    two[~i & 1] = x[i];
    y[i] = two[x == nullptr];
    __syncthreads();
    x[i] = y[31 - i];
    memcpy(&y[31 - i], &x[i], sizeof(T));
    if constexpr (sizeof(T) == sizeof(Outer)) {
        part[i] = x[i].mixed[0];
        x[i].mixed[1] = part[i];
    }
}

template <class T> static void run_padded() {
    T *x, *y;
    Mixed *part;
    cudaMalloc(&x, 32 * sizeof(T));
    cudaMalloc(&y, 32 * sizeof(T));
    cudaMalloc(&part, 32 * sizeof(Mixed));
    padded<<<1, 32>>>(x, y, part);
}

struct Three {
    int a, b;
    double c;
};
__global__ void struct_member_lacks(double *out, Three *x) {
    __shared__ Three tile[32];
    x[threadIdx.x].a = x[threadIdx.x].c = 2;
    tile[threadIdx.x] = x[threadIdx.x];  // b may be padding
    out[threadIdx.x] = tile[threadIdx.x].b;
}

__global__ void struct_part_unwritten(Vector *out, Vector *x) {
    x[threadIdx.x].x = x[threadIdx.x].z = 2;
    out[threadIdx.x] = x[threadIdx.x];  // no padding stands there
}

// All of these are right.
__global__ void structs_in_order(Row *out, const Row *x) {
    __shared__ Row rows[64], zero[64];
    rows[threadIdx.x] = twice(x[threadIdx.x]);
    zero[threadIdx.x] = Row{};
    __syncthreads();
    Row mine = rows[63 - threadIdx.x];
    for (int i = 0; i < 8; i++) mine.v[i] += zero[63 - threadIdx.x].v[i];
    out[threadIdx.x] = mine;
}

static const Case cases[] = {
    {"struct_by_value", 128, 0, [](float *out, float *) { struct_by_value<<<1, 32>>>((Vector *)out); }},
    {"struct_returned", 48, 32, [](float *out, float *x) { struct_returned<<<1, 2>>>((Row *)out, (const Row *)x); }},
    {"struct_copied", 1024, 1024, [](float *out, float *x) { struct_copied<<<1, 64>>>((Row *)out, (const Row *)x); }},
    {"struct_set_to_zero", 1024, 0, [](float *out, float *) { struct_set_to_zero<<<1, 64>>>((Row *)out); }},
    {"struct_unwritten", 512, 0,
     [](float *out, float *) {
         float *fresh;
         cudaMalloc(&fresh, 2048);
         struct_unwritten<<<1, 32>>>((Row *)out, (const Row *)fresh);
     }},
    {"struct_past_the_end", 96, 96,
     [](float *out, float *x) { struct_past_the_end<<<1, 32>>>((Vector *)out, (const Vector *)x); }},
    {"structs_with_padding", 1, 1,
     [](float *, float *) { run_padded<Small>(), run_padded<Mixed>(), run_padded<Aligned>(), run_padded<Outer>(); }},
    {"struct_member_lacks", 64, 1,
     [](float *out, float *) {
         Three *fresh;
         cudaMalloc(&fresh, 32 * sizeof *fresh);
         struct_member_lacks<<<1, 32>>>((double *)out, fresh);
     }},
    {"struct_part_unwritten", 96, 1,
     [](float *out, float *) {
         Vector *fresh;
         cudaMalloc(&fresh, 32 * sizeof *fresh);
         struct_part_unwritten<<<1, 32>>>((Vector *)out, fresh);
     }},
    {"structs_in_order", 1024, 1024,
     [](float *out, float *x) { structs_in_order<<<1, 64>>>((Row *)out, (const Row *)x); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
