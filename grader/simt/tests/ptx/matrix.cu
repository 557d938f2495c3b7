// matrix.cu: ldmatrix, stmatrix and mma.sync against plain loops.
#include "common.h"

// ---- ldmatrix, stmatrix: a tile of 4 matrices of 8 x 8, rows of 16 bytes one behind the other
template <int N, bool TRANS> __device__ void load(uint32_t (&x)[4], uint32_t at) {
    if constexpr (N == 1 && !TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(x[0]) : "r"(at));
    if constexpr (N == 1 && TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(x[0]) : "r"(at));
    if constexpr (N == 2 && !TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%0, %1}, [%2];"
                     : "=r"(x[0]), "=r"(x[1])
                     : "r"(at));
    if constexpr (N == 2 && TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(x[0]), "=r"(x[1])
                     : "r"(at));
    if constexpr (N == 4 && !TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at));
    if constexpr (N == 4 && TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at));
}
template <int N, bool TRANS> __global__ void load_kernel(uint32_t *out) {
    __shared__ alignas(16) uint16_t tile[4 * 64];
    for (int i = threadIdx.x; i < 4 * 64; i += 32) tile[i] = (uint16_t)i;
    __syncthreads();
    uint32_t x[4] = {};
    load<N, TRANS>(x, shared_address(tile + threadIdx.x * 8));
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = x[i];
}
template <int N, bool TRANS> static void test_load() {
    uint32_t *d = device_array<uint32_t>(128), found[128];
    load_kernel<N, TRANS><<<1, 32>>>(d);
    download(found, d, 128);
    for (int lane = 0; lane < 32; lane++)
        for (int m = 0; m < N; m++)
            for (int e = 0; e < 2; e++) {
                int row = lane / 4, column = lane % 4 * 2 + e;
                int element = m * 64 + (TRANS ? column * 8 + row : row * 8 + column);
                expect("ldmatrix", found[lane * 4 + m] >> 16 * e & 0xffff, element);
            }
}
__global__ void store_kernel(uint16_t *out) {
    __shared__ alignas(16) uint16_t tile[4 * 64];
    uint32_t x[4];
    for (int m = 0; m < 4; m++) {
        uint32_t first = m * 64 + threadIdx.x * 2;
        x[m] = first | (first + 1) << 16;
    }
    uint32_t at = shared_address(tile + threadIdx.x * 8);
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(x[0]), "r"(x[1]) : "memory");
    __syncwarp();
    if (threadIdx.x >= 16) at -= 16 * 16;  // matrices 2 and 3 by the next two instructions
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0+256], {%1, %2};" ::"r"(at), "r"(x[2]), "r"(x[3])
                 : "memory");
    __syncthreads();
    for (int i = threadIdx.x; i < 4 * 64; i += 32) out[i] = tile[i];
}
static void test_store() {
    uint16_t *d = device_array<uint16_t>(256), found[256];
    store_kernel<<<1, 32>>>(d);
    download(found, d, 256);
    for (int i = 0; i < 256; i++) {
        int m = i / 64, row = i % 64 / 8, column = i % 8;
        expect("stmatrix", found[i], m < 2 ? i : m * 64 + column * 8 + row);
    }
}

// ---- mma: A [16][K], B [K][8], C and D [16][8], all floats that the types hold exactly
struct half_type {
    typedef __half T;
    static constexpr int per = 2;
    static __device__ uint32_t pack(float x, float y) {
        __half2 h = __floats2half2_rn(x, y);
        return *(uint32_t *)&h;
    }
};
struct bfloat_type {
    static constexpr int per = 2;
    static __device__ uint32_t pack(float x, float y) {
        __nv_bfloat162 h = __floats2bfloat162_rn(x, y);
        return *(uint32_t *)&h;
    }
};
struct tf32_type {
    static constexpr int per = 1;
    static __device__ uint32_t pack(float x, float) { return __float_as_uint(x); }
};

