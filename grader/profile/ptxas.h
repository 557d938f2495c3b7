// ptxas.h: what the compiler says of each kernel when it is asked with -Xptxas -v.
#ifndef LAB_PROFILE_PTXAS_H
#define LAB_PROFILE_PTXAS_H

#include "kernel.h"

// Reads the compiler's output. Fills registers, spills, stack and static shared memory of at most LAB_MAX_KERNELS
// kernels, in the order of the output. arch: "sm_90", or "" if it is not said. Returns the number of kernels.
int lab_ptxas_parse(const char *log, lab_kernel kernels[LAB_MAX_KERNELS], char *arch, size_t size);

#endif
