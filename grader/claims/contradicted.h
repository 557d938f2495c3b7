// contradicted.h: sentences that other claims' numbers rule out. For told.c.
#ifndef LAB_CONTRADICTED_H
#define LAB_CONTRADICTED_H

#include "claims_held.h"

int lab_is_wrong(const lab_held *h);                          // it was compared, and fails
int lab_told_together(const lab_held *a, const lab_held *b);  // claims of one TODO, or of one function

int lab_is_contradicted(const lab_held *held, int n, const lab_held *h, const char *sentence);
// What the same numbers say then; "": nothing.
const char *lab_said_instead(const lab_held *h, const char *sentence);
int lab_is_by_chance(const lab_held *held, int n, const lab_held *of, const char *sentence);

#endif
