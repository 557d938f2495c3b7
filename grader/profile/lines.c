// lines.c: what each line of a CUDA task's file moves: the hottest on the terminal, all of them on a page.
//
//     lines TASK STAGE.checked.so SOURCE.cu TARGET [--case TEXT] [--html FILE]
//
// STAGE and TARGET (target.cu) are built for simt's checked mode. TEXT is a part of the name of a counted point
// (grader/measure/experiments.c); without it, the point with the most arithmetic.
// Exit status: 0; 1 the call failed; 2 wrong usage, or the page cannot be written.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments.h"
#include "lines.h"
#include "tasks.h"
#include "text.h"
#include "watched.h"

static int is_shown(const lab_experiment *e, const char *task) {
    return e->method == LAB_COUNTED && !strcmp(e->task, task) && !e->sampled;
}

// What the student has not written yet.
static struct {
    const lab_op *op[8];
    int n;
} open_ones;

static int is_open(const lab_op *op) {
    for (int i = 0; i < open_ones.n; i++)
        if (open_ones.op[i] == op) return 1;
    return open_ones.n == (int)(sizeof open_ones.op / sizeof *open_ones.op);
}

static const lab_experiment *choose(const char *task, const char *wanted) {
    const lab_experiment *best = NULL;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (!is_shown(e, task) || is_open(e->op) || (wanted && !strcasestr(e->name, wanted))) continue;
        if (!best || lab_op_flops(e->op, e->shape) > lab_op_flops(best->op, best->shape)) best = e;
    }
    return best;
}

static int names(const char *task) {
    printf("  %s: nothing of this name is counted. There are:\n", task);
    for (int i = 0; i < lab_n_experiments; i++)
        if (is_shown(&lab_experiments[i], task)) printf("    CASE=\"%s\"\n", lab_experiments[i].name);
    return 2;
}

// Reports of races and the like are for sanitize: the counts hold all the same. Returns -1 where a TODO is still open.
static int run_target(const char *target, const char *stage, const lab_experiment *e, const char *report) {
    static lab_process p;
    const lab_event event = lab_watched_call(&p, target, stage, e->op, e->shape, report);
    if (event == LAB_EXITED && (p.exit_status == 0 || p.exit_status == 86)) return 1;
    p.text[strcspn(p.text, "\n")] = 0;
    lab_clean_text(p.text);
    if (strstr(p.text, "is still open")) {
        printf("  SKIP     %s: %s\n", e->name, p.text);
        open_ones.op[open_ones.n++] = e->op;
        return -1;
    }
    printf("  %s\n", event == LAB_TIMED_OUT ? "took too long" : p.text);
    return 0;
}

static int show(const char *task, const lab_experiment *e, const char *source, const char *report, const char *html) {
    static lab_lines lines;
    char why[256];
    lines.task = task, lines.point = e->name, lines.flops = lab_op_flops(e->op, e->shape);
    printf("%s  %s: what each line moves, counted by simt\n", task, e->name);
    if (!lab_lines_read(&lines, report, source, why, sizeof why)) {
        printf("  %s\n", why);
        return 1;
    }
    lab_lines_show(&lines);
    FILE *page = html ? fopen(html, "w") : NULL;
    const int written = page && lab_lines_page(&lines, page) && fclose(page) == 0;
    if (written) printf("  every line: %s\n", html);
    lab_lines_free(&lines);
    return html && !written ? 2 : 0;
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"case", 1, 0, 'c'}, {"html", 1, 0, 'h'}, {0}};
    const char *wanted = NULL, *html = NULL;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (o == 'c')
            wanted = *optarg ? optarg : NULL;
        else if (o == 'h')
            html = optarg;
        else
            return 2;
    if (argc - optind != 4) return 2;
    char **const word = argv + optind, report[64];
    const lab_experiment *e = choose(word[0], wanted);
    if (!e) return names(word[0]);
    snprintf(report, sizeof report, "/tmp/lab-lines-%d.json", (int)getpid());
    int status = 1, ran = -1;
    for (; e && ran < 0; e = choose(word[0], wanted)) {
        ran = run_target(word[3], word[1], e, report);
        if (ran > 0) status = show(word[0], e, word[2], report, html);
    }
    unlink(report);
    return status;
}
