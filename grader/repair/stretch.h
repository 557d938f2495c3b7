// stretch.h: how long the next claim takes is foreseen from those before it.
#ifndef LAB_REPAIR_STRETCH_H
#define LAB_REPAIR_STRETCH_H

#include "attempt.h"

enum { LAB_SMALL = 200 };  // elements of a claim that may be tried with every change

typedef struct {
    double begun, rate;  // seconds of all; most seconds for a unit of weight
} lab_stretch;

lab_stretch lab_begin_stretch(void);

// 1 if all since the beginning would take longer than that with this claim.
int lab_is_too_long(const lab_stretch *t, const lab_case *c, double most);

// before: the seconds that were left when this claim was begun.
void lab_note_length(lab_stretch *t, const lab_case *c, double before);

double lab_elements(const lab_case *c);
double lab_weight(const lab_case *c);  // about what it costs

#endif
