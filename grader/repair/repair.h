// repair.h: one small change to the student's own file after which what failed holds, and what held still does.
#ifndef LAB_REPAIR_H
#define LAB_REPAIR_H

#include "judge.h"
#include "tasks.h"

typedef struct {
    const lab_task *task;
    const char *source;          // the student's file
    const char *edits;           // the program that writes it with many changes behind a switch
    const char *stage;           // its stage: what is written stands beside it
    char *const *runner;         // the command; its second word is replaced by a stage
    const char *checked_runner;  // of simt's checked mode; NULL: there is none
    uint64_t seed;
    int known;      // 1: what is wrong is known: of a TODO two batches are tried
    char at[40];    // lines in which it can be, with commas between: changes there come first
    int open;       // 1: a TODO is not written: what is given to it is read by nobody yet
    int line_only;  // 1: the sentence names the line and keeps the change to itself
} lab_repair_ask;

// A claim has been judged.
void lab_repair_keep(const lab_case *c, const lab_result *r);

// What is to be looked for, in the whole file or in the function of the first TODO that fails, can be prepared on another
// processor, and has not been; begin with that; wait for it, and remove what it has left.
int lab_repair_ahead_due(const lab_repair_ask *ask);
void lab_repair_ahead(const lab_repair_ask *ask);
void lab_repair_ahead_end(void);

int lab_repair_wanted(void);  // 1 if a claim failed that a change may mend

// Sentence i about changes that mend: 0, 1, ... Returns 0 behind the last. The first call looks for all of them.
int lab_repair(const lab_repair_ask *ask, int i, char *text, size_t size);

// What threads share and set by the file's text, whether claims hold or not. Returns 0 for nothing, and if it has been
// said of a race that was seen.
int lab_repair_shared(const lab_repair_ask *ask, char *text, size_t size);

// idle.c: functions that nobody calls and results that nobody takes. Returns how many it says.
int lab_repair_idle(const lab_repair_ask *ask, char *text, size_t size);

// The same among the changes of these lines alone, "28,31", where none was found among the likeliest of the file.
int lab_repair_at_lines(const lab_repair_ask *ask, const char *lines, char *text, size_t size);

// reported.c: the lines that a report of checked mode names, and those in which the shared memory stands that it is about.
void lab_lines_of_report(const char *report, const char *source_text, char *lines, size_t size);

// 1 if a sentence names a change after which everything holds that failed.
int lab_repair_explains_all(void);

// reported.c: every claim holds, and checked mode reports something of the first of these: the change after which it has
// nothing to say of any of them. Returns 0 if none was found.
int lab_repair_reported(const lab_repair_ask *ask, const lab_case *held, int n, const char *report, char *text,
                        size_t size);

#endif
