// reductions.cu: sums, scans and softmax.
#include "barriers.h"

// Block sum in shared memory. The barrier in the loop orders each level of the tree.
__global__ void tree_sum(float *out, const float *x) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 128 + t];
    SYNCTHREADS(1);  // the elements are there
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        SYNCTHREADS(2);  // the level is summed
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// The last 32 sums without __syncthreads: a warp, and __syncwarp between its reads and writes.
__global__ void warp_tail_sum(float *out, const float *x) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    SYNCTHREADS(1);  // the other warp's elements are there
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int half = 16; half > 0; half /= 2) {
            SYNCWARP(2);  // the level's sums have been read
            s[t] = v;
            SYNCWARP(3);  // the level's sums are written
            v += s[(t + half) % 32];
        }
        if (t == 0) out[blockIdx.x] = v;
    }
}

// Shuffles within a warp need no barrier; their results meet in shared memory. Twice, reusing the array.
__global__ void shuffle_mean_variance(float *out, const float *x) {
    __shared__ float part[4];
    int t = threadIdx.x, lane = t % 32;
    float v = x[blockIdx.x * 128 + t], sum = v;
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    if (lane == 0) part[t / 32] = sum;
    SYNCTHREADS(1);  // the warps' sums are there
    float mean = (part[0] + part[1] + part[2] + part[3]) / 128, d = (v - mean) * (v - mean);
    for (int o = 16; o > 0; o /= 2) d += __shfl_xor_sync(0xffffffffu, d, o);
    SYNCTHREADS(2);  // the sums have been read, the array is free
    if (lane == 0) part[t / 32] = d;
    SYNCTHREADS(3);  // the warps' squares are there
    if (t == 0) out[2 * blockIdx.x] = mean, out[2 * blockIdx.x + 1] = (part[0] + part[1] + part[2] + part[3]) / 128;
}

// The last block to finish sums the others' results.
__global__ void last_block_sum(float *total, float *part, const float *x, unsigned *ticket) {
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    SYNCTHREADS(1);  // the elements are there
    if (t == 0) {
        float sum = 0;
        for (int i = 0; i < 64; i++) sum += s[i];
        part[blockIdx.x] = sum;
        THREADFENCE(2);  // the result is visible before the ticket
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    SYNCTHREADS(3);  // all know whether the block is the last
    if (last && t < 32) {
        float v = t < (int)gridDim.x ? part[t] : 0;
        for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
        if (t == 0) *total = v, *ticket = 0;  // for the next launch: no race with the others' atomics
    }
}

// The same where every thread writes a result: each fences its own, the barrier comes before the ticket.
__global__ void last_block_rows(float *total, float *part, const float *x, unsigned *ticket) {
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = 2 * x[blockIdx.x * 64 + t];
    THREADFENCE(1);  // this thread's result is visible
    SYNCTHREADS(2);  // everyone's is
    if (t == 0) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    SYNCTHREADS(3);  // all know whether the block is the last
    if (!last) return;
    float sum = 0;
    for (int b = 0; b < (int)gridDim.x; b++) sum += part[b * 64 + t];
    total[t] = sum;
}

// Inclusive scan after Hillis and Steele: in place, so each step reads, waits, writes, waits.
__global__ void scan(float *out, const float *x) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNCTHREADS(1);  // the elements are there
    for (int d = 1; d < 128; d *= 2) {
        float v = t >= d ? s[t - d] : 0;
        SYNCTHREADS(2);  // all have read
        s[t] += v;
        SYNCTHREADS(3);  // all have written
    }
    out[t] = s[t];
}

// Row softmax, one block a row: maximum, then sum, through the same shared array.
__global__ void softmax(float *y, const float *x, int cols) {
    __shared__ float s[64];
    int t = threadIdx.x;
    const float *in = x + blockIdx.x * cols;
    float m = -INFINITY, sum = 0;
    for (int c = t; c < cols; c += 64) m = fmaxf(m, in[c]);
    s[t] = m;
    SYNCTHREADS(1);  // the maxima are there
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] = fmaxf(s[t], s[t + half]);
        SYNCTHREADS(2);  // the level is done
    }
    m = s[0];
    SYNCTHREADS(3);  // all know the maximum, the array is free
    for (int c = t; c < cols; c += 64) sum += __expf(in[c] - m);
    s[t] = sum;
    SYNCTHREADS(4);  // the sums are there
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        SYNCTHREADS(5);  // the level is done
    }
    for (int c = t; c < cols; c += 64) y[blockIdx.x * cols + c] = __expf(in[c] - m) / s[0];
}

static const Kernel kernels[] = {
    {"tree_sum", 2, [](const Buffers &b) { tree_sum<<<4, 128>>>(b.out, b.x); }},
    {"warp_tail_sum", 3, [](const Buffers &b) { warp_tail_sum<<<4, 64>>>(b.out, b.x); }},
    {"shuffle_mean_variance", 3, [](const Buffers &b) { shuffle_mean_variance<<<4, 128>>>(b.out, b.x); }},
    {"last_block_sum", 3, [](const Buffers &b) { last_block_sum<<<8, 64>>>(b.out, b.z, b.x, b.counters); }},
    {"last_block_rows", 3, [](const Buffers &b) { last_block_rows<<<8, 64>>>(b.out, b.z, b.x, b.counters); }},
    {"scan", 3, [](const Buffers &b) { scan<<<1, 128>>>(b.out, b.x); }},
    {"softmax", 5, [](const Buffers &b) { softmax<<<4, 64>>>(b.out, b.x, 100); }},
    {nullptr, 0, nullptr},
};
const KernelList reductions = {kernels, remove_barrier};
