// source_rest.c: a loop that does whole groups alone, and no line that does what is left over:
//
//     for (int s = 0; s + 4 <= S; s += 4) copy_four(y + s, x + s);
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

// The head dim is a multiple of 8, and a constant is what it is.
static int is_even(const char *text, const char *end) {
    static const char *const dims[] = {"D", "head_dim", "dim", "hd", "dims", "d", NULL};
    const char *dot = strrchr(end, '.'), *last = dot ? dot + 1 : end;
    for (int i = 0; dims[i]; i++)
        if (!strcmp(last, dims[i])) return 1;
    return !dot && lab_constant(text, end, strlen(end)) >= 0;
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

int lab_hint_of_rest(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    const int n = lab_loops_of(text, from, to, all);
    for (int i = 0; i < n; i++) {
        char end[LONGEST] = "";
        const lab_loop *l = &all[i];
        char value[LONGEST], left[2 * LONGEST + 8];
        if (!strcmp(l->step, "1") || !end_of_groups(l, end) || is_even(text, end) || is_done(l, end)) continue;
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
    return LAB_HINT_NONE;
}
