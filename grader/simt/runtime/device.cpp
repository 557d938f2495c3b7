// device.cpp: the model device. Its limits are an H100's, so that a program that fits here fits there; its name says that
// it is no GPU. Speeds are left at zero: nothing here is a claim about time.
#include "api.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace simt;

namespace {
constexpr size_t shared_per_multiprocessor = 228 << 10;
constexpr size_t shared_reserved_per_block = 1 << 10;
constexpr int threads_per_multiprocessor = 2048, blocks_per_multiprocessor = 32;
constexpr int registers = 65536;
}  // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
    SIMT_API_ENTRY();
    SIMT_OUT(p);
    if (!p) return fail(cudaErrorInvalidValue);
    if (device != 0) return fail(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    strcpy(p->name, "simt model device (CUDA on the CPU)");
    memcpy(p->uuid.bytes, "simt-model-dev-0", 16);
    p->totalGlobalMem = config().memory;
    p->sharedMemPerBlock = shared_default;
    p->sharedMemPerBlockOptin = shared_opt_in;
    p->sharedMemPerMultiprocessor = shared_per_multiprocessor;
    p->reservedSharedMemPerBlock = shared_reserved_per_block;
    p->regsPerBlock = p->regsPerMultiprocessor = registers;
    p->warpSize = warp_size;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = max_block_threads;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 64 << 10;
    p->major = 9;
    p->minor = 0;
    p->textureAlignment = 512;
    p->multiProcessorCount = multiprocessors;
    p->canMapHostMemory = 1;
    p->concurrentKernels = 1;
    p->unifiedAddressing = 1;
    p->managedMemory = 1;
    p->cooperativeLaunch = 1;
    p->memoryPoolsSupported = 1;
    p->streamPrioritiesSupported = 1;
    p->l2CacheSize = 50 << 20;
    p->maxThreadsPerMultiProcessor = threads_per_multiprocessor;
    p->maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
    p->hostRegisterSupported = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    SIMT_API_ENTRY();
    SIMT_OUT(value);
    if (!value) return fail(cudaErrorInvalidValue);
    if (device != 0) return fail(cudaErrorInvalidDevice);
    static const std::map<int, int> values = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxBlockDimX, 1024},
        {cudaDevAttrMaxBlockDimY, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, 0x7fffffff},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxGridDimZ, 65535},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)shared_default},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)shared_opt_in},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)shared_per_multiprocessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, (int)shared_reserved_per_block},
        {cudaDevAttrTotalConstantMemory, 64 << 10},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMaxRegistersPerBlock, registers},
        {cudaDevAttrMaxRegistersPerMultiprocessor, registers},
        {cudaDevAttrMultiProcessorCount, multiprocessors},
        {cudaDevAttrL2CacheSize, 50 << 20},
        {cudaDevAttrMaxThreadsPerMultiProcessor, threads_per_multiprocessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, blocks_per_multiprocessor},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrMaxPitch, 0x7fffffff},
        {cudaDevAttrHostRegisterSupported, 1},
    };
    auto it = values.find(attribute);
    *value = it == values.end() ? 0 : it->second;  // what is not listed the device does not have
    return (int)attribute >= 1 && attribute < cudaDevAttrMax ? cudaSuccess : fail(cudaErrorInvalidValue);
}

// Registers are unknown here: threads, blocks and shared memory decide.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t shared_bytes) {
    SIMT_API_ENTRY();
    SIMT_OUT(blocks);
    if (!blocks || block_size <= 0) return fail(cudaErrorInvalidValue);
    if (block_size > (int)allowed_threads(kernel) || shared_bytes > shared_opt_in) {
        *blocks = 0;
        return cudaSuccess;
    }
    int rounded = (block_size + 31) / 32 * 32;
    size_t shared = shared_bytes + shared_reserved_per_block;
    *blocks = std::min(
        {threads_per_multiprocessor / rounded, blocks_per_multiprocessor, (int)(shared_per_multiprocessor / shared)});
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int block_size,
                                                                   size_t shared_bytes, unsigned) {
    SIMT_OUT(blocks);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *, int blocks, int block_size) {
    SIMT_API_ENTRY();
    SIMT_OUT(bytes);
    if (!bytes || blocks <= 0 || block_size <= 0) return fail(cudaErrorInvalidValue);
    size_t each = shared_per_multiprocessor / (size_t)blocks;
    *bytes = std::min(shared_opt_in, each > shared_reserved_per_block ? each - shared_reserved_per_block : 0);
    return cudaSuccess;
}

// As many clusters as have room beside each other, within 16 multiprocessors of a kind.
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel, const cudaLaunchConfig_t *c) {
    SIMT_OUT(clusters);
    int blocks = 0;
    unsigned size = 1;
    for (unsigned i = 0; i < c->numAttrs; i++)
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
            size = c->attrs[i].val.clusterDim.x * c->attrs[i].val.clusterDim.y * c->attrs[i].val.clusterDim.z;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, (int)(c->blockDim.x * c->blockDim.y * c->blockDim.z), c->dynamicSmemBytes);
    *clusters = size ? blocks * multiprocessors / (int)size : 0;
    return error;
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *, const cudaLaunchConfig_t *) {
    SIMT_OUT(size);
    *size = 8;
    return cudaSuccess;
}
