// gpu_clock.cu: another clock. Times a stage with CUDA events, in one process, without runner, links and null stage, and
// compares that with what bench found for the same calls.
//
//     gpu_clock TASK STAGE.so TIMINGS         TIMINGS: JSON lines of `bench TASK STAGE.so --json TIMINGS`
//
// A line for each time of "yours": the point, bench's microseconds a call, these here, their ratio. Exit status 1 if one
// of them differs by more than 2 % and 2 microseconds: a kernel here follows itself, and there a link (window.c).
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

extern "C" {
#include "call.h"
#include "implementations.h"
#include "memory.h"
#include "stage.h"
}

static const size_t MOST_BYTES = (size_t)6 << 30, FILLER = (size_t)256 << 20;
static const double LEAST_MS = 6;  // of what stands between two events
enum { ROUNDS = 15, MOST_SETS = 512 };

static cudaStream_t stream;
static bool recording;
extern "C" void *lab_memory_stream() { return recording ? stream : NULL; }  // call.c asks where to queue work

static __global__ void spread(float *x, size_t n, unsigned salt) {
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        unsigned h = ((unsigned)i + salt) * 2654435761u + (unsigned)(i >> 32);
        h = (h ^ (h >> 15)) * 2246822519u;
        h ^= h >> 13;
        x[i] = (float)(h >> 8) * (3.4641016f / 16777216.0f) - 1.7320508f;
    }
}

static __global__ void constant(int *x, size_t n, int value) {
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) x[i] = value;
}

// ---- Calls on tensors of their own

struct calls {
    lab_request r;
    void *function[2];
    char *base;
    cudaGraphExec_t graph;
};

static int call_all(const calls *c, uint32_t sets) {
    for (uint32_t set = 0; set < sets; set++) {
        float *tensor[LAB_MAX_TENSORS];
        for (int t = 0; t < LAB_MAX_TENSORS; t++) tensor[t] = (float *)(c->base + c->r.offset[t] + set * c->r.stride);
        if (lab_call_function(c->function, &c->r, tensor)) return 0;
    }
    return 1;
}

static void fill(const calls *c) {
    for (uint32_t set = 0; set < c->r.sets; set++)
        for (uint32_t t = 1; t < c->r.n_tensors; t++) {
            float *x = (float *)(c->base + c->r.offset[t] + set * c->r.stride);
            if (t == c->r.lengths)
                constant<<<1, 256>>>((int *)x, c->r.elements[t], c->r.extra[1]);
            else if (t != c->r.scratch)
                spread<<<2048, 256>>>(x, c->r.elements[t], 7919 * set + t);
        }
}

// Milliseconds of `sets` calls; inputs are new where calls change them.
static double once(const calls *c, uint32_t sets, cudaEvent_t from, cudaEvent_t to, char *filler, int refill) {
    float ms = 0;
    if (refill) fill(c);
    cudaMemsetAsync(filler, 1, FILLER);
    cudaDeviceSynchronize();
    cudaEventRecord(from, c->graph ? stream : NULL);
    const int ok = c->graph ? cudaGraphLaunch(c->graph, stream) == cudaSuccess : call_all(c, sets);
    cudaEventRecord(to, c->graph ? stream : NULL);
    if (!ok || cudaDeviceSynchronize() != cudaSuccess) return -1;
    cudaEventElapsedTime(&ms, from, to);
    return ms;
}

static int record(calls *c) {
    cudaGraph_t graph;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)) return 0;
    recording = true;
    const int called = call_all(c, c->r.sets);
    recording = false;
    return cudaStreamEndCapture(stream, &graph) == cudaSuccess && called &&
           cudaGraphInstantiate(&c->graph, graph, 0) == cudaSuccess;
}

