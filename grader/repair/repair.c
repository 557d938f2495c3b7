// repair.c: for each TODO whose claims fail, and otherwise for the whole file: a change, and its sentence.
#include "repair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ahead.h"
#include "checked_run.h"
#include "early.h"
#include "judged.h"
#include "rank.h"
#include "region.h"
#include "search.h"
#include "todo.h"
#include "todo_calls.h"
#include "workshop.h"

enum { MOST_GROUPS = 3, MOST_SIFTED = 60, LIKELY = 3000, ALL_BATCHES = 100, SENTENCE = 1000 };
enum { FEW_BATCHES = 2 };  // what is likely, and what is tried in a moment: where a known mistake matches
static const double C_SECONDS = 4, CUDA_SECONDS = 5;  // of a processor, the compilers' among them: few come so far
static const double LINES_SECONDS = 3;                // of a few lines
static const double LEAST_LEFT = 0.6;                 // for the whole file, behind the TODO's function
static const double HOOKS = 0.8, PROOF = 1.1,
                    LEAST = 0.03;  // to compile what is data and try it; for the code behind it, and proof; a call
static const double SURELY = 0.5;  // of the time that a batch takes to compile if it is like the one before

static struct {
    char text[MOST_GROUPS][SENTENCE];
    int sentences, all;  // all: nothing that failed is left
    int race;            // is said to be one
} seen;

// Of a C file the likeliest changes, or those behind them, where that can be done. Returns 0 if it cannot.
static int sift(const lab_repair_ask *ask, lab_workshop *w, const char *todo, int from, int most) {
    lab_workshop_name(ask, w, todo != NULL);
    return lab_candidates_again(ask, &w->candidates) &&
           lab_sieve(ask, &w->candidates, todo, w->runner[todo != NULL], from, most);
}

static void keep_dim(lab_subject *s, int dim) {
    int n = 0, failed = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->claim[i]->c.shape.head_dim != dim) continue;
        s->claim[n++] = s->claim[i], failed += i < s->failed;
    }
    s->n = n, s->failed = failed, s->dim = dim;
}

// Of what is data: few are left, and those are tried as code. Returns 0 if there are none.
static int sift_data(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, const char *todo) {
    int ids[MOST_SIFTED];
    const int probe = todo != NULL;
    lab_judged_choose(ask, todo, w->runner[probe], 1, s);
    if (w->candidates.dim && !todo) keep_dim(s, w->candidates.dim);
    if (!s->failed) return 0;
    s->attempts.budget -= fmin(PROOF, s->attempts.budget / 2), s->attempts.least = LEAST;
    const int n = lab_search_sieve(&w->candidates, s, ask->seed, ids, MOST_SIFTED);
    lab_attempts_close(&s->attempts);
    w->tried[probe] = 0;
    const int best = w->candidates.best;
    if (n) lab_conclude_guess(ask, w, s, best ? best : ids[0]);  // while all of them are compiled as code
    return n && lab_candidates_keep(&w->candidates, ids, n) && lab_workshop_ready(ask, w, probe);
}

typedef struct {
    const char *todo;
    int narrow;        // the changes of its function
    int widens;        // those of the file come next
    int best, shared;  // shared: what was found alters what many parts work with; the next batch may do better
    int is_it;         // what others were passed by for is among it
    int loose;         // the line in which any larger number mends: what is less likely there is no cure
} quest;

// What mends, and spoils nothing that held. Returns the time that was left when the first of it was found.
static double find(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, lab_found *found) {
    lab_search(&w->candidates, s, ask->seed, found);
    const double left = lab_attempts_left();
    if (found->n && found->all) {
        lab_conclude_ahead(ask, w, s, found);
        lab_search_harmless(s, ask->seed, found);
    }
    lab_search_undisguise(found, s->todo);
    return left;
}

static int is_among(const lab_found *found, int id) {
    for (int i = 0; i < found->n; i++)
        if (found->mend[i].edit->id == id) return 1;
    return 0;
}

