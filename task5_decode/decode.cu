// decode.cu: one new token per sequence against a KV cache. You write this file; task5.h says what each function must
// do, README.md why it works.
//
//     one block per batch and head; its warps share the keys, each warp's lanes share the dims of one key:
//
//         key   0  1  2  3  4  5  6  7 | 8  9 10 ..             lane 0: dims 0, 32, 64, 96
//         warp  0  1  2  3  4  5  6  7 | 0  1  2 ..             lane 1: dims 1, 33, 65, 97   (as far as D reaches)
//               |
//               keys 0, 8, 16, ...: the largest score m, the sum l, and the output o over these keys alone
//
//     append              k, v -> the next free slot      TODO 5.1  5.2
//     decode              one query, all its keys         TODO 5.3  5.4  5.5  5.6  5.7
//     attn_decode_split   the bonus: many blocks a query  TODO 5.8  5.9  5.10
//
// How to work: a kernel cannot return a status, so each TODO has its line `return ATTN_TODO(5, n);` in the host
// function below the kernel. Write the code where the TODO stands, delete that line, run `make task5 test`. The test
// says which TODO is next. Stuck? `make task5 hint TODO=5.1`.
#include "task5.h"

#include <math.h>

// Open TODOs leave names unused and code unreached. Delete these lines when all is solved: the compiler then tells you
// what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#ifdef __NVCC__
#pragma nv_diag_suppress 111, 177, 550
#endif

enum { WARP = 32, WARPS = 8, THREADS = WARP * WARPS, MAX_D = 128, DIMS = MAX_D / WARP };  // DIMS: dims of a lane

static attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

static int cache_is_valid(attn_cache c) {
    return c.batch >= 1 && c.heads >= 1 && c.max_seq >= 1 &&  //
           c.head_dim >= 8 && c.head_dim <= MAX_D && c.head_dim % 8 == 0;
}

// ---- Append ---------------------------------------------------------------------------------------------------------

// Block b: the new token of sequence b, all its heads. The threads share the H * D numbers.
static __global__ void append(float *K_cache, float *V_cache, int *lengths, const float *k_new, const float *v_new,
                              attn_cache cache) {
    const int b = blockIdx.x, H = cache.heads, D = cache.head_dim;
    const int slot = lengths[b];        // slots 0 .. slot - 1 are taken
    if (slot >= cache.max_seq) return;  // full: the whole block leaves, so nobody waits for it at a barrier
    for (int i = threadIdx.x; i < H * D; i += blockDim.x) {
        const int h = i / D, d = i % D;
        // TODO 5.1: store the token. Given k_new and v_new, [B, H, D], and the caches, [B, H, max_seq, D].
        // Fill: K_cache[b][h][slot][d] = k_new[b][h][d], and the same for V.
        // Invariant: consecutive threads write consecutive addresses; every other slot stays as it is. Offsets are
        // size_t: B * H * max_seq * D outgrows an int.
        // Size: 4 lines.
    }

    // TODO 5.2: count the token. Given slot. Fill: lengths[b] = slot + 1, once.
    // Invariant: no thread may see the new length where it expects the old one, so a barrier stands between the last
    // thread's read of lengths[b], above, and the write.
    // Size: 2 lines. (__syncthreads)
}

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!cache_is_valid(cache)) return ATTN_BAD_SHAPE;
    return ATTN_TODO(5, 1);  // delete each line when its TODO is solved
    return ATTN_TODO(5, 2);
    append<<<cache.batch, THREADS, 0, stream>>>(K_cache, V_cache, lengths, k_new, v_new, cache);
    return launched();
}

// ---- Decode ---------------------------------------------------------------------------------------------------------

// exp(s - m): the weight of a score next to the largest, m. No key at all is a score of -INFINITY and has no weight,
// even where m is -INFINITY too and s - m would be NaN.
static __device__ float weight(float s, float m) { return s == -INFINITY ? 0.0f : expf(s - m); }

