// source_set_before.h: what a name, or an element, has been set to by the lines right before. For source_idle.c.
#ifndef LAB_SOURCE_SET_BEFORE_H
#define LAB_SOURCE_SET_BEFORE_H

#include "source_calls.h"

// The line of this block that has set NAME to VALUE before this place, alone or in the one thread that does it for
// all, so that both are still the same: where it stands. A VALUE of NULL: to anything. NULL: there is none, or one of
// the two may have changed since.
const char *lab_set_before(const char *text, const char *at, const char *name, const char *value);

#endif
