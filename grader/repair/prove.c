// prove.c: before a change is said, that one alone is tried on all that time did not suffice for in the search.
#include "search.h"

#include <math.h>

#include "aside.h"
#include "stretch.h"

static const double SECONDS = 2;  // of a processor, beyond the budget
static const double LONGEST = 1;  // for a call
static const double HEAVY = 4e6;  // lab_weight of a claim that takes some time

typedef enum { FAILS, HOLDS, UNKNOWN } outcome;

// What takes too long says nothing. What fails without the change, too, is due to this file being slow or unoptimised.
// edit 0: the file has that change alone.
static outcome try_it(lab_subject *s, const lab_kept *k, uint64_t seed, int edit, double left) {
    lab_prepared *p = lab_prepare(&k->c, seed);
    const double limit = fmin(LONGEST, left), before = lab_attempts_left();
    outcome o = !p ? UNKNOWN : lab_attempt(&s->attempts, p, edit, limit) ? HOLDS : FAILS;
    if (o == FAILS && before - lab_attempts_left() > limit) o = UNKNOWN;
    if (o == FAILS && edit && !k->failed && !lab_attempt(&s->attempts, p, 0, limit)) o = HOLDS;
    lab_prepared_free(p);
    return o;
}

// The claim that takes longest is tried on another processor, beside all others.
typedef struct {
    lab_subject *s;
    uint64_t seed;
    int k, edit, begun;
    double left;
} longest;

static int try_aside(void *of) {
    const longest *l = of;
    l->s->attempts.open = 0, l->s->attempts.beside = NULL;  // that runner is the other process's
    const outcome o = try_it(l->s, l->s->claim[l->k], l->seed, l->edit, l->left);
    lab_attempts_close(&l->s->attempts);
    return 1 + o;
}

static int is_to_try(const lab_subject *s, int k, int tried, int held) {
    return k >= tried && k < s->n && !(k >= s->failed && k < held);
}

static longest begin_longest(lab_subject *s, uint64_t seed, int edit, int tried, int held, double left) {
    longest l = {.s = s, .seed = seed, .k = -1, .edit = edit, .left = left};
    double most = HEAVY;
    for (int k = tried; k < s->n; k++)
        if (is_to_try(s, k, tried, held) && lab_weight(&s->claim[k]->c) > most)
            most = lab_weight(&s->claim[k]->c), l.k = k;
    if (l.k >= 0 && left > 0) l.begun = lab_aside_begin(try_aside, &l);
    if (!l.begun) l.k = -1;
    return l;
}

// Returns 0 if it fails one of them. tried, left: how far it came. Behind a claim that takes too long the short ones,
// of TODOs, are tried all the same.
static int is_proved(lab_subject *s, uint64_t seed, const lab_edit *e, double end, int *tried, int *left) {
    const int held = s->todo ? s->n : s->n - *left, first = *tried;  // held: the first that was not tried
    longest l = begin_longest(s, seed, e->id, first, held, lab_attempts_left() - end);
    outcome all[LAB_MOST_KEPT];
    int known = 1;
    for (int k = first; k < s->n; k++) {
        all[k] = UNKNOWN;
        if (k == l.k || !is_to_try(s, k, first, held) || (!known && !s->claim[k]->c.todo)) continue;
        const double time = lab_attempts_left() - end;
        all[k] = time > 0 ? try_it(s, s->claim[k], seed, e->id, time) : UNKNOWN;
        if (all[k] == FAILS) {
            lab_aside_drop(l.begun);
            return 0;
        }
        known &= all[k] != UNKNOWN;
    }
    const int aside = lab_aside_end(l.begun);
    if (l.k >= 0) all[l.k] = aside ? (outcome)(aside - 1) : UNKNOWN;
    if (l.k >= 0 && all[l.k] == FAILS) return 0;
    known = 1;
    for (int k = first; k < s->n; k++) {
        if (!is_to_try(s, k, first, held) || (!known && !s->claim[k]->c.todo)) continue;
        known &= all[k] != UNKNOWN;
        if (known) *tried += k < s->failed, *left -= k >= s->failed;
    }
    return 1;
}

void lab_search_prove(lab_subject *s, uint64_t seed, lab_found *found) {
    const double end = lab_attempts_left() - SECONDS;
    while (found->n && !found->ends) {
        int tried = found->tried, left = found->left;
        if (is_proved(s, seed, found->mend[0].edit, end, &tried, &left)) {
            found->tried = tried, found->left = left;
            return;
        }
        found->n--;
        for (int i = 0; i < found->n; i++) found->mend[i] = found->mend[i + 1];
    }
}
