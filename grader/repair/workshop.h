// workshop.h: what a search works with, and how it ends.
#ifndef LAB_REPAIR_WORKSHOP_H
#define LAB_REPAIR_WORKSHOP_H

#include "search.h"

typedef struct {
    lab_candidates candidates;
    char object[2][4300];  // the stage, the probe
    int compiled[2], tried[2];
    char *runner[2][8];
} lab_workshop;

// The runner of the stage, or of the probe, with the changes in it.
void lab_workshop_name(const lab_repair_ask *ask, lab_workshop *w, int probe);

// Compiles it if that has not been tried. Returns 0 if it does not compile.
int lab_workshop_ready(const lab_repair_ask *ask, lab_workshop *w, int probe);

// Only what was found is compiled next.
int lab_workshop_keep(lab_candidates *c, const lab_found *found);

// A batch is going to be tried: what may follow is compiled meanwhile. whole: the stage with what was found. Returns 0 if it
// does not compile.
void lab_workshop_early(const lab_repair_ask *ask, const lab_workshop *w, int probe);
int lab_workshop_whole(const lab_repair_ask *ask, lab_workshop *w, const lab_found *found);

// conclude.c: which of the changes that mend is said: those that hold on shapes nobody has seen, on every claim, and in
// checked mode; its sentence. Returns 0 for none, 1 for a line alone, 2 for a change.
// ahead: that is going to be asked of what mends; what checked mode needs is compiled while claims that held are tried.
int lab_conclude(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, lab_found *found, char *text, size_t size);
void lab_conclude_ahead(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s, const lab_found *found);
// guess: that change may be what mends.
void lab_conclude_guess(const lab_repair_ask *ask, lab_workshop *w, const lab_subject *s, int id);

#endif
