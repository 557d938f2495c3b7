// pipeline.cu: an attention layer that keeps a cache, so that a model can generate text. You write this file; task6.h
// says what it must do, README.md why it works.
//
//                                             the cache, per sequence and head
//     "the cat sat"  prefill, S = 3    slot   0    1    2    3    4    5         K and V of the prompt are stored
//                                             the  cat  sat
//     "on"           decode,  S = 1           the  cat  sat  on                  one k and one v are appended
//     "the"          decode,  S = 1           the  cat  sat  on   the            ... until max_seq slots are taken
//
//     which_call, fits      prefill or decode? is there room?        TODO 6.1  6.2
//     store                 a prompt's K and V into the cache        TODO 6.3  6.4
//     attention             of a prompt; of one more token           TODO 6.5  6.6
//     attn_layer_forward    all of it, in order                      given
//
// Attention itself is yours already: call->flash is your task 4, call->append and call->decode are your task 5 (or the
// lab's, where yours are not solved yet).
//
// How to work: each TODO is one small function, and has its line `return ATTN_TODO(6, n);`, in the function itself or
// in the host function that calls it. Write the code where the TODO stands, delete that line, run `make task6 test`.
// The test says which TODO is next. Stuck? `make task6 hint TODO=6.1`.
#include "task6.h"

//[
// Open TODOs leave names unused and code unreached. Delete these lines when all is solved: the compiler then tells you
// what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#ifdef __NVCC__
#pragma nv_diag_suppress 111, 128, 177, 550
#endif

//]
enum { THREADS = 256 };

// Passes on what went wrong: TRY(call->linear(...)) returns from the function unless the call returned ATTN_OK.
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const attn_status status_ = (call);                                                                            \
        if (status_ != ATTN_OK) return status_;                                                                        \
    } while (0)

// ---- What is asked for? ---------------------------------------------------------------------------------------------

typedef enum { NEITHER, PREFILL, DECODE } call_kind;

// What kind of call this is for a batch of B sequences.
static call_kind which_call(attn_tokens tokens, int B) {
    // TODO 6.1: which call is it? Given tokens.past[0 .. B-1], on the host, and tokens.seq, S. Fill: return PREFILL if
    // every past is 0, and DECODE if S is 1 and every past is at least 1.
    // Invariant: never both. A prompt of one token is a prefill, so S alone does not tell. A call that is neither, say
    // one with a new sequence among old ones, is NEITHER.
    // Size: 4 lines, one of them a loop over the sequences.
    //{
    int fresh = 0;  // sequences without a past
    for (int b = 0; b < B; b++) fresh += tokens.past[b] == 0;
    if (fresh == B) return PREFILL;
    if (fresh == 0 && tokens.seq == 1) return DECODE;
    //}
    return NEITHER;
}

// Does the cache have room for the tokens of this call, in every sequence?
static bool fits(attn_tokens tokens, attn_cache size) {
    // TODO 6.2: refuse what does not fit. Given tokens.past[b] and tokens.count[b]. Fill: return false if the cache
    // would have to hold more than size.max_seq tokens of any sequence b.
    // Invariant: max_seq tokens fit. Padding takes no slot.
    // Size: 2 lines.
    //{
    for (int b = 0; b < size.batch; b++)
        if (tokens.past[b] + tokens.count[b] > size.max_seq) return false;
    //}
    return true;
}

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

// Stores number i of the run of head bh = b * heads + h. X is K or V: X is [B, H, S, D], X_cache is [B, H, max_seq, D].
static __device__ void store_number(float *X_cache, const float *X, size_t bh, int i, int count, int S,
                                    attn_cache size) {
    const int D = size.head_dim;
    // TODO 6.3: store the prompt. Given i, and count, the real tokens of this sequence. Fill: number i of head bh of
    // X_cache = number i of head bh of X, if it belongs to a real token.
    // Invariant: slots 0 .. count - 1 hold the rows of the same number, and no other slot is written. A head begins
    // S * D numbers after the one before it in X, and max_seq * D numbers in X_cache. Offsets are size_t.
    // Size: 1 to 3 lines.
    //{
    if (i < count * D) X_cache[bh * size.max_seq * D + i] = X[bh * S * D + i];
    //}
}

// Says how many tokens of sequence b are in the cache. The threads of all heads h and numbers i call it.
static __device__ void count_tokens(int *lengths, const int *count, int b, int h, int i) {
    // TODO 6.4: count the tokens. Given count[b]. Fill: lengths[b] = count[b], written by one thread per sequence.
    // Invariant: lengths[b] is the number of slots that hold tokens. Padding is no token.
    // Size: 1 line.
    //{
    if (h == 0 && i == 0) lengths[b] = count[b];
    //}
}

