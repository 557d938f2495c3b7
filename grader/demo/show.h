// show.h: what the terminal gets beside the text itself. The first line goes on where the cursor is.
#ifndef DEMO_SHOW_H
#define DEMO_SHOW_H

#include "ask.h"

// Why there is no answer; todo: the open TODO, or "".
void demo_show_failure(lab_verdict v, const char *why, const char *todo);

// TTFT and TBT of an answer to a prompt of so many tokens; without a GPU, a warning that they say nothing about one.
void demo_show_times(const lab_answer *a, int prompt);

#endif
