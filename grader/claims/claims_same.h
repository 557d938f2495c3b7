// claims_same.h: claims that say nothing new, as they fail like others or hold beside them: of a criterion they are one
// line.
#ifndef LAB_CLAIMS_SAME_H
#define LAB_CLAIMS_SAME_H

#include "judge.h"

// Where it is wrong is all that its diagnosis says, or that it comes after a TODO that fails, or what has been told.
int lab_says_nothing_new(const lab_result *r);

// What stands above the table: does it say why claims fail?
void lab_same_note(const char *label, const char *note);
int lab_same_is_explained(void);
int lab_same_is_certain(void);  // and it is no guess

// A claim of the whole file. Returns 1 if it is kept for lab_same_print: it fails, says nothing new, and what it comes
// from is known, or enough have been told. todo: the first TODO that fails, or "". wrongs: how many TODOs fail.
int lab_same_takes(const lab_case *c, const lab_result *r, const char *todo, int wrongs);
int lab_same_took(void);  // was the last one kept?

// A claim of the whole file that holds: kept for lab_same_print, too.
void lab_same_holds(const lab_case *c, const lab_result *r);

// At the end of a criterion: the claim that was kept, or how many were: those that hold, then those that fail.
void lab_same_print(void);

#endif
