// prove.c: before a change is said, that one alone is tried on all that time did not suffice for in the search.
#include "search.h"

#include <math.h>

static const double SECONDS = 2;  // of a processor, beyond the budget
static const double LONGEST = 1;  // for a call

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

// Returns 0 if it fails one of them. tried, left: how far it came. Behind a claim that takes too long the short ones,
// of TODOs, are tried all the same.
static int is_proved(lab_subject *s, uint64_t seed, const lab_edit *e, double end, int *tried, int *left) {
    const int held = s->todo ? s->n : s->n - *left;  // the first that was not tried
    int known = 1;
    for (int k = *tried; k < s->n; k++) {
        if ((k >= s->failed && k < held) || (!known && !s->claim[k]->c.todo)) continue;
        const double time = lab_attempts_left() - end;
        const outcome o = time > 0 ? try_it(s, s->claim[k], seed, e->id, time) : UNKNOWN;
        if (o == FAILS) return 0;
        known &= o != UNKNOWN;
        if (!known) continue;
        *tried += k < s->failed, *left -= k >= s->failed;
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
