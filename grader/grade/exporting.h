// exporting.h: results for other systems, at the end of a run. grader/export makes them.
#ifndef LAB_EXPORTING_H
#define LAB_EXPORTING_H

#include "arguments.h"

// Writes DIR/NAME/FORMAT.json (or DIR/grades.csv) for each format that was asked for. Returns 0 after saying which one
// could not be written.
int lab_export(const lab_arguments *all);

#endif
