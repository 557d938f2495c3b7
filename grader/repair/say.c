// say.c: a change in words: the line as it is, on a line of its own, and what is to stand in it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "untried.h"
#include "say_statement.h"
#include "say_two.h"
#include "twice.h"
#include "rank.h"
#include "search.h"

enum { CHANGE = 500, NEARLY = 3 };

// "line 171", or "lines 171 and 172": the same slip may stand in several.
static void say_lines(const lab_edit *e, char *text, size_t size) {
    size_t used = snprintf(text, size, "line%s %d", *e->also ? "s" : "", e->line);
    for (const char *at = e->also; *at && used < size; at += *at == ',') {
        const int length = (int)strcspn(at, ",");
        used += snprintf(text + used, size - used, "%s%.*s", at[length] ? ", " : " and ", length, at);
        at += length;
    }
}

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Of a statement within a sentence, without its semicolon.
static int length_of(const char *statement) {
    const int n = (int)strlen(statement);
    return n && statement[n - 1] == ';' ? n - 1 : n;
}

static const char *each(const lab_edit *e) {
    return !*e->also ? "" : strchr(e->also, ',') ? " in each of them" : " in both";
}

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

// `x + 1` becomes `x + 0`: that is x, without + 1. Not of `x + 1 * y`.
static int adds_zero(const lab_edit *e, int from, int to) {
    static const char behind[] = ",;)]<>?:+-";
    int sign = from - 1;
    while (sign > 0 && e->whole[sign] == ' ') sign--;
    if (strcmp(e->now, "0") || strcmp(e->kind, "constant") || *e->also || sign < 1 || !strchr("+-", e->whole[sign]))
        return 0;
    int before = sign - 1;
    while (before > 0 && e->whole[before] == ' ') before--;
    to += (int)strspn(e->whole + to, " ");
    return (is_word(e->whole[before]) || strchr(")]", e->whole[before])) && e->whole[to] &&
           strchr(behind, e->whole[to]) && strncmp(e->whole + to, "->", 2);
}

// Returns 0 if the line does not show what changes.
static int say_in_line(const lab_edit *e, const char *lines, char *text, size_t size) {
    const int n = (int)strlen(e->was), length = (int)strlen(e->whole);
    int from = e->column - 1 - e->indent, to = from + n;
    if (from < 0 || to > length || strncmp(e->whole + from, e->was, (size_t)n)) return 0;
    if (length_of(e->was) < n) return 0;  // a statement
    if (adds_zero(e, from, to)) {
        int sign = from - 1;
        while (e->whole[sign] == ' ') sign--;
        snprintf(text, size, "%s, in %s:\n%s\nWithout %c %s,", lines, e->function, e->whole, e->whole[sign], e->was);
        return 1;
    }
    const int at = from, behind = to;
    balance(e->whole, &from, &to);
    snprintf(text, size, "%s, in %s:\n%s\nWith %.*s%s%.*s in place of %s%.*s%s,", lines, e->function, e->whole,
             at - from, e->whole + from, e->now, to - behind, e->whole + behind,
             e->each == 2 ? "some "
             : e->each    ? "each "
                          : which(e->whole, e->was, at),
             to - from, e->whole + from, each(e));
    return 1;
}

// `l += 0;` says nothing.
static int adds_nothing(const lab_edit *e) {
    const char *value = strchr(e->whole, '=');
    return strcmp(e->was, "=") == 0 && strcmp(e->now, "+=") == 0 && value && strtod(value + 1, NULL) == 0 &&
           strspn(value + 1, " 0.f;") == strlen(value + 1);
}

