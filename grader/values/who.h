// who.h: what parts_scores and parts_outputs share: the numbers of a file, and in words who has what of a kind.
#ifndef LAB_VALUES_WHO_H
#define LAB_VALUES_WHO_H

#include <stdio.h>
#include <string.h>

#include "depends.h"

typedef const lab_number *number;

static inline const lab_line *line_of(const lab_depends *d, number x) { return &d->lines.line[x->told.id - 1]; }
static inline int size_of(number x, lab_of kind) { return lab_set_size(&x->of[kind]); }
static inline int same(number a, number b, lab_of kind) { return lab_set_same(&a->of[kind], &b->of[kind]); }
static inline int thread_of(number x) { return x->told.where & 1023; }
static inline int is_of_block(number a, number b) { return a->told.where >> 10 == b->told.where >> 10; }
static inline int is_known(number x) { return x->told.where >= 0; }

// "key 3", "keys 0 .. 7", "keys 0, 8, 16, ...": of so many there are.
static inline const char *words(const char *one, const lab_set *s, char *text, size_t size) {
    enum { SHOWN = 3 };
    int list[LAB_OF_MOST], n = 0, even = 1;
    for (int i = 0; i < LAB_OF_MOST; i++)
        if (lab_set_has(s, i)) list[n++] = i;
    for (int i = 2; i < n; i++) even &= list[i] - list[i - 1] == list[1] - list[0];
    if (n < 2)
        snprintf(text, size, n ? "%s %d" : "no %s", one, n ? list[0] : 0);
    else if (n == 2)
        snprintf(text, size, "%ss %d and %d", one, list[0], list[1]);
    else if (even && list[1] == list[0] + 1)
        snprintf(text, size, "%ss %d .. %d", one, list[0], list[n - 1]);
    else
        snprintf(text, size, "%ss %d, %d, %d%s", one, list[0], list[1], list[2], n > SHOWN ? ", ..." : "");
    if (n == 1 && even) snprintf(text, size, "%s %d", one, list[0]);
    return text;
}

// Those of two numbers. A key that both have is the row's largest score, most often, by which everything is divided.
typedef struct {
    char a[80], b[80];
} two_words;

static inline two_words of_both(const char *one, number a, number b, lab_of kind) {
    two_words w;
    lab_set x = a->of[kind], y = b->of[kind], common;
    for (int i = 0; i < LAB_OF_MOST / 64; i++) common.word[i] = x.word[i] & y.word[i];
    const int leave = lab_set_size(&common) == 1 && lab_set_size(&x) > 1 && lab_set_size(&y) > 1;
    for (int i = 0; i < LAB_OF_MOST / 64 && leave; i++) x.word[i] &= ~common.word[i], y.word[i] &= ~common.word[i];
    words(one, &x, w.a, sizeof w.a), words(one, &y, w.b, sizeof w.b);
    return w;
}

// The last number before `end` in the same thread that fits; NULL: there is none.
typedef int (*fits)(number x, number of);

static inline number before(const lab_depends *d, number of, fits fit) {
    for (number x = of; x-- > d->number;)
        if (x->told.where == of->told.where && fit(x, of)) return x;
    return NULL;
}

// What a function returns: the line that asked for it, where that takes it as it is, or makes more of it.
static inline number taken(const lab_depends *d, number x) {
    for (number next = x + 1; next < d->number + d->n && !strcmp(line_of(d, x)->name, "return"); next++)
        if (next->told.where == x->told.where) {
            if (!lab_set_within(&x->of[LAB_OF_KEYS], &next->of[LAB_OF_KEYS])) return x;
            x = next;
        }
    return x;
}

// The line that calls what adds up: the next one of the function that had the parts.
static inline number caller(const lab_depends *d, number mixed, number part, lab_of kind) {
    const char *in = line_of(d, part)->function;
    if (!strcmp(in, line_of(d, mixed)->function)) return mixed;
    for (number x = mixed; x < d->number + d->n; x++)
        if (x->told.where == mixed->told.where && !strcmp(in, line_of(d, x)->function))
            return size_of(x, kind) >= size_of(mixed, kind) ? x : mixed;
    return mixed;
}

// Of an element of the output: its row.
static inline int query_of(const lab_depends *d, size_t element) {
    const int rows = d->count[LAB_OF_QUERIES];
    return rows ? (int)(element / (d->n_output / (size_t)rows)) : 0;
}

// What an output is a sum of.
static inline lab_of summed(const lab_depends *d) { return d->count[LAB_OF_VALUES] ? LAB_OF_VALUES : LAB_OF_KEYS; }

// The number that was stored as this element: the last one that is the same, bit by bit, of the first thread.
static inline number stored(const lab_depends *d, number element) {
    number found = NULL;
    for (number x = d->number + d->n; x-- > d->number;)
        if (!memcmp(&x->told.value, &element->told.value, sizeof(float)) && is_known(x) &&
            same(x, element, summed(d)) && same(x, element, LAB_OF_COLUMNS) &&
            (!found || x->told.where < found->told.where))
            found = x;
    return found;
}

// Each returns 0 for nothing.
int lab_left_dims(const lab_depends *d, char *text, size_t size);
int lab_parts_of_scores(const lab_depends *d, char *text, size_t size);
int lab_sums_of_others(const lab_depends *d, char *text, size_t size);
int lab_parts_of_outputs(const lab_depends *d, char *text, size_t size);
int lab_undivided(const lab_depends *d, char *text, size_t size);
int lab_counted_twice(const lab_depends *d, char *text, size_t size);
int lab_parts_of_sum(const lab_depends *d, char *text, size_t size);
int lab_other_factors(const lab_depends *d, char *text, size_t size);
int lab_logs_of_parts(const lab_depends *d, char *text, size_t size);
int lab_masked_without(const lab_depends *d, char *text, size_t size);
int lab_hidden_keys(const lab_depends *d, char *text, size_t size);
int lab_queries_that_meet(const lab_depends *d, char *text, size_t size);

#endif
