// text_says.h: what the text of the function that fails says: what its numbers match is a consequence.
#ifndef LAB_TEXT_SAYS_H
#define LAB_TEXT_SAYS_H

#include "claims_why.h"
#include "source_hints.h"

// Asks all hints that need no report. cause: what the numbers match, or "".
lab_hint lab_text_says(const lab_why *why, const char *cause, char *note, size_t size);

// Asks this one alone.
lab_hint lab_text_has(const lab_why *why, lab_sign *hint_of, char *note, size_t size);

// 1: the numbers say that something is not called, and the file calls it: for a part of the rows, maybe.
int lab_text_denies(const lab_why *why, const char *cause);

#endif
