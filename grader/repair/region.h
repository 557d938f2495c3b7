// region.h: which lines of a student's file belong to a TODO.
#ifndef LAB_REPAIR_REGION_H
#define LAB_REPAIR_REGION_H

// What the line says of a TODO of the task, in a comment: "1.7". Returns 0 if it names none.
int lab_names_todo(const char *row, const char *task, char todo[8]);

// The lines of the function that holds the TODO's comment, or, where that is gone, of the function that its probe calls.
// Returns 0 if there is neither.
int lab_region_of(const char *source, const char *task, const char *todo, int *from, int *to);

#endif
