// flash.cu: large shapes on the CUDA cores, head_dim of 33 to 64 and of 97 to 128; the others are rung 4's.
//
// A lane makes 8 x 8 scores and 8 x 8 numbers of O whatever D is, so that 16 numbers of shared memory feed 64
// multiply-adds. A block owns 128 queries, and N = 64 or 128 keys at a time, for as many dims. Its warps stand 4 x W,
// W = N / 64: each makes 32 rows x 64 keys of S, and 32 rows x 64 dims of O. With W = 2, two warps share a row: they
// agree on its maximum before they make probabilities, and add their row sums at the end.
//
// The lane at (ty, tx) of a warp's 4 x 8 has the rows ty + 4i and the keys tx + 8j of S, as in rung 4, and of O the same
// rows and the dims 4tx + 0..3 and 4tx + 32 + 0..3. O is a sum of outer products, of a key's probabilities and its V: so
// P lies transposed, and a lane's eight rows as two fours that a load brings.
//
// Shared memory, in floats:
//
//      Qs [128][N + 4]          the block's queries
//      Ps [N][128 + 8]          probabilities, transposed; the padding spreads the stores of four over all banks
//      tiles [2][N][N/2 + 4]    half of a tile: N/2 dims of K, or N/2 rows of V. One is multiplied, the next one travels
#define attn_flash attn_flash_async_copies
#include "../ladder/4_async_copies/task4_flash/flash.cu"  // the compiler searches grader/core
#undef attn_flash

// Named as rung 4's sizes, whose add_scores is used, for half of the dims at a time.
template <int W_> struct squares {
    static constexpr int W = W_, N = 64 * W, Br = 128, DEPTH = N / 2, THREADS = 128 * W;
    static constexpr int TM = 8, TN = 8, DP = DEPTH;
    static constexpr int QS = N + 4, KS = DEPTH + 4, PS = Br + 8, TILE = N * KS;  // row lengths in shared memory
    static constexpr int BYTES = sizeof(float) * (Br * QS + N * PS + 2 * TILE);
};

static __device__ __forceinline__ void load8(float (&x)[8], const float *p, int apart) {
    const float4 v = *(const float4 *)p, w = *(const float4 *)(p + apart);
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w, x[4] = w.x, x[5] = w.y, x[6] = w.z, x[7] = w.w;
}

// o += P V over DEPTH keys. P, V: this lane's first rows, and first dims, of the first key.
template <class T>
static __device__ __forceinline__ void add_outer_products(float (&o)[8][8], const float *P, const float *V) {
#pragma unroll 16
    for (int k = 0; k < T::DEPTH; k++, P += T::PS, V += T::N) {
        float p[8], v[8];
        load8(p, P, 16), load8(v, V, 32);
        // Down a column of 8 and up the next one: neighbours share v, at the turn p. The compiler can keep the other two
        // of the three numbers that a multiply-add reads in two banks of registers (../4_async_copies).
        UNROLL for (int j = 0; j < 8; j++) UNROLL for (int n = 0; n < 8; n++) {
            const int i = j % 2 ? 7 - n : n;
            o[i][j] += p[i] * v[j];
        }
    }
}

// Starts copying rows `first` .. `first` + COUNT - 1 of src [rows][D], dims d0 .. d0 + COLS - 1, into a tile. What is not
// there becomes zeros.
template <class T, int COUNT, int COLS, int STRIDE>
static __device__ __forceinline__ void start_part(float *tile, const float *src, int first, int rows, int D, int d0) {
    constexpr int STEP = T::THREADS / (COLS / 4);  // rows that all threads copy at a time
    const int row = threadIdx.x / (COLS / 4), d = threadIdx.x % (COLS / 4) * 4;
    const int left = d0 + d < D ? rows - first - row : 0;  // rows from this thread's first one on
    tile += row * STRIDE + d;
    if (left > 0) src += (size_t)(first + row) * D + d0 + d;
    if (left > COUNT - STEP) {
        UNROLL for (int r = 0; r < COUNT; r += STEP, src += STEP * D)
            __pipeline_memcpy_async(tile + r * STRIDE, src, 16);
    } else {
#pragma unroll 1
        for (int r = 0; r < COUNT; r += STEP)
            __pipeline_memcpy_async(tile + r * STRIDE, r < left ? src + r * D : src, 16, r < left ? 0 : 16);
    }
}

