// search.c: every change on the smallest claim that fails, those that mend it on the next, and so on.
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "narrow.h"
#include "rank.h"
#include "stretch.h"

static const double WHOLE_SECONDS = 3;                // for a call
static const double FEW_SECONDS = 0.3, OVERTIME = 1;  // of few changes that are left: for a call, and for all
static const double HELD_SECONDS = 0.2;               // for claims of the whole file that held, beyond that
static const double FAILED_SECONDS = 0.5;             // for those that failed, behind the first few
static const double FIRST = 0.75, NEXT = 0.9,
                    SIEVE = 0.9;  // of the budget, for the first claim and for all that failed
enum { MANY = 24 };               // of CUDA: they are tried in dozens
enum { MUCH = 20 };               // by so much a change within a loop is likelier than that the loop goes
enum { LINES = 1 << 12, AT_LEAST = 3, LIKELIEST = 8, SOME = 100, SLOW = 5, SLOWER = 10 };
enum { HOLDS_AS_IT_IS, FAILS_AS_IT_IS, UNKNOWN };

// Goes on until time is up; those that it did not come to are out, unless these are claims of the whole file, which
// take long and may. What a change does in a line, its neighbours do, too: where two did not end, others come last.
// A change chosen in an inner loop makes a call 25 times as long as one without, which chooses none. What the file
// crashes on may take long where it does not: if one change runs out of time and none holds in time,
// nothing is known. Returns HOLDS_AS_IT_IS if the claim holds here without a change: that says nothing of any.
static int try_claim(lab_attempts *a, const lab_case *c, uint64_t seed, lab_trying *all, int n, int must, int whole,
                     lab_narrowing *narrow) {
    lab_prepared *p = lab_prepare(c, seed);
    int few = 0;  // they may take their time
    for (int i = 0; i < n; i++) few += !all[i].out;
    const double least = p && !whole ? lab_attempt_limit(a, p) : 0;
    const int many = whole || !(least > 0) || few > LAB_MOST_FOUND;
    const double limit = whole        ? WHOLE_SECONDS
                         : few > SOME ? least
                         : many       ? SLOW * least
                                      : fmax(FEW_SECONDS, SLOWER * least);
    if (p && !(limit > 0)) {
        for (int i = 0; i < n; i++) all[i].mended += !all[i].out;
        lab_prepared_free(p);
        return HOLDS_AS_IT_IS;
    }
    if (a->device && !whole && few > MANY && lab_search_dozens(a, p, all, n, limit, must, narrow)) {
        lab_prepared_free(p);
        return FAILS_AS_IT_IS;
    }
    const int crashes = !whole && (!a->stage.alive || a->stage.faulted);
    int held = 0, late = 0;
    unsigned char dead[LINES] = {0}, *tried = calloc((size_t)n + 1, 1);
    for (int i = 0; tried && i < 2 * n; i++) {
        lab_trying *x = &all[i % n];
        unsigned char *here = &dead[x->edit->line % LINES];
        if (x->out || tried[i % n] || (i < n && !whole && *here >= 2)) continue;
        lab_say_aloud();
        const int in_time = lab_attempts_go_on(a) || (few <= LAB_MOST_FOUND && lab_attempts_left() > -OVERTIME);
        const int holds = in_time && lab_attempt(a, p, x->edit->id, limit);
        tried[i % n] = 1;
        const lab_process *const run = &a->stage.process;
        if (in_time && !holds && crashes && !many && fmax(run->used, run->idle) >= limit * lab_slowness())
            tried[i % n] = 2;
        held += holds, late += tried[i % n] == 2;
        x->mended += holds;
        x->out = (!in_time && !whole) || (in_time && must && !holds);
        if (in_time && !a->stage.alive && *here < 255) (*here)++;
    }
    for (int i = 0; tried && i < n && late && !held; i++)
        if (tried[i] == 2) all[i].out = 0;
    free(tried);
    lab_prepared_free(p);
    return late && !held ? UNKNOWN : FAILS_AS_IT_IS;
}

static int standing(const lab_trying *all, int n) {
    int standing = 0;
    for (int i = 0; i < n; i++) standing += !all[i].out;
    return standing;
}

static void keep_best(const lab_trying *all, int n, const char *todo, lab_found *found) {
    int most = 0;
    found->n = 0;
    for (int i = 0; i < n; i++)
        if (!all[i].out && all[i].mended > most) most = all[i].mended;
    for (int i = 0; i < n && most; i++) {
        if (all[i].out || all[i].mended < most) continue;
        int at = found->n < LAB_MOST_FOUND ? found->n++ : LAB_MOST_FOUND;
        const int rank = lab_edit_rank(all[i].edit, todo);
        for (; at && lab_edit_rank(found->mend[at - 1].edit, todo) > rank; at--)
            if (at < LAB_MOST_FOUND) found->mend[at] = found->mend[at - 1];
        if (at < LAB_MOST_FOUND) found->mend[at] = (lab_mend){all[i].edit, most, 0};
    }
}

