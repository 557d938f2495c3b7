// atomics.cu: every atomic for every type; histograms; a spin lock; scopes.
#include "common.h"

struct Cells {
    int add, sub, min, max, exch_seen, and_, or_, xor_;
    unsigned uadd, umin, umax, inc, dec;
    unsigned long long ladd, lmax, lxor, lmin;
    long long smin, smax;
    float fadd;
    double dadd;
    int cas;
    unsigned long long lcas;
};

__global__ void all_kinds(Cells *c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&c->add, t);
    atomicSub(&c->sub, t);
    atomicMin(&c->min, -t);
    atomicMax(&c->max, t * 2);
    atomicAnd(&c->and_, ~(1 << (t % 20)));
    atomicOr(&c->or_, 1 << (t % 20));
    atomicXor(&c->xor_, t);
    atomicAdd(&c->uadd, 3u);
    atomicMin(&c->umin, 4000000000u - t);
    atomicMax(&c->umax, 4000000000u + t);
    atomicInc(&c->inc, 99u);
    atomicDec(&c->dec, 49u);
    atomicAdd(&c->ladd, 1ull << 33);
    atomicMax(&c->lmax, (unsigned long long)t << 40);
    atomicMin(&c->lmin, ~0ull - t);
    atomicXor(&c->lxor, (unsigned long long)t << 30);
    atomicMin(&c->smin, -(long long)t << 35);
    atomicMax(&c->smax, (long long)t << 35);
    atomicAdd(&c->fadd, 0.25f);
    atomicAdd(&c->dadd, 0.5);
    atomicAdd_block(&c->exch_seen, 1);
    atomicAdd_system(&c->exch_seen, 1);
    int old = 0, seen;  // add through compare-and-swap, from a first guess
    do {
        seen = old;
        old = atomicCAS(&c->cas, seen, seen + 2);
    } while (old != seen);
    unsigned long long lold = 0, lseen;
    do {
        lseen = lold;
        lold = atomicCAS(&c->lcas, lseen, lseen + (1ull << 32));
    } while (lold != lseen);
}
__global__ void histogram(const unsigned char *in, int n, unsigned *out) {
    __shared__ unsigned bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] % 64], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
__global__ void returns(int *out) {
    __shared__ int s;
    __shared__ float f;
    if (threadIdx.x == 0) s = 5;
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = atomicAdd(&s, 3);
        out[1] = atomicExch(&s, 100);
        out[2] = atomicCAS(&s, 99, 1);
        out[3] = atomicCAS(&s, 100, 1);
        out[4] = s;
        f = 0;
        out[5] = (int)atomicExch(&f, 2.5f) + (int)(f * 10);
    }
}
__device__ int lock_word;
__global__ void locked(int *counter) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0)
            ;
        __threadfence();
        *(volatile int *)counter = *(volatile int *)counter + 1;
        __threadfence();
        atomicExch(&lock_word, 0);
    }
}
__global__ void shorts(unsigned short *p) {
    unsigned short old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, (unsigned short)(seen + 1));
    } while (old != seen);
}

int main() {
    Cells h{};
    h.and_ = -1, h.umin = ~0u, h.dec = 10, h.lmin = ~0ull;
    Cells *c = upload(&h, 1);
    all_kinds<<<5, 77>>>(c);
    download(&h, c, 1);
    printf("%d %d %d %d %x %x %x\n", h.add, h.sub, h.min, h.max, h.and_, h.or_, h.xor_);
    printf("%u %u %u %u %u\n", h.uadd, h.umin, h.umax, h.inc, h.dec);
    printf("%llu %llu %llu %llu %lld %lld\n", h.ladd, h.lmax, h.lmin, h.lxor, h.smin, h.smax);
    printf("%g %g %d %llu %d\n", h.fadd, h.dadd, h.cas, h.lcas, h.exch_seen);

    unsigned char in[4096];
    unsigned want[64] = {0}, bins[64], bad = 0;
    for (int i = 0; i < 4096; i++) in[i] = (unsigned char)(i * i % 251), want[in[i] % 64]++;
    unsigned *out = device_array<unsigned>(64);
    histogram<<<6, 128>>>(upload(in, 4096), 4096, out);
    download(bins, out, 64);
    for (int i = 0; i < 64; i++) bad += bins[i] != want[i];
    printf("histogram: %u wrong\n", bad);

    int *r = device_array<int>(8), hr[8];
    returns<<<1, 32>>>(r);
    download(hr, r, 6);
    printf("returns: %d %d %d %d %d %d\n", hr[0], hr[1], hr[2], hr[3], hr[4], hr[5]);
    CHECK(cudaMemset(r, 0, 4));
    locked<<<40, 32>>>(r);
    download(hr, r, 1);
    printf("locked: %d\n", hr[0]);
    unsigned short *u = device_array<unsigned short>(2), hu[2];
    shorts<<<3, 64>>>(u);
    download(hu, u, 2);
    printf("16 bits: %d %d\n", hu[0], hu[1]);
    return 0;
}
