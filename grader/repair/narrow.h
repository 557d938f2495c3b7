// narrow.h: which changes need not be tried, as a likelier one holds.
#ifndef LAB_REPAIR_NARROW_H
#define LAB_REPAIR_NARROW_H

#include "search.h"

enum { LAB_NARROW_CLAIMS = 3, LAB_NARROW_LINES = 64 };

struct lab_narrowing {
    lab_subject *s;
    uint64_t seed;
    int best, rank;  // the likeliest that holds on these claims; 0: none does
    lab_prepared *claim[LAB_NARROW_CLAIMS];
    double limit[LAB_NARROW_CLAIMS];
    int claims, ready, looks;
    int line[LAB_NARROW_LINES], lines;  // in which it, and those before it, alter something
};

// That change holds on the smallest claim.
void lab_narrow_by(lab_narrowing *n, const lab_edit *e);

// Is it to be passed by? It is less likely than the best, and stands in another line.
int lab_narrow_passes_by(const lab_narrowing *n, const lab_edit *e);

void lab_narrow_end(lab_narrowing *n);

#endif