// The changes that are chosen. What mends and is then ruled out takes no time from those behind it.
static void try_batch(const lab_repair_ask *ask, lab_workshop *w, quest *q) {
    static lab_subject s;
    static lab_found found;
    const int probe = q->todo != NULL;
    memset(&found, 0, sizeof found);
    memset(w->tried, 0, sizeof w->tried);
    lab_workshop_early(ask, w, probe);
    const int ready = lab_workshop_ready(ask, w, probe);
    if (q->widens && w->candidates.batch == 2 && !w->candidates.rest && !q->best) lab_ahead_wider(ask, q->todo);
    if (ready && (!w->candidates.hooks || sift_data(ask, w, &s, q->todo))) {
        lab_judged_choose(ask, q->todo, w->runner[probe], q->narrow ? 0.7 : 0.9, &s);
        const double since = find(ask, w, &s, &found);
        if (found.chance) q->best = q->best ? q->best : -1;  // what fails by chance no change explains
        const int better = found.n && (found.all || !q->best) && (!q->shared || !found.mend[0].edit->shared) &&
                           !lab_stays_loose(&found, q->loose);
        if (better)
            q->best = lab_conclude(ask, w, &s, &found, seen.text[seen.sentences], SENTENCE),
            q->shared = q->best == 2 && found.mend[0].edit->shared, q->is_it = is_among(&found, w->candidates.best);
        if (better && q->best == 1) q->loose = found.mend[0].edit->line;
        if (!better || !q->best) lab_attempts_forgive_since(since);
    }
    lab_early_drop();
    lab_search_check_drop();
    lab_attempts_close(&s.attempts);
}

static int goes_on(const quest *q) { return q->best >= 0 && (q->best < 2 || q->shared) && lab_attempts_left() > 0; }

// Behind the likeliest there is most often nothing: then checked mode is asked next.
static void check_ahead(const lab_repair_ask *ask, const quest *q) {
    const lab_checked_ask checked = {
        .task = ask->task, .source = ask->source, .stage = ask->stage, .runner = ask->checked_runner};
    if (!q->best && ask->task->language == LAB_CUDA && !ask->task->parts[0]) lab_checked_ahead(&checked);
}

// What they were passed by for may have been ruled out: then the others are tried, too.
static void try_rest(const lab_repair_ask *ask, lab_workshop *w, quest *q) {
    const quest before = *q;
    char text[SENTENCE];
    if (!w->candidates.best || q->best < 0 || q->best == 1 || lab_attempts_left() < HOOKS) return;
    if (q->best == 2 && !q->shared && q->is_it) return;
    memcpy(text, seen.text[seen.sentences], sizeof text);
    lab_candidates_rest(&w->candidates);
    try_batch(ask, w, q);
    if (q->best > 0 || !before.best) return;
    *q = before;
    memcpy(seen.text[seen.sentences], text, sizeof text);
}

static void try_batches(const lab_repair_ask *ask, lab_workshop *w, quest *q, int most) {
    for (int i = 0; i < most && goes_on(q) && lab_candidates_next(ask, &w->candidates); i++) {
        if (lab_attempts_left() < (w->candidates.hooks ? HOOKS : w->candidates.rate * w->candidates.most * SURELY))
            return;
        if (w->candidates.batch >= 2) check_ahead(ask, q);
        try_batch(ask, w, q);
        try_rest(ask, w, q);
    }
}

// Among the changes of the TODO's function, or of the whole file, or of these lines alone; "": of all.
// widens: of the function, and then of the file.
static int mend_within(const lab_repair_ask *ask, const char *todo, int everywhere, int widens, const char *lines) {
    static lab_workshop w;
    quest q = {.todo = todo};
    memset(&w, 0, sizeof w);
    snprintf(w.candidates.lines, sizeof w.candidates.lines, "%s", lines);
    q.narrow =
        todo && !everywhere && lab_region_of(ask->source, ask->task->id, todo, &w.candidates.from, &w.candidates.to);
    if (todo && q.narrow == everywhere) return 0;
    lab_ahead_judge(todo, &w.candidates);
    w.candidates.ahead = !*lines && ask->task->language == LAB_CUDA;
    const int sifted = ask->task->language != LAB_CUDA && lab_sieve_there() && sift(ask, &w, todo, 0, LIKELY);
    const int none = sifted && !w.candidates.n, few = todo && (ask->known || everywhere);
    // Half of the time is for the rest of the file, where the TODO calls functions of it.
    const int calls = todo && ask->task->language == LAB_CUDA && lab_judged_calls_others(todo), shy = q.narrow && calls;
    q.widens = q.narrow && widens && !calls && ask->task->language == LAB_CUDA;
    if (calls && everywhere) {
        lab_region_of(ask->source, ask->task->id, todo, &w.candidates.but_from, &w.candidates.but_to);
        w.candidates.ahead = 0, w.candidates.batch = 1;  // straight to the second batch, of what is data
    }
    if (!none) try_batches(ask, &w, &q, shy ? 1 : few ? FEW_BATCHES : ALL_BATCHES);
    if (none && lab_candidates_again(ask, &w.candidates)) try_batches(ask, &w, &q, 1);  // does tcc read it as gcc does?
    const int others = sifted && !few && goes_on(&q) && w.candidates.in_all > LIKELY;
    if (others && sift(ask, &w, todo, LIKELY, LAB_MOST_EDITS)) try_batches(ask, &w, &q, ALL_BATCHES);
    for (int i = 0; i < 2; i++)
        if (w.compiled[i]) unlink(w.object[i]);
    lab_early_drop();
    lab_candidates_free(&w.candidates);
    seen.sentences += q.best > 0;
    return q.best > 0 ? q.best : 0;
}

