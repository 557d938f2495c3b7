// common_cause.h: one sentence for many failed claims.
#ifndef LAB_COMMON_CAUSE_H
#define LAB_COMMON_CAUSE_H

#include "judge.h"

// A claim of the whole file that has failed. Its diagnosis may begin with an explanation, up to "; wrong:".
void lab_cause_add(const lab_result *r);

// "One cause explains all 14: ...", or, where it explains most of them, that it is a guess; "" otherwise.
void lab_cause_say(char *text, size_t size);

#endif
