// made_of.h: a wrong output of a TODO's function, and nobody knows why: which inputs is it made of?
#ifndef LAB_MADE_OF_H
#define LAB_MADE_OF_H

#include "judge.h"

// Keeps a claim about a TODO whose output is wrong: the first, or a smaller one of the same TODO.
void lab_made_of_keep(const lab_stage_options *options, const lab_case *c, const lab_result *r);

// Alters one input after another and calls the function again. Writes a sentence and returns 1 if wrong elements have
// inputs in them that the right ones have not, or the other way round. calls: as many at most for each input.
int lab_made_of(uint64_t seed, double seconds, int calls, char *note, size_t size);

#endif
