// output_line.h: the line that makes the outputs which a call leaves, whether they are right or not.
#ifndef LAB_VALUES_OUTPUT_LINE_H
#define LAB_VALUES_OUTPUT_LINE_H

#include "lines.h"

// NULL: no line has all of them.
const lab_line *lab_output_line(const lab_lines *lines, const float *output, size_t n);

#endif
