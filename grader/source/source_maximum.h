// source_maximum.h: where a maximum is raised, and what is an exponential of it. For source_*.c.
#ifndef LAB_SOURCE_MAXIMUM_H
#define LAB_SOURCE_MAXIMUM_H

#include "source_loops.h"
#include "source_settings.h"

int lab_takes_maximum(const char *from, const char *to);

// m = fmaxf(m, ...), or m = x behind "if (x > m)", in a block that begins at this place. name: m, without blanks.
int lab_is_raised(const char *open, const lab_setting *s, char name[LAB_LONGEST_WORD]);

// Does exp(... - m) stand between these places?
int lab_is_exponential(const char *from, const char *to, const char *m);

// A maximum that is begun within the loop is one of this round alone.
int lab_begins_in(const lab_loop *l, const char *m);

#endif
