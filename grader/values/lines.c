// lines.c: edits writes the file, a runner calls it, and leaves in the arena which line had which value.
#define _GNU_SOURCE
#include "lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "build.h"
#include "edits_list.h"

enum { ROOM = 1 << 21, MOST_LINES = 400 };
static const double COMPILE_SECONDS = 10, LOAD_SECONDS = 5;

struct lab_teller {
    lab_stage stage;
    size_t at;  // in its arena
    int room;
    double seconds;
    char object[4300], *runner[8];
    lab_told *list;  // after a head that counts them
};

static int read_rows(char *rows, lab_lines *lines) {
    lines->line = calloc(MOST_LINES, sizeof *lines->line);
    for (char *row; lines->line && lines->n < MOST_LINES && (row = strsep(&rows, "\n"));) {
        lab_line l = {0};
        if (sscanf(row, "%*d\t%d\t%63[^\t]\t%63[^\n]", &l.line, l.function, l.name) < 3) break;
        lines->line[lines->n++] = l;
    }
    return lines->n > 0;
}

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void sort_each_once(lab_line *l) {
    size_t n = 0;
    qsort(l->value, l->n, sizeof *l->value, by_value);
    for (size_t i = 0; i < l->n; i++)
        if (!i || l->value[i] != l->value[i - 1]) l->value[n++] = l->value[i];
    l->n = n;
}

static int sort_out(const lab_told *list, int n, lab_lines *lines) {
    size_t at = 0;
    lines->all = malloc(((size_t)n + 1) * sizeof *lines->all);
    if (!lines->all) return 0;
    for (int i = 0; i < n; i++)
        if (list[i].id > 0 && list[i].id <= lines->n && isfinite(list[i].value)) lines->line[list[i].id - 1].n++;
    for (int k = 0; k < lines->n; k++) {
        lines->line[k].value = lines->all + at;
        at += lines->line[k].n, lines->line[k].n = 0;
    }
    for (int i = 0; i < n; i++) {
        lab_line *l = list[i].id > 0 && list[i].id <= lines->n ? &lines->line[list[i].id - 1] : NULL;
        if (l && isfinite(list[i].value)) l->value[l->n++] = list[i].value;
    }
    for (int k = 0; k < lines->n; k++) sort_each_once(&lines->line[k]);
    return 1;
}

// The runner writes into its arena, and what stands there may be anything, and change: it is looked at in a copy.
int lab_lines_again(lab_teller *r, const lab_trial *t, const lab_told **list) {
    char why[512];
    attn_status status = ATTN_OK;
    if (!r->stage.alive ||
        lab_trial_values(t, &r->stage, r->at, r->room, r->seconds, &status, why, sizeof why) != LAB_PASSED)
        return -1;
    const int32_t n = ((const lab_told *)(r->stage.arena + r->at))->id;
    if (n < 0 || n >= r->room) return -1;
    memcpy(r->list, r->stage.arena + r->at, ((size_t)n + 1) * sizeof *r->list);
    *list = r->list + 1;
    return r->list[0].id == n ? n : -1;
}

const float *lab_lines_output(const lab_teller *r, const lab_trial *t) {
    return (const float *)(r->stage.arena + t->layout.offset[0]);
}

typedef struct {
    char source[4300], object[4300], room[4300];  // room: of a compiler, which leaves something in it where it is ended
} paths;

static paths name(const lab_repair_ask *ask) {
    const int stem = (int)strlen(ask->stage) - 3;
    paths p;
    snprintf(p.source, sizeof p.source, "%.*s.values%s", stem, ask->stage, strrchr(ask->task->file, '.'));
    snprintf(p.object, sizeof p.object, "%.*s.values.so", stem, ask->stage);
    snprintf(p.room, sizeof p.room, "%.*s.values", stem, ask->stage);
    return p;
}

static int compile(const lab_repair_ask *ask, const paths *p) {
    static char log[4096];
    char message[1024];
    const lab_build_options build = {.lab = ".",
                                     .source = p->source,
                                     .output = p->object,
                                     .seconds = COMPILE_SECONDS,
                                     .quick = ask->task->language != LAB_CUDA,
                                     .no_steps = 1,
                                     .edits = 1,
                                     .any_symbol = 1};
    return lab_build(ask->task, &build, message, sizeof message, log, sizeof log) == LAB_PASSED;
}

