// turns.c: which change comes when. By rank alone, one kind that fits nearly anywhere (what the file does elsewhere)
// would fill the first seven hundred of a long function, and a `/` for a `%` would not be among them: each kind has a
// share of what is tried, at any length of it.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 96, FREE = 4, SHARE = 4, HABITS = 3 };  // of so many changes at most one is of a kind, beyond the first
enum { LIKELIEST = 300, COMMON = 5 };                  // behind these each fifth one is of a kind that is common

typedef struct {
    const char *name;
    int at, taken;  // the next one of this kind; how many have had their turn
    bool common;
} queue;

// What those who write in a hurry mix up most. Hardly ever is one of them likelier than all else, and there are many.
static bool is_common(const char *kind) {
    static const char *const kinds[] = {"crossed", "number",  "length",  "origin", "size",
                                        "array",   "divisor", "visible", "hidden", NULL};
    for (int i = 0; kinds[i]; i++)
        if (!strcmp(kind, kinds[i])) return true;
    return false;
}

// A move is shown by where it goes: "before line 12".
static const char *name_of(const change *c) { return c->remove >= 0 && c->insert >= 0 ? "moved" : c->kind; }

static int queue_of(queue *list, int *n, const char *name) {
    int i = 0;
    while (i < *n && strcmp(list[i].name, name)) i++;
    if (i == *n && *n < KINDS) list[(*n)++] = (queue){.name = name, .at = -1, .common = is_common(name)};
    return i < KINDS ? i : KINDS - 1;
}

static bool is_served(const queue *q, int turn) {
    return (q->taken - FREE) * (strcmp(q->name, "habit") ? SHARE : HABITS) >= turn;
}

static int by_turn(const void *a, const void *b) { return ((const change *)a)->turn - ((const change *)b)->turn; }

// The first n changes, sorted by rank, in the order of their turns.
void edits_take_turns(edits *e, int n) {
    queue list[KINDS];
    int kinds = 0, *next = keep(&e->u, sizeof *next * (size_t)(n + 1));
    for (int i = n - 1; i >= 0; i--) {
        queue *q = &list[queue_of(list, &kinds, name_of(&e->changes[i]))];
        next[i] = q->at, q->at = i;
    }
    for (int turn = 0; turn < n; turn++) {
        queue *first = NULL, *fair = NULL, *common = NULL;
        for (queue *q = list; q < list + kinds; q++) {
            if (q->at < 0) continue;
            if (!first || q->at < first->at) first = q;
            if (q->common && (!common || q->taken < common->taken)) common = q;
            if (!is_served(q, turn) && (!fair || q->at < fair->at)) fair = q;
        }
        queue *q = fair ? fair : first;
        if (common && turn >= LIKELIEST && turn % COMMON == 0) q = common;
        e->changes[q->at].turn = turn, q->at = next[q->at], q->taken++;
    }
    qsort(e->changes, (size_t)n, sizeof *e->changes, by_turn);
}
