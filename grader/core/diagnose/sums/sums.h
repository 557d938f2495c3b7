// sums.h: a sum of products, as a student's loops write it: C[i][j] = f * sum over l of A[..][..] * B[..][..]. Which index,
// which row length, which bound of a loop was another one?
#ifndef LAB_SUMS_H
#define LAB_SUMS_H

#include "diagnose.h"

enum { LAB_ROW, LAB_COLUMN, LAB_TERM, LAB_NO_INDEX };  // indices: of the output, of the sum; 0 in place of one

typedef struct {
    const char *name;
    size_t value;
} lab_length;

// name[row * length + column] of tensor `tensor`; 0: there is no such factor.
typedef struct {
    const char *name;
    int tensor, row, column;
    const char *length;  // one of the lengths below
    int begin;           // what the student may add to its row once too often, and its name
    const char *begin_name;
} lab_factor;

enum { LAB_MOST_LENGTHS = 6 };

typedef struct {
    const char *out, *index[3];  // what the student's file calls the output, and the indices
    size_t count[3];             // how far they run
    const char *end[3];          // and what that is called
    lab_factor a, b;
    double scale;    // what the sum is multiplied by; 0: 1
    int added;       // the tensor with what the output held before, to which the sum is added; 0: it is set
    size_t out_row;  // elements from a row of the output to the next; 0: as many as there are columns
    lab_length length[LAB_MOST_LENGTHS];
} lab_sum;

// Writes a sentence for the one thing that differs, and returns 1; 0 if there is none.
int lab_explain_sum(const lab_symptom *s, const lab_sum *right, char *text, size_t size);

#endif
