// harmless.c: of the changes that mend what failed, those that leave what held.
#include <string.h>

#include "search.h"
#include "stretch.h"

static const double WHOLE_SECONDS = 3;   // for a call
static const double HELD_SECONDS = 0.2;  // for all claims that held
enum { MOST_AGAIN = 2 };

// What holds in one order of the threads alone, or once in two calls, has a race, and mends nothing. The runner `again`
// lives on from change to change.
static int has_race(lab_subject *s, lab_attempts *again, uint64_t seed, int edit) {
    int holds = 1;
    for (int k = 0; k < s->failed && k < MOST_AGAIN && holds; k++)
        holds = lab_attempt_twice(again, &s->claim[k]->c, seed, edit, WHOLE_SECONDS);
    return !holds;
}

// A TODO whose claims hold is right as far as they reach: a change of its code for another one's sake leaves them so.
static int spoils_own(lab_subject *s, uint64_t seed, const lab_edit *e, int from) {
    int spoils = 0;
    if (!s->todo || !*e->todo || !strcmp(e->todo, s->todo)) return 0;
    for (int k = from; k < s->n && !spoils; k++) {
        if (!s->claim[k]->c.todo || strcmp(s->claim[k]->c.todo, e->todo)) continue;
        lab_prepared *p = lab_prepare(&s->claim[k]->c, seed);
        spoils =
            p && !lab_attempt(&s->attempts, p, e->id, WHOLE_SECONDS) && lab_attempt(&s->attempts, p, 0, WHOLE_SECONDS);
        lab_prepared_free(p);
    }
    return spoils;
}

// Out goes what spoils a claim that held, unless that fails here without a change, too: this file is compiled without
// optimisation. The small claims come first; large ones that take longer than all before them are left to belief.
void lab_search_harmless(lab_subject *s, uint64_t seed, lab_found *found) {
    lab_stretch t = lab_begin_stretch();
    int k = s->failed;
    for (; k < s->n && !lab_is_too_long(&t, &s->claim[k]->c, HELD_SECONDS); k++) {
        const double before = lab_attempts_left();
        lab_prepared *p = lab_prepare(&s->claim[k]->c, seed);
        int kept = 0, known = -1;
        for (int i = 0; p && i < found->n; i++) {
            int harmless = lab_attempt(&s->attempts, p, found->mend[i].edit->id, WHOLE_SECONDS);
            if (!harmless && known < 0) known = lab_attempt(&s->attempts, p, 0, WHOLE_SECONDS);
            if (harmless || !known) found->mend[kept++] = found->mend[i];
        }
        if (p) found->n = kept;
        lab_prepared_free(p);
        lab_note_length(&t, &s->claim[k]->c, before);
    }
    for (int i = k; i < s->n; i++) found->left += !s->todo || !strcmp(s->todo, s->claim[i]->c.todo);
    lab_attempts again = {.options = s->attempts.options, .reversed = s->cuda};
    int kept = 0;
    for (int i = 0; i < found->n; i++)
        if (!spoils_own(s, seed, found->mend[i].edit, k) &&
            (!found->all || !(s->cuda || s->threads) || !has_race(s, &again, seed, found->mend[i].edit->id)))
            found->mend[kept++] = found->mend[i];
    lab_attempts_close(&again);
    found->n = kept;
}
