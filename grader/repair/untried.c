// untried.c: claims of the whole file that fail, and that no change is tried on, as no call of theirs has an oracle of its own:
// where claims are counted, they count.
#include "untried.h"

static int untried;

void lab_untried_keep(const lab_case *c, int fails) { untried += fails && !c->op->oracle && !c->todo; }

int lab_untried(void) { return untried; }
