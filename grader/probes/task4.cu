// task4.cu: the TODOs of task 4, one by one. Tiles are smaller than the file's own, and not square, so that BR and BC
// cannot be mistaken for each other.
#include "probe.h"
#include "task4.h"

#include <math.h>

#define BR 16
#define BC 24
#include LAB_STAGE_FILE

EXPECT_DEVICE(void, load_tile, (float *tile, const float *src, int rows, int size, int D));
EXPECT_DEVICE(void, compute_scores, (float *s, const float *q, const float *Ks, int t, int D, float scale));

// NaN wherever the student's code has to write.
static __device__ void spoil(float *x, int n) {
    for (int k = threadIdx.x; k < n; k += THREADS) x[k] = NAN;
    __syncthreads();
}

// A right load_tile of n rows.
static __device__ void fill_tile(float *tile, const float *src, int n, int D) {
    for (int k = threadIdx.x; k < n * D; k += THREADS) tile[k / D * STRIDE(D) + k % D] = src[k];
    __syncthreads();
}

// ---- 4.1: tile [BC][D], from src [rows][D]; rows is seq_q, less or more than BC ------------------------------------

static __global__ void __launch_bounds__(THREADS) run_load_tile(float *out, const float *src, int rows, int D) {
    __shared__ float tile[BC * STRIDE(MAX_D)];
    spoil(tile, BC * STRIDE(D));
    load_tile(tile, src, rows, BC, D);
    __syncthreads();
    for (int k = threadIdx.x; k < BC * D; k += THREADS) out[k] = tile[k / D * STRIDE(D) + k % D];
}

PROBE(load_tile) {
    run_load_tile<<<1, THREADS, 0, stream>>>(tensors[0], tensors[1], shape.seq_q, shape.head_dim);
    return PROBED();
}

// ---- 4.2: S [BR][BC] = scale Q K^T, Q [BR][D], K [BC][D] ------------------------------------------------------------

static __global__ void __launch_bounds__(THREADS) run_compute_scores(float *S, const float *Q, const float *K, int D) {
    __shared__ float Qs[BR * STRIDE(MAX_D)], Ks[BC * STRIDE(MAX_D)], Ss[BR * (BC + 1)];
    const int r = threadIdx.x / LANES, t = threadIdx.x % LANES;
    spoil(Ss, BR * (BC + 1));
    fill_tile(Qs, Q, BR, D);
    fill_tile(Ks, K, BC, D);
    compute_scores(Ss + r * (BC + 1), Qs + r * STRIDE(D), Ks, t, D, 1.0f / sqrtf((float)D));
    __syncthreads();
    for (int k = threadIdx.x; k < BR * BC; k += THREADS) S[k] = Ss[k / BC * (BC + 1) + k % BC];
}

PROBE(compute_scores) {
    run_compute_scores<<<1, THREADS, 0, stream>>>(tensors[0], tensors[1], tensors[2], shape.head_dim);
    return PROBED();
}
