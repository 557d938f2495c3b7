// reductions.h: threads of a row that put a sum or a maximum together, rightly or not. For reductions.c and dims.c.
#ifndef LAB_REDUCTIONS_H
#define LAB_REDUCTIONS_H

#include "wrong_rows.h"

enum { LAB_MOST_LANES = 128, LAB_MOST_KEYS = 512, LAB_MOST_DIMS = 256 };

// What the exchange between the threads of a row does, with distances lanes / 2, ..., 2, 1.
typedef enum {
    LAB_WHOLE,       // as it should
    LAB_OWN,         // nothing: each thread keeps its own part
    LAB_TO_LANE_0,   // shuffles downwards: thread 0 alone has the whole
    LAB_LATE_START,  // the largest distance is left out: each half has its own
    LAB_EARLY_END,   // distance 1 is left out: threads of one parity have their own
    LAB_N_WAYS
} lab_way;

// out[t]: what thread t has of x[0 .. lanes-1] afterwards.
void lab_reduce(lab_way w, int lanes, int is_max, const double x[], double out[LAB_MOST_LANES]);

// Which thread has column c: kind 0: c % lanes, 1: four columns side by side, 2: an equal share of them side by side.
int lab_owner(int kind, int lanes, int D, int c);

int lab_is_near(double due, double got);

// Is the computed row what was got, and closer to it than the right one?
int lab_is_closer(const lab_wrong_row *r, const double *due, int D);

// solve.c. The n equations g[i][0 .. n-1] x = g[i][n], by Gauss; g is used up. Returns 0 where they do not determine x.
int lab_solve(int n, double *g, double *x);

double lab_exp_or_0(double x, double max);  // exp(x - max); 0 where x is -INFINITY
void lab_say_way(const char *what, lab_way w, int lanes, char *text, size_t size);
int lab_has_few_keys(const lab_wrong_rows *w);  // what these files can compute, at a bearable cost

// key_counts.c: "keys 0 .. 7 once, keys 8 .. 15 not at all", or, where it repeats, "j % 4 = 0 .. 2 once, j % 4 = 3 not at all".
void lab_list_counts(const int count[], int n, const char *name, const char *index, char *text, size_t size);

#endif
