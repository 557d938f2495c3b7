// broken_text.h: a file that does not compile, for people: the first thing that the compiler says, and what its brackets
// say where the compiler's words are about everything below them.
#ifndef LAB_BROKEN_TEXT_H
#define LAB_BROKEN_TEXT_H

#include <stddef.h>
#include <stdio.h>

// text: the file without comments (todo.h). error: the compiler's first about it, with its line, or NULL and 0. Writes a
// sentence, and returns 1, if a brace is missing or one too many, if a semicolon is missing at the end of a line, or if a
// name that nobody knows is nearly one of the file.
int lab_broken_text(const char *text, const char *error, int line, char *sentence, size_t size);

// The line of the first error in that file, or 0: "FILE:12:3: error: ..." (gcc, clang) or "FILE(12): error: ..." (nvcc).
// *error: what the compiler says there; may be NULL.
int lab_error_line(const char *log, const char *file, const char **error);

// Of a compiler's log its first error, and how many more there are; all of it where it holds no error.
void lab_show_first_error(const char *log, FILE *out);

#endif
