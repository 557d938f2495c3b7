// graph.h: CUDA graphs that a program makes node by node. Those of captured streams: api.h.
#ifndef SIMT_GRAPH_H
#define SIMT_GRAPH_H

#include "volume.h"

struct cudaKernelNodeParams;

namespace simt {
// A kernel that is kept for later. Its arguments will be pointers to anything, so its type is kept, too; the rewriter takes
// the cast from `params.func = (void *)kernel`, which would hide it.
struct typed_kernel {
    const void *kernel;
    void (*launch)(const cudaKernelNodeParams *params, const simt_site &site);  // null: its type is not known
    typed_kernel() = default;
    SIMT_INLINE typed_kernel(const void *p) : kernel(p), launch(nullptr) {}
    template <class... P> SIMT_INLINE typed_kernel(void (*k)(P...)) : kernel((const void *)k), launch(start<P...>) {}
    SIMT_INLINE operator void *() const { return const_cast<void *>(kernel); }

private:
    template <class... P> static void start(const cudaKernelNodeParams *params, const simt_site &site);
};
}  // namespace simt

typedef struct cudaKernelNodeParams {
    simt::typed_kernel func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
} cudaKernelNodeParams;

template <class... P> void simt::typed_kernel::start(const cudaKernelNodeParams *params, const simt_site &site) {
    launch_by_pointers((void (*)(P...))params->func.kernel, params->gridDim, params->blockDim, params->kernelParams,
                       params->sharedMemBytes, nullptr, site, std::index_sequence_for<P...>());
}

typedef struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;  // elementSize: 1, 2 or 4 bytes
    size_t width, height;         // width in elements
} cudaMemsetParams;
typedef struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
} cudaHostNodeParams;
typedef struct cudaGraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
typedef enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2
} cudaGraphExecUpdateResult;
typedef struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

#define SIMT_NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n_after
extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphAddEmptyNode(SIMT_NEW_NODE);
cudaError_t cudaGraphAddMemcpyNode(SIMT_NEW_NODE, const cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(SIMT_NEW_NODE, void *dst, const void *src, size_t n, cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(SIMT_NEW_NODE, const cudaMemsetParams *params);
cudaError_t cudaGraphAddHostNode(SIMT_NEW_NODE, const cudaHostNodeParams *params);
cudaError_t cudaGraphAddChildGraphNode(SIMT_NEW_NODE, cudaGraph_t child);
cudaError_t simt_graph_add_kernel(SIMT_NEW_NODE, const cudaKernelNodeParams *params, const simt_site *site);
cudaError_t simt_graph_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams *params,
                                  const simt_site *site);
cudaError_t simt_graph_add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);
}
SIMT_INLINE cudaError_t cudaGraphAddKernelNode(SIMT_NEW_NODE, const cudaKernelNodeParams *params, SIMT_CALLED_AT) {
    const simt_site site = {"(cudaGraphAddKernelNode)", file, line};
    return simt_graph_add_kernel(node, graph, after, n_after, params, &site);
}
#undef SIMT_NEW_NODE
SIMT_INLINE cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                         const cudaKernelNodeParams *params, SIMT_CALLED_AT) {
    const simt_site site = {"(cudaGraphExecKernelNodeSetParams)", file, line};
    return simt_graph_set_kernel(exec, node, params, &site);
}

// The forms of CUDA 13, with data of edges, and those before it.
SIMT_INLINE cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                 const cudaGraphNode_t *to, size_t n) {
    return simt_graph_add_edges(graph, from, to, n);
}
SIMT_INLINE cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                 const cudaGraphNode_t *to, const cudaGraphEdgeData *, size_t n) {
    return simt_graph_add_edges(graph, from, to, n);
}
SIMT_INLINE cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error,
                                            cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t status = cudaGraphExecUpdate(exec, graph, &info);
    if (error) *error = info.errorNode;
    if (result) *result = info.result;
    return status;
}
#endif
