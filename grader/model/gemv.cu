// gemv.cu: products of a matrix with a few rows. W is read once, and that is all the time they take.
//
// A GPU's memory is busy when some 3 MB are under way at any time: bandwidth times latency. So a thread requests AHEAD
// times 16 bytes before it uses the first of them. The first requests go out before the previous kernel has finished,
// because nobody writes weights (launch.h).
#include "matrices.h"

#include "block.h"
#include "launch.h"

enum { THREADS = 256, WARPS = THREADS / 32, DOT_BLOCKS = 4, PROCESSORS = 132 };

static __device__ __forceinline__ float4 fma4(float a, float4 x, float4 y) {  // a x + y
    return make_float4(fmaf(a, x.x, y.x), fmaf(a, x.y, y.y), fmaf(a, x.z, y.z), fmaf(a, x.w, y.w));
}

static __device__ __forceinline__ float dot4(float4 a, float4 b, float sum) {
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

static __device__ __forceinline__ float4 add_over_lanes(float4 x, int distance) {
    return make_float4(
        x.x + __shfl_xor_sync(0xffffffff, x.x, distance), x.y + __shfl_xor_sync(0xffffffff, x.y, distance),
        x.z + __shfl_xor_sync(0xffffffff, x.z, distance), x.w + __shfl_xor_sync(0xffffffff, x.w, distance));
}

// A layer norm that rides along: the row x (+ add), normalised by every block for itself in shared memory.
typedef struct {
    const float *add;  // NULL: none
    lab_norm norm;
} riding_norm;

static __device__ __forceinline__ void normalise_into(float *y, const float *x, riding_norm ride,
                                                      const float4 (&gain)[1], const float4 (&bias)[1], int E) {
    float4 v[1], more[1];
    load_row(v, x, E);
    if (ride.add) {
        load_row(more, ride.add, E);
        add_row(v, more);
    }
    normalise(v, gain, bias, ride.norm.epsilon, E);
    store_row(y, v, E);
    __syncthreads();  // the row is complete before any thread reads it
}

int lab_norm_rides(int rows, int n_in) { return rows == 1 && lab_few_rows >= 1 && n_in <= 4 * THREADS; }

// ---- Y = X W + b ----------------------------------------------------------------------------------------------------
// A block owns 4 FOURS columns of W. Its threads form a grid of FOURS x GROUPS:
//
//                 columns of the block
//      row 0      [ thread 0: 4 columns | thread 1 | ... | thread FOURS - 1 ]        group 0
//      row 1      [ thread FOURS        | ...                               ]        group 1
//      ...
//      row GROUPS [ thread 0 again ...
//
// Each thread sums its rows; the groups' sums are added at the end, in an order that never changes.
// With NORM X is one row, and is normalised first. add: NULL, or with LAB_ADD_SUM is added as well.
template <int ROWS, int FOURS, bool NORM, int AHEAD>
static __global__ void __launch_bounds__(THREADS)
    gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out, lab_finish finish,
         const float *add, riding_norm ride) {
    constexpr int GROUPS = THREADS / FOURS;
    static_assert(ROWS * FOURS * 4 <= THREADS, "a thread finishes one element of Y at most");
    __shared__ float4 part[WARPS][ROWS][FOURS];
    __shared__ __align__(16) float normed[NORM ? 4 * THREADS : 4];
    const float *x = NORM ? normed : X;
    const int group = threadIdx.x / FOURS, four = threadIdx.x % FOURS;
    const int column = 4 * (blockIdx.x * FOURS + four);
    const int mine = min(column, n_out - 4);  // part of the last block may be outside: it repeats columns, unused

    // The element of Y that this thread finishes, in the end, and its bias.
    const int r = threadIdx.x / (FOURS * 4), c = threadIdx.x % (FOURS * 4), to = blockIdx.x * FOURS * 4 + c;
    const bool finishes = r < rows && to < n_out;
    const float bias = finishes && b ? b[to] : 0;

    let_next_start();
    float4 sum[ROWS] = {}, gain[1], norm_bias[1];
    if (NORM) load_row(gain, ride.norm.gain, n_in), load_row(norm_bias, ride.norm.bias, n_in);
    for (int first = group; first < n_in + group; first += AHEAD * GROUPS) {  // once at least: every thread has to wait
        float4 w[AHEAD];
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = first + a * GROUPS;
            w[a] = i < n_in ? __ldg((const float4 *)(W + (size_t)i * n_out + mine)) : make_float4(0, 0, 0, 0);
        }
        if (first == group) {
            wait_for_previous();  // X has been computed, and Y is no longer in use
            if (NORM) normalise_into(normed, X, ride, gain, norm_bias, n_in);
        }
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = min(first + a * GROUPS, n_in - 1);
            UNROLL for (int r = 0; r < ROWS; r++) sum[r] = fma4(x[(size_t)min(r, rows - 1) * n_in + i], w[a], sum[r]);
        }
    }

    float *y = Y + (size_t)r * n_out + to;
    float before = finishes && finish == LAB_ADD_SUM ? *y : 0;
    if (finishes && add) before += add[to];
    UNROLL for (int i = 0; i < ROWS; i++) {
        UNROLL for (int distance = FOURS; distance < 32; distance *= 2) sum[i] = add_over_lanes(sum[i], distance);
        if (threadIdx.x % 32 < FOURS) part[threadIdx.x / 32][i][four] = sum[i];
    }
    __syncthreads();  // the parts of all warps are written before any thread adds them
    if (finishes) {
        float total = bias;
        UNROLL for (int warp = 0; warp < WARPS; warp++) total += ((const float *)part[warp][r])[c];
        *y = finish == LAB_STORE_GELU ? gelu_new(total) : before + total;
    }
}

