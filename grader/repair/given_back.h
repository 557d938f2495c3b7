// given_back.h: a file in which one line of the handout stands again as it was given.
#ifndef LAB_REPAIR_GIVEN_BACK_H
#define LAB_REPAIR_GIVEN_BACK_H

#include <stddef.h>

#include "tasks.h"

typedef enum { LAB_GIVEN_ALTERED, LAB_GIVEN_MISSING, LAB_GIVEN_MOVED, LAB_GIVEN_ENDS } lab_given_kind;

typedef struct {
    lab_given_kind kind;
    int line;         // of the student's file: which is another one, behind which one is missing, which was moved
    int behind;       // of the student's file: behind which one it stands in the handout
    char given[300];  // as the handout has it; of a block that ends elsewhere the line that begins it
} lab_given;

// Writes the file to `output` with difference number i undone: 0, 1, ... Returns 0 behind the last.
int lab_given_back(const lab_task *task, const char *source, int i, const char *output, lab_given *g);

#endif
