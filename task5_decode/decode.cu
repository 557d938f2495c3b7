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
//     attn_decode_split   the bonus: many blocks a query  TODO 5.8  5.9
//     attn_combine        its last step                   TODO 5.10
//
// How to work: each TODO is one small function. A kernel cannot return a status, so each TODO has its line
// `return ATTN_TODO(5, n);` in the host function that launches the kernel. Write the code where the TODO stands, delete
// that line, run `make task5 test`. The test says which TODO is next. Stuck? `make task5 hint TODO=5.1`.
//
// The kernels and their launches are given. Read them first: they say how your functions work together.
#include "task5.h"

#include <math.h>

// Open TODOs leave names unused and code unreached. Delete these lines when all is solved: the compiler then tells you
// what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
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

// Stores the new rows of sequence b, one per head. X is K or V: x_new is [B, H, D], X_cache is [B, H, max_seq, D].
static __device__ void store_token(float *X_cache, const float *x_new, int b, int slot, attn_cache cache) {
    const int H = cache.heads, D = cache.head_dim;
    for (int i = threadIdx.x; i < H * D; i += blockDim.x) {  // the threads share the H * D numbers
        const int h = i / D, d = i % D;
        // TODO 5.1: store the token. Given b, h, slot and d. Fill: X_cache[b][h][slot][d] = x_new[b][h][d].
        // Invariant: every other slot stays as it is. Consecutive threads write consecutive addresses. Offsets are
        // size_t: B * H * max_seq * D outgrows an int.
        // Size: 3 lines.
    }
}

// Counts the token that stands in `slot`. Every thread of the block calls it, after it has read lengths[b].
static __device__ void count_token(int *lengths, int b, int slot) {
    // TODO 5.2: count the token. Given slot, the old length. Fill: lengths[b] = slot + 1, written by one thread.
    // Invariant: every thread has read the old length before one thread writes the new one. That takes a barrier.
    // Size: 2 lines. (__syncthreads)
}

// Block b: the new token of sequence b, all its heads.
static __global__ void append(float *K_cache, float *V_cache, int *lengths, const float *k_new, const float *v_new,
                              attn_cache cache) {
    const int b = blockIdx.x;
    const int slot = lengths[b];        // slots 0 .. slot - 1 are taken
    if (slot >= cache.max_seq) return;  // full: the whole block leaves, so nobody waits for it at a barrier
    store_token(K_cache, k_new, b, slot, cache);
    store_token(V_cache, v_new, b, slot, cache);
    count_token(lengths, b, slot);
}

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!cache_is_valid(cache)) return ATTN_BAD_SHAPE;
    return ATTN_TODO(5, 1);  // delete each line when its TODO is solved
    return ATTN_TODO(5, 2);
    append<<<cache.batch, THREADS, 0, stream>>>(K_cache, V_cache, lengths, k_new, v_new, cache);
    return launched();
}

// ---- Decode: one warp and its keys ----------------------------------------------------------------------------------

// What a warp knows about the keys that it has seen. m and l are the same in all lanes; o[t] belongs to dim lane + t *
// WARP. No keys: m = -INFINITY, l = 0, o = 0.
typedef struct {
    float m;        // the largest score
    float l;        // the sum of exp(score - m)
    float o[DIMS];  // the sum of exp(score - m) V
} partial;

// exp(s - m): the weight of a score next to the largest, m. No key at all is a score of -INFINITY and has no weight,
// even where m is -INFINITY too and s - m would be NaN.
static __device__ float weight(float s, float m) { return s == -INFINITY ? 0.0f : expf(s - m); }

// This lane's part of q . k. q[t] belongs to dim lane + t * WARP; k is a row of D floats.
static __device__ float multiply(const float q[DIMS], const float *k, int lane, int D) {
    float sum = 0.0f;
    // TODO 5.3: multiply. Given q and k. Fill: sum = the sum of q_d * k[d] over the dims d of this lane, all below D.
    // Invariant: lane and lane + 1 read neighbours, so the warp reads 128 bytes at a time. Nothing from d = D on is
    // read: the next key begins there.
    // Size: 4 lines.
    return sum;
}

