// thread_columns.h: which columns of a row has each thread of a block reduced?
#ifndef LAB_THREAD_COLUMNS_H
#define LAB_THREAD_COLUMNS_H

#include "diagnose.h"

enum { LAB_BEGINS = 6 };

typedef struct {
    const double *value;    // [rows][columns], what is reduced
    int columns, threads;   // a row has so many; the threads that share it
    int is_max;             // otherwise it is a sum
    double none;            // the maximum of a thread without columns
    size_t first, out_row;  // where thread 0's result stands in a row of the output, and how long that is
} lab_thread_columns;

// Returns 1, with a sentence, if begin, step or end of each thread's columns is another one.
int lab_explain_thread_columns(const lab_symptom *s, const lab_thread_columns *of, char *text, size_t size);

// A maximum that is another thread's score: the thread has looked at columns that are not its own.
int lab_explain_foreign(const lab_symptom *s, const lab_thread_columns *of, char *text, size_t size);

// Exponentials [rows][cols], and behind each row the sums of the threads: these are a number times the right ones, and the
// exponentials are right.
int lab_explain_sums_times(const lab_symptom *s, int cols, int threads, char *text, size_t size);

#endif
