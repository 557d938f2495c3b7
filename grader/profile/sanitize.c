// sanitize.c: a CUDA task's claims under compute-sanitizer, tool by tool: a line for each tool, the first report in it.
//
//     sanitize TASK STAGE.so [TOOL...]        LAB_ONLY: only claims whose name holds this text; LAB_TIMEOUT: s per tool
//
// Run from the lab's root. LAB_BUILD (default build) holds target and takes the logs; LAB_SANITIZER is another
// compute-sanitizer than the one that is found. Claims of large shapes are left out: a tool slows kernels down 10 to
// 1000 times.
// Exit status: 0 no reports; 1 reports; 2 a tool could not do its work.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cases.h"
#include "findings.h"
#include "ops.h"
#include "process.h"
#include "task6_kernels.h"
#include "tasks.h"
#include "text.h"
#include "tool.h"

enum { MAX_CLAIMS = 64 };
static const double most_scores = 1 << 17;  // query-key pairs of a claim: 2 x 4 x 128 x 128
static const double usual_seconds = 300;    // a run of one tool

static struct {
    const lab_task *task;
    char *stage;
    char sanitizer[512], target[512], folder[512];
    lab_kernels parts;  // of task 6
    int layered;        // it is task 6
    const char *claims[MAX_CLAIMS];
    int n_claims, left_out;
    double seconds;
} run;

static void choose_claims(const char *only) {
    for (int i = 0; lab_case_at(i) && run.n_claims < MAX_CLAIMS; i++) {
        const char *claim = lab_case_at(i)->claim;
        lab_case c;
        if (strcmp(lab_case_at(i)->task, run.task->id) || (only && !strstr(claim, only))) continue;
        if (!lab_case_find(run.task->id, claim, 1, &c) || (c.op->pipeline && c.op != &lab_layer) || c.op->probe)
            continue;  // a whole model; several functions
        run.layered |= c.op == &lab_layer;
        const attn_shape s = c.shape;
        if ((double)s.batch * s.heads * s.seq_q * s.seq_kv > most_scores)
            run.left_out++;
        else
            run.claims[run.n_claims++] = claim;
    }
}

typedef struct {
    lab_findings found;
    int done;        // the tool's summary is there, and target has made its calls
    char said[256];  // by target: its last line when that is done, otherwise its first, which says what went wrong
} outcome;

static void keep_words(const lab_process *p, outcome *o) {
    const char *last = p->text;
    for (const char *q = p->text; *q; q++)
        if (*q == '\n' && q[1]) last = q + 1;
    const int has_called = p->exit_status == 0 && !p->signal_number && strstr(last, " calls");
    o->done = has_called && o->found.started && o->found.finished;
    if (!has_called) last = p->text;
    snprintf(o->said, sizeof o->said, "%.*s", (int)strcspn(last, "\n"), last);
    lab_clean_text(o->said);
}

// Runs n claims under one tool.
static void run_tool(const char *tool, const char *log, const char *const claims[], int n, outcome *o) {
    char *argv[MAX_CLAIMS + 16] = {run.sanitizer, "--tool",   (char *)tool, "--log-file",
                                   (char *)log,   run.target, run.stage,    (char *)run.task->id};
    char *const parts[] = {"--parts", run.parts.driver, run.parts.flash, run.parts.decode};
    int words = 8;
    for (int i = 0; run.layered && i < 4; i++) argv[words++] = parts[i];
    for (int i = 0; i < n; i++) argv[words++] = (char *)claims[i];
    const lab_limits limits = {.arena = -1};
    lab_process *p = malloc(sizeof *p);
    memset(o, 0, sizeof *o);
    remove(log);
    if (p && lab_process_start(p, argv, &limits)) {
        const lab_event event = lab_process_wait(p, NULL, 0, run.seconds);
        lab_process_stop(p);
        char *text = lab_read_text(log);
        lab_findings_parse(text ? text : "", run.task->file, &o->found);
        keep_words(p, o);
        if (event == LAB_TIMED_OUT) snprintf(o->said, sizeof o->said, "not done after %g s", run.seconds);
        o->done &= event == LAB_EXITED;
        free(text);
    }
    free(p);
}

