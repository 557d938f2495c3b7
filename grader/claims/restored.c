// restored.c: the lines of the handout are right. Where some are not as they were given, each is put back, and what
// failed is tried again. What held must hold, too: a line may be altered in two places that undo each other.
#include "restored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "build.h"
#include "given_back.h"

enum {
    MOST = 4,
    MOST_HELD = 8,
    TRIES = 4,
    TRIES_OF_CUDA = 2,
    MOST_TOGETHER = 4,
    AGAIN = 2,
    WORDS = 12,
    COMPILE_SECONDS = 60
};

static const double DEAREST = 1 << 23;  // operations of a claim that held and is tried again

typedef struct {
    const lab_stage_options *options;
    lab_case c;
    int varies;  // from call to call: in a process of its own it may hold
} claim;

static claim failed[MOST];        // of the claims that failed, those that cost least, and those that vary last
static claim held[MOST_HELD];     // of each criterion a claim that held, and tells much
static int n_failed, all_failed;  // of these; of all
static int n_held;
static claim first;  // that failed: where it is a TODO's, the line has to mend this, too

static double cost(const lab_case *c) { return lab_op_flops(c->op, c->shape); }

static void keep_held(const lab_stage_options *options, const lab_case *c) {
    int i = 0;
    if (c->todo || cost(c) > DEAREST) return;
    while (i < n_held && strcmp(held[i].c.criterion, c->criterion)) i++;
    if (i == MOST_HELD || (i < n_held && cost(c) <= cost(&held[i].c))) return;
    held[i] = (claim){options, *c, 0};
    n_held += i == n_held;
}

static int comes_before(const claim *a, const claim *b) {
    return a->varies != b->varies ? a->varies < b->varies : cost(&a->c) < cost(&b->c);
}

void lab_restored_keep(const lab_stage_options *options, const lab_case *c, const lab_result *r) {
    if (r->verdict == LAB_PASSED) keep_held(options, c);
    if (r->verdict == LAB_PASSED || r->verdict == LAB_MISSING || r->verdict == LAB_SKIPPED || *r->todo) return;
    const claim own = {options, *c, r->verdict == LAB_NONDETERMINISTIC};
    if (!all_failed) first = own;
    int at = n_failed < MOST ? n_failed++ : MOST;
    all_failed++;
    for (; at && comes_before(&own, &failed[at - 1]); at--)
        if (at < MOST) failed[at] = failed[at - 1];
    if (at < MOST) failed[at] = own;
}

// What malloc gives is 3.4e38: what nobody wrote is neither right nor different by chance.
static lab_verdict open_stage(lab_stage *stage, const lab_stage_options *options) {
    char message[1024];
    setenv("MALLOC_PERTURB_", "128", 1);
    const lab_verdict v = lab_stage_open(stage, options, message, sizeof message);
    unsetenv("MALLOC_PERTURB_");
    return v;
}

// What holds now and then, as where threads are in each other's way, may hold with any line.
static int fails_again(int k, uint64_t seed, double seconds) {
    static lab_stage stage;
    static lab_result r;
    r = (lab_result){.verdict = LAB_GRADER_ERROR};
    if (open_stage(&stage, failed[k].options) == LAB_PASSED)
        for (int i = 0; i < AGAIN && (!i || r.verdict != LAB_PASSED); i++)
            lab_judge(&stage, &failed[k].c, seed, seconds, &r);
    lab_stage_close(&stage);
    return r.verdict != LAB_PASSED;
}

static int holds(const lab_task *task, const char *source, const claim *tried, uint64_t seed, double seconds) {
    static lab_stage stage;
    static lab_result r;
    char object[4300], message[1024], *command[WORDS] = {NULL};
    const lab_stage_options *of = tried->options;
    const int probe = tried->c.todo != NULL;
    snprintf(object, sizeof object, "%s.%s.so", source, probe ? "probe" : "whole");
    const lab_build_options build = {
        .lab = ".", .source = source, .output = object, .seconds = COMPILE_SECONDS, .quick = 1};
    if (access(object, R_OK) && (probe ? !lab_build_probe(task, build)
                                       : lab_build(task, &build, message, sizeof message, NULL, 0) != LAB_PASSED))
        return 0;
    for (int w = 0; w < WORDS - 1 && of->runner[w]; w++) command[w] = of->runner[w];
    command[1] = object;
    lab_stage_options again = *of;
    again.runner = command, again.stage = object;
    r = (lab_result){.verdict = LAB_GRADER_ERROR};
    if (open_stage(&stage, &again) == LAB_PASSED) lab_judge(&stage, &tried->c, seed, seconds, &r);
    lab_stage_close(&stage);
    return r.verdict == LAB_PASSED;
}

static void forget(const char *source) {
    static const char *const endings[] = {"", ".probe.so", ".whole.so", ".probe.so.txt"};
    char path[4300];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s%s", source, endings[i]);
        unlink(path);
    }
}

static void what_holds(char *text, size_t size) {
    if (n_failed == 1 && all_failed > 1)
        snprintf(text, size, "the claim holds that was tried, of %d that failed", all_failed);
    else if (n_failed < all_failed)
        snprintf(text, size, "the %d claims hold that were tried, of %d that failed", n_failed, all_failed);
    else
        snprintf(text, size, "what failed holds");
}

