// naive.cu: task 2's chain with a GEMM on Hopper's tensor cores, as exact as float32.
//
// As in tensor_gemm a float32 is two TF32, x = hi + lo, and a product three: Xlo Yhi + Xhi Ylo + Xhi Yhi. Here wgmma
// makes them, and a block has four warpgroups of 128 threads:
//
//      2 producers      copy X and Y into a ring in shared memory, as they are, and write Ylo beside Y. Yhi is Y
//                       itself: of a float32 the tensor core reads only what is hi
//      2 consumers      load 64 rows of X into registers, as they are, and split them there; multiply; add to C
//
//      a place of the ring, 32 steps of k       X [BX][32]     Y [BY][32]     Ylo [BY][32]
//
// wgmma takes Y from shared memory only with neighbours along k; X, from registers, may lie as it will. So for A B^T,
// where both lie along k, X is A, and for A B, where B does not, C^T = B^T A^T is computed: X is B^T, and Y is A.
//
// The tensor core cuts off when it adds, always towards zero. So it adds up 32 steps of k, three products each, from
// zero, and the CUDA cores, which round, add that to C. Meanwhile the other consumer's products run.
//
// A block stays: it takes one tile of C after the other, and the next one's X and Y come while this one is stored.
//
// Rows that do not begin at multiples of 16 bytes, and devices that are no Hopper, are left to tensor_gemm.
#include "../ladder/chain.h"  // the compiler searches grader/core
#define launch_gemm launch_tensor_gemm
#include "../ladder/tensor_gemm/task2_naive/naive.cu"
#undef launch_gemm
#include "../ladder/wgmma_gemm/tf32.h"

enum { THREADS = 512, PRODUCERS = 2, BK = 32 };

// WX x WY consumers. Each multiplies 64 rows of X with BN rows of Y. Bytes: of tiles, and of a place.
template <int WX_, int WY_, int BN_> struct plan {
    static constexpr int WX = WX_, WY = WY_, BN = BN_, BX = 64 * WX, BY = BN * WY, X = 128 * BX, Y = 128 * BY;
    static constexpr int HEAD = 1024, PLACE = X + 2 * Y, FIT = (227 * 1024 - 2 * HEAD) / PLACE;
    static constexpr int PLACES = FIT < 6 ? FIT : 6, LEAD = PLACES - 2;  // LEAD: steps that are on their way
    static constexpr int BYTES = 2 * HEAD + PLACES * PLACE;              // HEAD: barriers, and room to align
    // Cycles of a step: of the tensor cores, or of shared memory, 128 bytes each, whichever takes longer.
    static constexpr int PRODUCTS = 3 * BX * BY / 32, MOVES = (1 + WY) * BX + 3 * BY + 3 * BY * WX;
    static constexpr int CYCLES = PRODUCTS > MOVES ? PRODUCTS : MOVES;
};
struct problem {
    float *C;
    const float *X, *Y;
    int rows_x, rows_y, k, tiles_x, tiles_y, tiles;  // tiles: of all batches
};
struct ring {  // in shared memory
    char *places;
    uint64_t *full, *empty;
};
template <class T> struct turn {  // the place of a step, and the parity of its barriers
    int place = 0, parity = 0;
    __device__ __forceinline__ void next() {
        if (++place == T::PLACES) place = 0, parity ^= 1;
    }
};
struct corner {
    int x, y, batch;
};

// What is computed at the same time is a square, or nearly: so that L2 serves most of what it reads.
template <class T> DEVICE corner corner_of(const problem &p, int tile) {
    constexpr int GROUP = 2048 / T::BX;
    const int each = p.tiles_x * p.tiles_y, i = tile % each, first = i / (GROUP * p.tiles_y) * GROUP;
    const int width = min(GROUP, p.tiles_x - first), j = i - first * p.tiles_y;
    return {(first + j % width) * T::BX, j / width * T::BY, tile / each};
}

// A producer's pieces of 16 bytes in a tile begin here and stand 32 rows, 4096 bytes, apart.
DEVICE int first_piece() { return threadIdx.x / 8 * 128 + (threadIdx.x ^ threadIdx.x / 8) % 8 * 16; }

