// source_joined.c: two parts that are joined, each with a maximum, sums and outputs of its own, of which the one alone is
// brought to the maximum of both:
//
//     const float m = fmaxf(a->m, b->m), keep = expf(a->m - m);
//     a->l = keep * a->l + b->l;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// NAME.FIELD or NAME->FIELD, which ends at one of `ends`.
typedef struct {
    char name[LONGEST], field[LONGEST], text[2 * LONGEST + 2];
    const char *end;
} member;

static int read_member(const char *at, const char *ends, member *m) {
    const char *name = lab_skip_blanks(at), *dot = name, *field, *end;
    while (lab_is_word(*dot)) dot++;
    field = *dot == '.' ? dot + 1 : !strncmp(dot, "->", 2) ? dot + 2 : NULL;
    for (end = field; field && lab_is_word(*end);) end++;
    if (!field || end == field || !lab_copy_word(name, dot, m->name) || !lab_copy_word(field, end, m->field)) return 0;
    snprintf(m->text, sizeof m->text, "%.*s", (int)(end - name), name);
    m->end = lab_skip_blanks(end);
    return strchr(ends, *m->end) != NULL;
}

// The exponentials up to the end of the function: how many, and where the only one's argument stands.
static int exponentials(const char *from, const char *to, const char **argument) {
    int n = 0;
    for (const char *at = from; (at = strstr(at, "exp")) && at < to; at++) {
        const char *open = at;
        while (lab_is_word(*open)) open++;
        if (*open == '(') n++, *argument = open + 1;
        at = open - 1;
    }
    return n;
}

// + b->l or + b->o[d], times nothing: its line; 0: there is none.
static int added_alone(const char *text, const char *from, const char *to, const member *b) {
    for (const char *at = from; (at = strchr(at, '+')) && at < to; at++) {
        member m;
        if (at[1] == '+' || !read_member(at + 1 + (at[1] == '='), ";,)[", &m) || strcmp(m.name, b->name)) continue;
        const char *behind = *m.end == '[' ? m.end + strcspn(m.end, "];") + 1 : m.end;
        if (strcmp(m.field, b->field) && strchr(";,)", *lab_skip_blanks(behind))) return lab_line_of(text, at);
    }
    return 0;
}

int lab_hint_of_joining(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && (at = strstr(at, "fmaxf(")) && (!behind || at < behind); at++) {
        const char *function = lab_function_of(text, at), *end = strstr(at, "\n}"), *argument = NULL;
        member a, b, of;
        if (!function || !end || !read_member(at + 6, ",", &a) || !read_member(a.end + 1, ")", &b)) continue;
        if (strcmp(a.field, b.field) || !strcmp(a.name, b.name)) continue;
        if (exponentials(function, end, &argument) != 1 || argument < at || !read_member(argument, "-", &of)) continue;
        const int second = !strcmp(of.text, b.text);
        const member *other = second ? &a : &b;
        if (!second && strcmp(of.text, a.text)) continue;
        const int line = added_alone(text, at, end, other);
        if (!line) continue;
        snprintf(sentence, size,
                 "line %d adds what %s has as it is, and it counts from %s: where the maximum of both (line %d) is "
                 "larger, its sums are to be multiplied by exp(%s - that maximum), as those of %s are",
                 line, other->name, other->text, lab_line_of(text, at), other->text, of.name);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
