// source_kinds.h: lines of a file by what they do, as their words say it. For source_places.c and source_scale.c.
#ifndef LAB_SOURCE_KINDS_H
#define LAB_SOURCE_KINDS_H

#include <stddef.h>

enum { LAB_MOST_LINES = 3 };  // that are named: more say nothing

typedef struct {
    int line[2 * LAB_MOST_LINES], n;
} lab_lines;

typedef int lab_is_line(const char *at, const char *end);  // of one line's text

lab_is_line lab_asks_for_causal, lab_sends_numbers, lab_takes_root, lab_takes_exponential, lab_makes_exponential,
    lab_takes_logarithm, lab_takes_power_of_2, lab_looks_for_maximum, lab_joins_maxima, lab_divides, lab_copies_element,
    lab_asks_for_length, lab_wraps_round, lab_says_bad_shape, lab_says_cache_full, lab_calls_sdpa, lab_calls_softmax,
    lab_moves_heads, lab_asks_for_room, lab_leaves_without_keys, lab_takes_turns, lab_hides_score, lab_keeps_place,
    lab_takes_length;

int lab_has_text(const char *at, const char *end, const char *text);
const char *lab_root_in(const char *at, const char *end);  // where a square root is taken; NULL: nowhere

void lab_add_line(lab_lines *all, int line);
lab_lines lab_lines_that(const char *text, lab_is_line *is_it);
void lab_say_lines(const lab_lines *all, char *text, size_t size);  // "lines 3, 5 and 9"

// source_scale.c: the lines that take a root, or what reads the number that was made of it: a sentence, 0 if it has none.
int lab_say_scale(const char *text, char *sentence, size_t size);
lab_lines lab_lines_of_scale(const char *text);

// source_factors.c: the one line that makes exp(old maximum - new maximum), and what reads it: a sentence, 0 if it has none.
int lab_say_factor(const char *text, char *sentence, size_t size);

// source_splits.c: the lines of the kernel of attn_combine that read an L_s, and those that take exp(L_s) as it is.
int lab_say_splits(const char *text, char *sentence, size_t size);
int lab_say_plain_exp(const char *text, char *sentence, size_t size);

// source_handed_on.c: what a call has that a length, attention or merged heads show: a sentence, 0 if it has none.
int lab_say_counted(const char *text, char *sentence, size_t size);
int lab_say_given_twice(const char *text, char *sentence, size_t size);
int lab_say_split_again(const char *text, char *sentence, size_t size);

// source_weights.c: the exponentials of numbers from which nothing has been subtracted, where each one's argument is known.
int lab_say_unshifted(const char *text, char *sentence, size_t size);

// source_largest.c: exponentials that are divided by the largest of them: a sentence, 0 if it has none.
int lab_say_largest(const char *text, char *sentence, size_t size);

// source_operand.c: the lines that read what a product takes otherwise than it is stored; *operands: "A", "B" or both.
lab_lines lab_lines_of_operand(const char *text, const char *cause, const char **operands);

#endif
