// experiments.c: the table of points, and their arithmetic.
#define _GNU_SOURCE
#include "experiments.h"

#include <stdio.h>
#include <string.h>

#include "sizes.h"

// clang-format off
#define FULL(B, H, S, D) {B, H, S, S, D, 0}
#define CAUSAL(B, H, S, D) {B, H, S, S, D, 1}

// ---- on the CPU: 8 heads, D = 64
#define CPU(task, series, name, ...) {task, series, name, LAB_ON_HOST, &lab_sdpa, .shape = __VA_ARGS__}
#define CPU_BOTH(task, S, ...)                                                                                         \
    CPU(task, "seq", "S=" #S " full", FULL(1, 8, S, 64), __VA_ARGS__),                                                 \
    CPU(task, "seq", "S=" #S " causal", CAUSAL(1, 8, S, 64), __VA_ARGS__)
#define CPU_HEADS(H) CPU("task3", "heads", "H=" #H, FULL(1, H, 512, 64))
#define CPU_BATCH(B) CPU("task3", "batch", "B=" #B, FULL(B, 4, 512, 64))
#define CPU_TILES(Br, Bc) CPU("task3", "tiles", "Br=" #Br " Bc=" #Bc, FULL(1, 4, 1024, 64), {Br, Bc}, .alone = 1)
#define CPU_TILE_ROW(Br)                                                                                               \
    CPU_TILES(Br, 16), CPU_TILES(Br, 32), CPU_TILES(Br, 64), CPU_TILES(Br, 128), CPU_TILES(Br, 256), CPU_TILES(Br, 512)

// ---- on a GPU
#define GPU(task, series, name, ...) {task, series, name, LAB_ON_GPU, &lab_sdpa, .shape = __VA_ARGS__}
#define BOTH(task, S)                                                                                                  \
    GPU(task, "seq", "S=" #S " full", FULL(1, 8, S, 64)), GPU(task, "seq", "S=" #S " causal", CAUSAL(1, 8, S, 64))
#define GRAPH(task, S) GPU(task, "graph", "S=" #S " full", FULL(1, 8, S, 64), .graph = 1)
#define PAIR(series, name, B, H, S, D)                                                                                 \
    GPU("task4", series, name " full", FULL(B, H, S, D)), GPU("task4", series, name " causal", CAUSAL(B, H, S, D))
#define SPEEDUP(B, S) PAIR("speedups", "B" #B " S=" #S, B, 32, S, 128)
#define DIM(B, H, S, D) PAIR("dim", "D=" #D " S=" #S, B, H, S, D)
#define HEADS(H) GPU("task4", "heads", "H=" #H, FULL(1, H, 1024, 64))
#define BATCH(B) GPU("task4", "batch", "B=" #B, FULL(B, 8, 1024, 64))
#define QUERIES(S) GPU("task4", "queries", "S=" #S " full", FULL(1, 8, S, 64))
#define KERNEL(op, name, ...) {"task2", "kernels", name " S=1024", LAB_ON_GPU, op, .shape = __VA_ARGS__}
#define KV(B, S) {"task5", "kv", "B" #B " KV=" #S, LAB_ON_GPU, &lab_decode, .shape = {B, 32, 1, S, 128, 0}}
#define TOKENS(name, B, ...)                                                                                           \
    {"task5", "tokens", name, LAB_ON_GPU, &lab_tokens, .shape = {B, 32, 100, 1124, 128, 0}, ##__VA_ARGS__}

// ---- counted: the lengths show how traffic grows with S; at 32 one tile of 32 x 32 is all. Beyond 256 a sample of the
// blocks is counted; at 256 both, so that one proves the other (count.c).
#define COUNT(task, name, op, ...) {task, "traffic", name, LAB_COUNTED, op, .shape = __VA_ARGS__}
#define COUNT_CHAIN(S)                                                                                                 \
    COUNT("task2", "softmax S=" #S, &lab_softmax_batched, {1, 1, S, S, 64, 0}),                                        \
    COUNT("task2", "GEMM_NT S=" #S, &lab_gemm_nt, {1, 1, S, S, 64, 0}), /* Q K^T */                                    \
    COUNT("task2", "GEMM_NN S=" #S, &lab_gemm_nn, {1, 1, S, 64, S, 0}), /* P V */                                      \
    COUNT("task2", "chain S=" #S, &lab_naive, FULL(1, 2, S, 64))
#define COUNT_FLASH(S)                                                                                                 \
    COUNT("task4", "S=" #S " full", &lab_flash, FULL(1, 2, S, 64)),                                                    \
    COUNT("task4", "S=" #S " causal", &lab_flash, CAUSAL(1, 2, S, 64))

// ---- profiled: few shapes, large enough to fill a GPU or as small as users have them
#define PROFILE(task, name, op, ...) {task, "profile", name, LAB_PROFILED, op, .shape = __VA_ARGS__}

const lab_experiment lab_experiments[] = {
    CPU_BOTH("task1", 128, .one_thread = 1), CPU_BOTH("task1", 512, .one_thread = 1),
    CPU_BOTH("task1", 1024, .one_thread = 1),
    CPU_BOTH("task3", 128), CPU_BOTH("task3", 512), CPU_BOTH("task3", 1024), CPU_BOTH("task3", 2048),
    CPU_BOTH("task3", 4096),
    CPU_HEADS(1), CPU_HEADS(2), CPU_HEADS(4), CPU_HEADS(8), CPU_HEADS(16),
    CPU_BATCH(1), CPU_BATCH(2), CPU_BATCH(4), CPU_BATCH(8),
    CPU("task3", "threads", NULL, FULL(1, 8, 1024, 64)),  // at 1, 2, 4, ... all threads
    CPU_TILE_ROW(4), CPU_TILE_ROW(16), CPU_TILE_ROW(32), CPU_TILE_ROW(64), CPU_TILE_ROW(128), CPU_TILE_ROW(256),

    BOTH("task2", 128), BOTH("task2", 512), BOTH("task2", 1024), BOTH("task2", 2048), BOTH("task2", 4096),
    GRAPH("task2", 128), GRAPH("task2", 512), GRAPH("task2", 1024),
    // The chain's kernels one by one, as it calls them for B1 H8 S=1024 D64.
    KERNEL(&lab_gemm_nt, "GEMM_NT", {8, 1, 1024, 1024, 64, 0}),
    KERNEL(&lab_softmax_batched, "softmax", {1, 1, 8192, 1024, 8, 0}),
    KERNEL(&lab_gemm_nn, "GEMM_NN", {8, 1, 1024, 64, 1024, 0}),

    BOTH("task4", 128), BOTH("task4", 512), BOTH("task4", 1024), BOTH("task4", 2048), BOTH("task4", 4096),
    BOTH("task4", 8192), BOTH("task4", 16384),
    GRAPH("task4", 128), GRAPH("task4", 512), GRAPH("task4", 1024),
    SPEEDUP(4, 128), SPEEDUP(16, 4096),
    HEADS(1), HEADS(2), HEADS(4), HEADS(8), HEADS(16), HEADS(32),
    BATCH(1), BATCH(2), BATCH(4), BATCH(8), BATCH(16),
    DIM(16, 32, 1024, 64), DIM(4, 32, 4096, 64), DIM(1, 32, 16384, 64),
    DIM(16, 16, 1024, 128), DIM(4, 16, 4096, 128), DIM(1, 16, 16384, 128),
    QUERIES(512), QUERIES(1024), QUERIES(2048), QUERIES(4096),
    GPU("task4", "tiles", "Br, Bc", FULL(2, 32, 2048, 64), .sweep = 1),

    KV(1, 1024), KV(1, 4096), KV(1, 16384), KV(1, 65536),
    KV(16, 1024), KV(16, 4096), KV(16, 16384), KV(16, 65536),
    // A prompt of 1024 tokens has filled the cache; 100 tokens follow.
    TOKENS("B1, tokens 1025 to 1124", 1), TOKENS("B1, graph", 1, .graph = 1), TOKENS("B16, tokens 1025 to 1124", 16),

    {"task6", "model", "models.c", LAB_ON_GPU, &lab_generate, .shape = {1, 1, 1, 1, 64, 1}},

    COUNT_CHAIN(32), COUNT_CHAIN(64), COUNT_CHAIN(128),
    COUNT_FLASH(32), COUNT_FLASH(64), COUNT_FLASH(128),
    COUNT("task2", "chain S=1024", &lab_naive, FULL(1, 2, 1024, 64), .sampled = 1),
    COUNT("task4", "S=256 full", &lab_flash, FULL(1, 2, 256, 64)),
    COUNT("task4", "S=1024 full", &lab_flash, FULL(1, 2, 1024, 64), .sampled = 1),
    COUNT("task4", "S=128 D=128 full", &lab_flash, FULL(1, 2, 128, 128)),
    COUNT("task5", "append", &lab_cache_append, {2, 4, 1, 64, 64, 0}),
    COUNT("task5", "KV=128", &lab_decode, {1, 4, 1, 128, 64, 0}),
    COUNT("task5", "KV=256", &lab_decode, {1, 4, 1, 256, 64, 0}),
    COUNT("task5", "KV=256, 4 splits", &lab_decode_split, {1, 4, 1, 256, 64, 0}, .splits = 4),

    PROFILE("task2", "chain S=1024", &lab_naive, FULL(1, 8, 1024, 64)),
    PROFILE("task4", "full S=1024", &lab_flash, FULL(1, 8, 1024, 64)),
    PROFILE("task4", "causal S=1024", &lab_flash, CAUSAL(1, 8, 1024, 64)),
    PROFILE("task4", "full S=4096", &lab_flash, FULL(1, 8, 4096, 64)),
    PROFILE("task5", "decode B=16 KV=4096", &lab_decode, {16, 32, 1, 4096, 128, 0}),
    PROFILE("task5", "split B=16 KV=4096", &lab_decode_split, {16, 32, 1, 4096, 128, 0}),
    PROFILE("task5", "split B=1 KV=4096", &lab_decode_split, {1, 32, 1, 4096, 128, 0}),
};
// clang-format on

const int lab_n_experiments = sizeof lab_experiments / sizeof *lab_experiments;

int lab_has_experiments(const char *task, lab_method method) {
    for (int i = 0; i < lab_n_experiments; i++)
        if (lab_experiments[i].method == method && strcmp(lab_experiments[i].task, task) == 0) return 1;
    return 0;
}

void lab_experiment_name(const lab_experiment *e, int threads, char *text, size_t size) {
    if (e->name)
        snprintf(text, size, "%s", e->name);
    else
        snprintf(text, size, "%d thread%s", threads, threads > 1 ? "s" : "");
}

int lab_series_wanted(const char *list, const char *series) {
    const size_t length = strlen(series);
    const int found = list && *list != '-';
    for (const char *s = list ? list + !found : ""; *s; s += strcspn(s, ","), s += *s == ',')
        if (strncmp(s, series, length) == 0 && (s[length] == ',' || !s[length])) return found;
    return !found;
}

int lab_only_wanted(const char *only, const char *series, const char *name) {
    char text[128];
    snprintf(text, sizeof text, "%s %s", series, name);
    return !only || strcasestr(text, only) != NULL;
}

void lab_only_list(const char *only, const char *task, lab_method method, const char *wanted) {
    char name[64];
    const char *series = "";
    int column = 0;
    printf("  nothing of %s is called ONLY=\"%s\". There is:", task, only);
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (e->method != method || strcmp(e->task, task) || !lab_series_wanted(wanted, e->series)) continue;
        const int is_first = strcmp(series, e->series) != 0;
        if (is_first) column = printf("\n    %-9s", series = e->series) - 1;
        snprintf(name, sizeof name, "%s", e->name ? e->name : "1 thread, 2 threads, ...");
        if (!is_first) column += printf(";");
        if (column + 2 + (int)strlen(name) > 80) column = printf("\n%13s", "") - 1;
        column += printf(" %s", name);
    }
    putchar('\n');
}

// The numbers of tokens are those of one token.
static double calls(const lab_experiment *e) { return e->op == &lab_tokens ? e->shape.seq_q : 1; }

double lab_experiment_flops(const lab_experiment *e) { return lab_op_flops(e->op, e->shape) / calls(e); }

double lab_experiment_bytes(const lab_experiment *e, int chain) {
    double bytes = 0;
    if (chain && e->op == &lab_sdpa) return lab_chain_bytes(e->shape);
    for (int t = 0; t < e->op->n_tensors; t++) bytes += lab_op_bytes(e->op, e->shape, (const int[2]){e->splits}, t);
    return bytes / calls(e);
}
