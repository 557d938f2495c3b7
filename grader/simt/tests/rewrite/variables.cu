// __device__, __constant__ and __managed__ variables, some shared with variables_more.cu.
#include "tap.h"

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ int counter, *place = nullptr;
static __device__ struct { int a, b; } record = {7, 8};
__managed__ int managed[2];
__device__ float shared_table[2][3];
extern __device__ int elsewhere;
__global__ void set_elsewhere(int value);  // both in variables_more.cu

__global__ void use(float *out) {
    atomicAdd(&counter, 1);
    managed[0] = record.b;
    shared_table[1][2] = 6;
    *out = weights[0] + weights[3] + elsewhere;
}

int main() {
    float *out, host;
    cudaMalloc(&out, sizeof *out);
    float changed[2] = {10, 20};
    ok(cudaMemcpyToSymbol(weights, changed, sizeof changed, 2 * sizeof(float)) == cudaSuccess, "cudaMemcpyToSymbol with an offset");
    set_elsewhere<<<1, 1>>>(100);
    use<<<4, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host == 1 + 20 + 100, "a constant, and a variable and a kernel of another file");
    int count = 0;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    ok(count == 4, "cudaMemcpyFromSymbol");
    ok(managed[0] == 8, "a managed variable on the host");
    void *address = NULL;
    ok(cudaGetSymbolAddress(&address, shared_table) == cudaSuccess && address == (void *)shared_table, "cudaGetSymbolAddress");
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}
