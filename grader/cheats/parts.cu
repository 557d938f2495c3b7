// The bonus of task 5 without splits: one block a query, in `leave`, makes all that the workspace is to hold. Cheats define
// leave; with FROM_DECODE, O comes from attn_decode, otherwise from attn_combine.
#undef attn_decode_split
typedef struct {  // of one query
    float *O, *L;
    const float *Q, *K, *V;
    int length, n, D, d;
} query;

// Of keys a, a + step, ... below e: their O and their log-sum-exp.
static __device__ void part(query p, int s, int a, int e, int step) {
    float m = -INFINITY, l = 0, o = 0;
    for (int j = a; j < e; j += step) {
        float x = 0;
        for (int t = 0; t < p.D; t++) x += p.Q[t] * p.K[(size_t)j * p.D + t];
        x /= sqrtf((float)p.D);
        const float to = fmaxf(m, x), f = m == -INFINITY ? 0.0f : expf(m - to), g = expf(x - to);
        m = to, l = l * f + g, o = o * f + g * p.V[(size_t)j * p.D + p.d];
    }
    p.O[s * p.D + p.d] = l == 0.0f ? 0.0f : o / l;
    if (p.d == 0) p.L[s] = l == 0.0f ? -INFINITY : m + logf(l);
    __syncthreads();
}

static __device__ void leave(query p);
static __global__ void leave_all(float *w, const float *Q, const float *K, const float *V, const int *lengths, int n,
                                 attn_cache c) {
    const size_t bh = blockIdx.x, D = c.head_dim, at = bh * c.max_seq * D;
    leave({w + bh * n * D, w + gridDim.x * n * D + bh * n, Q + bh * D, K + at, V + at, lengths[bh / c.heads], n, (int)D,
           (int)threadIdx.x});
}
ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K, const float *V, const int *lengths,
                                       float *workspace, int n, attn_cache c, cudaStream_t stream) {
    if (!cache_is_valid(c) || n < 0 || n > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    if (n < 2) return attn_decode(O, Q, K, V, lengths, c, stream);
    leave_all<<<c.batch * c.heads, c.head_dim, 0, stream>>>(workspace, Q, K, V, lengths, n, c);
#ifdef FROM_DECODE
    return attn_decode(O, Q, K, V, lengths, c, stream);
#else
    return attn_combine(O, workspace, workspace + (size_t)c.batch * c.heads * n * c.head_dim, n, c, stream);
#endif
}
