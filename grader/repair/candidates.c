// candidates.c: runs the program edits, reads its table, compiles what it wrote.
#include "candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ahead.h"
#include "attempt.h"
#include "beside.h"
#include "build.h"
#include "given.h"
#include "judged.h"
#include "process.h"
#include "region.h"

enum { WRITE_SECONDS = 5, COMPILE_SECONDS = 10, ROUNDS = 6, ALL = 1 << 15, ALL_CUDA = 8000, MOST_LINES = 4096 };

static void copy(char *to, size_t size, const char *field) { snprintf(to, size, "%s", field ? field : ""); }

static char *next_field(char **line) { return strsep(line, "\t"); }

static int number(char **line) {
    const char *field = next_field(line);
    return field ? atoi(field) : 0;
}

// Rows: id, rank, line, column, function, kind, old and new text, and more.
static int read_table(lab_candidates *c) {
    FILE *f = fopen(c->table, "r");
    char *row = NULL;
    size_t room = 0;
    c->edit = malloc(LAB_MOST_EDITS * sizeof *c->edit);
    c->dim = 0;
    while (f && c->edit && c->n < LAB_MOST_EDITS && getline(&row, &room, f) >= 0) {
        char *at = row;
        lab_edit *e = &c->edit[c->n];
        row[strcspn(row, "\n")] = 0;
        memset(e, 0, sizeof *e);
        if ((e->id = number(&at)) <= 0) {  // the head
            const char *dim = at ? strstr(at, "\tdim=") : NULL;
            c->dim = dim ? atoi(dim + strlen("\tdim=")) : 0;
            continue;
        }
        c->n++;
        e->rank = number(&at), e->line = number(&at), e->column = number(&at);
        copy(e->function, sizeof e->function, next_field(&at));
        copy(e->kind, sizeof e->kind, next_field(&at));
        copy(e->was, sizeof e->was, next_field(&at));
        copy(e->now, sizeof e->now, next_field(&at));
        next_field(&at), next_field(&at);
        copy(e->also, sizeof e->also, next_field(&at));
        e->shared = number(&at);
        copy(e->end_of, sizeof e->end_of, next_field(&at));
        e->hooked = number(&at), e->each = number(&at);
    }
    if (f) fclose(f);
    free(row);
    return c->n > 0;
}

// A line of the student's file, without what is around it.
static void take_line(const char *row, char line[LAB_FRAGMENT]) {
    row += strspn(row, " \t");
    const char *comment = strstr(row, "//"), *end = comment ? comment : row + strlen(row);
    while (end > row && strchr(" \t\r\n", end[-1])) end--;
    snprintf(line, LAB_FRAGMENT, "%.*s", (int)(end - row), row);
}

// A TODO's comment stands above the lines that a student writes for it; those above all of them are of none. Who has taken
// the comments out has no such lines.
static void find_lines(const char *source, const char *task, lab_candidates *c) {
    char todo[8] = "", *row = NULL;
    size_t room = 0;
    FILE *f = fopen(source, "r");
    for (int line = 1; f && getline(&row, &room, f) >= 0; line++) {
        lab_names_todo(row, task, todo);
        for (int i = 0; i < c->n; i++) {
            if (c->edit[i].line != line) continue;
            memcpy(c->edit[i].todo, todo, sizeof todo);
            take_line(row, c->edit[i].whole);
            c->edit[i].indent = (int)strspn(row, " \t");
        }
    }
    for (int i = 0; i < c->n && *todo; i++)
        if (!*c->edit[i].todo) strcpy(c->edit[i].todo, LAB_NO_TODO);
    if (f) fclose(f);
    free(row);
}

static int run_edits(const lab_repair_ask *ask, lab_candidates *c) {
    static lab_process p;
    char lines[32], limit[16], dim[16], room[16] = "";
    const int cuda = ask->task->language == LAB_CUDA, all = cuda ? ALL_CUDA : ALL;
    const int hooks = cuda && c->batch;  // reports are looked at without: of a few lines
    snprintf(lines, sizeof lines, "%d-%d", c->from, c->to ? c->to : 1 << 30);
    snprintf(limit, sizeof limit, "%d", all);
    snprintf(dim, sizeof dim, "%d", c->dim);
    if (lab_judged_room()) snprintf(room, sizeof room, "%d", lab_judged_room());  // too little is asked for, maybe
    char *argv[] = {(char *)ask->edits,
                    (char *)ask->source,
                    c->plain,
                    c->table,
                    "--limit",
                    limit,
                    "--only",
                    lines,
                    "--wrong",
                    c->wrong,
                    "--right",
                    c->right,
                    "--at",
                    *ask->at ? (char *)ask->at : room,
                    *c->lines ? "--lines" : "--code",
                    *c->lines ? c->lines : c->code,
                    hooks ? "--hooks" : NULL,
                    c->hooked,
                    "--dim",
                    dim,
                    "--statuses",
                    lab_judged_statuses() ? "yes" : "no",
                    "--code",
                    c->code,
                    NULL};
    const lab_limits limits = {.arena = -1, .cpu_seconds = WRITE_SECONDS, .memory_bytes = (size_t)1 << 30};
    if (!lab_process_start(&p, argv, &limits)) return 0;
    const lab_event event = lab_process_wait(&p, NULL, 0, WRITE_SECONDS);
    lab_process_stop(&p);
    return event == LAB_EXITED && p.exit_status == 0 && lab_candidates_take(ask, c);
}

