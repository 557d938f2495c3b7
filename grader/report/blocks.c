// blocks.c: prints blocks.
#define _GNU_SOURCE
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "block_table.h"
#include "markdown.h"
#include "plots.h"
#include "results.h"
#include "series.h"
#include "tasks.h"

static void print_cell(FILE *out, const lab_column *c, const json_t *row) {
    const json_t *value = json_object_get(row, c->key);
    const char format[] = {' ', '%', c->how, ' ', '|', '\0'};
    const int bold = c->how == 'n' && json_is_string(value) && strcmp(json_string_value(value), "yours") == 0;
    if (json_is_string(value))
        lab_md(out, bold ? " **%t** |" : " %t |", json_string_value(value));
    else if (json_is_object(value))
        lab_md(out, " %h |", value);
    else if (json_is_number(value))
        lab_md(out, format, json_number_value(value));
    else
        fputs(strchr("tn", c->how) ? " |" : " - |", out);
}

// The rows of a group; NULL: all in one table, whose first column says the group's task.
static void print_group(FILE *out, const lab_column *columns, json_t *rows, const char *group) {
    const lab_column *c;
    size_t i;
    json_t *row;
    fputs(group ? "\n|" : "\n| task |", out);
    for (c = columns; c->head; c++) lab_md(out, " %s |", c->head);
    fputs(group ? "\n|" : "\n|---|", out);
    for (c = columns; c->head; c++) fputs(strchr("tn", c->how) ? "---|" : "--:|", out);
    fputs("\n", out);
    json_array_foreach(rows, i, row) {
        const char *own = lab_str(row, "group");
        if (group && strcmp(own, group)) continue;
        if (!group) {
            char task[24];
            snprintf(task, sizeof task, "%.*s", (int)strcspn(own, ":"), own);
            lab_md(out, "| %t ", task);
        }
        fputc('|', out);
        for (c = columns; c->head; c++) print_cell(out, c, row);
        fputc('\n', out);
    }
}

// Leaves of each task the last rows: the largest shapes. Returns how many went.
static size_t cut_rows(json_t *rows, int most) {
    size_t cut = 0;
    for (size_t i = json_array_size(rows); i-- > 0;) {
        const json_t *row = json_array_get(rows, i);
        int behind = 0;
        for (size_t j = i + 1; j < json_array_size(rows); j++) {
            const json_t *other = json_array_get(rows, j);
            behind += lab_is(other, "task", lab_str(row, "task")) && lab_is(other, "group", lab_str(row, "group"));
        }
        if (behind >= most) json_array_remove(rows, i), cut++;
    }
    return cut;
}

// title: NULL where none is wanted. A block that has nothing to say has no title either.
static void print_block(FILE *out, const lab_block *block, const lab_view *view, const char *title) {
    json_t *rows = block->rows ? block->rows(view) : NULL;
    const char *before = NULL;
    size_t i;
    json_t *row;
    if (view->brief && block->brief < 0) json_array_clear(rows);
    const size_t cut = view->brief && block->brief > 0 ? cut_rows(rows, block->brief) : 0;
    if (title && (json_array_size(rows) > 0 || block->none || block->prose)) lab_md(out, "\n## %s\n", title);
    if (json_array_size(rows) > 0 && block->lead) lab_md(out, "\n%s\n", block->lead);
    const int one_table = view->brief && *lab_str(json_array_get(rows, 0), "group");
    if (one_table) print_group(out, block->columns, rows, NULL);
    json_array_foreach(rows, i, row) {
        const char *group = lab_str(row, "group");
        if (one_table) break;
        if (before && strcmp(group, before) == 0) continue;  // rows of a group follow each other
        before = group;
        if (*group) lab_md(out, view->where == LAB_IN_REPORT ? "\n#### %t\n" : "\n### %t\n", group);
        print_group(out, block->columns, rows, group);
    }
    if (json_array_size(rows) > 0 && block->foot) lab_md(out, "\n%s\n", block->foot);
    if (cut) lab_md(out, "\n%D further rows: [details.md](%sdetails.md)\n", (double)cut, view->link);
    if (rows && json_array_size(rows) == 0 && block->none && !view->brief) lab_md(out, "\n%s\n", block->none);
    if (block->prose) block->prose(out, view);
    json_decref(rows);
}

void lab_print_blocks(FILE *out, const lab_view *view) {
    for (int i = 0; i < lab_n_blocks; i++) {
        if (lab_blocks[i].where & view->where) print_block(out, &lab_blocks[i], view, lab_blocks[i].title);
    }
}

// Whether the words after the name are a task (or all) and a series, or a figure; they go into the view.
static int read_arguments(lab_view *view, const lab_block *block, const char *const words[], int n) {
    if (n > 1 && !block->rows) return 0;
    if (n > 1 && strcmp(words[1], "all") != 0) view->task = words[1];
    if (n > 2) view->series = words[2];
    return (!view->task || lab_task_find(view->task)) && (!view->series || lab_series_find(view->series));
}

// lab:plots FIGURE...: of each the first picture. 0: one of the words is no figure.
static int print_plots(FILE *out, lab_view *view, const char *const words[], int n) {
    for (int i = 1; i < n; i++)
        if (!lab_is_figure(words[i])) return 0;
    view->brief = 1;
    for (int i = 1; i < n; i++) view->series = words[i], lab_show_plots(out, view);
    return 1;
}

char *lab_block_text(const lab_view *whole, const char *const words[], int n) {
    char *text = NULL;
    size_t size, found = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < lab_n_blocks; i++) {
        lab_view view = *whole;
        const lab_block *block = &lab_blocks[i];
        if (!(block->where & LAB_IN_REPORT) || strcmp(block->name, words[0]) != 0) continue;
        if (n > 1 && strcmp(block->name, "plots") == 0) {
            found += print_plots(out, &view, words, n);
            continue;
        }
        if (!read_arguments(&view, block, words, n)) continue;
        view.brief = n == 1;
        if (found++ == 0 && view.task && !lab_task_in(view.root, view.task))
            lab_md(out, "\n%s is not in these results: it was not graded.\n", view.task);
        print_block(out, block, &view, NULL);
    }
    fclose(out);
    if (!found) {
        free(text);
        return NULL;
    }
    while (size > 1 && text[size - 1] == '\n' && text[size - 2] == '\n') text[--size] = '\0';
    const size_t blank = strspn(text, "\n");
    memmove(text, text + blank, size - blank + 1);
    return text;
}

void lab_list_blocks(FILE *out) {
    for (int i = 0; i < lab_n_blocks; i++)
        if (lab_blocks[i].where & LAB_IN_REPORT && lab_blocks[i].title)
            fprintf(out, "    lab:%-16s %s\n", lab_blocks[i].name, lab_blocks[i].title);
    fprintf(out, "A block of tables takes [TASK|all [SERIES]]; lab:plots takes figures: roofline, scaling_seq, ...\n");
}
