// symbols.h: what a compiled file refers to, before anything of it is loaded.
//
// A stage computes: mathematics, memory, printf, OpenMP, CUDA's runtime. It is told by name and line what else it uses
// (allowed.c has the lists), and which instructions it may not have: system calls and clocks of the processor.
//
// This is no wall. A stage that finds the address of a function by arithmetic gets past it, and then stands in the
// sandbox, without the system calls that the runner has given up.
#ifndef LAB_SYMBOLS_H
#define LAB_SYMBOLS_H

#include <stddef.h>

#include "tasks.h"
#include "verdict.h"

// LAB_PASSED, or LAB_FORBIDDEN_SYMBOL with a sentence in message: "flash.cu:31: uses dlopen: a stage may not ...".
// *unknown: 1 if the name is in no list, so that a linker that finds no such function has the better explanation.
lab_verdict lab_symbols_inspect(const lab_task *task, const char *object, const char *source, int *unknown,
                                char *message, size_t size);

#endif
