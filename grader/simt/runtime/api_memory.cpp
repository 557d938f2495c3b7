// api_memory.cpp: cudaMalloc and its kin.
#include "capture.h"

#include <cstdlib>
#include <cstring>

using namespace simt;

static cudaError_t allocate(void **p, size_t size, MemoryKind kind, const char *function, const void *pc) {
    if (!p) return fail(cudaErrorInvalidValue);
    guest_writes(p, sizeof *p, pc, function);
    *p = nullptr;
    if (size == 0) return cudaSuccess;
    *p = device_allocate(size, kind, pc);
    if (*p) return cudaSuccess;
    complain("%s of %zu bytes: the device has %zu, %zu are in use (SIMT_MEMORY sets it)", function, size,
             config().memory, memory_in_use());
    return fail(cudaErrorMemoryAllocation);
}

static cudaError_t release(void *p, const char *function, const void *pc) {
    if (!p || device_release(p, MemoryKind::device, pc) || device_release(p, MemoryKind::managed, pc))
        return cudaSuccess;
    complain("%s(%p): %s", function, p,
             was_freed(p)         ? "already freed"
             : in_device_space(p) ? "not the start of an allocation"
                                  : "not device memory");
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaMalloc(void **p, size_t size) {
    SIMT_API_ENTRY();
    return allocate(p, size, MemoryKind::device, "cudaMalloc", __builtin_return_address(0));
}

cudaError_t cudaFree(void *p) {
    SIMT_API_ENTRY();
    return release(p, "cudaFree", __builtin_return_address(0));
}

cudaError_t cudaMallocAsync(void **p, size_t size, cudaStream_t stream) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    if (!error) error = refused_while_capturing(stream);
    return error ? error : allocate(p, size, MemoryKind::device, "cudaMallocAsync", __builtin_return_address(0));
}

cudaError_t cudaMallocFromPoolAsync(void **p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    SIMT_API_ENTRY();
    if (!is_pool(pool)) return fail(cudaErrorInvalidValue);
    cudaError_t error = check_stream(stream);
    if (!error) error = refused_while_capturing(stream);
    return error ? error
                 : allocate(p, size, MemoryKind::device, "cudaMallocFromPoolAsync", __builtin_return_address(0));
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    if (!error) error = refused_while_capturing(stream);
    return error ? error : release(p, "cudaFreeAsync", __builtin_return_address(0));
}

cudaError_t cudaMallocManaged(void **p, size_t size, unsigned flags) {
    SIMT_API_ENTRY();
    guest_shares("cudaMallocManaged", __builtin_return_address(0));
    if (size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return fail(cudaErrorInvalidValue);
    return allocate(p, size, MemoryKind::managed, "cudaMallocManaged", __builtin_return_address(0));
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
    SIMT_API_ENTRY();
    SIMT_OUT(pitch);
    if (!pitch) return fail(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    return allocate(p, *pitch * height, MemoryKind::device, "cudaMallocPitch", __builtin_return_address(0));
}

static cudaError_t allocate_host(void **p, size_t size, const void *pc) {
    guest_shares("cudaMallocHost", pc);
    if (!p) return fail(cudaErrorInvalidValue);
    *p = nullptr;
    if (size == 0) return cudaSuccess;
    if (posix_memalign(p, 4096, size) != 0) return fail(cudaErrorMemoryAllocation);
    pin(*p, size, pc);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **p, size_t size, unsigned) {
    SIMT_API_ENTRY();
    return allocate_host(p, size, __builtin_return_address(0));
}

cudaError_t cudaMallocHost(void **p, size_t size) {
    SIMT_API_ENTRY();
    return allocate_host(p, size, __builtin_return_address(0));
}

cudaError_t cudaFreeHost(void *p) {
    SIMT_API_ENTRY();
    if (!p) return cudaSuccess;
    if (!unpin(p, __builtin_return_address(0))) {
        complain("cudaFreeHost(%p): not a live cudaMallocHost allocation", p);
        return fail(cudaErrorInvalidValue);
    }
    free(p);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *p, size_t size, unsigned) {
    SIMT_API_ENTRY();
    guest_shares("cudaHostRegister", __builtin_return_address(0));
    if (!p || size == 0) return fail(cudaErrorInvalidValue);
    if (find_allocation(p)) return fail(cudaErrorHostMemoryAlreadyRegistered);
    pin(p, size, __builtin_return_address(0));
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *p) {
    SIMT_API_ENTRY();
    return unpin(p, __builtin_return_address(0)) ? cudaSuccess : fail(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
    SIMT_API_ENTRY();
    SIMT_OUT(device);
    const Allocation *a = find_allocation(host);
    if (!device || !a || a->kind != MemoryKind::pinned) return fail(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *p) {
    SIMT_API_ENTRY();
    SIMT_OUT(flags);
    const Allocation *a = find_allocation(p);
    if (!flags || !a || a->kind != MemoryKind::pinned) return fail(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    SIMT_API_ENTRY();
    SIMT_OUT(free_bytes);
    SIMT_OUT(total);
    if (!free_bytes || !total) return fail(cudaErrorInvalidValue);
    *total = config().memory;
    *free_bytes = config().memory - memory_in_use();
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p) {
    SIMT_API_ENTRY();
    SIMT_OUT(attributes);
    if (!attributes) return fail(cudaErrorInvalidValue);
    const Allocation *a = find_allocation(p);
    memset(attributes, 0, sizeof *attributes);
    if (!a) {
        attributes->type = in_device_space(p) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
        attributes->device = -2;
        attributes->hostPointer = in_device_space(p) ? nullptr : (void *)p;
        return cudaSuccess;
    }
    attributes->type = a->kind == MemoryKind::pinned    ? cudaMemoryTypeHost
                       : a->kind == MemoryKind::managed ? cudaMemoryTypeManaged
                                                        : cudaMemoryTypeDevice;
    attributes->devicePointer = (void *)p;
    attributes->hostPointer = a->kind == MemoryKind::pinned || a->kind == MemoryKind::managed ? (void *)p : nullptr;
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t, cudaMemLocation, unsigned, cudaStream_t) {
    SIMT_API_ENTRY();
    const Allocation *a = find_allocation(p);
    return a && a->kind == MemoryKind::managed ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t, unsigned) {
    SIMT_API_ENTRY();
    const Allocation *a = find_allocation(p);
    if (cudaError_t error = check_stream(stream)) return error;
    return a && a->kind == MemoryKind::managed ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void *p, size_t, cudaMemoryAdvise, cudaMemLocation) {
    SIMT_API_ENTRY();
    const Allocation *a = find_allocation(p);
    return a && a->kind == MemoryKind::managed ? cudaSuccess : fail(cudaErrorInvalidValue);
}
