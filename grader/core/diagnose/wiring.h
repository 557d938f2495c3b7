// wiring.h: right parts that are put together the wrong way.
#ifndef LAB_WIRING_H
#define LAB_WIRING_H

#include "diagnose.h"

int lab_explain_wiring(const lab_symptom *s, char *text, size_t size);  // multi-head attention
int lab_explain_overlaps(const lab_symptom *s, char *text, size_t size);
int lab_explain_chain(const lab_symptom *s, char *text, size_t size);  // chain.c: task 2's four calls

#endif
