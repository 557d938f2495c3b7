// flash.cu: rung 10, small shapes. What counts is the time from the launch to the first product, and from the last one.
//
// With B H = 8 heads of 128, rung 9 has 8 blocks, and each waits for: the queries, a tile of K in shared memory, a
// barrier, a tile of V, a barrier. Here a block has 16 queries of a head and 8 warps, so that there are 64 blocks.
// Warp w takes keys 16w .. 16w + 15, then 128 further on. Every lane loads from global memory what mma.sync wants of
// it, all of Q, K and V at once: no barrier stands before the products, and memory is waited for once.
//
// A sum over dims may run in any order, as long as Q and K agree; so may the columns of V. Let lane 4r + c load
//
//      Q rows r, r + 8 and K rows r, r + 8:   dims 16i + 4c .. 16i + 4c + 3    mma's places 2c, 2c + 1, 2c + 8, 2c + 9
//      V rows 2c, 2c + 1, 2c + 8, 2c + 9:     dims 8r .. 8r + 7                mma's column r, of tiles 0 .. 7
//
// Then all loads are 16 bytes wide, and its O is rows r, r + 8, dims 16c .. 16c + 15. The 8 warps' parts are combined
// as rung 9 combines blocks'. Larger shapes, and D > 64, are left to rung 9.
#define attn_flash attn_flash_split_keys
#include "../ladder/9_split_keys/task4_flash/flash.cu"  // the compiler searches grader/core
#undef attn_flash

enum { TINY_WARPS = 8, TINY_ROWS = 16, TINY_STRIDE = 64 + 4 };

DEVICE float4 load_or_zero(const float *p, bool inside) {
    return inside ? *(const float4 *)p : make_float4(0, 0, 0, 0);
}
DEVICE void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
DEVICE void mma_split(float (&c)[4], const uint32_t (&ahi)[4], const uint32_t (&alo)[4], const uint32_t (&bhi)[2],
                      const uint32_t (&blo)[2]) {
    mma(c, alo, bhi[0], bhi[1]), mma(c, ahi, blo[0], blo[1]), mma(c, ahi, bhi[0], bhi[1]);
}

// One step of the online softmax over 16 keys. s[j]: 8 keys. o[t]: rows r, r + 8, dims 16c + t, 16c + 8 + t.
DEVICE void tiny_softmax(float (&s)[2][4], float (&o)[8][4], float (&m)[2], float (&l)[2], float scale) {
    UNROLL for (int r = 0; r < 2; r++) {
        float top = fmaxf(fmaxf(s[0][2 * r], s[0][2 * r + 1]), fmaxf(s[1][2 * r], s[1][2 * r + 1]));
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, bit));
        top = fmaxf(m[r], scale * top);
        const float rescale = exp2_approx(m[r] - top);
        m[r] = top, l[r] *= rescale;
        UNROLL for (int t = 0; t < 8; t++) o[t][2 * r] *= rescale, o[t][2 * r + 1] *= rescale;
        UNROLL for (int j = 0; j < 2; j++) UNROLL for (int c = 2 * r; c < 2 * r + 2; c++) {
            s[j][c] = exp2_approx(scale * s[j][c] - top);
            l[r] += s[j][c];
        }
    }
}

// o and (m, l) of all warps, from shared memory. Thread t: row t / 16, dims 4 (t % 16) ..
DEVICE void tiny_combine(float *O, const float *parts, const float2 *sums, int rows, int D) {
    const int row = threadIdx.x / 16, col = threadIdx.x % 16 * 4;
    if (row >= rows || col >= D) return;
    float m = LOWEST, l = 0, o[4] = {};
    UNROLL for (int w = 0; w < TINY_WARPS; w++) m = fmaxf(m, sums[w * TINY_ROWS + row].x);
    UNROLL for (int w = 0; w < TINY_WARPS; w++) {
        const float4 x = *(const float4 *)(parts + (w * TINY_ROWS + row) * TINY_STRIDE + col);
        const float2 part = sums[w * TINY_ROWS + row];
        const float weight = exp2_approx(part.x - m);
        l += weight * part.y;
        o[0] += weight * x.x, o[1] += weight * x.y, o[2] += weight * x.z, o[3] += weight * x.w;
    }
    *(float4 *)(O + (size_t)row * D + col) = make_float4(o[0] / l, o[1] / l, o[2] / l, o[3] / l);
}

