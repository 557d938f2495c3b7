// taken.c: numbers that are stored where they belong, and taken from elsewhere; or only some of them, or added to what
// was there.
#include "stored.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const lab_stored *t;
    const lab_symptom *s;
    size_t n;
    const long *from;  // of number k: where its place's number comes from; -1: from elsewhere
} numbers;

static void index_of(const lab_stored *t, size_t k, size_t i[4]) {
    for (int a = 3; a >= 0; a--) i[a] = k % t->extent[a], k /= t->extent[a];
}

static size_t place_of(const lab_stored *t, size_t k) {
    size_t i[4], at = (size_t)t->first;
    index_of(t, k, i);
    for (int a = 0; a < 4; a++) at += i[a] * (size_t)t->step[a];
    return at;
}

static double before(const lab_symptom *s, size_t at) { return lab_is_finite(s->in[1][at]) ? s->in[1][at] : 0; }

// Number k belongs into the cache: padding does not.
static int is_due(const numbers *x, size_t k) {
    const size_t at = place_of(x->t, k);
    return at < x->t->cache && x->s->want[at] == x->t->from_tensor[k] && x->s->want[at] != before(x->s, at);
}

// ---- Some of them alone

static const char *const which[] = {
    "sequences", "heads", "tokens", "dims", "numbers h * D + d of a token", "numbers row * D + d of a head"};
enum { WAYS = sizeof which / sizeof *which };

static size_t key_of(const lab_stored *t, int way, size_t k) {
    size_t i[4];
    index_of(t, k, i);
    return way < 4 ? i[way] : way == 4 ? i[1] * t->extent[3] + i[3] : i[2] * t->extent[3] + i[3];
}

// Rows of D numbers, taken to be as long as something else: their first numbers alone are stored.
static int explain_short_rows(const numbers *x, size_t n, char *text, size_t size) {
    int found = 0;
    for (int i = 0; i < LAB_STORED_SIZES && x->t->other[i].text; i++) {
        const char *name = x->t->other[i].text;
        char said[200];
        if (x->t->other[i].value != (long)n) continue;
        snprintf(said, sizeof said,
                 "matches the dims from %s on left out: a row is taken to have %s numbers, and has D: is it i / %s and "
                 "i %% %s, or d < %s, in place of D?",
                 name, name, name, name, name);
        found |= lab_guess(x->s->guesses, said, text, size);
    }
    return found;
}

// The first of them alone is stored. So it is where all of them read and write where the first one does.
static int explain_first_alone(const numbers *x, int way, char *text, size_t size) {
    static const char *const one[] = {"sequence", "head"}, name[] = {'b', 'h'};
    char said[300];
    if (way >= (int)sizeof name) return 0;
    snprintf(said, sizeof said,
             "matches offsets without %c, both where a number is read and where it is stored: every %s reads and "
             "writes where %s 0 does. Or the %s from 1 on are left out: all of them belong into the cache",
             name[way], one[way], one[way], which[way]);
    return lab_guess(x->s->guesses, said, text, size);
}

// Of each sequence one head alone is stored: that of the block's number, where a block is taken for one of a head.
static int explain_one_head(const numbers *x, char *text, size_t size) {
    const size_t H = x->t->extent[1];
    for (size_t k = 0; k < x->n; k++) {
        const size_t at = place_of(x->t, k), b = key_of(x->t, 0, k), h = key_of(x->t, 1, k);
        if (is_due(x, k) && (x->s->got[at] == x->s->want[at]) != (h == b % H)) return 0;
    }
    return lab_guess(x->s->guesses,
                     "matches one head of each sequence that is stored, head b % H, and no other: block b has the "
                     "whole sequence, not one head, and stores the rows of all H heads, H * D numbers",
                     text, size);
}

