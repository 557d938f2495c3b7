// source_calls.h: parameters, and what a file's calls and launches hand to them. For source_*.c and source_places.c.
#ifndef LAB_SOURCE_CALLS_H
#define LAB_SOURCE_CALLS_H

#include <stddef.h>

enum { LAB_LONGEST_WORD = 48 };

// Without blanks. Returns its length, 0 where there is nothing, or too much.
int lab_copy_word(const char *from, const char *to, char out[LAB_LONGEST_WORD]);

const char *lab_behind_bracket(const char *open);  // behind the one that closes it

// Argument `number` of a list between these places, from 0 on. NULL: it has fewer. *end: behind its last character.
const char *lab_in_list(const char *from, const char *to, int number, const char **end);

// Which parameter of the function is it, from 0 on? -1: none.
int lab_parameter_of(const char *function, const char *name);

// The name of the function that begins here. Its length, 0: none.
int lab_name_of_function(const char *function, char name[LAB_LONGEST_WORD]);

// Its argument of that number, where the function is called or launched first. Returns where that is, or NULL.
const char *lab_argument_of(const char *text, const char *function, int number, char value[LAB_LONGEST_WORD]);

// The bracket in which this place stands, within its statement. NULL: there is none.
const char *lab_bracket_around(const char *text, const char *at);

// Does the function whose name stands before this bracket join the numbers of several threads?
int lab_joins(const char *text, const char *open);

#endif
