// memory_device.cu: a CUDA stage works on a copy of the arena in device memory: guard bands and poison travel along, so
// the checker sees a stray write on the GPU as it sees one on the CPU. For nvcc and for grader/simt.
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "counts.h"
#include "device_fill.h"
#include "inputs.h"
#include "memory.h"

static const size_t KEPT = (size_t)2 << 30;  // a test's request that took more than this gives it back

static void forget_graph();

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
    forget_graph();
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

static int store(size_t at, size_t bytes) {
    return bytes ? cudaMemcpy(host + at, device + at, bytes, cudaMemcpyDeviceToHost) : cudaSuccess;
}

extern "C" int lab_memory_store(const lab_request *r) {
    int error = r->steps & LAB_STORE_ALL ? store(0, r->bytes) : 0;
    for (int i = 0; i < LAB_MOST_PARTS && !error && !(r->steps & LAB_STORE_ALL); i++)
        error = store(r->offset[r->part[i].tensor] + r->part[i].set * r->stride + r->part[i].first * sizeof(float),
                      r->part[i].n * sizeof(float));
    if (capacity > KEPT && !r->notes) give_back();
    return error;
}

extern "C" int lab_memory_bring(uint64_t at, uint64_t bytes, int back) {
    forget_graph();
    const int error = reserve(bytes);
    if (error) return error;
    return back ? cudaMemcpy(host + at, device, bytes, cudaMemcpyDeviceToHost)
                : cudaMemcpy(device, host + at, bytes, cudaMemcpyHostToDevice);
}

// ---- For the clock: inputs made on the device, links, digests, and graphs

static void *filling_stream();  // the one on which the calls of this request will be

// Behind the tensors: the key of links, the digests of all outputs, what the links saw.
static uint64_t *notes(const lab_request *r) { return (uint64_t *)(device + (r->bytes + 255) / 256 * 256); }
static size_t digests_of(const lab_request *r) { return r->sets * ((r->elements[0] + LAB_CHUNK - 1) / LAB_CHUNK); }
static float *seen(const lab_request *r) { return (float *)(notes(r) + 1 + digests_of(r)); }
static size_t notes_bytes(const lab_request *r) { return digests_of(r) * sizeof(uint64_t) + r->sets * sizeof(float); }

// Inputs by their keys; NaN in every element of the output.
static int fill_tensor(const lab_request *r, uint32_t t, void *stream) {
    char *at = device + r->offset[t];
    if (t && t == r->lengths)
        return lab_fill_constant((int *)at, r->elements[t], r->extra[1], r->sets, r->stride, stream);
    if (r->key[t]) return lab_fill_normal((float *)at, r->elements[t], r->key[t], r->sets, r->stride, stream);
    return t ? 0 : lab_fill_constant((int *)at, r->elements[t], -1, r->sets, r->stride, stream);
}

extern "C" void lab_memory_free() {
    forget_graph();
    give_back();
}

static int fill_all(const lab_request *r, void *stream) {
    int error = 0;
    for (uint32_t t = 0; t < r->n_tensors && !error; t++) error = fill_tensor(r, t, stream);
    float *const query = (float *)(device + r->offset[1] + r->large.set * r->stride) + r->large.first;
    if (!error && r->large.n) error = lab_fill_large(query, r->large.n, stream);
    const int half[2] = {(int)(uint32_t)r->link, (int)(r->link >> 32)};
    for (int i = 0; i < 2 && !error; i++) error = lab_fill_constant((int *)notes(r) + i, 1, half[i], 1, 0, stream);
    return error ? error : lab_flush_caches(stream);
}

