// row_sums.h: by what a wrong row is divided, in place of the sum of its own exponentials. Of attention, and of a softmax.
#ifndef LAB_ROW_SUMS_H
#define LAB_ROW_SUMS_H

#include "wrong_rows.h"

// divisor.c: the output times a number of each row: by what is it divided?
int lab_explain_divisor(const lab_wrong_rows *w, char *text, size_t size);
// score[r], n[r]: the scores of a row whose sum of exp(score - max) is off by the factor got/want. For softmaxes, too.
int lab_name_divisor(const double *const score[], const int n[], const double factor[], int rows, char *text,
                     size_t size);
// halves.c: the sum of exp(score - max), of which half is added to the other half, as if there were always an even number
double lab_sum_by_halves(const double *score, int n, double max);
// own_sums.c: the same, where the parts of the sum count from maxima of their own. With short rows that is the number of
// columns, too.
int lab_explain_own_sums(const double *const score[], const int n[], const double factor[], int rows,
                         const char *sentence, char *text, size_t size);
// idle_threads.c: the same, where threads begin with what is counted already, or with a column that they do not have
int lab_explain_idle_threads(const lab_symptom *s, const double *const score[], const int n[], const double factor[],
                             int rows, char *text, size_t size);
// thread_sums.c: the same, where each thread's part is not rescaled when the thread's maximum grows
int lab_explain_thread_sums(const double *const score[], const int n[], const double factor[], int rows, char *text,
                            size_t size);
// nor where the threads' parts are joined
int lab_explain_plain_sums(const double *const score[], const int n[], const double factor[], int rows, char *text,
                           size_t size);

// one_sum.c: rows that are divided by the sums of several rows. row: as in lab_wrong_rows_of.
int lab_explain_one_sum(const lab_symptom *s, const lab_wrong_rows *w,
                        lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text, size_t size);
int lab_explain_one_sum_of_softmax(const lab_symptom *s, const lab_sample *bad, char *text, size_t size);
// padded_row.c: behind the end of a row something counts with a score of 0
int lab_explain_padded_row(const lab_symptom *s, const lab_sample *bad, char *text, size_t size);

#endif
