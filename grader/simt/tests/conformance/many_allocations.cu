// many_allocations.cu: a list of 40000 nodes, each of them memory of its own. Two mappings each would be more than a system
// gives.
#include "common.h"

struct node {
    int value;
    node *next;
};

__global__ void sum(const node *n, long long *total) {
    long long all = 0;
    for (; n; n = n->next) all += n->value;
    *total = all;
}

int main() {
    long long *total;
    node *first = nullptr;
    CHECK(cudaMallocManaged(&total, sizeof *total));
    for (int i = 0; i < 40000; i++) {
        node *n;
        CHECK(cudaMallocManaged(&n, sizeof *n));
        n->value = i, n->next = first, first = n;
    }
    sum<<<1, 1>>>(first, total);
    CHECK(cudaDeviceSynchronize());
    printf("%lld\n", *total);
    while (first) {
        node *const next = first->next;
        CHECK(cudaFree(first));
        first = next;
    }
    CHECK(cudaMallocManaged(&first, sizeof *first));
    first->value = 5;
    printf("%d\n", first->value);
    return 0;
}
