// writer.h: what write.c and hooks.c share: the student's text, with something between.
#ifndef LAB_WRITER_H
#define LAB_WRITER_H

#include "edits.h"

typedef struct {
    edits *e;
    FILE *out;
    int *ids;  // of a place: the changes there
    const char **texts;
    bool *needed;       // of each statement: something is put around it
    size_t done;        // bytes that are written
    bool one_instance;  // e->swaps are done
} writer;

void copy_to(writer *w, size_t to);
void back_to(writer *w, size_t at);
size_t byte_of(const writer *w, int token);
size_t byte_behind(const writer *w, int token);
size_t behind_statement(const writer *w, const place *p);
void candidate(writer *w, int id, const char *before, const char *text, const char *behind);
void begin_candidate(writer *w, int id);
void end_candidate(writer *w);
void mark_needed(writer *w);

#endif
