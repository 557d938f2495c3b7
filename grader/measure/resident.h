// resident.h: how much memory a process takes, or, of a sandbox, the program in it. Shared memory, which holds the
// tensors, is not counted.
#ifndef LAB_RESIDENT_H
#define LAB_RESIDENT_H

#include <sys/types.h>

// Makes the peak (VmHWM) start again from what is resident now.
void lab_reset_peak(pid_t pid);

// Bytes of "VmRSS:" (now) or "VmHWM:" (peak). -1: unknown.
long lab_private_bytes(pid_t pid, const char *field);

#endif
