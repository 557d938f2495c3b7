// guarded_runner.c: malloc and its like for a runner that a stage in C gets once more, after a crash: what it asks for
// ends where a page ends, and the next page may be neither read nor written. So a stray access faults at its own line.
//
//     | a page that faults | pattern ... the memory asked for | a page that faults |
//
// So do the tensors, of which nobody may write to those that are inputs.
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
#include "memory.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// PAGE: the largest that a processor of ours has; FAR: a tensor is missed by rows, or a head
enum { MOST = 4096, PAGE = 4096 * 16, FAR = 4 << 20, PATTERN = 0xa5 };

typedef struct {
    char *map, *start;  // start: what malloc returned
    size_t bytes, size;
    const void *caller;
    size_t edge;  // before and behind it, bytes that fault
    int freed;
    int fixed;           // it may only be read
    const char *tensor;  // its name; NULL: of malloc
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
        const int within = !before && at < p->start + p->size;
        const int kind = p->freed             ? LAB_MEMORY_FREED
                         : before             ? LAB_MEMORY_BEFORE
                         : within && p->fixed ? LAB_MEMORY_INPUT
                                              : LAB_MEMORY_PAST;
        const size_t far = before ? (size_t)(p->start - at) : (size_t)(at - p->start) - p->size;
        *m = (lab_crash_memory){kind, writes, p->caller, p->size, far, p->tensor};
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

// at_begin: it begins where a page does, so that what is touched before it faults.
static void *lay(size_t size, size_t alignment, size_t edge, int at_begin, const void *caller) {
    if (!alignment) alignment = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
    const size_t room = (size + alignment + PAGE - 1) / PAGE * PAGE, bytes = room + 2 * edge;
    begin();
    piece *const p = place();
    char *const map = p ? mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (p) *p = (piece){.freed = 1};
    if (map != MAP_FAILED && mprotect(map + edge, room, PROT_READ | PROT_WRITE) == 0) {
        char *const top = at_begin ? map + edge : map + edge + room - size;
        *p = (piece){map, top - (size_t)top % alignment, bytes, size, caller, edge, 0, 0, NULL};
        memset(map + edge, PATTERN, room);
        fill_unwritten(p->start, size, caller);
    }
    char *const start = p && map != MAP_FAILED ? p->start : NULL;
    end();
    lab_crash_ask = know;
    return start ? start : __libc_memalign(alignment < 16 ? 16 : alignment, size);
}

static void *guarded(size_t size, size_t alignment, const void *caller) {
    return lay(size, alignment, PAGE, 0, caller);
}

static piece *find(const void *start) {
    for (int i = 0; i < used; i++)
        if (pieces[i].map && pieces[i].start == start) return &pieces[i];
    return NULL;
}

// Ends the process with what is known of p.
static void complain(const piece *p, int kind) {
    bad_free = (lab_crash_memory){kind, 1, p->caller, p->size, 0, NULL};
    end();
    raise(SIGABRT);
}

void free(void *start) {
    begin();
    piece *const p = start ? find(start) : NULL;
    if (p && p->freed) complain(p, LAB_MEMORY_FREED_TWICE);
    for (char *c = p ? p->map + p->edge : NULL; p && c < p->start; c++)
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

// A tensor as it is in the arena, in memory of its own. What is no output and no working memory may only be read.
static float *guard_tensor(const lab_request *r, int t, const float *from, int at_begin) {
    const size_t size = r->elements[t] * sizeof(float);
    float *const x = lay(size, 0, FAR, at_begin, NULL);
    if (!x) return NULL;
    memcpy(x, from, size);
    begin();
    piece *const p = find((char *)x);
    if (p) p->tensor = r->tensor[t], p->fixed = t > 0 && t != (int)r->scratch;
    if (p && p->fixed) mprotect(p->map + FAR, p->bytes - 2 * FAR, PROT_READ);
    end();
    return x;
}

// The call is made twice, with tensors that end where a page does, and with some that begin there. It leaves what the first
// one has made.
attn_status lab_guarded_call(lab_one_call *call, void *const function[2], lab_request *r,
                             float *const tensor[LAB_MAX_TENSORS]) {
    attn_status status = ATTN_OK;
    for (int at_begin = 1; at_begin >= 0; at_begin--) {
        float *own[LAB_MAX_TENSORS] = {NULL};
        for (uint32_t t = 0; t < r->n_tensors; t++)
            if (!(own[t] = guard_tensor(r, (int)t, tensor[t], at_begin))) return LAB_NO_SYMBOL;
        status = call(function, r, own);
        for (uint32_t t = 0; t < r->n_tensors; t++) {
            const int may = t == 0 || t == r->scratch;
            if (may && !at_begin) memcpy(tensor[t], own[t], r->elements[t] * sizeof(float));
        }
    }
    return status;
}
