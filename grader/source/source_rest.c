// source_rest.c: a loop that does whole groups alone, and no line that does what is left over, or one of it:
//
//     for (int s = 0; s + 4 <= S; s += 4) copy_four(y + s, x + s);
//     for (; l + 3 < k; l += 4) four(l);                                   if (l < k) one(l);
//     const int steps = k / DEPTH;                                         for (int s = 0; s < steps; s++) step(s * DEPTH);
//     for (int g = 0; g < n / 4; g++) four(4 * g);                         for (int c = 0; c < 4 * groups; c++) one(c);
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

static int is_name(const char *word) {
    for (const char *c = word; *c; c++)
        if (!lab_is_word(*c) && *c != '.') return 0;
    return *word && (*word < '0' || *word > '9');
}

// Of "s+4<=S", "s+3<S" and "s<S/4*4" with a step of 4: the end S.
static int end_of_groups(const lab_loop *l, char end[LONGEST]) {
    const char *semicolon = strchr(l->condition, ';');
    char condition[LONGEST], form[3][2 * LONGEST + 8];
    if (!semicolon || !lab_copy_word(l->condition, semicolon, condition)) return 0;
    snprintf(form[0], sizeof form[0], "%s+%s<=", l->name, l->step);
    snprintf(form[1], sizeof form[1], "%s+%d<", l->name, atoi(l->step) - 1);
    snprintf(form[2], sizeof form[2], "/%s*%s", l->step, l->step);
    for (int i = 0; i < 2; i++)
        if (!strncmp(condition, form[i], strlen(form[i]))) strcpy(end, condition + strlen(form[i]));
    const size_t n = strlen(l->name);
    const char *rounded = strstr(condition, form[2]);
    if (!*end && rounded && !rounded[strlen(form[2])] && !strncmp(condition, l->name, n) && condition[n] == '<')
        snprintf(end, LONGEST, "%.*s", (int)(rounded - condition - n - 1), condition + n + 1);
    return is_name(end);
}

// A size that the file's author has chosen: BM of a template, MAX_SPLITS of a header, blockDim.x.
static int is_chosen(const char *text, const char *name) {
    const char *c = name;
    while (*c && !(*c >= 'a' && *c <= 'z')) c++;
    if ((!*c && strchr(name, '_')) || strstr(name, "Dim.")) return 1;
    for (const char *at = text; (at = strstr(at, "template")); at++)
        if (lab_has_word(at, at + strcspn(at, ">"), name)) return 1;
    return 0;
}

// The head dim is a multiple of 8, and a constant is what it is.
int lab_is_even(const char *text, const char *end) {
    static const char *const dims[] = {"D", "head_dim", "dim", "hd", "dims", "d", NULL};
    const char *dot = strrchr(end, '.'), *last = dot ? dot + 1 : end;
    for (int i = 0; dims[i]; i++)
        if (!strcmp(last, dims[i])) return 1;
    return (!dot && lab_constant(text, end, strlen(end)) >= 0) || is_chosen(text, end);
}

// Does a line behind the loop, up to the end of the function, go up to the same end, or ask what is left?
static int is_done(const lab_loop *l, const char *end) {
    const char *stop = strstr(l->end, "\n}");
    char again[3][LONGEST + 4];
    snprintf(again[0], sizeof again[0], "< %s", end), snprintf(again[1], sizeof again[1], "<= %s", end);
    snprintf(again[2], sizeof again[2], "%s %% ", end);
    for (int i = 0; stop && i < 3; i++) {
        const char *at = strstr(l->end, again[i]);
        if (at && at < stop) return 1;
    }
    return 0;
}

