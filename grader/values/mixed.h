// mixed.h: a line whose numbers are made of what must not meet: of two rows of a softmax, of two queries, of two heads.
#ifndef LAB_VALUES_MIXED_H
#define LAB_VALUES_MIXED_H

#include "lines.h"

// For lab_lines_tell: calls the file again with some rows of its inputs altered, and sees which numbers alter. `seen` is a
// sentence of lab_mixed_size characters, "" where nothing meets that must not.
enum { LAB_MIXED_SIZE = 500 };
void lab_mixed_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen);

#endif
