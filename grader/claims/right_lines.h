// right_lines.h: lines of functions all of whose claims hold: what looks odd in them is not the mistake.
#ifndef LAB_RIGHT_LINES_H
#define LAB_RIGHT_LINES_H

#include <stddef.h>

// text: the file without comments. 1: the line is one of a function of the task all of whose claims hold, or of a kernel or
// another function that such functions alone launch or call.
int lab_line_is_right(const char *text, int line);

// lab_place_of_cause, without such lines: of two kernels that take exponentials, the one that is wrong.
int lab_place_in_wrong_lines(const char *text, const char *cause, char *sentence, size_t size);

#endif
