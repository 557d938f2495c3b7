// sum_reading.h: how a student's loops read a sum of products: what sums.c and sum_terms.c change, one thing at a time.
#ifndef LAB_SUM_READING_H
#define LAB_SUM_READING_H

#include "sums.h"

enum { LAB_SQUARED = 2 };

typedef struct {
    int row[2], column[2];  // the indices of the factors
    size_t length[2];       // and the lengths of their rows
    size_t begin[2];        // rows further down
    int walks[2];           // 1: the factor's pointer walks on from column to column, 2: from row to row, too
    size_t from, to;        // terms of the sum
    size_t step;            // from one term to the next
    size_t unit;            // of each `unit` terms, number `lane` takes one factor from number `other`; 0: none does
    size_t lane, other;
    int of;          // and that is factor 0 or 1
    int lacks;       // 1 + the factor that is left out
    int plus;        // 1: the factors are added, -1: subtracted, LAB_SQUARED: and that is squared
    int scaled;      // 1: the sum so far is scaled with each term
    int runs_on;     // 1: from column to column, 2: from row to row, too
    int set;         // 1: what the output held before is lost
    int turned;      // 1: the output lies the other way round
    size_t out_row;  // elements from a row of the output to the next
    size_t end[2];   // rows and columns of the output that the loops reach; 0: all
} lab_reading;

typedef struct {
    const lab_symptom *s;
    const lab_sum *right;
    size_t bad;     // elements that are not right
    double factor;  // that the output is multiplied by
} lab_sum_problem;

lab_reading lab_right_reading(const lab_sum *x);
double lab_factor_at(const lab_sum_problem *p, const lab_reading *y, int which, const size_t index[4]);  // NAN: outside
size_t lab_sum_length(const lab_sum *x, const char *name);
double lab_scale_of(const lab_sum *x);
int lab_sum_equals(double got, double due);

// Does this reading give the student's output, if it is multiplied by p->factor?
int lab_reading_fits(lab_sum_problem *p, const lab_reading *y);

int lab_sum_say(const lab_sum_problem *p, const char *sentence, char *text, size_t size);

// sum_terms.c: bounds and steps of the loop over the terms; what is left out, counted twice, or taken from a neighbour.
int lab_sum_bounds(lab_sum_problem *p, char *text, size_t size);
int lab_sum_terms(lab_sum_problem *p, char *text, size_t size);

// sum_ends.c: the ends of two loops are exchanged, or a loop over the output ends where another one does.
int lab_sum_ends(lab_sum_problem *p, char *text, size_t size);

// sum_taken_for.c: a cosine, or the product with the largest first factor
int lab_sum_taken_for(const lab_sum_problem *p, char *text, size_t size);

// sum_scale.c: a number for all elements; one for each row; one for those that are wrong
int lab_sum_scale(lab_sum_problem *p, char *text, size_t size);
int lab_sum_rows(lab_sum_problem *p, char *text, size_t size);
int lab_sum_some(lab_sum_problem *p, char *text, size_t size);

#endif
