// warp.cu: shuffles of every type and width, votes, match, reductions, partial warps, masks.
#include "common.h"

const unsigned full = 0xffffffffu;

__global__ void shuffles(int *out) {
    int t = threadIdx.x;
    out[t] = __shfl_sync(full, t * 10, 5);
    out[32 + t] = __shfl_sync(full, t, t + 1, 8);
    out[64 + t] = __shfl_up_sync(full, t, 3);
    out[96 + t] = __shfl_up_sync(full, t, 2, 8);
    out[128 + t] = __shfl_down_sync(full, t, 5);
    out[160 + t] = __shfl_down_sync(full, t, 1, 4);
    out[192 + t] = __shfl_xor_sync(full, t, 7);
    out[224 + t] = __shfl_xor_sync(full, t, 4, 8);
}
template <class T> __global__ void of_type(T *out) {
    out[threadIdx.x] = __shfl_xor_sync(full, (T)threadIdx.x + (T)1, 3);
}
__global__ void votes(unsigned *out) {
    unsigned t = threadIdx.x, b = __ballot_sync(full, t % 3 == 1);
    int any = __any_sync(full, t == 31), none = __any_sync(full, t > 31), all = __all_sync(full, t < 32),
        not_all = __all_sync(full, t < 31);
    int same;
    unsigned match = __match_any_sync(full, t / 5), match_all = __match_all_sync(full, 7, &same);
    int differ;
    unsigned match_none = __match_all_sync(full, t, &differ);
    out[t * 9 + 0] = b, out[t * 9 + 1] = any, out[t * 9 + 2] = none, out[t * 9 + 3] = all, out[t * 9 + 4] = not_all,
                out[t * 9 + 5] = match;
    out[t * 9 + 6] = match_all, out[t * 9 + 7] = match_none, out[t * 9 + 8] = same * 10 + differ;
}
__global__ void reductions(int *out) {
    int t = threadIdx.x, v = (t * 37 % 64) - 20;
    out[t * 9 + 0] = __reduce_add_sync(full, v);
    out[t * 9 + 1] = __reduce_min_sync(full, v);
    out[t * 9 + 2] = __reduce_max_sync(full, v);
    out[t * 9 + 3] = (int)__reduce_min_sync(full, (unsigned)v);
    out[t * 9 + 4] = (int)__reduce_max_sync(full, (unsigned)v);
    out[t * 9 + 5] = (int)__reduce_and_sync(full, (unsigned)v | 5);
    out[t * 9 + 6] = (int)__reduce_or_sync(full, (unsigned)t);
    out[t * 9 + 7] = (int)__reduce_xor_sync(full, (unsigned)t * 3);
    unsigned half_mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
    out[t * 9 + 8] = __reduce_add_sync(half_mask, t);
}
__global__ void branches(int *out) {
    int t = threadIdx.x;
    if (t % 32 < 12) {
        int v = __shfl_xor_sync(0x00000fffu, t, 1);
        out[t] = v + __popc(__ballot_sync(0x00000fffu, v & 2));
    } else {
        out[t] = __shfl_sync(0xfffff000u, t, 20);
    }
}
__global__ void after_exit(unsigned *out) {  // a mask may name lanes that have returned
    if (threadIdx.x >= 20) return;
    unsigned ballot = __ballot_sync(full, threadIdx.x % 2), next = __shfl_down_sync(full, threadIdx.x, 1, 4);
    __syncwarp();
    out[threadIdx.x] = ballot + next;
}
__global__ void block_sum(const float *in, float *out) {
    __shared__ float part[8];
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(full, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(full, v, d);
        if (threadIdx.x == 0) out[blockIdx.x] = v;
    }
}
__global__ void through_shared(int *out) {  // __syncwarp orders the lanes' accesses
    __shared__ int s[64];
    int t = threadIdx.x, warp = t / 32 * 32;
    s[t] = t;
    __syncwarp();
    int v = s[warp + 31 - t % 32];
    __syncwarp();
    s[t] = v * 2;
    __syncwarp();
    out[t] = s[warp + (t + 1) % 32];
}

template <class T> void show(const char *name, double scale = 1) {
    T *d = device_array<T>(32), h[32];
    of_type<<<1, 32>>>(d);
    download(h, d, 32);
    printf("%s: %g %g %g\n", name, scale * (double)h[0], scale * (double)h[1], scale * (double)h[31]);
}

int main() {
    int *out = device_array<int>(512), h[512];
    shuffles<<<1, 32>>>(out);
    download(h, out, 256);
    for (int k = 0; k < 8; k++)
        printf("shuffle %d: %d %d %d %d %d, all %016llx\n", k, h[k * 32], h[k * 32 + 1], h[k * 32 + 7], h[k * 32 + 30],
               h[k * 32 + 31], hash_of(h + k * 32, 128));
    show<int>("int"), show<unsigned>("unsigned"), show<long>("long"), show<unsigned long>("unsigned long"),
        show<long long>("long long");
    show<unsigned long long>("unsigned long long"), show<float>("float"), show<double>("double");
    votes<<<1, 32>>>((unsigned *)out);
    download(h, out, 288);
    for (int t : {0, 4, 31})
        printf("votes of lane %d: %x %d %d %d %d %x %x %x %d\n", t, h[t * 9], h[t * 9 + 1] != 0, h[t * 9 + 2] != 0,
               h[t * 9 + 3] != 0, h[t * 9 + 4] != 0, h[t * 9 + 5], h[t * 9 + 6], h[t * 9 + 7], h[t * 9 + 8]);
    reductions<<<1, 32>>>(out);
    download(h, out, 288);
    for (int t : {3, 20})
        printf("reductions: %d %d %d %u %u %x %x %x %d\n", h[t * 9], h[t * 9 + 1], h[t * 9 + 2], h[t * 9 + 3],
               h[t * 9 + 4], h[t * 9 + 5], h[t * 9 + 6], h[t * 9 + 7], h[t * 9 + 8]);
    branches<<<1, 64>>>(out);
    download(h, out, 64);
    printf("branches: %d %d %d %d %d %d\n", h[0], h[11], h[12], h[31], h[32], h[63]);
    after_exit<<<1, 32>>>((unsigned *)out);
    download(h, out, 20);
    printf("after exit: %x %x %x\n", h[0], h[6], h[19]);
    float in[512], sums[2];
    for (int i = 0; i < 512; i++) in[i] = (float)(i % 17);
    float *d = device_array<float>(2);
    block_sum<<<2, 256>>>(upload(in, 512), d);
    download(sums, d, 2);
    printf("block sums: %g %g\n", sums[0], sums[1]);
    through_shared<<<1, 64>>>(out);
    download(h, out, 64);
    printf("through shared memory: %d %d %d %d\n", h[0], h[31], h[32], h[63]);
    return 0;
}
