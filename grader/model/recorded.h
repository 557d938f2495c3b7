// recorded.h: a call recorded in a CUDA graph, and the graph run in place of the call.
#ifndef LAB_RECORDED_H
#define LAB_RECORDED_H

#include <cuda_runtime.h>

#include "shape.h"

enum { LAB_MOST_REGIONS = 12 };
typedef struct {  // device memory that belongs to the call
    void *at[LAB_MOST_REGIONS];
    size_t bytes[LAB_MOST_REGIONS];
    int n;
} lab_regions;

// What the call says; LAB_DEVICE + cudaErrorStreamCapture... if it cannot be recorded, or if a region has changed before the
// graph was run: what goes to a stream of the call's own is not in the graph, it runs at once.
attn_status lab_recorded(attn_status (*call)(const void *), const void *context, const lab_regions *regions,
                         cudaStream_t stream);

#endif
