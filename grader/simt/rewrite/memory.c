// memory.c: a unit's memory. It is never freed piece by piece; free_memory drops all of it.
#include "rewrite.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *next;
    max_align_t data[];
};

void *keep(unit *u, size_t size) {
    struct chunk *c = calloc(1, sizeof *c + size);
    if (!c) {
        fprintf(stderr, "simt-rewrite: error: out of memory\n");
        exit(1);
    }
    c->next = u->memory;
    u->memory = c;
    return c->data;
}

// The old piece stays where it is until the end: growth by doubling wastes at most as much again.
void *keep_more(unit *u, void *old, size_t old_size, size_t size) {
    void *p = keep(u, size);
    if (old_size) memcpy(p, old, old_size);
    return p;
}

const char *format(unit *u, const char *pattern, ...) {
    va_list list, again;
    va_start(list, pattern);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, pattern, list);
    char *text = keep(u, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, pattern, again);
    va_end(again);
    va_end(list);
    return text;
}

void free_memory(unit *u) {
    while (u->memory) {
        struct chunk *next = u->memory->next;
        free(u->memory);
        u->memory = next;
    }
}
