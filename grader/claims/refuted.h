// refuted.h: a known mistake that fits the claims which fail, and would show in one that holds, too: it is not there.
#ifndef LAB_REFUTED_H
#define LAB_REFUTED_H

#include "cases.h"

void lab_refuted_keep(const lab_case *c, uint64_t seed);  // a claim of a TODO that holds
int lab_is_refuted(const char *todo, const char *sentence);

#endif
