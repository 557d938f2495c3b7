// gpu_experiments.c: the tables.
#include "gpu_experiments.h"

#include <string.h>

#include "sizes.h"

// clang-format off
#define FULL(B, H, S, D) {B, H, S, S, D, 0}
#define CAUSAL(B, H, S, D) {B, H, S, S, D, 1}
#define BOTH(task, S, baselines)                                                                                       \
    {task, "seq", "S=" #S " full", LAB_GPU_ATTENTION, FULL(1, 8, S, 64), 0, baselines},                                \
    {task, "seq", "S=" #S " causal", LAB_GPU_ATTENTION, CAUSAL(1, 8, S, 64), 0, baselines}
#define GRAPH(task, S)                                                                                                 \
    {task, "graph", "S=" #S " full", LAB_GPU_ATTENTION, FULL(1, 8, S, 64), 1, 1}
#define SPEEDUP(B, S)                                                                                                  \
    {"task4", "speedups", "B" #B " S=" #S " full", LAB_GPU_ATTENTION, FULL(B, 32, S, 128), 0, 1},                      \
    {"task4", "speedups", "B" #B " S=" #S " causal", LAB_GPU_ATTENTION, CAUSAL(B, 32, S, 128), 0, 1}
#define HEADS(H) {"task4", "heads", "H=" #H, LAB_GPU_ATTENTION, FULL(1, H, 1024, 64), 0, 1}
#define BATCH(B) {"task4", "batch", "B=" #B, LAB_GPU_ATTENTION, FULL(B, 8, 1024, 64), 0, 1}
#define DIM(B, H, S, D)                                                                                                \
    {"task4", "dim", "D=" #D " S=" #S " full", LAB_GPU_ATTENTION, FULL(B, H, S, D), 0, 1},                             \
    {"task4", "dim", "D=" #D " S=" #S " causal", LAB_GPU_ATTENTION, CAUSAL(B, H, S, D), 0, 1}
#define QUERIES(S) {"task4", "queries", "S=" #S " full", LAB_GPU_ATTENTION, FULL(1, 8, S, 64), 0, 1}
#define KV(B, S) {"task5", "kv", "B" #B " KV=" #S, LAB_GPU_DECODE, {B, 32, 1, S, 128, 0}, 0, 1}

const lab_gpu_experiment lab_gpu_experiments[] = {
    BOTH("task2", 128, 1), BOTH("task2", 512, 1), BOTH("task2", 1024, 1), BOTH("task2", 2048, 1), BOTH("task2", 4096, 1),
    GRAPH("task2", 128), GRAPH("task2", 512), GRAPH("task2", 1024),
    // The naive chain's kernels one by one, as it calls them for B1 H8 S=1024 D64.
    {"task2", "kernels", "GEMM_NT S=1024", LAB_GPU_GEMM_NT, {8, 1, 1024, 1024, 64, 0}, 0, 1},
    {"task2", "kernels", "softmax S=1024", LAB_GPU_SOFTMAX, {1, 1, 8192, 1024, 8, 0}, 0, 1},
    {"task2", "kernels", "GEMM_NN S=1024", LAB_GPU_GEMM_NN, {8, 1, 1024, 64, 1024, 0}, 0, 1},

    BOTH("task4", 128, 1), BOTH("task4", 512, 1), BOTH("task4", 1024, 1), BOTH("task4", 2048, 1), BOTH("task4", 4096, 1),
    BOTH("task4", 8192, 1), BOTH("task4", 16384, 1),
    GRAPH("task4", 128), GRAPH("task4", 512), GRAPH("task4", 1024),
    SPEEDUP(4, 128), SPEEDUP(16, 4096),
    HEADS(1), HEADS(2), HEADS(4), HEADS(8), HEADS(16), HEADS(32),
    BATCH(1), BATCH(2), BATCH(4), BATCH(8), BATCH(16),
    DIM(16, 32, 1024, 64), DIM(4, 32, 4096, 64), DIM(1, 32, 16384, 64),
    DIM(16, 16, 1024, 128), DIM(4, 16, 4096, 128), DIM(1, 16, 16384, 128),
    QUERIES(512), QUERIES(1024), QUERIES(2048), QUERIES(4096),

    KV(1, 1024), KV(1, 4096), KV(1, 16384), KV(1, 65536),
    KV(16, 1024), KV(16, 4096), KV(16, 16384), KV(16, 65536),
    // A cache that a prompt of 1024 tokens has filled, then 100 tokens.
    {"task5", "tokens", "B1, tokens 1025 to 1124", LAB_GPU_TOKENS, {1, 32, 100, 1124, 128, 0}, 0, 1},
    {"task5", "tokens", "B1, graph", LAB_GPU_TOKENS, {1, 32, 100, 1124, 128, 0}, 1, 1},
    {"task5", "tokens", "B16, tokens 1025 to 1124", LAB_GPU_TOKENS, {16, 32, 100, 1124, 128, 0}, 0, 1},
};
const int lab_n_gpu_experiments = sizeof lab_gpu_experiments / sizeof *lab_gpu_experiments;

#define CHAIN {[LAB_GPU_ATTENTION] = &lab_naive, [LAB_GPU_SOFTMAX] = &lab_softmax_batched,                               \
               [LAB_GPU_GEMM_NT] = &lab_gemm_nt, [LAB_GPU_GEMM_NN] = &lab_gemm_nn}
#define ATTENTION(OP) {[LAB_GPU_ATTENTION] = OP}
#define DECODE(ONE, MANY) {[LAB_GPU_DECODE] = ONE, [LAB_GPU_TOKENS] = MANY}
#define TORCH {[LAB_GPU_ATTENTION] = &lab_sdpa, [LAB_GPU_DECODE] = &lab_decode, [LAB_GPU_TOKENS] = &lab_tokens}

static const struct {
    const char *task;
    lab_gpu_implementation is;
} implementations[] = {
    {"task2", {"yours", NULL, NULL, CHAIN, NULL}},
    {"task2", {"cuBLAS chain", "baselines/cublas_chain.so", NULL, CHAIN, NULL}},

    {"task4", {"yours", NULL, NULL, ATTENTION(&lab_flash), NULL}},
    {"task4", {"task 2", "$TREE/task2.cuda.so", NULL, CHAIN, "seq,graph,speedups"}},
    {"task4", {"cuBLAS chain", "baselines/cublas_chain.so", NULL, CHAIN, "seq,graph,speedups"}},
    {"task4", {"simple", "baselines/flash_simple.so", NULL, ATTENTION(&lab_flash), "queries"}},
    {"task4", {"simple, one block per head", "baselines/flash_one_block.so", NULL, ATTENTION(&lab_flash), "queries"}},

    {"task5", {"yours", NULL, NULL, DECODE(&lab_decode, &lab_tokens), NULL}},
    {"task5", {"yours, split", NULL, NULL, DECODE(&lab_decode_split, &lab_tokens_split), NULL}},
    {"task5", {"unsplit", "$TREE/task5.cuda.so", NULL, DECODE(&lab_decode, &lab_tokens), NULL}},

    {NULL, {"PyTorch", "torch_sdpa.py", "cuda", TORCH, "seq,graph,speedups,heads,batch,dim,kv,tokens"}},
    {NULL, {"PyTorch math", "torch_sdpa.py", "math", TORCH, "seq,graph,kv,tokens"}},
};
// clang-format on

int lab_gpu_implementations(const char *task, lab_gpu_implementation found[LAB_MAX_GPU_IMPLEMENTATIONS]) {
    int n = 0;
    for (size_t i = 0; i < sizeof implementations / sizeof *implementations; i++)
        if (!implementations[i].task || strcmp(implementations[i].task, task) == 0) found[n++] = implementations[i].is;
    return n;
}

int lab_has_gpu_experiments(const char *task) {
    if (strcmp(task, "task6") == 0) return 1;  // whole models: model_experiments.h
    for (int i = 0; i < lab_n_gpu_experiments; i++)
        if (strcmp(lab_gpu_experiments[i].task, task) == 0) return 1;
    return 0;
}

double lab_gpu_flops(const lab_gpu_experiment *e) {
    const attn_shape s = e->shape;
    const double heads = (double)s.batch * s.heads, rows = s.seq_q, cols = s.seq_kv, d = s.head_dim;
    switch (e->kind) {
    case LAB_GPU_SOFTMAX: return 4 * rows * cols;
    case LAB_GPU_GEMM_NT:
    case LAB_GPU_GEMM_NN: return 2 * s.batch * rows * cols * d;
    case LAB_GPU_TOKENS: return 4 * heads * d * (cols - (rows - 1) / 2);  // the average token's
    default: return lab_flops(s);
    }
}

double lab_gpu_bytes(const lab_gpu_experiment *e, int chain) {
    const attn_shape s = e->shape;
    const double heads = (double)s.batch * s.heads, rows = s.seq_q, cols = s.seq_kv, d = s.head_dim;
    switch (e->kind) {
    case LAB_GPU_SOFTMAX: return 8 * rows * cols;
    case LAB_GPU_GEMM_NT:
    case LAB_GPU_GEMM_NN: return 4 * s.batch * (rows * cols + (rows + cols) * d);
    case LAB_GPU_DECODE: return 8 * heads * d * (cols + 1);
    case LAB_GPU_TOKENS: return 8 * heads * d * (cols - (rows - 1) / 2 + 3);
    default: return chain ? lab_chain_bytes(s) : lab_least_bytes(s);
    }
}
