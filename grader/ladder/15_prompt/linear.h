// linear.h: Y = X W + b for many rows, float32 in and out, by tensor cores: rung 6's split of a float32 into two float16,
// rung 8's division of work. A block computes 128 rows x BN columns; two warpgroups multiply 64 rows each, two others fetch
// and split the next 64 columns of X and rows of W:
//
//     a stage   X: 128 rows x 64, hi and lo       32 KiB
//               W: 64 rows x BN, hi and lo        in panels of 64 columns, each [64 rows][64], swizzled
#ifndef PROMPT_LINEAR_H
#define PROMPT_LINEAR_H

#include "../hopper.h"

template <int BN_> struct tile {
    static constexpr int BN = BN_, BM = 128, BK = 64, PANELS = BN / 64, THREADS = 512, REGISTERS = BN / 2;
    static constexpr int X = 128 * BM, PANEL = 128 * BK, W = PANELS * PANEL, STAGE = 2 * (X + W);  // bytes: X, W of hi
    static constexpr int STAGES = 220 * 1024 / STAGE, BYTES = 1024 + STAGES * STAGE;  // 1024: room to align
};

typedef struct {
    float *Y;
    const float *X, *W, *b;
    int rows, n_in, n_out, finish;
} linear_task;

// d += A B, 64 rows, 16 deep: A's rows and B's rows as they stand in memory (B: its columns in panels of 64).
DEVICE void wgmma_rows(float (&d)[64], uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " R64 "}, %64, %65, p, 1, 1, 0, 1;}"
                 : D32(0), D32(32)
                 : "l"(a), "l"(b), "r"(add));
}
DEVICE void wgmma_rows(float (&d)[32], uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %34, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " R32 "}, %32, %33, p, 1, 1, 0, 1;}"
                 : D32(0)
                 : "l"(a), "l"(b), "r"(add));
}

// Two warpgroups. A piece of the next stage is asked for as soon as its predecessor has been stored.
template <class T>
DEVICE void fetch(const linear_task &t, char *stages, uint64_t *full, uint64_t *empty, int first_row, int first_col) {
    const int row = threadIdx.x / 16, col = threadIdx.x % 16 * 4;
    float4 x[8], w[T::PANELS][4];
    // Beyond the last row and column others are repeated: nobody stores what comes of them.
    auto load_x = [&](int i, int k) {
        return *(const float4 *)(t.X + (size_t)min(first_row + row + 16 * i, t.rows - 1) * t.n_in + k + col);
    };
    auto load_w = [&](int panel, int i, int k) {
        return *(const float4 *)(t.W + (size_t)(k + row + 16 * i) * t.n_out +
                                 min(first_col + 64 * panel + col, t.n_out - 4));
    };
    UNROLL for (int i = 0; i < 8; i++) x[i] = load_x(i, 0);
    UNROLL for (int p = 0; p < T::PANELS; p++) UNROLL for (int i = 0; i < 4; i++) w[p][i] = load_w(p, i, 0);
    for (int k = 0, step = 0; k < t.n_in; k += T::BK, step++) {
        const int slot = step % T::STAGES, next = min(k + T::BK, t.n_in - T::BK);
        char *at = stages + slot * T::STAGE;
        wait(empty + slot, step / T::STAGES % 2 ^ 1);  // the first round finds every place empty
        UNROLL for (int i = 0; i < 8; i++) {
            store_split(at, T::X, row + 16 * i, col, x[i]);
            x[i] = load_x(i, next);
        }
        UNROLL for (int p = 0; p < T::PANELS; p++) UNROLL for (int i = 0; i < 4; i++) {
            store_split(at + 2 * T::X + p * T::PANEL, T::W, row + 16 * i, col, w[p][i]);
            w[p][i] = load_w(p, i, next);
        }
        fence_for_wgmma();
        arrive(full + slot);
    }
}

