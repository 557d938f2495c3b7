// races.cu: two threads, one element, nothing that orders them.
#include "zoo.h"

__global__ void race_read_after_write(float *out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    out[threadIdx.x] = tile[63 - threadIdx.x];  // no __syncthreads
}

__global__ void race_write_after_read(float *out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        float v = tile[63 - threadIdx.x];
        tile[threadIdx.x] = v + 1;  // others still read: no __syncthreads in the loop
        __syncthreads();
    }
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void race_write_after_write(float *out) {
    __shared__ float sum;
    sum = threadIdx.x;  // all 64 threads
    __syncthreads();
    out[threadIdx.x] = sum;
}

__global__ void race_in_warp(float *out) {
    __shared__ float s[32];
    int lane = threadIdx.x;
    s[lane] = lane;
    __syncwarp();
    if (lane < 16) s[lane] += s[lane + 16];
    if (lane < 8) s[lane] += s[lane + 8];  // lane 8 wrote s[8] just now: no __syncwarp
    __syncwarp();
    out[lane] = s[lane % 8];
}

__global__ void race_across_shuffle(float *out) {
    __shared__ float s[32];
    s[threadIdx.x] = threadIdx.x;
    float v = __shfl_xor_sync(0xffffffffu, 1.0f, 1);  // meets the other lanes, but orders no memory
    out[threadIdx.x] = v + s[31 - threadIdx.x];
}

// Shared memory declared volatile, as before Volta: it keeps the compiler from reordering, not the lanes.
__global__ void race_volatile(float *out) {
    __shared__ volatile float s[32];
    int lane = threadIdx.x;
    s[lane] = lane;
    __syncwarp();
    if (lane < 16) s[lane] = s[lane] + s[lane + 16];
    if (lane < 8) s[lane] = s[lane] + s[lane + 8];
    __syncwarp();
    out[lane] = s[lane % 8];
}

// No race: the lanes of a warp store one value by one instruction.
__global__ void same_value_in_warp(float *out) {
    __shared__ float sum[2];
    sum[threadIdx.x / 32] = 7;
    __syncthreads();
    out[threadIdx.x] = sum[0] + sum[1];
}

// A warning: two warps do.
__global__ void same_value_in_block(float *out) {
    __shared__ int done;
    done = 1;
    __syncthreads();
    out[threadIdx.x] = done;
}

// The first reader is the writer itself; the second one is not.
__global__ void race_second_reader(float *out) {
    __shared__ float s;
    int lane = threadIdx.x;
    if (lane == 0) s = 1;
    __syncwarp();
    float v = lane < 2 ? s : 0;
    v = __shfl_sync(0xffffffffu, v, 0);
    if (lane == 0) s = v + 1;
    out[lane] = v;
}

// The last atomic is the reader's own; the one before is not.
__global__ void race_second_atomic(unsigned *out) {
    __shared__ unsigned n;
    int lane = threadIdx.x;
    if (lane == 0) n = 0;
    __syncwarp();
    if (lane < 2) atomicAdd(&n, 1u);
    __shfl_sync(0xffffffffu, 0, 0);
    if (lane == 1) out[0] = n;
}

// A tiled product that lacks the barrier at the end of its loop.
__global__ void race_gemm_tile(float *C, const float *A) {
    __shared__ float As[8][8], Bs[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int k0 = 0; k0 < 16; k0 += 8) {
        As[y][x] = A[y * 16 + k0 + x];
        Bs[y][x] = A[(k0 + y) * 16 + x];
        __syncthreads();
        for (int k = 0; k < 8; k++) sum += As[y][k] * Bs[k][x];
    }
    C[y * 8 + x] = sum;
}

__global__ void race_between_blocks(float *out) {
    out[threadIdx.x] += 1;  // every block, the same elements
}

__device__ unsigned count, ticket;

__global__ void race_atomic_and_plain(float *out) {
    atomicAdd(&count, 1u);
    out[threadIdx.x] = count;  // the others still add
}

__global__ void race_missing_fence(float *total, float *part) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;
        // no __threadfence(): the ticket may be seen before the part
        if (atomicAdd(&ticket, 1u) == gridDim.x - 1)
            for (int i = 0; i < gridDim.x; i++) *total += part[i];
    }
}

