// layers.cu: embedding, layer norm, the two reorderings of heads, argmax. Small kernels: what they cost is their start,
// so a residual add rides along with the layer norm after it, and activations with the matrices before them.
#include "layers.h"

#include <math.h>

#include "launch.h"

#define UNROLL _Pragma("unroll")

enum { THREADS = 256, WARPS = THREADS / 32, KEEP = 4, PREFETCH_BLOCKS = 132, PIECE = 4096 };

// ---- Embedding: one block per token ---------------------------------------------------------------------------------
static __global__ void embed(float *x, const int *ids, const int *lengths, const float *wte, const float *wpe, int seq,
                             int E, int vocabulary, int positions) {
    let_next_start();
    wait_for_previous();  // ids and lengths are this step's
    const int id = ids[blockIdx.x], position = min(lengths[blockIdx.x / seq] + (int)blockIdx.x % seq, positions - 1);
    const float *token = wte + (size_t)(id >= 0 && id < vocabulary ? id : 0) * E;
    for (int i = threadIdx.x; i < E; i += THREADS)
        x[(size_t)blockIdx.x * E + i] = token[i] + wpe[(size_t)position * E + i];
}

attn_status lab_embed(float *x, const int *ids, const int *lengths, const float *wte, const float *wpe, int batch,
                      int seq, int E, int vocabulary, int positions, cudaStream_t stream) {
    return launch(embed, batch * seq, THREADS, stream, x, ids, lengths, wte, wpe, seq, E, vocabulary, positions);
}

