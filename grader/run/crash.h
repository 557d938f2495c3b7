// crash.h: where did a stage crash, or where does it hang? The runner writes one line; the checker turns it into file:line.
#ifndef LAB_CRASH_H
#define LAB_CRASH_H

#include <stddef.h>

// In the runner: on SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, or SIGXCPU, by which the checker asks where it is, write "LAB-CRASH signal offset" to fd, offset being the
// innermost program counter inside the stage, relative to its load address; then die of the signal.
void lab_crash_report_to(int fd);
void lab_crash_module(const char *path);

// In the checker: find such a line in a runner's output (and cut it out), ask addr2line about the offset, and write
// "reference.c:42 in attn_sdpa" to text. "" when it is not known. A hint for people, never a verdict.
void lab_crash_locate(char *log, const char *stage, char *text, size_t size);

#endif
