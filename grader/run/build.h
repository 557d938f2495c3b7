// build.h: from a student's file to a stage that a runner can load.
#ifndef LAB_BUILD_H
#define LAB_BUILD_H

#include <stddef.h>

#include "tasks.h"
#include "verdict.h"

typedef struct {
    const char *lab;     // the lab's root: headers come from here, never from the submission
    const char *source;  // the student's file
    const char *probe;   // a file that includes it and is compiled in its place, or NULL
    const char *output;  // the shared object
    const char *depend;  // file for make's dependencies, or NULL
    double seconds;      // limit
    const int *tiles;    // Br, Bc of task 4's kernel, as -DBR and -DBC; NULL: the file's own
    int quick;           // 1: little optimisation, for many files that run once; 2: without OpenMP's vectors, too
    int plain;           // 1: not optimised: each instruction has the line that it is written on
    int no_steps;        // 1: a probe's parts that call what is given are left out: the student has changed that
    int edits;           // 1: a file with many changes behind a switch (grader/repair)
    int once;            // 1: simtcc --once
    int tiny;  // 1: C by tcc, which takes a hundredth of gcc's time for many changes; 2: gcc, for its errors alone
    const char *hooks;  // linked to it: what runs changes that are data (grader/repair/hooks); NULL: nothing
    int any_symbol;     // 1: it may use what it likes: a test of what stands behind symbols.h
} lab_build_options;

// PASSED, MISSING, FORBIDDEN_FILE, COMPILE_ERROR, COMPILE_TIMEOUT, FORBIDDEN_SYMBOL or GRADER_ERROR.
// message: for people, at most `size` bytes: the first error with its line, or what is wrong with the file. Of a probe:
// the function that it expects (see EXPECT in grader/probes/probe.h).
// log: everything the compiler said, capped; may be NULL.
lab_verdict lab_build(const lab_task *task, const lab_build_options *options, char *message, size_t size, char *log,
                      size_t log_size);

// The same for the task's probe around the source (grader/probes), where there is one. If it does not compile,
// OUTPUT.txt says why: one line. Returns 0 if that cannot be written.
int lab_build_probe(const lab_task *task, lab_build_options options);

#endif
