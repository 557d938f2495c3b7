// other_weights.h: weights that are made of scores, and not by a softmax.
#ifndef LAB_OTHER_WEIGHTS_H
#define LAB_OTHER_WEIGHTS_H

#include "wrong_rows.h"

// Rows of a softmax, P of S; rows of attention. Each returns 1, with a sentence, if one formula gives all wrong rows.
int lab_explain_other_softmax(const lab_symptom *s, const lab_sample *bad, char *text, size_t size);
int lab_explain_other_weights(const lab_wrong_rows *w, char *text, size_t size);

// approximated.c: the same, where a function of the student's own stands in place of exp
int lab_explain_approximated_softmax(const lab_symptom *s, const lab_sample *bad, char *text, size_t size);
int lab_explain_approximated(const lab_wrong_rows *w, char *text, size_t size);

#endif