int lab_candidates_take(const lab_repair_ask *ask, lab_candidates *c) {
    c->data = ask->task->language == LAB_CUDA;
    if (!read_table(c)) return 0;
    find_lines(ask->source, ask->task->id, c);
    static unsigned char given[MOST_LINES];
    lab_given_mark(ask->task, ask->source, given, MOST_LINES);
    const int room = lab_judged_room();
    int own = 0;  // what alters a given line is no cure: it is not even compiled
    for (int i = 0; i < c->n; i++) {
        // --at brings it forward in the list. And of those that mend it is said before one that elsewhere hands over a
        // larger number, with which there is memory enough.
        if (room && c->edit[i].line == room) c->edit[i].rank /= 4;
        if (lab_given_restores(&c->edit[i])) c->edit[i].rank = c->edit[i].shared = 0, *c->edit[i].todo = 0;
        const lab_edit e = c->edit[i];  // what comes before a given line, or moves one, alters none
        const int moves = !strcmp(e.was, e.now) && strncmp(e.was, "__sync", 6) != 0;  // a given barrier stays
        const int seen = c->but_to && e.line >= c->but_from && e.line <= c->but_to;
        if (!seen && (!*e.was || moves || e.line >= MOST_LINES || !given[e.line])) c->edit[own++] = e;
    }
    c->n = own;
    return 1;
}

void lab_candidates_name(const lab_repair_ask *ask, lab_candidates *c) {
    const int stem = (int)strlen(ask->stage) - 3;  // without .so, by which simtcc knows a library
    const char *name = c->name ? c->name : c->once ? "alone" : "edits";
    snprintf(c->file, sizeof c->file, "%.*s.%s%s", stem, ask->stage, name, strrchr(ask->task->file, '.'));
    snprintf(c->table, sizeof c->table, "%.*s.edits.tsv", stem, ask->stage);
    snprintf(c->plain, sizeof c->plain, "%.*s.edits.txt", stem, ask->stage);
    snprintf(c->hooked, sizeof c->hooked, "%.*s.hooks.txt", stem, ask->stage);
}

int lab_candidates_read(const lab_repair_ask *ask, lab_candidates *c) {
    lab_candidates_name(ask, c);
    return run_edits(ask, c);
}

int lab_candidates_again(const lab_repair_ask *ask, lab_candidates *c) {
    c->batch = c->chosen = c->most = c->sieved = c->faster = 0;
    if (!c->all) {
        free(c->edit);
        c->edit = NULL, c->n = 0;
        if (!lab_ahead_list(ask, c) && !lab_candidates_read(ask, c)) return 0;
        c->in_all = c->n;
        c->all = malloc((size_t)c->n * sizeof *c->all);
        if (c->all) memcpy(c->all, c->edit, (size_t)c->n * sizeof *c->all);
        return 1;
    }
    c->n = c->in_all;
    memcpy(c->edit, c->all, (size_t)c->n * sizeof *c->all);
    return 1;
}

static lab_build_options options_of(const lab_repair_ask *ask, const lab_candidates *c, const char *probe,
                                    const char *output) {
    const int cuda = ask->task->language == LAB_CUDA;
    return (lab_build_options){.lab = ".",
                               .source = c->file,
                               .probe = probe,
                               .output = output,
                               .seconds = COMPILE_SECONDS,
                               .plain = !cuda && !c->faster,     // the compiler takes longer than all the runs
                               .quick = !cuda && c->faster < 2,  // write.c says how CUDA is compiled
                               .no_steps = 1,
                               .edits = 1,
                               .once = c->once,
                               .any_symbol = 1};
}

lab_verdict lab_candidates_build(const lab_repair_ask *ask, const lab_candidates *c, int probe, const char *output,
                                 char *message, size_t size, char *log, size_t log_size) {
    char path[4300], hooks[4300];
    snprintf(path, sizeof path, "grader/probes/%s%s", ask->task->id, strrchr(ask->task->file, '.'));
    snprintf(hooks, sizeof hooks, "%s_hooks.o", ask->edits);
    lab_build_options options = options_of(ask, c, probe ? path : NULL, output);
    options.hooks = c->hooks ? hooks : NULL;
    return lab_build(ask->task, &options, message, size, log, log_size);
}

