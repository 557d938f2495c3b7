// cause_shapes.h: what the shapes of claims say of a cause.
#ifndef LAB_CAUSE_SHAPES_H
#define LAB_CAUSE_SHAPES_H

#include "cases.h"

int lab_cause_is_hidden(const char *cause, const lab_case *c);  // a claim of such a shape may not show it
int lab_cause_is_lost(const char *cause, const lab_case *c);    // in one of such a shape, O has to be 0 by it
int lab_cause_is_refuted(const char *cause, const lab_op *op);  // a claim of op that holds would fail by it

#endif
