// restored.h: a line of the handout that the student has altered, lost or moved, with which what failed holds.
#ifndef LAB_RESTORED_H
#define LAB_RESTORED_H

#include "judge.h"
#include "tasks.h"

// A claim has been judged, by a runner with these options.
void lab_restored_keep(const lab_stage_options *options, const lab_case *c, const lab_result *r);

// A sentence, if every failed claim that was tried holds with that line as it was given. Returns 0 for none.
int lab_restored_note(const lab_task *task, const char *source, uint64_t seed, double seconds, char *note, size_t size);

int lab_restored_line(void);  // the line that it has named, which comes before any TODO; 0: none

// The same of all lines that differ, together. In CUDA it is asked where no change mends, beside a cause.
int lab_restored_together(const lab_task *task, const char *source, uint64_t seed, double seconds, char *note,
                          size_t size);

// A line of the handout that is a call and stands elsewhere. It is not tried: a TODO has a mistake of its own.
int lab_restored_moved(const lab_task *task, const char *source, char *note, size_t size);

#endif
