// whereto.h: where a statement that moves is to stand, in words.
#ifndef LAB_REPAIR_WHERETO_H
#define LAB_REPAIR_WHERETO_H

#include "candidates.h"

// "before line 157 (row->l = row->l + *x;)"; "behind the closing brace of line 58, before line 59".
void lab_say_place(const char *source, const lab_edit *e, char *words, size_t size);

// "line 60 (copyTile(kv, V, rows, D);)"
void lab_say_line(const char *source, int line, char *words, size_t size);

// The line of the if in whose braces the statement stands, and behind which it is to stand; 0: there is none.
int lab_in_condition(const char *source, const lab_edit *e);
int lab_barrier_within(const char *source, int line);  // of an if in braces: the line of a barrier; 0: none

// Of a barrier before this line: ": line 36 reads red, and line 45 stores to it". "": it is not one shared array alone.
void lab_say_kept_apart(const char *source, int line, char *words, size_t size);

#endif
