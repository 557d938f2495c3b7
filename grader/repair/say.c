// say.c: a change in words: the line as it is, on a line of its own, and what is to stand in it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "search.h"

enum { CHANGE = 500 };

// The same slip stands elsewhere, too.
static void say_also(const lab_edit *e, char *text, size_t size) {
    const size_t used = strlen(text);
    if (*e->also)
        snprintf(text + used, size - used, ", here and likewise in line%s %s", strchr(e->also, ',') ? "s" : "",
                 e->also);
}

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Of a[i][j], i][j is no text that can be read: the brackets at both ends, and the name before them, belong to it.
static void balance(const char *line, int *from, int *to) {
    int depth = 0, least = 0;
    for (int i = *from; i < *to; i++) {
        depth += strchr("([", line[i]) != NULL, depth -= strchr(")]", line[i]) != NULL;
        if (depth < least) least = depth;
    }
    if (!least && !depth) return;
    for (int open = least; *from > 0 && open < 0; (*from)--)
        open += strchr("([", line[*from - 1]) != NULL, open -= strchr(")]", line[*from - 1]) != NULL;
    while (*from > 0 && is_word(line[*from - 1])) (*from)--;
    for (depth -= least; line[*to] && depth > 0; (*to)++)
        depth += strchr("([", line[*to]) != NULL, depth -= strchr(")]", line[*to]) != NULL;
}

// Which of several in the line is meant: "the second -"; "" where there is one. A name within a name is another one.
static const char *which(const char *line, const char *was, int at) {
    static const char *const words[] = {"the first ", "the second ", "the third ", "the fourth ", "the fifth "};
    const int n = (int)strlen(was);
    int before = 0, all = 0;
    for (const char *p = line; n && (p = strstr(p, was)); p++) {
        if (is_word(*was) && ((p > line && is_word(p[-1])) || is_word(p[n]))) continue;
        if (ispunct((unsigned char)*was) && n == 1 && (p[1] == '=' || p[1] == *was || (p > line && p[-1] == *was)))
            continue;  // - of -= and --
        before += p - line < at, all++;
    }
    return all > 1 && before < 5 ? words[before] : "";
}

// Returns 0 if the line does not show what changes.
static int say_in_line(const lab_edit *e, char *text, size_t size) {
    const int n = (int)strlen(e->was), length = (int)strlen(e->whole);
    int from = e->column - 1 - e->indent, to = from + n;
    if (from < 0 || to > length || strncmp(e->whole + from, e->was, (size_t)n)) return 0;
    const int at = from, behind = to;
    balance(e->whole, &from, &to);
    snprintf(text, size, "line %d, in %s:\n%s\nWith %.*s%s%.*s in place of %s%.*s", e->line, e->function, e->whole,
             at - from, e->whole + from, e->now, to - behind, e->whole + behind, which(e->whole, e->was, at), to - from,
             e->whole + from);
    return 1;
}

// Another condition before a barrier mends what its `if` does: some threads of the block do not reach it.
static int is_before_barrier(const lab_edit *e) {
    return starts(e->whole, "if") && strstr(e->whole, "__syncthreads") && *e->was && !starts(e->was, "__syncthreads");
}

// `l += 0;` says nothing.
static int adds_nothing(const lab_edit *e) {
    const char *value = strchr(e->whole, '=');
    return strcmp(e->was, "=") == 0 && strcmp(e->now, "+=") == 0 && value && strtod(value + 1, NULL) == 0 &&
           strspn(value + 1, " 0.f;") == strlen(value + 1);
}

void lab_say_edit(const lab_edit *e, int line_only, char *text, size_t size) {
    const int in_place = *e->was && *e->now && strcmp(e->was, e->now);
    if (line_only)
        snprintf(text, size, "one small change in line %d is enough: with it", e->line);
    else if (starts(e->now, "__syncthreads") && !*e->was)
        snprintf(text, size, "a barrier is missing before line %d. With __syncthreads() there", e->line);
    else if (is_before_barrier(e))
        snprintf(text, size,
                 "line %d, in %s, is a barrier that some threads of the block do not reach:\n%s\nWithout the if",
                 e->line, e->function, e->whole);
    else if (adds_nothing(e))
        snprintf(text, size, "line %d, in %s:\n%s\nWithout it", e->line, e->function, e->whole);
    else if (!*e->was)
        snprintf(text, size, "before line %d, in %s, this is missing:\n%s\nWith it", e->line, e->function, e->now);
    else if (!*e->now)
        snprintf(text, size, "line %d, in %s:\n%s\nWithout %s", e->line, e->function, e->whole,
                 strcmp(e->was, e->whole) ? e->was : "it");
    else if (!in_place)
        snprintf(text, size, "line %d, in %s, stands in the wrong place:\n%s\nWith it %s", e->line, e->function, e->was,
                 e->kind);
    else if (!say_in_line(e, text, size))
        snprintf(text, size, "line %d, in %s:\n%s\nWith %s in place of %s", e->line, e->function, e->whole, e->now,
                 e->was);
    if (!line_only) say_also(e, text, size);
}

// What passes with the change, as far as it was tried.
static void say_what(const lab_found *f, const lab_subject *s, char *what, size_t size) {
    char of[24] = "";
    if (s->todo && !f->ends) snprintf(of, sizeof of, " of TODO %s", s->todo);
    if (f->ends || (!f->left && f->tried == s->failed))
        snprintf(what, size, "every claim%s passes", of);
    else if (f->tried == s->failed && f->tried == 1)
        snprintf(what, size, "the claim%s that failed passes", of);
    else if (f->tried == s->failed)
        snprintf(what, size, "the %d claims%s that failed pass", f->tried, of);
    else
        snprintf(what, size, "%d of the %d claims%s that fail %s (the others were not tried)", f->tried, s->failed, of,
                 f->tried == 1 ? "passes" : "pass");
}

// The same statement that is missing, some lines further: one place is enough.
static int comes_elsewhere(const lab_edit *e, const lab_edit *other) {
    return !*e->was && !*other->was && strcmp(e->now, other->now) == 0;
}

// The sentence about what was found: one change, or two between which nothing decides.
void lab_say_found(const lab_repair_ask *ask, const lab_found *f, const lab_subject *s, char *text, size_t size) {
    char change[CHANGE], what[120], other[CHANGE] = "";
    const lab_edit *first = f->mend[0].edit;
    say_what(f, s, what, sizeof what);
    lab_say_edit(first, ask->line_only, change, sizeof change);
    for (int i = 1; i < f->n && !*other; i++)
        if (f->mend[i].edit->line != first->line && lab_rank(f->mend[i].edit, s->todo) == lab_rank(first, s->todo) &&
            !comes_elsewhere(first, f->mend[i].edit))
            lab_say_edit(f->mend[i].edit, ask->line_only, other, sizeof other);
    if (lab_starts_fewer(first))
        snprintf(text, size, "%s %s: with fewer threads it is right. What the others find is not joined.", change,
                 what);
    else if (*other)
        snprintf(text, size, "either %s %s; or %s it passes, too.", change, what, other);
    else
        snprintf(text, size, "%s %s.", change, what);
}
