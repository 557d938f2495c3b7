// product.h: X W of a prompt, when both are split already: float32 as hi + lo, two float16, in the order in which the copy
// engine brings them and wgmma reads them. Nobody splits here, and nobody computes an address of a tile but one thread.
//
//     split [rows][n], of X and of W's columns:  panels of 32 numbers of each row, one row 128 bytes, swizzled:
//
//         row r of a panel    hi 0..7   hi 8..15   hi 16..23   hi 24..31   lo 0..7   ...   lo 24..31
//                             16 bytes each; piece p stands where p ^ r % 8 would
//
// so a tile of rows, 32 deep, is one run of bytes. A block computes 128 rows x BN columns; two blocks of a cluster have the
// same columns, and each brings half of W for both:
//
//     a place of the ring      X: 128 rows, 16 KiB       W: BN columns, of which the neighbour brings half
//
// Where W is narrow, so that there would be too few blocks, several share the depth; who reads the sums adds them.
#ifndef SPLIT_ONCE_PRODUCT_H
#define SPLIT_ONCE_PRODUCT_H

#include "finish.h"
#include "wide.h"

namespace split_once {

struct place {  // of this block: its tile, and its part of the depth in steps of 32
    int row, col, part, from, to;
};
template <class T> DEVICE place place_of(const product &p) {
    const int pair = blockIdx.x / 2 % p.pairs, rest = blockIdx.x / 2 / p.pairs, steps = p.n_in / T::BK;
    const int part = rest / p.cols;
    return {(2 * pair + (int)blockIdx.x % 2) * T::BM, rest % p.cols * T::BN, part, steps * part / p.parts,
            steps * (part + 1) / p.parts};
}

// ---- one thread brings what is needed
DEVICE void copy(uint32_t to, const char *from, int bytes, uint32_t barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}
DEVICE void copy_to_both(uint32_t to, const char *from, int bytes, uint32_t barrier) {  // the same place in each block
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier), "h"((uint16_t)3)
                 : "memory");
}

template <class T> DEVICE void bring(const product &p, const place &at, char *ring, uint64_t *full, uint64_t *empty) {
    const int half = blockIdx.x % 2 * T::BN / 2, cols = min(T::BN, p.n_out - at.col);
    const int x_bytes = 128 * max(0, min(T::BM, p.rows - at.row)), w_bytes = 128 * max(0, min(T::BN / 2, cols - half));
    auto start_w = [&](int step, int slot) {
        expect_bytes(full + slot, x_bytes + 128 * cols);
        if (w_bytes)
            copy_to_both(shared_address(ring + slot * T::PLACE + T::X + 128 * half),
                         p.W + 128 * ((size_t)step * p.n_out + at.col + half), w_bytes, shared_address(full + slot));
    };
    auto start_x = [&](int step, int slot) {
        if (x_bytes)
            copy(shared_address(ring + slot * T::PLACE), p.X + 128 * ((size_t)step * p.rows + at.row), x_bytes,
                 shared_address(full + slot));
    };
    // No kernel writes W: so it comes while the one before this ends.
    const int first = min(at.to - at.from, (int)T::PLACES), early = min(first, 2);
    for (int i = 0; i < early; i++) start_w(at.from + i, i);
    wait_for_last_kernel();
    for (int i = 0; i < first; i++) {
        if (i >= early) start_w(at.from + i, i);
        start_x(at.from + i, i);
    }
    int slot = 0, parity = 0;  // of the round before, which is over when both blocks' consumers have read
    for (int step = at.from + first; step < at.to; step++) {
        wait(empty + slot, parity);
        start_w(step, slot), start_x(step, slot);
        if (++slot == T::PLACES) slot = 0, parity ^= 1;
    }
}

// ---- two warpgroups multiply 64 rows each
DEVICE void give_back(uint64_t *empty) {  // a place, once a warp, to both blocks
    __syncwarp();
    const int lane = threadIdx.x % 32;
    if (lane < 2) {
        uint32_t there;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(empty)), "r"(lane));
        asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    }
}

