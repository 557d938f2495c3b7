// results_md.c: results.json -> Results.md, the page that a student hands in.
//
//     results_md [--plots DIR] RESULTS.json > Results.md
//
// The page embeds the plots by their names relative to itself. With --plots it looks whether they were drawn there.
// The same input gives the same bytes. Exit status: 0 written, 1 unreadable input or failed output, 2 wrong usage.
#include "page.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *plots = argc == 4 && strcmp(argv[1], "--plots") == 0 ? argv[2] : NULL;
    if (argc != 2 && !plots) {
        fprintf(stderr, "usage: results_md [--plots DIR] RESULTS.json > Results.md\n");
        return 2;
    }
    char error[512];
    json_t *root = results_load(argv[argc - 1], error, sizeof error);
    if (!root) {
        fprintf(stderr, "results_md: %s\n", error);
        return 1;
    }
    page_headline(root);
    page_summary(root);
    page_next(root);
    page_correctness(root);
    page_gap(root);
    page_benchmarks(root);
    page_profile(root);
    page_demo(root);
    page_intensity(root);
    page_plots(root, plots);
    page_method(root);
    json_decref(root);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("results_md: cannot write the page");
        return 1;
    }
    return 0;
}
