// claims_why.h: when all claims have been tried: what is said above the table, the cause and its cure first.
#ifndef LAB_CLAIMS_WHY_H
#define LAB_CLAIMS_WHY_H

#include "claims.h"
#include "stage.h"

typedef struct {
    const lab_ask *ask;
    const char *text;                // of the student's file, without comments; NULL: there is none
    char **runner;                   // of the whole file
    const lab_stage_options *probe;  // of its TODOs; NULL: there is none
    void (*note)(const char *label, const char *note);
} lab_why;

// A claim has been judged: what is going to be needed is begun on another processor.
void lab_why_ahead(const lab_why *why);

// Returns 1 if it is known what is wrong: single claims need not guess.
int lab_say_why(const lab_why *why);

#endif
