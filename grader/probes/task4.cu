// task4.cu: the TODOs of task 4, one by one. Tiles are smaller than the file's own, and not square, so that BR and BC
// cannot be mistaken for each other. One block does a probe's work; what a student's function must not need (a loaded
// tile, a state) comes from code of the probe's own.
#include "probe.h"
#include "task4.h"

#include <math.h>

#define BR 16
#define BC 24
#define REGISTER_TILES 0  // TODO 4.11 has claims of its own; those about the kernel do not wait for it
#include LAB_STAGE_FILE

EXPECT_DEVICE(void, load_tile, (float *tile, const float *src, int rows, int size, int D));
EXPECT_DEVICE(void, compute_scores, (float *s, const float *q, const float *Ks, int t, int D, float scale));
EXPECT_DEVICE(void, mask_scores, (float *s, int i, int k0, int t, attn_shape shape));
EXPECT_DEVICE(float, new_max, (float m, const float *s, int t));
EXPECT_DEVICE(void, rescale, (row_state * row, float m_new));
EXPECT_DEVICE(void, add_probabilities, (row_state * row, float *s, int t));
EXPECT_DEVICE(void, add_values, (row_state * row, const float *s, const float *Vs, int t, int D));
EXPECT_DEVICE(void, store_row, (float *O, const row_state *row, int r, int rows, int t, int D));
EXPECT_DEVICE(int, keys_to_visit, (int last, attn_shape shape));
EXPECT(attn_status, launch,
       (float *O, const float *Q, const float *K, const float *V, attn_shape shape, cudaStream_t stream));
EXPECT_DEVICE(void, score_tile, (float *s, const float *q, const float *Ks, int t, int D, float scale));
EXPECT_DEVICE(void, value_tile, (row_state * row, const float *s, const float *Vs, int t, int D));

#define RUN(name) static __global__ void __launch_bounds__(THREADS) run_##name
#define LAUNCH(name, ...)                                                                                              \
    run_##name<<<1, THREADS, 0, stream>>>(__VA_ARGS__);                                                                \
    return PROBED()

enum { SS = BR * (BC + 1) };

// NaN wherever the student's code has to write.
static __device__ void spoil(float *x, int n) {
    for (int k = threadIdx.x; k < n; k += THREADS) x[k] = NAN;
    __syncthreads();
}

// A number that is known to grader/core/probes_task4.c wherever it must not read: between the rows of a tile.
static __device__ void pad(float *x, int n) {
    for (int k = threadIdx.x; k < n; k += THREADS) x[k] = 777.0f;
    __syncthreads();
}

// Between global memory [rows][cols] and shared memory, where rows are `pitch` floats apart.
static __device__ void copy_in(float *tile, int pitch, const float *src, int rows, int cols) {
    for (int k = threadIdx.x; k < rows * cols; k += THREADS) tile[k / cols * pitch + k % cols] = src[k];
    __syncthreads();
}
static __device__ void copy_out(float *dst, const float *tile, int pitch, int rows, int cols) {
    __syncthreads();
    for (int k = threadIdx.x; k < rows * cols; k += THREADS) dst[k] = tile[k / cols * pitch + k % cols];
}

// This thread's part of row r: o [BR][D], l [BR][LANES]; without an l t + 2, which nothing should divide by.
static __device__ row_state state_of(float m, const float *o, const float *l, int r, int t, int D) {
    row_state row = {m, l ? l[r * LANES + t] : t + 2.0f, {0.0f}};
    for (int e = 0; e < OWN; e++)
        if (o && t + LANES * e < D) row.o[e] = o[r * D + t + LANES * e];
    return row;
}
static __device__ void put(float *out, const row_state *row, int t, int D) {
    for (int e = 0; e < OWN; e++)
        if (t + LANES * e < D) out[t + LANES * e] = row->o[e];
}

// The same where there is NaN behind V: of dims from D on only that is seen, in the row's dim t, and not what else is there.
static __device__ void put_without_rest(float *out, const row_state *row, int t, int D) {
    put(out, row, t, D);
    for (int e = 0; e < OWN; e++)
        if (t + LANES * e >= D && isnan(row->o[e])) out[t] = NAN;
}

