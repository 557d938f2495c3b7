// approximations.h: what students take for exp(x) without calling it, good near 0 alone.
#ifndef LAB_APPROXIMATIONS_H
#define LAB_APPROXIMATIONS_H

#include <stddef.h>

enum { LAB_APPROXIMATIONS = 44 };

#define LAB_NEAR_0 " in place of exp(x), which it is near around x = 0 alone: call expf"

// Number f of x <= 0; what it is, "(1 + x / 16)^16".
double lab_approximation(int f, double x);
const char *lab_approximation_name(int f, char *text, size_t size);

#endif
