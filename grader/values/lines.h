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

// A number that a variable got, in the order in which they were computed.
typedef struct {
    int32_t id;     // of its line, from 1
    int32_t where;  // CUDA: the thread in its block, and 1024 times the block; -1: the host
    float value;
} lab_told;

// The file, compiled so that it tells what it computes (edits --values), and a runner that calls it, with the inputs of trials
// of one shape and room for so many numbers. What is compiled stays for the next who asks, until lab_lines_drop. lines:
// without values. Returns NULL if that cannot be done; lab_lines_free all the same.
typedef struct lab_teller lab_teller;
lab_teller *lab_lines_open(const lab_repair_ask *ask, const lab_trial *t, int room, double seconds, lab_lines *lines);
void lab_lines_close(lab_teller *teller);

// Calls the file. Returns how many numbers it told, -1 for a call that failed; they, and what it left in the trial's outputs,
// stand until the next call.
int lab_lines_again(lab_teller *teller, const lab_trial *t, const lab_told **list);
const float *lab_lines_output(const lab_teller *teller, const lab_trial *t);

// Looks at the lines while the file can still be called.
typedef void lab_lines_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen);

// Opens it, calls it once, sorts out what each line had, and lets `look` look. Returns 0 if that cannot be done, or if it
// computes more than there is room for; lab_lines_free all the same.
int lab_lines_tell(const lab_repair_ask *ask, const lab_trial *t, double seconds, lab_lines *lines,
                   lab_lines_look *look, void *seen);
void lab_lines_free(lab_lines *lines);

// Compiles it on another processor: it is likely to be asked for. drop: nobody is going to ask any more.
void lab_lines_ahead(const lab_repair_ask *ask);
void lab_lines_drop(void);

#endif