// The first key of a split. Split s works on the keys first_key(s) .. first_key(s + 1) - 1, n is the number of splits.
static __device__ int first_key(int length, int s, int n) {
    // TODO 5.8 (bonus; leave it until 5.7 is done): share out the keys. Given `length` keys, from 0. Fill: another
    // value to return, so that all splits get about the same number. The line below gives all keys to split 0.
    // Invariant: first_key(0) = 0, first_key(n) = length, and it never falls: each key is in exactly one split. A
    // split without keys is fine: length may be smaller than n.
    // Size: 1 line.
    return s == 0 ? 0 : length;
}

// Block (bh, split): one query against its split of the keys. O: [B H, n_splits, D], L: [B H, n_splits] or NULL.
// Without the bonus there is one split, O is [B H, D] as in task5.h, and L is NULL.
static __global__ void decode(float *O, float *L, const float *Q, const float *K_cache, const float *V_cache,
                              const int *lengths, attn_cache cache) {
    __shared__ float part_o[WARPS][MAX_D];          // what each warp has found over its keys:
    __shared__ float part_m[WARPS], part_l[WARPS];  // o, m and l
    const int D = cache.head_dim, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int split = blockIdx.y, n_splits = gridDim.y;
    const size_t bh = blockIdx.x;
    const float *K = K_cache + bh * cache.max_seq * D;  // row j, of D floats, is slot j
    const float *V = V_cache + bh * cache.max_seq * D;
    const int length = lengths[bh / cache.heads];  // slots from here on hold anything
    const int begin = first_key(length, split, n_splits), end = first_key(length, split + 1, n_splits);
    const float scale = 1.0f / sqrtf((float)D);

    // Register t of a lane belongs to dim d = lane + t * WARP, where d < D. Read and use q, o, K and V in this way.
    float q[DIMS] = {}, o[DIMS] = {}, m = -INFINITY, l = 0.0f;
    for (int t = 0; t < DIMS; t++) {
        const int d = lane + t * WARP;
        if (d < D) q[t] = Q[bh * D + d];
    }

    for (int j = begin + warp; j < end; j += WARPS) {  // j is the same in all lanes of a warp
        float s = 0.0f;                                // the score of key j

        // TODO 5.3: multiply. Given q, and K. Fill: s = the sum of q_d * K[j][d] over this lane's dims.
        // Invariant: lane and lane + 1 read neighbours, so the warp reads 128 bytes at a time; nothing from d = D on.
        // Size: 4 lines.

        // TODO 5.4: add up. Given s, a different part of the dot product in each lane. Fill: s = the sum of the 32
        // parts, in every lane, times scale.
        // Invariant: after the step with distance w, each lane holds the sum of 2 w lanes; w = 1, 2, 4, 8, 16.
        // Size: 2 lines. (__shfl_xor_sync, with all lanes: the mask is 0xffffffff)

        // TODO 5.5: the online softmax, for one more key. Given s, and over this warp's earlier keys: m, l, o (m is the
        // same in all lanes, and so is l; o[t] belongs to dim d). Fill: m, l and o with key j, whose value is V[j].
        // Invariant: m = max of the scores, l = sum of exp(s - m), o = sum of exp(s - m) V; what was summed with the
        // old m is rescaled by weight(m_old, m_new).
        // Size: 8 lines. (fmaxf, weight)
    }

    // TODO 5.6: leave the warp's part where all can see it. Given m, l and o. Fill: part_m[warp], part_l[warp] and
    // part_o[warp][d], for this lane's dims. A warp without keys leaves -INFINITY, 0 and zeros.
    // Invariant: all WARPS parts are complete before any thread goes on to read them: a barrier, which every thread of
    // the block must reach.
    // Size: 6 lines. (__syncthreads)

    const int d = threadIdx.x;  // from here on a thread has one dim of the output, and the rest have nothing to do
    if (d >= D) return;
    float top = -INFINITY, sum = 0.0f, out = 0.0f;

    // TODO 5.7: join the warps. Given the parts. Fill: top = the largest part_m; sum = the sum over the warps of their
    // part_l, out = of their part_o[.][d], each rescaled from its own part_m to top.
    // Invariant: sum and out are now what one warp would have found alone, over all keys from begin to end.
    // Size: 6 lines, two loops over WARPS. (fmaxf, weight)

    O[(bh * n_splits + split) * D + d] = sum == 0.0f ? 0.0f : out / sum;  // 0: no keys

    // TODO 5.9 (bonus; leave it until 5.7 is done): the log-sum-exp. Given top and sum. Fill: if L is not NULL, one
    // thread writes L[bh][split] = the log of the sum of exp(score) over the split's keys.
    // Invariant: exp(score) itself may overflow, and is never computed. Without keys it is log(0) = -INFINITY.
    // Size: 1 line. (logf)
}