// Starts copying ROWS x 32, swizzled. A thread's pieces stand `step` apart in memory, too; those that begin `left` rows
// behind the first, or more, do not exist and become 0. (A copy of 0 bytes reads nothing, wherever it is from.)
template <int ROWS> DEVICE void start_tile(char *tile, const float *from, size_t step, int left) {
    UNROLL for (int i = 0; i < ROWS; i += 32, from += step)
        __pipeline_memcpy_async(tile + first_piece() + i * 128, from, 16, i < left ? 0 : 16);
}
// tile[i][j] = src[row + i][col + j], j < 32, of [rows][cols].
template <int ROWS> DEVICE void start_rows(char *tile, const float *src, int row, int col, int rows, int cols) {
    row += threadIdx.x / 8, col += threadIdx.x % 8 * 4;
    start_tile<ROWS>(tile, src + (size_t)row * cols + col, (size_t)32 * cols, col < cols ? rows - row : 0);
}
// The same for 32 rows and COLS columns: a tile [32][32] for 32 columns each, one behind the other.
template <int COLS> DEVICE void start_columns(char *tiles, const float *src, int row, int col, int rows, int cols) {
    row += threadIdx.x / 8, col += threadIdx.x % 8 * 4;
    start_tile<COLS>(tiles, src + (size_t)row * cols + col, 32, row < rows ? cols - col : 0);
}

// A thread splits what it has copied itself, LEAD steps later: it need not wait for others. lo stands where hi stands,
// one tile further.
template <class T, bool TRANSPOSED> DEVICE void produce(const problem &p, const ring &r) {
    turn<T> copied, split;
    auto finish = [&]() {  // the oldest step
        constexpr int N = T::BY / 32;
        float4 x[N];
        char *y = r.places + split.place * T::PLACE + T::X + first_piece();
        UNROLL for (int i = 0; i < N; i++) x[i] = *(float4 *)(y + i * 4096);  // all loads before the first store
        UNROLL for (int i = 0; i < N; i++) * (float4 *)(y + T::Y + i * 4096) =
            make_float4(rest(x[i].x), rest(x[i].y), rest(x[i].z), rest(x[i].w));
        fence_for_wgmma();
        arrive(r.full + split.place);
        split.next();
    };
    int steps = 0;
    for (int tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
        const corner at = corner_of<T>(p, tile);
        const float *X = p.X + (size_t)at.batch * p.rows_x * p.k, *Y = p.Y + (size_t)at.batch * p.rows_y * p.k;
        for (int k = 0; k < p.k; k += BK, copied.next()) {
            char *x = r.places + copied.place * T::PLACE;
            wait(r.empty + copied.place, copied.parity ^ 1);  // the first round finds every place empty
            if (TRANSPOSED)
                start_rows<T::BX>(x, X, at.x, k, p.rows_x, p.k);
            else
                start_columns<T::BX>(x, X, k, at.x, p.k, p.rows_x);
            start_rows<T::BY>(x + T::X, Y, at.y, k, p.rows_y, p.k);
            __pipeline_commit();
            if (++steps <= T::LEAD) continue;
            __pipeline_wait_prior(T::LEAD);
            finish();
        }
    }
    __pipeline_wait_prior(0);
    for (int left = min(steps, T::LEAD); left > 0; left--) finish();
}

// d: 64 rows of X, from row x on, times BN rows of Y, from row y on.
template <bool TRANSPOSED, int N> DEVICE void store(const problem &p, const float (&d)[N], int x, int y, int batch) {
    const int lane = threadIdx.x % 32, pair = lane % 4 * 2;
    if (TRANSPOSED) {
        x += threadIdx.x % 128 / 32 * 16 + lane / 4;
        float *C = p.C + (size_t)batch * p.rows_x * p.rows_y;
        UNROLL for (int r = 0; r < 2; r++) UNROLL for (int j = 0; j < N / 4; j++) {
            const int row = x + 8 * r, col = y + 8 * j + pair;
            float *to = C + (size_t)row * p.rows_y + col;
            const float *from = d + 4 * j + 2 * r;
            if (row < p.rows_x && col + 1 < p.rows_y && p.rows_y % 2 == 0)
                *(float2 *)to = make_float2(from[0], from[1]);
            else if (row < p.rows_x)
                for (int e = 0; e < 2; e++)
                    if (col + e < p.rows_y) to[e] = from[e];
        }
    } else {  // d is C^T, and rows_x a multiple of 4
        x += row_in_columns();
        float *C = p.C + (size_t)batch * p.rows_x * p.rows_y + x;
        UNROLL for (int j = 0; j < N / 4; j++) UNROLL for (int e = 0; e < 2; e++) {
            const int row = y + 8 * j + pair + e;
            if (row < p.rows_y && x < p.rows_x)
                *(float2 *)(C + (size_t)row * p.rows_x) = make_float2(d[4 * j + e], d[4 * j + 2 + e]);
        }
    }
}

