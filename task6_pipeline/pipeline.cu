// pipeline.cu: an attention layer that keeps a cache, so that a model can generate text. You write this file; task6.h
// says what it must do, README.md why it works.
//
//                                             the cache, per sequence and head
//     "the cat sat"  prefill, S = 3    slot   0    1    2    3    4    5         K and V of the prompt are stored
//                                             the  cat  sat
//     "on"           decode,  S = 1           the  cat  sat  on                  one k and one v are appended
//     "the"          decode,  S = 1           the  cat  sat  on   the            ... until max_seq slots are taken
//
//     store                 a prompt's K and V into the cache    TODO 6.3  6.4
//     attn_layer_forward    which call is it? then do it         TODO 6.1  6.2  6.5  6.6
//
// Attention itself is yours already: call->flash is your task 4, call->append and call->decode are your task 5 (or the
// lab's, where yours are not solved yet). The matrices around it are given.
//
// How to work: each TODO has its line `return ATTN_TODO(6, n);`. Write the code where the TODO stands, delete that
// line, run `make task6 test`: it says which TODO is next. Begin at 6.1, below. Stuck? `make task6 hint TODO=6.1`.
#include "task6.h"

// Open TODOs leave names unused and code unreached. Delete these lines when all is solved: the compiler then tells you
// what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#ifdef __NVCC__
#pragma nv_diag_suppress 111, 128, 177, 550
#endif

enum { THREADS = 256 };

// Passes on what went wrong: TRY(call->linear(...)) returns from the function unless the call returned ATTN_OK.
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const attn_status status_ = (call);                                                                            \
        if (status_ != ATTN_OK) return status_;                                                                        \
    } while (0)

// ---- A prompt goes into the cache -----------------------------------------------------------------------------------
//
//     one head of K, [S][D]                      the same head of K_cache, [max_seq][D]
//
//     row 0   k k k k k k k k    ------------>   slot 0   k k k k k k k k
//     row 1   k k k k k k k k    ------------>   slot 1   k k k k k k k k
//     row 2   (padding)                          slot 2   anything               here count[b] = 2
//                                                ...
//
// Rows follow each other without a gap, and so do slots. For one head, storing is copying a run of numbers.

// Block (bh, y): numbers y * THREADS .. (y + 1) * THREADS - 1 of the run of head bh = b * heads + h.
static __global__ void store(float *K_cache, float *V_cache, int *lengths, const float *K, const float *V,
                             const int *count, int S, attn_cache size) {
    const int D = size.head_dim;
    const size_t bh = blockIdx.x;
    const int b = bh / size.heads, h = bh % size.heads;
    const int i = blockIdx.y * THREADS + threadIdx.x;  // this thread's number of the run

    // TODO 6.3: store the prompt. Given K and V, [B, H, S, D], the caches, [B, H, max_seq, D], and count[b].
    // Fill: number i of head bh of both caches, if it belongs to a real token.
    // Invariant: slots 0 .. count[b] - 1 hold the rows of the same number, and no other slot is written. A head begins
    // S * D numbers after the one before it here, and max_seq * D there. Offsets are size_t.
    // Size: 5 lines.

    // TODO 6.4: count the tokens. Given count[b]. Fill: lengths[b] = count[b], written by one thread per sequence.
    // Invariant: lengths says how many slots hold tokens, and padding is none.
    // Size: 1 line.
}

// Given: as many blocks as the longest prompt needs. count is read by the kernel, from device memory.
static attn_status store_prompts(attn_layer_cache cache, attn_tokens tokens, const float *K, const float *V,
                                 cudaStream_t stream) {
    const attn_cache size = cache.size;
    const dim3 grid(size.batch * size.heads, (tokens.seq * size.head_dim + THREADS - 1) / THREADS);
    return ATTN_TODO(6, 3);  // delete each line when its TODO is solved
    return ATTN_TODO(6, 4);
    store<<<grid, THREADS, 0, stream>>>(cache.K, cache.V, cache.lengths, K, V, tokens.count_device, tokens.seq, size);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

// ---- The layer ------------------------------------------------------------------------------------------------------

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    const int B = cache.size.batch, H = cache.size.heads, S = tokens.seq, D = cache.size.head_dim, E = H * D;
    bool prefill = false, decode = false;

    // TODO 6.1: which call is it? Given tokens.past[0 .. B-1], on the host, and S. Fill: prefill = every past is 0;
    // decode = S is 1 and every past is at least 1.
    // Invariant: never both. A prompt of one token is a prefill, so S alone does not tell. A call that is neither, say
    // with a new sequence among old ones, is refused by the line below.
    // Size: 5 lines, one of them a loop over the sequences.
    return ATTN_TODO(6, 1);

    if (!prefill && !decode) return ATTN_BAD_SHAPE;

    // TODO 6.2: refuse what does not fit. Given tokens.past[b] and tokens.count[b]. Fill: return ATTN_CACHE_FULL if for
    // any b the cache would have to hold more than max_seq tokens.
    // Invariant: this comes before anything is queued, so a refused call has changed nothing. max_seq tokens fit.
    // Size: 2 lines.
    return ATTN_TODO(6, 2);

    // Given: q, k and v of all B * S tokens of this call, head by head. Rows of padding are computed, too, and nobody
    // reads what comes out.
    attn_shape shape = {B, H, S, S, D, 0};  // of Q, K, V and O in this call: [B, H, S, D]
    TRY(call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, E, 3 * E, stream));
    TRY(call->split_qkv(work.Q, work.K, work.V, work.qkv, shape, stream));

    if (prefill) {
        TRY(store_prompts(cache, tokens, work.K, work.V, stream));

        // TODO 6.5: prefill. Given work.Q, work.K, work.V and shape. Fill: work.O = attention of the prompt's tokens to
        // the prompt, of each to itself and those before it.
        // Invariant: no real token sees padding. Padding stands behind all real tokens, so what hides later tokens
        // hides padding.
        // Size: 2 lines. (call->flash)
        return ATTN_TODO(6, 5);
    } else {
        // TODO 6.6: decode. Given work.Q, work.K and work.V; with S = 1 they are [B, H, D], as task 5 has them. Fill:
        // the cache holds the new token, and work.O = attention of the new token to all that the cache holds.
        // Invariant: a token sees itself. Kernels on one stream run in the order in which they are queued.
        // Size: 2 lines. (call->append, call->decode)
        return ATTN_TODO(6, 6);
    }

    // Given: the heads side by side again, and the projection out.
    TRY(call->merge_heads(work.merged, work.O, shape, stream));
    return call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, E, E, stream);
}
