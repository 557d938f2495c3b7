// common_cause.h: one sentence for many failed claims: what explains them all, or what they have in common.
#ifndef LAB_COMMON_CAUSE_H
#define LAB_COMMON_CAUSE_H

#include "judge.h"
#include "where_it_fails.h"

// A claim of the whole file has been tried.
void lab_cause_add(const lab_case *c, const lab_result *r);

// A claim of a TODO has been tried: what builds on it says nothing of its own where it is wrong.
void lab_cause_todo(const lab_case *c, const lab_result *r);
int lab_cause_known(void);                   // 1: the first TODO that fails has its sentence
const char *lab_first_todo(void);            // "3.5"; "": none fails, or what it calls is wrong itself
int lab_first_todo_calls(const lab_op *op);  // a function that has claims of its own
int lab_first_todo_follows(void);            // 1: all TODOs before it hold, and a function that it calls does not
const char *lab_first_todo_matches(void);    // a mistake that matches all of its claims that fail; NULL: none does

// revise.c: does an earlier claim contradict what is said of this one? "Overflows where scores are large" is wrong where
// ordinary ones give NaN, too. Then the sentence goes, and others stand in its place. calls: of a TODO's claim, its
// function calls that of the first TODO that fails.
void lab_cause_revise(const lab_case *c, lab_result *r, int calls);
int lab_cause_is_revised(const lab_result *r);

// The claims of the whole file that have been tried, 0, 1, ...; NULL behind the last. The first function that this one
// uses and whose own claims fail; NULL: there is none.
const lab_tried *lab_cause_tried(int i);
const lab_guesses *lab_cause_fits(int i);  // what fits one of them; NULL: it does not count

// How many of them have not passed, those of large scores, too.
int lab_cause_failures(void);

// 1 if all that fails is NaN, and some of it in sequences without keys alone.
int lab_cause_is_no_keys(void);
const lab_op *lab_wrong_part(const lab_op *op);

// What matches all that fails, of the first TODO that does or, without TODOs, of the whole file: it stands above all
// else. Returns 0 where nothing does.
int lab_cause_matched(char *text, size_t size);
int lab_cause_matches(char *text, size_t size);  // so far: nothing is said of it yet

// "One cause explains all 14: ...", or, where it explains most of them, that it is a guess; "" otherwise.
void lab_cause_say(char *text, size_t size);

// Has it been said? And the same words, whatever their numbers, up to what stands in brackets at the end.
int lab_cause_was_said(const char *cause);
int lab_cause_is_said(void);  // of some cause it was said that it explains all that fails
int lab_same_cause(const char *a, const char *b);

// Is a the same cause with smaller tiles? Those fit all claims: in a single one larger tiles may fit, too.
int lab_is_smaller_tile(const char *a, const char *b);

// cause_size.c: the text, which says this cause, ends with the size in brackets that fits all claims, or with none.
void lab_agree_on_size(const char *cause, char *text, size_t size);

// Is a the same cause and says behind which rows, in brackets, and b does not? Elsewhere brackets hold what is one
// claim's, the size of its tiles.
int lab_says_more(const char *a, const char *b);

// "It fails where seq_q differs from seq_kv, and nowhere else", or "".
void lab_cause_where(char *text, size_t size);

#endif
