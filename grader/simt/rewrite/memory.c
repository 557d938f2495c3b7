// memory.c: a unit's memory. It is never freed piece by piece; free_memory drops all of it.
#include "rewrite.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Small pieces share one: a file has some hundred thousand. Where a tool looks at each access, each has its own.
#ifdef __SANITIZE_ADDRESS__
enum { SHARED = 0 };
#else
enum { SHARED = 1 << 15 };
#endif
enum { FIRST = SHARED / 32 };  // some units are a line, and to clear all of it would take longer than to read that

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t data[];
};

void *keep(unit *u, size_t size) {
    const size_t room = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct chunk *c = u->memory;
    if (c && c->used + room <= c->size) {
        c->used += room;
        return (char *)c->data + c->used - room;
    }
    size_t shared = !c ? FIRST : c->size < SHARED / 2 ? 2 * c->size : SHARED;
    if (shared < room) shared = room;
    c = calloc(1, sizeof *c + shared);
    if (!c) {
        fprintf(stderr, "simt-rewrite: error: out of memory\n");
        exit(1);
    }
    c->used = room, c->size = shared;
    if (u->memory && room >= SHARED) {  // a large one: small ones go on where they were
        c->next = u->memory->next;
        u->memory->next = c;
        return c->data;
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

// Most patterns are of %s alone, and a tool makes some hundred thousand texts.
static char *joined(unit *u, const char *pattern, va_list list) {
    const char *part[16];
    size_t length[16], all = 0;
    int n = 0;
    for (const char *at = pattern; *at; n++) {
        if (n == 16 || (*at == '%' && at[1] != 's')) return NULL;
        part[n] = *at == '%' ? va_arg(list, const char *) : at;
        length[n] = *at == '%' ? strlen(part[n]) : strcspn(at, "%");
        at += *at == '%' ? 2 : length[n];
        all += length[n];
    }
    char *text = keep(u, all + 1), *to = text;
    for (int i = 0; i < n; to += length[i++]) memcpy(to, part[i], length[i]);
    *to = 0;
    return text;
}

const char *format(unit *u, const char *pattern, ...) {
    char first[512];
    va_list list, again;
    va_start(list, pattern);
    char *of_texts = joined(u, pattern, list);
    va_end(list);
    if (of_texts) return of_texts;
    va_start(list, pattern);
    va_copy(again, list);
    int length = vsnprintf(first, sizeof first, pattern, list);
    char *text = keep(u, (size_t)length + 1);
    if ((size_t)length < sizeof first)
        memcpy(text, first, (size_t)length + 1);
    else
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
