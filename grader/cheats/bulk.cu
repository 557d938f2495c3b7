// bulk.cu: numbers go through shared memory by asynchronous bulk copies; one thread of a block starts them.
static __device__ unsigned shared_at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// waits 0: the kernel ends with its last stores on the way. Each block has one part then.
static __global__ void bulk_copy(float *to, const float *from, size_t n, int waits) {
    __shared__ __align__(128) float part[2048];
    __shared__ __align__(8) unsigned long long full;
    if (threadIdx.x) return;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_at(&full)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    unsigned phase = 0;
    for (size_t i = (size_t)blockIdx.x * 2048; i < n; i += (size_t)gridDim.x * 2048, phase ^= 1) {
        const unsigned bytes = (unsigned)(n - i < 2048 ? n - i : 2048) * 4;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_at(&full)), "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_at(part)),
                     "l"(from + i), "r"(bytes), "r"(shared_at(&full))
                     : "memory");
        for (unsigned done = 0; !done;)
            asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done)
                         : "r"(shared_at(&full)), "r"(phase)
                         : "memory");
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + i), "r"(shared_at(part)),
                     "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        if (waits) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Lines of the second-level cache, fetched by nobody's threads.
static __global__ void bulk_prefetch(const float *from, size_t n) {
    for (size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 1024; i + 1024 <= n;
         i += (size_t)gridDim.x * blockDim.x * 1024)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from + i), "r"(4096) : "memory");
}
