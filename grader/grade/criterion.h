// criterion.h: one criterion of rubric.json, and what the evidence gives for it.
#ifndef LAB_CRITERION_H
#define LAB_CRITERION_H

#include "rubric.h"

// Of something counted, of which less is better: no points from `from` on, all of them at `to`.
typedef struct {
    const char *point;  // the counted case; NULL: the criterion has no such bounds
    double from, to;
} lab_bounds;

typedef struct {
    const char *name, *kind, *evidence, *baseline, *series, *point;  // point: "case" in the file
    double points, from, to;                                         // of a speed-up
    int bonus;
    lab_bounds traffic, shared;  // where there is no GPU: bytes moved, numbers of shared memory
} lab_criterion;

// What points for speed are about: a speed-up, or (from > to: less is better) a count.
typedef struct {
    double value, from, to;
    const char *unit;
} lab_measured;

// The share of c's points, from 0 to 1; negative when c does not count. why: what it is for. all_right: every claim that
// must hold does. measured is left alone where nothing was.
double lab_share_of(const lab_criterion *c, int all_right, const lab_evidence *e, lab_measured *m, char *why,
                    size_t size);

#endif