template <int ROWS, bool NORM = false>
static attn_status launch_gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                               lab_finish finish, cudaStream_t stream, const float *add = NULL, riding_norm ride = {}) {
    // A single row has registers to spare: with DEEP a column of up to 3072 is asked for as a whole before the previous
    // kernel has finished. Shorter columns and wide matrices stay with AHEAD.
    constexpr int AHEAD = ROWS <= 2 ? 12 : 6, DEEP = ROWS == 1 ? 24 : AHEAD;
    // Strips of 16 columns make whole requests of 64 bytes; narrow matrices are cut finer, to give every processor one.
    const bool wide = n_out >= 2048, deep = n_in > AHEAD * THREADS / 2;
    auto *kernel = wide ? gemv<ROWS, 4, NORM, AHEAD> : deep ? gemv<ROWS, 2, NORM, DEEP> : gemv<ROWS, 2, NORM, AHEAD>;
    const int columns = wide ? 16 : 8;
    return launch(kernel, (n_out + columns - 1) / columns, THREADS, stream, Y, X, W, b, rows, n_in, n_out, finish, add,
                  ride);
}

attn_status lab_gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                     lab_finish finish, cudaStream_t stream) {
    if (rows == 1) return launch_gemv<1>(Y, X, W, b, rows, n_in, n_out, finish, stream);
    if (rows == 2) return launch_gemv<2>(Y, X, W, b, rows, n_in, n_out, finish, stream);
    if (rows <= 4) return launch_gemv<4>(Y, X, W, b, rows, n_in, n_out, finish, stream);
    return launch_gemv<8>(Y, X, W, b, rows, n_in, n_out, finish, stream);
}

attn_status lab_norm_linear_gelu(float *y, const float *x, const float *add, lab_norm norm, const float *W,
                                 const float *b, int n_in, int n_out, cudaStream_t stream) {
    if (!lab_norm_rides(1, n_in) || n_in < 4 || n_in % 4 != 0 || n_out < 4 || n_out % 4 != 0) return ATTN_BAD_SHAPE;
    return launch_gemv<1, true>(y, x, W, b, 1, n_in, n_out, LAB_STORE_GELU, stream, NULL, {add, norm});
}

attn_status lab_linear_add_both(float *y, const float *add, const float *x, const float *W, const float *b, int n_in,
                                int n_out, cudaStream_t stream) {
    if (n_in < 4 || n_in % 4 != 0 || n_out < 4 || n_out % 4 != 0) return ATTN_BAD_SHAPE;
    return launch_gemv<1>(y, x, W, b, 1, n_in, n_out, LAB_ADD_SUM, stream, add);
}