static void come_first(lab_found *found, int i) {
    const lab_mend first = found->mend[i];
    memmove(found->mend + 1, found->mend, (size_t)i * sizeof *found->mend);
    found->mend[0] = first;
}

// if (D <= 64) return go<32>(O): what is returned is wrong, rather than that it is, where another value mends as well.
static int another_value(const lab_found *found, const char *todo) {
    const lab_edit *first = found->mend[0].edit;
    int best = -1;
    for (int i = 1; i < found->n; i++) {
        const lab_edit *e = found->mend[i].edit;
        if (e->line == first->line && *e->was && *e->now && lab_is_returned(e) &&
            lab_edit_rank(e, todo) <= lab_edit_rank(first, todo) &&
            (best < 0 || strlen(e->was) < strlen(found->mend[best].edit->was)))
            best = i;
    }
    return best;
}

// for (c = t; c < n; c += n): a loop that goes on by what it ends at has one round.
static int goes_on_by_its_end(const lab_edit *e) {
    const char *step = strncmp(e->whole, "for (", 5) ? NULL : strstr(e->whole, " += ");
    char end[sizeof e->was + 8];
    snprintf(end, sizeof end, "< %s;", e->was);
    return step && strstr(e->whole, end) && !strncmp(step + 4, e->was, strlen(e->was));
}

// if (last > count[pair]) last = count[pair]; is wrong twice, even where one of both is never met. Of several lines one is
// enough.
static int is_in_all_places(const lab_edit *e, const lab_edit *one) {
    return e->each && !one->each && !*e->also && e->line == one->line && *one->was && !strcmp(e->was, one->was) &&
           !strcmp(e->now, one->now) && !goes_on_by_its_end(e);
}

// A slip within a loop is likelier than that all of the loop is to go, which a rest behind it would make good.
static int likelier(const lab_found *found, int removal, const char *todo) {
    const lab_edit *goes = found->mend[removal].edit;
    if (strncmp(goes->was, "for (", 5)) return removal;
    for (int i = 1; i < removal; i++) {
        const lab_edit *e = found->mend[i].edit;
        if (e->line > goes->line && *e->now && strstr(goes->was, e->whole) && !lab_switches_off(e, goes) &&
            lab_edit_rank(e, todo) + MUCH <= lab_edit_rank(goes, todo))
            return i;
    }
    return removal;
}

// end = rows + shift: another size, of all keys, limits nothing. What says where the tile begins, or its last one, is meant.
static int limit_of_tile(const lab_found *found) {
    for (int i = 1; i < found->n && !strcmp(found->mend[0].edit->kind, "size"); i++)
        if (found->mend[i].edit->line == found->mend[0].edit->line && lab_means_last(found->mend[i].edit)) return i;
    return 0;
}

// The same change in fewer of the lines.
static int is_within(const lab_edit *few, const lab_edit *many) {
    if (!*few->also || strlen(few->also) >= strlen(many->also) || strcmp(few->was, many->was) ||
        strcmp(few->now, many->now) || !lab_stands_in(many, few->line))
        return 0;
    for (const char *at = few->also; *at; at += strcspn(at, ","), at += *at == ',')
        if (!lab_stands_in(many, atoi(at))) return 0;
    return 1;
}

// Where a change in two lines mends, a third one that could change with them is right as it stands.
static void drop_wider(lab_found *found) {
    int kept = 0;
    for (int i = 0; i < found->n; i++) {
        int wider = 0;
        for (int k = 0; k < found->n; k++) wider |= is_within(found->mend[k].edit, found->mend[i].edit);
        if (!wider) found->mend[kept++] = found->mend[i];
    }
    found->n = kept;
}

// What says that a statement is to go comes before what only switches it off. A statement that was written for a causal
// mask alone is not to go where it mends as much to ask for the mask.
void lab_search_undisguise(lab_found *found, const char *todo) {
    drop_wider(found);
    for (int i = 1; i < found->n; i++)
        if (is_in_all_places(found->mend[i].edit, found->mend[0].edit)) {
            come_first(found, i);
            return;
        }
    for (int i = 1; i < found->n; i++)
        if (lab_asks_for_mask(found->mend[i].edit, found->mend[0].edit)) {
            come_first(found, i);
            return;
        }
    const int limit = limit_of_tile(found), value = limit ? limit : another_value(found, todo);
    if (limit || (value > 0 && !lab_is_returned(found->mend[0].edit))) {
        come_first(found, value);
        return;
    }
    for (int i = 1; i < found->n; i++) {
        if (!lab_switches_off(found->mend[0].edit, found->mend[i].edit)) continue;
        come_first(found, likelier(found, i, todo));
        return;
    }
}

