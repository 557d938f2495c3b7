// lucky.c: the claims of a TODO are a few lines on a few shapes, and a change may hold there by luck. Where nothing else was
// asked for, the whole file speaks of it, too: as far as its other TODOs are written.
#include "lucky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "stretch.h"
#include "todo.h"
#include "todo_calls.h"

static const double SECONDS = 0.6, LONGEST = 0.3;  // of a processor: for all claims, for a call
enum { MOST_TRIED = 12, LARGEST = 100000 };        // claims; elements of one

static int is_open(const char *source) {
    char first[24] = "", *text = lab_todo_read(source);
    if (text) lab_todo_first(text, first);
    free(text);
    return !text || *first;
}

// Of claims of the whole file the first of each function and size of a head that takes no time.
static int choose(const lab_repair_ask *ask, lab_case chosen[], size_t *bytes) {
    const lab_case *row;
    lab_case c;
    int n = 0;
    for (int i = 0; n < MOST_TRIED && (row = lab_case_at(i)); i++) {
        if (row->todo || !row->op->oracle || strcmp(row->task, ask->task->id)) continue;
        if (!lab_case_find(row->task, row->claim, ask->seed, &c) || lab_elements(&c) > LARGEST) continue;
        int known = 0;
        for (int k = 0; k < n; k++) known |= chosen[k].op == c.op && chosen[k].shape.head_dim == c.shape.head_dim;
        if (known) continue;
        const size_t needs = lab_layout_of(c.op, c.shape, 1).bytes;
        *bytes = needs > *bytes ? needs : *bytes;
        chosen[n++] = c;
    }
    return n;
}

// What takes too long says nothing.
static int may_hold(lab_attempts *a, const lab_case *c, uint64_t seed, int edit) {
    lab_prepared *p = lab_prepare(c, seed);
    const double before = lab_attempts_left();
    const int holds = !p || lab_attempt(a, p, edit, LONGEST) || before - lab_attempts_left() > LONGEST;
    lab_prepared_free(p);
    return holds;
}

// The claims of the task's other TODOs whose functions call this one's, or do not, with that change.
static int others_hold(const lab_repair_ask *ask, const lab_subject *s, const lab_edit *e, int callers) {
    lab_attempts a = {.options = s->attempts.options, .device = s->attempts.device};
    char *text = lab_todo_read(ask->source);
    const double end = lab_attempts_left() - SECONDS;
    const lab_case *row;
    lab_case c;
    int hold = text != NULL;
    for (int i = 0; hold && (row = lab_case_at(i)); i++) {
        if (strcmp(row->task, ask->task->id) || !row->todo || !strcmp(row->todo, s->todo)) continue;
        if (lab_todo_calls(ask->source, text, ask->task->id, row->todo, s->todo) != callers) continue;
        hold = lab_attempts_left() > end && lab_case_find(row->task, row->claim, ask->seed, &c);
        const size_t bytes = hold ? lab_layout_of(c.op, c.shape, 1).bytes : 0;
        if (bytes > a.options.arena_bytes) lab_attempts_close(&a), a.options.arena_bytes = bytes;
        hold = hold && lab_attempt_twice(&a, &c, ask->seed, e->id, LONGEST);
    }
    lab_attempts_close(&a);
    free(text);
    return hold;
}

void lab_search_lucky(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, lab_found *found) {
    lab_case chosen[MOST_TRIED];
    size_t bytes = 0;
    if (!s->todo || !found->n || lab_judged_whole() || is_open(ask->source)) return;
    const int n = choose(ask, chosen, &bytes);
    if (!n || !lab_workshop_whole(ask, w, found)) return;
    lab_attempts a = {.options = s->attempts.options, .device = s->attempts.device};
    a.options.runner = w->runner[0], a.options.stage = w->runner[0][1];
    if (bytes > a.options.arena_bytes) a.options.arena_bytes = bytes;
    const double end = lab_attempts_left() - SECONDS;
    const char *fails[LAB_MOST_FOUND] = {NULL};
    int kept = 0;
    for (int k = 0; k < found->n; k++) {
        for (int i = 0; i < n && !fails[k] && lab_attempts_left() > end; i++)
            if (!may_hold(&a, &chosen[i], ask->seed, found->mend[k].edit->id)) fails[k] = chosen[i].claim;
        kept += !fails[k];
    }
    lab_attempts_close(&a);
    const lab_edit *first = found->mend[0].edit;
    if (!kept && !others_hold(ask, s, first, 0)) return;
    if (!kept && !ask->known && !others_hold(ask, s, first, 1)) {  // the caller may be wrong itself
        found->fails = fails[0];
        return;
    }
    kept = 0;
    for (int k = 0; k < found->n; k++)
        if (!fails[k]) found->mend[kept++] = found->mend[k];
    found->n = kept;
}
