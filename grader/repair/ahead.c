// ahead.c: once a claim has failed, another processor lists the changes of the file, while this one judges the other claims.
// CUDA: and compiles the likeliest, and beside them all that are data. It writes files, under names of their own. Of a file
// with TODOs these are the changes of the function of the first one that fails, in the probe.
#define _GNU_SOURCE
#include "ahead.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "attempt.h"
#include "beside.h"
#include "build.h"
#include "judged.h"
#include "region.h"

enum { MOST_ARGUMENTS = 600, MOST_TIMES = 6 };

static struct {
    int begun, times;         // begun: aside; times: how often
    int probe, wider;         // probe: 1: for a TODO; wider: for its function in vain, maybe
    char of[MOST_ARGUMENTS];  // what the list was asked for with
    char stage[4200], object[4300];
    char kept[4300];  // a file with the changes that compile, by their numbers
    char data_object[4300];
    char room[4300];  // of compilers, which leave something in it where they are ended
    lab_candidates c;
} ahead;

// Of the whole file the likeliest stay what they were before it was known which line asks for too little memory. Where there
// are several functions, the size of a head is that of the smallest claim that fails of all of them.
static void describe(const lab_repair_ask *ask, const lab_candidates *c, char of[MOST_ARGUMENTS]) {
    const int several = *c->right || strchr(c->wrong, ','), cuda = ask->task->language == LAB_CUDA;
    snprintf(of, MOST_ARGUMENTS, "%d-%d;%s;%s;%s;%d;%d;%d", c->from, c->to, c->wrong, c->right, ask->at,
             c->to ? lab_judged_room() : 0, lab_judged_statuses(), several && cuda ? c->dim : 0);
}

// A TODO's function that calls none of the task's is wrong by itself, whatever else fails.
void lab_ahead_judge(const char *todo, lab_candidates *c) {
    *c->wrong = *c->right = 0;
    if (!todo || !c->to || lab_judged_calls_others(todo)) lab_judged_functions(1, c->wrong, sizeof c->wrong);
    if (!todo) lab_judged_functions(0, c->right, sizeof c->right);
    c->dim = todo ? 0 : lab_judged_dim();
}

// Once it is there the likeliest are, too.
static int write_kept(const lab_candidates *c, double seconds) {
    char whole[4310];
    snprintf(whole, sizeof whole, "%s.new", ahead.kept);
    FILE *f = fopen(whole, "w");
    if (!f) return 0;
    fprintf(f, "%g\n", seconds);
    for (int i = 0; i < c->n; i++)
        if (!c->edit[i].dropped) fprintf(f, "%d\n", c->edit[i].id);
    return fclose(f) == 0 && rename(whole, ahead.kept) == 0;
}

// In the other process.
static int make(void *of) {
    lab_repair_ask ask = *(const lab_repair_ask *)of;
    lab_candidates *c = &ahead.c;
    const double before = lab_attempts_left();
    ask.stage = ahead.stage;
    setenv("TMPDIR", ahead.room, 1);
    const int list = lab_candidates_next(&ask, c) && lab_candidates_read(&ask, c);
    if (!list || ask.task->language != LAB_CUDA) return list;
    if (!lab_candidates_compile(&ask, c, ahead.probe, ahead.object)) return 0;
    if (!write_kept(c, before - lab_attempts_left())) return 0;
    c->batch = 2, c->hooks = 1;
    return lab_beside_take(c, ahead.probe, ahead.data_object);
}

// How far a busy machine came with it costs nothing of the budget.
static void drop(void) {
    const double before = lab_attempts_left();
    lab_aside_drop(ahead.begun);
    if (ahead.begun) lab_attempts_forgive(fmax(0, before - lab_attempts_left()));
    ahead.begun = 0;
}

static void begin(const lab_repair_ask *ask, const lab_candidates *of, int probe) {
    const int stem = (int)strlen(ask->stage) - 3;
    drop();
    ahead.times++, ahead.probe = probe, ahead.wider = 0;
    if (stem <= 0 || stem > 4000) return;
    snprintf(ahead.stage, sizeof ahead.stage, "%.*s.ahead.so", stem, ask->stage);
    snprintf(ahead.object, sizeof ahead.object, "%s.edits.so", ahead.stage);
    snprintf(ahead.kept, sizeof ahead.kept, "%s.kept", ahead.stage);
    snprintf(ahead.data_object, sizeof ahead.data_object, "%s.data.so", ahead.stage);
    snprintf(ahead.room, sizeof ahead.room, "%s.room", ahead.stage);
    mkdir(ahead.room, 0700);
    memcpy(ahead.c.wrong, of->wrong, sizeof of->wrong), memcpy(ahead.c.right, of->right, sizeof of->right);
    ahead.c.from = of->from, ahead.c.to = of->to, ahead.c.dim = of->dim;
    describe(ask, &ahead.c, ahead.of);
    unlink(ahead.kept);
    lab_repair_ask named = *ask;
    named.stage = ahead.stage;
    lab_candidates_name(&named, &ahead.c);
    // What was taken of the list before is the same file by another name (share), and is still read there.
    unlink(ahead.c.plain), unlink(ahead.c.table), unlink(ahead.c.hooked);
    ahead.begun = lab_aside_begin(make, (void *)ask);
}