// ---- Y = X W^T ------------------------------------------------------------------------------------------------------
// One warp per row of W: a row is contiguous, so its lanes read 512 bytes at a time. best: [rows, blocks].
template <int ROWS, bool NORM>
static __global__ void __launch_bounds__(THREADS, DOT_BLOCKS)
    dot_rows(float *Y, lab_candidate *best, const float *X, const float *W, int rows, int n_in, int n_out,
             riding_norm ride) {
    constexpr int AHEAD = ROWS == 1 ? 8 : 4;
    __shared__ __align__(16) float normed[NORM ? 4 * THREADS : 4];
    __shared__ lab_candidate part[ROWS][WARPS];
    const float *x = NORM ? normed : X;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float4 gain[1], bias[1];
    lab_candidate top[ROWS];
    UNROLL for (int r = 0; r < ROWS; r++) top[r] = {-INFINITY, 0};
    let_next_start();
    if (NORM) load_row(gain, ride.norm.gain, n_in), load_row(bias, ride.norm.bias, n_in);
    bool waits = true;
    for (int v = blockIdx.x * WARPS + warp; waits || v < n_out; v += gridDim.x * WARPS) {  // once at least
        const float *w = W + (size_t)min(v, n_out - 1) * n_in;
        float sum[ROWS] = {};
        for (int first = 4 * lane; first < n_in + 4 * lane; first += 128 * AHEAD) {
            float4 four[AHEAD];
            UNROLL for (int a = 0; a < AHEAD; a++) {
                const int i = first + 128 * a;
                four[a] = i < n_in ? __ldg((const float4 *)(w + i)) : make_float4(0, 0, 0, 0);
            }
            if (waits) {
                wait_for_previous();  // X has been computed, and Y is no longer in use
                if (NORM) normalise_into(normed, X, ride, gain, bias, n_in);
                waits = false;
            }
            UNROLL for (int a = 0; a < AHEAD; a++) UNROLL for (int r = 0; r < ROWS; r++) {
                const float *at = x + (size_t)min(r, rows - 1) * n_in + min(first + 128 * a, n_in - 4);
                sum[r] = dot4(*(const float4 *)at, four[a], sum[r]);
            }
        }
        UNROLL for (int r = 0; r < ROWS; r++) {
            UNROLL for (int distance = 16; distance > 0; distance /= 2) sum[r] +=
                __shfl_xor_sync(0xffffffff, sum[r], distance);
            if (v >= n_out) continue;
            top[r] = better(top[r], {sum[r], v});
            if (lane == 0 && r < rows) Y[(size_t)r * n_out + v] = sum[r];
        }
    }
    UNROLL for (int r = 0; r < ROWS; r++) if (lane == 0) part[r][warp] = top[r];
    __syncthreads();  // every warp's best is written before they are compared
    const int r = threadIdx.x;
    if (r >= rows) return;
    for (int i = 1; i < WARPS; i++) part[r][0] = better(part[r][0], part[r][i]);
    best[(size_t)r * gridDim.x + blockIdx.x] = part[r][0];
}

// As many blocks as an H100 or H200 runs at once, each with its share of the rows; smaller devices take turns.
int lab_candidates(int n_out) { return min((n_out + WARPS - 1) / WARPS, DOT_BLOCKS * PROCESSORS); }

template <int ROWS, bool NORM = false>
static attn_status launch_dots(float *Y, lab_candidate *best, const float *X, const float *W, int rows, int n_in,
                               int n_out, cudaStream_t stream, riding_norm ride = {}) {
    return launch(dot_rows<ROWS, NORM>, lab_candidates(n_out), THREADS, stream, Y, best, X, W, rows, n_in, n_out, ride);
}

attn_status lab_logits(float *Y, lab_candidate *best, const float *X, const float *W, int rows, int n_in, int n_out,
                       cudaStream_t stream) {
    if (rows < 1 || n_in < 4 || n_in % 4 != 0 || n_out < 1) return ATTN_BAD_SHAPE;
    for (; rows > LAB_GEMV_ROWS; rows -= LAB_GEMV_ROWS, X += LAB_GEMV_ROWS * n_in, Y += LAB_GEMV_ROWS * (size_t)n_out,
                                 best += LAB_GEMV_ROWS * lab_candidates(n_out)) {
        const attn_status status = launch_dots<8>(Y, best, X, W, LAB_GEMV_ROWS, n_in, n_out, stream);
        if (status != ATTN_OK) return status;
    }
    if (rows == 1) return launch_dots<1>(Y, best, X, W, rows, n_in, n_out, stream);
    if (rows == 2) return launch_dots<2>(Y, best, X, W, rows, n_in, n_out, stream);
    if (rows <= 4) return launch_dots<4>(Y, best, X, W, rows, n_in, n_out, stream);
    return launch_dots<8>(Y, best, X, W, rows, n_in, n_out, stream);
}

attn_status lab_norm_logits(float *y, lab_candidate *best, const float *x, lab_norm norm, const float *W, int n_in,
                            int n_out, cudaStream_t stream) {
    if (!lab_norm_rides(1, n_in) || n_in < 4 || n_in % 4 != 0 || n_out < 1) return ATTN_BAD_SHAPE;
    return launch_dots<1, true>(y, best, x, W, 1, n_in, n_out, stream, {NULL, norm});
}
