// odd.c: shapes that no claim has, and on which a change fails that mends the claims by chance: longer than any tile or
// piece, no two sides alike, no side a multiple of another. Cheap enough to be tried with each change that is left.
#include <string.h>

#include "search.h"

// seq_q, seq_kv and head_dim are what the operation makes of them (core/ops.h).
static const lab_case odd[] = {
    {.op = &lab_softmax_rows, .shape = {1, 1, 3, 2051, 8, 0}},
    {.op = &lab_sdpa, .shape = {2, 3, 5, 131, 24, 1}},
    {.op = &lab_sdpa, .shape = {3, 2, 70, 67, 40, 0}},
    {.op = &lab_mha, .shape = {1, 5, 3, 3, 40, 1}},  // 200 features: sums over more than a head or a piece of 128
    {.op = &lab_mha, .shape = {2, 3, 7, 7, 104, 0}},
    {.op = &lab_softmax_batched, .shape = {1, 1, 3, 2051, 8, 0}},
    {.op = &lab_gemm_nt, .shape = {2, 1, 5, 70, 131, 0}},
    {.op = &lab_gemm_nt, .shape = {3, 1, 70, 5, 19, 0}},
    {.op = &lab_gemm_nn, .shape = {2, 1, 5, 70, 131, 0}},
    {.op = &lab_gemm_nn, .shape = {3, 1, 70, 5, 19, 0}},
    {.op = &lab_naive, .shape = {2, 3, 5, 131, 24, 1}},
    {.op = &lab_naive, .shape = {1, 2, 70, 5, 40, 0}},
    {.op = &lab_tiled, .shape = {2, 3, 37, 131, 24, 1}, .tiles = {8, 24}},
    {.op = &lab_tiled, .shape = {1, 2, 70, 131, 40, 1}, .tiles = {40, 7}},
    {.op = &lab_tiled, .shape = {2, 1, 70, 5, 104, 0}, .tiles = {3, 16}},
    {.op = &lab_flash, .shape = {1, 2, 37, 131, 24, 1}},
    {.op = &lab_flash, .shape = {2, 1, 70, 5, 40, 0}},
    {.op = &lab_cache_append, .shape = {5, 3, 1, 7, 24, 0}},
    {.op = &lab_decode, .shape = {3, 2, 1, 300, 40, 0}},
    {.op = &lab_decode_split, .shape = {3, 2, 1, 300, 24, 0}, .n_splits = 3},
    {.op = &lab_decode_split, .shape = {2, 3, 1, 45, 104, 0}, .n_splits = 11},
};

int lab_odd_shape(int i, lab_case *c) {
    if (i >= (int)(sizeof odd / sizeof *odd)) return 0;
    *c = odd[i];
    c->task = c->criterion = c->claim = "odd";
    return 1;
}
