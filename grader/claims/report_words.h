// report_words.h: what a report of checked mode means where numbers are wrong, too, or where they are right.
#ifndef LAB_REPORT_WORDS_H
#define LAB_REPORT_WORDS_H

#include "judge.h"

// The advice at the end of a report about a claim whose numbers are wrong. cause_is_said: it is known why.
void lab_temper_advice(const lab_case *c, lab_result *r, int cause_is_said);

// A race that is none: an index has led a read, or a store, into what another block writes.
void lab_say_stray(const lab_case *c, const char *report, char *note, size_t size);

// A race between two blocks' writes in a claim that writes outside of the tensors, too: one of them goes on too far.
void lab_say_left(const lab_case *c, const char *report, char *note, size_t size);

// "; Behind a tensor begins ..." where right numbers come with a read behind a tensor, or "".
const char *lab_read_behind(const char *report);

#endif
