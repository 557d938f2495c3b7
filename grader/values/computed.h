// computed.h: which line of a file computes which step of attention, and the first step that none computes right.
#ifndef LAB_VALUES_COMPUTED_H
#define LAB_VALUES_COMPUTED_H

#include "lines.h"
#include "right.h"

typedef struct {
    const lab_line *line;  // that has most of the numbers of the step; NULL: none has any
    double share;          // of the numbers that it has, beyond those that it would have by chance
    int unscaled;          // it has them without the scale, and no line has them with it
    int maybe;             // a line has all of them, and so many others that it tells nothing
} lab_computed;

void lab_computed_find(const lab_lines *lines, const lab_right right[LAB_N_STEPS], lab_computed found[LAB_N_STEPS]);

#define LAB_NO_SCORES "no line has the scores q . k, with the scale or without it: "
#define LAB_OUTPUTS "the outputs are not: "
#define LAB_NO_OUTPUTS LAB_OUTPUTS "no line has them"

// In words: the steps that are right, and the first that is not. "" if nothing can be said of any.
void lab_computed_say(const lab_right right[LAB_N_STEPS], const lab_computed found[LAB_N_STEPS], char *text,
                      size_t size);

// A line that has a maximum of each warp, or part, has those of all keys among them: of a cause that is about them nothing
// is said of the maxima.
void lab_computed_doubt(const char *cause, lab_computed found[LAB_N_STEPS]);

// Line by line, the claim that fails and tells most. cause: what is said already, or "". Returns 0 for nothing.
int lab_computed_note(const lab_repair_ask *ask, double seconds, const char *cause, char *note, size_t size);

// What that needs is compiled meanwhile; it is not going to be asked for.
void lab_computed_ahead(const lab_repair_ask *ask);
void lab_computed_drop(void);

// A cause explains all: a line that has a part of the numbers is a right one as often as not, and is left out.
void lab_computed_leave_line_out(char *note);

#endif
