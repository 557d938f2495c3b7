// layers.cu: embedding, layer norm, the two reorderings of heads, argmax. Small kernels: what they cost is their start,
// so a residual add (or the embedding) rides with the layer norm after it, and activations with the matrices before them.
#include "layers.h"

#include "block.h"
#include "launch.h"

enum { THREADS = 256, KEEP = 4 };

// A row of E floats: a block holds it in registers (block.h).
static int is_row(int E) { return E >= 4 && E % 4 == 0 && E <= KEEP * 4 * THREADS; }
static int threads_for(int E) { return min((int)THREADS, (E / 4 + 31) / 32 * 32); }

// ---- Embedding, and the first layer norm: one block per token ---------------------------------------------------------
static __global__ void __launch_bounds__(THREADS)
    embed(float *y, float *x, const int *ids, const int *lengths, const float *wte, const float *wpe, lab_norm norm,
          int seq, int E, int vocabulary, int positions) {
    float4 gain[KEEP], bias[KEEP], v[KEEP], more[KEEP];
    let_next_start();
    load_row(gain, norm.gain, E), load_row(bias, norm.bias, E);
    wait_for_previous();  // ids and lengths are this step's, and x and y are no longer in use
    const int id = ids[blockIdx.x], position = min(lengths[blockIdx.x / seq] + (int)blockIdx.x % seq, positions - 1);
    load_row(v, wte + (size_t)(id >= 0 && id < vocabulary ? id : 0) * E, E);
    load_row(more, wpe + (size_t)position * E, E);
    add_row(v, more);
    store_row(x + (size_t)blockIdx.x * E, v, E);
    normalise(v, gain, bias, norm.epsilon, E);
    store_row(y + (size_t)blockIdx.x * E, v, E);
}

attn_status lab_embed(float *y, float *x, const int *ids, const int *lengths, const float *wte, const float *wpe,
                      lab_norm norm, int batch, int seq, int E, int vocabulary, int positions, cudaStream_t stream) {
    if (!is_row(E)) return ATTN_BAD_SHAPE;
    return launch(embed, batch * seq, threads_for(E), stream, y, x, ids, lengths, wte, wpe, norm, seq, E, vocabulary,
                  positions);
}

// ---- Layer norm: one block per row, its elements in registers -------------------------------------------------------
// count: NULL, or row b is the last real token of sequence b of x: [rows, seq, E].
static __global__ void __launch_bounds__(THREADS)
    layer_norm(float *y, float *x, const float *add, lab_norm norm, int E, const int *count, int seq) {
    float4 gain[KEEP], bias[KEEP], v[KEEP], more[KEEP];
    let_next_start();
    load_row(gain, norm.gain, E), load_row(bias, norm.bias, E);
    wait_for_previous();  // x and add have been computed, and y is no longer in use
    const size_t row = count ? (size_t)blockIdx.x * seq + count[blockIdx.x] - 1 : blockIdx.x;
    load_row(v, x + row * E, E);
    if (add) {
        load_row(more, add + row * E, E);
        add_row(v, more);
        store_row(x + row * E, v, E);
    }
    normalise(v, gain, bias, norm.epsilon, E);
    store_row(y + (size_t)blockIdx.x * E, v, E);
}

static attn_status launch_norm(float *y, float *x, const float *add, lab_norm norm, int rows, int E, const int *count,
                               int seq, cudaStream_t stream) {
    if (rows < 1 || !is_row(E)) return ATTN_BAD_SHAPE;
    return launch(layer_norm, rows, threads_for(E), stream, y, x, add, norm, E, count, seq);
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
static __global__ void argmax(int *tokens, int *host, int *calls, const lab_candidate *best, int n, int stop) {
    constexpr int AHEAD = 4;
    __shared__ lab_candidate part[THREADS / 32];
    let_next_start();
    wait_for_previous();  // the candidates have been found
    const int b = blockIdx.x;
    lab_candidate top = {-INFINITY, 0};
    for (int first = threadIdx.x; first < n; first += AHEAD * THREADS)
        UNROLL for (int a = 0; a < AHEAD; a++) top = better(top, best[(size_t)b * n + min(first + a * THREADS, n - 1)]);
    for (int distance = 16; distance > 0; distance /= 2)
        top = better(
            top, {__shfl_xor_sync(0xffffffff, top.value, distance), __shfl_xor_sync(0xffffffff, top.index, distance)});
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = top;
    __syncthreads();  // every warp's best is written before thread 0 compares them
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < THREADS / 32; warp++) top = better(top, part[warp]);
    if (stop < 0 || tokens[b] != stop) tokens[b] = top.index;
    host[calls[b]++ % 2 * gridDim.x + b] = tokens[b];
}

attn_status lab_argmax(int *tokens, int *host, int *calls, const lab_candidate *best, int batch, int n, int stop,
                       cudaStream_t stream) {
    return launch(argmax, batch, THREADS, stream, tokens, host, calls, best, n, stop);
}
