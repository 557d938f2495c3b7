// graph_nodes.cpp: nodes that a program adds to a CUDA graph one by one.
//
// A node's work is what the usual call would do at once, taken down as a stream that captures takes it down (capture.h).
#include <cstring>

#include "capture.h"
#include "graph.h"

using namespace simt;

#define NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n_after
#define PC __builtin_return_address(0)

// What `call` asks for, in place of doing it.
template <class Call> static cudaError_t take_down(Work *work, Call call) {
    collect(work);
    const cudaError_t error = call();
    collect(nullptr);
    return error;
}

template <class Call> static cudaError_t add(NEW_NODE, Call call) {
    if (!node || !is_graph(graph) || (n_after && !after)) return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < n_after; i++)
        if (!has_node(graph, after[i])) return fail(cudaErrorInvalidValue);
    Work work;
    if (cudaError_t error = take_down(&work, call)) return error;
    *node = add_node(graph, std::move(work), {after, after + n_after});
    return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(NEW_NODE) {
    SIMT_API_ENTRY();
    return add(node, graph, after, n_after, [] { return cudaSuccess; });
}

static cudaError_t launch(const cudaKernelNodeParams *params, const simt_site *site) {
    if (!params || !params->func.kernel) return fail(cudaErrorInvalidValue);
    if (!params->func.launch)
        complain("%s with a void pointer: simt needs the kernel's type; write params.func = (void *)kernel where it is "
                 "set",
                 site->kernel);
    if (!params->func.launch || params->extra) return fail(cudaErrorNotSupported);
    params->func.launch(params, *site);
    return cudaPeekAtLastError();
}

cudaError_t simt_graph_add_kernel(NEW_NODE, const cudaKernelNodeParams *params, const simt_site *site) {
    SIMT_API_ENTRY();
    return add(node, graph, after, n_after, [=] { return launch(params, site); });
}

cudaError_t simt_graph_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams *params,
                                  const simt_site *site) {
    SIMT_API_ENTRY();
    if (!is_graph(exec)) return fail(cudaErrorInvalidValue);
    for (auto &[own, works] : exec->nodes) {
        if (own != node) continue;
        Work work;
        const cudaError_t error = take_down(&work, [=] { return launch(params, site); });
        if (!error) works = std::move(work);
        return error;
    }
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddMemcpyNode1D(NEW_NODE, void *dst, const void *src, size_t n, cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    const void *pc = PC;
    return add(node, graph, after, n_after, [=] {
        captured(nullptr, [=] { copy_rows("cudaGraphAddMemcpyNode1D", dst, n, src, n, n, 1, kind, pc); });
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddMemcpyNode(NEW_NODE, const cudaMemcpy3DParms *params) {
    SIMT_API_ENTRY();
    if (!params) return fail(cudaErrorInvalidValue);
    const cudaMemcpy3DParms what = *params;
    return add(node, graph, after, n_after, [=] {
        captured(nullptr, [=] { cudaMemcpy3D(&what); });
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddMemsetNode(NEW_NODE, const cudaMemsetParams *params) {
    SIMT_API_ENTRY();
    const void *pc = PC;
    if (!params || (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
        return fail(cudaErrorInvalidValue);
    const cudaMemsetParams p = *params;
    const size_t bytes = p.width * p.elementSize;
    std::vector<char> row(bytes);
    for (size_t i = 0; i < bytes; i += p.elementSize) memcpy(&row[i], &p.value, p.elementSize);  // little-endian
    return add(node, graph, after, n_after, [=] {
        captured(nullptr, [=] {
            for (size_t y = 0; y < p.height; y++)
                copy_rows("cudaGraphAddMemsetNode", (char *)p.dst + y * p.pitch, bytes, row.data(), bytes, bytes, 1,
                          cudaMemcpyHostToDevice, pc);
        });
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddHostNode(NEW_NODE, const cudaHostNodeParams *params) {
    SIMT_API_ENTRY();
    if (!params || !params->fn) return fail(cudaErrorInvalidValue);
    const cudaHostNodeParams host = *params;
    return add(node, graph, after, n_after, [=] {
        captured(nullptr, [=] { host.fn(host.userData); });
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddChildGraphNode(NEW_NODE, cudaGraph_t child) {
    SIMT_API_ENTRY();
    std::vector<simt_graph_node *> order;
    if (!is_graph(child) || !order_nodes(child, &order)) return fail(cudaErrorInvalidValue);
    return add(node, graph, after, n_after, [=] {
        for (simt_graph_node *one : order)
            for (auto &work : one->work) captured(nullptr, work);
        return cudaSuccess;
    });
}

cudaError_t simt_graph_add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n) {
    SIMT_API_ENTRY();
    if (!is_graph(graph) || (n && (!from || !to))) return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++)
        if (!has_node(graph, from[i]) || !has_node(graph, to[i])) return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) to[i]->after.push_back(from[i]);
    return cudaSuccess;
}
