// agrees.h: what is still said beside a change after which every claim passes.
#ifndef LAB_AGREES_H
#define LAB_AGREES_H

#include "why_changes.h"

// One of the changes stands where the hint looks, or next to it, and is about the same names.
int lab_hint_agrees(const char *hint, const lab_changes *found);

// The numbers of the cause may be those of another mistake, which the change is.
int lab_cause_agrees(const char *cause, const lab_changes *found);

// What is said of a line that adds up, where one cause explains all: what is divided within the walk counts another number of
// times, whatever the maxima.
int lab_parts_agree(const char *note, const char *cause);

#endif