// 32 of the depth are summed up from zero, small products first: a tensor core cuts off, towards zero, what lies below the
// last place of its sum. CUDA cores, which round, add that to the rest.
template <class T>
DEVICE void multiply(float (&sum)[T::BN / 2], const product &p, const place &at, char *ring, uint64_t *full,
                     uint64_t *empty, int g) {
    float d[T::BN / 2];
    if (g == 1) named_arrive(1, 256);  // consumer 0 has the first turn
    int slot = 0, parity = 0;
    for (int step = at.from; step < at.to; step++) {
        wait(full + slot, parity);
        const uint64_t X = descriptor(ring + slot * T::PLACE + g * 64 * 128);
        const uint64_t W = descriptor(ring + slot * T::PLACE + T::X);
        named_sync(1 + g, 256);  // my turn
        wgmma_begin();
        UNROLL for (int i = 0; i < 2; i++) wgmma(d, X + 4 + 2 * i, W + 2 * i, i > 0);  // in units of 16 bytes
        UNROLL for (int i = 0; i < 2; i++) wgmma(d, X + 2 * i, W + 4 + 2 * i, 1);
        UNROLL for (int i = 0; i < 2; i++) wgmma(d, X + 2 * i, W + 2 * i, 1);
        wgmma_commit();
        if (g == 0 || step + 1 < at.to) named_arrive(2 - g, 256);  // the other's: its products queue behind these
        wgmma_wait<0>(d);
        give_back(empty + slot);
        UNROLL for (int i = 0; i < T::BN / 2; i++) sum[i] += d[i];
        if (++slot == T::PLACES) slot = 0, parity ^= 1;
    }
}

template <class T, what_for USE> static __global__ void __launch_bounds__(T::THREADS, 1) product_kernel(product p) {
#ifdef HOPPER
    extern __shared__ __align__(128) char shared[];
    __shared__ uint64_t full[T::PLACES], empty[T::PLACES];
    char *ring = shared + (-(int)shared_address(shared) & 1023);  // swizzled tiles begin at multiples of 1024
    if (threadIdx.x == 0) {
        for (int i = 0; i < T::PLACES; i++) init(full + i, 1), init(empty + i, 2 * 4 * T::CONSUMERS);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_meet();  // the barriers of both blocks stand before anyone uses them
    const place at = place_of<T>(p);
    const int wg = warpgroup();
    if (wg == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) bring<T>(p, at, ring, full, empty);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float sum[T::BN / 2] = {};
        multiply<T>(sum, p, at, ring, full, empty, wg - 1);
        const int warp = threadIdx.x / 32 - 4;
        float *out = (float *)ring + warp * 16 * T::STRIDE;
        named_sync(3, 128 * T::CONSUMERS);  // nobody multiplies what stood there
        lay_out<T>(out, sum);
        finish<T, USE>(p, out, at.row + 16 * warp, at.col, at.part);
        if (USE == HEADS && blockIdx.x == 0 && threadIdx.x == 128) *p.lengths = p.rows;
    }
    cluster_meet();  // a block stays until the other one no longer writes into it
#endif
}

// Clusters of two blocks: so many have a place at once.
template <class T> static int clusters_of(const product &p) {
    return (p.rows + 2 * T::BM - 1) / (2 * T::BM) * ((p.n_out + T::BN - 1) / T::BN);
}
template <class T, what_for USE> static attn_status launch_tile(product p, cudaStream_t stream) {
    p.pairs = (p.rows + 2 * T::BM - 1) / (2 * T::BM), p.cols = (p.n_out + T::BN - 1) / T::BN;
    static const cudaError_t room =  // asked for once: a prompt has 48 products, and the host must not be late
        cudaFuncSetAttribute(product_kernel<T, USE>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    if (room != cudaSuccess) return ATTN_CUDA_ERROR;
    cudaLaunchAttribute with[2] = {overlap()};
    with[1].id = cudaLaunchAttributeClusterDimension, with[1].val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2 * p.pairs * p.cols * p.parts), config.blockDim = dim3(T::THREADS);
    config.dynamicSmemBytes = T::BYTES, config.stream = stream, config.attrs = with, config.numAttrs = 2;
    cudaLaunchKernelEx(&config, product_kernel<T, USE>, p);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

// Rounds of clusters, times what a tile takes.
template <class T> static int cost(const product &p) {
    const int places = multiprocessors() / 2;
    return (clusters_of<T>(p) * p.parts + places - 1) / places * T::CYCLES;
}
template <what_for USE> static attn_status launch_product(const product &p, cudaStream_t stream) {
    const int a = cost<tile<192>>(p), b = cost<tile<144>>(p), c = cost<tile<96>>(p), d = cost<tile<48>>(p);
    if (a <= min(b, min(c, d))) return launch_tile<tile<192>, USE>(p, stream);
    if (b <= min(c, d)) return launch_tile<tile<144>, USE>(p, stream);
    return c <= d ? launch_tile<tile<96>, USE>(p, stream) : launch_tile<tile<48>, USE>(p, stream);
}

}  // namespace split_once
#endif
