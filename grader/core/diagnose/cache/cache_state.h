// cache_state.h: task 6's cache after all calls, for those who ask where the prompt's keys and values lie.
#ifndef LAB_CACHE_STATE_H
#define LAB_CACHE_STATE_H

#include "heuristics.h"

typedef struct {
    const lab_symptom *s;
    size_t B, H, D, E, T, S, slots;
    int first,
        end;     // the rows that are accepted; behind a refused prompt the first one is a prompt of one token, S = 1
    double *kv;  // of the prompt: [B, S, 2 E], k and v
} lab_cache_state;

int lab_cache_prompt_of(const lab_cache_state *a, size_t b);  // tokens of a sequence's prompt

// Is this row of the cache that one? And the k (v 0) or v (v 1) that a token of the prompt should have there.
int lab_cache_row_is(const lab_cache_state *a, const float *at, const double *row);
const double *lab_cache_due(const lab_cache_state *a, int v, size_t b, size_t h, size_t t);

// Where a wrong formula puts token t of head h of sequence b. New tokens may have replaced some of the prompt's.
typedef enum {
    RIGHT,
    S_APART,
    HEADS_S_APART,
    SWAPPED,
    TOKENS_FIRST,
    WITHOUT_B,
    WITHOUT_H,
    SLOT_LATE,
    N_LAYOUTS
} lab_cache_layout;

size_t lab_cache_place(const lab_cache_state *a, lab_cache_layout f, size_t b, size_t h, size_t t);

// cache_slots.c: which heads are stored, from which rows, and what lies in the first slot that is wrong.
int lab_explain_heads_alone(const lab_cache_state *a, char *text, size_t size);
int lab_explain_taken(const lab_cache_state *a, char *text, size_t size);
int lab_explain_slots(const lab_cache_state *a, char *text, size_t size);

// cache_parts.c: heads at a wrong distance; a quarter of the numbers.
int lab_explain_distance(const lab_cache_state *a, char *text, size_t size);
int lab_explain_quarter(const lab_cache_state *a, char *text, size_t size);

#endif
