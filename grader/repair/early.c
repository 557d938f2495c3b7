// early.c: gcc takes longer than all that is tried with what it makes. So while the probe is compiled, what follows a change
// that mends is, too. Most often that is the likeliest of those that the sieve has left; otherwise it is compiled when it is
// known.
#include "early.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "attempt.h"

typedef struct {
    const lab_repair_ask *ask;
    lab_candidates c;
    int id, probe, begun;
    char object[4300], room[4300];  // room: of compilers, which leave something in it where they are ended
} early;

static early of[LAB_EARLY_KINDS];
static const char *const name_of[LAB_EARLY_KINDS] = {"whole", "alone"};

static int compile(const lab_repair_ask *ask, lab_candidates *c, int id, int probe, const char *name,
                   const char *output) {
    c->name = name, c->faster = id ? 2 : c->faster;
    lab_candidates_name(ask, c);   // another file than what is compiled beside
    if (id) c->chosen = c->batch;  // by its number
    const int built = (!id || lab_candidates_keep_one(c, id)) && lab_candidates_compile(ask, c, probe, output);
    unlink(c->file);
    c->fixed = 0, c->name = NULL, c->faster = id ? 0 : c->faster;
    lab_candidates_name(ask, c);
    return built;
}

static int compile_early(void *what) {
    early *e = what;
    setenv("TMPDIR", e->room, 1);
    return compile(e->ask, &e->c, e->id, e->probe, name_of[e - of], e->object);
}

static void clear(const early *e) {
    char path[4500];
    lab_aside_clear(e->room);
    snprintf(path, sizeof path, "%s.room", e->object);
    lab_aside_clear(path);
    snprintf(path, sizeof path, "%.*s.%s.c", (int)strlen(e->ask->stage) - 3, e->ask->stage, name_of[e - of]);
    unlink(path);
}

// What nobody has waited for costs nothing of the budget: how far it came, a busy machine decides.
static void drop(early *e) {
    const double before = lab_attempts_left();
    if (!e->begun) return;
    lab_aside_drop(e->begun);
    lab_attempts_forgive(fmax(0, before - lab_attempts_left()));
    e->begun = 0;
    clear(e), unlink(e->object);
}

void lab_early_drop(void) {
    for (int i = 0; i < LAB_EARLY_KINDS; i++) drop(&of[i]);
}

void lab_early_begin(lab_early kind, const lab_repair_ask *ask, const lab_candidates *c, int id, int probe) {
    early *e = &of[kind];
    if (e->begun && e->id == id && e->probe == probe) return;
    drop(e);
    e->ask = ask, e->c = *c, e->id = id, e->probe = probe;
    snprintf(e->object, sizeof e->object, "%.4200s.early.%s.so", ask->stage, name_of[kind]);
    snprintf(e->room, sizeof e->room, "%.4200s.early.%s", ask->stage, name_of[kind]);
    mkdir(e->room, 0700);
    e->begun = lab_aside_begin(compile_early, e);
}

int lab_early_take(lab_early kind, int id, int probe, const char *output) {
    early *e = &of[kind];
    if (!e->begun || e->id != id || e->probe != probe) return 0;
    const int made = lab_aside_end(e->begun);
    e->begun = 0;
    clear(e);
    return made && rename(e->object, output) == 0;
}

int lab_early_alone(const lab_repair_ask *ask, lab_candidates *c, int id, int probe, const char *output) {
    if (lab_early_take(LAB_EARLY_ALONE, id, probe, output)) return 1;
    drop(&of[LAB_EARLY_ALONE]);
    return compile(ask, c, id, probe, name_of[LAB_EARLY_ALONE], output);
}