// All rows of the tile, 8 threads each, as many at a time as the block has threads for.
#define FOR_ROWS                                                                                                       \
    const int t = threadIdx.x % LANES;                                                                                 \
    for (int r = threadIdx.x / LANES; r < BR; r += THREADS / LANES)

// ---- 4.1: src [rows][D] into a tile of `size` rows, at most BC. The row behind it must stay; it comes out as zeros then

RUN(load_tile)(float *out, const float *src, int rows, int size, int D) {
    __shared__ float tile[(BC + 8) * STRIDE(MAX_D)];
    spoil(tile, (size + 8) * STRIDE(D));
    load_tile(tile, src, rows, size, D);
    copy_out(out, tile, STRIDE(D), size, D);
    for (int d = threadIdx.x; d < D; d += THREADS) {
        const float behind = tile[size * STRIDE(D) + d];
        out[size * D + d] = isnan(behind) ? 0.0f : behind;
    }
}
PROBE(load_tile) { LAUNCH(load_tile, tensors[0], tensors[1], shape.seq_kv, shape.seq_q, shape.head_dim); }

// ---- 4.2, 4.11: S [BR][BC] = scale Q K^T ----------------------------------------------------------------------------

RUN(score_tile)(float *out, const float *Q, const float *K, int D) {
    __shared__ float Qs[BR * STRIDE(MAX_D)], Ks[BC * STRIDE(MAX_D)], S[SS];
    const float scale = 1.0f / sqrtf((float)D);
    const int t = threadIdx.x % LANES;
    spoil(S, SS);
    pad(Qs, BR * STRIDE(D));
    pad(Ks, BC * STRIDE(D));
    copy_in(Qs, STRIDE(D), Q, BR, D);
    copy_in(Ks, STRIDE(D), K, BC, D);
    for (int r = threadIdx.x / LANES * TILE_ROWS; r < BR; r += THREADS / LANES * TILE_ROWS)
        score_tile(S + r * (BC + 1), Qs + r * STRIDE(D), Ks, t, D, scale);
    copy_out(out, S, BC + 1, BR, BC);
}
PROBE(score_tile) { LAUNCH(score_tile, tensors[0], tensors[1], tensors[2], shape.head_dim); }

// Each thread writes into a row of its own, so that what it writes of another's keys is seen: a score that others have
// written, too, comes out larger by 1000, and one that only others have written, smaller by 1000.
RUN(compute_scores)(float *out, const float *Q, const float *K, int D) {
    enum { ROW = LANES * (BC + 1) };
    __shared__ float Qs[BR * STRIDE(MAX_D)], Ks[BC * STRIDE(MAX_D)], S[BR * ROW];
    const float scale = 1.0f / sqrtf((float)D);
    spoil(S, BR * ROW);
    pad(Qs, BR * STRIDE(D));
    pad(Ks, BC * STRIDE(D));
    copy_in(Qs, STRIDE(D), Q, BR, D);
    copy_in(Ks, STRIDE(D), K, BC, D);
    FOR_ROWS compute_scores(S + r * ROW + t * (BC + 1), Qs + r * STRIDE(D), Ks, t, D, scale);
    __syncthreads();
    for (int k = threadIdx.x; k < BR * BC; k += THREADS) {
        const int c = k % BC;
        float score = S[k / BC * ROW + c % LANES * (BC + 1) + c], other = NAN;
        for (int i = 0; i < LANES; i++)
            if (i != c % LANES && !isnan(S[k / BC * ROW + i * (BC + 1) + c]))
                other = S[k / BC * ROW + i * (BC + 1) + c];
        if (!isnan(other)) score = isnan(score) ? other - 1000 : score + 1000;
        out[k] = score;
    }
}
PROBE(compute_scores) { LAUNCH(compute_scores, tensors[0], tensors[1], tensors[2], shape.head_dim); }

