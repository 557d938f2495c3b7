// exporting.c: runs build/bin/export on what was graded.
#define _GNU_SOURCE
#include "exporting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

enum { EXPORT_SECONDS = 60 };

static int export(const lab_arguments *all, char **argv, const char *out) {
    char log[4400];
    snprintf(log, sizeof log, "%s/export.log", all->out);
    if (lab_tool_within(EXPORT_SECONDS, argv, log) == 0) return 1;
    printf("  %s could not be written; see %s\n", out, log);
    return 0;
}

static int export_table(const lab_arguments *all) {
    char out[4400];
    int n = 0;
    char **argv = calloc((size_t)all->n + 7, sizeof *argv);
    if (!argv) abort();
    snprintf(out, sizeof out, "%s/grades.csv", all->out);
    argv[n++] = "build/bin/export", argv[n++] = "csv", argv[n++] = "--columns", argv[n++] = (char *)all->columns;
    argv[n++] = "--out", argv[n++] = out;
    const int first = n;
    for (int i = 0; i < all->n; i++) {
        if (asprintf(&argv[n], "%s/%s/results.json", all->out, all->entries[i].folder) < 0) abort();
        n++;
    }
    const int good = export(all, argv, out);
    if (good) printf("  %s\n", out);
    for (int i = first; i < n; i++) free(argv[i]);
    free(argv);
    return good;
}

int lab_export(const lab_arguments *all) {
    static const char *const formats[] = {"gradescope", "classroom", "autolab"};
    int good = all->columns ? export_table(all) : 1;
    for (int f = 0; f < 3; f++)
        for (int i = 0; all->export[f] && i < all->n; i++) {
            char out[4800], results[4800];
            snprintf(out, sizeof out, "%s/%s/%s.json", all->out, all->entries[i].folder, formats[f]);
            snprintf(results, sizeof results, "%s/%s/results.json", all->out, all->entries[i].folder);
            char *argv[] = {"build/bin/export", (char *)formats[f], "--out", out, results, NULL};
            good = export(all, argv, out) && good;
        }
    return good;
}