void lab_say_edit(const lab_repair_ask *ask, const lab_edit *e, char *text, size_t size) {
    const int in_place = *e->was && *e->now && strcmp(e->was, e->now);
    const int of_function = strcmp(e->end_of, e->function) == 0;
    char lines[80];
    say_lines(e, lines, sizeof lines);
    if (ask->line_only)
        snprintf(text, size, "one small change in %s is enough: with it", lines);
    else if (lab_say_barrier(ask, e, lines, text, size) || lab_say_kind(ask, e, lines, text, size))
        return;
    else if (*e->end_of)
        snprintf(text, size, "%s%s%sat the end of %s, before its closing brace, this is missing:\n%s\nWith it,",
                 of_function ? "" : "in ", of_function ? "" : e->function, of_function ? "" : ", ", e->end_of, e->now);
    else if (lab_is_always(e))
        snprintf(text, size, "%s, in %s:\n%s\nWithout the `if (%s)`,", lines, e->function, e->whole, e->was);
    else if (strcmp(e->kind, "never") == 0)
        snprintf(text, size, "%s, in %s:\n%s\nWith what its else does in all cases,", lines, e->function, e->whole);
    else if (adds_nothing(e))
        snprintf(text, size, "%s, in %s:\n%s\nWithout it,", lines, e->function, e->whole);
    else if (!*e->was)
        snprintf(text, size, "before %s, in %s, this is missing:\n%s\nWith it,", lines, e->function, e->now);
    else if (!*e->now)
        snprintf(text, size, "%s, in %s:\n%s\nWithout %.*s%s,", lines, e->function, e->whole,
                 strcmp(e->was, e->whole) ? length_of(e->was) : 2, strcmp(e->was, e->whole) ? e->was : "it", each(e));
    else if (!in_place)
        lab_say_moved(ask, e, lines, text, size);
    else if ((starts(e->kind, "behind line") || starts(e->kind, "before line")) && starts(e->was, "if ("))
        snprintf(text, size,
                 "%s, in %s, belongs behind the loop, which may end sooner:\n%s\nWith it %s, and without its if,",
                 lines, e->function, e->was, e->kind);
    else if (starts(e->kind, "behind line") || starts(e->kind, "before line"))
        snprintf(text, size, "%s, in %s, comes too early:\n%s\nWith it %s, in a loop of its own,", lines, e->function,
                 e->was, e->kind);
    else if (!lab_say_two(e, lines, text, size) && !say_in_line(e, lines, text, size))
        snprintf(text, size, "%s, in %s:\n%s\nWith %.*s in place of %.*s%s,", lines, e->function, e->whole,
                 length_of(e->now), e->now, length_of(e->was), e->was, each(e));
}

// What passes with the change, as far as it was tried.
static void say_what(const lab_found *f, const lab_subject *s, char *what, size_t size) {
    char of[24] = "";
    if (s->todo && !f->ends) snprintf(of, sizeof of, " of TODO %s", s->todo);
    const int failed = s->failed + (s->todo ? 0 : lab_untried());
    if ((f->ends || (!f->left && f->tried == s->failed)) && failed == s->failed)
        snprintf(what, size, "every claim%s passes", of);
    else if (f->tried == failed && f->tried == 1)
        snprintf(what, size, "the claim%s that failed passes", of);
    else if (f->tried == failed)
        snprintf(what, size, "the %d claims%s that failed pass", f->tried, of);
    else
        snprintf(what, size, "%d of the %d claims%s that fail %s (the others were not tried)", f->tried, failed, of,
                 f->tried == 1 ? "passes" : "pass");
}

// The same statement that is missing, some lines further: one place is enough.
static int comes_elsewhere(const lab_edit *e, const lab_edit *other) {
    return !*e->was && !*other->was && strcmp(e->now, other->now) == 0;
}

static int moved_to(const lab_edit *e) {
    const int moves = *e->was && !strcmp(e->was, e->now) && !strncmp(e->kind, "before line ", 12);
    return moves ? atoi(e->kind + 12) : 0;
}

// a; b; becomes b; a; by either: a moves behind b, or b before a.
static int changes_places(const lab_edit *e, const lab_edit *other) {
    const lab_edit *a = e->line < other->line ? e : other, *b = a == e ? other : e;
    return moved_to(a) > b->line && moved_to(b) == a->line;
}

