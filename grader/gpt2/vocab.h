// vocab.h: the tables behind a tokenizer; inside grader/gpt2 only.
#ifndef GPT2_VOCAB_H
#define GPT2_VOCAB_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

// Merge: tokens left and right become `id`. rank: the line of merges.txt, the earlier the sooner; -1: an empty slot.
typedef struct {
    int left, right, id, rank;
} gpt2_merge;

typedef struct {
    int n;                // tokens 0 .. n - 1
    char *bytes;          // those of all tokens, one after the other
    size_t *begin;        // [n + 1]: token i has bytes begin[i] .. begin[i + 1]
    int byte_token[256];  // the token that is this byte alone
    gpt2_merge *merges;   // hash table with linear probing, at most half full
    uint32_t merge_mask;  // its size - 1
    int end_of_text;      // -1: none
} gpt2_vocab;

bool gpt2_vocab_read(gpt2_vocab *v, const char *folder, char *why, size_t size);
void gpt2_vocab_free(gpt2_vocab *v);

// The slot of this pair: it holds the pair's merge, or is empty (rank -1).
gpt2_merge *gpt2_merge_of(const gpt2_vocab *v, int left, int right);

// Merges the tokens of one piece. ids[n] has a token per byte at first; returns how many are left.
// work: gpt2_bpe_work(n) bytes, aligned for int.
size_t gpt2_bpe(const gpt2_vocab *v, int *ids, size_t n, void *work);
size_t gpt2_bpe_work(size_t n);

#endif
