// report.c: everything that is written from results.json. `report` lists its verbs.
//
// The same input gives the same bytes. Exit status: 0 written, 1 unreadable input or failed output (then nothing was
// replaced), 2 wrong usage.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "files.h"
#include "plots.h"
#include "results.h"
#include "verbs.h"

static const struct {
    const char *name, *arguments;
    int least, most;
    int (*run)(int argc, char **argv);
    const char *about;
} verbs[] = {
    {"plots", "RESULTS.json DIR", 2, 2, lab_report_plots, "writes DIR/plots.json, what draw.py draws"},
    {"page", "RESULTS.json DIR", 2, 2, lab_report_page,
     "writes DIR/Results.md and DIR/details.md; they show the plots in DIR"},
    {"fill", "RESULTS.json REPORT.md", 2, 2, lab_report_fill, "writes between the markers of REPORT.md"},
    {"gradebook", "OUT.csv RESULTS.json...", 2, 1 << 30, lab_report_gradebook,
     "writes a row a submission, sorted by name"},
    {"class", "DIR", 1, 1, lab_report_class, "writes DIR/class.html, a page about all results in DIR"},
    {"leaderboard", "DIR", 1, 1, lab_report_leaderboard,
     "prints who is fast, of those who chose a name, and writes DIR/leaderboard.html"},
    {"answers", "DIR", 1, 1, lab_report_answers, "writes DIR/reports.html: the answers of all DIR/*/report.md"},
    {"schema", "SCHEMA.json", 1, 1, lab_report_schema,
     "prints the schema with the verdicts, series and tasks that there are"},
};

enum { N_VERBS = sizeof verbs / sizeof *verbs };

static int write_json(const char *folder, const char *name, const json_t *value) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(7));
    const int good = text && lab_write_file(path, text, strlen(text));
    free(text);
    return good;
}

int lab_report_plots(int argc, char **argv) {
    (void)argc;
    char error[512];
    json_t *root = lab_results_load(argv[0], error, sizeof error);
    if (!root) return fprintf(stderr, "report: %s\n", error), 1;
    json_t *plots = lab_plots(root);
    const int good = write_json(argv[1], "plots.json", plots);
    json_decref(plots), json_decref(root);
    return !good;
}

int lab_report_page(int argc, char **argv) {
    (void)argc;
    static const struct {
        const char *name;
        int where;
    } pages[] = {{"details.md", LAB_IN_DETAILS}, {"Results.md", LAB_ON_PAGE}};
    char error[512], path[4400];
    json_t *root = lab_results_load(argv[0], error, sizeof error);
    if (!root) return fprintf(stderr, "report: %s\n", error), 1;
    json_t *plots = lab_plots(root);
    int good = 1;
    for (int i = 0; good && i < 2; i++) {
        const lab_view view = {.root = root, .plots = plots, .folder = argv[1], .link = "", .where = pages[i].where};
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        lab_print_blocks(out, &view);
        fclose(out);
        snprintf(path, sizeof path, "%s/%s", argv[1], pages[i].name);
        good = lab_write_file(path, text, size);
        free(text);
    }
    json_decref(plots), json_decref(root);
    return !good;
}

static int usage(FILE *out, int status) {
    for (int i = 0; i < N_VERBS; i++)
        fprintf(out, "%s report %s %s\n           %s\n", i ? "      " : "usage:", verbs[i].name, verbs[i].arguments,
                verbs[i].about);
    fprintf(out, "Between <!-- lab:NAME --> and <!-- /lab:NAME -->, each on a line of its own, fill writes:\n");
    lab_list_blocks(out);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(stdout, 0);
    for (int i = 0; argc > 1 && i < N_VERBS; i++)
        if (strcmp(argv[1], verbs[i].name) == 0 && argc - 2 >= verbs[i].least && argc - 2 <= verbs[i].most)
            return verbs[i].run(argc - 2, argv + 2);
    return usage(stderr, 2);
}
