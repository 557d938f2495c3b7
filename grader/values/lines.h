// lines.h: what each line of a student's file computes in a claim: the numbers that its variables get.
#ifndef LAB_VALUES_LINES_H
#define LAB_VALUES_LINES_H

#include "repair.h"
#include "trial.h"

typedef struct {
    int line;
    char function[64], name[64];  // the variable, or return
    float *value;                 // the finite ones, each once, in order of size
    size_t n;
} lab_line;

typedef struct {
    lab_line *line;
    int n;
    float *all;  // where their values stand
} lab_lines;

// A number that a variable got, in the order in which they were computed; id 1: of the first line.
typedef struct {
    int32_t id;
    float value;
} lab_told;

// Calls the file once more, with the inputs of a trial of the same shape. Returns how many numbers it told, -1 for a call
// that failed; they stand until the next call.
typedef struct lab_teller lab_teller;
int lab_lines_again(lab_teller *teller, const lab_trial *t, const lab_told **list);

// Looks at the lines while the file can still be called.
typedef void lab_lines_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen);

// Compiles the file that tells what it computes (edits --values), calls it, and lets `look` look. Returns 0 if that cannot be
// done, or if it computes more than there is room for; lab_lines_free all the same.
int lab_lines_tell(const lab_repair_ask *ask, const lab_trial *t, double seconds, lab_lines *lines, lab_lines_look *look,
                   void *seen);
void lab_lines_free(lab_lines *lines);

// Compiles it on another processor: lab_lines_tell is likely to be called. drop: nobody is going to any more.
void lab_lines_ahead(const lab_repair_ask *ask);
void lab_lines_drop(void);

#endif