static __device__ __forceinline__ float4 add4(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// ---- Layer norm: one block per row, its elements in registers -------------------------------------------------------
static __device__ __forceinline__ float sum_over_block(float x, float *part) {
    UNROLL for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(0xffffffff, x, distance);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();  // every warp's sum is written before any thread adds them
    x = 0;
    UNROLL for (int warp = 0; warp < WARPS; warp++) x += warp * 32 < (int)blockDim.x ? part[warp] : 0;
    return x;
}

// Block `rows` and those behind it have no row: they bring norm.next into the cache. Weights are never written, so they
// need not wait.
static __device__ __forceinline__ void prefetch_next(lab_norm norm, int block) {
    const size_t piece = PIECE, first = (threadIdx.x * PREFETCH_BLOCKS + block) * piece;
    for (size_t at = first; at < norm.next_bytes; at += PREFETCH_BLOCKS * blockDim.x * piece)
        prefetch((const char *)norm.next + at, (unsigned)min(norm.next_bytes - at, piece));
}

// count: NULL, or row b is the last real token of sequence b of x: [rows, seq, E].
static __global__ void __launch_bounds__(THREADS)
    layer_norm(float *y, float *x, const float *add, lab_norm norm, int rows, int E, const int *count, int seq) {
    __shared__ float part[2][WARPS];
    let_next_start();
    if ((int)blockIdx.x >= rows) {
        prefetch_next(norm, blockIdx.x - rows);
        wait_for_previous();
        return;
    }
    const int i0 = 4 * threadIdx.x, STEP = 4 * blockDim.x;  // this thread's elements: i0 + STEP j + 0..3
    const float4 zero = make_float4(0, 0, 0, 0);
    float4 gain[KEEP], bias[KEEP];
    UNROLL for (int j = 0; j < KEEP; j++) {
        gain[j] = i0 + j * STEP < E ? __ldg((const float4 *)(norm.gain + i0 + j * STEP)) : zero;
        bias[j] = i0 + j * STEP < E ? __ldg((const float4 *)(norm.bias + i0 + j * STEP)) : zero;
    }
    wait_for_previous();  // x and add have been computed, and y is no longer in use

    const size_t row = count ? (size_t)blockIdx.x * seq + count[blockIdx.x] - 1 : blockIdx.x;
    float4 v[KEEP], more[KEEP];
    float sum = 0, squares = 0;
    x += row * E, add += add ? row * E : 0, y += (size_t)blockIdx.x * E;
    UNROLL for (int j = 0; j < KEEP; j++) {  // all requests are under way before the first is used
        v[j] = i0 + j * STEP < E ? *(const float4 *)(x + i0 + j * STEP) : zero;
        more[j] = add && i0 + j * STEP < E ? *(const float4 *)(add + i0 + j * STEP) : zero;
    }
    UNROLL for (int j = 0; j < KEEP; j++) {
        v[j] = add4(v[j], more[j]);
        sum += v[j].x + v[j].y + v[j].z + v[j].w;
        if (add && i0 + j * STEP < E) *(float4 *)(x + i0 + j * STEP) = v[j];
    }
    const float mean = sum_over_block(sum, part[0]) / E;
    UNROLL for (int j = 0; j < KEEP; j++) {
        if (i0 + j * STEP >= E) continue;
        v[j] = add4(v[j], make_float4(-mean, -mean, -mean, -mean));
        squares += v[j].x * v[j].x + v[j].y * v[j].y + v[j].z * v[j].z + v[j].w * v[j].w;
    }
    const float scale = rsqrtf(sum_over_block(squares, part[1]) / E + norm.epsilon);
    UNROLL for (int j = 0; j < KEEP; j++) if (i0 + j * STEP < E) * (float4 *)(y + i0 + j * STEP) =
        make_float4(v[j].x * scale * gain[j].x + bias[j].x, v[j].y * scale * gain[j].y + bias[j].y,
                    v[j].z * scale * gain[j].z + bias[j].z, v[j].w * scale * gain[j].w + bias[j].w);
}

static attn_status launch_norm(float *y, float *x, const float *add, lab_norm norm, int rows, int E, const int *count,
                               int seq, cudaStream_t stream) {
    if (rows < 1 || E < 4 || E % 4 != 0 || E > KEEP * 4 * THREADS) return ATTN_BAD_SHAPE;
    const int threads = min((int)THREADS, (E / 4 + 31) / 32 * 32),
              blocks = rows + (norm.next_bytes ? PREFETCH_BLOCKS : 0);
    return launch(layer_norm, blocks, threads, stream, y, x, add, norm, rows, E, count, seq);
}

attn_status lab_layer_norm(float *y, float *x, const float *add, lab_norm norm, int rows, int E, cudaStream_t stream) {
    return launch_norm(y, x, add, norm, rows, E, NULL, 1, stream);
}

attn_status lab_layer_norm_last(float *y, float *x, const int *count, lab_norm norm, int batch, int seq, int E,
                                cudaStream_t stream) {
    return launch_norm(y, x, NULL, norm, batch, E, count, seq, stream);
}

// ---- Heads: element (b, h, s, d) of [B, H, S, D] is element (b, s, h D + d) of [B, S, E]; one block per b and s ------
static __global__ void split_qkv(float *Q, float *K, float *V, const float *qkv, int S, int H, int D) {
    let_next_start();
    wait_for_previous();  // qkv has been computed
    const int b = blockIdx.x / S, s = blockIdx.x % S, E = H * D;
    for (int i = threadIdx.x; i < 3 * E; i += THREADS) {
        const int e = i % E, h = e / D, d = e % D;
        float *to = i < E ? Q : i < 2 * E ? K : V;
        to[(((size_t)b * H + h) * S + s) * D + d] = qkv[(size_t)blockIdx.x * 3 * E + i];
    }
}

attn_status lab_split_qkv(float *Q, float *K, float *V, const float *qkv, attn_shape s, cudaStream_t stream) {
    const size_t E = (size_t)s.heads * s.head_dim;
    if (s.batch == 1 && s.seq_q == 1 && Q == qkv && K == qkv + E && V == qkv + 2 * E) return ATTN_OK;
    return launch(split_qkv, s.batch * s.seq_q, THREADS, stream, Q, K, V, qkv, s.seq_q, s.heads, s.head_dim);
}

static __global__ void merge_heads(float *Y, const float *O, int S, int H, int D) {
    let_next_start();
    wait_for_previous();  // O has been computed
    const int b = blockIdx.x / S, s = blockIdx.x % S, E = H * D;
    for (int e = threadIdx.x; e < E; e += THREADS)
        Y[(size_t)blockIdx.x * E + e] = O[(((size_t)b * H + e / D) * S + s) * D + e % D];
}

attn_status lab_merge_heads(float *Y, const float *O, attn_shape s, cudaStream_t stream) {
    if (s.seq_q == 1 && Y == O) return ATTN_OK;
    return launch(merge_heads, s.batch * s.seq_q, THREADS, stream, Y, O, s.seq_q, s.heads, s.head_dim);
}

// ---- Argmax: one block per sequence ---------------------------------------------------------------------------------
typedef struct {
    float value;
    int index;
} candidate;

static __device__ __forceinline__ candidate better(candidate a, candidate b) {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

static __global__ void argmax(int *tokens, const float *logits, int n, int stop) {
    constexpr int AHEAD = 16;
    __shared__ candidate part[32];
    let_next_start();
    wait_for_previous();              // logits have been computed
    candidate best = {-INFINITY, 0};  // what is not a number is never chosen
    logits += (size_t)blockIdx.x * n;
    for (int first = threadIdx.x; first < n; first += AHEAD * blockDim.x) {
        float value[AHEAD];
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = first + a * blockDim.x;
            value[a] = i < n ? logits[i] : -INFINITY;
        }
        UNROLL for (int a = 0; a < AHEAD; a++) best = better(best, {value[a], first + a * (int)blockDim.x});
    }
    for (int distance = 16; distance > 0; distance /= 2)
        best = better(best, {__shfl_xor_sync(0xffffffff, best.value, distance),
                             __shfl_xor_sync(0xffffffff, best.index, distance)});
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = best;
    __syncthreads();  // every warp's best is written before thread 0 compares them
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < (int)blockDim.x / 32; warp++) best = better(best, part[warp]);
    if (stop < 0 || tokens[blockIdx.x] != stop) tokens[blockIdx.x] = best.index;
}

attn_status lab_argmax(int *tokens, const float *logits, int batch, int n, int stop, cudaStream_t stream) {
    return launch(argmax, batch, n > 1024 ? 1024 : THREADS, stream, tokens, logits, n, stop);
}
