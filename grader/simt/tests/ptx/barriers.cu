// barriers.cu: mbarriers: phases, parities, counts of bytes, remote waits, and bulk copies that complete on them.
#include "common.h"

__device__ void init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(n)); }
__device__ void arrive(uint64_t *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory"); }
__device__ void expect(uint64_t *b, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory");
}
__device__ void wait(uint64_t *b, int parity) {  // as CUTLASS writes it
    asm volatile("{\n"
                 ".reg .pred       P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\n"
                 "bra     LAB_WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}
__device__ int test(uint64_t *b, int parity) {
    int done;
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(shared_address(b)), "r"(parity)
                 : "memory");
    return done;
}

// A ring of 3 places between a producer warp and 3 consumer warps.
__global__ void ring(const int *in, int *out, int n) {
    constexpr int places = 3;
    __shared__ uint64_t full[places], empty[places];
    __shared__ int data[places][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < places; i++) init(full + i, 32), init(empty + i, 3);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int place = i % places, phase = i / places % 2;
        if (warp == 0) {
            wait(empty + place, phase ^ 1);
            data[place][lane] = in[i * 32 + lane];
            arrive(full + place);
        } else {
            wait(full + place, phase);
            sum += data[place][(lane + warp) % 32];
            __syncwarp();
            if (lane == 0) arrive(empty + place);
        }
    }
    if (warp > 0 && blockIdx.x == 0) out[(warp - 1) * 32 + lane] = sum;
}

__global__ void states(int *out) {
    __shared__ uint64_t b;
    if (threadIdx.x > 0) return;
    init(&b, 2);
    uint64_t state;
    out[0] = test(&b, 0), out[1] = test(&b, 1);
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(&b)) : "memory");
    arrive(&b);
    out[2] = test(&b, 0), out[3] = test(&b, 1);
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
                 : "=r"(out[4])
                 : "r"(shared_address(&b)), "l"(state)
                 : "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0], 2;" ::"r"(shared_address(&b)) : "memory");
    out[5] = test(&b, 0), out[6] = test(&b, 1);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared_address(&b)) : "memory");
}

// Bulk copies to shared memory by a mbarrier, and back by groups.
__global__ void bulk(const float *in, float *out, float *sums) {
    __shared__ alignas(128) float tile[2][256];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&b, 2048);
        for (int i = 0; i < 2; i++)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                             shared_address(tile[i])),
                         "l"(in + 256 * i), "r"(1024), "r"(shared_address(&b))
                         : "memory");
    }
    wait(&b, 0);
    float x = tile[0][threadIdx.x] + tile[1][threadIdx.x];
    __syncthreads();
    tile[0][threadIdx.x] = x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared_address(tile[0])), "r"(1024)
                     : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(sums),
                     "r"(shared_address(tile[0])), "r"(1024)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// cp.async that arrives at an mbarrier.
__global__ void async_arrive(const float *in, float *out) {
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 32);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(tile + 4 * threadIdx.x)), "l"(in + 4 * threadIdx.x)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&b)) : "memory");
    wait(&b, 0);
    for (int i = 0; i < 4; i++) out[4 * threadIdx.x + i] = tile[(4 * threadIdx.x + i + 60) % 128];
}

int main() {
    enum { N = 17 };
    int in[N * 32], out[96], state[7];
    for (int i = 0; i < N * 32; i++) in[i] = i * 7 % 31;
    int *dout = device_array<int>(96);
    ring<<<2, 128>>>(device_array(N * 32, in), dout, N);
    download(out, dout, 96);
    for (int t = 0; t < 96; t++) {
        int sum = 0;
        for (int i = 0; i < N; i++) sum += in[i * 32 + (t % 32 + t / 32 + 1) % 32];
        expect("ring", out[t], sum);
    }
    int *dstate = device_array<int>(7);
    states<<<1, 32>>>(dstate);
    download(state, dstate, 7);
    const int wanted[] = {0, 1, 1, 0, 1, 0, 1};
    for (int i = 0; i < 7; i++) expect("state", state[i], wanted[i]);

    float f[512], back[256], sums[256];
    for (int i = 0; i < 512; i++) f[i] = small_number(i);
    for (int i = 0; i < 256; i++) sums[i] = i;
    float *df = device_array(512, f), *db = device_array<float>(256), *ds = device_array(256, sums);
    bulk<<<1, 256>>>(df, db, ds);
    download(back, db, 256), download(sums, ds, 256);
    for (int i = 0; i < 256; i++) expect("bulk", back[i], f[i] + f[256 + i]), expect("reduce", sums[i], i + f[i] + f[256 + i]);
    async_arrive<<<1, 32>>>(df, db);
    download(back, db, 128);
    for (int i = 0; i < 128; i++) expect("cp.async.mbarrier", back[i], f[(i + 60) % 128]);
    return finish();
}
