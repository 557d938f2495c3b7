// copies.cu: cp.async with groups and zero fill, loads and stores with hints, atomics, shuffles, votes, named barriers.
#include "common.h"

__global__ void pipeline(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float stage[2][128];
    auto fetch = [&](int tile) {
        uint32_t to = shared_address(&stage[tile % 2][threadIdx.x * 4]);
        if (threadIdx.x < 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + tile * 128 + threadIdx.x * 4)
                         : "memory");
        else  // the last 8 bytes of each 16 become zeros
            asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to),
                         "l"(in + tile * 128 + threadIdx.x * 4), "r"(8)
                         : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    float sum = 0;
    fetch(0);
    for (int tile = 0; tile < tiles; tile++) {
        if (tile + 1 < tiles) {
            fetch(tile + 1);
            asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
        } else {
            asm volatile("cp.async.wait_all;" ::: "memory");
        }
        __syncthreads();
        for (int i = 0; i < 4; i++) sum += stage[tile % 2][(threadIdx.x * 4 + i + 4) % 128];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void memory(float *f, uint32_t *counters, uint32_t *out) {
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(f + threadIdx.x * 4));
    asm volatile("st.global.cs.v2.f32 [%0+8], {%1, %2};" ::"l"(f + 128 + threadIdx.x * 4), "f"(v.y), "f"(v.w)
                 : "memory");
    asm volatile("st.global.f32 [%0], %1;" ::"l"(f + 128 + threadIdx.x * 4), "f"(v.x + v.z) : "memory");
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counters), "r"(threadIdx.x) : "memory");
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(f + 256), "f"(0.5f) : "memory");
    uint32_t old;
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(counters + 1) : "memory");
    if (threadIdx.x == 0) {
        asm volatile("atom.global.cas.b32 %0, [%1], 0, 77;" : "=r"(old) : "l"(counters + 2) : "memory");
        asm volatile("atom.add.release.gpu.global.u32 %0, [%1], 3;" : "=r"(old) : "l"(counters + 3) : "memory");
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(counters + 4), "r"(8) : "memory");
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(old) : "l"(counters + 4) : "memory");
        counters[5] = old;
    }
    uint32_t neighbour, any, first;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(neighbour) : "r"(threadIdx.x));
    asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 9; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                 : "=r"(any)
                 : "r"(threadIdx.x));
    asm volatile("{.reg .pred p; .reg .b32 l; elect.sync l|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(first));
    asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(out[96 + threadIdx.x]) : "r"(-(int)threadIdx.x));
    out[threadIdx.x] = neighbour, out[32 + threadIdx.x] = any, out[64 + threadIdx.x] = first;
}

// Two halves of a block hand a value to and fro, by barriers 1 and 2 of 128 threads.
__global__ void hand_over(int *out, int turns) {
    __shared__ int ball[64];
    int i = threadIdx.x % 64;
    bool second = threadIdx.x >= 64;
    if (!second) ball[i] = i;
    for (int turn = 0; turn < turns; turn++) {
        if (second) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            ball[i] = ball[(i + 0) % 64] * 2 + 1;
            asm volatile("bar.arrive %0, %1;" ::"r"(2), "n"(128) : "memory");
        } else {
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("barrier.sync %0, 128;" ::"r"(2) : "memory");
        }
    }
    asm volatile("bar.sync 0;" ::: "memory");
    if (!second) out[i] = ball[i];
}

int main() {
    enum { TILES = 5 };
    static float in[TILES * 128], f[257];
    for (int i = 0; i < TILES * 128; i++) in[i] = small_number(i);
    float *dout = device_array<float>(32), out[32];
    pipeline<<<1, 32>>>(device_array(TILES * 128, in), dout, TILES);
    download(out, dout, 32);
    for (int t = 0; t < 32; t++) {
        double sum = 0;
        for (int tile = 0; tile < TILES; tile++)
            for (int i = 0; i < 4; i++) {
                int at = (t * 4 + i + 4) % 128;
                sum += at >= 64 && at % 4 >= 2 ? 0 : in[tile * 128 + at];
            }
        expect("cp.async", out[t], sum);
    }
    for (int i = 0; i < 128; i++) f[i] = small_number(i);
    float *df = device_array(257, f);
    uint32_t counters[8] = {}, words[128], *dc = device_array(8, counters), *dw = device_array<uint32_t>(128);
    memory<<<1, 32>>>(df, dc, dw);
    download(f, df, 257), download(counters, dc, 8), download(words, dw, 128);
    for (int t = 0; t < 32; t++) {
        expect("st", f[128 + 4 * t], f[4 * t] + f[4 * t + 2]);
        expect("st.v2", f[128 + 4 * t + 2], f[4 * t + 1]), expect("st.v2", f[128 + 4 * t + 3], f[4 * t + 3]);
        expect("shfl", words[t], t ^ 1), expect("vote", words[32 + t], 1 << 9);
        expect("elect", words[64 + t], t == 0), expect("redux", (int)words[96 + t], 0);
    }
    const uint32_t wanted[] = {496, 32, 77, 3, 8, 8};
    for (int i = 0; i < 6; i++) expect("counters", counters[i], wanted[i]);
    expect("red", f[256], 16);
    int *di = device_array<int>(64), balls[64];
    hand_over<<<1, 128>>>(di, 4);
    download(balls, di, 64);
    for (int i = 0; i < 64; i++) expect("bar", balls[i], i * 16 + 15);
    return finish();
}
