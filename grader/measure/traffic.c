// traffic.c: the table of counted cases.
//
// What grows with S, and how, shows from three lengths. They begin with 32, where one tile of 32 x 32 is all.
#include "traffic.h"

#include <string.h>

#include "sizes.h"

#define HEADS(S, D, causal)                                                                                            \
    { 1, 2, S, S, D, causal }
#define TASK2(S)                                                                                                       \
    {"task2", "softmax S=" #S, &lab_softmax_batched, {1, 1, S, S, 64, 0}, 0},                                          \
        {"task2", "GEMM_NT S=" #S, &lab_gemm_nt, {1, 1, S, S, 64, 0}, 0}, /* Q K^T */                                  \
        {"task2", "GEMM_NN S=" #S, &lab_gemm_nn, {1, 1, S, 64, S, 0}, 0}, /* P V */                                    \
    {                                                                                                                  \
        "task2", "chain S=" #S, &lab_naive, HEADS(S, 64, 0), 0                                                         \
    }
#define CACHE(B, KV)                                                                                                   \
    { B, 4, 1, KV, 64, 0 }

const lab_traffic_case lab_traffic_cases[] = {
    TASK2(32),
    TASK2(64),
    TASK2(128),
    {"task4", "S=32 full", &lab_flash, HEADS(32, 64, 0), 0},
    {"task4", "S=64 full", &lab_flash, HEADS(64, 64, 0), 0},
    {"task4", "S=128 full", &lab_flash, HEADS(128, 64, 0), 0},
    {"task4", "S=32 causal", &lab_flash, HEADS(32, 64, 1), 0},
    {"task4", "S=64 causal", &lab_flash, HEADS(64, 64, 1), 0},
    {"task4", "S=128 causal", &lab_flash, HEADS(128, 64, 1), 0},
    {"task4", "S=128 D=128 full", &lab_flash, HEADS(128, 128, 0), 0},
    {"task5", "append", &lab_cache_append, CACHE(2, 64), 0},
    {"task5", "KV=128", &lab_decode, CACHE(1, 128), 0},
    {"task5", "KV=256", &lab_decode, CACHE(1, 256), 0},
    {"task5", "KV=256, 4 splits", &lab_decode_split, CACHE(1, 256), 4},
};

const int lab_n_traffic_cases = sizeof lab_traffic_cases / sizeof *lab_traffic_cases;

int lab_has_traffic(const char *task) {
    for (int i = 0; i < lab_n_traffic_cases; i++)
        if (strcmp(lab_traffic_cases[i].task, task) == 0) return 1;
    return 0;
}

uint64_t lab_traffic_least(const lab_traffic_case *c, int t) {
    const attn_shape s = c->shape;
    const uint64_t tensor = c->op->elements(s, t) * sizeof(float), token = 4ull * s.batch * s.heads * s.head_dim;
    if (c->op == &lab_naive && t == 4) return 6 * tensor;  // scores: written, read and written twice, read
    if (c->op == &lab_cache_append && t < 2)  // the cache before is the lab's; of the cache: k, v and the lengths
        return t == 0 ? 2 * token + 8ull * s.batch : 0;
    if (c->op == &lab_decode_split && t == 5)  // a partial output and its log-sum-exp per split, written and read
        return 2 * c->splits * (token + 4ull * s.batch * s.heads);
    return tensor;
}