// ---- 4.3: S [BR][BC], of queries i0 + r and keys k0 + c. A score of -INFINITY comes out as -100 ---------------------

RUN(mask_scores)(float *out, const float *in, int i0, int k0, attn_shape shape) {
    __shared__ float S[SS];
    copy_in(S, BC + 1, in, BR, BC);
    FOR_ROWS mask_scores(S + r * (BC + 1), i0 + r, k0, t, shape);
    __syncthreads();
    for (int k = threadIdx.x; k < BR * BC; k += THREADS) {
        const float s = S[k / BC * (BC + 1) + k % BC];
        out[k] = s == -INFINITY ? -100.0f : s;
    }
}
PROBE(mask_scores) { LAUNCH(mask_scores, tensors[0], tensors[1], extra[0], extra[1], shape); }

// ---- 4.4: the row max in each of the 8 threads, out [BR][LANES]. -INFINITY comes out as -100 ------------------------

RUN(new_max)(float *out, const float *in, const float *m) {
    __shared__ float S[SS];
    copy_in(S, BC + 1, in, BR, BC);
    FOR_ROWS {
        const float max = new_max(m[r], S + r * (BC + 1), t);
        out[r * LANES + t] = max == -INFINITY ? -100.0f : max;
    }
}
PROBE(new_max) { LAUNCH(new_max, tensors[0], tensors[1], tensors[2]); }

// ---- 4.5: out [BR][D + LANES]: o, then l of the 8 threads -----------------------------------------------------------

RUN(rescale)(float *out, const float *o, const float *l, const float *m, const float *m_new, int D) {
    FOR_ROWS {
        row_state row = state_of(m[r], o, l, r, t, D);
        rescale(&row, m_new[r]);
        put(out + r * (D + LANES), &row, t, D);
        out[r * (D + LANES) + D + t] = row.l;
    }
}
PROBE(rescale) { LAUNCH(rescale, tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], shape.head_dim); }

// ---- 4.6: out [BR][BC + LANES]: the probabilities, then l of the 8 threads ------------------------------------------

RUN(add_probabilities)(float *out, const float *in, const float *l, const float *m) {
    __shared__ float S[SS];
    copy_in(S, BC + 1, in, BR, BC);
    FOR_ROWS {
        row_state row = state_of(m[r], NULL, l, r, t, 0);
        add_probabilities(&row, S + r * (BC + 1), t);
        out[r * (BC + LANES) + BC + t] = row.l;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BR * BC; k += THREADS)
        out[k / BC * (BC + LANES) + k % BC] = S[k / BC * (BC + 1) + k % BC];
}
PROBE(add_probabilities) { LAUNCH(add_probabilities, tensors[0], tensors[1], tensors[2], tensors[3]); }

// ---- 4.7, 4.11: out [BR][D] = o + P V -------------------------------------------------------------------------------

RUN(values)(float *out, const float *P, const float *V, const float *o, int D, int tiles) {
    __shared__ float Ps[SS], Vs[BC * STRIDE(MAX_D)];
    pad(Ps, SS);
    pad(Vs, BC * STRIDE(D));
    spoil(Vs + BC * STRIDE(D), BC * (STRIDE(MAX_D) - STRIDE(D)));
    copy_in(Ps, BC + 1, P, BR, BC);
    copy_in(Vs, STRIDE(D), V, BC, D);
    if (tiles) {
        const int t = threadIdx.x % LANES;
        for (int r = threadIdx.x / LANES * TILE_ROWS; r < BR; r += THREADS / LANES * TILE_ROWS) {
            row_state row[TILE_ROWS];
            for (int a = 0; a < TILE_ROWS; a++) row[a] = state_of(0.0f, o, NULL, r + a, t, D);
            value_tile(row, Ps + r * (BC + 1), Vs, t, D);
            for (int a = 0; a < TILE_ROWS; a++) put_without_rest(out + (r + a) * D, &row[a], t, D);
        }
    } else {
        FOR_ROWS {
            row_state row = state_of(0.0f, o, NULL, r, t, D);
            add_values(&row, Ps + r * (BC + 1), Vs, t, D);
            put_without_rest(out + r * D, &row, t, D);
        }
    }
}
PROBE(add_values) { LAUNCH(values, tensors[0], tensors[1], tensors[2], tensors[3], shape.head_dim, 0); }
PROBE(value_tile) { LAUNCH(values, tensors[0], tensors[1], tensors[2], tensors[3], shape.head_dim, 1); }

