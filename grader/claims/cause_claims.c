// cause_claims.c: the claims that have been tried, what fits each of them, and which of them count where one cause is looked
// for. What is built on a function that is wrong itself says nothing.
#include "cause_claims.h"

#include <stdio.h>
#include <string.h>

#include "common_cause.h"

lab_claims_seen lab_seen;

void lab_cause_add(const lab_case *c, const lab_result *r) {
    const char *end = strstr(r->diagnosis, "; wrong: ");
    if (lab_seen.n == LAB_MOST_TRIED) return;
    lab_guesses *fits = &lab_seen.fits[lab_seen.n];
    lab_seen.tried[lab_seen.n].c = *c, lab_seen.tried[lab_seen.n].verdict = r->verdict, *fits = r->guesses;
    lab_seen.tried[lab_seen.n].refuses = strstr(r->diagnosis, "returned ATTN_BAD_SHAPE for arguments") != NULL;
    lab_seen.mute[lab_seen.n] = !r->compared || (!r->cmp.used && r->cmp.not_finite == c->op->elements(c->shape, 0));
    if (!lab_seen.n) lab_seen.all_large = 1;
    lab_seen.n++;
    if (r->verdict != LAB_PASSED && !lab_has_large_scores(c)) lab_seen.all_large = 0;
    if (lab_cause_is_revised(r)) return;
    if (!end || r->verdict == LAB_PASSED) return;
    char text[sizeof fits->text[0]], first[2] = "";
    snprintf(text, sizeof text, "%.*s", (int)(end - r->diagnosis), r->diagnosis);
    for (int i = 0; i < fits->n; i++)
        if (strncmp(fits->text[i], text, sizeof text - 1) == 0) return;
    lab_guess(fits, text, first, sizeof first);
}

// ---- What builds on what

static int has_failed(const lab_op *op) {
    for (int i = 0; i < lab_seen.n; i++)
        if (lab_seen.tried[i].c.op == op && lab_seen.tried[i].verdict != LAB_PASSED) return 1;
    return 0;
}

// The first function that this one uses and whose own claims fail; NULL: there is none.
const lab_op *lab_wrong_part(const lab_op *op) {
    for (int i = 0; i < LAB_MOST_USED && op->uses[i]; i++)
        if (has_failed(op->uses[i])) return op->uses[i];
    return NULL;
}

const lab_tried *lab_cause_tried(int i) { return i < lab_seen.n ? &lab_seen.tried[i] : NULL; }

static int matches_of(int i) {
    int matches = 0;
    for (int k = 0; k < lab_seen.fits[i].n; k++) matches += strncmp(lab_seen.fits[i].text[k], "matches", 7) == 0;
    return matches;
}

int lab_cause_is_mute(int i) { return lab_seen.mute[i] && !matches_of(i); }

// With large scores one key has all the weight in most rows: many mistakes look the same there, or nothing fits.
int lab_cause_counts(int i) {
    return lab_seen.tried[i].verdict != LAB_PASSED && !lab_wrong_part(lab_seen.tried[i].c.op) &&
           (matches_of(i) || !lab_has_large_scores(&lab_seen.tried[i].c) || lab_seen.all_large);
}

const lab_guesses *lab_cause_fits(int i) { return lab_cause_counts(i) ? &lab_seen.fits[i] : NULL; }

int lab_cause_failures(void) {
    int n = 0;
    for (int i = 0; i < lab_seen.n; i++) n += lab_seen.tried[i].verdict != LAB_PASSED;
    return n;
}

int lab_cause_is_no_keys(void) {
    int n = 0, others = 0;
    for (int i = 0; i < lab_seen.n; i++) {
        others += lab_seen.tried[i].verdict != LAB_PASSED && lab_seen.tried[i].verdict != LAB_NOT_FINITE;
        for (int k = 0; k < lab_seen.fits[i].n; k++)
            n += strncmp(lab_seen.fits[i].text[k], "only sequences without keys", 27) == 0;
    }
    return n > 0 && !others;
}
