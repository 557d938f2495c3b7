// sieve.c: all changes of a C file, compiled by tcc in a moment, on the claims that are small: a few dozen are left, which
// then take the ordinary way (search.c): gcc, the claims with all their guards, and the proof.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"
#include "rank.h"
#include "search.h"

static const double LEFT_OVER = 0.4, LEAST_SECONDS = 0.3;     // of a processor, for what follows; for all claims
static const double LEAST_US = 200, TIMES = 10, LONGER = 10;  // for a call, and of what the unchanged file takes
static const double SHRINKABLE = 3e7, LIGHT = 3e5, HEAVY = 1.2e6, HEAVIER = 4e6,
                    FIRST_US = 100e3;  // weight of a claim; for the unchanged file
enum {
    LIKELIEST = 200,
    MOST_LATE = 24,
    LATER = 30,
    ARENA = 8 << 20,
    LEFT = 48,
    AGAIN = 4,
    FEW = 8,
    MANY = 24,
    MOST_SMALLER = 8,
    AS_LONG = 2
};

typedef struct {
    lab_subject *s;
    int *id, n;
    int claims;  // that were tried: with the first one most loops without end go
    double end;
} grains;

static double weight(const lab_case *c) {
    double n = 0;
    for (int t = 0; t < c->op->n_tensors; t++) n += (double)c->op->elements(c->shape, t);
    return n * (16 + c->shape.seq_kv);
}

// Microseconds of a processor for a call of the file as it is, and whether the claim holds with it; 0: nothing is known.
static double unchanged(lab_attempts *a, const lab_prepared *p, int *fails) {
    const int none[AGAIN] = {0};
    char holds[AGAIN];
    if (!lab_attempts_ready(a)) return 0;
    const double before = lab_attempts_of_runner(a);
    if (!lab_attempt_many(a, p, none, AGAIN, FIRST_US, holds)) return 0;
    *fails = holds[AGAIN - 1] != 1;
    return fmax(1, 1e6 * (lab_attempts_of_runner(a) - before) / AGAIN);
}

// Where the file as it is does a part of the work alone, what is right takes many times as long. Few of the likeliest do
// not end.
static void try_longer(const grains *g, lab_attempts *a, const lab_prepared *p, double us, char *holds) {
    int late[MOST_LATE], id[MOST_LATE], n = 0;
    char longer[MOST_LATE];
    for (int i = 0; i < g->n && i < LIKELIEST && n < MOST_LATE; i++)
        if (holds[i] == LAB_LATE) late[n] = i, id[n++] = g->id[i];
    const int known = n && lab_attempt_many(a, p, id, n, us, longer);
    for (int i = 0; i < n && known; i++) holds[late[i]] = longer[i];
}

// Returns 0 if nothing could be tried: fails says whether the claim has to fail without a change.
static int sift(grains *g, const lab_case *c, uint64_t seed, int fails) {
    lab_attempts *a = &g->s->attempts;
    lab_prepared *p = weight(c) < (!g->claims    ? SHRINKABLE
                                   : !fails      ? LIGHT
                                   : g->n > MANY ? HEAVIER
                                                 : HEAVY)
                          ? lab_prepare(c, seed)
                          : NULL;
    int is_wrong = !fails;
    const double us = p ? unchanged(a, p, &is_wrong) : 0, left = 1e6 * (lab_attempts_left() - g->end);
    char *holds = calloc((size_t)g->n + 1, 1);
    int tried = p && holds && left > 0 && us > 0 && is_wrong == fails, kept = 0;
    if (tried && AS_LONG * us * g->n > left) g->n = (int)(left / us / AS_LONG);  // the likeliest come first
    tried = tried && lab_attempt_many(a, p, g->id, g->n, fmax(LEAST_US, TIMES * us) * lab_slowness(), holds);
    if (tried && !g->claims) try_longer(g, a, p, LONGER * fmax(LEAST_US, TIMES * us) * lab_slowness(), holds);
    for (int i = 0; i < g->n && tried; i++)
        if (holds[i] == 1 || (holds[i] == LAB_LATE && g->claims)) g->id[kept++] = g->id[i];
    if (tried) g->n = kept, g->claims++;
    free(holds);
    lab_prepared_free(p);
    return tried;
}

