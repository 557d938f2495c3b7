// source_overlaid.c: two parts of one piece of memory that begin at the same place:
//
//     at.k = at.q + BR * pitch;
//     at.v = at.q + BC * pitch;           with BR = BC
//     float *qkv[3] = {a, b, a};          of which one call is given [0] and [2]
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_LOOKS = 400, NEAR = 5 };

typedef struct {
    const char *at;  // its name
    char name[LONGEST], from[LONGEST];
} part;

// Does the file declare a pointer of this name, through which is written?
static int is_pointer(const char *text, const char *name) {
    const char *dot = strrchr(name, '.');
    char star[LONGEST + 2];
    snprintf(star, sizeof star, "*%.*s", LONGEST, dot ? dot + 1 : name);
    for (const char *at = text; (at = strstr(at, star)); at++) {
        const char behind = *lab_skip_blanks(at + strlen(star)), *line = at;
        while (line > text && !strchr("\n;(", line[-1])) line--;
        if (lab_is_word(at[strlen(star)]) || !behind || !strchr(",;=)", behind)) continue;
        if (!lab_has_word(line, at, "const")) return 1;
    }
    return 0;
}

// Is it kept for free() alone? No element of it is taken, and nothing else is given it.
static int is_kept_to_free(const char *text, const char *name) {
    const char *dot = strrchr(name, '.'), *word = dot ? dot + 1 : name;
    const size_t n = strlen(word);
    int is_freed = 0;
    for (const char *at = text; (at = strstr(at, word)); at += n) {
        if (!lab_is_word_at(text, at, word)) continue;
        const char next = *lab_skip_blanks(at + n), *before = at;
        while (before > text && (lab_is_of_name(before[-1]) || strchr("-> ", before[-1]))) before--;
        const char *call = before > text && before[-1] == '(' ? before - 1 : before;
        while (call > text && lab_is_word(call[-1])) call--;
        const int frees = !strncmp(call, "free(", 5);
        is_freed |= frees;
        if (strchr("[+-", next) ||
            (before > text && strchr("(,=", before[-1]) && strchr(",);", next) && !frees && strncmp(call, "if (", 4)))
            return 0;
    }
    return is_freed;
}

// "NAME = FROM" up to a comma or a semicolon, around this = sign. No call: each may give memory of its own.
static int is_part(const char *text, const char *equals, part *p) {
    const char *end = equals, *from = equals + 1, *to = from + strcspn(from, ",;(){}\n?=");
    while (end > text && end[-1] == ' ') end--;
    for (p->at = end; p->at > text && lab_is_of_name(p->at[-1]);) p->at--;
    if (!*to || !strchr(",;", *to) || !lab_copy_word(p->at, end, p->name) || !lab_copy_word(from, to, p->from))
        return 0;
    const int is_nothing =
        !strcmp(p->from, "NULL") || !strcmp(p->from, "nullptr") || !strncmp(lab_skip_blanks(from), "new ", 4);
    return !is_nothing && !strchr("0123456789-&*", *p->from) && is_pointer(text, p->name) &&
           !is_kept_to_free(text, p->name);
}

// The same text, or the same but for names that stand for one number.
static int are_equal(const char *text, const char *a, const char *b) {
    while (*a && *b) {
        size_t n = 0, m = 0;
        while (lab_is_word(a[n])) n++;
        while (lab_is_word(b[m])) m++;
        if (n && m) {
            char one[LONGEST], other[LONGEST];
            snprintf(one, sizeof one, "%.*s", (int)n, a), snprintf(other, sizeof other, "%.*s", (int)m, b);
            if (strcmp(one, other)) {
                const long number = lab_constant(text, one, n);
                if (number < 0 || number != lab_constant(text, other, m)) return 0;
            }
            a += n, b += m;
        } else if (*a++ != *b++)
            return 0;
    }
    return *a == *b;
}

