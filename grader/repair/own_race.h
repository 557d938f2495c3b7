// own_race.h: a race that the file has with a change and without it, and that is not what makes its numbers wrong.
#ifndef LAB_REPAIR_OWN_RACE_H
#define LAB_REPAIR_OWN_RACE_H

#include "search.h"

// Do both reports of checked mode begin with a race of the same memory, between the same two lines? The one may be in the changed
// line, of which the report names the change.
int lab_is_same_race(const char *report, const char *without, int changed);

// Is this report, with a change, of a race that the file has as it is, too, where what fails first gives the same numbers
// with the threads in both orders? Then the race rules no change out.
int lab_is_own_race(const lab_repair_ask *ask, const lab_subject *s, const lab_edit *change,
                    const lab_result *with_change);

#endif
