// ncu.h: Nsight Compute's metrics and its output.
#ifndef LAB_PROFILE_NCU_H
#define LAB_PROFILE_NCU_H

#include "kernel.h"

typedef struct {
    const char *name;
    lab_field field;  // several metrics of one field are added up
    double weight;
    int instead;  // counts only where the metrics before it left the field unknown
} lab_metric;

extern const lab_metric lab_metrics[];
extern const int lab_n_metrics;

// Reads `ncu --csv --page raw`, which may come between other lines. Launches of the same kernel become one. A metric
// that is missing, "n/a" or without number leaves its field NAN. Returns the number of kernels.
int lab_ncu_parse(const char *csv, lab_kernel kernels[LAB_MAX_KERNELS]);

// ncu's complaint, in one line, or "". Returns 1 if it lacks the permission to read counters.
int lab_ncu_complaint(const char *log, char *why, size_t size);

#endif
