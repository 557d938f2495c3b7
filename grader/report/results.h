// results.h: read results.json and trust it afterwards.
//
// results_load checks the whole file against the rules of results.schema.json (types, required and unknown fields,
// ranges, verdict names). What it returns has every required field, so the readers below need no error paths, and no
// time of a CUDA kernel that ran on a CPU.
#ifndef RESULTS_H
#define RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// Returns the document (the caller's json_decref), or NULL with one line in error: which file, where in it, what is
// wrong.
json_t *results_load(const char *path, char *error, size_t error_size);

// Fields of a checked object. An absent or null string reads as NULL, an absent or null number as NaN.
const char *results_text(const json_t *object, const char *key);
double results_number(const json_t *object, const char *key);

bool results_has_verdict(const json_t *object, const char *verdict);

// The timing holds a time that may be shown and compared: it has one, and its output was right.
bool results_is_measured(const json_t *timing);

#endif
