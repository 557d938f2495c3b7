// narrow.c: CUDA: thousands of changes are data, and tried one after another, the likeliest first. Once one of them holds on
// several claims that failed, few of those behind it could be said in its place or beside it: the others are passed by, and
// tried only if nothing comes of it.
#include "narrow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"

enum { MOST_LOOKS = 60, SLACK = 10 };
static const double SECONDS = 0.3, TIMES = 10;  // for a call, as where few changes are left (search.c)

static void prepare(lab_narrowing *n) {
    lab_subject *s = n->s;
    const double usual = s->attempts.usual;
    n->ready = 1;
    for (int k = 0; k < s->failed && n->claims < LAB_NARROW_CLAIMS; k++) {
        lab_prepared *p = lab_prepare(&s->claim[k]->c, n->seed);
        const double limit = p ? lab_attempt_limit(&s->attempts, p) : 0;
        if (limit > 0)
            n->limit[n->claims] = fmax(SECONDS, TIMES * limit), n->claim[n->claims++] = p;
        else
            lab_prepared_free(p);
    }
    s->attempts.usual = usual;
}

// What is often ruled out, or gives way to another one, ends no search.
static int can_be_said(const lab_edit *e, int rank) {
    return rank < LAB_LAST_SAID && !e->shared && !lab_grows(e) && !lab_only_goes_on(e) && !lab_spoils_sum(e) &&
           !lab_reads_columns(e) && !lab_starts_fewer(e);
}

static void add_line(lab_narrowing *n, int line) {
    if (line > 0 && n->lines < LAB_NARROW_LINES) n->line[n->lines++] = line;
}

static void add_lines(lab_narrowing *n, const lab_edit *e) {
    add_line(n, e->line);
    for (const char *at = e->also; *at; at += strcspn(at, ","), at += *at == ',') add_line(n, atoi(at));
    if (!strncmp(e->kind, "before line ", 12)) add_line(n, atoi(e->kind + 12));
}

void lab_narrow_by(lab_narrowing *n, const lab_edit *e) {
    const int rank = lab_edit_rank(e, n->s->todo);
    if (n->looks == MOST_LOOKS || (n->best && rank >= n->rank) || !can_be_said(e, rank)) return;
    if (!n->ready) prepare(n);
    n->looks++;
    int holds = n->claims > 0;
    for (int k = 0; k < n->claims && holds; k++) holds = lab_attempt(&n->s->attempts, n->claim[k], e->id, n->limit[k]);
    if (holds) n->best = e->id, n->rank = rank, add_lines(n, e);
}

int lab_narrow_passes_by(const lab_narrowing *n, const lab_edit *e) {
    if (!n->best || lab_edit_rank(e, n->s->todo) <= n->rank + SLACK) return 0;
    for (int i = 0; i < n->lines; i++)
        if (lab_stands_in(e, n->line[i])) return 0;
    return 1;
}

void lab_narrow_end(lab_narrowing *n) {
    for (int k = 0; k < n->claims; k++) lab_prepared_free(n->claim[k]);
    n->claims = 0;
}