#define MMA(NAME, SHAPE, TYPES, NA, A_LIST, B_LIST, ...)                                                               \
    __device__ void NAME(float(&c)[4], const uint32_t *a, const uint32_t *b) {                                         \
        asm volatile("mma.sync.aligned." SHAPE ".row.col." TYPES " {%0,%1,%2,%3}, " A_LIST ", " B_LIST                 \
                     ", {%0,%1,%2,%3};"                                                                                \
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                                  \
                     : __VA_ARGS__);                                                                                   \
    }
#define R(x) "r"(x)
MMA(f16_k16, "m16n8k16", "f32.f16.f16.f32", 4, "{%4,%5,%6,%7}", "{%8,%9}", R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(b[0]),
    R(b[1]))
MMA(f16_k8, "m16n8k8", "f32.f16.f16.f32", 2, "{%4,%5}", "{%6}", R(a[0]), R(a[1]), R(b[0]))
MMA(bf16_k16, "m16n8k16", "f32.bf16.bf16.f32", 4, "{%4,%5,%6,%7}", "{%8,%9}", R(a[0]), R(a[1]), R(a[2]), R(a[3]),
    R(b[0]), R(b[1]))
MMA(tf32_k8, "m16n8k8", "f32.tf32.tf32.f32", 4, "{%4,%5,%6,%7}", "{%8,%9}", R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(b[0]),
    R(b[1]))
MMA(tf32_k4, "m16n8k4", "f32.tf32.tf32.f32", 2, "{%4,%5}", "{%6}", R(a[0]), R(a[1]), R(b[0]))

template <class Type, int K, class Multiply>
__device__ void run(const float *A, const float *B, float *C, Multiply multiply) {
    constexpr int per = Type::per, registers = K / (4 * per);
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint32_t a[4], b[2];
    for (int r = 0; r < 2 * registers; r++) {
        const float *from = A + (g + r % 2 * 8) * K + per * (t + r / 2 * 4);
        a[r] = Type::pack(from[0], from[per - 1]);
    }
    for (int r = 0; r < registers; r++) {
        const float *from = B + per * (t + r * 4) * 8 + g;
        b[r] = Type::pack(from[0], from[(per - 1) * 8]);
    }
    float c[4];
    for (int e = 0; e < 4; e++) c[e] = C[(g + e / 2 * 8) * 8 + 2 * t + e % 2];
    multiply(c, a, b);
    for (int e = 0; e < 4; e++) C[(g + e / 2 * 8) * 8 + 2 * t + e % 2] = c[e];
}
__global__ void mma_kernel(int which, const float *A, const float *B, float *C) {
    if (which == 0) run<half_type, 16>(A, B, C, [](auto &c, auto *a, auto *b) { f16_k16(c, a, b); });
    if (which == 1) run<half_type, 8>(A, B, C, [](auto &c, auto *a, auto *b) { f16_k8(c, a, b); });
    if (which == 2) run<bfloat_type, 16>(A, B, C, [](auto &c, auto *a, auto *b) { bf16_k16(c, a, b); });
    if (which == 3) run<tf32_type, 8>(A, B, C, [](auto &c, auto *a, auto *b) { tf32_k8(c, a, b); });
    if (which == 4) run<tf32_type, 4>(A, B, C, [](auto &c, auto *a, auto *b) { tf32_k4(c, a, b); });
    if (which == 5)  // sums in float16
        run<half_type, 16>(A, B, C, [](auto &c, auto *a, auto *b) {
            uint32_t x[2] = {half_type::pack(c[0], c[1]), half_type::pack(c[2], c[3])};
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                         : "+r"(x[0]), "+r"(x[1])
                         : R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(b[0]), R(b[1]));
            for (int e = 0; e < 4; e++) c[e] = __half2float(((__half *)x)[e]);
        });
}
static void test_mma(int which, int K) {
    float A[256], B[128], C[128], found[128];
    for (int i = 0; i < 16 * K; i++) A[i] = small_number(i);
    for (int i = 0; i < K * 8; i++) B[i] = small_number(1000 + i);
    for (int i = 0; i < 128; i++) C[i] = small_number(2000 + i);
    float *dC = device_array(128, C);
    mma_kernel<<<1, 32>>>(which, device_array(16 * K, A), device_array(K * 8, B), dC);
    download(found, dC, 128);
    for (int i = 0; i < 128; i++) {
        double sum = C[i];
        for (int k = 0; k < K; k++) sum += (double)A[i / 8 * K + k] * B[k * 8 + i % 8];
        char name[16];
        snprintf(name, sizeof name, "mma %d", which);
        expect(name, found[i], sum, which == 5 ? 0.07 : 0);
    }
}