__global__ void race_on_bytes(char *out) {
    __shared__ char s[64];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 63) s[threadIdx.x + 1] = 2;  // the right neighbour's byte
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

// No race: the plain read is a guess, which atomicCAS looks at again (CUDA Programming Guide, atomic functions).
__device__ double add_by_cas(double *p, double value) {
    auto *bits = (unsigned long long *)p;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void atomic_by_cas(double *sum) {
    add_by_cas(sum, 1);
    add_by_cas(sum + threadIdx.x % 3, 1);
}

// No race either: a thread whose value is not the larger one leaves without an atomicCAS.
__device__ void max_by_cas(float *p, float value) {
    if (*p >= value) return;
    int old = *(int *)p, assumed;
    while (value > __int_as_float(old)) {
        assumed = old;
        old = atomicCAS((int *)p, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}

__global__ void guarded_cas(float *most) {
    __shared__ float mine;
    if (threadIdx.x == 0) mine = -1;
    __syncthreads();
    max_by_cas(&mine, threadIdx.x * 37 % 64);
    max_by_cas(most, threadIdx.x * 37 % 64 - (float)blockIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) max_by_cas(most + 1, mine);
}

// The same loop beside a plain store: the value that the loop puts there may be lost.
__global__ void race_cas_and_store(float *most) {
    max_by_cas(most, threadIdx.x % 32);
    if (threadIdx.x == 40) *most = 100;
}

__global__ void race_read_then_atomic(unsigned *out) {
    if (out[0] < 100) atomicAdd(out, 1u);  // others add between the two
}

static const Case cases[] = {
    {"race_read_after_write", 64, 0, [](float *out, float *) { race_read_after_write<<<1, 64>>>(out); }},
    {"race_write_after_read", 64, 0, [](float *out, float *) { race_write_after_read<<<1, 64>>>(out); }},
    {"race_write_after_write", 64, 0, [](float *out, float *) { race_write_after_write<<<1, 64>>>(out); }},
    {"race_in_warp", 32, 0, [](float *out, float *) { race_in_warp<<<1, 32>>>(out); }},
    {"race_across_shuffle", 32, 0, [](float *out, float *) { race_across_shuffle<<<1, 32>>>(out); }},
    {"race_volatile", 32, 0, [](float *out, float *) { race_volatile<<<1, 32>>>(out); }},
    {"same_value_in_warp", 64, 0, [](float *out, float *) { same_value_in_warp<<<1, 64>>>(out); }},
    {"same_value_in_block", 64, 0, [](float *out, float *) { same_value_in_block<<<1, 64>>>(out); }},
    {"race_second_reader", 32, 0, [](float *out, float *) { race_second_reader<<<1, 32>>>(out); }},
    {"race_second_atomic", 1, 0, [](float *out, float *) { race_second_atomic<<<1, 32>>>((unsigned *)out); }},
    {"race_gemm_tile", 64, 256, [](float *out, float *x) { race_gemm_tile<<<1, dim3(8, 8)>>>(out, x); }},
    {"race_between_blocks", 32, 0, [](float *out, float *) { race_between_blocks<<<4, 32>>>(out); }},
    {"race_atomic_and_plain", 64, 0, [](float *out, float *) { race_atomic_and_plain<<<1, 64>>>(out); }},
    {"race_missing_fence", 1, 4, [](float *out, float *x) { race_missing_fence<<<4, 32>>>(out, x); }},
    {"race_on_bytes", 16, 0, [](float *out, float *) { race_on_bytes<<<1, 64>>>((char *)out); }},
    {"atomic_by_cas", 8, 0, [](float *out, float *) { atomic_by_cas<<<2, 96>>>((double *)out); }},
    {"guarded_cas", 2, 0, [](float *out, float *) { guarded_cas<<<3, 64>>>(out); }},
    {"race_cas_and_store", 1, 0, [](float *out, float *) { race_cas_and_store<<<1, 64>>>(out); }},
    {"race_read_then_atomic", 1, 0, [](float *out, float *) { race_read_then_atomic<<<1, 64>>>((unsigned *)out); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
