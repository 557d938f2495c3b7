// instructions.h: machine instructions that a stage has no use for: system calls past the C library, the processor's
// clocks, and what moves thread pointers or protection keys.
#ifndef LAB_INSTRUCTIONS_H
#define LAB_INSTRUCTIONS_H

#include "object.h"

typedef struct {
    size_t section, offset;
    char name[32];
    const char *reason;
} lab_instruction;

// 0: there is none. 1: found. 2: objdump cannot show all of the file's code. -1: objdump does not run.
int lab_find_instruction(const lab_object *o, const char *file, lab_instruction *found);

#endif
