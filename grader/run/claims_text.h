// claims_text.h: text for a terminal of 80 columns.
#ifndef LAB_CLAIMS_TEXT_H
#define LAB_CLAIMS_TEXT_H

#include "judge.h"

enum { LAB_DETAIL = 19 };  // the column of what is said about a claim

// The words from that column on, further lines `hang` columns deeper. The cursor stands at `at`.
void lab_print_wrapped(const char *text, int from, int hang, int at);

// A verdict, or another word in its place, in colour on a terminal.
void lab_print_word(const char *word, int good);

// The claim's name behind a verdict or another word; the line goes on.
void lab_print_line(const char *word, const lab_case *c, const lab_result *r);

// What stands between "; " on lines of its own, from that column on, all but the first `hang` columns deeper.
void lab_print_facts(char *text, int from, int hang, int at);

// Ends the line of the claim, and says below it what explains the failure, unless that has been told, and where it shows.
void lab_print_diagnosis(const lab_result *r);

// Has what explains the failure been printed before, whatever its numbers?
int lab_is_told(const lab_result *r);

// What the stage printed itself.
void lab_print_log(const char *log);

#endif