// Behind "for (...; NAME + 3 < END; NAME += 4) ..." stands "if (NAME < END)": which place is that? NULL: it does not.
static const char *done_once(const char *at, int *group, char name[LONGEST], char end[LONGEST]) {
    const char *open = lab_skip_blanks(at + 3), *close = *open == '(' ? lab_matching(open) : NULL;
    const char *first = close ? strchr(open, ';') : NULL, *second = first ? strchr(first + 1, ';') : NULL;
    char condition[LONGEST], step[LONGEST], form[2][LONGEST + 16], question[LONGEST + 8], asked[2 * LONGEST + 8];
    if (!second || second > close || !lab_copy_word(first + 1, second, condition) ||
        !lab_copy_word(second + 1, close, step))
        return NULL;
    const char *by = strstr(step, "+=");
    *group = by ? atoi(by + 2) : 0;
    if (*group < 3) return NULL;
    snprintf(name, LONGEST, "%.*s", (int)(by - step), step);
    snprintf(form[0], sizeof form[0], "%s+%d<", name, *group - 1);
    snprintf(form[1], sizeof form[1], "%s+%d<=", name, *group);
    *end = 0;
    for (int i = 0; i < 2 && !*end; i++)
        if (!strncmp(condition, form[i], strlen(form[i])) && condition[strlen(form[i])] != '=')
            strcpy(end, condition + strlen(form[i]));
    const char *body = lab_skip_blanks(close + 1),
               *last = *body == '{' ? lab_matching(body) : body + strcspn(body, ";");
    const char *next = *end && last && *last ? lab_skip_blanks(last + 1) : NULL;
    if (!next || !lab_is_word_at(at, next, "if")) return NULL;
    open = lab_skip_blanks(next + 2), close = *open == '(' ? lab_matching(open) : NULL;
    snprintf(asked, sizeof asked, "%s<%s", name, end);
    return close && lab_copy_word(open + 1, close, question) && !strcmp(question, asked) ? next : NULL;
}

static int one_of_rest(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1), *question;
    char name[LONGEST], end[LONGEST];
    int group;
    for (const char *at = start; at && (at = strstr(at, "for")) && (!behind || at < behind); at += 3) {
        if (!lab_is_word_at(text, at, "for") || !(question = done_once(at, &group, name, end))) continue;
        snprintf(sentence, size,
                 "line %d: up to %d are left over behind the groups of %d, and if does one of them. It is while, or a "
                 "for loop",
                 lab_line_of(text, question), group - 1, group);
        return 1;
    }
    return 0;
}

// "NAME = END / SIZE" in the function before this place: what is divided, and by what.
static int is_quotient(const char *function, const char *at, const char *name, char end[LONGEST], char by[LONGEST]) {
    char form[LONGEST + 8];
    snprintf(form, sizeof form, " %s = ", name);
    const char *set = strstr(function, form), *value = set ? set + strlen(form) : NULL;
    char all[LONGEST];
    if (!set || set > at || !lab_copy_word(value, value + strcspn(value, ",;\n"), all)) return 0;
    const char *slash = strchr(all, '/');
    if (!slash || slash == all || strchr(slash + 1, '/')) return 0;
    snprintf(end, LONGEST, "%.*s", (int)(slash - all), all), snprintf(by, LONGEST, "%s", slash + 1);
    return is_name(end) && (is_name(by) || atoi(by) > 1);
}

static int splits(const char *text, char mark, char first[LONGEST], char second[LONGEST]) {
    const char *at = strchr(text, mark);
    if (!at || at == text || strchr(at + 1, mark)) return 0;
    snprintf(first, LONGEST, "%.*s", (int)(at - text), text), snprintf(second, LONGEST, "%s", at + 1);
    return (is_name(first) || atoi(first) > 1) && (is_name(second) || atoi(second) > 1);
}

// Of "steps", "n/4" and "4*groups" as the end of a loop: what is divided, by what, and the quotient's name, if it has one.
static int quotient_of(const char *function, const char *at, const char *bound, char end[LONGEST], char by[LONGEST],
                       char count[LONGEST]) {
    char one[LONGEST], two[LONGEST];
    *count = 0;
    if (splits(bound, '/', end, by)) return is_name(end);
    if (splits(bound, '*', one, two)) {
        for (int i = 0; i < 2; i++)
            if (is_quotient(function, at, i ? one : two, end, by) && !strcmp(by, i ? two : one))
                return snprintf(count, LONGEST, "%s", i ? one : two);
        return 0;
    }
    snprintf(count, LONGEST, "%s", bound);
    return is_name(count) && !strchr(count, '.') && is_quotient(function, at, count, end, by);
}

