// groups.cu: cooperative groups: blocks, tiles, partitions, coalesced groups, reduce and scan.
#include "common.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void ranks(unsigned *out) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    auto part = cg::tiled_partition<4>(warp);
    unsigned r = block.thread_rank(), *o = out + (block.group_index().x * block.size() + r) * 12;
    o[0] = block.size(), o[1] = warp.thread_rank(), o[2] = warp.meta_group_rank(), o[3] = warp.meta_group_size();
    o[4] = tile.thread_rank(), o[5] = tile.meta_group_rank(), o[6] = tile.meta_group_size(), o[7] = tile.num_threads();
    o[8] = part.thread_rank(), o[9] = part.meta_group_rank(), o[10] = block.group_index().x,
    o[11] = block.thread_index().y * 100 + block.group_dim().x;
    block.sync();
}
__global__ void exchanges(int *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, *o = out + t * 10;
    o[0] = tile.shfl(t, 3), o[1] = tile.shfl_up(t, 2), o[2] = tile.shfl_down(t, 3), o[3] = tile.shfl_xor(t, 5);
    o[4] = tile.any(t == 9), o[5] = tile.all(t < 16), o[6] = tile.ballot(t % 2), o[7] = tile.match_any(t / 3);
    int same;
    o[8] = tile.match_all(t / 8, same), o[9] = same;
    tile.sync();
}
struct Big {
    double x, y;
};
__global__ void big_values(double *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    Big b = warp.shfl(Big{(double)threadIdx.x, threadIdx.x * 0.5}, 20);
    out[threadIdx.x] = b.x + b.y;
}
__global__ void reductions(int *out, float *fout) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<16>(block);
    int t = threadIdx.x, v = t * 29 % 31, *o = out + t * 12;
    o[0] = cg::reduce(warp, v, cg::plus<int>()), o[1] = cg::reduce(warp, v, cg::less<int>()),
    o[2] = cg::reduce(tile, v, cg::greater<int>());
    o[3] = cg::reduce(tile, v, cg::bit_xor<int>()), o[4] = cg::reduce(tile, v | 1, cg::bit_and<int>()),
    o[5] = cg::reduce(warp, v, cg::bit_or<int>());
    o[6] = cg::inclusive_scan(warp, v), o[7] = cg::exclusive_scan(warp, v),
    o[8] = cg::inclusive_scan(tile, v, cg::greater<int>());
    o[9] = cg::exclusive_scan(tile, v, cg::plus<int>());
    o[10] = cg::reduce(tile, v, [](int a, int b) { return a > b ? a : b; });
    o[11] = 0;
    fout[t] = cg::reduce(warp, (float)v * 0.25f, cg::plus<float>());
}
__global__ void subsets(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x, *o = out + t * 12;
    for (int k = 0; k < 12; k++) o[k] = -1;
    auto label = cg::labeled_partition(warp, t % 5);
    o[0] = label.size(), o[1] = label.thread_rank(), o[2] = label.shfl(t, 1);
    auto halves = cg::binary_partition(warp, t % 4 == 0);
    o[3] = halves.size(), o[4] = halves.thread_rank(), o[5] = cg::reduce(halves, t, cg::plus<int>());
    if (t % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        o[6] = active.size(), o[7] = active.thread_rank(), o[8] = active.shfl(t, 2), o[9] = active.ballot(t % 2 == 0),
        o[10] = cg::reduce(active, t, cg::plus<int>());
        o[11] = active.any(t == 3);
        active.sync();
    }
}
__device__ int sum_of(cg::thread_group g, int *shared, int v) {  // the classic of the programming guide
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        shared[lane] = v;
        g.sync();
        if (lane < i) v += shared[lane + i];
        g.sync();
    }
    return v;
}
__global__ void any_group(int *out) {
    __shared__ int s[128];
    cg::thread_block block = cg::this_thread_block();
    int v = sum_of(block, s, threadIdx.x);
    if (threadIdx.x == 0) out[0] = v;
    block.sync();
    auto tile = cg::tiled_partition<32>(block);
    v = sum_of(tile, s + threadIdx.x / 32 * 32, threadIdx.x);
    if (tile.thread_rank() == 0) out[1 + threadIdx.x / 32] = v;
}

int main() {
    static int h[128 * 12];
    int *out = device_array<int>(128 * 12);
    ranks<<<2, dim3(16, 4)>>>((unsigned *)out);
    download(h, out, 128 * 12);
    for (int t : {0, 21, 127}) {
        for (int k = 0; k < 12; k++) printf("%d ", h[t * 12 + k]);
        printf("\n");
    }
    exchanges<<<1, 32>>>(out);
    download(h, out, 320);
    printf("exchanges: %016llx;", hash_of(h, 320 * 4));
    for (int k = 0; k < 10; k++) printf(" %d", h[130 + k]);
    double *d = device_array<double>(32), hd[32];
    big_values<<<1, 32>>>(d);
    download(hd, d, 32);
    printf("\n16 bytes: %g %g\n", hd[0], hd[31]);
    float *f = device_array<float>(32), hf[32];
    reductions<<<1, 32>>>(out, f);
    download(h, out, 384), download(hf, f, 32);
    for (int t : {0, 7, 31}) {
        for (int k = 0; k < 12; k++) printf("%d ", h[t * 12 + k]);
        printf("%g\n", hf[t]);
    }
    subsets<<<1, 32>>>(out);
    download(h, out, 384);
    for (int t : {0, 6, 9, 31}) {
        for (int k = 0; k < 12; k++) printf("%d ", h[t * 12 + k]);
        printf("\n");
    }
    any_group<<<1, 128>>>(out);
    download(h, out, 5);
    printf("any group: %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
    return 0;
}
