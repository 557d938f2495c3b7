// blocks.h: what the lab says of a result, block by block: one table for Results.md, details.md and a student's report.
//
// A block is rows (JSON objects, made in rows.h) under columns, or prose, or both. The table in blocks.c says where
// each stands; nothing else prints a table.
#ifndef LAB_BLOCKS_H
#define LAB_BLOCKS_H

#include <jansson.h>
#include <stdio.h>

// What a block is asked for.
typedef struct {
    const json_t *root;         // checked by lab_results_load
    const char *task, *series;  // of these alone; NULL: of all. For plots, series is the figure
    const json_t *plots;        // as lab_plots has made them
    const char *folder, *link;  // where the pictures are, and how the page gets there: "" or "../results/me/"
    enum { LAB_ON_PAGE = 1, LAB_IN_DETAILS = 2, LAB_IN_REPORT = 4 } where;
    int brief;  // in a report, without arguments: few rows of each task, and nothing where there is nothing
} lab_view;

// A column shows row[key]: a string escaped, an object as a shape, a number as lab_number(how) does; - for null.
// how: a letter of lab_number; t: text (nothing for null); n: text, bold where it is "yours".
typedef struct {
    const char *head;
    char how;
    const char *key;
} lab_column;

typedef struct {
    const char *name;   // of its marker, lab:NAME; blocks of one name follow each other and are one section
    const char *title;  // of the section; NULL: it goes on
    unsigned where;     // LAB_ON_PAGE | LAB_IN_DETAILS | LAB_IN_REPORT
    json_t *(*rows)(
        const lab_view *view);  // NULL: prose alone. Rows with a "group" get a table and a heading per group
    const char *lead, *foot;    // before and after the rows, where there are any
    const char *none;           // in their place otherwise; NULL: nothing
    int brief;                  // rows of each task in a brief report, the last ones; 0: all, -1: none
    void (*prose)(FILE *out, const lab_view *view);  // at the end
    lab_column columns[12];                          // the first without a head ends them
} lab_block;

// Prints every block of view->where, with its heading.
void lab_print_blocks(FILE *out, const lab_view *view);

// The Markdown of the block words[0] with its arguments words[1..n), [TASK|all [SERIES]] or FIGURE...: no blank line at
// either end. Without arguments it is brief; the caller's to free. NULL: there is no such block, or not with these arguments.
char *lab_block_text(const lab_view *view, const char *const words[], int n);

// Every block of a report, a line each.
void lab_list_blocks(FILE *out);

#endif