static int asks_for(const char *function, const char *stop, const char *end) {
    static const char *const asks[] = {"< %s",  "<= %s", "%s %% ",  "%s - ", "%s -1",
                                       ">= %s", "== %s", ", %s - ", "%s > "};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char asked[LONGEST + 8];
        snprintf(asked, sizeof asked, asks[i], end);
        for (const char *at = function; (at = strstr(at, asked)) && at < stop; at++) {
            const char *behind = at + strlen(asked), *next = lab_skip_blanks(behind);
            if (asked[strlen(asked) - 1] == ' ' || (!lab_is_word(*behind) && *next != '/')) return 1;
        }
    }
    return 0;
}

// The number of a loop's rounds is rounded down, and a round does so many: nobody asks for the end.
static int counts_whole(const char *text, const lab_loop *l, char *sentence, size_t size) {
    const char *semicolon = strchr(l->condition, ';'), *function = lab_function_of(text, l->at);
    char condition[LONGEST], form[LONGEST + 2], end[LONGEST], by[LONGEST], count[LONGEST], times[2][2 * LONGEST + 8];
    snprintf(form, sizeof form, "%s<", l->name);
    if (!semicolon || strcmp(l->step, "1") || !lab_copy_word(l->condition, semicolon, condition)) return 0;
    const char *bound = condition + strlen(form), *stop = strstr(l->end, "\n}");
    if (!stop || strncmp(condition, form, strlen(form)) || !quotient_of(function, l->at, bound, end, by, count))
        return 0;
    if (lab_is_even(text, end) || asks_for(function, stop, end)) return 0;
    snprintf(times[0], sizeof times[0], "%s * %s", l->name, by);
    snprintf(times[1], sizeof times[1], "%s * %s", by, l->name);
    const char *a = strstr(l->body, times[0]), *b = strstr(l->body, times[1]);
    if (!strchr(bound, '*') && (!a || a > l->end) && (!b || b > l->end)) return 0;  // a round does one
    const int line = lab_line_of(text, l->at);
    char whole[LONGEST + 8];
    snprintf(whole, sizeof whole, " %s = ", count);
    if (strchr(bound, '*') || !*count)
        snprintf(sentence, size,
                 "line %d: %s / %s is rounded down, so whole groups of %s alone are done, and no line does the last %s "
                 "%% %s. Behind the groups belongs a loop for these",
                 line, end, by, by, end, by);
    else
        snprintf(
            sentence, size,
            "line %d: %s is rounded down, so the loop of line %d does whole groups of %s alone, and no line does the "
            "last %s %% %s. Round it up: (%s + %s - 1) / %s, and ask in the last one where %s ends",
            lab_line_of(text, strstr(function, whole) + 1), count, line, by, end, by, end, by, by, end);
    return 1;
}

int lab_hint_of_rest(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    const int n = lab_loops_of(text, from, to, all);
    for (int i = 0; i < n; i++) {
        char end[LONGEST] = "";
        const lab_loop *l = &all[i];
        char value[LONGEST], left[2 * LONGEST + 8];
        if (counts_whole(text, l, sentence, size)) return LAB_HINT_CAUSE;
        if (!strcmp(l->step, "1") || !end_of_groups(l, end) || lab_is_even(text, end) || is_done(l, end)) continue;
        if (!is_name(l->from) && strcmp(l->from, "0")) continue;
        if (strchr(l->from, '.') || lab_origin(text, l->at, l->from, value))
            continue;  // each thread has its own groups
        if (!strcmp(l->from, "0"))
            snprintf(left, sizeof left, "the last %s %% %s", end, l->step);
        else
            snprintf(left, sizeof left, "those that are left up to %s", end);
        snprintf(
            sentence, size,
            "line %d: the loop does whole groups of %s alone, and no line does %s. Behind it belongs a loop for these",
            lab_line_of(text, l->at), l->step, left);
        return LAB_HINT_CAUSE;
    }
    return one_of_rest(text, from, to, sentence, size) ? LAB_HINT_CAUSE : LAB_HINT_NONE;
}
