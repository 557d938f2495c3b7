// results.h: read results.json and trust it afterwards.
//
// lab_results_load checks types, required and unknown fields of the whole file; verdicts, series and task ids must
// stand in the tables of grader/core. The accessors below therefore need no error paths. A time of a CUDA kernel that
// ran on a CPU is taken out.
#ifndef LAB_RESULTS_H
#define LAB_RESULTS_H

#include <jansson.h>
#include <stddef.h>

// Returns the document (the caller's json_decref), or NULL with one line in error: which file, where, what is wrong.
json_t *lab_results_load(const char *path, char *error, size_t size);

const char *lab_str(const json_t *object, const char *key);  // "" where it is absent or null
double lab_num(const json_t *object, const char *key);       // NaN where it is absent or null
int lab_is(const json_t *object, const char *key, const char *value);
int lab_same(const json_t *a, const json_t *b, const char *key);  // equal fields, of any type
double lab_dim(const json_t *object, const char *key);            // a number of its "shape"

const json_t *lab_task_in(const json_t *root, const char *id);  // NULL: it was not graded
int lab_measured(const json_t *timing);                         // 1: it has a time, and of a right answer
int lab_on_gpu(const json_t *timing);                           // 1: it has no threads

// Every timing of a task (NULL: of all) in a series that an implementation ("" or NULL: any) has a time of, as an array
// that the caller owns.
json_t *lab_timings(const json_t *root, const char *task, const char *series, const char *implementation);

// The implementations of timings, each once, in the order in which they were measured: an array that the caller owns.
json_t *lab_implementation_names(const json_t *timings);

#endif
