// habits.h: what the file adds, multiplies by, divides by and walks by; of that, what may stand here, too.
#ifndef EDITS_HABITS_H
#define EDITS_HABITS_H

#include "edits.h"

typedef enum { AS_SUMMAND, LESS, AS_FACTOR, AS_DIVISOR, AS_STEP, AS_BOUND, AS_START, ROLES } role;
typedef struct {
    ingredient what;
    int n;  // how often
} habit;

// habits.c: those of a role, and how many they are
const habit *edits_habits(role r, int *n);
bool edits_habit_fits(const edits *e, int place, const expression *x, const habit *h);

// sums.c: x + g, x * g
void edits_change_summands(edits *e, int place, const expression *x);
void edits_change_factors(edits *e, int place, const expression *x);

// roles.c: g in place of x, or x within a limit
void edits_change_padded(edits *e, int place, const expression *x);
void edits_change_role(edits *e, int place, const expression *x, role r);
void edits_change_limits(edits *e, int place, const expression *x);

#endif
