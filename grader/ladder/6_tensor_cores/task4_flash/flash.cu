// flash.cu: rung 6, tensor cores. The products of FlashAttention-2 by mma.sync, as exact as float32.
//
// Tensor cores multiply float16 and add in float32. A float32 number is split into two float16, x = hi + lo, which
// keeps 22 or 23 of its 24 bits, and a product becomes three (Qlo Klo^T, 2^-22 of it, is left out):
//
//      Q K^T = Qlo Khi^T + Qhi Klo^T + Qhi Khi^T                P V = Plo Vhi + Phi Vlo + Phi Vhi
//
// Three products at 16 times the rate of the CUDA cores. The split is made once, where a tile enters shared memory.
//
// A block owns 128 queries of one head, each of its 4 warps 32 of them: two m16 tiles share what is read of K and V.
// mma.m16n8k16 wants its operands spread over the 32 lanes like this (ldmatrix brings Q, K and V there):
//
//      lane 4r + c holds   of A (16 x 16): rows r, r + 8, columns 2c, 2c + 1, 2c + 8, 2c + 9
//                          of B (16 x 8):  rows 2c, 2c + 1, 2c + 8, 2c + 9, column r
//                          of C (16 x 8):  rows r, r + 8, columns 2c, 2c + 1
//
// So the scores C of two n8 tiles are, packed to float16, the A of the next product: P needs no shared memory.
//
// Needs compute capability 8.0. Elsewhere a plain kernel stands in: a thread a query.
#include "../ladder/rung.h"  // the compiler searches grader/core

template <int DP_, int Bc_> struct sizes {  // DP: head_dim rounded up, the surplus zeros
    static constexpr int DP = DP_, Br = 128, Bc = Bc_, THREADS = 128;
    static constexpr int STRIDE = DP + 8;  // halves; 8 rows then lie in different banks for ldmatrix
    static constexpr int BYTES = 2 * 2 * STRIDE * (Br + 2 * Bc);
};

// Splits src [rows][D] into hi and lo [ROWS][STRIDE], lo right behind hi. Where a tile is larger, it gets zeros.
template <class T, int ROWS> DEVICE void load_split(__half *hi, const float *src, int rows, int D) {
    constexpr int N = ROWS * T::DP / 4 / T::THREADS;
#pragma unroll 8
    for (int i = 0; i < N; i++) {
        const int at = threadIdx.x + i * T::THREADS, row = at / (T::DP / 4), col = at % (T::DP / 4) * 4;
        float4 x = make_float4(0, 0, 0, 0);
        if (row < rows && col < D) x = *(const float4 *)(src + (size_t)row * D + col);
        uint2 h, l;
        split(x.x, x.y, h.x, l.x), split(x.z, x.w, h.y, l.y);
        *(uint2 *)(hi + row * T::STRIDE + col) = h, *(uint2 *)(hi + (ROWS + row) * T::STRIDE + col) = l;
    }
}

// Four 8 x 8 matrices; lane l gives the address of row l % 8 of matrix l / 8.
DEVICE void ldmatrix(uint32_t (&x)[4], const __half *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"((uint32_t)__cvta_generic_to_shared(p))
                 : "memory");
}
DEVICE void ldmatrix_transposed(uint32_t (&x)[4], const __half *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"((uint32_t)__cvta_generic_to_shared(p))
                 : "memory");
}
DEVICE void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// c0 += A[0] B and c1 += A[1] B: two m16 tiles times two n8 tiles, in three products, the small ones first.
DEVICE void mma_split(float (&c0)[2][4], float (&c1)[2][4], const uint32_t (&hi)[2][4], const uint32_t (&lo)[2][4],
                      const uint32_t (&bhi)[4], const uint32_t (&blo)[4]) {
    UNROLL for (int product = 0; product < 3; product++) {
        const uint32_t(&a)[2][4] = product == 0 ? lo : hi, (&b)[4] = product == 1 ? blo : bhi;
        UNROLL for (int n = 0; n < 2; n++) {
            mma(c0[n], a[0], b[2 * n], b[2 * n + 1]);
            mma(c1[n], a[1], b[2 * n], b[2 * n + 1]);
        }
    }
}

