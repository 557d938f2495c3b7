// source_cleared.c: memory of several numbers a row, of which one number a row is set to 0:
//
//     w->sum = malloc(sizeof(float) * Br * D);
//     memset(w->sum, 0, sizeof(float) * rows);
//     float *sum = w->sum + r * D;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 4 };

typedef struct {
    char factor[MOST][LONGEST];
    int n, bytes;  // bytes: sizeof is one of them
} product;

// A product of names and sizeof, with casts: sizeof(float) * (size_t)Br * D.
static int product_of(const char *from, const char *to, product *p) {
    p->n = p->bytes = 0;
    while (from < to) {
        const char *word = lab_skip_blanks(from), *end = word + (strncmp(word, "sizeof *", 8) ? 0 : 8);
        for (int depth = 0; end < to && (depth || *end != '*'); end++) depth += (*end == '(') - (*end == ')');
        while (*word == '(' && lab_matching(word) && lab_matching(word) + 1 < end) word = lab_matching(word) + 1;
        if (!strncmp(word, "sizeof", 6))
            p->bytes++;
        else if (p->n == MOST || !lab_copy_word(word, end, p->factor[p->n++]))
            return 0;
        else
            for (const char *c = p->factor[p->n - 1]; *c; c++)
                if (!lab_is_of_name(*c) && *c != '-' && *c != '>') return 0;
        from = end + 1;
    }
    return p->bytes == 1;
}

// NAME = malloc(SIZE): where the file asks for it. NULL: it does so nowhere, or sets NAME to something else, too.
static const char *asked_for(const char *text, const char *name, product *p) {
    const size_t n = strlen(name);
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        const char *sign = lab_skip_blanks(at + n), *value = lab_skip_blanks(sign + 1);
        if (!lab_is_word_at(text, at, name) || *sign != '=' || sign[1] == '=') continue;
        while (*value == '(' && lab_matching(value)) value = lab_skip_blanks(lab_matching(value) + 1);
        const char *open = strncmp(value, "malloc(", 7) ? NULL : value + 6, *close = open ? lab_matching(open) : NULL;
        if (found || !close || !product_of(open + 1, close, p)) return NULL;
        found = at;
    }
    return found;
}

// Does a place in it lie so many numbers behind another one: NAME[r * D + d], NAME + r * D?
static int is_walked_by(const char *text, const char *name, const char *width) {
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *behind = lab_skip_blanks(at + strlen(name)), *end = behind + strcspn(behind, ";{,");
        if (!lab_is_word_at(text, at, name) || (*behind != '[' && *behind != '+')) continue;
        for (const char *by = behind; (by = memchr(by, '*', (size_t)(end - by))); by++)
            if (lab_is_word_at(text, lab_skip_blanks(by + 1), width)) return 1;
    }
    return 0;
}

// The last of its factors that the other one does not have.
static const char *left_out(const product *all, const product *some) {
    for (int i = all->n; i--;) {
        int has = 0;
        for (int k = 0; k < some->n; k++) has |= !strcmp(all->factor[i], some->factor[k]);
        if (!has) return all->factor[i];
    }
    return NULL;
}

int lab_hint_of_cleared(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *last = lab_line_at(text, to + 1);
    for (; at && (at = strstr(at, "memset(")) && (!last || at < last); at++) {
        const char *open = at + 6, *close = lab_matching(open), *end[3], *list[3];
        char name[LONGEST], value[LONGEST];
        product set, asked;
        for (int i = 0; i < 3; i++) list[i] = close ? lab_in_list(open + 1, close, i, &end[i]) : NULL;
        if (!list[2] || !lab_copy_word(list[1], end[1], value) || strcmp(value, "0")) continue;
        const char *word = end[0];
        while (word > list[0] && lab_is_word(word[-1])) word--;
        if (memchr(list[0], '+', (size_t)(end[0] - list[0])) || !lab_copy_word(word, end[0], name)) continue;
        const char *made = product_of(list[2], end[2], &set) && set.n ? asked_for(text, name, &asked) : NULL;
        const char *width = made && set.n < asked.n ? left_out(&asked, &set) : NULL;
        if (!width || !is_walked_by(text, name, width)) continue;
        snprintf(
            sentence, size,
            "line %d sets %s numbers of %s to 0, one for each row, and its rows have %s numbers each (line %d asks "
            "for so many): it is %s * %s",
            lab_line_of(text, at), set.factor[set.n - 1], name, width, lab_line_of(text, made), set.factor[set.n - 1],
            width);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
