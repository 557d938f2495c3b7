// approximations.h: what students take for exp(x) without calling it, good near 0 alone.
#ifndef LAB_APPROXIMATIONS_H
#define LAB_APPROXIMATIONS_H

#include <stddef.h>

enum { LAB_APPROXIMATIONS = 18 };

// Number f of x <= 0; what it is, "(1 + x / 16)^16".
double lab_approximation(int f, double x);
const char *lab_approximation_name(int f, char *text, size_t size);

#endif
