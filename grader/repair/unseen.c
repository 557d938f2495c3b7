// unseen.c: what mends by chance mends the shapes that were tried. So each change that is left is tried on some that
// no claim has: odd ones (odd.c), and such as are drawn from other seeds as those of a grading run are.
#include <math.h>
#include <string.h>

#include "search.h"
#include "stretch.h"

enum { DRAWS = 40, MOST_UNSEEN = 8, LARGEST = 12000 };  // shapes to choose from; tried; elements of one
static const double SECONDS = 0.6, LONGEST = 0.3;       // of a processor: for all of them, for a call

// The smallest shape, of so many, that is drawn for that claim and is not the one that was tried; 0: all are large.
static int draw(const lab_case *row, uint64_t seed, size_t room, lab_case *drawn) {
    double least = LARGEST;
    for (int i = 1; i <= DRAWS; i++) {
        lab_case c;
        if (!lab_case_find(row->task, row->claim, seed + (uint64_t)i, &c)) return 0;
        if (lab_layout_of(c.op, c.shape, 1).bytes > room || lab_elements(&c) >= least) continue;
        if (c.shape.seq_kv < 8 || c.shape.batch * c.shape.heads < 2) continue;  // much is right there
        least = lab_elements(&c), *drawn = c;
    }
    return least < LARGEST;
}

static int is_of_subject(const lab_subject *s, const lab_op *op) {
    for (int i = 0; i < s->n; i++)
        if (s->claim[i]->c.op == op) return 1;
    return 0;
}

// 1 unless it is certain that the claim fails with that change: what takes too long says nothing.
static int may_hold(lab_subject *s, const lab_case *c, uint64_t seed, int edit) {
    lab_prepared *p = lab_prepare(c, seed);
    const double before = lab_attempts_left();
    int holds = !p || lab_attempt(&s->attempts, p, edit, LONGEST);
    if (!holds) holds = before - lab_attempts_left() > LONGEST;
    lab_prepared_free(p);
    return holds;
}

static void keep_what_holds(lab_subject *s, const lab_case *c, uint64_t seed, double end, lab_found *found) {
    int kept = 0;
    for (int k = 0; k < found->n; k++)
        if (lab_attempts_left() < end || may_hold(s, c, seed, found->mend[k].edit->id))
            found->mend[kept++] = found->mend[k];
    found->n = kept;
}

void lab_search_unseen(lab_subject *s, uint64_t seed, lab_found *found) {
    const double end = lab_attempts_left() - SECONDS;
    const size_t room = s->attempts.options.arena_bytes;
    const lab_case *row;
    lab_case c;
    int tried = 0;
    if (s->todo) return;
    for (int i = 0; found->n && lab_odd_shape(i, &c); i++)
        if (is_of_subject(s, c.op) && lab_layout_of(c.op, c.shape, 1).bytes <= room)
            keep_what_holds(s, &c, seed, end, found);
    for (int i = 0; (row = lab_case_at(i)) && tried < MOST_UNSEEN; i++) {
        if (row->todo || row->shape.batch || row->recorded || !row->op->oracle || !is_of_subject(s, row->op)) continue;
        for (int again = 0; again < 2 && draw(row, seed + 1000u * (unsigned)again, room, &c); again++, tried++)
            keep_what_holds(s, &c, seed, end, found);
    }
}
