// memory.h: where the runner's tensors are. The arena itself for a stage in C; a copy of it in device memory for CUDA.
#ifndef LAB_MEMORY_H
#define LAB_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Takes over the arena. Returns the address that stands for its first byte in a stage's pointers; NULL when there is no
// device or no memory on it.
char *lab_memory_open(char *arena, size_t bytes);

// Brings the first `bytes` of the arena to where the stage sees them, and back after waiting for its work.
// 0, or the cudaError_t that was met, or LAB_CHECK_REPORT: simt's checked mode has reported, on the error output.
enum { LAB_CHECK_REPORT = 86 };
int lab_memory_load(size_t bytes);
int lab_memory_store(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
