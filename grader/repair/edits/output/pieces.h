// pieces.h: hooks within a place: of the part of it that a change is about.
#ifndef LAB_PIECES_H
#define LAB_PIECES_H

#include "hooked.h"

// The change makes `text` of the place. The smallest part of it that changes, has a number as its value and becomes a
// program: its hook; *program: what it becomes. -1: there is none.
int edits_piece_of(hooker *h, int place, const char *text, const char **program);
bool edits_has_pieces(const hooker *h, int first, int end);  // within these tokens
void edits_copy_with_pieces(hooker *h, int first, int end);  // as copy_to, with their hooks

#endif
