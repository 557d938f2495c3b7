// counts.h: memory traffic of a call, counted by simt's checked mode (grader/simt/check), on its way to the checker.
//
// In the runner. Where it is not linked with the checked library, nothing is counted and `counted` stays 0.
#ifndef LAB_COUNTS_H
#define LAB_COUNTS_H

#include "protocol.h"

// What a runner leaves at request->counts. A sector is 32 bytes: the least that a GPU moves, however few a warp wants.
typedef struct {
    lab_traffic tensor[LAB_MAX_TENSORS];  // of set 0
    lab_traffic other;                    // global memory that is none of the tensors
    lab_traffic shared;                   // bank_conflicts alone: wavefronts beyond the least
    uint64_t ideal_sectors;               // of all of global memory, had every warp's lanes stood side by side
    uint64_t allocated;                   // bytes of device memory that the calls have asked for
    uint64_t counted;                     // 1
} lab_counts;

// Before the calls, when the tensors are in device memory, with byte 0 of the arena at `device`. Forgets what was
// counted and reported until now, and makes a buffer of its own of each tensor of set 0: a report names K[3], not
// device[8195].
void lab_counts_begin(char *device, const lab_request *request);

// After the calls, when the device has been waited for: writes a lab_counts into the arena, if LAB_COUNT is asked for.
void lab_counts_end(char *arena, const lab_request *request);

#endif
