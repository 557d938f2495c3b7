// locate.h: where is an output wrong? "rows 96.. of every head", in words.
#ifndef LAB_LOCATE_H
#define LAB_LOCATE_H

#include "diagnose.h"

// Is element i of the output bad? kind 0: not within tolerance; kind 1: never written.
int lab_element_bad(const lab_symptom *s, size_t i, int unwritten_only);

// Writes a phrase such as "rows 96..127 of every head" for the bad (or unwritten) elements.
void lab_locate(const lab_symptom *s, int unwritten_only, char *text, size_t size);

// Batch, head, row and column of element i of the output.
void lab_place(const lab_op *op, attn_shape shape, size_t i, size_t place[4]);

#endif