// Before the window it is a rehearsal, of the digests, too: a processor, a GPU and pages that have rested are slower the
// first time, and the null stage, whose requests follow each other sooner, would not pay for that.
extern "C" int lab_memory_fill(const lab_request *r) {
    const bool in_window = r->steps & LAB_RUN;
    if (!in_window) forget_graph();
    int error = reserve(r->bytes + 512 + notes_bytes(r));
    if (!error && !in_window) error = lab_free_caches();
    if (!error) error = fill_all(r, filling_stream());
    if (!error && in_window && r->busy_us) error = lab_keep_busy(r->busy_us, filling_stream());
    if (!error && !in_window && r->notes) error = lab_memory_notes(r);
    return error || in_window ? error : cudaDeviceSynchronize();
}

extern "C" int lab_memory_link(const lab_request *r, uint32_t set) {
    float *x[LAB_MAX_TENSORS];
    size_t n[LAB_MAX_TENSORS];
    for (uint32_t t = 0; t < r->n_tensors; t++) {
        x[t] = (float *)(device + r->offset[t] + set * r->stride);
        n[t] = t && t != r->lengths && t != r->scratch ? r->elements[t] : 0;
    }
    const float *last = (const float *)(device + r->offset[0] + (set - 1) * r->stride);
    return lab_link(x, n, r->n_tensors, last, r->elements[0], set, notes(r), seen(r), lab_memory_stream());
}

extern "C" int lab_memory_notes(const lab_request *r) {
    const int error = lab_digest_all((const float *)(device + r->offset[0]), r->elements[0], r->link, r->sets,
                                     r->stride, notes(r) + 1, nullptr);
    return error ? error : cudaMemcpy(host + r->notes, notes(r) + 1, notes_bytes(r), cudaMemcpyDeviceToHost);
}

static cudaStream_t recorders[2], recorder;  // [1]: strict
static cudaGraphExec_t graph;
static bool recording;

static void forget_graph() {
    if (graph) cudaGraphExecDestroy(graph);
    graph = nullptr;
}

// A call that puts work elsewhere than on its stream, or waits, cannot be recorded: cudaErrorStreamCapture...
extern "C" int lab_memory_record(int begin, int strict) {
    int error = 0;
    cudaGraph_t recorded = nullptr;
    if (begin) {
        forget_graph();
        cudaStream_t &stream = recorders[strict ? 1 : 0];
        if (!stream) error = cudaStreamCreateWithFlags(&stream, strict ? cudaStreamDefault : cudaStreamNonBlocking);
        recorder = stream;
        if (!error) error = cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal);
        recording = !error;
        return error;
    }
    recording = false;
    error = cudaStreamEndCapture(recorder, &recorded);
    if (!error) error = cudaGraphInstantiate(&graph, recorded, 0);
    if (!error) error = cudaGraphUpload(graph, recorder);
    if (!error) error = lab_wake(recorder);  // to record takes long enough to rest
    if (!error) error = cudaStreamSynchronize(recorder);
    if (recorded) cudaGraphDestroy(recorded);
    if (error) cudaGetLastError();  // it has been heard: the next call's is another one
    return error;
}

// What was queued on a stream of the stage's own has run, and is not in the graph.
extern "C" int lab_memory_untouched(const lab_request *r) {
    int error = cudaDeviceSynchronize();
    char *now = error ? nullptr : (char *)malloc(r->bytes);
    if (now) error = cudaMemcpy(now, device, r->bytes, cudaMemcpyDeviceToHost);
    if (now && !error && memcmp(now, host, r->bytes)) error = cudaErrorStreamCaptureIsolation;
    if (error) forget_graph();
    free(now);
    return error;
}

extern "C" int lab_memory_recorded() { return graph != nullptr; }
extern "C" int lab_memory_replay() { return cudaGraphLaunch(graph, recorder); }
extern "C" void *lab_memory_stream() { return recording ? recorder : nullptr; }
static void *filling_stream() { return graph ? recorder : nullptr; }

#ifdef __CUDACC__
extern "C" int lab_memory_makes_code() { return 1; }
#else
extern "C" int lab_memory_makes_code() { return 0; }
#endif