// s += Q K^T. Q: this warp's 32 rows; s[i][j]: m16 tile i, n8 tile j.
template <class T> DEVICE void add_scores(float (&s)[2][T::Bc / 8][4], const __half *Q, const __half *K) {
    const int lane = threadIdx.x % 32;
    const __half *q = Q + lane % 16 * T::STRIDE + lane / 16 * 8;
    const __half *k = K + (lane % 8 + lane / 16 * 8) * T::STRIDE + lane / 8 % 2 * 8;
#pragma unroll 2
    for (int d = 0; d < T::DP; d += 16) {
        uint32_t hi[2][4], lo[2][4], bhi[4], blo[4];
        UNROLL for (int i = 0; i < 2; i++) {
            ldmatrix(hi[i], q + 16 * i * T::STRIDE + d);
            ldmatrix(lo[i], q + (T::Br + 16 * i) * T::STRIDE + d);
        }
        UNROLL for (int j = 0; j < T::Bc / 8; j += 2) {
            ldmatrix(bhi, k + 8 * j * T::STRIDE + d), ldmatrix(blo, k + (T::Bc + 8 * j) * T::STRIDE + d);
            mma_split(*(float(*)[2][4])s[0][j], *(float(*)[2][4])s[1][j], hi, lo, bhi, blo);
        }
    }
}

// o += P V. s holds P.
template <class T>
DEVICE void add_values(float (&o)[2][T::DP / 8][4], const float (&s)[2][T::Bc / 8][4], const __half *V) {
    const int lane = threadIdx.x % 32;
    const __half *v = V + lane % 16 * T::STRIDE + lane / 16 * 8;
    UNROLL for (int k = 0; k < T::Bc; k += 16) {
        uint32_t hi[2][4], lo[2][4], bhi[4], blo[4];
        UNROLL for (int i = 0; i < 2; i++) UNROLL for (int x = 0; x < 4; x++) {
            const float(&c)[4] = s[i][k / 8 + x / 2];
            split(c[x % 2 * 2], c[x % 2 * 2 + 1], hi[i][x], lo[i][x]);
        }
        UNROLL for (int j = 0; j < T::DP / 8; j += 2) {
            ldmatrix_transposed(bhi, v + k * T::STRIDE + 8 * j);
            ldmatrix_transposed(blo, v + (T::Bc + k) * T::STRIDE + 8 * j);
            mma_split(*(float(*)[2][4])o[0][j], *(float(*)[2][4])o[1][j], hi, lo, bhi, blo);
        }
    }
}

