// wrong_rows.h: wrong rows of attention, and what explains all of them. For the operations whose output rows are
// O = softmax(Q K^T / sqrt(D)) V, whatever computes them: tasks 1 to 5.
//
// Every function below writes a sentence and returns 1 if it explains every one of the rows.
#ifndef LAB_WRONG_ROWS_H
#define LAB_WRONG_ROWS_H

#include "heuristics.h"

enum { LAB_MOST_ROWS = 8 };

typedef struct {
    const float *q, *k, *v;  // [D]; [keys, D] twice
    const float *got;        // [D], finite
    const double *want;
    int keys, seen;  // the row attends to the first `seen` of `keys` keys
    int query;       // its number in its head
    int tile;        // keys of a tile or part, where the lab knows it; 0: it does not
} lab_wrong_row;

typedef struct {
    lab_wrong_row row[LAB_MOST_ROWS];
    int n;
    attn_shape shape;
    double *scratch;  // 2 * (seq_kv + head_dim) doubles
} lab_wrong_rows;

// wrong_rows.c. Takes up to LAB_MOST_ROWS of the wrong rows whose numbers are finite. row: where row r finds its q, k and v.
lab_wrong_rows lab_wrong_rows_of(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r));
void lab_wrong_rows_free(lab_wrong_rows *w);

// p[j] = q . k[j] / sqrt(D) for the keys that the row sees. Returns the largest.
double lab_row_scores(const lab_wrong_row *r, int D, double *p);

// The first of the following that explains them.
int lab_explain_rows(const lab_wrong_rows *w, char *text, size_t size);

int lab_explain_partial_keys(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_columns(const lab_wrong_rows *w, char *text, size_t size);  // which columns are right

// fit.c
int lab_explain_scale(const lab_wrong_rows *w, char *text, size_t size);       // the scores times a number
int lab_explain_extra_keys(const lab_wrong_rows *w, char *text, size_t size);  // keys of score 0 that are not there
int lab_explain_constant(const lab_wrong_rows *w, char *text, size_t size);    // the output times a number

// online.c. The online softmax with one of its steps left out, for the usual tile sizes.
int lab_explain_online(const lab_wrong_rows *w, char *text, size_t size);

#endif
