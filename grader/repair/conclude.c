// conclude.c: of the changes that mend what was tried the one that is said.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ahead.h"
#include "checked_run.h"
#include "early.h"
#include "judged.h"
#include "lucky.h"
#include "rank.h"
#include "workshop.h"

enum { MOST_PROVED = 3, LIKELY = 10 };

// The file of a C task with the likeliest change alone, without switches and optimised, is as fast as the student's: claims
// that are left are those that take long. Returns 0 if it cannot be compiled.
static int prove_alone(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s, lab_found *found) {
    static lab_subject alone;
    const int probe = s->todo != NULL;
    char object[4300], *runner[8];
    lab_edit first = *found->mend[0].edit;
    lab_found one = {.mend = {{&first}}, .n = 1, .tried = found->tried, .left = found->left};
    snprintf(object, sizeof object, "%.4200s.edits.alone.so", ask->stage);
    if (!lab_early_alone(ask, &w->candidates, first.id, probe, object)) return 0;
    memcpy(runner, w->runner[probe], sizeof runner);
    alone = *s, runner[1] = object, first.id = 0;
    alone.attempts = (lab_attempts){.options = s->attempts.options, .budget = s->attempts.budget};
    alone.attempts.options.runner = runner, alone.attempts.options.stage = object;
    lab_search_prove(&alone, ask->seed, &one);
    lab_attempts_close(&alone.attempts);
    unlink(object);
    found->n -= !one.n;
    if (one.n)
        found->tried = one.tried, found->left = one.left;
    else
        memmove(found->mend, found->mend + 1, (size_t)found->n * sizeof *found->mend);
    return 1 + one.n;
}

static int is_proved_alone(const lab_repair_ask *ask, const lab_subject *s, const lab_found *found) {
    return ask->task->language != LAB_CUDA && found->n && !found->ends && (found->tried < s->failed || found->left);
}

static void prove(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, lab_found *found) {
    int how = 1;
    while (how == 1 && is_proved_alone(ask, s, found)) how = prove_alone(ask, w, s, found);
    if (ask->task->language == LAB_CUDA || !how) lab_search_prove(s, ask->seed, found);
}

// A kernel: checked mode is asked first, as what it rules out then costs no proof. C: what has been proved is looked at once
// more. Either may drop the first change: then the next one has to pass both.
static void prove_and_check(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, const lab_subject *checked,
                            lab_found *found) {
    const int tried = found->tried, left = found->left;
    for (int i = 0; i < MOST_PROVED && found->n; i++) {
        found->tried = tried, found->left = left;
        if (s->cuda) lab_search_checked(ask, &w->candidates, checked, found);
        const lab_edit *first = found->n ? found->mend[0].edit : NULL;
        prove(ask, w, s, found);
        if (!s->cuda) first = found->n ? found->mend[0].edit : NULL;
        if (!s->cuda) lab_search_checked(ask, &w->candidates, checked, found);
        if (!found->n || found->mend[0].edit == first) return;
    }
    found->n = 0;
}

// Does this change make the limit larger that the other one leaves out? One that takes a number out of it, n - 1, or that
// is likely by itself, names the slip in it.
static int raises(const lab_edit *e, const lab_edit *without) {
    const size_t n = strlen(e->now);
    const int at = e->column - without->column, within = at >= 0 && at < (int)strlen(without->was);
    const int number =
        n < strlen(e->was) && !strncmp(e->was, e->now, n) && !e->was[n + strspn(e->was + n, " +-*/0123456789")];
    const int likely = !strcmp(e->kind, "size") && e->rank < LIKELY;
    return e->line == without->line && within && !number && !likely;
}

