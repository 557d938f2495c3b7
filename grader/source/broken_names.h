// broken_names.h: a name that the compiler does not know.
#ifndef LAB_BROKEN_NAMES_H
#define LAB_BROKEN_NAMES_H

#include <stddef.h>

// Of a file whose line (0: unknown) has this error: where the name is declared, or which name is nearly this one.
// Returns 0 for nothing.
int lab_broken_name(const char *text, const char *error, int line, char *sentence, size_t size);

#endif