// Joins what the lanes of a row know, and where two warps share it, what these know, through Ps. All threads call it.
template <class T, class F> static __device__ __forceinline__ void join(float (&x)[8], float *Ps, int row0, F f) {
    UNROLL for (int i = 0; i < 8; i++) UNROLL for (int bit = 2; bit <= 8; bit *= 2) x[i] =
        f(x[i], __shfl_xor_sync(0xffffffff, x[i], bit));
    if (T::W == 1) return;
    float *mine = Ps + threadIdx.x / 32 % 2 * T::Br + row0, *other = Ps + (1 - threadIdx.x / 32 % 2) * T::Br + row0;
    if (threadIdx.x % 16 < 2) UNROLL for (int i = 0; i < 8; i++) mine[4 * i] = x[i];
    __syncthreads();  // both parts are written before one is read
    UNROLL for (int i = 0; i < 8; i++) x[i] = f(x[i], other[4 * i]);
    __syncthreads();  // both are read before Ps becomes probabilities
}

// Rung 4's online softmax: m is raised only where some score lies 8 above. P: this lane's first place in Ps.
template <class T>
static __device__ __forceinline__ void add_squares(float *P, float *Ps, int row0, float (&m)[8], float (&l)[8],
                                                   float (&o)[8][8], const float (&s)[8][8], float scale) {
    float top[8];
    bool high = false;
    UNROLL for (int i = 0; i < 8; i++) {
        top[i] = s[i][0];
        UNROLL for (int j = 1; j < 8; j++) top[i] = fmaxf(top[i], s[i][j]);
        top[i] *= scale, high |= top[i] > m[i] + 8;
    }
    if (T::W == 1 ? __any_sync(0xffffffff, high) : __syncthreads_or(high)) {
        join<T>(top, Ps, row0, [](float x, float y) { return fmaxf(x, y); });
        UNROLL for (int i = 0; i < 8; i++) {
            top[i] = fmaxf(m[i], top[i]);
            const float rescale = exp2_approx(m[i] - top[i]);
            m[i] = top[i], l[i] *= rescale;
            UNROLL for (int j = 0; j < 8; j++) o[i][j] *= rescale;
        }
    }
    UNROLL for (int j = 0; j < 8; j++) {
        float p[8], *to = P + 8 * j * T::PS;
        UNROLL for (int i = 0; i < 8; i++) p[i] = exp2_approx(fmaf(scale, s[i][j], -m[i])), l[i] += p[i];
        *(float4 *)to = make_float4(p[0], p[1], p[2], p[3]);
        *(float4 *)(to + 16) = make_float4(p[4], p[5], p[6], p[7]);
    }
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS)
    outer_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape, float scale) {
    extern __shared__ float4 shared[];
    float *Qs = (float *)shared, *Ps = Qs + T::Br * T::QS, *tiles = Ps + T::N * T::PS;
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first_q = (int)(gridDim.y - 1 - blockIdx.y) * T::Br;  // last tile first, as in rung 4
    const size_t head = blockIdx.x;
    Q += head * Sq * D, O += (head * Sq + first_q) * D;
    K += head * Sk * D, V += head * Sk * D;
    const int tx = lane / 2 % 8, ty = lane % 2 + lane / 16 * 2, rows0 = warp / T::W * 32, cols0 = warp % T::W * 64;
    const int row0 = rows0 + ty, key0 = cols0 + tx, dim0 = cols0 + 4 * tx;  // this lane's first row, key and dim
    float *P = Ps + rows0 + 4 * ty;

    for (int d0 = 0; d0 < T::N; d0 += T::DEPTH) start_part<T, T::Br, T::DEPTH, T::QS>(Qs + d0, Q, first_q, Sq, D, d0);
    start_part<T, T::N, T::DEPTH, T::KS>(tiles, K, 0, Sk, D, 0);
    __pipeline_commit();
    float m[8], l[8] = {}, o[8][8] = {};  // l: this lane's part of the row sum
    UNROLL for (int i = 0; i < 8; i++) m[i] = -INFINITY;

    const int shift = shape.causal ? first_q + Sk - Sq : Sk;  // row r sees keys 0 .. r + shift, as far as there are
    const int keys = min(Sk, shift + T::Br);                  // no row sees more: later tiles are skipped
    for (int k0 = 0; k0 < keys; k0 += T::N) {
        float s[8][8] = {};
#pragma unroll 1
        for (int half = 0; half < 2; half++) {
            __pipeline_wait_prior(0);
            __syncthreads();  // what was copied is complete before any warp reads it; no warp still reads the other half
            if (half == 0)
                start_part<T, T::N, T::DEPTH, T::KS>(tiles + T::TILE, K, k0, Sk, D, T::DEPTH);
            else
                start_part<T, T::DEPTH, T::N, T::N>(tiles, V, k0, Sk, D, 0);
            __pipeline_commit();
            add_scores<T>(s, Qs + half * T::DEPTH + row0 * T::QS, tiles + half * T::TILE + key0 * T::KS);
        }
        if (k0 + T::N > Sk || k0 + T::N - 1 > shift)  // some row does not see the whole tile
            UNROLL for (int i = 0; i < 8; i++) {
                const int last = min(Sk - 1, shift + row0 + 4 * i) - k0 - key0;
                UNROLL for (int j = 0; j < 8; j++) s[i][j] = 8 * j <= last ? s[i][j] : -INFINITY;
            }
        add_squares<T>(P + key0 * T::PS, Ps, row0, m, l, o, s, scale);
#pragma unroll 1
        for (int half = 0; half < 2; half++) {
            __pipeline_wait_prior(0);
            __syncthreads();  // as above, and Ps is complete
            if (half == 0)
                start_part<T, T::DEPTH, T::N, T::N>(tiles + T::TILE, V, k0 + T::DEPTH, Sk, D, 0);
            else if (k0 + T::N < keys)
                start_part<T, T::N, T::DEPTH, T::KS>(tiles, K, k0 + T::N, Sk, D, 0);
            __pipeline_commit();
            add_outer_products<T>(o, P + half * T::DEPTH * T::PS, tiles + half * T::TILE + dim0);
        }
    }
    // No warp still reads the first rows of Ps, where join() writes: that was before the last barrier.
    join<T>(l, Ps, row0, [](float x, float y) { return x + y; });
    UNROLL for (int i = 0; i < 8; i++) UNROLL for (int h = 0; h < 2; h++) {
        const int row = row0 + 4 * i, col = dim0 + 32 * h;
        const float norm = 1 / l[i], *x = o[i] + 4 * h;
        if (first_q + row < Sq && col < D)
            *(float4 *)(O + (size_t)row * D + col) = make_float4(x[0] * norm, x[1] * norm, x[2] * norm, x[3] * norm);
    }
}