// The first claim that alone has a report: the smallest thing to look at. NULL if it takes several.
static const char *guilty_claim(const char *tool) {
    char log[600];
    outcome o;
    snprintf(log, sizeof log, "%s/%s-%s-one.log", run.folder, run.task->id, tool);
    const char *found = NULL;
    for (int i = 0; i < run.n_claims && !found; i++) {
        run_tool(tool, log, &run.claims[i], 1, &o);
        if (o.found.verdict != LAB_PASSED) found = run.claims[i];
    }
    remove(log);
    return found;
}

static void print(const char *tool, const char *verdict, const char *text, const char *log) {
    printf("  %-10s %-16s %s\n", tool, verdict, text);
    if (log) printf("  %-10s %-16s all of it: %s\n", "", "", log);
}

static int check(const char *tool) {
    char log[600], text[800];
    outcome o;
    const lab_findings *f = &o.found;
    snprintf(log, sizeof log, "%s/%s-%s.log", run.folder, run.task->id, tool);
    run_tool(tool, log, run.claims, run.n_claims, &o);
    if (f->verdict != LAB_PASSED) {
        const char *claim = guilty_claim(tool);
        snprintf(text, sizeof text, "%s%s%s", claim ? claim : "", claim ? ": " : "", f->text);
        print(tool, lab_verdict_name(f->verdict), text, log);
        return 1;
    }
    if (o.done) {
        print(tool, "PASSED", o.said, NULL);
        return 0;
    }
    snprintf(text, sizeof text, "could not check: %s",
             *o.said         ? o.said
             : *f->complaint ? f->complaint
             : !f->started   ? "compute-sanitizer did not start"
                             : "it ended without a summary");
    print(tool, "SKIPPED", text, f->started ? log : NULL);
    return 2;
}

static int prepare(int argc, char **argv) {
    const char *build = getenv("LAB_BUILD"), *only = getenv("LAB_ONLY"), *seconds = getenv("LAB_TIMEOUT");
    run.task = argc > 2 ? lab_task_find(argv[1]) : NULL;
    if (!run.task || run.task->language != LAB_CUDA) {
        fprintf(stderr, "usage: sanitize TASK STAGE.so [TOOL...]     TASK: a CUDA task\n");
        return 0;
    }
    if (!build) build = "build";
    run.stage = argv[2];
    run.seconds = seconds && *seconds ? atof(seconds) : usual_seconds;
    snprintf(run.target, sizeof run.target, "%s/bin/target", build);
    snprintf(run.folder, sizeof run.folder, "%s/log", build);
    if (mkdir(run.folder, 0777) && errno != EEXIST) {
        perror(run.folder);
        return 0;
    }
    if (!lab_tool_find("compute-sanitizer", "LAB_SANITIZER", run.sanitizer, sizeof run.sanitizer)) {
        printf(
            "  No compute-sanitizer here: it comes with the CUDA toolkit. Checked mode does without: make %s sanitize "
            "BACKEND=simt\n",
            run.task->id);
        return 0;
    }
    lab_kernels_reference(&run.parts, build);
    choose_claims(only && *only ? only : NULL);
    if (!run.n_claims)
        printf("  %s has no claim%s%s for one kernel at a time\n", run.task->id, only && *only ? " named like " : "",
               only && *only ? only : "");
    return run.n_claims > 0;
}

int main(int argc, char **argv) {
    static char *all[] = {"memcheck", "racecheck", "initcheck", "synccheck", NULL};
    int worst = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!prepare(argc, argv)) return 2;
    printf("%s  %s: claims under compute-sanitizer: %d", run.task->id, run.task->title, run.n_claims);
    printf(run.left_out ? "; with large shapes, left out: %d\n" : "\n", run.left_out);
    for (char **tool = argc > 3 ? argv + 3 : all; *tool; tool++) {
        const int status = check(*tool);
        if (status > worst) worst = status;
    }
    return worst;
}
