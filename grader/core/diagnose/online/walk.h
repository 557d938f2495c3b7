// walk.h: what is wrong with a walk over tiles of keys, Br x Bc = extra.
#ifndef LAB_WALK_H
#define LAB_WALK_H

#include "heuristics.h"

int lab_explain_walk(const lab_symptom *s, char *text, size_t size);
// Each tile of queries meets the keys of its own numbers, where explain_walk knows no tile.
int lab_explain_own_keys(const lab_symptom *s, char *text, size_t size);
int lab_explain_some_walk(const lab_symptom *s, char *text, size_t size);  // where extra does not say Br and Bc

#endif
