// lanes.cu: shuffles out of lanes that are not there.
#include "zoo.h"

__global__ void shuffle_after_exit(float *out, int n) {
    int t = threadIdx.x;
    float v = t;
    if (t < n)
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);  // lanes from n on are gone
    if (t == 0) out[0] = v;
}

// Right: 16 lanes are enough for a tree of 8, 4, 2, 1. What lanes 8 to 15 get, nobody reads.
__global__ void shuffle_in_half_a_warp(float *out) {
    float v = threadIdx.x;
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffu, v, d);
    if (threadIdx.x == 0) out[0] = v;
    if (threadIdx.x == 0 && v != 120) printf("The sum is wrong: %g\n", v);
}

// Right: lanes 8 to 15 do not take what they get.
__global__ void shuffle_not_taken(float *out) {
    float v = threadIdx.x, other = __shfl_down_sync(0xffffu, v, 8);
    out[threadIdx.x] = threadIdx.x + 8 < 16 ? v + other : v;
}

__global__ void shuffle_stored(int *out, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    out[t] = __shfl_down_sync(0xffffffffu, t, 8);  // lanes 8 to 15 read what has left
}

__global__ void shuffle_stored_later(float *out, int n) {
    __shared__ double sums[32];
    int t = threadIdx.x;
    if (t >= n) return;
    double v = t;
    v += 2 * __shfl_down_sync(0xffffffffu, v, 8);
    sums[t] = v;  // of all lanes
    __syncwarp(0xffffu);
    out[t] = sums[0];
}

__global__ void shuffle_added_up(float *out) {
    float v = threadIdx.x;
    v += __shfl_down_sync(0xffffu, v, 8);
    atomicAdd(out, v);  // by all lanes
}

// A product of lane 0 takes what lane 12 has got of lane 20.
__global__ void shuffle_handed_on(float *out) {
    float v = threadIdx.x;
    v += __shfl_down_sync(0xffffu, v, 8);
    float last = __shfl_sync(0xffffu, v, 12);
    if (threadIdx.x == 0) out[0] = v * last;
}

static const Case cases[] = {
    {"shuffle_after_exit", 1, 0, [](float *out, float *) { shuffle_after_exit<<<1, 32>>>(out, 20); }},
    {"shuffle_in_half_a_warp", 1, 0, [](float *out, float *) { shuffle_in_half_a_warp<<<1, 16>>>(out); }},
    {"shuffle_not_taken", 16, 0, [](float *out, float *) { shuffle_not_taken<<<1, 16>>>(out); }},
    {"shuffle_stored", 16, 0, [](float *out, float *) { shuffle_stored<<<1, 32>>>((int *)out, 16); }},
    {"shuffle_stored_later", 16, 0, [](float *out, float *) { shuffle_stored_later<<<1, 32>>>(out, 16); }},
    {"shuffle_added_up", 1, 0, [](float *out, float *) { shuffle_added_up<<<1, 16>>>(out); }},
    {"shuffle_handed_on", 1, 0, [](float *out, float *) { shuffle_handed_on<<<1, 16>>>(out); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
