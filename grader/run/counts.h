// counts.h: memory traffic of a call, counted by simt's checked mode (grader/simt/check), on its way to the checker.
//
// In the runner, which alone has simt's table of functions (grader/simt/runtime/guests.h). Where it is not linked with the
// checked library, nothing is counted and `counted` stays 0; without simt none of these does anything.
#ifndef LAB_COUNTS_H
#define LAB_COUNTS_H

#include "protocol.h"

// What a runner leaves at request->counts. A sector is 32 bytes: the minimum that a GPU moves.
typedef struct {
    lab_traffic tensor[LAB_MAX_TENSORS];  // of set 0
    lab_traffic other;                    // global memory that is none of the tensors
    lab_traffic shared;                   // bank_conflicts alone: wavefronts beyond the minimum
    uint64_t wavefronts;                  // of shared memory: 128 bytes that it serves at a time; shuffles, constants
    uint64_t ideal_sectors;               // of all of global memory, if every warp's lanes were neighbours
    uint64_t stack;                       // the largest of a thread's, in bytes
    uint64_t unfollowed;                  // launches of which nothing was counted
    uint64_t allocated;                   // bytes of device memory that the calls have asked for
    uint64_t counted;                     // 1
    uint64_t uneven;                      // LAB_SAMPLE: launches whose blocks are not alike: the counts say nothing
} lab_counts;

#ifdef __cplusplus
extern "C" {
#endif

void lab_counts_open(void);                   // before a stage is loaded: what comes later is not trusted
void lab_counts_trust(const void *function);  // but the shared object that holds this one is
void lab_counts_forget(void);                 // all reports and counts
int lab_counts_reports(void);                 // of errors since then
void lab_counts_call(void);                   // right before a call of the stage

// Call it before the calls, when the tensors are in device memory; byte 0 of the arena is at `device`. Forgets earlier
// counts and reports, and gives each tensor of set 0 a name, so that a report says K[3], not device[8195].
void lab_counts_begin(char *device, const lab_request *request);

// Call it after waiting for the device: writes a lab_counts into the arena if the request has LAB_COUNT.
void lab_counts_end(char *arena, const lab_request *request);

#ifdef __cplusplus
}
#endif

#endif
