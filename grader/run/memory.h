// memory.h: where the runner's tensors are. The arena itself for a stage in C; a copy of it in device memory for CUDA.
//
// Every int returned is 0, the cudaError_t that was met, or LAB_CHECK_REPORT: simt's checked mode has reported, on the
// error output.
#ifndef LAB_MEMORY_H
#define LAB_MEMORY_H

#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LAB_CHECK_REPORT = 86, LAB_NOT_SUPPORTED = 801 };

int lab_memory_open(char *arena, size_t bytes);  // once; fails where there is no device

// The steps of a request, protocol.h. After a load or a fill, lab_memory_base() stands for the arena's first byte in
// the pointers that a stage gets; it may be another one than before.
int lab_memory_load(const lab_request *r);
int lab_memory_fill(const lab_request *r);
char *lab_memory_base(void);
int lab_memory_makes_code(void);  // 1: its driver compiles while stages run
int lab_memory_wait(void);        // for all work of all streams
int lab_memory_store(const lab_request *r);
int lab_memory_bring(uint64_t at, uint64_t bytes,
                     int back);  // this part of the arena, to where the device's memory begins
void lab_memory_free(void);
int lab_memory_link(const lab_request *r, uint32_t set);  // before the call of this set, on lab_memory_stream()
int lab_memory_notes(const lab_request *r);               // digests and what the links saw go into the arena

// Between hide(1) and hide(0) the arena is out of the stage's reach, where it works on a copy.
void lab_memory_hide(int hidden);

// Between record(1) and record(0) what is queued on lab_memory_stream() goes into a graph; lab_memory_replay runs it, until
// something is loaded. The stream is NULL outside. strict: on a stream that the default stream waits for, so that CUDA
// refuses what is queued there; otherwise that runs at once, and is not in the graph.
int lab_memory_record(int begin, int strict);
int lab_memory_recorded(void);
int lab_memory_untouched(const lab_request *r);  // what was not recorded has changed nothing since the load
int lab_memory_replay(void);
void *lab_memory_stream(void);

// guarded_runner.c alone has it: the call, on tensors between pages that nobody may touch.
typedef attn_status lab_one_call(void *const function[2], lab_request *r, float *const tensor[LAB_MAX_TENSORS]);
attn_status lab_guarded_call(lab_one_call *call, void *const function[2], lab_request *r,
                             float *const tensor[LAB_MAX_TENSORS]) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
