// attention.h: rung 9's attention, for one prompt: K and V as they stand in the cache, and O split, as W_out wants it. A block
// has 64 queries and its two consumers take tiles of keys in turn, the blocks with most keys first: 900 tokens of 12
// heads are 180 blocks for 132 multiprocessors.
#ifndef SPLIT_ONCE_ATTENTION_H
#define SPLIT_ONCE_ATTENTION_H

#include "finish.h"

namespace split_once {

// O of a head begins at the same byte split and not, as D is a multiple of 32.
DEVICE void store_pair(float *O, int rows, int row, int col, float x, float y) {
    uint32_t hi, lo;
    ::split(x, y, hi, lo);
    char *to = split_at((char *)O, rows, row, col);
    *(uint32_t *)to = hi, *(uint32_t *)lo_of(to) = lo;
}

#define FOR_PROMPTS
#include "../9_split_keys/task4_flash/flash.cu"

// Q: [heads][rows][D]; K, V: [heads][max_seq][D]; split: [rows][heads D].
static attn_status attend(char *split, const float *Q, const float *K, const float *V, int heads, int rows, int max_seq,
                          int D, cudaStream_t stream) {
    launch<plan<64, true, true>>({(float *)split, Q, K, V, {1, heads, rows, max_seq, D, 1}, stream}, {0, 1});
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

}  // namespace split_once
#endif
