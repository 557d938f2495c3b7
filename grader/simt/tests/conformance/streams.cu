// streams.cu: streams, events, callbacks.
#include "common.h"

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

int main() {
    cudaStream_t s1, s2, s3;
    CHECK(cudaStreamCreate(&s1));
    CHECK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    int least, greatest, priority;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamCreateWithPriority(&s3, cudaStreamDefault, greatest));
    CHECK(cudaStreamGetPriority(s3, &priority));
    printf("priorities: %d %d\n", least >= greatest, priority == greatest);

    int *p = device_array<int>(32), h[32];
    cudaEvent_t e1, e2, untimed;
    CHECK(cudaEventCreate(&e1));
    CHECK(cudaEventCreate(&e2));
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(e1, s1));
    add<<<1, 32, 0, s1>>>(p, 1);
    CHECK(cudaEventRecord(untimed, s1));
    CHECK(cudaStreamWaitEvent(s2, untimed, 0));
    add<<<1, 32, 0, s2>>>(p, 10);
    CHECK(cudaEventRecord(e2, s2));
    CHECK(cudaEventSynchronize(e2));
    CHECK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s2));
    CHECK(cudaStreamSynchronize(s2));
    printf("ordered by an event: %d\n", h[5]);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, e1, e2));
    printf("elapsed: %d\n", ms >= 0 && ms < 10000);
    CHECK(cudaStreamSynchronize(s1));
    printf("queries: %s %s\n", cudaGetErrorName(cudaStreamQuery(s1)), cudaGetErrorName(cudaEventQuery(untimed)));
    printf("untimed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, untimed, e2)));
    cudaGetLastError();
    int seen = 0;
    CHECK(cudaLaunchHostFunc(
        s1, [](void *v) { *(int *)v = 42; }, &seen));
    CHECK(cudaStreamSynchronize(s1));
    printf("host function: %d\n", seen);
    CHECK(cudaEventDestroy(e1));
    CHECK(cudaEventDestroy(e2));
    CHECK(cudaEventDestroy(untimed));
    CHECK(cudaStreamDestroy(s1));
    CHECK(cudaStreamDestroy(s2));
    CHECK(cudaStreamDestroy(s3));
    return 0;
}
