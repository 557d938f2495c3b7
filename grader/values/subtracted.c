// subtracted.c: exp(s - m) is 1 at most where m is the largest of what it is asked for. So one column after the other becomes
// the largest of every row, and the line whose numbers, 0 to 1, become larger than 1 does not know the column in its m.
#include "subtracted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixed.h"
#include "seen_sets.h"

enum { MOST_COLUMNS = 256, MOST_LINES = 400 };
static const float MUCH = 30, MORE_THAN_ONE = 1.5f, NEARLY_ONE = 1.2f;

// Scores from 0 to 0.1, but for those of one column; cols: of none.
static int call(lab_teller *teller, const lab_trial *t, size_t column, const lab_told **list) {
    const size_t cols = (size_t)t->c->shape.seq_kv;
    for (size_t i = 0; i < t->n[1]; i++)
        t->in[1][i] = (float)((i * 2654435761u >> 7) % 64) / 640 + (i % cols == column ? MUCH : 0);
    return lab_lines_again(teller, t, list);
}

// Of each line: has it numbers that exponentials of such scores can be, and as many as a row?
static void find_exponentials(lab_teller *teller, const lab_trial *t, char is[MOST_LINES]) {
    const size_t cols = (size_t)t->c->shape.seq_kv;
    const lab_told *list;
    size_t n[MOST_LINES] = {0}, other[MOST_LINES] = {0};
    const int told = call(teller, t, cols, &list);
    for (int i = 0; i < told; i++) {
        const int k = list[i].id - 1;
        if (k >= 0 && k < MOST_LINES)
            n[k]++, other[k] += !(list[i].value > 1 / NEARLY_ONE && list[i].value < NEARLY_ONE);
    }
    for (int k = 0; k < MOST_LINES; k++) is[k] = n[k] >= cols && !other[k];
}

static void say(const lab_line *l, const char *unknown, const char *known, int cols, char *text) {
    char largest[90], those[90];
    lab_list_keys(unknown, cols, largest, sizeof largest), lab_list_keys(known, cols, those, sizeof those);
    const int none = !memchr(known, 1, (size_t)cols), key = (int)strlen("key");
    snprintf(
        text, LAB_MIXED_SIZE,
        "line %d, in %s: %.40s, which is exp(s - m), is more than 1 as soon as the largest score of its row stands "
        "in column%s: the m that is subtracted there is %s%s%s",
        l->line, l->function, l->name, largest + key, none ? "not the largest of that row" : "that of column",
        none ? "" : those + key, none ? "" : " alone");
}

void lab_subtracted_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen) {
    const size_t cols = (size_t)t->c->shape.seq_kv;
    char is[MOST_LINES] = {0}, unknown[MOST_LINES][MOST_COLUMNS] = {{0}}, known[MOST_COLUMNS], *text = seen;
    text[0] = 0;
    if (t->op->n_tensors != 2 || strcmp(t->op->tensors[1], "S") || cols > MOST_COLUMNS) return;
    lab_trial altered = *t;
    if (!(altered.in[1] = malloc(t->n[1] * sizeof *altered.in[1]))) return;
    find_exponentials(teller, &altered, is);
    for (size_t c = 0; c < cols; c++) {
        const lab_told *list;
        const int told = call(teller, &altered, c, &list);
        for (int i = 0; i < told; i++)
            if (list[i].id > 0 && list[i].id <= MOST_LINES && is[list[i].id - 1] && list[i].value > MORE_THAN_ONE)
                unknown[list[i].id - 1][c] = 1;
    }
    free(altered.in[1]);
    for (int k = 0; k < lines->n && k < MOST_LINES && !*text; k++) {
        if (!memchr(unknown[k], 1, cols)) continue;
        for (size_t c = 0; c < cols; c++) known[c] = !unknown[k][c];
        say(&lines->line[k], unknown[k], known, (int)cols, text);
    }
}
