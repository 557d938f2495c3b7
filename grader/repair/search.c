// search.c: every change on the smallest claim that fails, those that mend it on the next, and so on.
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "rank.h"

static const double WHOLE_SECONDS = 3, FEW_SECONDS = 3;  // for a call; of few changes that are left
static const double FIRST = 0.75, NEXT = 0.9;            // of the budget, for the first claim and for all that failed
enum { LINES = 1 << 12 };

typedef struct {
    const lab_edit *edit;
    int mended, out;
} candidate;

// Goes on until time is up; those that it did not come to are out, unless these are claims of the whole file, which
// take long and may. What a change does in a line, its neighbours do, too: where two did not end, others come last.
static void try_claim(lab_attempts *a, const lab_case *c, uint64_t seed, candidate *all, int n, int must, int whole) {
    lab_prepared *p = lab_prepare(c, seed);
    int few = 0;  // they may take their time
    for (int i = 0; i < n; i++) few += !all[i].out;
    const double least = p && !whole ? lab_attempt_limit(a, p) : 0;
    const int many = whole || !(least > 0) || few > LAB_MOST_FOUND;
    const double limit = whole ? WHOLE_SECONDS : many ? least : FEW_SECONDS;
    if (p && !(limit > 0)) {  // without a change it holds here: that says nothing of any
        for (int i = 0; i < n; i++) all[i].mended += !all[i].out;
        lab_prepared_free(p);
        return;
    }
    unsigned char dead[LINES] = {0}, *tried = calloc((size_t)n + 1, 1);
    for (int i = 0; tried && i < 2 * n; i++) {
        candidate *x = &all[i % n];
        unsigned char *here = &dead[x->edit->line % LINES];
        if (x->out || tried[i % n] || (i < n && !whole && *here >= 2)) continue;
        lab_say_aloud();
        const int in_time = limit > 0 && lab_attempts_go_on(a);
        const int holds = in_time && lab_attempt(a, p, x->edit->id, limit);
        tried[i % n] = 1;
        x->mended += holds;
        x->out = (!in_time && !whole) || (in_time && must && !holds);
        if (in_time && !a->stage.alive && *here < 255) (*here)++;
    }
    free(tried);
    lab_prepared_free(p);
}

static int standing(const candidate *all, int n) {
    int standing = 0;
    for (int i = 0; i < n; i++) standing += !all[i].out;
    return standing;
}

static void keep_best(const candidate *all, int n, const char *todo, lab_found *found) {
    int most = 0;
    found->n = 0;
    for (int i = 0; i < n; i++)
        if (!all[i].out && all[i].mended > most) most = all[i].mended;
    for (int i = 0; i < n && most; i++) {
        if (all[i].out || all[i].mended < most) continue;
        int at = found->n < LAB_MOST_FOUND ? found->n++ : LAB_MOST_FOUND;
        const int rank = lab_rank(all[i].edit, todo);
        for (; at && lab_rank(found->mend[at - 1].edit, todo) > rank; at--)
            if (at < LAB_MOST_FOUND) found->mend[at] = found->mend[at - 1];
        if (at < LAB_MOST_FOUND) found->mend[at] = (lab_mend){all[i].edit, most, 0};
    }
}

// What holds in one order of the threads alone has a race, and mends nothing.
static int holds_reversed(lab_subject *s, uint64_t seed, int edit) {
    lab_attempts reversed = {.options = s->attempts.options, .reversed = 1};
    int holds = 1;
    for (int k = 0; k < s->failed && holds; k++)
        holds = lab_attempt_twice(&reversed, &s->claim[k]->c, seed, edit, WHOLE_SECONDS);
    lab_attempts_close(&reversed);
    return holds;
}

// A claim that fails without a change, too, says nothing: this file is compiled without optimisation.
static int is_kept(lab_subject *s, int k, uint64_t seed, int edit) {
    const lab_case *c = &s->claim[k]->c;
    return lab_attempt_twice(&s->attempts, c, seed, edit, WHOLE_SECONDS) ||
           (k >= s->failed && !lab_attempt_twice(&s->attempts, c, seed, 0, WHOLE_SECONDS));
}

// Out goes what spoils a claim that held, or does not give the same twice.
static void keep_harmless(lab_subject *s, uint64_t seed, lab_found *found) {
    int kept = 0;
    for (int i = 0; i < found->n; i++) {
        int harmless = 1;
        for (int k = 0; k < s->n && harmless && lab_attempts_go_on(&s->attempts); k++)
            if (k >= s->failed || found->all) harmless = is_kept(s, k, seed, found->mend[i].edit->id);
        if (harmless && found->all && s->cuda) harmless = holds_reversed(s, seed, found->mend[i].edit->id);
        if (harmless) found->mend[kept++] = found->mend[i];
    }
    found->n = kept;
}

void lab_search(const lab_candidates *c, lab_subject *s, uint64_t seed, lab_found *found) {
    candidate *all = calloc(c->n, sizeof *all);
    int n = 0;
    memset(found, 0, sizeof *found);
    for (int i = 0; all && i < c->n; i++)
        if (!c->edit[i].dropped) all[n++].edit = &c->edit[i];
    for (int k = 0; k < s->failed && standing(all, n); k++) {
        s->attempts.share = k ? NEXT : FIRST;  // who mends the first is to be tried on the others, too
        try_claim(&s->attempts, &s->claim[k]->c, seed, all, n, 1, 0);
    }
    const int complete = lab_attempts_go_on(&s->attempts);
    s->attempts.share = 1;
    found->all = standing(all, n) > 0;
    if (found->all) {
        keep_best(all, n, s->todo, found);
        keep_harmless(s, seed, found);
    }
    if (!found->n && complete && s->failed > 1 &&
        lab_attempts_go_on(&s->attempts)) {  // two mistakes? Which mends one of them?
        for (int i = 0; i < n; i++) all[i].out = all[i].mended = 0;
        for (int k = 0; k < s->failed; k++) try_claim(&s->attempts, &s->claim[k]->c, seed, all, n, 0, 0);
        found->all = 0;
        keep_best(all, n, s->todo, found);
        keep_harmless(s, seed, found);
    }
    free(all);
}

void lab_search_whole(lab_subject *whole, uint64_t seed, lab_found *found) {
    candidate all[LAB_MOST_FOUND] = {0};
    int kept = 0, tried = 0;
    for (int i = 0; i < found->n; i++) all[i].edit = found->mend[i].edit;
    for (int k = 0; k < whole->n && lab_attempts_go_on(&whole->attempts); k++) {
        int before[LAB_MOST_FOUND];
        for (int i = 0; i < found->n; i++) before[i] = all[i].mended;
        try_claim(&whole->attempts, &whole->claim[k]->c, seed, all, found->n, k >= whole->failed, 1);
        for (int i = 0; i < found->n && k >= whole->failed; i++) all[i].mended = before[i];
        tried += lab_attempts_go_on(&whole->attempts);
    }
    int most = 0;
    for (int i = 0; i < found->n; i++)
        if (!all[i].out && all[i].mended > most) most = all[i].mended;
    for (int i = 0; i < found->n; i++) {
        found->mend[i].more = all[i].mended;
        if (!all[i].out && all[i].mended == most) found->mend[kept++] = found->mend[i];
    }
    found->n = kept;
    found->ends = kept && whole->n && tried == whole->n && most == whole->failed;
}