// `tx + 16 * j` in the one line, `tx * 2 + j` in the other, and either may be the other's: they do not agree.
static int disagree(const lab_edit *e, const lab_edit *other) {
    const int changed = *e->was && *e->now && strcmp(e->was, e->now) != 0;  // two that move may read alike
    return changed && !strcmp(e->was, other->now) && !strcmp(e->now, other->was);
}

// Nearly as likely: of these two the claims say nothing, and the text not much.
static int may_be_the_other(const lab_edit *e, const lab_edit *other, const char *todo) {
    return disagree(e, other) && lab_edit_rank(other, todo) <= lab_edit_rank(e, todo) + NEARLY;
}

// j < n becomes j <= n: beside a known mistake that says so another number in another line is the same by arithmetic alone.
static int compares(const lab_edit *e) {
    static const char *const signs[] = {"<", "<=", ">", ">=", NULL};
    for (int i = 0; signs[i]; i++)
        if (!strcmp(e->was, signs[i])) return 1;
    return 0;
}

// In one function, where a reader sees both.
static int are_near(const lab_edit *e, const lab_edit *other) {
    return *e->function && !strcmp(e->function, other->function) && abs(e->line - other->line) < 4;
}

static void say_disagree(const lab_edit *e, const lab_edit *other, const char *what, char *text, size_t size) {
    const lab_edit *first = e->line < other->line ? e : other;
    snprintf(text, size,
             "line %d has %.*s where line %d has %.*s: they do not agree. With one of them in both lines, %s.",
             first->line, length_of(first->was), first->was, first == e ? other->line : e->line, length_of(first->now),
             first->now, what);
}

void lab_say_loose(const lab_repair_ask *ask, const lab_found *f, char *text, size_t size) {
    const lab_edit *e = f->mend[0].edit;
    if (ask->line_only)
        snprintf(text, size, "one small change in line %d is enough.", e->line);
    else
        snprintf(text, size,
                 "line %d, in %s:\n%s\nSeveral changes that make a number in this line larger mend what fails. So "
                 "something there is too small, or ends too early, and the claims do not tell which change is right.",
                 e->line, e->function, e->whole);
}

// The sentence about what was found: one change, or two between which nothing decides.
void lab_say_found(const lab_repair_ask *ask, const lab_found *f, const lab_subject *s, char *text, size_t size) {
    char change[CHANGE], what[120], other[CHANGE] = "", reason[120] = "", twice[280] = "", doubt[160] = "";
    const lab_edit *first = f->mend[0].edit, *second = NULL;
    say_what(f, s, what, sizeof what);
    lab_say_edit(ask, first, change, sizeof change);
    for (int i = 1; i < f->n && !second; i++)
        if (f->mend[i].edit->line != first->line &&
            (lab_edit_rank(f->mend[i].edit, s->todo) == lab_edit_rank(first, s->todo) ||
             may_be_the_other(first, f->mend[i].edit, s->todo)) &&
            !comes_elsewhere(first, f->mend[i].edit) && !changes_places(first, f->mend[i].edit))
            second = f->mend[i].edit;
    if (second && ask->known && compares(first) && !compares(second)) second = NULL;
    if (second) lab_say_edit(ask, second, other, sizeof other);
    if (!ask->line_only) lab_say_reason(first, reason, sizeof reason);
    if (f->twice) lab_say_stored_twice(ask->source, first, twice, sizeof twice);
    if (f->fails)
        snprintf(doubt, sizeof doubt, " %s still fails: something else is wrong, too, or it is another change.",
                 f->fails);
    if (second && !ask->line_only && disagree(first, second))
        say_disagree(first, second, what, text, size);
    else if (ask->known && *other && !are_near(first, second))  // two places would only confuse
        text[0] = 0;
    else if (lab_starts_fewer(first))
        snprintf(text, size,
                 "%s %s: with fewer threads it is right. All do the same elements, or what each finds is not joined.",
                 change, what);
    else if (*other)
        snprintf(text, size, "%s %s. Or %s it passes, too.%s", change, what, other, doubt);
    else
        snprintf(text, size, "%s %s.%s%s%s%s", change, what, *reason ? " " : "", reason, twice, doubt);
}