template <class T, bool TRANSPOSED> DEVICE void consume(const problem &p, const ring &r, int w) {
    turn<T> t;
    const int x = w % T::WX * 64, y = w / T::WX * T::BN;  // the consumer's part of a tile
    const int mine = TRANSPOSED ? place_in_rows() : place_in_columns();
    for (int tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
        float c[T::BN / 2] = {}, sum[T::BN / 2];
        for (int k = 0; k < p.k; k += BK, t.next()) {
            const char *X = r.places + t.place * T::PLACE, *Y = X + T::X + y * 128;
            const uint64_t hi_y = descriptor(Y), lo_y = hi_y + (T::Y >> 4);
            uint32_t hi[16], lo[16];
            wait(r.full + t.place, t.parity);
            TRANSPOSED ? load_rows(hi, X + x * 128, mine) : load_columns(hi, X + x * 128, mine);
            UNROLL for (int i = 0; i < 16; i++) lo[i] = __float_as_uint(rest(__uint_as_float(hi[i])));
            wgmma_begin();  // small products first: they are not lost beside large sums
            UNROLL for (int i = 0; i < 4; i++) wgmma_tf32(sum, lo + 4 * i, hi_y + 2 * i, i > 0);
            UNROLL for (int i = 0; i < 4; i++) wgmma_tf32(sum, hi + 4 * i, lo_y + 2 * i, 1);
            UNROLL for (int i = 0; i < 4; i++) wgmma_tf32(sum, hi + 4 * i, hi_y + 2 * i, 1);
            wgmma_commit();
            wgmma_wait<0>(sum);
            arrive(r.empty + t.place);
            UNROLL for (int i = 0; i < T::BN / 2; i++) c[i] += sum[i];
        }
        const corner at = corner_of<T>(p, tile);
        store<TRANSPOSED>(p, c, at.x + x, at.y + y, at.batch);
    }
}

template <class T, bool TRANSPOSED> static __global__ void __launch_bounds__(THREADS, 1) wgmma_gemm(const problem p) {
#ifdef HOPPER
    extern __shared__ float4 shared[];  // as tensor_gemm has it
    char *memory = (char *)shared;
    ring r;
    r.full = (uint64_t *)memory, r.empty = r.full + T::PLACES;
    r.places = memory + T::HEAD + (-(int)shared_address(memory) & 1023);  // swizzled tiles begin at multiples of 1024
    if (threadIdx.x == 0) {
        for (int i = 0; i < T::PLACES; i++) init(r.full + i, 4 * PRODUCERS), init(r.empty + i, 8);  // warps
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();  // the barriers stand before anyone uses them
    const int wg = warpgroup();
    if (wg < PRODUCERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 80;");
        produce<T, TRANSPOSED>(p, r);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 176;");
        consume<T, TRANSPOSED>(p, r, wg - PRODUCERS);
    }
#endif
}

// Rounds of tiles on so many multiprocessors, times what a tile takes.
template <class T> static long long cost(const problem &p, int batch, int processors) {
    const long long tiles = (long long)batch * ((p.rows_x + T::BX - 1) / T::BX) * ((p.rows_y + T::BY - 1) / T::BY);
    return (tiles + processors - 1) / processors * T::CYCLES;
}

template <class T, bool TRANSPOSED>
static attn_status launch(problem p, int batch, int processors, cudaStream_t stream) {
    p.tiles_x = (p.rows_x + T::BX - 1) / T::BX, p.tiles_y = (p.rows_y + T::BY - 1) / T::BY;
    p.tiles = p.tiles_x * p.tiles_y * batch;
    cudaFuncSetAttribute(wgmma_gemm<T, TRANSPOSED>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    wgmma_gemm<T, TRANSPOSED><<<min(p.tiles, processors), THREADS, T::BYTES, stream>>>(p);
    return launched();
}

template <bool TRANSPOSED>
static attn_status launch_gemm(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                               cudaStream_t stream) {
    if (device_generation() != 9 || k % 4 != 0 || (!TRANSPOSED && n % 4 != 0))
        return launch_tensor_gemm<TRANSPOSED>(C, A, B, batch, m, n, k, stream);
    const problem p = TRANSPOSED ? problem{C, A, B, m, n, k} : problem{C, B, A, n, m, k};
    const int processors = multiprocessors();
    typedef plan<2, 1, 128> square;
    typedef plan<1, 2, 128> narrow;  // few rows of X: 64 x 256
    typedef plan<2, 1, 64> small;
    const long long a = cost<square>(p, batch, processors), b = cost<narrow>(p, batch, processors),
                    c = cost<small>(p, batch, processors);
    if (a <= min(b, c)) return launch<square, TRANSPOSED>(p, batch, processors, stream);
    if (b <= c) return launch<narrow, TRANSPOSED>(p, batch, processors, stream);
    return launch<small, TRANSPOSED>(p, batch, processors, stream);
}