static struct {
    const lab_repair_ask *ask;
    paths at;
    int begun;
} ahead;

static int make_ahead(void *unused) {
    (void)unused;
    setenv("TMPDIR", ahead.at.room, 1);
    return lab_edits_list(ahead.ask, "--values", ahead.at.source, NULL) && compile(ahead.ask, &ahead.at);
}

void lab_lines_ahead(const lab_repair_ask *ask) {
    lab_lines_drop();
    ahead.ask = ask, ahead.at = name(ask);
    mkdir(ahead.at.room, 0700);
    ahead.begun = lab_aside_begin(make_ahead, NULL);
}

// Returns 1 if it was made.
static int end_ahead(int (*end)(int begun)) {
    char room[4310];
    if (!ahead.begun) return 0;
    const int made = end(ahead.begun);
    ahead.begun = 0;
    snprintf(room, sizeof room, "%s.room", ahead.at.object);
    lab_aside_clear(ahead.at.room), lab_aside_clear(room);
    return made;
}

static int drop(int begun) {
    lab_aside_drop(begun);
    unlink(ahead.at.source), unlink(ahead.at.object);
    return 0;
}

static int kept;  // it stands there, compiled

void lab_lines_drop(void) {
    end_ahead(drop);
    if (kept) unlink(ahead.at.source), unlink(ahead.at.object);
    kept = 0;
}

static int begin(lab_teller *r, const lab_repair_ask *ask, const lab_trial *t) {
    char why[512];
    snprintf(r->object, sizeof r->object, "%s", ahead.at.object);
    for (int i = 0; ask->runner[i] && i < 7; i++) r->runner[i] = i == 1 ? r->object : ask->runner[i];
    r->at = (t->layout.bytes + 4095) / 4096 * 4096;
    r->list = malloc(((size_t)r->room + 1) * sizeof *r->list);
    const lab_stage_options options = {.runner = r->runner,
                                       .stage = r->object,
                                       .arena_bytes = r->at + ((size_t)r->room + 1) * sizeof(lab_told),
                                       .load_seconds = LOAD_SECONDS,
                                       .threads = 1,
                                       .trying = 1};
    setenv("SIMT_THREADS", "1", 1);
    const int ok = r->list && lab_stage_open(&r->stage, &options, why, sizeof why) == LAB_PASSED;
    unsetenv("SIMT_THREADS");
    r->stage.edit = 1;
    return ok;
}

lab_teller *lab_lines_open(const lab_repair_ask *ask, const lab_trial *t, int room, double seconds, lab_lines *lines) {
    char *rows;
    memset(lines, 0, sizeof *lines);
    const int made = end_ahead(lab_aside_end) || kept;
    ahead.ask = ask, ahead.at = name(ask);
    kept = (rows = lab_edits_list(ask, "--values", ahead.at.source, NULL)) && read_rows(rows, lines) &&
           (made || compile(ask, &ahead.at));
    lab_teller *r = kept ? calloc(1, sizeof *r) : NULL;
    if (!r) return NULL;
    r->room = room, r->seconds = seconds;
    if (begin(r, ask, t)) return r;
    lab_lines_close(r);
    return NULL;
}

void lab_lines_close(lab_teller *r) {
    if (!r) return;
    lab_stage_close(&r->stage), free(r->list), free(r);
}

int lab_lines_tell(const lab_repair_ask *ask, const lab_trial *t, double seconds, lab_lines *lines,
                   lab_lines_look *look, void *seen) {
    const lab_told *list;
    lab_teller *r = lab_lines_open(ask, t, ROOM, seconds, lines);
    const int n = r ? lab_lines_again(r, t, &list) : 0, ok = n > 0 && sort_out(list, n, lines);
    if (ok && look) look(r, t, lines, seen);
    lab_lines_close(r);
    return ok;
}

void lab_lines_free(lab_lines *lines) {
    free(lines->line), free(lines->all);
    memset(lines, 0, sizeof *lines);
}
