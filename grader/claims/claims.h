// claims.h: how a run of claims looks to people, and to the grader. The program is claims.c.
#ifndef LAB_CLAIMS_H
#define LAB_CLAIMS_H

#include <jansson.h>
#include <stdio.h>

#include "judge.h"
#include "tasks.h"

// claims_ask.c
typedef struct {
    const lab_task *task;
    char *stage, *runner, *probe, *source, *part[2], *build, *only, *results_path, *summary, *xml;
    char *checked_runner, *edits;
    char *second_look, *second_runner;
    char *until, *says;  // no further claims after one with this verdict, and this text in its diagnosis
    double seconds;      // that a call may take
    uint64_t seed;
    int line_only;  // the line of a change that mends, and not the change
    int smallest;   // of each criterion one claim
} lab_ask;

int lab_read_ask(int argc, char **argv, lab_ask *ask);   // 0: wrong usage
int lab_ask_for(const lab_ask *ask, const lab_case *c);  // is the claim asked for?
int lab_say_nothing_asked(const lab_ask *ask);           // it is no claim's: what there is. Returns the exit status
int lab_takes_long(const lab_case *c, uint64_t seed);    // seconds under simt: a thousand tokens, a whole model
double lab_ask_weight(const lab_case *c);                // what it costs in checked mode; less is better
int lab_ask_lighter(const lab_ask *ask, lab_case *c);    // for that mode; 1: its shape is a smaller one now

// Each claim's result, in order: the TODOs' first, then those of the whole file. What holds is one line of a criterion,
// unless each claim is to have its own.
void lab_show_claim(const lab_case *c, const lab_result *r);
void lab_show_each(void);

// Prints what has been kept to be one line with what comes behind it.
void lab_show_kept(void);

// A stage's own output, when that claim failed.
void lab_show_log(const lab_case *c, const char *log);

// A sentence about the task as a whole; `label` says what it is: "Note", "Why".
void lab_show_note(const lab_task *task, const char *label, const char *note);

// The end: how many hold (also into text), and what to do next. Returns the exit status: 0 when the whole file's claims
// hold (or, where only TODOs were asked about, those).
typedef struct {
    const lab_task *task;
    const char *text;       // the file without comments, or NULL
    const char *left_open;  // the first TODO whose line still stands in it, or ""
    const char *off;        // a switch of the file that stands at 0, or ""
    int todos;              // the file speaks of TODOs
    int all;                // every claim of the task was asked for
    int checked;            // the runner is simt's checked mode
    int looked;             // or a wrong answer has been looked at in that mode
} lab_end;
int lab_show_end(const lab_end *end, char *text, size_t size);

// claims_write.c. A claim as the grader reads it, and the file of results, a line for each. Open and close return 0 if it
// cannot be written; NULL: nobody asks for one. A line takes the object.
json_t *lab_claim_json(const lab_case *c, const lab_result *r);
int lab_results_open(const char *path);
void lab_write_line(json_t *line);
int lab_results_close(void);

// The words that are left of a claim that was written before all of them were looked at together.
void lab_write_told(const lab_case *c, const lab_result *r);

#endif
