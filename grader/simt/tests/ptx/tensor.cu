// tensor.cu: tensor copies (TMA) in 1 to 5 dimensions, with each swizzle, beyond the tensor's edges, there and back.
#include "common.h"
#include <cuda.h>

static decltype(&cuTensorMapEncodeTiled) encoder() {
    void *f = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found));
    return (decltype(&cuTensorMapEncodeTiled))f;
}

struct plan {
    int rank;
    cuuint64_t sizes[5];
    cuuint32_t box[5];
    int at[5];
    int swizzle;  // bytes
};

template <int RANK> __device__ void load(uint32_t to, const CUtensorMap *map, const int *at, uint32_t barrier) {
    if constexpr (RANK == 1)
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(to),
                     "l"(map), "r"(at[0]), "r"(barrier)
                     : "memory");
    if constexpr (RANK == 2)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                     "l"(map), "r"(at[0]), "r"(at[1]), "r"(barrier)
                     : "memory");
    if constexpr (RANK == 3)
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3, %4}], "
                     "[%5], %6;" ::"r"(to),
                     "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(barrier), "l"(0x1000000000000000ull)
                     : "memory");
    if constexpr (RANK == 4)
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], "
                     "[%6];" ::"r"(to),
                     "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(barrier)
                     : "memory");
    if constexpr (RANK == 5)
        asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, %6}], "
                     "[%7];" ::"r"(to),
                     "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]), "r"(barrier)
                     : "memory");
}

template <int RANK> __global__ void fetch(const __grid_constant__ CUtensorMap map, plan p, float *out, int n) {
    extern __shared__ __align__(1024) float tile[];
    __shared__ uint64_t barrier;
    const uint32_t b = shared_address(&barrier), to = shared_address(tile);
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n * 4) : "memory");
        load<RANK>(to, &map, p.at, b);
    }
    __syncthreads();
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], 0, 10000;\n@!p bra W;}" ::"r"(b)
                 : "memory");
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tile[i];
}

static float element(const plan &p, const int *x) {  // what the tensor holds there
    float sum = 1;
    for (int i = 0; i < p.rank; i++) {
        if (x[i] < 0 || x[i] >= (int)p.sizes[i]) return 0;
        sum += x[i] * (float[]){1, 10, 100, 1000, 10000}[i];
    }
    return sum;
}

static CUtensorMap encode(const plan &p, float *base) {
    CUtensorMap map;
    cuuint64_t strides[4];
    const cuuint32_t steps[5] = {1, 1, 1, 1, 1};
    cuuint64_t n = 4;
    for (int i = 0; i + 1 < p.rank; i++) strides[i] = n *= p.sizes[i];
    const CUtensorMapSwizzle swizzle = p.swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                       : p.swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                       : p.swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                         : CU_TENSOR_MAP_SWIZZLE_NONE;
    CUresult r = encoder()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, p.rank, base, p.sizes, strides, p.box, steps,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) printf("cuTensorMapEncodeTiled: %d\n", (int)r), exit(1);
    return map;
}

template <int RANK> static void test(plan p) {
    p.rank = RANK;
    size_t n = 1, box = 1;
    for (int i = 0; i < RANK; i++) n *= p.sizes[i], box *= p.box[i];
    float *tensor = new float[n], *found = new float[box];
    for (size_t i = 0; i < n; i++) {
        int x[5];
        size_t rest = i;
        for (int d = 0; d < RANK; d++) x[d] = (int)(rest % p.sizes[d]), rest /= p.sizes[d];
        tensor[i] = element(p, x);
    }
    float *dt = device_array(n, tensor), *dout = device_array<float>(box);
    fetch<RANK><<<1, 64, box * 4>>>(encode(p, dt), p, dout, (int)box);
    download(found, dout, box);
    for (size_t i = 0; i < box; i++) {
        int x[5];
        size_t rest = i;
        for (int d = 0; d < RANK; d++) x[d] = p.at[d] + (int)(rest % p.box[d]), rest /= p.box[d];
        size_t byte = i * 4, mask = p.swizzle / 16 - 1;
        if (p.swizzle) byte ^= (byte >> 7 & mask) << 4;
        expect("tensor load", found[byte / 4], element(p, x));
    }
    delete[] tensor, delete[] found;
}

__global__ void put(const __grid_constant__ CUtensorMap map, int x, int y) {
    __shared__ __align__(1024) float tile[16 * 8];
    for (int i = threadIdx.x; i < 128; i += 32) tile[i] = i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x > 0) return;
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x), "r"(y),
                 "r"(shared_address(tile))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(0) : "memory");
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
                 "r"(y), "r"(shared_address(tile))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

static void test_store() {
    plan p = {2, {20, 10}, {16, 8}, {}, 0};
    float zeros[200] = {}, found[200], *d = device_array(200, zeros);
    put<<<1, 32>>>(encode(p, d), 8, 4);
    download(found, d, 200);
    for (int i = 0; i < 200; i++) {
        int x = i % 20 - 8, y = i / 20 - 4;
        expect("tensor store", found[i], x >= 0 && x < 16 && y >= 0 && y < 8 ? 2 * (y * 16 + x) : 0);
    }
}

int main() {
    test<1>({1, {100}, {64}, {40}, 0});
    test<2>({2, {64, 40}, {32, 16}, {8, 4}, 0});
    test<2>({2, {64, 40}, {32, 16}, {40, 32}, 128});
    test<2>({2, {64, 40}, {16, 24}, {-8, -4}, 64});
    test<2>({2, {64, 40}, {8, 40}, {60, 10}, 32});
    test<3>({3, {32, 9, 5}, {32, 8, 2}, {0, 5, 3}, 128});
    test<4>({4, {16, 5, 4, 3}, {16, 2, 2, 2}, {4, 1, -1, 2}, 64});
    test<5>({5, {8, 3, 3, 3, 3}, {8, 2, 2, 2, 2}, {0, 1, 2, 0, 1}, 0});
    test_store();
    return finish();
}
