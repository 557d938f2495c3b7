// ratios.h: values that several rows are made of. Each returns a new value.
#ifndef LAB_RATIOS_H
#define LAB_RATIOS_H

#include <jansson.h>

json_t *lab_ratio(double yours, double other, const char *name);  // "2.1x faster than NAME"; "" where one is unknown
json_t *lab_seconds_or_why(const json_t *timing);                 // its median, or "not measured: VERDICT, why"
json_t *lab_real(double x);                                       // null for NaN and infinity

// Bytes of global memory that a task was counted to move at this shape; NaN: not counted. which: bytes_loaded,
// bytes_stored, NULL: both.
double lab_traffic_of(const json_t *task, const json_t *shape, const char *which);

#endif
