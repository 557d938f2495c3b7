// graphs.cu: CUDA graphs by capture: what is taken down, forks and joins, and what a capturing stream refuses.
#include "common.h"

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void times(int *p, const int *q) { p[threadIdx.x] *= q[threadIdx.x]; }

static int first(const int *p) {
    int h[32];
    CHECK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    return h[31];
}

// p = p * (p + 5) + 1 in two streams; q is the other's.
static cudaGraph_t two_streams(cudaStream_t a, cudaStream_t b, int *p, int *q, bool join) {
    cudaEvent_t forked, joined;
    cudaGraph_t graph = nullptr;
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(forked, a));
    CHECK(cudaStreamWaitEvent(b, forked, 0));
    CHECK(cudaMemcpyAsync(q, p, 32 * sizeof *q, cudaMemcpyDeviceToDevice, b));
    for (int i = 0; i < 5; i++) add<<<1, 32, 0, b>>>(q, 1);
    CHECK(cudaEventRecord(joined, b));
    if (join) {
        CHECK(cudaStreamWaitEvent(a, joined, 0));
        times<<<1, 32, 0, a>>>(p, q);
    }
    add<<<1, 32, 0, a>>>(p, 1);
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(b, &status));
    printf("capturing: %d\n", status == cudaStreamCaptureStatusActive);
    cudaError_t error = cudaStreamEndCapture(a, &graph);
    if (error) printf("%s\n", cudaGetErrorName(error));
    cudaGetLastError();
    return graph;
}

int main() {
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    int *p = device_array<int>(32), *q = device_array<int>(32);
    cudaGraph_t graph = two_streams(a, b, p, q, true);
    printf("after the capture: %d\n", first(p));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("nodes: %d\n", (int)nodes);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    CHECK(cudaGraphDestroy(graph));
    for (int i = 0; i < 3; i++) {
        CHECK(cudaGraphLaunch(exec, a));
        CHECK(cudaStreamSynchronize(a));
        printf("launch %d: %d\n", i, first(p));
    }
    CHECK(cudaGraphExecDestroy(exec));
    two_streams(a, b, p, q, false);

    // Arguments are kept as they were, host functions run at each launch, a memset is a node, too.
    int seen = 0, v = 7;
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    CHECK(cudaMemsetAsync(p, 0, 32 * sizeof *p, a));
    add<<<1, 32, 0, a>>>(p, v);
    v = 9;
    CHECK(cudaLaunchHostFunc(
        a, [](void *n) { ++*(int *)n; }, &seen));
    CHECK(cudaStreamEndCapture(a, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaStreamSynchronize(b));
    printf("%d, host function %d times\n", first(p), seen);

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    printf("synchronise: %s\n", cudaGetErrorName(cudaStreamSynchronize(a)));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(a, &graph)));
    cudaGetLastError();
    printf("not begun: %s\n", cudaGetErrorName(cudaStreamEndCapture(a, &graph)));
    return 0;
}
