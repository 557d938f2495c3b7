// cause_silent.h: what a claim that fails cannot say.
#ifndef LAB_CAUSE_SILENT_H
#define LAB_CAUSE_SILENT_H

#include "judge.h"

// That there is NaN, or in which call it goes wrong, is what is seen, and no cause.
int lab_cause_names_nothing(const char *cause);

// 1: that nothing which fits this claim is the cause is nothing against it: there it cannot be seen, or be tried.
int lab_cause_is_silent(const char *cause, const lab_case *c, const lab_guesses *fits);

#endif
