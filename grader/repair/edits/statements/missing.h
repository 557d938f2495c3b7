// missing.h: what a place of a function offers for a statement that may be missing there: offered.c.
#ifndef LAB_EDITS_MISSING_H
#define LAB_EDITS_MISSING_H

#include "edits.h"

enum { MOST_OFFERED = 24 };
typedef struct {
    const char *list[MOST_OFFERED];
    int from[MOST_OFFERED], to[MOST_OFFERED];  // the tokens between which all its names are visible
    int n;
} texts;

// The loops of the file, as a text that ends before their bodies, and what they count.
typedef struct {
    const char *header, *counter;
    ingredient names;  // of the header
    int function;
} loop_text;

typedef struct {
    texts single, arrays, right;  // what may stand on the left: a number, a row; on the right: a number
    loop_text loops[MOST_OFFERED];
    int n_loops;
} parts;

void edits_note_loops(edits *e, parts *p);
void edits_note_parts(edits *e, int function, parts *p);  // of this function

bool edits_offers(const texts *t, int i, int token);                  // is text i visible there?
bool edits_loop_fits(const edits *e, const loop_text *l, int token);  // and the names of that loop, but for its own?
bool edits_is_float(value_type t, int pointers);

#endif