static __global__ void __launch_bounds__(32 * TINY_WARPS)
    tiny_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    __shared__ float parts[TINY_WARPS * TINY_ROWS * TINY_STRIDE];
    __shared__ float2 sums[TINY_WARPS * TINY_ROWS];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv, blocks = (Sq + TINY_ROWS - 1) / TINY_ROWS;
    const int first_q = blockIdx.x % blocks * TINY_ROWS, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int r = lane / 4, c = lane % 4;
    const size_t head = blockIdx.x / blocks;
    Q += (head * Sq + first_q) * D, O += (head * Sq + first_q) * D, K += head * Sk * D, V += head * Sk * D;
    wait_for_last_kernel();
    float4 q[2][4];
    UNROLL for (int i = 0; i < 2; i++) UNROLL for (int d = 0; d < 4; d++) q[i][d] =
        load_or_zero(Q + (r + 8 * i) * D + 16 * d + 4 * c, first_q + r + 8 * i < Sq && 16 * d + 4 * c < D);

    const float scale = 1.44269504f / sqrtf((float)D);
    float m[2] = {LOWEST, LOWEST}, l[2] = {}, o[8][4] = {};
    const int shift = shape.causal ? first_q + Sk - Sq : Sk;  // row i of the block sees keys 0 .. i + shift
    const int keys = min(Sk, shift + TINY_ROWS);
    for (int k0 = 16 * warp; k0 < keys; k0 += 16 * TINY_WARPS) {
        float4 k[2][4], v[4][2];
        UNROLL for (int j = 0; j < 2; j++) UNROLL for (int d = 0; d < 4; d++) {
            const int key = k0 + 8 * j + r;
            k[j][d] = load_or_zero(K + (size_t)key * D + 16 * d + 4 * c, key < Sk && 16 * d + 4 * c < D);
        }
        UNROLL for (int j = 0; j < 4; j++) UNROLL for (int h = 0; h < 2; h++) {
            const int key = k0 + 2 * c + j / 2 * 8 + j % 2;
            v[j][h] = load_or_zero(V + (size_t)key * D + 8 * r + 4 * h, key < Sk && 8 * r < D);
        }
        float s[2][4] = {};
        UNROLL for (int d = 0; d < 4; d++) {
            uint32_t ahi[4], alo[4], bhi[2], blo[2];
            UNROLL for (int i = 0; i < 2; i++) {
                split(q[i][d].x, q[i][d].y, ahi[i], alo[i]), split(q[i][d].z, q[i][d].w, ahi[i + 2], alo[i + 2]);
            }
            UNROLL for (int j = 0; j < 2; j++) {
                split(k[j][d].x, k[j][d].y, bhi[0], blo[0]), split(k[j][d].z, k[j][d].w, bhi[1], blo[1]);
                mma_split(s[j], ahi, alo, bhi, blo);
            }
        }
        UNROLL for (int j = 0; j < 2; j++) UNROLL for (int i = 0; i < 4; i++) {
            const int key = k0 + 8 * j + 2 * c + i % 2;
            if (key >= Sk || key > r + i / 2 * 8 + shift) s[j][i] = -INFINITY;
        }
        tiny_softmax(s, o, m, l, scale);
        uint32_t phi[4], plo[4], bhi[2], blo[2];
        UNROLL for (int i = 0; i < 4; i++) split(s[i / 2][i % 2 * 2], s[i / 2][i % 2 * 2 + 1], phi[i], plo[i]);
        UNROLL for (int t = 0; t < 8; t++) {
            UNROLL for (int i = 0; i < 2; i++)
                split((&v[2 * i][t / 4].x)[t % 4], (&v[2 * i + 1][t / 4].x)[t % 4], bhi[i], blo[i]);
            mma_split(o[t], phi, plo, bhi, blo);
        }
    }

    UNROLL for (int i = 0; i < 2; i++) {
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) l[i] += __shfl_xor_sync(0xffffffff, l[i], bit);
        const int row = warp * TINY_ROWS + r + 8 * i;
        if (c == 0) sums[row] = make_float2(m[i], l[i]);
        UNROLL for (int x = 0; x < 4; x++) {  // dims 16c + 4x ..: columns 2c (x < 2) and 2c + 1 of the tiles
            const int t = x % 2 * 4, at = 2 * i + x / 2;
            *(float4 *)(parts + row * TINY_STRIDE + 16 * c + 4 * x) =
                make_float4(o[t][at], o[t + 1][at], o[t + 2][at], o[t + 3][at]);
        }
    }
    __syncthreads();  // all parts are written before any is read
    tiny_combine(O, parts, sums, Sq - first_q, D);
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (is_bad_shape(s)) return ATTN_BAD_SHAPE;
    const size_t blocks = (size_t)s.batch * s.heads * ((s.seq_q + TINY_ROWS - 1) / TINY_ROWS);
    if (s.head_dim <= 64 && blocks * s.seq_kv <= 256 * 128 &&
        device_generation() >= 8) {  // else K and V are read too often
        cudaLaunchAttribute with = overlap();
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(blocks), config.blockDim = dim3(32 * TINY_WARPS);
        config.stream = stream, config.attrs = &with, config.numAttrs = device_generation() >= 9;
        cudaLaunchKernelEx(&config, tiny_kernel, O, Q, K, V, s);
        return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
    }
    return attn_flash_split_keys(O, Q, K, V, s, stream);
}