// The sum of the x of all lanes of the warp, for each of them.
static __device__ float add_up(float x) {
    // TODO 5.4: add up. Given x, another number in each lane. Fill: x = the sum of the 32 numbers, in every lane.
    //
    //     w = 1     lanes 0 1 | 2 3 | 4 5 | 6 7     each lane adds the x of lane ^ 1: a pair has one sum, twice
    //     w = 2     lanes 0 1 2 3 | 4 5 6 7         then the x of lane ^ 2: four lanes have one sum
    //     w = 4     lanes 0 1 2 3 4 5 6 7           and so on, to w = 16
    //
    // Invariant: after the step with distance w, each lane has the sum of its group of 2 w lanes. All lanes take part.
    // Size: 1 line. (__shfl_xor_sync; its mask of all lanes is 0xffffffff)
    return x;
}

// Adds one more key to what the warp knows: its score is s, its value is v, a row of D floats.
static __device__ void add_key(partial *p, float s, const float *v, int lane, int D) {
    // TODO 5.5: the online softmax, for one more key. Given s, v, and m, l, o over the warp's earlier keys in p. Fill:
    // p->m, p->l and p->o with this key.
    // Invariant: m = max of the scores, l = sum of exp(s - m), o = sum of exp(s - m) V. What was summed with the old m
    // is rescaled by weight(m_old, m_new).
    // Size: 9 lines. (fmaxf, weight)
}

// ---- Decode: the warps of a block -----------------------------------------------------------------------------------

typedef struct {  // in shared memory: what each warp has found over its keys
    float m[WARPS], l[WARPS], o[WARPS][MAX_D];
} warp_parts;

typedef struct {  // the same over all keys, for one dim of o
    float m, l, o;
} joined;

// Copies what this warp has found to row `warp` of parts. Every thread of the block calls it.
static __device__ void leave_part(warp_parts *parts, const partial *p, int warp, int lane, int D) {
    // TODO 5.6: leave the warp's part where all can see it. Given p. Fill: parts->m[warp], parts->l[warp], and
    // parts->o[warp][d] for this lane's dims d below D.
    // Invariant: when a thread returns, the parts of all WARPS warps are complete. That takes a barrier.
    // Size: 7 lines. (__syncthreads)
}

// m, l, and dim d of o over the keys of all warps.
static __device__ joined join_warps(const warp_parts *parts, int d) {
    joined all = {-INFINITY, 0.0f, 0.0f};
    // TODO 5.7: join the warps. Given parts. Fill: all.m = the largest m; all.l = the sum over the warps w of l[w], and
    // all.o = the sum of o[w][d], each rescaled from m[w] to all.m.
    // Invariant: all is what one warp would have found alone. A warp without keys adds nothing.
    // Size: 6 lines, two loops over WARPS. (fmaxf, weight)
    return all;
}

// Bonus. The first key of a split: split s of n works on the keys first_key(s) .. first_key(s + 1) - 1.
static __device__ int first_key(int length, int s, int n) {
    // TODO 5.8: share out the keys (bonus; first finish 5.7). Given `length` keys, counted from 0. Fill: another value
    // to return, so that no split gets more than length / n keys, rounded up. The line below gives all to split 0.
    // Invariant: first_key(0) = 0, first_key(n) = length, and it never falls: each key is in exactly one split. A
    // split without keys is fine: length may be smaller than n.
    // Size: 1 line.
    return s == 0 ? 0 : length;
}

// Bonus. The logarithm of the sum of exp(score) over keys with the largest score m, whose sum of exp(score - m) is l.
static __device__ float log_sum_exp(float m, float l) {
    // TODO 5.9: the log-sum-exp (bonus). Given m and l. Fill: another value to return, log(exp(m) l).
    // Invariant: exp(m) may overflow, and is never computed. Without keys the result is log(0) = -INFINITY.
    // Size: 1 line. (logf)
    return 0.0f;
}

