// source_maximum.c: where a maximum is raised, and what is an exponential of it. For source_*.c.
#include "source_maximum.h"

#include <stdio.h>
#include <string.h>

#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD };

static const char *const maxima[] = {"fmaxf(", "fmax(", "max(", NULL};
static const char *const exponentials[] = {"expf(", "exp(", "__expf(", "exp2f(", "weight(", NULL};

static const char *call_of(const char *const names[], const char *from, const char *to) {
    for (int i = 0; names[i]; i++)
        for (const char *at = from; (at = strstr(at, names[i])) && at < to; at++)
            if (at == from || !lab_is_word(at[-1])) return at + strlen(names[i]);
    return NULL;
}

int lab_takes_maximum(const char *from, const char *to) {
    const char *more = memchr(from, '>', (size_t)(to - from)),
               *ask = more ? memchr(more, '?', (size_t)(to - more)) : NULL;
    return call_of(maxima, from, to) || (ask && more[-1] != '-');  // s > m ? s : m
}

int lab_is_raised(const char *open, const lab_setting *s, char name[LONGEST]) {
    if (s->op != '=' || !lab_copy_word(s->left, s->left_end, name) || strchr(name, '[')) return 0;
    const char *word = lab_last_word(s), *line = s->left, *call = call_of(maxima, s->value, s->end);
    char last[LONGEST], value[LONGEST], asked[2 * LONGEST + 8];
    if (!lab_copy_word(word, s->left_end, last)) return 0;
    if (call) return lab_has_word(call, s->end, last);
    while (line > open && !strchr(";{}", line[-1])) line--;
    if (!lab_copy_word(s->value, s->end, value)) return 0;
    snprintf(asked, sizeof asked, "(%s > %s)", value, name);
    const char *at =
        strstr(line > open && line[-1] == '{' ? line - 2 * LONGEST < open ? open : line - 2 * LONGEST : line, asked);
    return at && at < s->left;
}

int lab_is_exponential(const char *from, const char *to, const char *m) {
    const char *call = call_of(exponentials, from, to);
    char less[2][LONGEST + 4];
    snprintf(less[0], sizeof less[0], "- %s", m), snprintf(less[1], sizeof less[1], ", %s)", m);
    for (int i = 0; call && i < 2; i++) {
        const char *at = strstr(call, less[i]);
        if (at && at < to && !lab_is_word(at[strlen(less[i])])) return 1;
    }
    return 0;
}

// Is it set in each round before anything reads it, to what it is not made of? Where it is declared is another matter.
static int is_set_first(const lab_loop *l, const char *m) {
    static lab_setting set[LAB_MOST_SET];
    const char *body = lab_skip_blanks(l->body), *first = body;
    char name[LONGEST];
    const int n = lab_settings_of(l->body, l->end, set);
    while ((first = strstr(first, m)) && first < l->end && !lab_is_word_at(body, first, m)) first++;
    for (int i = 0; i < n && first && set[i].left <= first; i++) {
        const char *before = set[i].left;
        if (set[i].left < first || set[i].op != '=' || !lab_copy_word(set[i].left, set[i].left_end, name)) continue;
        while (before > body && strchr(" \n\t", before[-1])) before--;
        return !strcmp(name, m) && !lab_has_word(set[i].value, set[i].end, m) &&
               (before == body || strchr(";{}", before[-1])) && lab_block_around(body, set[i].left) == body;
    }
    return 0;
}

int lab_begins_in(const lab_loop *l, const char *m) {
    for (const char *at = l->body; (at = strstr(at, "float ")) && at < l->end; at++)
        if (lab_has_word(at, at + strcspn(at, ";(){}"), m)) return 1;
    return is_set_first(l, m);
}
