// guarded_runner.c: malloc and its like for a runner that a stage in C gets once more, after a crash: what it asks for
// ends where a page ends, and the next page may be neither read nor written. So a stray access faults at its own line.
//
//     | a page that faults | pattern ... the memory asked for | a page that faults |
//
// The memory itself is full of NaN that hold the place of the call to malloc (crash.h): where one comes out, what malloc
// gave was read before it was written. crash.c asks what lay at the address, and says it beside the line. Memory that others ask for is the C library's.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "crash.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

enum { MOST = 4096, PAGE = 4096 * 16, PATTERN = 0xa5 };  // PAGE: the largest that a processor of ours has

typedef struct {
    char *map, *start;  // start: what malloc returned
    size_t bytes, size;
    const void *caller;
    int freed;
} piece;

static piece pieces[MOST];
static int used;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static lab_crash_memory bad_free;  // kind 0: none

static void begin(void) {
    while (atomic_flag_test_and_set(&busy)) {}
}
static void end(void) { atomic_flag_clear(&busy); }

// What crash.c asks: in which piece, or behind which, is the address?
static int know(const void *address, int writes, lab_crash_memory *m) {
    const char *const at = address;
    if (bad_free.kind) return *m = bad_free, 1;
    for (int i = 0; i < used; i++) {
        const piece *const p = &pieces[i];
        if (!p->map || at < p->map || at >= p->map + p->bytes) continue;
        const int before = at < p->start;
        const int kind = p->freed ? LAB_MEMORY_FREED : before ? LAB_MEMORY_BEFORE : LAB_MEMORY_PAST;
        const size_t far = before ? (size_t)(p->start - at) : (size_t)(at - p->start) - p->size;
        *m = (lab_crash_memory){kind, writes, p->caller, p->size, far};
        return 1;
    }
    return 0;
}

// A place in the table, or NULL: all are taken by memory in use.
static piece *place(void) {
    if (used < MOST) return &pieces[used++];
    for (int i = 0; i < MOST; i++)
        if (pieces[i].freed) return munmap(pieces[i].map, pieces[i].bytes), &pieces[i];
    return NULL;
}

// Arithmetic hands on the bits of a NaN. A size that is no number of floats is none of floats.
static void fill_unwritten(char *start, size_t size, const void *caller) {
    const uint32_t nan = lab_crash_nan_of(caller);
    for (size_t i = 0; i + sizeof nan <= size; i += sizeof nan) memcpy(start + i, &nan, sizeof nan);
}

static void *guarded(size_t size, size_t alignment, const void *caller) {
    if (!alignment) alignment = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
    const size_t room = (size + alignment + PAGE - 1) / PAGE * PAGE, bytes = room + 2 * PAGE;
    begin();
    piece *const p = place();
    char *const map = p ? mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (p) *p = (piece){.freed = 1};
    if (map != MAP_FAILED && mprotect(map + PAGE, room, PROT_READ | PROT_WRITE) == 0) {
        char *const top = map + PAGE + room - size;
        *p = (piece){map, top - (size_t)top % alignment, bytes, size, caller, 0};
        memset(map + PAGE, PATTERN, room);
        fill_unwritten(p->start, size, caller);
    }
    char *const start = p && map != MAP_FAILED ? p->start : NULL;
    end();
    lab_crash_ask = know;
    return start ? start : __libc_memalign(alignment < 16 ? 16 : alignment, size);
}

static piece *find(const void *start) {
    for (int i = 0; i < used; i++)
        if (pieces[i].map && pieces[i].start == start) return &pieces[i];
    return NULL;
}

// Ends the process with what is known of p.
static void complain(const piece *p, int kind) {
    bad_free = (lab_crash_memory){kind, 1, p->caller, p->size, 0};
    end();
    raise(SIGABRT);
}

void free(void *start) {
    begin();
    piece *const p = start ? find(start) : NULL;
    if (p && p->freed) complain(p, LAB_MEMORY_FREED_TWICE);
    for (char *c = p ? p->map + PAGE : NULL; p && c < p->start; c++)
        if (*c != (char)PATTERN) complain(p, LAB_MEMORY_WRITTEN_BEFORE);
    if (p) p->freed = 1, mprotect(p->map, p->bytes, PROT_NONE);
    end();
    if (!p) __libc_free(start);
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return lab_crash_in_stage(CALLER) ? guarded(size, 0, CALLER) : __libc_malloc(size); }

void *calloc(size_t n, size_t size) {
    size_t bytes;
    if (!lab_crash_in_stage(CALLER) || __builtin_mul_overflow(n, size, &bytes)) return __libc_calloc(n, size);
    void *const start = guarded(bytes, 0, CALLER);
    return start ? memset(start, 0, bytes) : NULL;
}

void *realloc(void *old, size_t size) {
    begin();
    const piece *const p = old ? find(old) : NULL;
    const size_t kept = p && p->size < size ? p->size : size;
    end();
    if (!p && (old || !lab_crash_in_stage(CALLER))) return __libc_realloc(old, size);
    void *const start = guarded(size, 0, CALLER);
    if (start && old) memcpy(start, old, kept), free(old);
    return start;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return lab_crash_in_stage(CALLER) ? guarded(size, alignment, CALLER) : __libc_memalign(alignment, size);
}

int posix_memalign(void **start, size_t alignment, size_t size) {
    *start = lab_crash_in_stage(CALLER) ? guarded(size, alignment, CALLER) : __libc_memalign(alignment, size);
    return *start ? 0 : ENOMEM;
}