// Has the place that both begin from been moved in between, as by room += n?
static int is_moved(const part *a, const part *b) {
    char first[LONGEST], word[LONGEST + 4];
    size_t n = 0;
    while (lab_is_of_name(a->from[n])) n++;
    snprintf(first, sizeof first, "%.*s", (int)n, a->from);
    if (!*first) return 1;
    for (const char *at = a->at; at < b->at && (at = strstr(at, first)) && at < b->at; at += n) {
        const char *behind = lab_skip_blanks(at + n);
        snprintf(word, sizeof word, "%.3s", behind);
        if (strchr("+-*", *word) && strchr("=+-", word[1]) && word[1]) return 1;
        if (*word == '=' || !strncmp(at - 2, "++", 2)) return 1;
    }
    for (const char *c = a->at; c < b->at; c++)
        if (*c == '{' || *c == '}') return 1;
    return 0;
}

// Behind this place a call is given NAME[i] and NAME[k].
static int are_given(const char *from, const char *name, int i, int k) {
    char first[LONGEST + 16], second[LONGEST + 16];
    snprintf(first, sizeof first, "%s[%d]", name, i), snprintf(second, sizeof second, "%s[%d]", name, k);
    for (const char *at = from; (at = strstr(at, first)); at++) {
        const char *end = at + strcspn(at, ");{}"), *other = strstr(at, second);
        if (*end == ')' && other && other < end) return 1;
    }
    return 0;
}

// float *NAME[] = {A, B, A}, from its brace on. Where neither is const, both are written to.
static int is_listed_twice(const char *text, const char *brace, char *sentence, size_t size) {
    enum { MOST = 8 };
    char item[MOST][LONGEST], name[LONGEST];
    const char *open = brace, *line;
    while (open > text && !strchr(";}{", open[-1])) open--;
    line = lab_skip_blanks(open), open = strchr(open, '[');
    if (!open || open > brace || !memchr(line, '*', (size_t)(open - line)) || lab_has_word(line, brace, "const"))
        return 0;
    const char *first = open, *equals = lab_closing(open);
    while (first > line && lab_is_word(first[-1])) first--;
    if (!equals || strncmp(lab_skip_blanks(equals + 1), "= {", 3) || !lab_copy_word(first, open, name)) return 0;
    int n = 0;
    for (const char *at = brace + 1, *end; n < MOST; at = end + 1) {
        end = at + strcspn(at, ",{}();");
        if (!strchr(",}", *end) || !lab_copy_word(at, end, item[n++])) return 0;
        if (*end == '}') break;
    }
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            if (strcmp(item[i], item[k]) || !strcmp(item[i], "NULL") || !are_given(brace, name, i, k)) continue;
            return snprintf(
                       sentence, size,
                       "%s[%d] and %s[%d] are the same memory, %s (line %d): what is written to one of them is lost "
                       "in the other. Each has memory of its own",
                       name, i, name, k, item[i], lab_line_of(text, brace)) > 0;
        }
    return 0;
}

int lab_hint_of_overlaying(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    part last[NEAR], now;
    int looks = 0, n = 0;
    for (const char *at = start; at && looks++ < MOST_LOOKS && (at = strchr(at, '=')) && (!behind || at < behind);
         at++) {
        if (*lab_skip_blanks(at + 1) == '{' && is_listed_twice(text, lab_skip_blanks(at + 1), sentence, size))
            return LAB_HINT_CAUSE;
        if (!is_part(text, at, &now)) continue;
        for (int i = n > NEAR ? n - NEAR : 0; i < n; i++) {
            const part *p = &last[i % NEAR];
            if (!strcmp(p->name, now.name) || !are_equal(text, p->from, now.from) || is_moved(p, &now)) continue;
            snprintf(sentence, size,
                     "%s (line %d) and %s (line %d) begin at the same place: what is written to one of them is lost in "
                     "the other. Each begins where the one before it ends, and the memory has room for both",
                     p->name, lab_line_of(text, p->at), now.name, lab_line_of(text, now.at));
            return LAB_HINT_CAUSE;
        }
        last[n++ % NEAR] = now;
    }
    return LAB_HINT_NONE;
}
