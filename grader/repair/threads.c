// threads.c: a file that fails with two threads and is right with one has a race: no change of a value mends that.
#include "search.h"

enum { CLAIMS = 4, TRIES = 8, ALONE = 3 };  // of each claim: with two threads, with one
static const double SECONDS = 3;

static int holds(lab_attempts *a, lab_prepared *p, int times) {
    for (int i = 0; i < times; i++)
        if (!lab_attempt(a, p, 0, SECONDS)) return 0;
    return 1;
}

int lab_threads_race(lab_subject *s, uint64_t seed) {
    lab_attempts alone = {.options = s->attempts.options};
    int fails = 0, right = 1;
    alone.options.threads = 1;
    for (int k = 0; k < s->failed && k < CLAIMS && right; k++) {
        lab_prepared *p = lab_prepare(&s->claim[k]->c, seed);
        right = p && holds(&alone, p, ALONE);
        fails |= right && !holds(&s->attempts, p, TRIES);
        lab_prepared_free(p);
    }
    lab_attempts_close(&alone);
    return right && fails;
}
