// api.h: what the files of the host API (api_*.cpp) share.
#ifndef SIMT_RUNTIME_API_H
#define SIMT_RUNTIME_API_H

#include "../include/simt/api.h"
#include "runtime.h"

#pragma GCC visibility push(hidden)
namespace simt {

// Opens an API function: a broken context answers every call with its sticky error, and kernels may not call the host API.
#define SIMT_API_ENTRY()                                                                                               \
    if (in_kernel()) stop_kernel(719, __builtin_return_address(0), "%s called in a kernel: host code only", __func__); \
    std::lock_guard<std::recursive_mutex> api_guard(api_lock);                                                         \
    if (sticky_error()) return (cudaError_t)set_error(sticky_error())

// Where an API function writes its answer: not into what is no business of a guest's.
#define SIMT_OUT(p)                                                                                                    \
    if (p) guest_writes(p, sizeof *(p), __builtin_return_address(0), __func__)

// The host has waited: what kernels wrote to managed memory is its to read.
inline void tell_synchronised() {
    if (simt_hooks) simt_hooks->synchronised();
}

inline cudaError_t fail(cudaError_t error) { return (cudaError_t)set_error(error); }

bool device_release(void *p, MemoryKind kind, const void *pc);
void pin(void *p, size_t size, const void *pc);
bool unpin(void *p, const void *pc);
size_t memory_in_use();
bool is_pool(cudaMemPool_t pool);
void release_everything(const void *pc);
void allow_shared(const void *fn, size_t bytes);
void allow_wide_clusters(const void *fn, bool allow);
size_t allowed_shared(const void *fn);
unsigned allowed_threads(const void *fn);  // of a block: __launch_bounds__
cudaError_t check_stream(cudaStream_t stream);
cudaError_t copy_rows(const char *function, void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                      size_t width, size_t height, cudaMemcpyKind kind, const void *pc);
size_t &device_heap_limit();

}  // namespace simt
#pragma GCC visibility pop
#endif
