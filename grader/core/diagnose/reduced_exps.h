// reduced_exps.h: exp(x) as 2^n times a series of the rest, x = n ln(2) + f, with a mistake in the series.
#ifndef LAB_REDUCED_EXPS_H
#define LAB_REDUCED_EXPS_H

#include <stddef.h>

enum { LAB_REDUCED_EXPS = 96 };

// Number i of x <= 0; what is wrong with it, in words: "lacks the division by 3 of its third term".
double lab_reduced_exp(int i, double x);
const char *lab_reduced_exp_name(int i, char *text, size_t size);

#endif