// What held with gcc holds with tcc, or it reads the file in another way.
static int reads_alike(lab_subject *s, uint64_t seed) {
    for (int k = s->failed; k < s->n && weight(&s->claim[k]->c) < LIGHT; k++) {
        lab_prepared *p = lab_prepare(&s->claim[k]->c, seed);
        int fails = 0;
        const int known = p && unchanged(&s->attempts, p, &fails) > 0;
        lab_prepared_free(p);
        if (known) return !fails;
    }
    return 1;
}

static int sift_all(grains *g, uint64_t seed) {
    lab_subject *s = g->s;
    lab_case small;
    int tried = 0;
    s->attempts.share = 0;
    for (int k = 0; k < s->failed && k < MOST_SMALLER && (g->n > FEW || !k); k++)
        if (weight(&s->claim[k]->c) < SHRINKABLE && lab_search_smaller(s, k, seed, &small))
            tried += sift(g, &small, seed, 1);
    for (int k = 0; k < s->failed && (g->n > FEW || !g->claims) && g->n && lab_attempts_left() > g->end; k++) {
        const int done = sift(g, &s->claim[k]->c, seed, 1);
        if (!done && !tried) return 0;
        tried += done;
    }
    for (int k = s->failed; k < s->n && g->n > FEW && tried && lab_attempts_left() > g->end; k++)
        sift(g, &s->claim[k]->c, seed, 0);
    return tried;
}

static int has(const grains *g, int id) {
    for (int i = 0; i < g->n; i++)
        if (g->id[i] == id) return 1;
    return 0;
}

static const char *of_todo;
static int by_rank(const void *a, const void *b) {
    const int x = lab_edit_rank(a, of_todo), y = lab_edit_rank(b, of_todo);
    return x != y ? x - y : ((const lab_edit *)a)->id - ((const lab_edit *)b)->id;
}

// Where a claim that failed takes long, a few are compiled, and optimised.
static void keep_only(lab_candidates *c, const grains *g, const char *todo) {
    int kept = 0, most = LEFT;
    for (int k = 0; k < g->s->failed; k++)
        if (weight(&g->s->claim[k]->c) > SHRINKABLE) most = LAB_MOST_FOUND;
    for (int i = 0; i < c->n; i++)
        if (has(g, c->edit[i].id)) c->edit[kept++] = c->edit[i];
    of_todo = todo;
    qsort(c->edit, (size_t)kept, sizeof *c->edit, by_rank);
    c->n = kept < most ? kept : most;
    c->sieved = 1, c->batch = c->chosen = 0;
}

int lab_sieve_there(void) {
    char path[4300];
    const char *at = getenv("PATH");
    for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(path, sizeof path, "%.*s/tcc", (int)strcspn(at, ":"), at);
        if (access(path, X_OK) == 0) return 1;
    }
    return 0;
}

int lab_sieve(const lab_repair_ask *ask, lab_candidates *c, const char *todo, char *runner[8], int from, int most) {
    static lab_subject s;
    static char object[4300];
    const char *const was = runner[1];
    grains g = {.s = &s, .n = 0};
    char *dropped = malloc((size_t)c->n + 1);
    snprintf(object, sizeof object, "%.4200s.edits.all.so", ask->stage);
    for (int i = 0; dropped && i < c->n; i++)
        dropped[i] = (char)c->edit[i].dropped, c->edit[i].dropped = i < from || i >= most;
    const int likely = *lab_candidates_limits(ask, c);
    for (int i = likely; i < c->n; i++) c->edit[i].rank += LATER;
    int done = dropped && lab_candidates_compile_all(ask, c, todo != NULL, object);
    g.id = done ? malloc(((size_t)c->n + 1) * sizeof *g.id) : NULL;
    for (int i = 0; g.id && i < c->n; i++)
        if (!c->edit[i].dropped && !lab_hides(&c->edit[i])) g.id[g.n++] = c->edit[i].id;
    g.end = fmin(LEFT_OVER, lab_attempts_left() - LEAST_SECONDS);
    if (g.id) {
        runner[1] = object;
        lab_judged_choose(ask, todo, runner, 1, &s);
        if (s.attempts.options.arena_bytes < ARENA) s.attempts.options.arena_bytes = ARENA;
        done = reads_alike(&s, ask->seed) && sift_all(&g, ask->seed);
        lab_attempts_close(&s.attempts);
        runner[1] = (char *)was;
    }
    for (int i = 0; dropped && i < c->n; i++) c->edit[i].dropped = dropped[i];
    if (done) keep_only(c, &g, todo);
    unlink(object);
    free(dropped);
    free(g.id);
    return done;
}
