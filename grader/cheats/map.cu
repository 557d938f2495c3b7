// map.cu: a tensor map that no driver made: its fields are set one by one in memory of zeros. Rows of 64 numbers.
static __device__ __align__(128) unsigned char map[128];

static __global__ void make_map(const float *at, unsigned rows) {
    if (threadIdx.x == 0) {
        for (int i = 0; i < 128; i++) map[i] = 0;
        const unsigned long long m = __cvta_generic_to_global(map);
        asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(m), "l"(at) : "memory");
        asm volatile("tensormap.replace.tile.rank.global.b1024.b32 [%0], 1;" ::"l"(m) : "memory");  // two
        asm volatile("tensormap.replace.tile.global_dim.global.b1024.b32 [%0], 0, %1;" ::"l"(m), "r"(64) : "memory");
        asm volatile("tensormap.replace.tile.global_dim.global.b1024.b32 [%0], 1, %1;" ::"l"(m), "r"(rows) : "memory");
        asm volatile("tensormap.replace.tile.global_stride.global.b1024.b64 [%0], 0, %1;" ::"l"(m), "l"(256ull)
                     : "memory");
        asm volatile("tensormap.replace.tile.box_dim.global.b1024.b32 [%0], 0, %1;" ::"l"(m), "r"(64) : "memory");
        asm volatile("tensormap.replace.tile.box_dim.global.b1024.b32 [%0], 1, %1;" ::"l"(m), "r"(32) : "memory");
        asm volatile("tensormap.replace.tile.element_stride.global.b1024.b32 [%0], 0, 1;" ::"l"(m) : "memory");
        asm volatile("tensormap.replace.tile.element_stride.global.b1024.b32 [%0], 1, 1;" ::"l"(m) : "memory");
        asm volatile("tensormap.replace.tile.elemtype.global.b1024.b32 [%0], 7;" ::"l"(m) : "memory");  // float
        asm volatile("tensormap.replace.tile.interleave_layout.global.b1024.b32 [%0], 0;" ::"l"(m) : "memory");
        asm volatile("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%0], 0;" ::"l"(m) : "memory");
        asm volatile("tensormap.replace.tile.fill_mode.global.b1024.b32 [%0], 0;" ::"l"(m) : "memory");
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    }
}

// Copies what the map names, 32 rows a block.
static __global__ void copy_by_map(float *to) {
    __shared__ __align__(128) float part[2048];
    __shared__ __align__(8) unsigned long long full;
    const unsigned at = (unsigned)__cvta_generic_to_shared(part), bar = (unsigned)__cvta_generic_to_shared(&full);
    if (threadIdx.x) return;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(8192) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            at),
        "l"(map), "r"(0), "r"(blockIdx.x * 32), "r"(bar)
        : "memory");
    for (unsigned done = 0; !done;)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + (size_t)blockIdx.x * 2048),
                 "r"(at), "r"(8192)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
