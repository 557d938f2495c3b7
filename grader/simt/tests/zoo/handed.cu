// handed.cu: structs by value into calls that no compiler can take in: through a pointer, of a virtual function. The compiler's
// instrumentation does not see these; simtcc finds them and tells the checker (rewrite/unseen.c).
#include "zoo.h"

struct Row {
    double v[8];
};

__device__ float first(Row row) { return (float)row.v[0]; }
__device__ float nth(int i, Row row) { return (float)row.v[i]; }

struct Norm {
    __device__ virtual float of(int i, Row row) const = 0;
    __device__ float of_one(const Row *rows, int i) const { return of(3, rows[i]); }  // this object's
};
struct Absolute : Norm {
    __device__ float of(int i, Row row) const override { return fabsf((float)row.v[i]); }
};
struct Plain : Norm {
    __device__ float of(int i, Row row) const override { return (float)row.v[i]; }
};

struct Step {
    float (*f)(Row);
};

__global__ void struct_through_pointer(float *out, const Row *x, float (*f)(Row)) {
    __shared__ Row rows[64];
    rows[threadIdx.x] = x[threadIdx.x];
    if (!f) f = first;
    out[threadIdx.x] = f(rows[63 - threadIdx.x]);  // no __syncthreads
}

__global__ void struct_through_member(float *out, const Row *x, float (*f)(Row)) {
    __shared__ Row rows[64];
    Step step{f ? f : first};
    rows[threadIdx.x] = x[threadIdx.x];
    out[threadIdx.x] = step.f(rows[63 - threadIdx.x]);  // no __syncthreads
}

__global__ void struct_second_argument(float *out, const Row *x, float (*f)(int, Row)) {
    if (!f) f = nth;
    out[threadIdx.x] = (*f)(1,
                            x[threadIdx.x + 1]);  // past the end
}

__global__ void struct_to_virtual(float *out, const Row *x, int which) {
    Absolute absolute;
    Plain plain;
    const Norm *norm = which ? (const Norm *)&absolute : &plain;
    out[threadIdx.x] = norm->of_one(x, threadIdx.x);  // which nobody has written
}

__global__ void struct_one_past(float *out, const Row *x, float (*f)(Row)) {
    __shared__ struct { Row rows[4], others[4]; } tile;
    if (threadIdx.x < 4) tile.rows[threadIdx.x] = tile.others[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (!f) f = first;
    out[threadIdx.x] = f(tile.rows[threadIdx.x / 16 + 1]);  // 4: one past the last row
}

// All of these are right.
__global__ void structs_handed_on_in_order(float *out, const Row *x, float (*f)(Row), int which) {
    __shared__ Row rows[64];
    Absolute absolute;
    Plain plain;
    const Norm *norm = which ? (const Norm *)&absolute : &plain;
    Step step{f ? f : first};
    rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = step.f(rows[63 - threadIdx.x]) + norm->of(1, rows[threadIdx.x ^ 5]) + norm->of_one(rows, 7);
}

static const Case cases[] = {
    {"struct_through_pointer", 64, 1024,
     [](float *out, float *x) { struct_through_pointer<<<1, 64>>>(out, (const Row *)x, nullptr); }},
    {"struct_through_member", 64, 1024,
     [](float *out, float *x) { struct_through_member<<<1, 64>>>(out, (const Row *)x, nullptr); }},
    {"struct_second_argument", 64, 1024,
     [](float *out, float *x) { struct_second_argument<<<1, 64>>>(out, (const Row *)x, nullptr); }},
    {"struct_one_past", 64, 1024,
     [](float *out, float *x) { struct_one_past<<<1, 64>>>(out, (const Row *)x, nullptr); }},
    {"struct_to_virtual", 64, 0,
     [](float *out, float *) {
         float *fresh;
         cudaMalloc(&fresh, 4096);
         struct_to_virtual<<<1, 64>>>(out, (const Row *)fresh, 1);
     }},
    {"structs_handed_on_in_order", 64, 1024,
     [](float *out, float *x) { structs_handed_on_in_order<<<1, 64>>>(out, (const Row *)x, nullptr, 0); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
