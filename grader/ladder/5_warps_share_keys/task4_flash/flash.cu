// flash.cu: rung 5, small shapes on the CUDA cores. Rung 4's tiles in registers, but a warp owns keys, not queries.
//
//      a block: 16 queries                 8 warps, 16 keys each at a time
//                  K 0..15   K 16..31  ...  K 112..127   K 128..143 ...
//      Q 0..15   | warp 0  | warp 1  | ... | warp 7    | warp 0 ...      -- one barrier --  combine 8 parts of O, m, l
//
// A warp keeps m, l and O of all 16 queries over its own keys. Nobody waits for another warp before the end. There are
// as many warps as with 128 queries a block, but eight times as many blocks.
//
// Shared memory, in floats: Qs [16][DP + 4], m and l of each warp's rows, and for each warp
//
//      Ks [16][DP + 4]   its keys; at the end its part of O
//      Vs [16][DP]       its values
//      Ps [16][24]       probabilities, on their way from S's layout to O's
#define attn_flash attn_flash_async_copies
#include "../ladder/4_async_copies/task4_flash/flash.cu"  // the compiler searches grader/core
#undef attn_flash

enum { WARPS = 8 };

// Named as rung 4's sizes, whose functions are used.
template <int DP_> struct shared_keys {
    static constexpr int DP = DP_, Br = 16, Bc = 16, THREADS = 32 * WARPS, TM = Br / 4, TN = Bc / 8, TD = DP / 32;
    static constexpr int QS = DP + 4, KS = QS, PS = Bc + 8, OWN = Bc * (QS + DP) + Br * PS;
    static constexpr int BYTES = sizeof(float) * (Br * QS + 2 * WARPS * Br + WARPS * OWN);
};

// Starts copying src [rows][D] into tile [16][stride], by one warp. Where the tile has more rows or columns: zeros.
template <class T>
static __device__ __forceinline__ void start_warp_copy(float *tile, int stride, const float *src, int rows, int D) {
    for (int i = threadIdx.x % 32; i < T::Bc * T::DP / 4; i += 32) {
        int row = i / (T::DP / 4), col = i % (T::DP / 4) * 4;
        bool inside = row < rows && col < D;
        const float *from = inside ? src + (size_t)row * D + col : src;
        __pipeline_memcpy_async(tile + row * stride + col, from, 16, inside ? 0 : 16);
    }
    __pipeline_commit();
}

