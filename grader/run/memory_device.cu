// memory_device.cu: a CUDA stage works on a copy of the arena in device memory: guard bands and poison travel along, so
// the checker sees a stray write on the GPU as it sees one on the CPU. For nvcc and for grader/simt.
#include <cuda_runtime.h>
#include <sys/mman.h>

#include "counts.h"
#include "device_fill.h"
#include "memory.h"

static const size_t KEPT = (size_t)2 << 30;  // more device memory than this is given back after every request

static char *host, *device;
static size_t host_bytes, capacity;

extern "C" int lab_memory_open(char *arena, size_t bytes) {
    host = arena;
    host_bytes = bytes;
    return cudaFree(0);  // makes the context: no device, no runner
}

extern "C" char *lab_memory_base() { return device; }

extern "C" void lab_memory_hide(int hidden) { mprotect(host, host_bytes, hidden ? PROT_NONE : PROT_READ | PROT_WRITE); }

static void give_back() {
    cudaFree(device);
    device = nullptr;
    capacity = 0;
}

static int reserve(size_t bytes) {
    if (bytes <= capacity) return 0;
    give_back();
    const int error = cudaMalloc((void **)&device, bytes);
    if (error == cudaSuccess) capacity = bytes;
    return error;
}

extern "C" int lab_memory_load(const lab_request *r) {
    int error = reserve(r->bytes);
    lab_counts_forget();
    if (error == cudaSuccess) error = cudaMemcpy(device, host, r->bytes, cudaMemcpyHostToDevice);
    return error;
}

// Work may be on any stream: wait for the whole device.
extern "C" int lab_memory_wait() {
    const int error = cudaDeviceSynchronize();
    return lab_counts_reports() > 0 ? LAB_CHECK_REPORT : error;
}

extern "C" int lab_memory_store(const lab_request *r) {
    const bool all = r->steps & LAB_STORE_ALL;
    const size_t at = all ? 0 : r->offset[0] + r->part[0] * r->stride + r->part[1] * sizeof(float),
                 bytes = all ? r->bytes : r->part[2] * sizeof(float);
    const int error = cudaMemcpy(host + at, device + at, bytes, cudaMemcpyDeviceToHost);
    if (capacity > KEPT) give_back();
    return error;
}

// ---- For the clock: inputs made on the device, and graphs

static void forget_graph();

extern "C" int lab_memory_fill(const lab_request *r) {
    forget_graph();
    int error = reserve(r->bytes);
    for (uint32_t set = 0; set < r->sets; set++)
        for (uint32_t t = 0; t < r->n_tensors && !error; t++) {
            char *at = device + r->offset[t] + set * r->stride;
            const size_t n = r->elements[t];
            if (t && t == r->lengths)
                error = lab_fill_lengths((int *)at, n, r->extra[1]);
            else if (r->key[t])
                error = lab_fill_normal((float *)at, n, r->key[t], set * n);
            else
                error = cudaMemset(at, 0xff, n * sizeof(float));  // NaN in every element
        }
    return error ? error : lab_flush_caches();
}

#ifdef __CUDACC__
static cudaStream_t recorder;
static cudaGraphExec_t graph;
static bool recording;

static void forget_graph() {
    if (graph) cudaGraphExecDestroy(graph);
    graph = nullptr;
}

// A call that puts work elsewhere than on its stream, or waits, cannot be recorded: cudaErrorStreamCapture...
extern "C" int lab_memory_record(int begin) {
    int error = 0;
    cudaGraph_t recorded = nullptr;
    if (begin) {
        forget_graph();
        if (!recorder) error = cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking);
        if (!error) error = cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal);
        recording = !error;
        return error;
    }
    recording = false;
    error = cudaStreamEndCapture(recorder, &recorded);
    if (!error) error = cudaGraphInstantiate(&graph, recorded, 0);
    if (!error) error = cudaGraphUpload(graph, recorder);
    if (!error) error = cudaStreamSynchronize(recorder);
    if (recorded) cudaGraphDestroy(recorded);
    return error;
}

extern "C" int lab_memory_makes_code() { return 1; }
extern "C" int lab_memory_recorded() { return graph != nullptr; }
extern "C" int lab_memory_replay() { return cudaGraphLaunch(graph, recorder); }
extern "C" void *lab_memory_stream() { return recording ? recorder : nullptr; }
#else  // grader/simt has no graphs
static void forget_graph() {}
extern "C" int lab_memory_makes_code() { return 0; }
extern "C" int lab_memory_record(int) { return LAB_NOT_SUPPORTED; }
extern "C" int lab_memory_recorded() { return 0; }
extern "C" int lab_memory_replay() { return LAB_NOT_SUPPORTED; }
extern "C" void *lab_memory_stream() { return nullptr; }
#endif
