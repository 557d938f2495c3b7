// async.h: copies in the background: cp.async.
#ifndef SIMT_PTX_ASYNC_H
#define SIMT_PTX_ASYNC_H

#include "memory.h"

namespace simt {
namespace ptx {

// cp.async [to], [from], n, source bytes: what the source does not give becomes 0.
SIMT_INLINE void cp_async(address to, address from, u32 n) {
    simt_async_copy(simt_shared_pointer((u32)to.value), (const void *)from.value, n, 0);
}
SIMT_INLINE void cp_async(address to, address from, u32 n, u32 given) {
    simt_async_copy(simt_shared_pointer((u32)to.value), (const void *)from.value, n, given < n ? n - given : 0);
}
SIMT_INLINE void cp_async_commit() { simt_async_commit(); }
SIMT_INLINE void cp_async_wait(u32 newest_groups_left) { simt_async_wait(newest_groups_left); }
SIMT_INLINE void cp_async_wait_all() {
    simt_async_commit();
    simt_async_wait(0);
}

}  // namespace ptx
}  // namespace simt

#endif