// s becomes P = 2^(scale s - m) for the new row max m; l and o are rescaled to it. r: rows lane / 4 and lane / 4 + 8.
template <class T>
DEVICE void softmax(float (&s)[2][T::Bc / 8][4], float (&o)[2][T::DP / 8][4], float (&m)[2][2], float (&l)[2][2],
                    float scale) {
    UNROLL for (int i = 0; i < 2; i++) UNROLL for (int r = 0; r < 2; r++) {
        float top = -INFINITY;
        UNROLL for (int j = 0; j < T::Bc / 8; j++) top = fmaxf(top, fmaxf(s[i][j][2 * r], s[i][j][2 * r + 1]));
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, bit));
        top = fmaxf(m[i][r], scale * top);  // finite: every row sees key 0, and that is in the first tile
        const float rescale = exp2_approx(m[i][r] - top);
        m[i][r] = top, l[i][r] *= rescale;
        UNROLL for (int j = 0; j < T::DP / 8; j++) o[i][j][2 * r] *= rescale, o[i][j][2 * r + 1] *= rescale;
        UNROLL for (int j = 0; j < T::Bc / 8; j++) UNROLL for (int c = 2 * r; c < 2 * r + 2; c++) {
            s[i][j][c] = exp2_approx(scale * s[i][j][c] - top);
            l[i][r] += s[i][j][c];
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    extern __shared__ uint4 shared[];
    __half *Qs = (__half *)shared, *Ks = Qs + 2 * T::Br * T::STRIDE, *Vs = Ks + 2 * T::Bc * T::STRIDE;
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    const int blocks = (Sq + T::Br - 1) / T::Br;  // of a head; they run side by side and share K and V in the L2 cache
    const int first_q =
        (blocks - 1 - (int)(blockIdx.x % blocks)) * T::Br;  // last first: where causal, it takes longest
    const size_t head = blockIdx.x / blocks;
    Q += (head * Sq + first_q) * D, O += (head * Sq + first_q) * D;
    K += head * Sk * D, V += head * Sk * D;
    const int lane = threadIdx.x % 32, warp_row = threadIdx.x / 32 * 32,
              row0 = warp_row + lane / 4;  // rows: row0 + 8, 16, 24

    load_split<T, T::Br>(Qs, Q, Sq - first_q, D);
    float m[2][2] = {{-INFINITY, -INFINITY}, {-INFINITY, -INFINITY}}, l[2][2] = {}, o[2][T::DP / 8][4] = {};
    const int shift = shape.causal ? first_q + Sk - Sq : Sk;  // row r sees keys 0 .. r + shift, as far as there are
    const int keys = min(Sk, shift + T::Br);                  // no row sees more: later tiles are skipped
    for (int k0 = 0; k0 < keys; k0 += T::Bc) {
        __syncthreads();  // no warp still reads the last tiles
        load_split<T, T::Bc>(Ks, K + (size_t)k0 * D, Sk - k0, D);
        load_split<T, T::Bc>(Vs, V + (size_t)k0 * D, Sk - k0, D);
        __syncthreads();  // Qs and the tiles are complete before any warp reads them
        float s[2][T::Bc / 8][4] = {};
        add_scores<T>(s, Qs + warp_row * T::STRIDE, Ks);
        if (k0 + T::Bc > Sk || k0 + T::Bc - 1 > shift + warp_row)  // some row does not see the whole tile
            UNROLL for (int i = 0; i < 2; i++) UNROLL for (int j = 0; j < T::Bc / 8; j++)
                UNROLL for (int c = 0; c < 4; c++) {
                const int key = k0 + 8 * j + lane % 4 * 2 + c % 2;
                if (key >= Sk || key > shift + row0 + 16 * i + c / 2 * 8) s[i][j][c] = -INFINITY;
            }
        softmax<T>(s, o, m, l, 1.44269504f / sqrtf((float)D));
        add_values<T>(o, s, Vs);
    }

    UNROLL for (int i = 0; i < 2; i++) UNROLL for (int r = 0; r < 2; r++) {
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) l[i][r] += __shfl_xor_sync(0xffffffff, l[i][r], bit);
        const int row = row0 + 16 * i + 8 * r;
        const float norm = 1 / l[i][r];
        UNROLL for (int j = 0; j < T::DP / 8; j++) if (first_q + row < Sq && 8 * j < D) *
            (float2 *)(O + (size_t)row * D + 8 * j + lane % 4 * 2) =
            make_float2(o[i][j][2 * r] * norm, o[i][j][2 * r + 1] * norm);
    }
}

template <class T>
static void launch(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    cudaFuncSetAttribute(flash_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    const int blocks = s.batch * s.heads * ((s.seq_q + T::Br - 1) / T::Br);
    flash_kernel<T><<<blocks, T::THREADS, T::BYTES, stream>>>(O, Q, K, V, s);
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (is_bad_shape(s)) return ATTN_BAD_SHAPE;
    if (device_generation() >= 8)
        s.head_dim <= 64 ? launch<sizes<64, 64>>(O, Q, K, V, s, stream) : launch<sizes<128, 32>>(O, Q, K, V, s, stream);
    else
        launch_plain(O, Q, K, V, s, stream);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
