// blocks.h: what the lab can write into a report: one block per name, made by the sections of Results.md (page.h).
#ifndef BLOCKS_H
#define BLOCKS_H

#include <jansson.h>
#include <stdio.h>

typedef struct {
    const json_t *root;        // checked by results_load
    const char *plots_folder;  // where the pictures lie
    const char *plots_link;    // the same folder as seen from the report: "" or "../results/me/", escaped for a link
} block_source;

// The Markdown of the block words[0] with its arguments, lines ended by \n, no blank line at either end; the caller's
// to free. NULL: there is no such block, or not with these arguments. What cannot be filled is said in the text.
char *block_text(const block_source *source, const char *const words[], int word_count);

// Every block, a line each: its marker, and what it shows.
void block_list(FILE *out);

#endif
