// source_lasting.h: what goes on from round to round of a loop, or from call to call of a function. For source_*.c.
#ifndef LAB_SOURCE_LASTING_H
#define LAB_SOURCE_LASTING_H

#include "source_loops.h"
#include "source_settings.h"

int lab_root_of(const lab_setting *s, char root[LAB_LONGEST_WORD]);  // x of x->p[c]; its length
int lab_word_of(const lab_setting *s, char word[LAB_LONGEST_WORD]);  // p of it

// Elements of one array, or one member of one thing.
int lab_is_same_setting(const lab_setting *a, const lab_setting *b);

// The loops of these lines, and their functions, as loops in whose rounds they are called: what they are given goes on.
enum { LAB_MOST_BLOCKS = 2 * LAB_MOST_LOOPS };
int lab_blocks_of(const char *text, int from, int to, lab_loop all[LAB_MOST_BLOCKS]);

static inline int lab_is_of_calls(const lab_loop *l) { return *l->name == '?'; }

// Is it declared in the loop, as m of "float a[4], m = 0;", so that it is another one in each round? A pointer leads to
// what was there before.
int lab_is_declared(const lab_loop *l, const char *root);

// What is set is the same in all rounds, and nobody but the lines of the loop knows of it.
int lab_is_kept(const lab_loop *l, const lab_setting *s);

#endif
