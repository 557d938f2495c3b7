// cache_words.c: the state of a cache is one tensor, K_cache, V_cache and lengths (core/op_cache.c): a report of an element
// of it gets the name that the student's kernel has for it.
#include "cache_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops.h"

void lab_name_part_of_cache(const lab_case *c, char *text, size_t size) {
    static const char name[] = "global the cache[";
    char *at = c->op == &lab_cache_append ? strstr(text, name) : NULL, *end;
    if (!at) return;
    const size_t i = strtoul(at + strlen(name), &end, 10), one = lab_elements_kv(c->shape);
    char rest[1024], part[48];
    if (*end != ']' || i >= 2 * one + (size_t)c->shape.batch) return;
    if (i < 2 * one)
        snprintf(part, sizeof part, "global %s[%zu]", i < one ? "K_cache" : "V_cache", i % one);
    else
        snprintf(part, sizeof part, "lengths[%zu]", i - 2 * one);
    snprintf(rest, sizeof rest, "%s", end + 1);
    snprintf(at, size - (size_t)(at - text), "%s%s", part, rest);
}