static void say(const lab_given *g, char *note, size_t size) {
    static const char *const before[] = {
        [LAB_GIVEN_ALTERED] = "line %d is not as the handout gave it. It was:\n%s\nWith that, %s.",
        [LAB_GIVEN_MISSING] = "behind line %d a line of the handout is missing:\n%s\nWith it, %s.",
        [LAB_GIVEN_MOVED] = "line %d stood elsewhere in the handout, behind what is now line %d:\n%s\nThere, %s.",
        [LAB_GIVEN_ENDS] = "line %d ends this block, which ended behind line %d in the handout:\n%s\nWith that, %s."};
    char holds[80];
    what_holds(holds, sizeof holds);
    if (g->kind == LAB_GIVEN_ENDS || g->kind == LAB_GIVEN_MOVED)
        snprintf(note, size, before[g->kind], g->line, g->behind, g->given, holds);
    else
        snprintf(note, size, before[g->kind], g->line, g->given, holds);
}

// With this file, does what failed hold, and what held?
static int mends(const lab_task *task, const char *path, uint64_t seed, double seconds) {
    int all = !first.c.todo || holds(task, path, &first, seed, seconds);
    for (int k = 0; k < n_failed && all; k++) all = holds(task, path, &failed[k], seed, seconds);
    for (int k = 0; k < n_held && all; k++) all = holds(task, path, &held[k], seed, seconds);
    forget(path);
    for (int k = 0; k < n_failed && all && failed[k].varies == failed[0].varies; k++)
        all = fails_again(k, seed, seconds);
    return all;
}

// All that differs is put back, one after the other, in two files in turn. Returns which of them has it, -1: there is too much.
static int put_all_back(const lab_task *task, const char *source, const char path[2][4200], char *lines, size_t size) {
    lab_given g;
    size_t used = 0;
    int n = 0;
    while (n <= MOST_TOGETHER && lab_given_back(task, n ? path[(n - 1) % 2] : source, 0, path[n % 2], &g)) {
        if (g.kind == LAB_GIVEN_ENDS) return -1;
        used += (size_t)snprintf(lines + used, used < size ? size - used : 0, "%s%s", n++ ? "\nand\n" : "", g.given);
    }
    return n > 1 && n <= MOST_TOGETHER && used < size ? (n - 1) % 2 : -1;
}

// Several lines of one idea: no one of them alone mends what failed.
static int note_together(const lab_task *task, const char *source, const char path[2][4200], uint64_t seed,
                         double seconds, char *note, size_t size) {
    char lines[900], what[80];
    const int which = put_all_back(task, source, path, lines, sizeof lines);
    const int all = which >= 0 && mends(task, path[which], seed, seconds);
    forget(path[0]), forget(path[1]);
    if (!all) return 0;
    what_holds(what, sizeof what);
    snprintf(note, size, "these lines of the handout are altered, missing or elsewhere:\n%s\nAs they were, %s.", lines,
             what);
    return 1;
}

static int name_files(const lab_task *task, char path[2][4200]) {
    if (!n_failed || lab_backend()->on_gpu) return 0;
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%.4100s.given%s.%s", failed[0].options->stage, i ? ".2" : "",
                 strrchr(task->file, '.') + 1);
    return 1;
}

int lab_restored_together(const lab_task *task, const char *source, uint64_t seed, double seconds, char *note,
                          size_t size) {
    char path[2][4200];
    return name_files(task, path) && note_together(task, source, path, seed, seconds, note, size);
}

static int named;

int lab_restored_line(void) { return named; }

int lab_restored_note(const lab_task *task, const char *source, uint64_t seed, double seconds, char *note,
                      size_t size) {
    char path[2][4200];
    lab_given g;
    const int tries = task->language == LAB_CUDA ? TRIES_OF_CUDA : TRIES;
    if (!name_files(task, path)) return 0;
    for (int i = 0; i < tries && lab_given_back(task, source, i, path[0], &g); i++) {
        if (!mends(task, path[0], seed, seconds)) continue;
        say(&g, note, size), named = g.line;
        return 1;
    }
    forget(path[0]);
    return task->language != LAB_CUDA && note_together(task, source, path, seed, seconds, note, size);
}

// A call that stands elsewhere: beside a mistake of a TODO's own it is not tried, for that fails in either place.
int lab_restored_moved(const lab_task *task, const char *source, char *note, size_t size) {
    char path[4200];
    lab_given g;
    int found = 0;
    if (!n_failed) return 0;
    snprintf(path, sizeof path, "%.4100s.moved.%s", failed[0].options->stage, strrchr(task->file, '.') + 1);
    for (int i = 0; i < TRIES && !found && lab_given_back(task, source, i, path, &g); i++)
        found = g.kind == LAB_GIVEN_MOVED && strchr(g.given, '(') && g.given[strlen(g.given) - 1] == ';';
    forget(path);
    if (found)
        snprintf(note, size, "line %d stood elsewhere in the handout, behind what is now line %d:\n%s", g.line,
                 g.behind, g.given);
    return found;
}
