// folded.h: the terms of a sum, joined by something else than +.
#ifndef LAB_FOLDED_H
#define LAB_FOLDED_H

#include "diagnose.h"

// Numbers that should be sums of terms, as the student has computed them.
typedef struct {
    const void *of;
    int numbers;
    int (*terms)(const void *of, int i);  // of number i
    double (*term)(const void *of, int i, int t);
    double (*got)(const void *of, int i);
    double (*before)(const void *of, int i);  // what the terms are added to; NULL: they are the sum
    const char *name;                         // of a term: "P * V"
} lab_fold;

// Returns 1, with a sentence, if all numbers are the product of their terms, or the largest or smallest of them. Products
// of many terms are 0, which tells nothing: then the sentence goes to the guesses alone.
int lab_explain_fold(const lab_fold *f, lab_guesses *guesses, char *text, size_t size);

#endif
