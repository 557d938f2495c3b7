// graph_nodes.cu: CUDA graphs made node by node: every kind of node, what comes first, other arguments, clones.
#include "common.h"

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
template <class T> __global__ void times(T *p, T v) { p[threadIdx.x] *= v; }
static void count(void *calls) { ++*(int *)calls; }

static int *p, host[32], calls;

static cudaKernelNodeParams with(void **arguments) {
    cudaKernelNodeParams params = {};
    params.gridDim = dim3(1), params.blockDim = dim3(32);
    params.kernelParams = arguments;
    return params;
}

// p = (p + a) * b, by nodes that are added in the other order.
static cudaGraph_t sum_then_product(int a, int b, cudaGraphNode_t *sum) {
    cudaGraph_t graph;
    cudaGraphNode_t product;
    CHECK(cudaGraphCreate(&graph, 0));
    void *of_times[] = {&p, &b}, *of_add[] = {&p, &a};
    cudaKernelNodeParams params = with(of_times);
    params.func = (void *)times<int>;
    CHECK(cudaGraphAddKernelNode(&product, graph, nullptr, 0, &params));
    cudaKernelNodeParams other = {(void *)add, dim3(1), dim3(32), 0, of_add, nullptr};
    CHECK(cudaGraphAddKernelNode(sum, graph, nullptr, 0, &other));
    CHECK(cudaGraphAddDependencies(graph, sum, &product, nullptr, 1));
    a = b = 1000;  // the nodes have what they were given
    return graph;
}

static void launch(const char *what, cudaGraphExec_t exec) {
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    printf("%s: %d, %d calls\n", what, host[31], calls);
}

int main() {
    p = device_array<int>(32);
    cudaGraphNode_t sum, node[6];
    cudaGraph_t inner = sum_then_product(2, 3, &sum), graph, clone;
    cudaGraphExec_t exec, whole;
    CHECK(cudaGraphInstantiate(&exec, inner, 0));
    launch("a sum and a product", exec);
    launch("once more", exec);
    int five = 5;
    void *of_add[] = {&p, &five};
    cudaKernelNodeParams params = with(of_add);
    params.func = reinterpret_cast<void *>(add);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, sum, &params));
    launch("another summand", exec);

    // A memset, the graph above, a copy to the host, an empty node and a host function, in a row.
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams set = {};
    set.dst = p, set.value = 7, set.elementSize = 4, set.width = 32, set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&node[0], graph, nullptr, 0, &set));
    CHECK(cudaGraphAddChildGraphNode(&node[1], graph, node, 1, inner));
    static int copied[32], again[32];
    CHECK(cudaGraphAddMemcpyNode1D(&node[2], graph, node + 1, 1, copied, p, sizeof copied, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms volume = {};
    volume.srcPtr = make_cudaPitchedPtr(p, sizeof again, 32, 1);
    volume.dstPtr = make_cudaPitchedPtr(again, sizeof again, 32, 1);
    volume.extent = make_cudaExtent(sizeof again, 1, 1);
    volume.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaGraphAddMemcpyNode(&node[3], graph, node + 1, 1, &volume));
    CHECK(cudaGraphAddEmptyNode(&node[4], graph, node + 2, 2));
    cudaHostNodeParams function = {count, &calls};
    CHECK(cudaGraphAddHostNode(&node[5], graph, node + 4, 1, &function));
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphInstantiate(&whole, clone, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(clone));
    launch("all kinds", whole);
    printf("copied: %d %d\n", copied[31], again[0]);
    launch("all kinds again", whole);

    // Other numbers, from another graph of the same nodes.
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t same = sum_then_product(1, 10, &sum);
    CHECK(cudaGraphExecUpdate(exec, same, &info));
    launch("another graph's numbers", exec);
    size_t n = 2;
    cudaGraphNode_t both[2];
    CHECK(cudaGraphGetNodes(same, both, &n));
    printf("nodes: %d, the second one is the sum: %d\n", (int)n, both[1] == sum);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphExecDestroy(whole));
    CHECK(cudaGraphDestroy(inner));
    CHECK(cudaGraphDestroy(same));
    return 0;
}
