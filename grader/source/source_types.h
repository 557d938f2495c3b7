// source_types.h: whole numbers and floats in a student's text. For source_types.c and source_cut.c.
#ifndef LAB_SOURCE_TYPES_H
#define LAB_SOURCE_TYPES_H

#include <stddef.h>

// A type for whole numbers at this place: how long its name is. 0: it is none.
size_t lab_whole_type_at(const char *text, const char *at);

// What stands between these places is an element of floats, `p[...]`, or the name of a float, which goes to name.
int lab_is_element_of_floats(const char *text, const char *at, const char *end);
int lab_is_a_float(const char *text, const char *at, const char *end, char name[32]);

// Is it, from here to the end of the function, an index, the other side of a %, shifted, or what a loop counts by?
int lab_is_meant_whole(const char *text, const char *from, const char *name);

#endif
