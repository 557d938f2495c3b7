// class_pairs.h: what DIR's own tables say of a class: which submissions of a task resemble each other (similarity.csv),
// and which could not be graded (gradebook.csv).
#ifndef LAB_CLASS_PAIRS_H
#define LAB_CLASS_PAIRS_H

#include <jansson.h>

// DIR/similarity.csv (task,a,b,percent; quoted as RFC 4180 has it) as [{task, a, b, percent}], a new array. NULL: there is
// none, or it is not readable.
json_t *lab_pairs_read(const char *folder);

// The folders that DIR/gradebook.csv calls a GRADER_ERROR, a new array; empty where there is no such table. An archive
// that could not be opened has no results.json: only its row of the table says that somebody handed it in.
json_t *lab_ungraded_read(const char *folder);

#endif
