// graph.h: a CUDA graph as simt keeps it: nodes of work, and which of them come first.
#ifndef SIMT_RUNTIME_GRAPH_H
#define SIMT_RUNTIME_GRAPH_H

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "api.h"

typedef std::vector<std::function<void()>> Work;
struct simt_graph_node {
    Work work;
    std::vector<simt_graph_node *> after;
};
struct simt_graph {
    std::vector<std::unique_ptr<simt_graph_node>> nodes;
};
struct simt_graph_exec {
    std::vector<std::pair<const simt_graph_node *, Work>> nodes;  // in the order in which they run
};

#pragma GCC visibility push(hidden)
namespace simt {

// A new node of a graph.
simt_graph_node *add_node(cudaGraph_t graph, Work work, std::vector<simt_graph_node *> after);
bool has_node(cudaGraph_t graph, const simt_graph_node *node);
// Whether it is a graph, or an executable one, that lives; keep, forget: one that begins to, or no longer does.
bool is_graph(const void *graph);
void keep_graph(const void *graph);
bool forget_graph(const void *graph);
// The nodes in an order in which they may run; false: they wait for each other. In the other order where SIMT_ORDER is
// `reverse`, so that a dependency which was forgotten shows.
bool order_nodes(cudaGraph_t graph, std::vector<simt_graph_node *> *order);

}  // namespace simt
#pragma GCC visibility pop
#endif
