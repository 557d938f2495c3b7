// tidy.c: edits the text of a section line by line.
#define _GNU_SOURCE
#include "tidy.h"

#include "results.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

// [![...](NAME.png)...: the picture, or NAME of task3 is left out: ...
static bool is_figure_line(const char *line) { return starts(line, "[![") || strstr(line, " is left out: "); }

// The picture of a task has the figure's plain name, or the task's id behind it.
static bool is_of_figure(const char *line, const tidy_figures *figures) {
    const json_t *tasks = json_object_get(figures->root, "tasks");
    char wanted[160];
    snprintf(wanted, sizeof wanted, "%s of ", figures->figure);
    if (starts(line, wanted)) {
        return true;
    }
    snprintf(wanted, sizeof wanted, "](%s.png)", figures->figure);
    bool found = strstr(line, wanted) != NULL;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const char *id = results_text(json_array_get(tasks, t), "id");
        snprintf(wanted, sizeof wanted, "](%s_%s.png)", figures->figure, id);
        found = found || strstr(line, wanted);
    }
    return found;
}

// Titles hold no bracket: every ]( stands before the name of a file.
static void put_picture(FILE *out, const char *line, const char *link) {
    for (const char *at; (at = strstr(line, "](")) != NULL; line = at + 2) {
        fprintf(out, "%.*s%s", (int)(at + 2 - line), line, link);
    }
    fputs(line, out);
}

static void put_line(FILE *out, const char *line, const tidy_figures *figures) {
    if (figures && starts(line, "[![")) {
        put_picture(out, line, figures->link);
    } else {
        fprintf(out, "%s%s", *line == '#' ? "#" : "", line);
    }
    fputc('\n', out);
}

char *tidy_section(const char *text, tidy_figures *figures) {
    char *result = NULL, *copy = strdup(text), *rest = copy, *line;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    bool any = false, blank = false;
    if (!copy || !out) {
        fprintf(stderr, "report: out of memory\n");
        exit(1);
    }
    while ((line = strsep(&rest, "\n")) != NULL) {
        bool dropped = figures && figures->figure && is_figure_line(line) && !is_of_figure(line, figures);
        if (!*line) {
            blank = true;
        } else if (!starts(line, "# ") && !starts(line, "## ") && !dropped) {
            fputs(blank && any ? "\n" : "", out);
            any = true;
            blank = false;
            put_line(out, line, figures);
            if (figures) {
                figures->kept += is_figure_line(line);
            }
        }
    }
    fclose(out);
    free(copy);
    return result;
}
