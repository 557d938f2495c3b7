// engine.h: the copy engine by the C++ functions of <cuda/barrier>: cuda::device and cuda::device::experimental.
#ifndef SIMT_ENGINE_H
#define SIMT_ENGINE_H

#include "../../runtime/ptx/ptx.h"
#include "driver.h"

namespace cuda {
namespace device {

using block_barrier = barrier<thread_scope_block>;

SIMT_INLINE uint64_t *barrier_native_handle(block_barrier &b) { return (uint64_t *)&b.word_; }
// The bytes of this phase's copies; the second one arrives, too.
SIMT_INLINE void barrier_expect_tx(block_barrier &b, ptrdiff_t bytes) {
    simt_mbarrier_expect(&b.word_, (uint32_t)bytes);
}
[[nodiscard]] SIMT_INLINE block_barrier::arrival_token barrier_arrive_tx(block_barrier &b, ptrdiff_t count,
                                                                         ptrdiff_t bytes) {
    return {simt_mbarrier_arrive(&b.word_, (uint32_t)count, (uint32_t)bytes, 0)};
}
template <class T, class Size> SIMT_INLINE void memcpy_async_tx(T *to, const T *from, Size n, block_barrier &b) {
    simt_bulk_load(to, from, (uint32_t)(size_t)n, &b.word_);
}

namespace experimental {

SIMT_INLINE void fence_proxy_async_shared_cta() { simt_fence_proxy_async(); }
SIMT_INLINE void cp_async_bulk_commit_group() { simt_bulk_commit(); }
template <int LEFT> SIMT_INLINE void cp_async_bulk_wait_group_read() { simt_bulk_wait(LEFT); }
SIMT_INLINE void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t n, block_barrier &b) {
    simt_bulk_load(to, from, n, &b.word_);
}
SIMT_INLINE void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t n) {
    simt_bulk_store(to, from, n, 0, SIMT_U32);
}

#define SIMT_TENSOR_COPIES(RANK, COORDINATES, ...)                                                                     \
    SIMT_INLINE void cp_async_bulk_tensor_##RANK##d_global_to_shared(void *to, const CUtensorMap *map, COORDINATES,    \
                                                                     block_barrier &b) {                               \
        const int32_t at[] = {__VA_ARGS__};                                                                            \
        simt_tensor_load(to, map, RANK, at, &b.word_);                                                                 \
    }                                                                                                                  \
    SIMT_INLINE void cp_async_bulk_tensor_##RANK##d_shared_to_global(const CUtensorMap *map, COORDINATES,              \
                                                                     const void *from) {                               \
        const int32_t at[] = {__VA_ARGS__};                                                                            \
        simt_tensor_store(map, RANK, at, (void *)from, 0);                                                             \
    }
#define SIMT_AND ,
SIMT_TENSOR_COPIES(1, int c0, c0)
SIMT_TENSOR_COPIES(2, int c0 SIMT_AND int c1, c0, c1)
SIMT_TENSOR_COPIES(3, int c0 SIMT_AND int c1 SIMT_AND int c2, c0, c1, c2)
SIMT_TENSOR_COPIES(4, int c0 SIMT_AND int c1 SIMT_AND int c2 SIMT_AND int c3, c0, c1, c2, c3)
SIMT_TENSOR_COPIES(5, int c0 SIMT_AND int c1 SIMT_AND int c2 SIMT_AND int c3 SIMT_AND int c4, c0, c1, c2, c3, c4)
#undef SIMT_AND
#undef SIMT_TENSOR_COPIES

}  // namespace experimental
}  // namespace device
}  // namespace cuda

#endif