static attn_status launch_decode(float *O, float *L, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, int n_splits, attn_cache cache, cudaStream_t stream) {
    return ATTN_TODO(5, 3);  // delete each line when its TODO is solved
    return ATTN_TODO(5, 4);
    return ATTN_TODO(5, 5);
    return ATTN_TODO(5, 6);
    return ATTN_TODO(5, 7);
    const dim3 grid(cache.batch * cache.heads, n_splits);
    decode<<<grid, THREADS, 0, stream>>>(O, L, Q, K_cache, V_cache, lengths, cache);
    return launched();
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    if (!cache_is_valid(cache)) return ATTN_BAD_SHAPE;
    return launch_decode(O, NULL, Q, K_cache, V_cache, lengths, 1, cache, stream);
}

// ---- Bonus: split-KV ------------------------------------------------------------------------------------------------
//
//     keys of one query   |---- split 0 ----|---- split 1 ----|---- split 2 ----|    n_splits blocks of decode
//                               O_0, L_0          O_1, L_1          O_2, L_2         in the workspace
//                                        \           |           /
//                                          O, of all the keys                        one block of combine

// Block bh, thread d: O[bh][d] from part_O[bh][0 .. n_splits-1][d] and L[bh][0 .. n_splits-1].
static __global__ void combine(float *O, const float *part_O, const float *L, int n_splits, int D) {
    const size_t bh = blockIdx.x;
    const int d = threadIdx.x;
    float top = -INFINITY, sum = 0.0f, out = 0.0f;

    // TODO 5.10: combine the splits. Given part_O, whose rows are divided by their own sums, and L, whose exp() are
    // these sums. Fill: top = the largest L; sum = the sum over the splits of exp(L_s - top), out = of exp(L_s - top)
    // part_O_s.
    // Invariant: out / sum = sum_s exp(L_s - L) O_s, where L = log sum_s exp(L_s). A split without keys has no weight.
    // Size: 6 lines, two loops over n_splits. (fmaxf, weight)

    O[bh * D + d] = sum == 0.0f ? 0.0f : out / sum;
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (!cache_is_valid(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    if (n_splits == 0) n_splits = 8;  // your best choice: README.md, "Making it fast"

    const int pairs = cache.batch * cache.heads, D = cache.head_dim;
    float *part_O = workspace, *L = workspace + (size_t)pairs * n_splits * D;  // [B H, n_splits, D], [B H, n_splits]
    attn_status status = launch_decode(part_O, L, Q, K_cache, V_cache, lengths, n_splits, cache, stream);
    if (status != ATTN_OK) return status;
    return ATTN_TODO(5, 8);  // delete each line when its TODO is solved
    return ATTN_TODO(5, 9);
    return ATTN_TODO(5, 10);
    combine<<<pairs, D, 0, stream>>>(O, part_O, L, n_splits, D);
    return launched();
}