// C with OpenMP, of which the whole fails: threads that are in each other's way.
static int say_race(const lab_repair_ask *ask) {
    static lab_subject s;
    char *runner[8] = {NULL};
    if (ask->task->language != LAB_C_OPENMP || lab_judged_next_todo(NULL) || lab_judged_damaged() || lab_judged_unset())
        return 0;
    for (int i = 0; ask->runner[i] && i < 7; i++) runner[i] = ask->runner[i];
    runner[1] = (char *)ask->stage;
    lab_judged_choose(ask, NULL, runner, 1, &s);
    const int race = lab_threads_race(&s, ask->seed);
    lab_attempts_close(&s.attempts);
    if (!race) return 0;
    seen.race = 1;
    if (!lab_threads_other_loop(ask, seen.text[seen.sentences], SENTENCE))
        lab_threads_say(ask, seen.text[seen.sentences], SENTENCE);
    seen.sentences++;
    return 1;
}

int lab_repair_shared(const lab_repair_ask *ask, char *text, size_t size) {
    char shared[SENTENCE - 100];
    if (seen.race) return 0;
    lab_threads_shared(ask, shared, sizeof shared);
    if (*shared) snprintf(text, size, "%s Claims that hold all the same do so by chance.", shared);
    return *shared != 0;
}

// Does its function call that of one that was tried, and that nothing mends? What mends its own claims does so by luck.
static int calls_wrong(const lab_repair_ask *ask, const char *todo, const char *const wrong[], int n) {
    char *text = n ? lab_todo_read(ask->source) : NULL;
    int calls = 0;
    for (int i = 0; text && i < n; i++) calls |= lab_todo_calls(ask->source, text, ask->task->id, todo, wrong[i]);
    free(text);
    return calls;
}

static void look(const lab_repair_ask *ask) {
    const char *wrong[MOST_GROUPS];
    int tried = 0, mended = 0;
    if (lab_judged_refused()) return;  // less shared memory would let the launch pass, and be too little
    lab_attempts_begin(ask->task->language == LAB_CUDA ? CUDA_SECONDS : C_SECONDS);
    if (say_race(ask)) {
        seen.all = 1;
        return;
    }
    for (const char *todo = lab_judged_next_todo(NULL); todo && tried < MOST_GROUPS && lab_attempts_left() > 0;
         todo = lab_judged_next_todo(todo)) {
        if (calls_wrong(ask, todo, wrong, tried - mended)) continue;
        const int widens = !tried && !ask->known;
        int how = mend_within(ask, todo, 0, widens, "");
        if (!how && widens && lab_attempts_left() > LEAST_LEFT) how = mend_within(ask, todo, 1, 0, "");
        if (how != 2) wrong[tried - mended] = todo;
        tried++, mended += how == 2;
    }
    if (!tried) tried = 1, mended = mend_within(ask, NULL, 0, 0, "") == 2;
    seen.all = tried && mended == tried && !lab_judged_next_todo(NULL);
}

int lab_repair(const lab_repair_ask *ask, int i, char *text, size_t size) {
    static int looked;
    if (!looked++) look(ask);
    text[0] = 0;
    if (i < seen.sentences) snprintf(text, size, "%s", seen.text[i]);
    return i < seen.sentences;
}

int lab_repair_at_lines(const lab_repair_ask *ask, const char *lines, char *text, size_t size) {
    text[0] = 0;
    if (!*lines || !lab_repair_wanted() || lab_judged_refused() || seen.sentences == MOST_GROUPS) return 0;
    lab_attempts_begin(LINES_SECONDS);
    if (mend_within(ask, NULL, 0, 0, lines)) snprintf(text, size, "%s", seen.text[seen.sentences - 1]);
    return *text != 0;
}

int lab_repair_explains_all(void) { return seen.all; }
