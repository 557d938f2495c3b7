// crash.h: where did a stage crash, or where does it hang? The runner writes one line; the checker turns it into file:line.
#ifndef LAB_CRASH_H
#define LAB_CRASH_H

#include <stddef.h>
#include <stdint.h>

// In the runner: on SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, or SIGXCPU, by which the checker asks where it is, write "LAB-CRASH signal offset" to fd, offset being the
// innermost program counter inside the stage, relative to its load address; then die of the signal.
void lab_crash_report_to(int fd);
void lab_crash_module(const char *path);
int lab_crash_in_stage(const void *code);

// In a guarded runner (guarded_runner.c): the memory that was touched, which `caller` got from malloc. It is written
// behind the offset: kind, writes, offset of the caller, size, past. Or it is a tensor's.
enum { LAB_MEMORY_PAST = 1, LAB_MEMORY_BEFORE, LAB_MEMORY_FREED, LAB_MEMORY_FREED_TWICE, LAB_MEMORY_WRITTEN_BEFORE };
enum { LAB_MEMORY_INPUT = 6 };  // of a tensor that may only be read
enum { LAB_MEMORY_STACK = 9 };  // of any runner: the main thread's stack has no room for what lies at the address
typedef struct {
    int kind, writes;  // writes: 0 reads, 1 writes
    const void *caller;
    size_t size, past;   // bytes; past: how far past the end, or before the start
    const char *tensor;  // its name, behind the numbers; NULL: of malloc
} lab_crash_memory;
extern int (*lab_crash_ask)(const void *address, int writes, lab_crash_memory *memory);  // NULL: nobody knows

// What a guarded runner fills memory with: NaN whose lower bits are the place of the call to malloc in the stage. The
// checker finds the line of one that comes out: "" if it is none of those.
enum { LAB_NAN = 0x7fc00000, LAB_NAN_PLACE = 0x1fffff, LAB_NAN_OF_GUARDS = 0x7fe00000 };  // the last: check.c
uint32_t lab_crash_nan_of(const void *code);
void lab_crash_locate_nan(uint32_t nan, const char *stage, char *text, size_t size);
#define LAB_UNSET_ADVICE                                                                                               \
    ", and malloc clears nothing: does the loop that fills it reach all of it, or is it to be set to 0 first?"

// In the checker: find such a line in a runner's output (and cut it out), ask addr2line about the offset, and write
// "reference.c:42 in attn_sdpa" to text. "" when it is not known. A hint for people, never a verdict.
// Of a guarded runner: "line 88 writes past the end of ..."; "" where it knows nothing of the memory. Returns its size.
// In a sentence of a diagnosis (core/diagnose/cache/layer_calls.c): "(at 0x1a2b)" becomes "(line 57)", or goes.
void lab_crash_locate_calls(char *text, size_t size, const char *stage);

size_t lab_crash_locate_memory(const char *log, const char *stage, char *text, size_t size);
void lab_crash_locate(char *log, const char *stage, char *text, size_t size);

#endif
