// outputs.c: results.json, then what is made from it.
#define _GNU_SOURCE
#include "grade.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

enum { REPORT_SECONDS = 60, DRAWING_SECONDS = 120 };

static int write_results(const json_t *result, const char *path, char *why, size_t size) {
    char temporary[4400];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *f = fopen(temporary, "w");
    int ok = f && json_dumpf(result, f, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 && fputc('\n', f) != EOF &&
             fflush(f) == 0 && fsync(fileno(f)) == 0;
    int error = errno;
    if (f && fclose(f)) ok = 0, error = errno;
    if (ok && rename(temporary, path)) ok = 0, error = errno;
    if (!ok) {
        snprintf(why, size, "cannot write %s: %s", path, strerror(error));
        unlink(temporary);
    }
    return ok;
}

// report VERB RESULTS.json FOLDER.
static int report(const char *verb, const char *results, const char *folder, const char *log, char *why, size_t size) {
    char *const argv[] = {"build/bin/report", (char *)verb, (char *)results, (char *)folder, NULL};
    if (lab_tool_within(REPORT_SECONDS, argv, log) == 0) return 1;
    snprintf(why, size, "report %s %s failed; see %s", verb, results, log);
    return 0;
}

static char *python(void) {
    char *name = getenv("LAB_PYTHON");
    return name && *name ? name : "python3";
}

// Plots that cannot be drawn cost nobody a page: it says that they are missing.
static void draw(const char *folder, const char *log) {
    char *const argv[] = {python(), "grader/report/draw.py", (char *)folder, NULL};
    lab_tool_within(DRAWING_SECONDS, argv, log);
}

void lab_draw_all(char **folders, int n, const char *log) {
    char **argv = calloc(n + 3, sizeof *argv), path[4400], why[9000];
    if (!argv) return;
    argv[0] = python(), argv[1] = "grader/report/draw.py";
    memcpy(argv + 2, folders, n * sizeof *folders);
    lab_tool_within((double)DRAWING_SECONDS * n, argv, log);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/results.json", folders[i]);
        if (access(path, R_OK) == 0) report("page", path, folders[i], log, why, sizeof why);
    }
    free(argv);
}

int lab_write_outputs(const json_t *result, const char *folder, int plots, const char *log, char *why, size_t size) {
    char path[4300];
    snprintf(path, sizeof path, "%s/results.json", folder);
    if (!write_results(result, path, why, size) || !report("plots", path, folder, log, why, size)) return 0;
    if (plots) draw(folder, log);  // before the page, which shows the plots that are there
    return report("page", path, folder, log, why, size);
}
