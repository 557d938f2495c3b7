// held.h: claims that fail, for tests of what is told of them (grader/claims/told.c).
#ifndef LAB_TESTS_HELD_H
#define LAB_TESTS_HELD_H

#include <stdio.h>
#include <string.h>

#include "claims_held.h"

enum { CLAIMS = 4, MOST_CLAIMS = 5 };

static lab_held held[MOST_CLAIMS];

// Claim i of task 4, wrong, and what fits it: up to two sentences, of which it says the first.
static void fails(int i, const char *fits, const char *too) {
    static const attn_shape shape = {.batch = 1, .heads = 1, .seq_q = 4, .seq_kv = 4, .head_dim = 8};
    lab_held *h = &held[i];
    memset(h, 0, sizeof *h);
    h->c.op = &lab_flash, h->c.shape = shape;
    h->r.verdict = LAB_WRONG_ANSWER, h->r.compared = 1;
    snprintf(h->r.diagnosis, sizeof h->r.diagnosis, "%s; wrong: row %d", fits, i);
    snprintf(h->r.guesses.text[h->r.guesses.n++], sizeof h->r.guesses.text[0], "%s", fits);
    if (too) snprintf(h->r.guesses.text[h->r.guesses.n++], sizeof h->r.guesses.text[0], "%s", too);
}

#endif
