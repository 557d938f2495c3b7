// made_of_words.h: what an element has in it, and what it must have, in words.
#ifndef LAB_MADE_OF_WORDS_H
#define LAB_MADE_OF_WORDS_H

#include <stddef.h>

typedef struct {
    char more[160], less[160];  // "X[1 .. 14], W[1 .. 14]": what it has and must not; what it has not and must
} lab_made_of_words;

// is[i]: element i of the tensor is in it; must[i]: it has to be. cut: not all of them have been tried.
void lab_made_of_add(lab_made_of_words *w, const char *tensor, const char *is, const char *must, size_t n, int cut);

// "lacks X[1 .. 14], W[1 .. 14]". Returns 0 if it has what it must have.
int lab_made_of_say(const lab_made_of_words *w, char *text, size_t size);

#endif
