// target.cu: the program that ncu and compute-sanitizer watch: loads one stage and calls it.
//
//     target STAGE.so OP BATCH HEADS SEQ_Q SEQ_KV HEAD_DIM CAUSAL     one call in the profiler's sight; OP: its name
//     target STAGE.so TASK CLAIM...                                   the calls of these claims, for a checker of memory
//     target STAGE.so TASK --parts DRIVER.so TASK4.so TASK5.so CLAIM...   the same of task 6: claims of its layer alone
//
// Every tensor has an allocation of its own and of its size, so that a checker sees the first element beyond it; a
// claim's outputs and working memory are left unwritten. After an error of CUDA it prints a sentence and exits with 1.
// No output of the stage is judged, and a call that returns an error leaves the others to be watched: what is wrong with
// it is `make taskN test`'s to say.
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "call.h"
#include "cases.h"
#include "memory.h"
#include "pipeline.h"
#include "stage.h"
}

#ifdef SIMT_CHECKED
#include "../simt/runtime/guests.h"
#endif

extern "C" void *lab_memory_stream() { return NULL; }  // call.c asks where to queue work

// What simt's reports call this tensor.
static void name_tensor(const float *tensor, const char *name) {
#ifdef SIMT_CHECKED
    static const simt_guest_table *const simt = simt_guests();
    if (simt && simt->check) simt->check->name_buffer(tensor, name);
#endif
    (void)tensor, (void)name;
}

// Numbers spread evenly over [-1.7, 1.7], of variance 1: no two rows alike.
static __global__ void spread(float *x, size_t n) {
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        unsigned h = (unsigned)i * 2654435761u + (unsigned)(i >> 32);
        h = (h ^ (h >> 15)) * 2246822519u;
        h ^= h >> 13;
        x[i] = (float)(h >> 8) * (3.4641016f / 16777216.0f) - 1.7320508f;
    }
}

static int fail(const char *what, const char *why) {
    printf("%s: %s\n", what, why);
    return 1;
}

static int fail_cuda(const char *what) { return fail(what, cudaGetErrorString(cudaGetLastError())); }

enum { RETURNED = 0, CUDA_FAILED, TODO_OPEN, REFUSED };

// Calls the stage and waits: one of those above, and a sentence where it is not RETURNED.
static int call(void *stage, const lab_request *r, float *tensor[LAB_MAX_TENSORS], const char *name) {
    const char *symbol = r->symbol[0];
    void *const function[2] = {dlsym(stage, symbol), NULL};
    if (!function[0]) return fail(symbol, "the stage has no such function");
    const attn_status status =
        r->pipeline ? lab_pipeline_call(function[0], r, tensor, NULL, NULL) : lab_call_function(function, r, tensor);
    const cudaError_t error = cudaDeviceSynchronize();
    char text[96];
    if (error != cudaSuccess) return fail(name, cudaGetErrorString(error));
    if (status == ATTN_OK) return RETURNED;
    if (status < 0)
        snprintf(text, sizeof text, "TODO %d.%d is still open", -status / 100, -status % 100);
    else if (status < LAB_NO_SYMBOL)
        snprintf(text, sizeof text, "returned %d", status);
    else
        snprintf(text, sizeof text, "the layer breaks its contract: make task6 test says how");
    fail(name, text);
    return status < 0 ? TODO_OPEN : REFUSED;
}

// ---- One call for the profiler: large tensors, filled on the device