// ---- 4.8: O [rows][D], of which seq_q exist. Behind it the warp meets: nobody may wait in row_sum for those who skip it

RUN(store_row)(float *O, const float *o, const float *l, int rows, int D) {
    FOR_ROWS {
        const row_state row = state_of(0.0f, o, l, r, t, D);
        store_row(O, &row, r, rows, t, D);
        __syncwarp();
    }
}
PROBE(store_row) { LAUNCH(store_row, tensors[0], tensors[1], tensors[2], shape.seq_q, shape.head_dim); }

// ---- 4.9: out[last], for each query that a tile may end with --------------------------------------------------------

RUN(keys_to_visit)(float *out, attn_shape shape) {
    for (int last = threadIdx.x; last < shape.seq_q + BR; last += THREADS)
        out[last] = (float)keys_to_visit(last, shape);
}
PROBE(keys_to_visit) { LAUNCH(keys_to_visit, tensors[0], shape); }

// ---- 4.10: the whole kernel, while lines of ATTN_TODO still stand in attn_flash -------------------------------------

PROBE(launch) { return launch(tensors[0], tensors[1], tensors[2], tensors[3], shape, stream); }

// ---- Each tile of keys after the other: out [B H Sq][STEPS][D + 2], m, l and O after each. One row at a time, and with
// barriers of the probe's own; a row is kept in the registers of its 8 threads, one of them has m ----------------------

#ifndef LAB_NO_STEPS
RUN(steps)(float *out, const float *Q, const float *K, const float *V, attn_shape shape) {
    __shared__ float Qs[BR * STRIDE(MAX_D)], Ks[BC * STRIDE(MAX_D)], Vs[BC * STRIDE(MAX_D)], S[SS];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv, i0 = blockIdx.y * BR;
    const int r = threadIdx.x / LANES, t = threadIdx.x % LANES, i = i0 + r;
    const int last = i0 + BR < Sq ? i0 + BR : Sq, end = shape.causal ? last + Sk - Sq : Sk;
    const size_t head = blockIdx.x;
    const float scale = 1.0f / sqrtf((float)D);
    float *s = S + r * (BC + 1), *to = out + (head * Sq + i) * STEPS * (D + 2);
    row_state row = {-INFINITY, 0.0f, {0.0f}};
    load_tile(Qs, Q + (head * Sq + i0) * D, Sq - i0, BR, D);
    for (int k = 0; k < STEPS; k++, to += D + 2) {
        const int k0 = k * BC;
        if (k0 < end) {  // the same in all threads
            load_tile(Ks, K + (head * Sk + k0) * D, Sk - k0, BC, D);
            load_tile(Vs, V + (head * Sk + k0) * D, Sk - k0, BC, D);
            __syncthreads();
            compute_scores(s, Qs + r * STRIDE(D), Ks, t, D, scale);
            mask_scores(s, i, k0, t, shape);
            rescale(&row, new_max(row.m, s, t));
            add_probabilities(&row, s, t);
            __syncthreads();
            add_values(&row, s, Vs, t, D);
            __syncthreads();
        }
        const float l = row_sum(row.l);
        if (i >= Sq) continue;
        if (t == 0) to[0] = row.m, to[1] = l;
        put(to + 2, &row, t, D);
    }
}
PROBE(steps) {
    const dim3 grid(shape.batch * shape.heads, (shape.seq_q + BR - 1) / BR);
    run_steps<<<grid, THREADS, 0, stream>>>(tensors[0], tensors[1], tensors[2], tensors[3], shape);
    return PROBED();
}
#endif
