// simt_check.h: what checked mode tells a program about its kernels: one table of functions, handed out once
// (runtime/guests.h), so that kernels which the program loads cannot ask, or begin anew.
#ifndef SIMT_CHECK_H
#define SIMT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t bytes_loaded, bytes_stored, bytes_atomic;  // bytes_atomic are in neither of the others
    uint64_t sectors_loaded, sectors_stored;            // 32 bytes each; atomics count as stored
    uint64_t unique_sectors_loaded, unique_sectors_stored;
} simt_check_buffer_counts;

// Summed over all kernels: global sectors and the least, shared wavefronts and the least.
typedef struct {
    uint64_t sectors, ideal_sectors, wavefronts, ideal_wavefronts;
    uint64_t broadcasts;  // wavefronts of what brings numbers to lanes otherwise: shuffles, constant memory
    uint64_t stack;       // the most bytes that a thread had on its stack when it accessed memory
    uint64_t unfollowed;  // launches that nothing was counted of: blocks that run at the same time
    uint64_t uneven;      // launches of which a sample says nothing
} simt_check_totals;

typedef struct {
    // Forgets all reports and counts: call it before each kernel call that is to be judged alone. From the first time
    // on, the process keeps its own exit status.
    void (*reset)(void);
    // Error reports since the last reset (warnings not counted).
    int (*error_count)(void);
    // Reports and counts since the last reset as JSON (README.md), to a file or an open descriptor. 0, or -1 and errno.
    int (*write_json)(const char *path);
    int (*write_json_fd)(int fd);
    // What a buffer is called in reports and counts: p points into it, as given by cudaMalloc. name is copied.
    void (*name_buffer)(const void *p, const char *name);
    // Makes a part of a buffer, whole words of it, a buffer of its own until the next reset: with this name, its own
    // counts, and indices from its start; an access across its border is a stray one. For tensors that share one
    // cudaMalloc. Without a name (NULL) it is nobody's until then: every access to it is a stray one. 0, or -1 where
    // [p, p + size) is not within one live buffer, or one such part, or is the start of a buffer and has no name.
    int (*name_range)(void *p, size_t size, const char *name);
    // Bytes that cudaMalloc and its like have given out since the last reset, freed since or not.
    uint64_t (*allocated)(void);
    // The counts of the buffer called `name` (NULL: of all of them), summed over all kernels since the last reset. 0,
    // or -1: no kernel touched it.
    int (*buffer)(const char *name, simt_check_buffer_counts *counts);
    // The same for the buffer that holds p: one that name_range has made, whatever else has its name.
    int (*buffer_at)(const void *p, simt_check_buffer_counts *counts);
    void (*counts)(simt_check_totals *totals);
    // 1: from now on a launch runs four of its blocks and counts them for all (sample.cpp); results are wrong then.
    void (*sample)(int on);
} simt_check_table;

#ifdef __cplusplus
}
#endif
#endif