// Block (bh, y): numbers y * THREADS .. (y + 1) * THREADS - 1 of the run of head bh.
static __global__ void store(float *K_cache, float *V_cache, int *lengths, const float *K, const float *V,
                             const int *count, int S, attn_cache size) {
    const size_t bh = blockIdx.x;
    const int b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const int i = blockIdx.y * THREADS + threadIdx.x;  // this thread's number of the run
    store_number(K_cache, K, bh, i, count[b], S, size);
    store_number(V_cache, V, bh, i, count[b], S, size);
    count_tokens(lengths, count, b, h, i);
}

// As many blocks as the longest prompt needs. The kernel reads count from device memory.
static attn_status store_prompts(attn_layer_cache cache, attn_tokens tokens, const float *K, const float *V,
                                 cudaStream_t stream) {
    const attn_cache size = cache.size;
    const dim3 grid(size.batch * size.heads, (tokens.seq * size.head_dim + THREADS - 1) / THREADS);
    //[
    return ATTN_TODO(6, 3);  // delete each line when its TODO is solved
    return ATTN_TODO(6, 4);
    //]
    store<<<grid, THREADS, 0, stream>>>(cache.K, cache.V, cache.lengths, K, V, tokens.count_device, tokens.seq, size);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

// ---- Attention ------------------------------------------------------------------------------------------------------

// work.O = attention of a prompt's tokens to the prompt, of each to itself and to those before it.
static attn_status attend_to_prompt(attn_layer_workspace work, attn_shape shape, const attn_functions *call,
                                    cudaStream_t stream) {
    // TODO 6.5: prefill. Given work.Q, work.K and work.V, [B, H, S, D], and their shape, which is not causal yet. Fill:
    // compute work.O with call->flash, and return its status.
    // Invariant: no real token sees padding. Padding comes last, so the causal mask already excludes it.
    // Size: 2 lines.
    //{
    shape.causal = 1;
    return call->flash(work.O, work.Q, work.K, work.V, shape, stream);
    //}
    //[
    return ATTN_TODO(6, 5);  // delete this line, too
    //]
}

// The cache holds one more token of every sequence, and work.O = its attention to all that the cache holds.
static attn_status attend_to_cache(attn_layer_workspace work, attn_layer_cache cache, const attn_functions *call,
                                   cudaStream_t stream) {
    // TODO 6.6: decode. Given work.Q, work.K and work.V of one new token: with S = 1 they are [B, H, D], as in task 5.
    // Fill: append the token with call->append, compute work.O with call->decode, and return the first status that is
    // not ATTN_OK.
    // Invariant: a token sees itself. Kernels on one stream run in the order in which they are queued.
    // Size: 2 lines. (TRY)
    //{
    TRY(call->append(cache.K, cache.V, cache.lengths, work.K, work.V, cache.size, stream));
    return call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, cache.size, stream);
    //}
    //[
    return ATTN_TODO(6, 6);  // delete this line, too
    //]
}

// ---- The layer: given -----------------------------------------------------------------------------------------------

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    const int B = cache.size.batch, H = cache.size.heads, S = tokens.seq, D = cache.size.head_dim, E = H * D;
    const attn_shape shape = {B, H, S, S, D, 0};  // of Q, K, V and O in this call: [B, H, S, D]
    //[

    return ATTN_TODO(6, 1);  // delete each line when its TODO is solved
    return ATTN_TODO(6, 2);
    //]

    // Before anything is queued, so that a refused call has changed nothing.
    const call_kind kind = which_call(tokens, B);
    if (kind == NEITHER) return ATTN_BAD_SHAPE;
    if (!fits(tokens, cache.size)) return ATTN_CACHE_FULL;

    // q, k and v of all B * S tokens of this call, head by head. Rows of padding are computed, too, and nobody reads
    // what comes out.
    TRY(call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, E, 3 * E, stream));
    TRY(call->split_qkv(work.Q, work.K, work.V, work.qkv, shape, stream));

    if (kind == PREFILL) {
        TRY(store_prompts(cache, tokens, work.K, work.V, stream));
        TRY(attend_to_prompt(work, shape, call, stream));
    } else {
        TRY(attend_to_cache(work, cache, call, stream));
    }

    // The heads side by side again, and the projection out.
    TRY(call->merge_heads(work.merged, work.O, shape, stream));
    return call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, E, E, stream);
}
