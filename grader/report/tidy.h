// tidy.h: fits a section of Results.md into a report.
#ifndef TIDY_H
#define TIDY_H

#include <jansson.h>

typedef struct {
    const json_t *root;
    const char *figure;  // only this one: roofline, scaling_seq, ...; NULL: all
    const char *link;    // what is put before the pictures' names
    size_t kept;         // out: how many pictures, or lines that say why there is none, stayed
} tidy_figures;

// The section without its own heading, its sub-headings a level lower, blank lines folded, none at either end. figures:
// of page_plots' text, which lines stay and where their pictures are; NULL for other text. The caller's to free.
char *tidy_section(const char *text, tidy_figures *figures);

#endif