static int spread_tensors(const lab_request *r, float *tensor[LAB_MAX_TENSORS]) {
    for (uint32_t t = 0; t < r->n_tensors; t++) {
        const size_t n = r->elements[t];
        if (cudaMalloc((void **)&tensor[t], n * sizeof(float)) != cudaSuccess) return 0;
        name_tensor(tensor[t], r->tensor[t]);
        spread<<<1024, 256>>>(tensor[t], n);
        const size_t lengths = t && t == r->lengths ? n : 0;
        for (size_t b = 0; b < lengths; b++)  // every sequence fills its cache
            if (cudaMemcpy(tensor[t] + b, &r->shape.seq_kv, sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess)
                return 0;
    }
    return cudaDeviceSynchronize() == cudaSuccess;
}

static int profile(void *stage, char **number) {
    float *tensor[LAB_MAX_TENSORS] = {};
    const lab_op *op = lab_op_find(number[0]);
    if (!op || op->pipeline || op->second) return fail("target", "no such operation");
    const lab_request r = lab_request_of(
        op, {atoi(number[1]), atoi(number[2]), atoi(number[3]), atoi(number[4]), atoi(number[5]), atoi(number[6])}, 1,
        LAB_RUN);
    const char *symbol = op->symbol;
    if (!spread_tensors(&r, tensor)) return fail_cuda("the tensors");
#ifdef __CUDACC__
    if (call(stage, &r, tensor, symbol)) return 1;  // the first call pays for what CUDA loads late
#endif
    cudaProfilerStart();
    const int failed = call(stage, &r, tensor, symbol);
    cudaProfilerStop();
    return failed != RETURNED;
}

// ---- Claims for a checker: their inputs, made on the host

static int load_tensors(const lab_case *c, float *tensor[LAB_MAX_TENSORS]) {
    const lab_op *op = c->op;
    int ok = 1;
    for (int t = 0; t < op->n_tensors && ok; t++) {
        const size_t bytes = op->elements(c->shape, t) * sizeof(float);
        ok = cudaMalloc((void **)&tensor[t], bytes) == cudaSuccess;
        if (ok) name_tensor(tensor[t], op->tensors[t]);
        const int is_input = t > 0 ? t != op->scratch : op->in_place;
        float *x = ok && is_input ? (float *)malloc(bytes) : NULL;
        if (!x) continue;
        lab_op_fill(op, c->shape, c->extra, t ? t : 1, c->kind, t ? t : 1, x);
        ok = cudaMemcpy(tensor[t], x, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
        free(x);
    }
    return ok;
}

static int check(void *stage, const char *task, char **claims) {
    int ended[REFUSED + 1] = {};
    for (; *claims; claims++) {
        lab_case c;
        float *tensor[LAB_MAX_TENSORS] = {};
        if (!lab_case_find(task, *claims, 1, &c)) return fail(*claims, "no such claim");
        lab_request r = lab_request_of(c.op, c.shape, 1, LAB_RUN);
        memcpy(r.extra, c.extra, sizeof r.extra);
        if (!load_tensors(&c, tensor)) return fail_cuda("the tensors");
        const int end = call(stage, &r, tensor, c.claim);
        if (end == CUDA_FAILED) return 1;
        ended[end]++;
        for (int t = 0; t < LAB_MAX_TENSORS; t++) cudaFree(tensor[t]);
    }
    printf("%d calls", ended[RETURNED]);
    if (ended[REFUSED]) printf(", %d that returned an error: make %s test says why", ended[REFUSED], task);
    printf(ended[TODO_OPEN] ? ", %d with an open TODO\n" : "\n", ended[TODO_OPEN]);
    return !ended[RETURNED];
}

int main(int argc, char **argv) {
    int devices = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 4 || (argc != 9 && strncmp(argv[2], "task", 4))) return fail("target", "wrong arguments");
    if (cudaGetDeviceCount(&devices) != cudaSuccess || !devices) return fail("CUDA", "no device");
    void *stage = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!stage) return fail(argv[1], dlerror());
    char **claims = argv + 3;
    if (argc > 7 && strcmp(claims[0], "--parts") == 0) {
        char none[] = "", *parts[] = {claims[1], claims[2], claims[3], none, NULL};  // a layer needs no model
        if (!lab_pipeline_open(stage, parts)) return fail(argv[1], "the driver of task 6 does not open");
        claims += 4;
    }
    return strncmp(argv[2], "task", 4) ? profile(stage, argv + 2) : check(stage, argv[2], claims);
}
