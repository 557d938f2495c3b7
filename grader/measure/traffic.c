// traffic.c: the table of counted cases.
//
// What grows with S, and how, shows from three lengths. They begin with 32, where one tile of 32 x 32 is all.
#include "traffic.h"

#include <string.h>

#include "sizes.h"

#define HEADS(S, D, causal)                                                                                            \
    { 1, 2, S, S, D, causal }
#define TASK2(S)                                                                                                       \
    {"task2", "softmax S=" #S, LAB_SOFTMAX_BATCHED, {1, 1, S, S, 64, 0}, 0},                                           \
        {"task2", "GEMM_NT S=" #S, LAB_GEMM_NT, {1, 1, S, S, 64, 0}, 0}, /* Q K^T */                                   \
        {"task2", "GEMM_NN S=" #S, LAB_GEMM_NN, {1, 1, S, 64, S, 0}, 0}, /* P V */                                     \
    {                                                                                                                  \
        "task2", "chain S=" #S, LAB_NAIVE, HEADS(S, 64, 0), 0                                                          \
    }
#define CACHE(B, KV)                                                                                                   \
    { B, 4, 1, KV, 64, 0 }

const lab_traffic_case lab_traffic_cases[] = {
    TASK2(32),
    TASK2(64),
    TASK2(128),
    {"task4", "S=32 full", LAB_FLASH, HEADS(32, 64, 0), 0},
    {"task4", "S=64 full", LAB_FLASH, HEADS(64, 64, 0), 0},
    {"task4", "S=128 full", LAB_FLASH, HEADS(128, 64, 0), 0},
    {"task4", "S=32 causal", LAB_FLASH, HEADS(32, 64, 1), 0},
    {"task4", "S=64 causal", LAB_FLASH, HEADS(64, 64, 1), 0},
    {"task4", "S=128 causal", LAB_FLASH, HEADS(128, 64, 1), 0},
    {"task4", "S=128 D=128 full", LAB_FLASH, HEADS(128, 128, 0), 0},
    {"task5", "append", LAB_CACHE_APPEND, CACHE(2, 64), 0},
    {"task5", "KV=128", LAB_DECODE, CACHE(1, 128), 0},
    {"task5", "KV=256", LAB_DECODE, CACHE(1, 256), 0},
    {"task5", "KV=256, 4 splits", LAB_DECODE_SPLIT, CACHE(1, 256), 4},
};

const int lab_n_traffic_cases = sizeof lab_traffic_cases / sizeof *lab_traffic_cases;

int lab_has_traffic(const char *task) {
    for (int i = 0; i < lab_n_traffic_cases; i++)
        if (strcmp(lab_traffic_cases[i].task, task) == 0) return 1;
    return 0;
}

uint64_t lab_traffic_least(const lab_traffic_case *c, int t) {
    const attn_shape s = c->shape;
    const uint64_t tensor = lab_op_elements(c->op, s, t) * sizeof(float), token = 4ull * s.batch * s.heads * s.head_dim;
    switch (c->op) {
    case LAB_NAIVE: return t == 4 ? 6 * tensor : tensor;  // scores: written, read and written twice, read
    case LAB_CACHE_APPEND:  // the cache before is the lab's; of the cache, a token's k and v and the lengths
        return t == 0 ? 2 * token + 8ull * s.batch : t == 1 ? 0 : tensor;
    case LAB_DECODE_SPLIT:  // workspace: a partial output and its log-sum-exp per split, written and read
        return t == 5 ? 2 * c->splits * (token + 4ull * s.batch * s.heads) : tensor;
    default: return tensor;
    }
}
