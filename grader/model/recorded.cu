// recorded.cu: a call recorded in a CUDA graph, and the graph run in place of the call.
#include "recorded.h"

#include <stdlib.h>
#include <string.h>

#include "network.h"

// All regions, one behind the other: free() it. NULL after an error.
static char *copy_of(const lab_regions *r, size_t *all) {
    *all = 0;
    for (int i = 0; i < r->n; i++) *all += r->bytes[i];
    char *const copy = (char *)malloc(*all), *to = copy;
    cudaError_t error = copy ? cudaDeviceSynchronize() : cudaErrorMemoryAllocation;
    for (int i = 0; i < r->n && error == cudaSuccess; to += r->bytes[i++])
        error = cudaMemcpy(to, r->at[i], r->bytes[i], cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) return copy;
    free(copy);
    return NULL;
}

static cudaError_t unchanged(const lab_regions *r, const char *before) {
    size_t all;
    char *const now = copy_of(r, &all);
    const int same = now && memcmp(before, now, all) == 0;
    free(now);
    return same ? cudaSuccess : cudaErrorStreamCaptureIsolation;
}

attn_status lab_recorded(attn_status (*call)(const void *), const void *context, const lab_regions *regions,
                         cudaStream_t stream) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t run = NULL;
    size_t all;
    char *const before = copy_of(regions, &all);
    if (!before) return ATTN_NO_MEMORY;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    const attn_status status = error == cudaSuccess ? call(context) : ATTN_CUDA_ERROR;
    if (error == cudaSuccess) error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess && status == ATTN_OK) error = unchanged(regions, before);
    if (error == cudaSuccess && status == ATTN_OK) error = cudaGraphInstantiate(&run, graph, 0);
    if (run) error = cudaGraphLaunch(run, stream);
    if (run) cudaGraphExecDestroy(run);
    if (graph) cudaGraphDestroy(graph);
    free(before);
    if (error != cudaSuccess) cudaGetLastError();  // it has been heard
    return error && (status == ATTN_OK || status == ATTN_CUDA_ERROR) ? (attn_status)(LAB_DEVICE + error) : status;
}
