// row_number.h: a number of each row, l or what takes its place, that other arithmetic on the same scores gives.
#ifndef LAB_ROW_NUMBER_H
#define LAB_ROW_NUMBER_H

#include "diagnose.h"

typedef struct {
    const double *score;
    int n;
    double m;    // what is subtracted before exp
    double due;  // the student's number, in place of the sum of exp(score - m)
} lab_row_number;

#define LAB_SUM_OF_SCORES "the sum of the scores themselves: add the exponential that is stored, not the score"

#define LAB_EXP_OF_L                                                                                                   \
    "exp(l), as exp(s - m - l) does: divide by l, the sum of exp(s - m), or subtract its log: exp(s - m - log(l))"

// begin: what the sentence begins with, as "matches l = ". sums: plain sums of the scores are named, too.
int lab_explain_row_number(const lab_row_number *row, int rows, const char *begin, int sums, lab_guesses *guesses,
                           char *text, size_t size);

// Does a cause say that the number is made in another way altogether, as the exponential of a sum?
int lab_row_number_is_another(const char *cause);

// The same of a probe whose scores are tensor 1, [rows, columns]. Number t of row r stands at
// got[r * out_row + at + t], and is of the columns t, t + threads, ...
typedef struct {
    int rows, columns, threads;
    int out_row, at;
    int m, kept;  // the tensor with each row's m, 0: its largest score; the one with what a number is added to, 0: none
    int sums;
} lab_row_numbers;
int lab_explain_row_numbers(const lab_symptom *s, lab_row_numbers of, char *text, size_t size);

// exponentials e[0 .. columns - 1] of each row and what becomes of them, got: each row divided by one number
int lab_explain_row_divided(const lab_symptom *s, int rows, int columns, char *text, size_t size);

#endif
