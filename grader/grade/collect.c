// collect.c: DIR/gradebook.csv, DIR/similarity.csv and DIR/class.html, when every submission has had its turn.
#define _GNU_SOURCE
#include "collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "submission.h"
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

static void say_not_compared(const char *log) {
    static const char starts[] = "not compared: ";
    char line[200] = "";
    FILE *f = fopen(log, "r");
    if (f && !fgets(line, sizeof line, f)) *line = 0;
    if (f) fclose(f);
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, starts, sizeof starts - 1) == 0)
        printf("  submissions were %s\n", line);
    else
        printf("  submissions were not compared with each other; see %s\n", log);
}

// The texts are taken once more, as they were for grading, and removed again. Without sim_c nothing is compared.
static void find_similar(const lab_arguments *all) {
    char texts[4200], work[4800], csv[4200], log[4200];
    snprintf(texts, sizeof texts, "%s/.texts", all->out);
    snprintf(csv, sizeof csv, "%s/similarity.csv", all->out);
    snprintf(log, sizeof log, "%s/similarity.csv.log", all->out);
    unlink(log), unlink(csv);
    if (mkdir(texts, 0700) && errno != EEXIST) return;
    lab_submission s;
    for (int i = 0; i < all->n; i++) {
        snprintf(work, sizeof work, "%s/%s", texts, all->entries[i].folder);
        if (mkdir(work, 0700) == 0 || errno == EEXIST)
            s = (lab_submission){0}, lab_submission_collect(all->entries[i].path, work, &s);
    }
    char *const compare[] = {"grader/grade/similar", texts, csv, NULL}, *const clean[] = {"rm", "-rf", texts, NULL};
    if (lab_tool_within(COLLECT_SECONDS, compare, log) == 0)
        printf("  %s\n", csv);
    else
        say_not_compared(log);
    lab_tool(clean, log);
    struct stat st;
    if (stat(log, &st) == 0 && st.st_size == 0) unlink(log);  // otherwise it says what was not compared
}

// DIR/reports.html, where somebody has handed in a report.
static void lay_out_reports(const lab_arguments *all) {
    char log[4400], page[4400];
    char *const answers[] = {"build/bin/report", "answers", (char *)all->out, NULL};
    snprintf(log, sizeof log, "%s/reports.html.log", all->out);
    snprintf(page, sizeof page, "%s/reports.html", all->out);
    unlink(page);
    if (lab_tool_within(COLLECT_SECONDS, answers, log) == 0) unlink(log);
    if (access(page, R_OK) == 0) printf("  %s\n", page);
}

int lab_collect(const lab_arguments *all) {
    if (all->grading.plots && !all->rescore) draw(all);
    const int made = make_gradebook(all);
    if (!all->rescore) find_similar(all);
    lay_out_reports(all);
    return make(all, "class.html", (char *[]){"build/bin/report", "class", (char *)all->out, NULL}) && made;
}
