// graph.cpp: CUDA graphs, and their launch. Their nodes come from a stream that captures (capture.cpp), or one by one
// (graph_nodes.cpp); a launch does them one after another, each behind those that it depends on.
#include "graph.h"

#include <algorithm>
#include <map>

#include "capture.h"
#include "config.h"

using namespace simt;

static std::set<const void *> &graphs() {
    static auto *set = new std::set<const void *>;
    return *set;
}
bool simt::is_graph(const void *graph) { return graphs().count(graph); }
void simt::keep_graph(const void *graph) { graphs().insert(graph); }
bool simt::forget_graph(const void *graph) { return graphs().erase(graph); }

simt_graph_node *simt::add_node(cudaGraph_t graph, Work work, std::vector<simt_graph_node *> after) {
    graph->nodes.emplace_back(new simt_graph_node{std::move(work), std::move(after)});
    return graph->nodes.back().get();
}

bool simt::has_node(cudaGraph_t graph, const simt_graph_node *node) {
    return std::any_of(graph->nodes.begin(), graph->nodes.end(), [=](auto &one) { return one.get() == node; });
}

namespace {
enum Visit { unseen, under_way, done };
}

// Those before it, then the node.
static bool visit(simt_graph_node *node, std::map<simt_graph_node *, Visit> *state,
                  std::vector<simt_graph_node *> *order) {
    if ((*state)[node] != unseen) return (*state)[node] == done;
    (*state)[node] = under_way;
    for (simt_graph_node *before : node->after)
        if (!visit(before, state, order)) return false;
    (*state)[node] = done;
    order->push_back(node);
    return true;
}

bool simt::order_nodes(cudaGraph_t graph, std::vector<simt_graph_node *> *order) {
    std::map<simt_graph_node *, Visit> state;
    const size_t n = graph->nodes.size();
    for (size_t i = 0; i < n; i++)
        if (!visit(graph->nodes[config().order == Order::reverse ? n - 1 - i : i].get(), &state, order)) return false;
    return true;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
    SIMT_API_ENTRY();
    guest_has_none("CUDA graphs", __builtin_return_address(0));
    if (!graph || flags) return fail(cudaErrorInvalidValue);
    *graph = new simt_graph;
    keep_graph(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
    SIMT_API_ENTRY();
    if (!clone || !is_graph(graph)) return fail(cudaErrorInvalidValue);
    std::map<simt_graph_node *, simt_graph_node *> copy;
    if (cudaError_t error = cudaGraphCreate(clone, 0)) return error;
    for (auto &node : graph->nodes) copy[node.get()] = add_node(*clone, node->work, {});
    for (auto &node : graph->nodes)
        for (simt_graph_node *before : node->after) copy[node.get()]->after.push_back(copy[before]);
    return cudaSuccess;
}

static cudaError_t instantiate(cudaGraph_t graph, simt_graph_exec *exec) {
    std::vector<simt_graph_node *> order;
    if (!order_nodes(graph, &order)) {
        complain("cudaGraphInstantiate: nodes of the graph wait for each other");
        return fail(cudaErrorInvalidValue);
    }
    exec->nodes.clear();
    for (simt_graph_node *node : order) exec->nodes.emplace_back(node, node->work);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
    SIMT_API_ENTRY();
    if (!exec || !is_graph(graph)) return fail(cudaErrorInvalidValue);
    if (flags) complain("cudaGraphInstantiate: simt knows no flags of it (%llu)", flags);
    if (flags) return fail(cudaErrorNotSupported);
    auto made = std::make_unique<simt_graph_exec>();
    if (cudaError_t error = instantiate(graph, made.get())) return error;
    keep_graph(*exec = made.release());
    return cudaSuccess;
}

// The same nodes with other arguments: whether they are the same is asked by their number alone.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
    SIMT_API_ENTRY();
    if (!is_graph(exec) || !is_graph(graph) || !info) return fail(cudaErrorInvalidValue);
    const bool same = exec->nodes.size() == graph->nodes.size();
    *info = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    return same ? instantiate(graph, exec) : fail(cudaErrorGraphExecUpdateFailure);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    SIMT_API_ENTRY();
    if (!is_graph(exec)) return fail(cudaErrorInvalidValue);
    if (cudaError_t error = refused_while_capturing(stream)) return error;
    if (cudaError_t error = check_stream(stream)) return error;
    for (auto &[node, works] : exec->nodes)
        for (auto &work : works) work();
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    SIMT_API_ENTRY();
    return is_graph(exec) ? check_stream(stream) : fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    SIMT_API_ENTRY();
    if (!count || !is_graph(graph)) return fail(cudaErrorInvalidValue);
    const size_t n = graph->nodes.size();
    for (size_t i = 0; nodes && i < *count; i++) nodes[i] = i < n ? graph->nodes[i].get() : nullptr;
    *count = nodes ? std::min(*count, n) : n;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    SIMT_API_ENTRY();
    if (!forget_graph(graph)) return fail(cudaErrorInvalidValue);
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    SIMT_API_ENTRY();
    if (!forget_graph(exec)) return fail(cudaErrorInvalidValue);
    delete exec;
    return cudaSuccess;
}