// Block (bh, split): one query against its split of the keys. O: [B H, n_splits, D], L: [B H, n_splits] or NULL.
// attn_decode has one split and no L: its O is [B H, D], as in task5.h.
static __global__ void decode(float *O, float *L, const float *Q, const float *K_cache, const float *V_cache,
                              const int *lengths, attn_cache cache) {
    __shared__ warp_parts parts;
    const int D = cache.head_dim, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int split = blockIdx.y, n_splits = gridDim.y;
    const size_t bh = blockIdx.x;
    const float *K = K_cache + bh * cache.max_seq * D;  // row j, of D floats, is slot j
    const float *V = V_cache + bh * cache.max_seq * D;
    const int length = lengths[bh / cache.heads];  // slots from here on hold anything
    const int begin = first_key(length, split, n_splits), end = first_key(length, split + 1, n_splits);
    const float scale = 1.0f / sqrtf((float)D);

    float q[DIMS] = {};  // this lane's dims of the query
    for (int t = 0; t < DIMS; t++) {
        const int d = lane + t * WARP;
        if (d < D) q[t] = Q[bh * D + d];
    }

    partial p = {-INFINITY, 0.0f, {}};
    for (int j = begin + warp; j < end; j += WARPS) {  // j is the same in all lanes of a warp: they add up together
        const float s = scale * add_up(multiply(q, K + (size_t)j * D, lane, D));
        add_key(&p, s, V + (size_t)j * D, lane, D);
    }
    leave_part(&parts, &p, warp, lane, D);

    const int d = threadIdx.x;  // from here on a thread has one dim of the output, and the rest have nothing to do
    if (d >= D) return;
    const joined all = join_warps(&parts, d);
    O[(bh * n_splits + split) * D + d] = all.l == 0.0f ? 0.0f : all.o / all.l;  // 0: no keys
    if (L != NULL && d == 0) L[bh * n_splits + split] = log_sum_exp(all.m, all.l);
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

// m, l and dim d of o over all splits of one query, where a split's L takes the place of a score, and its O that of a
// value. O: [n_splits, D], L: [n_splits].
static __device__ joined join_splits(const float *O, const float *L, int n_splits, int d, int D) {
    joined all = {-INFINITY, 0.0f, 0.0f};
    // TODO 5.10: combine the splits (bonus). Given O, whose rows are divided by their own sums, and L, whose exp() are
    // these sums. Fill: all.m = the largest L; all.l = the sum over the splits s of exp(L[s] - all.m), and all.o = the
    // sum of exp(L[s] - all.m) O[s][d].
    // Invariant: all.o / all.l = sum_s exp(L_s - L) O_s, where L = log sum_s exp(L_s). A split without keys has no
    // weight.
    // Size: 6 lines, two loops over n_splits. (fmaxf, weight)
    return all;
}

// Block bh, thread d: O[bh][d] from part_O[bh][0 .. n_splits-1][d] and L[bh][0 .. n_splits-1].
static __global__ void combine(float *O, const float *part_O, const float *L, int n_splits, int D) {
    const size_t bh = blockIdx.x;
    const int d = threadIdx.x;
    const joined all = join_splits(part_O + bh * n_splits * D, L + bh * n_splits, n_splits, d, D);
    O[bh * D + d] = all.l == 0.0f ? 0.0f : all.o / all.l;
}

ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream) {
    if (!cache_is_valid(cache) || n_splits < 1 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    return ATTN_TODO(5, 10);  // delete this line when the TODO is solved
    combine<<<cache.batch * cache.heads, cache.head_dim, 0, stream>>>(O, part_O, L, n_splits, cache.head_dim);
    return launched();
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (!cache_is_valid(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    if (n_splits == 0) n_splits = 8;  // your best choice: README.md, "Making it fast"

    const int pairs = cache.batch * cache.heads, D = cache.head_dim;
    float *part_O = workspace, *L = workspace + (size_t)pairs * n_splits * D;  // [B H, n_splits, D], [B H, n_splits]
    const attn_status status = launch_decode(part_O, L, Q, K_cache, V_cache, lengths, n_splits, cache, stream);
    if (status != ATTN_OK) return status;
    return ATTN_TODO(5, 8);  // delete each line when its TODO is solved
    return ATTN_TODO(5, 9);
    return attn_combine(O, part_O, L, n_splits, cache, stream);
}
