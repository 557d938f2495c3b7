// first_nan.h: the first number of a call that is NaN, and what was infinite, or 0, where it came about.
#ifndef LAB_VALUES_FIRST_NAN_H
#define LAB_VALUES_FIRST_NAN_H

#include "lines.h"

// list: what a call told, in order. source: the file's text. Returns 0, and "", where no number is NaN, or nothing tells why
// the first one is: it may have been read where nobody stored.
int lab_first_nan(const lab_lines *lines, const lab_told *list, int n, const char *source, char *text, size_t size);

#endif
