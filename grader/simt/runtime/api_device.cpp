// api_device.cpp: the rest of the host API: which device, synchronisation, limits, kernels' attributes.
#include "capture.h"

#include <cstdio>
#include <cstring>

namespace simt {

// What cudaDeviceGetLimit says; only the heap's size (kernels' malloc) has an effect.
static size_t limits[8] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};
size_t &device_heap_limit() { return limits[cudaLimitMallocHeapSize]; }

}  // namespace simt

using namespace simt;

cudaError_t cudaGetDeviceCount(int *count) {
    SIMT_API_ENTRY();
    SIMT_OUT(count);
    if (!count) return fail(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    SIMT_API_ENTRY();
    SIMT_OUT(device);
    if (!device) return fail(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    SIMT_API_ENTRY();
    return device == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice);
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *wanted) {
    return wanted ? cudaGetDevice(device) : fail(cudaErrorInvalidValue);  // there is one
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    SIMT_OUT(flags);
    *flags = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    SIMT_API_ENTRY();
    if (cudaError_t error = refused_while_capturing(nullptr)) return error;
    tell_synchronised();
    return cudaSuccess;
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

// Frees everything and mends a broken context.
cudaError_t cudaDeviceReset(void) {
    std::lock_guard<std::recursive_mutex> guard(api_lock);
    release_everything(__builtin_return_address(0));
    set_sticky(0);
    cudaGetLastError();
    return cudaSuccess;
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    SIMT_API_ENTRY();
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return fail(cudaErrorUnsupportedLimit);
    limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
    SIMT_API_ENTRY();
    SIMT_OUT(value);
    if (!value) return fail(cudaErrorInvalidValue);
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return fail(cudaErrorUnsupportedLimit);
    *value = limits[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
    SIMT_OUT(config);
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
    SIMT_OUT(config);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    SIMT_OUT(least);
    SIMT_OUT(greatest);
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
}

// There is one device: it has no peer, and of a pair of itself CUDA says that it is none.
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    SIMT_API_ENTRY();
    SIMT_OUT(can);
    if (!can) return fail(cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return fail(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
    SIMT_API_ENTRY();
    SIMT_OUT(value);
    return fail(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return fail(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceDisablePeerAccess(int) { return fail(cudaErrorPeerAccessNotEnabled); }

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
    SIMT_API_ENTRY();
    SIMT_OUT(id);
    if (!id || length < 13 || device != 0) return fail(cudaErrorInvalidValue);
    snprintf(id, (size_t)length, "0000:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
    SIMT_API_ENTRY();
    SIMT_OUT(device);
    if (!device || !id) return fail(cudaErrorInvalidValue);
    if (strcmp(id, "0000:00:00.0") != 0) return fail(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
    SIMT_API_ENTRY();
    for (int i = 0; i < count; i++)
        if (devices[i] != 0) return fail(cudaErrorInvalidDevice);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
    SIMT_OUT(version);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    SIMT_OUT(version);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value) {
    SIMT_API_ENTRY();
    if (!kernel) return fail(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value >= -1 && value <= 100 ? cudaSuccess : fail(cudaErrorInvalidValue);
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
        allow_wide_clusters(kernel, value != 0);
        return cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return fail(cudaErrorInvalidValue);
    if (value < 0 || (size_t)value > shared_opt_in) {
        complain("error: cudaFuncSetAttribute refused: %d bytes of dynamic shared memory; a block can have at most %zu",
                 value, shared_opt_in);
        return fail(cudaErrorInvalidValue);
    }
    allow_shared(kernel, (size_t)value);
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel) {
    SIMT_API_ENTRY();
    SIMT_OUT(attributes);
    if (!attributes) return fail(cudaErrorInvalidValue);
    if (!kernel) return fail(cudaErrorInvalidDeviceFunction);
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = (int)allowed_threads(kernel);
    attributes->maxDynamicSharedSizeBytes = (int)allowed_shared(kernel);
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig) { return cudaSuccess; }

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) {
    complain("cudaLaunchKernel with a void pointer: simt needs the kernel's type; pass the kernel itself, or write "
             "kernel<<<...>>>(...)");
    return fail(cudaErrorNotSupported);
}

static cudaError_t refuse_untyped(const char *function) {
    complain("%s with a void pointer: simt needs the kernel's type; pass the kernel itself", function);
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) {
    return refuse_untyped("cudaLaunchCooperativeKernel");
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **) {
    return refuse_untyped("cudaLaunchKernelExC");
}
