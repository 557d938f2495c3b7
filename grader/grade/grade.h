// grade.h: one submission, from its path to its folder of results.
#ifndef LAB_GRADE_H
#define LAB_GRADE_H

#include <jansson.h>
#include <stdint.h>

#include "tasks.h"

typedef struct {
    const char *lab, *build;    // the lab's root and build folder; the program runs in the root
    const char *out;            // DIR of --out, absolute
    const lab_task *tasks[16];  // the tasks to grade, in order
    int n_tasks;
    uint64_t seed;        // secret
    const char *timeout;  // seconds that a call may take
    int bench;            // measure speed
    int plots;            // draw plots
    const json_t *rubric, *machine;
    int lock;  // descriptor of a lock file: shared while testing, exclusive while measuring
    void (*progress)(const char *submission, const char *what);
} lab_grading;

// Grades path into out/FOLDER/. Returns 1, or 0 with a sentence in why when it could not be graded or written.
// *result is results.json's content (owned by the caller) or NULL.
int lab_grade(const lab_grading *g, const char *path, const char *folder, json_t **result, char *why, size_t size);

// The "machine" of results.json: processor, compiler, and, when bench is set, ceilings measured now.
json_t *lab_machine(const char *build, int bench, const char *scratch);

// Measures the ceilings once more and keeps the larger of each: a peak measured on a busy moment is no peak.
void lab_machine_raise(json_t *machine, const char *build, const char *scratch);

#endif
