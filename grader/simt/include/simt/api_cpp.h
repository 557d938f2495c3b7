// api_cpp.h: the C++ side of the host API: typed pointers, symbols by reference, kernels by type.
#ifndef SIMT_API_CPP_H
#define SIMT_API_CPP_H

#include <tuple>
#include <utility>

#include "../../runtime/abi.h"

template <class T> SIMT_INLINE cudaError_t cudaMalloc(T **p, size_t size) { return cudaMalloc((void **)p, size); }
template <class T> SIMT_INLINE cudaError_t cudaMallocAsync(T **p, size_t size, cudaStream_t stream) {
    return cudaMallocAsync((void **)p, size, stream);
}
template <class T>
SIMT_INLINE cudaError_t cudaMallocFromPoolAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)p, size, pool, stream);
}
template <class T>
SIMT_INLINE cudaError_t cudaMallocAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)p, size, pool, stream);
}
template <class T>
SIMT_INLINE cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t n = 0,
                                                 unsigned flags = cudaMemAttachSingle) {
    return cudaStreamAttachMemAsync(stream, (void *)p, n, flags);
}
template <class T> SIMT_INLINE cudaError_t cudaMallocHost(T **p, size_t size, unsigned = 0) {
    return cudaMallocHost((void **)p, size);
}
template <class T> SIMT_INLINE cudaError_t cudaHostAlloc(T **p, size_t size, unsigned flags) {
    return cudaHostAlloc((void **)p, size, flags);
}
template <class T> SIMT_INLINE cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T> SIMT_INLINE cudaError_t cudaMallocManaged(T **p, size_t size, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)p, size, flags);
}
template <class T> SIMT_INLINE cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch((void **)p, pitch, width, height);
}

template <class T>
SIMT_INLINE cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t n, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol((const void *)&symbol, src, n, offset, kind);
}
template <class T>
SIMT_INLINE cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t n, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, n, offset, kind);
}
template <class T>
SIMT_INLINE cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t n, size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync((const void *)&symbol, src, n, offset, kind, stream);
}
template <class T>
SIMT_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t n, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                  cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, n, offset, kind, stream);
}
template <class T> SIMT_INLINE cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) {
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T, class S> SIMT_INLINE cudaError_t cudaGetSymbolAddress(T **p, const S &symbol) {
    return cudaGetSymbolAddress((void **)p, (const void *)&symbol);
}
template <class T> SIMT_INLINE cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
    return cudaGetSymbolSize(size, (const void *)&symbol);
}

template <class... P>
SIMT_INLINE cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class... P>
SIMT_INLINE cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...)) {
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class... P> SIMT_INLINE cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class... P>
SIMT_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...), int block_size,
                                                                      size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size, shared_bytes);
}
template <class... P>
SIMT_INLINE cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void (*kernel)(P...), int blocks,
                                                                  int block_size) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, block_size);
}
// The block size (a multiple of 32) with the most threads per SM, registers not considered; the largest of equals.
template <class K, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block_size, K kernel, F shared_bytes,
                                                           int limit = 0) {
    int best = 0;
    for (int size = limit > 0 && limit < 1024 ? limit / 32 * 32 : 1024; size >= 32; size -= 32) {
        int blocks = 0;
        cudaError_t error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, size, shared_bytes(size));
        if (error != cudaSuccess) return error;
        if (blocks * size > best) {
            best = blocks * size;
            *block_size = size;
            *min_grid = blocks * 132;
        }
    }
    return cudaSuccess;
}
template <class K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, K kernel, size_t shared_bytes = 0,
                                               int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        min_grid, block_size, kernel, [=](int) { return shared_bytes; }, limit);
}
template <class T> SIMT_INLINE cudaError_t cudaEventCreate(T *event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}

SIMT_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *, char *,
                                             size_t) {
    return cudaGraphInstantiate(exec, graph);
}
SIMT_INLINE cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                      unsigned long long flags = 0) {
    return cudaGraphInstantiate(exec, graph, flags);
}

// The forms of CUDA 12, with a device's number.
SIMT_INLINE cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(
        p, n, cudaMemLocation{device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device}, 0u, stream);
}
SIMT_INLINE cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(p, n, advice,
                         cudaMemLocation{device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device});
}

// The last parameters: where the call stands.
#define SIMT_CALLED_AT const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace simt {
template <class... P, size_t... I>
void launch_by_pointers(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                        cudaStream_t stream, const simt_site &site, std::index_sequence<I...>) {
    struct Call {
        void (*kernel)(P...);
        std::tuple<P...> parameters;
    } call{kernel, std::tuple<P...>(*(typename std::remove_reference<P>::type *)arguments[I]...)};
    simt_launch(
        &site, (const void *)kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, stream,
        [](void *p) {
            Call *c = (Call *)p;
            std::apply(c->kernel, c->parameters);
        },
        &call, sizeof call);
}
}  // namespace simt
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0, SIMT_CALLED_AT) {
    simt_launch_together({1, 1, 1}, 1);
    simt::launch_by_pointers(kernel, grid, block, arguments, shared_bytes, stream,
                             {"(cudaLaunchCooperativeKernel)", file, line}, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}

namespace simt {
// What the attributes of a launch ask for, told to the runtime.
inline void tell_attributes(const cudaLaunchConfig_t *c) {
    simt_uint3 cluster = {1, 1, 1};
    int cooperative = 0;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute &a = c->attrs[i];
        if (a.id == cudaLaunchAttributeClusterDimension)
            cluster = {a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z};
        if (a.id == cudaLaunchAttributeCooperative) cooperative = a.val.cooperative;
    }
    simt_launch_together(cluster, cooperative);
}
}  // namespace simt
template <class... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, void (*kernel)(P...), void **arguments, SIMT_CALLED_AT) {
    simt::tell_attributes(c);
    simt::launch_by_pointers(kernel, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream,
                             {"(cudaLaunchKernelEx)", file, line}, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}
namespace simt {
// A configuration, and where the call stands that it is an argument of.
struct configured {
    const cudaLaunchConfig_t *config;
    const char *file;
    int line;
    configured(const cudaLaunchConfig_t *c, const char *f = __builtin_FILE(), int l = __builtin_LINE())
        : config(c), file(f), line(l) {}
};
}  // namespace simt
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(simt::configured c, void (*kernel)(P...), A &&...arguments) {
    std::tuple<std::decay_t<P>...> parameters(std::forward<A>(arguments)...);
    return std::apply(
        [&](auto &...p) {
            void *pointers[] = {(void *)&p..., nullptr};
            return cudaLaunchKernelExC(c.config, kernel, pointers, c.file, c.line);
        },
        parameters);
}
template <class... P>
SIMT_INLINE cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, void (*kernel)(P...),
                                                       const cudaLaunchConfig_t *c) {
    return cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, c);
}
template <class... P>
SIMT_INLINE cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, void (*kernel)(P...),
                                                             const cudaLaunchConfig_t *c) {
    return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, c);
}

template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = 0, SIMT_CALLED_AT) {
    simt::launch_by_pointers(kernel, grid, block, arguments, shared_bytes, stream, {"(cudaLaunchKernel)", file, line},
                             std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}

#include "graph.h"
#endif