// O = sum of the warps' parts, each rescaled to the largest of their maxima, over the sum of their l.
template <class T>
static __device__ __forceinline__ void combine(float *O, const float *parts, const float *m, const float *l, int rows,
                                               int D) {
    for (int i = threadIdx.x; i < T::Br * T::DP / 4; i += T::THREADS) {
        const int row = i / (T::DP / 4), col = i % (T::DP / 4) * 4;
        float top = m[row], sum = 0, o[4] = {};
        UNROLL for (int w = 1; w < WARPS; w++) top = fmaxf(top, m[w * T::Br + row]);
        UNROLL for (int w = 0; w < WARPS; w++) {
            const float weight = exp2f(m[w * T::Br + row] - top);
            float part[4];
            load4(part, parts + w * T::OWN + row * T::QS + col);
            sum += weight * l[w * T::Br + row];
            UNROLL for (int c = 0; c < 4; c++) o[c] += weight * part[c];
        }
        if (row < rows && col < D)
            *(float4 *)(O + (size_t)row * D + col) = make_float4(o[0] / sum, o[1] / sum, o[2] / sum, o[3] / sum);
    }
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS)
    shared_keys_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    extern __shared__ float4 shared[];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv, warp = threadIdx.x / 32;
    float *Qs = (float *)shared, *ms = Qs + T::Br * T::QS, *ls = ms + WARPS * T::Br, *parts = ls + WARPS * T::Br;
    float *Ks = parts + warp * T::OWN, *Vs = Ks + T::Bc * T::QS, *Ps = Vs + T::Bc * T::DP;
    const int first_q = (int)(gridDim.y - 1 - blockIdx.y) * T::Br;
    const size_t head = blockIdx.x;
    Q += (head * Sq + first_q) * D, O += (head * Sq + first_q) * D;
    K += head * Sk * D, V += head * Sk * D;
    const int lane = threadIdx.x % 32, tx = lane / 2 % 8, ty = lane % 2 + lane / 16 * 2;  // as in rung 4

    const int shift = shape.causal ? first_q + Sk - Sq : Sk;  // row r sees keys 0 .. r + shift, as far as there are
    const int keys = min(Sk, shift + T::Br), step = WARPS * T::Bc;
    int k0 = warp * T::Bc;
    start_copy<T, T::Br>(Qs, T::QS, Q, Sq - first_q, D);
    if (k0 < keys) start_warp_copy<T>(Ks, T::QS, K + (size_t)k0 * D, Sk - k0, D);
    if (k0 < keys) start_warp_copy<T>(Vs, T::DP, V + (size_t)k0 * D, Sk - k0, D);
    float m[T::TM], l[T::TM] = {}, o[T::TM][T::TD][4] = {};
    UNROLL for (int i = 0; i < T::TM; i++) m[i] = -1e30f;  // finite: a row may see none of the warp's keys
    __pipeline_wait_prior(k0 < keys ? 1 : 0);
    __syncthreads();  // Qs is complete before any warp reads it; so is the warp's own Ks

    for (; k0 < keys; k0 += step) {
        float s[T::TM][T::TN] = {};
        add_scores<T>(s, Qs + ty * T::QS, Ks + tx * T::QS);
        UNROLL for (int i = 0; i < T::TM; i++) {
            const int last = min(Sk - 1, shift + ty + 4 * i) - k0;
            UNROLL for (int j = 0; j < T::TN; j++) s[i][j] = tx + 8 * j <= last ? s[i][j] : -INFINITY;
        }
        add_probabilities<T>(Ps + ty * T::PS + tx, m, l, o, s, 1.44269504f / sqrtf((float)D));
        __pipeline_wait_prior(0);
        __syncwarp();  // Vs, copied by this warp's lanes, and Ps, written by them, are complete before they are read
        add_values<T>(o, Ps + ty * T::PS, Vs + 4 * tx);
        __syncwarp();  // no lane still reads the tiles, or Ps, that the next round overwrites
        if (k0 + step >= keys) break;
        start_warp_copy<T>(Ks, T::QS, K + (size_t)(k0 + step) * D, Sk - k0 - step, D);
        start_warp_copy<T>(Vs, T::DP, V + (size_t)(k0 + step) * D, Sk - k0 - step, D);
        __pipeline_wait_prior(1);
        __syncwarp();  // Ks is complete
    }

    UNROLL for (int i = 0; i < T::TM; i++) {
        const int row = ty + 4 * i;
        UNROLL for (int bit = 2; bit <= 8; bit *= 2) l[i] += __shfl_xor_sync(0xffffffff, l[i], bit);
        if (tx == 0) ms[warp * T::Br + row] = m[i], ls[warp * T::Br + row] = l[i];
        UNROLL for (int t = 0; t < T::TD; t++) * (float4 *)(Ks + row * T::QS + 4 * tx + 32 * t) =
            make_float4(o[i][t][0], o[i][t][1], o[i][t][2], o[i][t][3]);
    }
    __syncthreads();  // all parts are written before any is read
    combine<T>(O, parts, ms, ls, Sq - first_q, D);
}

template <int DP>
static attn_status launch_shared_keys(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                      cudaStream_t stream) {
    using T = shared_keys<DP>;
    cudaFuncSetAttribute(shared_keys_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    dim3 grid(s.batch * s.heads, (s.seq_q + T::Br - 1) / T::Br);
    shared_keys_kernel<T><<<grid, T::THREADS, T::BYTES, stream>>>(O, Q, K, V, s);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

// Rung 4 where its blocks of 32 queries fill the device, or where this one's tiles have no room.
ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    int device = 0, processors = 1, room = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const size_t blocks = (size_t)s.batch * s.heads * ((s.seq_q + 31) / 32);
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
        s.head_dim % 8 != 0 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    if (blocks > (size_t)processors || shared_keys<128>::BYTES > room)
        return attn_flash_async_copies(O, Q, K, V, s, stream);
    if (s.head_dim <= 32) return launch_shared_keys<32>(O, Q, K, V, s, stream);
    if (s.head_dim <= 64) return launch_shared_keys<64>(O, Q, K, V, s, stream);
    if (s.head_dim <= 96) return launch_shared_keys<96>(O, Q, K, V, s, stream);
    return launch_shared_keys<128>(O, Q, K, V, s, stream);
}
