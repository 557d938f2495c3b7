// given.c: the lines of a student's file that the handout gave. They are right: no change of them is a cure.
#define _GNU_SOURCE
#include "given.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "given_text.h"

// Does this line follow that one in the handout, too?
static int follows(const lab_text *t, const char *line, const char *before) {
    for (int i = 1; i < t->n; i++)
        if (strcmp(t->line[i], line) == 0 && strcmp(t->line[i - 1], before) == 0) return 1;
    return 0;
}

// A line of the skeleton that says something, is no switch, and stands in the file less often.
static int is_lost(const lab_text *skeleton, const lab_text *own, const char *line) {
    return strlen(line) >= LAB_LEAST_LETTERS && !lab_is_switch(line) &&
           lab_text_count(own, line) < lab_text_count(skeleton, line);
}

static lab_text lost;  // lines of the handout that the file does not have as often

static void keep_lost(lab_text *t, const char *line) {
    char **more = realloc(t->line, (size_t)(t->n + 1) * sizeof *more);
    if (more) t->line = more;
    if (more && (t->line[t->n] = strdup(line))) t->n++;
}

int lab_given_restores(const lab_edit *e) {
    char line[2 * LAB_FRAGMENT];
    const int at = e->column - 1 - e->indent;
    const size_t n = strlen(e->was);
    if (!n || *e->also || at < 0 || at > (int)strlen(e->whole) || strncmp(e->whole + at, e->was, n)) return 0;
    snprintf(line, sizeof line, "%.*s%s%s", at, e->whole, e->now, e->whole + at + n);
    return lab_text_count(&lost, line) > 0;
}

void lab_given_mark(const lab_task *task, const char *source, unsigned char *given, int most) {
    lab_text skeleton = lab_text_of_skeleton(task, source), own = lab_text_read(source);
    const int handout = lab_is_handout(&skeleton, &own);
    memset(given, 0, (size_t)most);
    lab_text_discard(&lost), lost = (lab_text){0};
    for (int i = 0; i < skeleton.n && handout; i++)
        if (is_lost(&skeleton, &own, skeleton.line[i])) keep_lost(&lost, skeleton.line[i]);
    // A line that stands here once more than there may be the student's; a barrier behind a line that it follows there,
    // too, is given.
    for (int i = 0; i < own.n && i + 1 < most && handout; i++) {
        const int n = strlen(own.line[i]) < LAB_LEAST_LETTERS ? 0 : lab_text_count(&skeleton, own.line[i]);
        given[i + 1] = n && (lab_text_count(&own, own.line[i]) <= n ||
                             (i > 0 && given[i] && strncmp(own.line[i], "__sync", 6) == 0 &&
                              follows(&skeleton, own.line[i], own.line[i - 1])));
    }
    lab_text_discard(&skeleton), lab_text_discard(&own);
}

static int next_to(const lab_text *t, int i, int step) {
    for (i += step; i >= 0 && i < t->n; i += step)
        if (*t->line[i]) return i;
    return -1;
}

static int is_next_same(const lab_text *skeleton, int i, const lab_text *own, int k, int step) {
    const int a = next_to(skeleton, i, step), b = next_to(own, k, step);
    return a >= 0 && b >= 0 && strcmp(skeleton->line[a], own->line[b]) == 0;
}

// return 0.0f; right behind a TODO's comment, which asks for another value.
static int is_to_be_replaced(const lab_text *skeleton, int i) {
    return i > 0 && skeleton->todo[i - 1] && strncmp(skeleton->line[i], "return ", 7) == 0;
}

// Own line k stands where line i of the skeleton did: between the same two lines, or beside one of them and much alike.
// What stands right behind a comment may be there to be replaced.
static int stands_for(const lab_text *skeleton, int i, const lab_text *own, int k) {
    const int same = is_next_same(skeleton, i, own, k, -1) + is_next_same(skeleton, i, own, k, 1);
    return (same == 2 && i > 0 && *skeleton->line[i - 1]) || (same && lab_are_alike(skeleton->line[i], own->line[k]));
}

// The last line before the comment of a TODO that ends right above line k; -1: none does.
static int before_todo(const lab_text *t, int k) {
    int i = k - 1;
    while (i >= 0 && t->todo[i]) i--;
    return i < k - 1 ? i : -1;
}

int lab_given_altered(const lab_task *task, const char *source, lab_altered found[LAB_MOST_ALTERED]) {
    lab_text skeleton = lab_text_of_skeleton(task, source), own = lab_text_read(source);
    const int handout = lab_is_handout(&skeleton, &own);
    int n = 0;
    for (int i = 0; i < skeleton.n && handout; i++) {
        const char *given = skeleton.line[i];
        if (!is_lost(&skeleton, &own, given) || strstr(given, "TODO") || is_to_be_replaced(&skeleton, i)) continue;
        for (int k = 0; k < own.n; k++) {
            if (lab_text_count(&skeleton, own.line[k]) || !stands_for(&skeleton, i, &own, k)) continue;
            // What a TODO asked for is no other form of the line above its comment.
            const int missing = before_todo(&skeleton, i) < 0 ? before_todo(&own, k) : -1;
            lab_altered *a = &found[n < LAB_MOST_ALTERED ? n : 0];
            a->line = missing >= 0 ? -(missing + 1) : k + 1;
            snprintf(a->was, sizeof a->was, "%s", given);
            n++;
            break;
        }
    }
    lab_text_discard(&skeleton), lab_text_discard(&own);
    return n <= LAB_MOST_ALTERED ? n : 0;
}
