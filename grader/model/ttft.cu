// ttft.cu: how long until the first token, and between tokens, without checker and runner around it; and are they right?
//
//     ttft DRIVER.so TASK4.so TASK5.so TASK6.so MODEL S N [B]      times S prompt tokens and N further ones, B sequences
//     ttft DRIVER.so TASK4.so TASK5.so TASK6.so FOLDER             compares with FOLDER/greedy.json
//
// Times are the host's clock, as a caller sees them: TTFT from the call to the first token id, TBT from one to the next. All
// modes of model.h; of each the median over RUNS calls, after one to warm up. With TBT=1 in the environment only the mode
// LAB_CACHED; with FAST=1 all but LAB_RECOMPUTE; with UNSPLIT=1 decoding without splits.
#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checkpoint.h"
#include "model.h"

enum { RUNS = 5, MAX_TOKENS = 4096 };

static __typeof__(lab_driver_open) *driver_open;
static __typeof__(lab_driver_call) *driver_call;
static lab_stages stages;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *find(const char *path, const char *symbol, int optional) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL), *function = object ? dlsym(object, symbol) : NULL;
    if (function || (object && optional)) return function;
    fprintf(stderr, "ttft: %s\n", dlerror());
    exit(2);
}

// ---- One call ------------------------------------------------------------------------------------------------------------
typedef struct {
    int batch, seq, n_new, max_seq;
    const int *prompts;  // host, [batch, seq]
    int lengths[LAB_MAX_STREAMS];
    lab_sampling sampling;
    double start, at[MAX_TOKENS];              // when which step's tokens came
    int tokens[MAX_TOKENS * LAB_MAX_STREAMS];  // [n_new, batch]
} trial;

static void note(void *context, int step, const int *tokens, int n) {
    trial *t = (trial *)context;
    t->at[step] = now();
    memcpy(t->tokens + step * n, tokens, n * sizeof *tokens);
}

static float *to_device(const void *from, size_t bytes) {
    void *p = NULL;
    if (cudaMalloc(&p, bytes) != cudaSuccess) fprintf(stderr, "ttft: no device memory\n"), exit(2);
    if (from) cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice);
    return (float *)p;
}

static attn_status generate(trial *t) {
    lab_request r = {};
    strcpy(r.op, "generate");
    r.shape = (attn_shape){t->batch, t->n_new, t->seq, t->max_seq, 1, 1};
    float *tensor[LAB_MAX_TENSORS] = {
        to_device(NULL, t->batch * t->n_new * sizeof(float)), to_device(t->prompts, t->batch * t->seq * sizeof(int)),
        to_device(t->lengths, sizeof t->lengths), to_device(&t->sampling, sizeof t->sampling)};
    cudaDeviceSynchronize();
    t->start = now();
    const attn_status status = driver_call(&stages, &r, tensor, note, t);
    for (int i = 0; i < 4; i++) cudaFree(tensor[i]);
    return status;
}

// ---- Times -------------------------------------------------------------------------------------------------------------
static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *x, int n, double q) {
    if (n == 0) return 0;
    qsort(x, n, sizeof *x, ascending);
    return x[(int)(q * (n - 1) + 0.5)];
}

static int measure(trial *t, lab_mode mode, const char *name, double *tbt) {
    static double first[RUNS], gaps[RUNS * MAX_TOKENS];
    int n_gaps = 0;
    t->sampling.mode = mode;
    for (int run = -1; run < RUNS; run++) {
        const attn_status status = generate(t);
        if (status != ATTN_OK) return printf("%-14s status %d\n", name, status), 0;
        if (run < 0) continue;
        first[run] = t->at[0] - t->start;
        for (int i = 1; i < t->n_new; i++) gaps[n_gaps++] = t->at[i] - t->at[i - 1];
    }
    *tbt = quantile(gaps, n_gaps, 0.5);
    printf("%-14s TTFT %9.3f ms   TBT median %8.4f ms  p99 %8.4f ms  least %8.4f ms\n", name,
           1e3 * quantile(first, RUNS, 0.5), 1e3 * *tbt, 1e3 * quantile(gaps, n_gaps, 0.99), 1e3 * gaps[0]);
    return 1;
}

static int same(const int *a, const int *b, int n) {
    int equal = 0;
    for (int i = 0; i < n; i++) equal += a[i] == b[i];
    return equal;
}

static int times(trial *t) {
    static int prompts[MAX_TOKENS * LAB_MAX_STREAMS], cached[MAX_TOKENS * LAB_MAX_STREAMS];
    double with = 0, without = 0, other = 0;
    for (int i = 0; i < t->batch * t->seq; i++) prompts[i] = i * 7919 % 251;
    t->prompts = prompts;
    for (int b = 0; b < t->batch; b++) t->lengths[b] = t->seq;
    const int n = t->n_new * t->batch;
    if (!measure(t, LAB_CACHED, "cached", &with)) return 1;
    if (getenv("TBT")) return 0;
    memcpy(cached, t->tokens, sizeof cached);
    if (!measure(t, LAB_EAGER, "no graph", &other)) return 1;
    printf("%-14s %d of %d tokens as with the graph\n", "", same(cached, t->tokens, n), n);
    if (!measure(t, LAB_NO_ATTENTION, "no attention", &without)) return 1;
    printf("%-14s share of attention in a step: %.1f %%\n", "", 100 * (1 - without / with));
    if (getenv("FAST")) return 0;
    if (!measure(t, LAB_RECOMPUTE, "recompute", &other)) return 1;
    printf("%-14s %d of %d tokens as with the cache\n", "", same(cached, t->tokens, n), n);
    return 0;
}