// Of what mends small claims the likeliest go on to those that take long.
static void keep_likeliest(lab_trying *all, int n, const char *todo) {
    for (int left = standing(all, n); left > LIKELIEST; left--) {
        int worst = -1;
        for (int i = 0; i < n; i++)
            if (!all[i].out && (worst < 0 || lab_edit_rank(all[i].edit, todo) >= lab_edit_rank(all[worst].edit, todo)))
                worst = i;
        all[worst].out = 1;
    }
}

// What can be said of all at all.
static int list(const lab_candidates *c, lab_trying *all) {
    int n = 0;
    for (int i = 0; all && i < c->n; i++)
        if (!c->edit[i].dropped && !lab_hides(&c->edit[i])) all[n++].edit = &c->edit[i];
    return n;
}

int lab_search_sieve(lab_candidates *c, lab_subject *s, uint64_t seed, int *ids, int most) {
    lab_trying *all = calloc((size_t)c->n + 1, sizeof *all);
    lab_narrowing narrow = {.s = s, .seed = seed};
    lab_case small;
    int n = list(c, all), kept = 0;
    const int smaller = lab_search_smaller(s, 0, seed, &small);
    s->attempts.share = SIEVE;
    for (int k = -smaller; k < s->failed && (k == -smaller || standing(all, n) > most); k++, s->attempts.share = 1)
        try_claim(&s->attempts, k < 0 ? &small : &s->claim[k]->c, seed, all, n, 1, 0,
                  c->rest || k > -smaller ? NULL : &narrow);
    lab_narrow_end(&narrow);
    for (int i = 0; i < n && kept < most; i++)
        if (!all[i].out) ids[kept++] = all[i].edit->id;
    c->best = narrow.best;
    for (int i = 0; i < n; i++) c->edit[all[i].edit - c->edit].later = all[i].passed || !all[i].out;
    free(all);
    return kept;
}

void lab_search(const lab_candidates *c, lab_subject *s, uint64_t seed, lab_found *found) {
    lab_trying *all = calloc(c->n, sizeof *all);
    lab_case small;
    int n = list(c, all), fails = 0;
    memset(found, 0, sizeof *found);
    s->attempts.share = FIRST;
    const int smaller = lab_search_smaller(s, 0, seed, &small);
    if (smaller) try_claim(&s->attempts, &small, seed, all, n, 1, 0, NULL);
    for (int i = 0; i < n; i++) all[i].mended = 0;
    lab_stretch t = lab_begin_stretch();
    for (int k = 0; k < s->failed && standing(all, n); k++) {
        if (k == AT_LEAST - 1) keep_likeliest(all, n, s->todo);
        s->attempts.share = k || smaller ? NEXT : FIRST;  // who mends the first is to be tried on the others, too
        if (k >= AT_LEAST && lab_is_too_long(&t, &s->claim[k]->c, FAILED_SECONDS)) break;
        const double before = lab_attempts_left();
        const int outcome = try_claim(&s->attempts, &s->claim[k]->c, seed, all, n, 1, 0, NULL);
        fails |= outcome != HOLDS_AS_IT_IS;
        if (outcome == UNKNOWN && k) break;
        if (k) lab_note_length(&t, &s->claim[k]->c, before);
        found->tried = k + 1;
    }
    s->attempts.share = 1;
    found->chance = found->tried && !fails;
    for (int i = 0; i < n && found->chance; i++) all[i].out = 1, all[i].mended = 0;
    found->all = standing(all, n) > 0;
    if (!found->all) {  // two mistakes? What mends some of the claims is something
        for (int i = 0; i < n; i++) all[i].out = !all[i].mended, all[i].mended = 0;
        for (int k = 0; k < found->tried && s->failed > 1 && standing(all, n); k++)
            try_claim(&s->attempts, &s->claim[k]->c, seed, all, n, 0, 0, NULL);
        const int enough = found->tried == s->failed || found->tried >= AT_LEAST;  // there was no time for it before
        for (int i = 0; i < n && enough; i++) found->all |= !all[i].out && all[i].mended == found->tried;
    }
    keep_best(all, n, s->todo, found);
    free(all);
}

void lab_search_whole(lab_subject *whole, uint64_t seed, lab_found *found) {
    lab_trying all[LAB_MOST_FOUND] = {0};
    int kept = 0, tried = 0;
    for (int i = 0; i < found->n; i++) all[i].edit = found->mend[i].edit;
    lab_stretch t = lab_begin_stretch();
    for (int k = 0; k < whole->n && lab_attempts_go_on(&whole->attempts); k++) {
        const lab_case *c = &whole->claim[k]->c;
        const double since = lab_attempts_left();
        if (lab_is_too_long(&t, c, k < whole->failed ? FAILED_SECONDS : FAILED_SECONDS + HELD_SECONDS)) continue;
        int before[LAB_MOST_FOUND];
        for (int i = 0; i < found->n; i++) before[i] = all[i].mended;
        try_claim(&whole->attempts, c, seed, all, found->n, k >= whole->failed, 1, NULL);
        lab_note_length(&t, c, since);
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
