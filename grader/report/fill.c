// fill.c: fills a student's report: writes between the lab's markers and leaves every other byte as it is.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "blocks.h"
#include "files.h"
#include "markers.h"
#include "plots.h"
#include "results.h"
#include "verbs.h"

// A warning names the marker as it was written; its words are plain (markers.h).
static void warn_unknown(const char *path, const lab_marker *m) {
    fprintf(stderr, "report: %s:%zu: warning: the lab has no block lab:", path, m->line);
    for (int i = 0; i < m->n; i++) fprintf(stderr, "%s%s", i ? " " : "", m->words[i]);
    fprintf(stderr, "; it stays as it is (report --help lists them)\n");
}

// The block's lines, ended as the report ends its own, between blank lines: Markdown wants one before a table.
static void put_block(FILE *out, const char *text, int crlf) {
    const char *newline = crlf ? "\r\n" : "\n";
    fputs(newline, out);
    for (const char *c = text; *c; c++) *c == '\n' ? fputs(newline, out) : fputc(*c, out);
    fputs(newline, out);
}

// The report with its blocks filled; *filled counts them. NULL after saying why.
static char *fill(const char *path, const lab_view *view, const char *text, size_t length, size_t *size, int *filled) {
    lab_marker *all;
    const int n = lab_find_markers(path, text, length, &all);
    char *result = NULL;
    size_t done = 0;
    FILE *out = n < 0 ? NULL : open_memstream(&result, size);
    for (int i = 0; i < n; i++) {
        const lab_marker *m = &all[i];
        char *block = lab_block_text(view, m->words, m->n);
        if (!block) {
            warn_unknown(path, m);
            continue;
        }
        if (lab_has_marker(block)) {  // escaping forbids it; were it to happen, the next run would go astray
            fprintf(stderr, "report: %s:%zu: a string of the results made a marker: nothing was written\n", path,
                    m->line);
            exit(1);
        }
        fwrite(text + done, 1, m->begin - done, out);
        put_block(out, block, m->crlf);
        done = m->end;
        ++*filled;
        free(block);
    }
    if (out) fwrite(text + done, 1, length - done, out), fclose(out);
    free(all);
    return result;
}

// For whoever writes: which answers are still empty.
static void say_empty(const char *text, size_t length) {
    lab_answer a[LAB_MOST_ANSWERS];
    const int n = lab_find_answers(text, length, a);
    int empty = 0, column = 0;
    for (int i = 0; i < n; i++) {
        if (a[i].words >= LAB_LEAST_WORDS) continue;
        if (!empty)
            column = printf("  not written yet: %s", a[i].number);
        else if (column > 66)
            column = printf(",\n    %s", a[i].number) - 2;
        else
            column += printf(", %s", a[i].number);
        empty++;
    }
    if (empty) printf(" (%d of %d)\n", empty, n);
}

int lab_report_fill(int argc, char **argv) {
    const char *results = argv[0], *path = argv[argc - 1];
    char error[512], *text = NULL, *folder = NULL, *link = NULL, *out = NULL;
    size_t length, size;
    int filled = 0, status = 1;
    json_t *root = lab_results_load(results, error, sizeof error), *plots = NULL;
    if (!root) fprintf(stderr, "report: %s\n", error);
    if (root && (text = lab_read_file(path, &length)) && (folder = lab_folder_of(results)) &&
        (link = lab_link_to(folder, path))) {
        plots = lab_plots(root);
        const lab_view view = {.root = root, .plots = plots, .folder = folder, .link = link, .where = LAB_IN_REPORT};
        out = fill(path, &view, text, length, &size, &filled);
        const int same = out && length == size && memcmp(out, text, length) == 0;
        if (out && (same || lab_write_file(path, out, size))) {
            printf("%s: %d blocks from %s%s\n", path, filled, results, same ? ", nothing changed" : "");
            say_empty(out, size);
            status = 0;
        }
    }
    free(out), free(link), free(folder), free(text);
    json_decref(plots), json_decref(root);
    return status;
}