template <int W>
static attn_status launch_outer(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    using T = squares<W>;
    cudaFuncSetAttribute(outer_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    dim3 grid(s.batch * s.heads, (s.seq_q + T::Br - 1) / T::Br);
    outer_kernel<T><<<grid, T::THREADS, T::BYTES, stream>>>(O, Q, K, V, s, 1.44269504f / sqrtf((float)s.head_dim));
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

// Where blocks of 128 queries fill most of the places that the device has for them (as in rung 4), and have room.
ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    int device = 0, processors = 1, room = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const bool legal = s.batch > 0 && s.heads > 0 && s.seq_q > 0 && s.seq_kv > 0 && s.head_dim % 8 == 0 &&
                       (!s.causal || s.seq_q <= s.seq_kv);
    const size_t blocks = legal ? (size_t)s.batch * s.heads * ((s.seq_q + 127) / 128) : 0;
    const size_t places = (size_t)processors * (s.head_dim > 64 ? 1 : 2) * (s.causal ? 2 : 1);
    const bool large = blocks >= places * 3 / 4;
    if (large && s.head_dim > 32 && s.head_dim <= 64 && squares<1>::BYTES <= room)
        return launch_outer<1>(O, Q, K, V, s, stream);
    if (large && s.head_dim > 96 && s.head_dim <= 128 && squares<2>::BYTES <= room)
        return launch_outer<2>(O, Q, K, V, s, stream);
    return attn_flash_async_copies(O, Q, K, V, s, stream);
}