// Rows 64 g .. 64 g + 63 of the tile: small products first, or they are lost beside the large.
template <class T>
DEVICE void multiply_rows(float (&d)[T::REGISTERS], const linear_task &t, char *stages, uint64_t *full, uint64_t *empty,
                          int g) {
    float sum[T::REGISTERS] = {};
    const uint64_t panels = (uint64_t)(T::PANEL >> 4) << 16;  // from a panel to the next
    for (int step = 0; step < t.n_in / T::BK; step++) {
        const int slot = step % T::STAGES;
        char *at = stages + slot * T::STAGE;
        wait(full + slot, step / T::STAGES % 2);
        const uint64_t X = descriptor(at + g * T::X / 2), W = descriptor(at + 2 * T::X) | panels;
        wgmma_begin();
        UNROLL for (int product = 0; product < 3; product++) UNROLL for (int k = 0; k < T::BK; k += 16)
            wgmma_rows(d, X + (((product == 0) * T::X + k * 2) >> 4), W + (((product == 1) * T::W + k * 128) >> 4),
                       product + k > 0);
        wgmma_commit();
        wgmma_wait<0>(d);
        arrive(empty + slot);
        UNROLL for (int i = 0; i < T::REGISTERS; i++) sum[i] += d[i];
    }
    UNROLL for (int i = 0; i < T::REGISTERS; i++) d[i] = sum[i];
}

DEVICE float gelu_of(float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }

template <class T>
DEVICE void finish_rows(const float (&d)[T::REGISTERS], const linear_task &t, int first_row, int first_col) {
    const int lane = threadIdx.x % 32, top = first_row + threadIdx.x % 128 / 32 * 16 + lane / 4;
    UNROLL for (int r = 0; r < 2; r++) UNROLL for (int j = 0; j < T::BN / 8; j++) {
        const int row = top + 8 * r, col = first_col + 8 * j + lane % 4 * 2;
        if (row >= t.rows || col >= t.n_out) continue;
        float2 *to = (float2 *)(t.Y + (size_t)row * t.n_out + col);
        const float2 b = *(const float2 *)(t.b + col);
        float2 y = make_float2(d[4 * j + 2 * r] + b.x, d[4 * j + 2 * r + 1] + b.y);
        if (t.finish == 1) y = make_float2(gelu_of(y.x), gelu_of(y.y));
        if (t.finish == 2) y = make_float2(y.x + to->x, y.y + to->y);
        *to = y;
    }
}

template <class T> static __global__ void __launch_bounds__(T::THREADS, 1) linear_kernel(linear_task t) {
#ifdef HOPPER
    extern __shared__ __align__(128) char shared[];
    __shared__ uint64_t full[T::STAGES], empty[T::STAGES];
    char *stages = shared + (-(int)shared_address(shared) & 1023);  // swizzled tiles begin at multiples of 1024
    const int tiles = (t.rows + T::BM - 1) / T::BM;
    const int first_row = blockIdx.x % tiles * T::BM, first_col = blockIdx.x / tiles * T::BN;
    if (threadIdx.x == 0) {
        for (int i = 0; i < T::STAGES; i++) init(full + i, 8), init(empty + i, 8);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();  // the barriers stand before anyone uses them
    const int wg = warpgroup();
    if (wg < 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 88;");
        fetch<T>(t, stages, full, empty, first_row, first_col);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 168;");
        const int g = wg - 2;
        float d[T::REGISTERS];
        multiply_rows<T>(d, t, stages, full, empty, g);
        finish_rows<T>(d, t, first_row + 64 * g, first_col);
    }
#endif
}

template <class T> static void launch_linear(const linear_task &t, cudaStream_t stream) {
    cudaFuncSetAttribute(linear_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    const int blocks = (t.rows + T::BM - 1) / T::BM * ((t.n_out + T::BN - 1) / T::BN);
    linear_kernel<T><<<blocks, T::THREADS, T::BYTES, stream>>>(t);
}

#endif
