// parts.c: a score has all dims of one key before its exponential is taken, and an output all keys of one column. What
// has fewer, or more, is a part of a thread's own, or parts of different things that were added up.
#include "parts.h"

#include <stdio.h>
#include <string.h>

#include "judged.h"
#include "who.h"

int lab_parts_say(const lab_depends *d, char *text, size_t size) {
    *text = 0;
    return lab_masked_without(d, text, size) || (d->count[LAB_OF_DIMS] && lab_parts_of_scores(d, text, size)) ||
           lab_sums_of_others(d, text, size) || lab_undivided(d, text, size) || lab_queries_that_meet(d, text, size) ||
           lab_hidden_keys(d, text, size) || lab_logs_of_parts(d, text, size) || lab_other_factors(d, text, size) ||
           lab_parts_of_outputs(d, text, size) || lab_parts_of_sum(d, text, size) || lab_counted_twice(d, text, size) ||
           (d->count[LAB_OF_DIMS] && lab_left_dims(d, text, size));
}

int lab_parts_note(const lab_repair_ask *ask, double seconds, char *note, size_t size) {
    const lab_case *telling = lab_judged_telling(), *joined = telling ? lab_judged_of(&lab_combine) : NULL;
    const lab_case *c = joined ? joined : telling;  // what joins the parts of splits is called by what makes them, too
    if (!c) c = lab_judged_parts();
    lab_depends d;
    *note = 0;
    if (!c || ask->task->language != LAB_CUDA || !ask->edits || !ask->source) return 0;
    int said = lab_depends_find(ask, c, seconds, &d);
    if (said) snprintf(note, size, "in a call with %s, ", d.call);
    said = said && lab_parts_say(&d, note + strlen(note), size - strlen(note));
    if (!said) *note = 0;
    lab_depends_free(&d);
    return said;
}