// A known mistake says what is wrong. What alters the sizes that many parts work with says something else, unless it is
// the code of the TODO itself, and so does a product where a sum was; and without its limit a walk does more work, unless
// that is the code of the TODO, and whatever else mends makes the limit larger: then it is the mistake.
static void drop_shared(lab_found *found, const char *todo) {
    lab_mend without = {NULL};
    int kept = 0, mistaken = 1;
    for (int i = 0; i < found->n; i++) {
        const lab_edit *e = found->mend[i].edit;
        const int of_todo = todo && !strcmp(todo, e->todo), goes_on = lab_only_goes_on(e);
        if (goes_on && of_todo && *e->now && !without.edit) without = found->mend[i];
        if ((!e->shared || of_todo) && !goes_on && !lab_spoils_sum(e) && !lab_reads_columns(e))
            found->mend[kept++] = found->mend[i];
    }
    for (int i = 0; i < kept && without.edit; i++) mistaken &= raises(found->mend[i].edit, without.edit);
    if (without.edit && mistaken) found->mend[0] = without, kept = 1;
    found->n = kept;
}

static void drop_last(lab_found *found, const char *todo) {
    while (found->n && lab_edit_rank(found->mend[found->n - 1].edit, todo) >= LAB_LAST_SAID) found->n--;
}

// Something mends: of the file as it is checked mode is hardly asked, and a TODO's function is enough. How far a busy machine
// came with it costs nothing.
static void drop_asides(void) {
    const double before = lab_attempts_left();
    lab_ahead_enough();
    lab_checked_drop();
    lab_attempts_forgive(fmax(0, before - lab_attempts_left()));
}

static lab_subject whole;  // the claims of the whole file

// What mends a TODO is tried on the whole file, too, once everything else of it is right.
static const lab_subject *choose_whole(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s) {
    lab_workshop_name(ask, w, 0);
    lab_judged_choose(ask, NULL, w->runner[0], 1, &whole);
    return whole.failed ? &whole : s;
}

static void check_ahead(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s, const lab_found *found) {
    const lab_subject *checked = s->todo && lab_judged_whole() ? choose_whole(ask, w, s) : s;
    lab_search_check_ahead(ask, &w->candidates, checked, found);
}

void lab_conclude_ahead(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s, const lab_found *found) {
    drop_asides();
    check_ahead(ask, w, s, found);
}

void lab_conclude_guess(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s, int id) {
    lab_found guess = {.n = 1};
    for (int i = 0; i < w->candidates.n; i++)
        if (w->candidates.edit[i].id == id) guess.mend[0].edit = &w->candidates.edit[i];
    if (guess.mend[0].edit) check_ahead(ask, w, s, &guess);
}

int lab_conclude(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, lab_found *found, char *text,
                 size_t size) {
    const lab_subject *checked = s;
    drop_asides();
    int wholly = s->todo && found->all && lab_judged_whole() && !lab_judged_later() &&
                 !lab_judged_others_fail(ask, &s->attempts, s->todo, found->mend[0].edit);
    if (wholly) {
        lab_search_check_ahead(ask, &w->candidates, choose_whole(ask, w, s), found);
        wholly = lab_workshop_whole(ask, w, found);
    }
    if (wholly) {
        lab_search_whole(&whole, ask->seed, found);
        lab_search_unseen(&whole, ask->seed, found);
        lab_attempts_close(&whole.attempts);
        if (found->n && found->mend[0].more > 0) checked = &whole;
    }
    lab_search_lucky(ask, w, s, found);
    if (!found->all) found->n = 0;  // what mends a part is by chance: most often it is another line
    if (ask->known) drop_shared(found, s->todo);
    lab_search_check_ahead(ask, &w->candidates, checked, found);
    if (is_proved_alone(ask, s, found))
        lab_early_begin(LAB_EARLY_ALONE, ask, &w->candidates, found->mend[0].edit->id, s->todo != NULL);
    lab_search_unseen(s, ask->seed, found);
    lab_search_undisguise(found, s->todo);
    lab_leave_question_out(found);
    prove_and_check(ask, w, s, checked, found);
    // What a TODO calls is not written in its lines: a change there is as good.
    drop_last(found, s->todo && lab_judged_calls_others(s->todo) ? NULL : s->todo);
    if (!found->n) return 0;
    if (lab_is_loose(found)) {
        lab_say_loose(ask, found, text, size);
        return 1;
    }
    lab_say_found(ask, found, s, text, size);
    if (s->todo) lab_judged_note_mended(ask, &s->attempts, found->mend[0].edit);
    return 2;
}
