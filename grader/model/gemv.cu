// gemv.cu: products of a matrix with a few rows. W is read once, and that is all the time they take.
//
// To keep a GPU's memory busy some 3 MB have to be under way at any time: bandwidth times latency. So a thread asks for
// AHEAD times 16 bytes before it uses the first of them, and the first of these requests go out before the previous kernel
// has finished, because nobody writes weights (launch.h).
#include "matrices.h"

#include "launch.h"

#define UNROLL _Pragma("unroll")

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

// ---- Y = X W + b ----------------------------------------------------------------------------------------------------
// A block owns 4 FOURS columns of W, and its threads stand FOURS x GROUPS:
//
//                 columns of the block
//      row 0      [ thread 0: 4 columns | thread 1 | ... | thread FOURS - 1 ]        group 0
//      row 1      [ thread FOURS        | ...                               ]        group 1
//      ...
//      row GROUPS [ thread 0 again ...
//
// Each thread sums its rows; the groups' sums are added at the end, in an order that never changes.
template <int ROWS, int FOURS>
static __global__ void __launch_bounds__(THREADS)
    gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out, lab_finish finish) {
    constexpr int GROUPS = THREADS / FOURS, AHEAD = ROWS <= 2 ? 12 : 6;
    static_assert(ROWS * FOURS * 4 <= THREADS, "a thread finishes one element of Y at most");
    __shared__ float4 part[WARPS][ROWS][FOURS];
    const int group = threadIdx.x / FOURS, four = threadIdx.x % FOURS;
    const int column = 4 * (blockIdx.x * FOURS + four);
    const int mine = min(column, n_out - 4);  // the last block may stand partly outside: it repeats columns, unused

    // The element of Y that this thread finishes, in the end, and its bias.
    const int r = threadIdx.x / (FOURS * 4), c = threadIdx.x % (FOURS * 4), to = blockIdx.x * FOURS * 4 + c;
    const bool finishes = r < rows && to < n_out;
    const float bias = finishes && b ? b[to] : 0;

    let_next_start();
    float4 sum[ROWS] = {};
    for (int first = group; first < n_in + group; first += AHEAD * GROUPS) {  // once at least: every thread has to wait
        float4 w[AHEAD];
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = first + a * GROUPS;
            w[a] = i < n_in ? __ldg((const float4 *)(W + (size_t)i * n_out + mine)) : make_float4(0, 0, 0, 0);
        }
        if (first == group) wait_for_previous();  // X has been computed, and Y is no longer in use
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = min(first + a * GROUPS, n_in - 1);
            UNROLL for (int r = 0; r < ROWS; r++) sum[r] = fma4(X[(size_t)min(r, rows - 1) * n_in + i], w[a], sum[r]);
        }
    }

    float *y = Y + (size_t)r * n_out + to;
    const float before = finishes && finish == LAB_ADD_SUM ? *y : 0;
    UNROLL for (int i = 0; i < ROWS; i++) {
        UNROLL for (int distance = FOURS; distance < 32; distance *= 2) sum[i] = add_over_lanes(sum[i], distance);
        if (threadIdx.x % 32 < FOURS) part[threadIdx.x / 32][i][four] = sum[i];
    }
    __syncthreads();  // the parts of all warps are written before any thread adds them
    if (!finishes) return;
    float total = bias;
    UNROLL for (int warp = 0; warp < WARPS; warp++) total += ((const float *)part[warp][r])[c];
    *y = finish == LAB_STORE_GELU ? gelu_new(total) : before + total;
}

template <int ROWS>
static attn_status launch_gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                               lab_finish finish, cudaStream_t stream) {
    // Strips of 16 columns make whole requests of 64 bytes; narrow matrices are cut finer, to give every processor one.
    if (n_out >= 2048)
        return launch(gemv<ROWS, 4>, (n_out + 15) / 16, THREADS, stream, Y, X, W, b, rows, n_in, n_out, finish);
    return launch(gemv<ROWS, 2>, (n_out + 7) / 8, THREADS, stream, Y, X, W, b, rows, n_in, n_out, finish);
}

