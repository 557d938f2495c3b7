// device.h: from what CUDA, or simt's checked mode, says to a verdict.
#ifndef LAB_RUN_DEVICE_H
#define LAB_RUN_DEVICE_H

#include <stddef.h>

#include "verdict.h"

// error: a cudaError_t, or LAB_CHECK_REPORT. log: what the runner has printed; the first report of simt in it is quoted.
lab_verdict lab_judge_device(int error, const char *symbol, const char *log, char *text, size_t size);

#endif
