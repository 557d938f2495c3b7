// device.h: from what a stage returned, and what CUDA or simt's checked mode said, to a verdict.
#ifndef LAB_RUN_DEVICE_H
#define LAB_RUN_DEVICE_H

#include <stddef.h>

#include "shape.h"
#include "verdict.h"

// error: a cudaError_t, or LAB_CHECK_REPORT. log: what the runner has printed; the first report of simt in it is
// quoted.
lab_verdict lab_judge_device(int error, const char *symbol, const char *log, char *text, size_t size);

// 1 if simt has ended the process, and said why: lab_judge_device(LAB_CHECK_REPORT, ...) knows the verdict.
int lab_simt_ended_it(int exit_status, const char *log);

// Is that a report of what a kernel does? Not one of how long it takes, and no wrong result that checked mode has no word for.
int lab_is_report_of_kernel(const char *verdict, const char *text);

// 1 if a device that has gone away may be behind this status; what a wrong kernel alone causes is not meant.
int lab_device_may_be_lost(attn_status status);

// The verdict of a status other than ATTN_OK (protocol.h lists those that are not a stage's own), with a sentence in
// text. symbol: the function that was called. todo: gets "4.3" where that TODO is open, otherwise ""; may be NULL.
lab_verdict lab_judge_status(attn_status status, const char *symbol, const char *log, char todo[16], char *text,
                             size_t size);

#endif