static lab_candidates due;

// Functions that are still to be judged hold, until one fails: then all is begun anew. A TODO that puts whole functions
// together waits for the first of those that fails.
static int can_begin(const lab_repair_ask *ask, const char *todo) {
    char wrong[sizeof due.wrong] = "-";
    due.from = due.to = 0;
    if (!todo) return 1;
    if (lab_judged_calls_others(todo)) lab_judged_functions(1, wrong, sizeof wrong);
    return *wrong && lab_region_of(ask->source, ask->task->id, todo, &due.from, &due.to);
}

int lab_repair_ahead_due(const lab_repair_ask *ask) {
    char of[MOST_ARGUMENTS];
    const char *todo = lab_judged_next_todo(NULL);
    if (ahead.times == MOST_TIMES || !lab_repair_wanted() || lab_judged_refused() || !can_begin(ask, todo)) return 0;
    lab_ahead_judge(todo, &due);
    if (!todo) lab_judged_add_rest(ask->task, due.right, sizeof due.right);
    describe(ask, &due, of);
    return strcmp(of, ahead.of) && access(ask->edits, X_OK) == 0;
}

void lab_ahead_wider(const lab_repair_ask *ask, const char *todo) {
    due.from = due.to = 0;
    lab_ahead_judge(todo, &due);
    begin(ask, &due, 1);
    ahead.wider = 1;
}

void lab_ahead_enough(void) {
    if (ahead.wider) drop();
}

void lab_repair_ahead(const lab_repair_ask *ask) { begin(ask, &due, due.to != 0); }

static int move(const char *from, const char *to) { return rename(from, to) == 0; }

// The other process still reads it.
static int share(const char *from, const char *to) {
    unlink(to);
    return link(from, to) == 0;
}

static int take_list(const lab_repair_ask *ask, lab_candidates *c) {
    lab_candidates_name(ask, c);
    return share(ahead.c.plain, c->plain) && share(ahead.c.table, c->table) &&
           (ask->task->language != LAB_CUDA || share(ahead.c.hooked, c->hooked)) && lab_candidates_take(ask, c);
}

int lab_ahead_list(const lab_repair_ask *ask, lab_candidates *c) {
    char of[MOST_ARGUMENTS];
    describe(ask, c, of);
    if (!ahead.begun || *c->lines || ask->task->language == LAB_CUDA || strcmp(of, ahead.of)) return 0;
    const int made = lab_aside_end(ahead.begun);
    ahead.begun = 0;
    return made && take_list(ask, c);
}

static int take_likeliest(lab_candidates *c) {
    static unsigned char kept[LAB_MOST_EDITS + 1];
    FILE *f = fopen(ahead.kept, "r");
    int id, any = f && fscanf(f, "%lf", &c->took) == 1;
    while (any && fscanf(f, "%d", &id) == 1)
        if (id > 0 && id <= LAB_MOST_EDITS) kept[id] = 1;
    for (int i = 0; i < c->n && any; i++) c->edit[i].dropped = !kept[c->edit[i].id];
    if (f) fclose(f);
    return any;
}

// Of the budget it costs what it would have cost here, without what is beside it.
static int take_first(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output) {
    char of[MOST_ARGUMENTS];
    const double before = lab_attempts_left();
    describe(ask, c, of);
    if (strcmp(of, ahead.of)) begin(ask, c, probe);
    while (access(ahead.kept, R_OK) && lab_aside_runs(ahead.begun)) usleep(2000);
    if (access(ahead.kept, R_OK) || !take_list(ask, c)) return 0;
    lab_candidates_choose(ask, c);
    if (!take_likeliest(c)) return 0;
    lab_attempts_forgive(fmax(0, before - lab_attempts_left() - c->took));
    return move(ahead.object, output);
}

static int take_data(const lab_repair_ask *ask, lab_candidates *c, const char *output) {
    const int made = lab_aside_end(ahead.begun);
    ahead.begun = 0;
    if (!c->hooks || !made) return 0;
    lab_candidates_choose(ask, c);
    return move(ahead.data_object, output);
}

int lab_ahead_take(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output) {
    if (!c->ahead || c->chosen == c->batch) return 0;
    c->ahead = c->batch == 1 ? take_first(ask, c, probe, output) : take_data(ask, c, output);
    if (!c->ahead) c->chosen = 0;  // then it is still to be chosen and written
    return c->ahead;
}

void lab_repair_ahead_end(void) {
    if (!ahead.times) return;
    lab_aside_drop(ahead.begun);
    ahead.begun = 0;
    const char *const files[] = {ahead.object, ahead.kept,    ahead.data_object, ahead.c.plain,
                                 ahead.c.file, ahead.c.table, ahead.c.hooked};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    lab_aside_clear(ahead.room);
    char room[4500];  // of a compilation that was not waited for
    snprintf(room, sizeof room, "%s.room", ahead.object);
    lab_aside_clear(room);
    lab_beside_clear(ahead.stage);
}