attn_status lab_gemv(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                     lab_finish finish, cudaStream_t stream) {
    if (rows == 1) return launch_gemv<1>(Y, X, W, b, rows, n_in, n_out, finish, stream);
    if (rows == 2) return launch_gemv<2>(Y, X, W, b, rows, n_in, n_out, finish, stream);
    if (rows <= 4) return launch_gemv<4>(Y, X, W, b, rows, n_in, n_out, finish, stream);
    return launch_gemv<8>(Y, X, W, b, rows, n_in, n_out, finish, stream);
}

// ---- Y = X W^T ------------------------------------------------------------------------------------------------------
// One warp per row of W: a row is contiguous, so its lanes read 512 bytes at a time.
template <int ROWS>
static __global__ void __launch_bounds__(THREADS, DOT_BLOCKS)
    dot_rows(float *Y, const float *X, const float *W, int rows, int n_in, int n_out) {
    constexpr int AHEAD = ROWS == 1 ? 8 : 4;
    const int lane = threadIdx.x % 32, warps = gridDim.x * WARPS;
    let_next_start();
    wait_for_previous();  // X has been computed, and Y is no longer in use
    for (int v = blockIdx.x * WARPS + threadIdx.x / 32; v < n_out; v += warps) {
        const float *w = W + (size_t)v * n_in;
        float sum[ROWS] = {};
        for (int first = 4 * lane; first < n_in; first += 128 * AHEAD) {
            float4 four[AHEAD];
            UNROLL for (int a = 0; a < AHEAD; a++) {
                const int i = first + 128 * a;
                four[a] = i < n_in ? __ldg((const float4 *)(w + i)) : make_float4(0, 0, 0, 0);
            }
            UNROLL for (int a = 0; a < AHEAD; a++) UNROLL for (int r = 0; r < ROWS; r++) {
                const float *x = X + (size_t)min(r, rows - 1) * n_in + min(first + 128 * a, n_in - 4);
                sum[r] = dot4(*(const float4 *)x, four[a], sum[r]);
            }
        }
        UNROLL for (int r = 0; r < ROWS; r++) {
            UNROLL for (int distance = 16; distance > 0; distance /= 2) sum[r] +=
                __shfl_xor_sync(0xffffffff, sum[r], distance);
            if (lane == 0 && r < rows) Y[(size_t)r * n_out + v] = sum[r];
        }
    }
}

template <int ROWS>
static attn_status launch_dots(float *Y, const float *X, const float *W, int rows, int n_in, int n_out,
                               cudaStream_t stream) {
    // As many blocks as an H100 or H200 runs at once, each with its share of the rows; smaller devices take turns.
    const unsigned grid = min((n_out + WARPS - 1) / WARPS, DOT_BLOCKS * PROCESSORS);
    return launch(dot_rows<ROWS>, grid, THREADS, stream, Y, X, W, rows, n_in, n_out);
}

attn_status lab_logits(float *Y, const float *X, const float *W, int rows, int n_in, int n_out, cudaStream_t stream) {
    if (rows < 1 || n_in < 4 || n_in % 4 != 0 || n_out < 1) return ATTN_BAD_SHAPE;
    for (; rows > LAB_GEMV_ROWS; rows -= LAB_GEMV_ROWS, X += LAB_GEMV_ROWS * n_in, Y += LAB_GEMV_ROWS * (size_t)n_out) {
        const attn_status status = launch_dots<8>(Y, X, W, LAB_GEMV_ROWS, n_in, n_out, stream);
        if (status != ATTN_OK) return status;
    }
    if (rows == 1) return launch_dots<1>(Y, X, W, rows, n_in, n_out, stream);
    if (rows == 2) return launch_dots<2>(Y, X, W, rows, n_in, n_out, stream);
    if (rows <= 4) return launch_dots<4>(Y, X, W, rows, n_in, n_out, stream);
    return launch_dots<8>(Y, X, W, rows, n_in, n_out, stream);
}
