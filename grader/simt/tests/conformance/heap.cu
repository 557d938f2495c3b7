// heap.cu: malloc and free in kernels of many blocks, which several processors run at the same time.
#include "common.h"

struct node {
    int number;
    node *next;
};
__device__ node *head;

__global__ void add() {
    node *mine = (node *)malloc(sizeof *mine), *old = head, *seen;
    mine->number = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    do {
        mine->next = seen = old;
        old = (node *)atomicCAS((unsigned long long *)&head, (unsigned long long)seen, (unsigned long long)mine);
    } while (old != seen);
}
__global__ void take(int *n, long long *sum) {
    for (node *p = head, *next; p; p = next) ++*n, *sum += p->number, next = p->next, free(p);
}
__global__ void come_and_go(int *bad) {
    int *mine = (int *)malloc(4 * (threadIdx.x + 1));
    mine[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (mine[threadIdx.x] != (int)threadIdx.x) atomicAdd(bad, 1);
    free(mine);
}

int main() {
    int *n = device_array<int>(2, 0), got[2];
    long long *sum = device_array<long long>(1, 0), total;
    add<<<64, 32>>>();
    take<<<1, 1>>>(n, sum);
    come_and_go<<<64, 32>>>(n + 1);
    CHECK(cudaDeviceSynchronize());
    download(got, n, 2), download(&total, sum, 1);
    printf("nodes %d, sum %lld, bad %d\n", got[0], total, got[1]);
    return 0;
}