// ---- s8: small integers
__global__ void s8_kernel(const int8_t *A, const int8_t *B, int *C) {
    int g = threadIdx.x / 4, t = threadIdx.x % 4, c[4] = {};
    uint32_t a[4], b[2];
    for (int r = 0; r < 4; r++) a[r] = *(const uint32_t *)(A + (g + r % 2 * 8) * 32 + t * 4 + r / 2 * 16);
    for (int r = 0; r < 2; r++) {
        b[r] = 0;
        for (int i = 0; i < 4; i++) b[r] |= (uint32_t)(uint8_t)B[(t * 4 + r * 16 + i) * 8 + g] << 8 * i;
    }
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(b[0]), R(b[1]));
    for (int e = 0; e < 4; e++) C[(g + e / 2 * 8) * 8 + 2 * t + e % 2] = c[e];
}
static void test_s8() {
    int8_t A[512], B[256];
    for (int i = 0; i < 512; i++) A[i] = (int8_t)(i * 37);
    for (int i = 0; i < 256; i++) B[i] = (int8_t)(i * 91 + 5);
    int *dC = device_array<int>(128), found[128];
    s8_kernel<<<1, 32>>>(device_array(512, A), device_array(256, B), dC);
    download(found, dC, 128);
    for (int i = 0; i < 128; i++) {
        int sum = 0;
        for (int k = 0; k < 32; k++) sum += A[i / 8 * 32 + k] * B[k * 8 + i % 8];
        expect("mma s8", found[i], sum);
    }
}

// m8n8k16: A's rows 0 to 7, and of k the first 16
__global__ void s8_of_8_rows(const int8_t *A, const int8_t *B, int *C) {
    int g = threadIdx.x / 4, t = threadIdx.x % 4, c[2] = {1000, 2000};
    uint32_t a = *(const uint32_t *)(A + g * 16 + t * 4), b = 0;
    for (int i = 0; i < 4; i++) b |= (uint32_t)(uint8_t)B[(t * 4 + i) * 8 + g] << 8 * i;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : R(a), R(b));
    C[g * 8 + 2 * t] = c[0], C[g * 8 + 2 * t + 1] = c[1];
}
static void test_s8_of_8_rows() {
    int8_t A[128], B[128];
    for (int i = 0; i < 128; i++) A[i] = (int8_t)(i * 37), B[i] = (int8_t)(i * 91 + 5);
    int *dC = device_array<int>(64), found[64];
    s8_of_8_rows<<<1, 32>>>(device_array(128, A), device_array(128, B), dC);
    download(found, dC, 64);
    for (int i = 0; i < 64; i++) {
        int sum = i % 2 ? 2000 : 1000;
        for (int k = 0; k < 16; k++) sum += A[i / 8 * 16 + k] * B[k * 8 + i % 8];
        expect("mma m8n8k16 s8", found[i], sum);
    }
}

int main() {
    test_load<1, false>(), test_load<2, false>(), test_load<4, false>();
    test_load<1, true>(), test_load<2, true>(), test_load<4, true>();
    test_store();
    const int depth[] = {16, 8, 16, 8, 4, 16};
    for (int which = 0; which < 6; which++) test_mma(which, depth[which]);
    test_s8(), test_s8_of_8_rows();
    return finish();
}
