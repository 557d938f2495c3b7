// journal_options.h: options of grade_all, in the first line of the journal.
#ifndef LAB_JOURNAL_OPTIONS_H
#define LAB_JOURNAL_OPTIONS_H

#include "arguments.h"

json_t *lab_options_for_journal(const lab_arguments *all);

// given['b'] and so on: this option was given, and stays (arguments.h).
void lab_options_recall(lab_arguments *all, const json_t *options, const char *given);

#endif
