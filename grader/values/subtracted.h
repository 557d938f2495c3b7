// subtracted.h: exponentials from which a maximum is subtracted that does not know all columns of its row.
#ifndef LAB_VALUES_SUBTRACTED_H
#define LAB_VALUES_SUBTRACTED_H

#include "lines.h"

// For lab_lines_tell, of a softmax: one column after the other is made the largest of its row. `seen` is a sentence of
// LAB_MIXED_SIZE characters (mixed.h), "" where no exponential becomes larger than 1.
void lab_subtracted_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen);

#endif