// Microseconds of a call, or of a token; negative where it cannot be.
static double time_calls(void *stage, const lab_op *op, attn_shape shape, int first_length, int graph) {
    static char *filler;
    const size_t bytes = lab_layout_of(op, shape, 1).bytes;
    const int sets = (int)std::max<size_t>(1, std::min<size_t>(MOST_SETS, MOST_BYTES / bytes));
    calls c = {lab_request_of(op, shape, sets, LAB_RUN)};
    cudaEvent_t from, to;
    c.function[0] = dlsym(stage, op->symbol), c.function[1] = op->second ? dlsym(stage, op->second) : NULL;
    c.r.extra[1] = first_length;
    if (!filler && cudaMalloc(&filler, FILLER)) return -1;
    if (!c.function[0] || cudaMalloc(&c.base, c.r.bytes) || cudaMemset(c.base, 0, c.r.bytes)) return -1;
    cudaEventCreate(&from), cudaEventCreate(&to);
    const int appends = op->second != NULL;
    fill(&c);
    once(&c, 1, from, to, filler, 0);  // loads what is loaded late
    const double one = once(&c, 1, from, to, filler, appends);
    c.r.sets = (uint32_t)std::max(1., std::min<double>(sets, ceil(LEAST_MS / one)));
    std::vector<double> ms;
    if (one > 0 && (!graph || record(&c)))
        for (int round = -2; round < ROUNDS; round++) {
            const double now = once(&c, c.r.sets, from, to, filler, appends);
            if (round >= 0) ms.push_back(now);
        }
    if (c.graph) cudaGraphExecDestroy(c.graph);
    cudaFree(c.base), cudaEventDestroy(from), cudaEventDestroy(to);
    if (ms.empty()) return -1;
    std::sort(ms.begin(), ms.end());
    return 1e3 * ms[ROUNDS / 2] / c.r.sets / (appends ? shape.seq_q : 1);
}

// ---- The points that bench has timed

static const lab_experiment *find(const char *task, const char *series, const char *name) {
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (e->method == LAB_ON_GPU && !strcmp(e->task, task) && !strcmp(e->series, series) && e->name &&
            !strcmp(e->name, name))
            return e;
    }
    return NULL;
}

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

// 1: the same; 0: not; -1: not a time of this stage.
static int compare(const json_t *t, const char *task, void *stage) {
    lab_implementation is[LAB_MAX_IMPLEMENTATIONS];
    const int n = lab_implementations(task, LAB_ON_GPU, is);
    const lab_experiment *e = find(task, text(t, "series"), text(t, "case"));
    const double bench = 1e6 * json_number_value(json_object_get(t, "median_s"));
    for (int i = 0; i < n && e; i++) {
        const lab_op *op = lab_does(&is[i], e->op);
        if (is[i].file || strcmp(is[i].name, text(t, "implementation")) || !op || e->sweep) continue;
        if (bench <= 0) {
            printf("%-9s %-26s %-12s %s %s\n", e->series, e->name, is[i].name, text(t, "verdict"), text(t, "why"));
            return 0;
        }
        const int length = op->second ? e->shape.seq_kv - e->shape.seq_q : e->shape.seq_kv;
        const double here = time_calls(stage, op, e->shape, length, e->graph);
        const int same = fabs(bench - here) <= fmax(0.02 * here, 2);
        printf("%-9s %-26s %-12s %12.2f %12.2f us  %.3f %s\n", e->series, e->name, is[i].name, bench, here,
               bench / here, same ? "" : "DIFFERS");
        return same;
    }
    return -1;
}

int main(int argc, char **argv) {
    void *stage = argc == 4 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
    FILE *f = argc == 4 ? fopen(argv[3], "r") : NULL;
    int compared = 0, same = 0;
    if (!stage || !f || cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) {
        fprintf(stderr, "usage: gpu_clock TASK STAGE.so TIMINGS     %s\n", argc == 4 && !stage ? dlerror() : "");
        return 2;
    }
    for (json_t *t; (t = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL)) != NULL; json_decref(t)) {
        const int is = compare(t, argv[1], stage);
        compared += is >= 0, same += is > 0;
    }
    fclose(f);
    printf("%s: %d times, %d agree\n", argv[1], compared, same);
    return !compared || same < compared;
}
