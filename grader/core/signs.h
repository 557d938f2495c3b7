// signs.h: weaker signs than a mistake's fingerprint, for diagnose.c. Each writes a sentence and returns 1 if it applies.
#ifndef LAB_SIGNS_H
#define LAB_SIGNS_H

#include "diagnose.h"

enum { LAB_SAMPLES = 24 };  // wrong rows of an output that are looked at; rows[] holds their numbers

// Only the first n keys, or only the last n, explain a row. o: head_dim doubles, p: seq_kv doubles.
int lab_explain_partial_keys(const lab_symptom *s, const size_t *rows, int n_rows, double *o, double *p, char *text,
                             size_t size);

// A row is right for another head or batch.
int lab_explain_misplaced(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size);

// A softmax whose columns sum to 1.
int lab_explain_columns(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size);

// A row is the right one times a number.
int lab_explain_factor(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size);

// Split and merge: the right numbers in the wrong places.
int lab_explain_moved(const lab_symptom *s, char *text, size_t size);

// NaN or Inf in the output: from exp of a large score, or from -inf - (-inf)?
void lab_explain_not_finite(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size);

// Task 6: a known mistake of the layer, or the call in which it goes wrong; the first wrong token of a model.
int lab_explain_layer(const lab_symptom *s, char *text, size_t size);
int lab_explain_generated(const lab_symptom *s, char *text, size_t size);

#endif
