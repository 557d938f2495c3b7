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

static const lab_experiment *choose(const char *task, const char *wanted) {
    const lab_experiment *best = NULL;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (e->method != LAB_COUNTED || strcmp(e->task, task) || e->sampled || (wanted && !strstr(e->name, wanted)))
            continue;
        if (!best || lab_op_flops(e->op, e->shape) > lab_op_flops(best->op, best->shape)) best = e;
    }
    return best;
}

// Reports of races and the like are for sanitize: the counts hold all the same.
static int run_target(const char *target, const char *stage, const lab_experiment *e, const char *report) {
    static lab_process p;
    const lab_event event = lab_watched_call(&p, target, stage, e->op, e->shape, report);
    if (event == LAB_EXITED && (p.exit_status == 0 || p.exit_status == 86)) return 1;
    lab_clean_text(p.text);
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
    if (!e) {
        printf("  SKIP     %s: nothing of this name is counted\n", word[0]);
        return 2;
    }
    snprintf(report, sizeof report, "/tmp/lab-lines-%d.json", (int)getpid());
    const int status = run_target(word[3], word[1], e, report) ? show(word[0], e, word[2], report, html) : 1;
    unlink(report);
    return status;
}
