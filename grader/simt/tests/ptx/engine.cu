// engine.cu: the copy engine by the C++ functions of <cuda/barrier>, as the programming guide has them.
#include "common.h"
#include <cuda.h>
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int N = 256, ROWS = 16, COLUMNS = 32;

// A line through shared memory: each element grows by 1.
__global__ void line(float *x) {
    __shared__ alignas(16) float tile[N];
    __shared__ barrier landed;
    if (threadIdx.x == 0) {
        init(&landed, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, x + blockIdx.x * N, cuda::aligned_size_t<16>(N * 2), landed);
        cde::cp_async_bulk_global_to_shared(tile + N / 2, x + blockIdx.x * N + N / 2, N * 2, landed);
        token = cuda::device::barrier_arrive_tx(landed, 1, sizeof tile);
    } else {
        token = landed.arrive();
    }
    landed.wait(std::move(token));
    for (int i = threadIdx.x; i < N; i += blockDim.x) tile[i] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(x + blockIdx.x * N, tile, sizeof tile);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
        for (int i = 0; i < N; i++) tile[i] = -1;  // it has been read
    }
}

// A box of a matrix, twice its values, to another place of it.
__global__ void box(const __grid_constant__ CUtensorMap map, int column, int row) {
    __shared__ alignas(128) float tile[8][16];
    __shared__ barrier landed;
    if (threadIdx.x == 0) {
        init(&landed, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::barrier_expect_tx(landed, sizeof tile);
        cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, column, row, landed);
    }
    landed.arrive_and_wait();
    for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x) tile[i / 16][i % 16] *= 2;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 8, tile);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// Four numbers of a tensor in RANK dimensions, plus 0.5, to another place of it. No two axes may stand for each other.
template <int RANK> __global__ void corner(const __grid_constant__ CUtensorMap map) {
    __shared__ alignas(128) float row[4];
    __shared__ barrier landed;
    init(&landed, 1);
    cde::fence_proxy_async_shared_cta();
    barrier::arrival_token token = cuda::device::barrier_arrive_tx(landed, 1, sizeof row);
    if constexpr (RANK == 1) cde::cp_async_bulk_tensor_1d_global_to_shared(row, &map, 4, landed);
    if constexpr (RANK == 3) cde::cp_async_bulk_tensor_3d_global_to_shared(row, &map, 4, 1, 2, landed);
    if constexpr (RANK == 4) cde::cp_async_bulk_tensor_4d_global_to_shared(row, &map, 4, 1, 2, 0, landed);
    if constexpr (RANK == 5) cde::cp_async_bulk_tensor_5d_global_to_shared(row, &map, 4, 1, 2, 0, 1, landed);
    landed.wait(std::move(token));
    for (float &number : row) number += 0.5f;
    cde::fence_proxy_async_shared_cta();
    if constexpr (RANK == 1) cde::cp_async_bulk_tensor_1d_shared_to_global(&map, 0, row);
    if constexpr (RANK == 3) cde::cp_async_bulk_tensor_3d_shared_to_global(&map, 0, 0, 1, row);
    if constexpr (RANK == 4) cde::cp_async_bulk_tensor_4d_shared_to_global(&map, 0, 0, 1, 2, row);
    if constexpr (RANK == 5) cde::cp_async_bulk_tensor_5d_shared_to_global(&map, 0, 0, 1, 2, 0, row);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
}

static CUtensorMap map_of(float *data, int rank, const cuuint64_t *sizes, const cuuint32_t *shape) {
    void *f = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found));
    CUtensorMap map;
    cuuint64_t strides[5] = {sizes[0] * 4};
    for (int i = 1; i < rank; i++) strides[i] = strides[i - 1] * sizes[i];
    const cuuint32_t steps[] = {1, 1, 1, 1, 1};
    CUresult r = ((decltype(&cuTensorMapEncodeTiled))f)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, data, sizes, strides, shape, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) printf("cuTensorMapEncodeTiled: %d\n", (int)r), exit(1);
    return map;
}

template <int RANK> static void test_corner() {
    constexpr int TOTAL = 8 * 3 * 3 * 3 * 3;
    const cuuint64_t sizes[] = {8, 3, 3, 3, 3};
    const cuuint32_t shape[] = {4, 1, 1, 1, 1};
    const int from[] = {4, 1, 2, 0, 1}, to[] = {0, 0, 1, 2, 0};
    float h[TOTAL], found[TOTAL];
    for (int i = 0; i < TOTAL; i++) h[i] = i;
    float *x = device_array(TOTAL, h);
    corner<RANK><<<1, 1>>>(map_of(x, RANK, sizes, shape));
    download(found, x, TOTAL);
    int at_from = 0, at_to = 0;
    for (int i = RANK - 1; i >= 0; i--) {
        at_from = at_from * (int)sizes[i] + from[i];
        at_to = at_to * (int)sizes[i] + to[i];
    }
    for (int i = 0; i < 4; i++) h[at_to + i] = at_from + i + 0.5f;
    for (int i = 0; i < TOTAL; i++) expect("copies in 1 to 5 dimensions", found[i], h[i]);
}

int main() {
    float h[4 * N], found[4 * N];
    for (int i = 0; i < 4 * N; i++) h[i] = i % 101;
    float *x = device_array(4 * N, h);
    line<<<4, 64>>>(x);
    download(found, x, 4 * N);
    for (int i = 0; i < 4 * N; i++) expect("bulk copies", found[i], h[i] + 1);

    float *m = device_array(ROWS * COLUMNS, h);
    const cuuint64_t sizes[] = {COLUMNS, ROWS};
    const cuuint32_t shape[] = {16, 8};
    box<<<1, 32>>>(map_of(m, 2, sizes, shape), 24, -2);  // over two edges: there are zeros
    download(found, m, ROWS * COLUMNS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            const bool copied = i >= 8 && j < 16;
            const bool inside = i - 10 >= 0 && j + 24 < COLUMNS;
            const float from = inside ? h[(i - 10) * COLUMNS + j + 24] : 0;
            expect("tensor copies", found[i * COLUMNS + j], copied ? 2 * from : h[i * COLUMNS + j]);
        }
    test_corner<1>(), test_corner<3>(), test_corner<4>(), test_corner<5>();
    return finish();
}
