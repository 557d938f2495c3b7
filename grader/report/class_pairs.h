// class_pairs.h: similarity.csv of a class: which submissions of a task resemble each other.
#ifndef LAB_CLASS_PAIRS_H
#define LAB_CLASS_PAIRS_H

#include <jansson.h>

// DIR/similarity.csv (task,a,b,percent; quoted as RFC 4180 has it) as [{task, a, b, percent}], a new array. NULL: there is
// none, or it is not readable.
json_t *lab_pairs_read(const char *folder);

#endif
