// pieces.h: a softmax that goes over a row in pieces, each with a maximum or a sum of its own.
#ifndef LAB_PIECES_H
#define LAB_PIECES_H

#include "diagnose.h"

// are_exponentials: the input holds exp(s - m), and not scores. Returns 1 and writes a sentence if all rows are such.
int lab_explain_pieces(const lab_symptom *s, int are_exponentials, char *text, size_t size);

#endif
