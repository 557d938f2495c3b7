// What several reports say together: two warps with one slot, and two lines that read what nobody has written.
#include "zoo.h"

__global__ void one_slot_for_two_warps(float *out) {
    __shared__ float p[32];  // [2][32], one row for each warp
    const int lane = threadIdx.x % 32;
    p[lane] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = p[31 - lane];  // the other warp's, if it was faster
}

__global__ void unwritten_in_two_lines(float *out, int keys) {
    __shared__ float k[32], v[32];
    if (threadIdx.x < keys) k[threadIdx.x] = v[threadIdx.x] = 1;
    __syncthreads();
    const float score = k[threadIdx.x] > 0.5f ? 1 : 2;
    const float p = score * (threadIdx.x < keys);
    out[threadIdx.x] = p * v[threadIdx.x];  // 0 times NaN
}

__global__ void a_tree_that_joins_too_many(float *out, const float *x) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 1; half < 64; half *= 2) {
        if (t % half == 0 && t + half < 64) part[t] += part[t + half];  // not t % (2 * half)
        __syncthreads();
    }
    out[t] = part[0];
}

static const Case cases[] = {
    {"one_slot_for_two_warps", 64, 0, [](float *out, float *) { one_slot_for_two_warps<<<1, 64>>>(out); }},
    {"unwritten_in_two_lines", 32, 0, [](float *out, float *) { unwritten_in_two_lines<<<1, 32>>>(out, 30); }},
    {"a_tree_that_joins_too_many", 64, 64, [](float *out, float *x) { a_tree_that_joins_too_many<<<1, 64>>>(out, x); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