// ---- Right? ----------------------------------------------------------------------------------------------------------
// golden: [{"prompt_ids": [...], "greedy_ids": [...]}, ...]: entries first .. first + batch - 1, as one padded batch.
static int expect(trial *t, const json_t *golden, int first, int batch) {
    static int prompts[MAX_TOKENS * LAB_MAX_STREAMS], expected[MAX_TOKENS * LAB_MAX_STREAMS];
    t->batch = batch, t->seq = 0, t->n_new = MAX_TOKENS, t->prompts = prompts;
    for (int b = 0; b < batch; b++) {
        const json_t *entry = json_array_get(golden, first + b);
        t->lengths[b] = json_array_size(json_object_get(entry, "prompt_ids"));
        const int n = json_array_size(json_object_get(entry, "greedy_ids"));
        if (t->lengths[b] > t->seq) t->seq = t->lengths[b];
        if (n < t->n_new) t->n_new = n;
    }
    t->max_seq = t->seq + t->n_new;
    if (t->seq < 1 || t->n_new < 1 || t->max_seq > MAX_TOKENS)
        return printf("prompts of 1 to %d tokens\n", MAX_TOKENS), 0;
    for (int b = 0; b < batch; b++) {
        const json_t *entry = json_array_get(golden, first + b);
        const json_t *ids = json_object_get(entry, "prompt_ids"), *greedy = json_object_get(entry, "greedy_ids");
        for (int i = 0; i < t->seq; i++) prompts[b * t->seq + i] = json_integer_value(json_array_get(ids, i));
        for (int i = 0; i < t->n_new; i++) expected[i * batch + b] = json_integer_value(json_array_get(greedy, i));
    }
    int right = 1;
    for (int mode = LAB_CACHED; mode <= LAB_EAGER; mode++)
        for (int again = 0; again < 2; again++) {  // the second time the graph is replayed from the first step on
            t->sampling.mode = mode;
            const attn_status status = generate(t);
            const int n = t->n_new * batch, equal = same(expected, t->tokens, n);
            printf("%-9s %2d prompts of up to %4d tokens: status %d, %d of %d tokens\n",
                   mode == LAB_CACHED ? "cached" : "no graph", batch, t->seq, status, equal, n);
            right &= status == ATTN_OK && equal == n;
        }
    return right;
}

static int compare(trial *t, const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/greedy.json", folder);
    json_t *golden = json_load_file(path, 0, NULL);
    if (!golden) return fprintf(stderr, "ttft: %s is not a JSON file\n", path), 2;
    if (!json_is_array(golden)) golden = json_pack("[o]", golden);
    int n = json_array_size(golden);
    if (n > LAB_MAX_STREAMS) n = LAB_MAX_STREAMS;
    int wrong = n == 0;
    for (int i = 0; i < n; i++) wrong += !expect(t, golden, i, 1);
    if (n > 1) wrong += !expect(t, golden, 0, n);
    json_decref(golden);
    puts(wrong ? "WRONG" : "right");
    return wrong > 0;
}

int main(int argc, char **argv) {
    static trial t;
    char why[512] = "";
    if (argc != 6 && argc != 8 && argc != 9)
        return fprintf(stderr, "usage: ttft DRIVER.so TASK4.so TASK5.so TASK6.so MODEL [S N [B]]\n"), 2;
    *(void **)&driver_open = find(argv[1], "lab_driver_open", 0);
    *(void **)&driver_call = find(argv[1], "lab_driver_call", 0);
    *(void **)&stages.flash = find(argv[2], "attn_flash", 0);
    *(void **)&stages.append = find(argv[3], "attn_cache_append", 0);
    *(void **)&stages.decode = find(argv[3], "attn_decode", 0);
    if (!getenv("UNSPLIT")) *(void **)&stages.decode_split = find(argv[3], "attn_decode_split", 1);
    *(void **)&stages.layer = find(argv[4], "attn_layer_forward", 0);
    if (driver_open(argv[5], why, sizeof why)) return fprintf(stderr, "ttft: %s\n", why), 2;
    t.sampling.stop = -1;
    if (argc == 6) return compare(&t, argv[5]);
    t.seq = atoi(argv[6]), t.n_new = atoi(argv[7]), t.batch = argc > 8 ? atoi(argv[8]) : 1, t.max_seq = t.seq + t.n_new;
    if (t.seq < 1 || t.n_new < 1 || t.batch < 1 || t.batch > LAB_MAX_STREAMS || t.max_seq > MAX_TOKENS)
        return fprintf(stderr, "ttft: S, N from 1, together up to %d; B from 1 to %d\n", MAX_TOKENS, LAB_MAX_STREAMS),
               2;
    return times(&t);
}
