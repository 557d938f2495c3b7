// left_columns.c: the last columns of every row are wrong, and those before them, whole groups of 4, 8, 16 or 32, are right:
// a loop goes on while a whole group fits, and nobody does the rest.
#include <stdio.h>
#include <string.h>

#include "heuristics.h"
#include "rules_out.h"

enum { LEAST = 4, MOST = 32 };

// Columns first .. end - 1 are wrong in all rows, and no others: behind them there may be room that is not used.
static int are_wrong(const lab_symptom *s, size_t width, size_t first, size_t end) {
    const size_t n = s->op->elements(s->shape, 0);
    for (size_t i = 0; i < n; i++)
        if (lab_element_bad(s, i, 0) != (i % width >= first && i % width < end)) return 0;
    return 1;
}

static size_t end_of_wrong(const lab_symptom *s, size_t width) {
    const size_t n = s->op->elements(s->shape, 0);
    size_t end = 0;
    for (size_t i = 0; i < n; i++)
        if (lab_element_bad(s, i, 0) && i % width >= end) end = i % width + 1;
    return end;
}

int lab_explain_left_columns(const lab_symptom *s, char *text, size_t size) {
    const size_t width = lab_op_row(s->op, s->shape);
    char groups[40] = "";
    const size_t end = end_of_wrong(s, width);
    size_t left = 0;
    for (size_t group = LEAST; group <= MOST && group < end; group *= 2) {
        const size_t first = end / group * group, used = strlen(groups);
        if (first == end || !are_wrong(s, width, first, end)) continue;
        left = end - first;
        snprintf(groups + used, sizeof groups - used, "%s%zu", used ? " or " : "", group);
    }
    if (left < 2) return 0;  // one may be a limit that is one short
    snprintf(text, size,
             LAB_GROUPS_ARE_RIGHT " %s columns are right, and the last %zu are not: is there a loop behind them for "
                                  "what is left over?",
             groups, left);
    return 1;
}
