// collect.c: DIR/gradebook.csv and DIR/class.html, when every submission has had its turn.
#define _GNU_SOURCE
#include "collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tool.h"

enum { COLLECT_SECONDS = 600 };

// Runs the program that writes DIR/NAME, and says so. What it complains of stands in DIR/NAME.log.
static int make(const lab_arguments *all, const char *name, char **argv) {
    char log[4400];
    snprintf(log, sizeof log, "%s/%s.log", all->out, name);
    unlink(log);
    const int status = lab_tool_within(COLLECT_SECONDS, argv, log), made = status == 0 || status == 1;
    if (status == 0) unlink(log);
    printf(made ? "  %s/%s\n" : "  %s/%s could not be written; see the .log beside it\n", all->out, name);
    return made;
}

static int make_gradebook(const lab_arguments *all) {
    char csv[4200];
    snprintf(csv, sizeof csv, "%s/gradebook.csv", all->out);
    char **argv = calloc(all->n + 4, sizeof *argv);
    argv[0] = "build/bin/report", argv[1] = "gradebook", argv[2] = csv;
    for (int i = 0; i < all->n; i++)
        if (asprintf(&argv[3 + i], "%s/%s/results.json", all->out, all->entries[i].folder) < 0) return 0;
    const int made = make(all, "gradebook.csv", argv);
    for (int i = 0; i < all->n; i++) free(argv[3 + i]);
    free(argv);
    return made;
}

static void draw(const lab_arguments *all) {
    char log[4400], path[4600], **folders = calloc(all->n, sizeof *folders);
    int n = 0;
    snprintf(log, sizeof log, "%s/plots.log", all->out);
    unlink(log);
    for (int i = 0; folders && i < all->n; i++) {
        const lab_entry *e = &all->entries[i];
        snprintf(path, sizeof path, "%s/%s/plots.json", all->out, e->folder);
        if (!e->skip && access(path, R_OK) == 0 && asprintf(&folders[n], "%s/%s", all->out, e->folder) > 0) n++;
    }
    if (n) lab_draw_all(folders, n, log);
    while (n > 0) free(folders[--n]);
    free(folders);
}

int lab_collect(const lab_arguments *all) {
    if (all->grading.plots && !all->rescore) draw(all);
    const int made = make_gradebook(all);
    return make(all, "class.html", (char *[]){"build/bin/report", "class", (char *)all->out, NULL}) && made;
}
