// show.h: what was found, as a table for people and as rows of results.json's task.profile.
#ifndef LAB_PROFILE_SHOW_H
#define LAB_PROFILE_SHOW_H

#include <stdio.h>

#include "experiments.h"
#include "kernel.h"

// What the compiler says. arch: what it was compiled for.
void lab_show_compiled(const lab_kernel *kernels, int n, const char *arch);

// What the counters say of one point.
void lab_show_counted(const lab_experiment *point, const lab_kernel *kernels, int n);

// One line per kernel; point NULL: from the compiler. Unknown values are left out. Returns 0 when it cannot be written.
int lab_write_kernels(FILE *json, const lab_experiment *point, const lab_kernel *kernels, int n);
int lab_write_note(FILE *json, const char *note);

#endif
