// lucky.h: changes with which the claims of one TODO hold, and nothing that is built on it.
#ifndef LAB_REPAIR_LUCKY_H
#define LAB_REPAIR_LUCKY_H

#include "workshop.h"

// Where the claims of one TODO alone were asked for, no claim of the whole file has been judged. All that were found are
// tried on some: out goes what fails one, if another change holds, or if every other TODO does. Where what calls the TODO's
// function fails, too, it may be wrong itself: then the sentence says which claim still fails (found->fails), unless a
// known mistake says what is wrong without it.
void lab_search_lucky(const lab_repair_ask *ask, lab_workshop *w, lab_subject *s, lab_found *found);

#endif
