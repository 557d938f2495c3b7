// implementations.c: the table of what is measured side by side.
#include "implementations.h"

#include <string.h>

// clang-format off
#define SAME(op) {&op, &op}
#define CHAIN                                                                                                          \
    .does = {{&lab_sdpa, &lab_naive}, SAME(lab_softmax_batched), SAME(lab_gemm_nt), SAME(lab_gemm_nn)}, .chain = 1
#define ATTENTION(op) .does = {{&lab_sdpa, op}}
#define DECODE(one, many) .does = {{&lab_decode, one}, {&lab_tokens, many}}
#define TORCH .does = {SAME(lab_sdpa), SAME(lab_decode), SAME(lab_tokens)}

static const lab_implementation implementations[] = {
    {"task1", LAB_ON_HOST, "yours", NULL, NULL, ATTENTION(&lab_sdpa), .chain = 1},
    {"task3", LAB_ON_HOST, "yours", NULL, NULL, ATTENTION(&lab_tiled)},
    {"task3", LAB_ON_HOST, "task 1", "baselines/plain.so", NULL, ATTENTION(&lab_sdpa), .chain = 1},
    {NULL, LAB_ON_HOST, "OpenBLAS chain", "baselines/openblas_chain.so", NULL, ATTENTION(&lab_sdpa), .chain = 1},
    {NULL, LAB_ON_HOST, "PyTorch", "torch_sdpa.py", "cpu", ATTENTION(&lab_sdpa)},

    {"task2", LAB_ON_GPU, "yours", NULL, NULL, CHAIN},
    {"task2", LAB_ON_GPU, "cuBLAS chain", "baselines/cublas_chain.so", NULL, CHAIN},

    {"task4", LAB_ON_GPU, "yours", NULL, NULL, ATTENTION(&lab_flash)},
    {"task4", LAB_ON_GPU, "task 2", "task2", NULL, CHAIN, .series = "seq,graph,speedups"},
    {"task4", LAB_ON_GPU, "cuBLAS chain", "baselines/cublas_chain.so", NULL, CHAIN, .series = "seq,graph,speedups"},
    {"task4", LAB_ON_GPU, "simple", "baselines/flash_simple.so", NULL, ATTENTION(&lab_flash), .series = "queries"},
    {"task4", LAB_ON_GPU, "simple, one block per head", "baselines/flash_one_block.so", NULL, ATTENTION(&lab_flash),
     .series = "queries"},

    {"task5", LAB_ON_GPU, "yours", NULL, NULL, DECODE(&lab_decode, &lab_tokens)},
    {"task5", LAB_ON_GPU, "yours, split", NULL, NULL, DECODE(&lab_decode_split, &lab_tokens_split)},
    {"task5", LAB_ON_GPU, "unsplit", "task5", NULL, DECODE(&lab_decode, &lab_tokens)},

    {NULL, LAB_ON_GPU, "PyTorch", "torch_sdpa.py", "cuda", TORCH,
     .series = "seq,graph,speedups,heads,batch,dim,kv,tokens"},
    {NULL, LAB_ON_GPU, "PyTorch math", "torch_sdpa.py", "math", TORCH, .series = "seq,graph,kv,tokens"},
};
// clang-format on

int lab_implementations(const char *task, lab_method method, lab_implementation found[LAB_MAX_IMPLEMENTATIONS]) {
    int n = 0;
    for (size_t i = 0; i < sizeof implementations / sizeof *implementations; i++) {
        const lab_implementation *is = &implementations[i];
        if (is->method == method && (!is->task || strcmp(is->task, task) == 0)) found[n++] = *is;
    }
    return n;
}

const lab_implementation lab_null_implementation = {.name = "null", .file = "baselines/null.so"};

const lab_op *lab_does(const lab_implementation *is, const lab_op *what) {
    if (!is->does[0].what) return what;  // the null stage
    for (int i = 0; i < 5 && is->does[i].what; i++)
        if (is->does[i].what == what) return is->does[i].by;
    return NULL;
}
