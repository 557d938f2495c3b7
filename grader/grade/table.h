// table.h: what a run shows. A line for each submission that is done; on a terminal, below them, how far the class is
// and a line for each submission that is being graded.
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include "class_run.h"

void lab_table_step(lab_arguments *all, lab_entry *e, const char *step);
void lab_table_done(lab_arguments *all, const lab_entry *e, const lab_outcome *o);
void lab_table_graded_before(lab_arguments *all, const lab_entry *e);
void lab_table_skipped(void);  // --regrade did not mean it

// A line that stays, of the run as a whole.
void lab_table_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Draws the lines below again; begun: the submissions that were begun. No more than ten times a second.
void lab_table_show(const lab_arguments *all, int begun);
void lab_table_end(void);

// A name may hold what must not reach a terminal. Valid until the next call but one.
const char *lab_shown(const char *name);

#endif