// Some name is another thing for the compiler, or some type is not said: without hooks in the functions that it complains
// of, once. Returns 0 if it names none.
static int unhook(const lab_repair_ask *ask, lab_candidates *c, const char *log) {
    if (*c->code) return 0;
    lab_functions_of_errors(c, ask->source, log, c->code, sizeof c->code);
    lab_candidates again = *c;
    again.edit = NULL, again.n = 0;
    const int written = *c->code && run_edits(ask, &again) && again.n == c->n;
    for (int i = 0; i < c->n && written; i++) c->edit[i].hooked = again.edit[i].hooked;
    free(again.edit);
    return written;
}

int lab_candidates_compile(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output) {
    static char log[64 << 10];
    char message[1024];
    c->took = 0;
    lab_candidates_name(ask, c);
    if (lab_ahead_take(ask, c, probe, output)) return 1;
    if (!c->n && !run_edits(ask, c)) return 0;
    if (c->chosen != c->batch) {
        lab_candidates_choose(ask, c);
        if (c->batch == 2 && lab_beside_take(c, probe, output)) return 1;
        if (!lab_candidates_write(c)) return 0;
        if (c->batch == 1 && c->data && !c->no_hooks) lab_beside_begin(ask, c, probe);
    }
    for (int i = 0; i < ROUNDS; i++) {
        const lab_verdict v = lab_candidates_build(ask, c, probe, output, message, sizeof message, log, sizeof log);
        if (v == LAB_PASSED) return 1;
        if (c->hooks) {  // otherwise all as code
            if (!unhook(ask, c, log)) c->hooks = 0, c->no_hooks = 1;
            lab_candidates_choose(ask, c);
        } else if (c->fixed || v != LAB_COMPILE_ERROR || !lab_candidates_drop(c, ask->source, log)) {
            return 0;
        }
        if (!lab_candidates_write(c)) return 0;
    }
    return 0;
}

static const double LEAST_LEFT = 0.3, FOR_GCC = 1.5;  // seconds of the budget

// tcc ends at its first error, after a few hundredths of a second; gcc names nearly all at once, in half a second to one.
int lab_candidates_compile_all(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output) {
    enum { TINY_ROUNDS = 20, BEFORE_KINDS = 2, BEFORE_ALL = 4, ONE_BY_ONE = 13 };  // then whole lines go
    int nameless = 0, asked = 0;  // tcc has found an error and not said where: gcc says it, and is asked once
    static char log[64 << 10];
    char message[1024], path[4300];
    lab_candidates_name(ask, c);
    snprintf(path, sizeof path, "grader/probes/%s%s", ask->task->id, strrchr(ask->task->file, '.'));
    lab_build_options options = options_of(ask, c, probe ? path : NULL, output);
    for (int i = 0; i < TINY_ROUNDS && lab_attempts_left() > LEAST_LEFT; i++) {
        options.tiny = (i == BEFORE_ALL || nameless) && lab_attempts_left() > FOR_GCC ? 2 : 1;
        if (!lab_candidates_write(c)) return 0;
        const lab_verdict v = lab_build(ask->task, &options, message, sizeof message, log, sizeof log);
        if (v == LAB_PASSED && options.tiny == 1) return 1;
        const lab_also also = i >= ONE_BY_ONE                        ? LAB_ITS_LINE
                              : i >= BEFORE_KINDS && i != BEFORE_ALL ? LAB_ITS_KIND
                                                                     : LAB_ALONE;
        const int dropped = v == LAB_COMPILE_ERROR && lab_candidates_drop_named(c, log, also);
        nameless = options.tiny == 1 && !dropped;
        if (nameless && asked++) return 0;
    }
    return 0;
}

int lab_candidates_keep(lab_candidates *c, const int *ids, int n) {
    c->hooks = 0;
    for (int i = 0; i < c->n; i++) {
        int kept = 0;
        for (int k = 0; k < n; k++) kept |= c->edit[i].id == ids[k];
        c->edit[i].dropped |= !kept;
    }
    return lab_candidates_write(c);
}

int lab_candidates_keep_one(lab_candidates *c, int id) {
    c->fixed = id, c->hooks = 0;
    for (int i = 0; i < c->n; i++) c->edit[i].dropped = c->edit[i].id != id;
    return lab_candidates_write(c);
}

void lab_candidates_free(lab_candidates *c) {
    lab_beside_drop();
    if (*c->file) unlink(c->file), unlink(c->plain), unlink(c->table), unlink(c->hooked);
    free(c->edit), free(c->all);
    memset(c, 0, sizeof *c);
}
