// claims_held.h: from the first claim that fails on the table waits, so that what explains it all stands above it, once.
#ifndef LAB_CLAIMS_HELD_H
#define LAB_CLAIMS_HELD_H

#include "judge.h"

// A claim and what its stage printed (""): shown at once while all is well, and held otherwise.
int lab_claim_fails(const lab_result *r);  // and is not only missing, or not run

void lab_hold_claim(const lab_case *c, const lab_result *r, const char *log);

// Shows what is held. certain: it has been said what is wrong, by a report or by a change that mends it; what single
// claims make of their numbers is left out. told: hears of each claim that fails with the words that are left.
// text: the student's file, where a cause that is told gets the lines in which it can be; or NULL.
typedef void lab_told(const lab_case *c, const lab_result *r);
void lab_show_held(int certain, const char *text, lab_told *told);

// told.c: which sentences of claims are told. One cause for one mistake: of a TODO's claims, or a function's, the one
// that explains most. some_hold: claims before these do. Changes the diagnoses.
typedef struct {
    lab_case c;
    lab_result r;
    char log[512];
} lab_held;
void lab_choose_told(lab_held *held, int n, int some_hold, int certain);

#endif