// All places hold what is due, or what they held before: which of them?
static int explain_some(const numbers *x, char *text, size_t size) {
    size_t due = 0, stored = 0, added = 0;
    for (size_t k = 0; k < x->n; k++) {
        if (!is_due(x, k)) continue;
        const size_t at = place_of(x->t, k);
        const double got = x->s->got[at], was = before(x->s, at);
        const int here = got == x->s->want[at], plus = got == (float)(was + x->s->want[at]);
        if (!here && !plus && got != was) return 0;
        due++, stored += here, added += plus && !here;
    }
    if (due && added == due)
        return lab_guess(x->s->guesses,
                         "matches numbers that are added to what stands in the cache: they take its place", text, size);
    if (!due || added || stored == due) return 0;
    if (!stored) return lab_guess(x->s->guesses, "matches nothing that is stored", text, size);
    if (x->t->extent[0] > 1 && x->t->extent[1] > 1 && explain_one_head(x, text, size)) return 1;
    for (int way = 0; way < WAYS; way++) {
        size_t first_left = (size_t)-1, last_stored = 0;
        for (size_t k = 0; k < x->n; k++) {
            if (!is_due(x, k)) continue;
            const size_t key = key_of(x->t, way, k), at = place_of(x->t, k);
            if (x->s->got[at] == x->s->want[at])
                last_stored = key > last_stored ? key : last_stored;
            else
                first_left = key < first_left ? key : first_left;
        }
        if (last_stored >= first_left) continue;
        char said[200];
        if (way == 3 && explain_short_rows(x, first_left, text, size)) return 1;
        if (first_left == 1 && explain_first_alone(x, way, text, size)) {
            if (way == 1) explain_one_head(x, text, size);  // of one sequence it may be either
            return 1;
        }
        snprintf(said, sizeof said, "matches the %s from %zu on left out: all of them belong into the cache",
                 which[way], first_left);
        return lab_guess(x->s->guesses, said, text, size);
    }
    return 0;
}

// ---- Taken from elsewhere

static int step_of(const numbers *x, int axis, long *step) {
    size_t apart = 1;
    int all = 0, pairs = 0, equal = 0;
    for (int a = 3; a > axis; a--) apart *= x->t->extent[a];
    for (size_t k = 0; k + apart < x->n; k++) {
        size_t i[4];
        index_of(x->t, k, i);
        if (i[axis] + 1 == x->t->extent[axis] || !++all || x->from[k] < 0 || x->from[k + apart] < 0) continue;
        const long here = x->from[k + apart] - x->from[k];
        if (!pairs++) *step = here;
        equal += here == *step;
    }
    return pairs > all / 10 && 10 * equal >= 9 * pairs;
}

static int explain_steps(const numbers *x, char *text, size_t size) {
    static const char *const what[] = {"sequences", "heads", "tokens", "the numbers of a token"};
    const lab_stored *t = x->t;
    long due = 1;
    char is[24], must[24], said[200];
    for (int a = 3; a >= 0; due *= (long)t->extent[a--]) {
        long step = due;
        if (t->extent[a] > 1 && !step_of(x, a, &step)) return 0;
        if (step == due) continue;
        snprintf(said, sizeof said, "matches %s that are read %s numbers apart: where they come from they are %s apart",
                 what[a], lab_step_named(t, step, is), lab_step_named(t, due, must));
        return lab_guess(x->s->guesses, said, text, size);
    }
    return 0;
}

int lab_explain_taken_from(const lab_symptom *s, const lab_stored *t, char *text, size_t size) {
    const size_t n = t->extent[0] * t->extent[1] * t->extent[2] * t->extent[3];
    lab_numbered *p = malloc(n * sizeof *p);
    long *from = malloc(n * sizeof *from);
    int known = 0;
    if (p && from && n <= LAB_MOST_PLACES && !t->from) {
        size_t found = 0;
        for (size_t k = 0; k < n; k++) p[k] = (lab_numbered){t->from_tensor[k], (long)k};
        qsort(p, n, sizeof *p, lab_by_value);
        for (size_t k = 0; k < n; k++) {
            const size_t at = place_of(t, k);
            const lab_numbered key = {at < t->cache ? s->got[at] : 0, 0};
            const lab_numbered *it = lab_is_finite(key.value) ? bsearch(&key, p, n, sizeof *p, lab_by_value) : NULL;
            from[k] = it ? it->at : -1, found += it != NULL;
        }
        const numbers x = {t, s, n, from};
        known = explain_some(&x, text, size) || (found > 1 && explain_steps(&x, text, size));
    }
    free(p), free(from);
    return known;
}
