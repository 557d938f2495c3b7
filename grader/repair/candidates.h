// candidates.h: the changes of a file that are worth a try, and the file with all of them behind a switch.
#ifndef LAB_REPAIR_CANDIDATES_H
#define LAB_REPAIR_CANDIDATES_H

#include "repair.h"

enum { LAB_FRAGMENT = 160 };

#define LAB_NO_TODO "-"

typedef struct {
    int id, rank;      // a smaller rank is likelier
    int line, column;  // in the student's file
    int indent;        // of the line: columns before what is shown of it
    int dropped;       // it does not compile, or is of another batch
    int hooked;        // it is in the file whose changes are data
    int later;         // it was passed by, as a likelier one holds (narrow.h)
    char todo[8];      // whose comment stands above it: "1.7"; LAB_NO_TODO: none; "": the file has no such comments
    char function[64], kind[32], was[LAB_FRAGMENT], now[LAB_FRAGMENT], whole[LAB_FRAGMENT];
    char also[48];    // lines that change with it, with commas between; "": none
    int shared;       // 1: it alters a size or a helper of many parts
    int each;         // 1: all that reads like `was` in its lines changes, and one has several; 2: some
    char end_of[64];  // of what comes at the end of a block: what that belongs to; "": it comes elsewhere
} lab_edit;

typedef struct {
    lab_edit *edit;
    int n;
    lab_edit *all;  // C: as edits has written them; in_all of them
    int in_all;
    int from, to;                               // the lines in which they lie; to 0: to the end
    int but_from, but_to;                       // lines in which none lies; but_to 0: there are no such lines
    char lines[64];                             // the only ones of those, with commas between; "": all
    int batch, most;                            // which, from 1, and how many are in it
    int fixed;                                  // the change without a switch; 0: all have one
    int faster;                                 // 1: compiled for large claims: those that are left are to be proved
    int once;                                   // 1: for checked mode, of which structs by value are not looked for
    const char *name;                           // of its file, while another one is compiled; NULL: the usual one
    int sieved;                                 // 1: all were tried, and those are left that may mend
    int chosen;                                 // the batch that is compiled
    int ahead;                                  // 1: ahead.c may have made what comes next
    double took;                                // seconds of a processor, of what was made so; 0: it was not
    double rate;                                // seconds of a processor that a change takes to compile
    char wrong[256], right[256];                // functions of the task, by their claims, with commas between
    int data;                                   // 1: of CUDA
    int hooks, no_hooks;                        // 1: this batch is all that is data; no such file compiles
    int best, rest;                             // of that: for which others were passed by, 0: none; 1: these come now
    int dim;                                    // of a head: claims with another one do not run with data; 0: all do
    char code[256];                             // functions that do not compile with their changes as data
    char plain[4300], file[4300], table[4300];  // file: plain, without what was dropped
    char hooked[4300];                          // its changes are data (edits/hooks)
} lab_candidates;

// batches.c: how many changes of the file are in them, up to 0; what is not in the batch is dropped
const int *lab_candidates_limits(const lab_repair_ask *ask, const lab_candidates *c);
void lab_candidates_choose(const lab_repair_ask *ask, lab_candidates *c);

// The likeliest first: a few, then more. Returns 0 behind the last.
int lab_candidates_next(const lab_repair_ask *ask, lab_candidates *c);

// What was passed by, as a batch of its own.
void lab_candidates_rest(lab_candidates *c);

// In which files its changes stand. take: from there, as edits has written them. Returns 0 if there are none.
void lab_candidates_name(const lab_repair_ask *ask, lab_candidates *c);
int lab_candidates_take(const lab_repair_ask *ask, lab_candidates *c);

// All of them, without a choice. Returns 0 if there are none.
int lab_candidates_read(const lab_repair_ask *ask, lab_candidates *c);

int lab_candidates_again(const lab_repair_ask *ask, lab_candidates *c);  // C: as they were before any choice

// Compiles the file with its changes into `output`: as a probe or as the stage. Those that do not compile are dropped.
// Returns 0 if nothing came of it.
int lab_candidates_compile(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output);

// The same once, of the file as it was written.
lab_verdict lab_candidates_build(const lab_repair_ask *ask, const lab_candidates *c, int probe, const char *output,
                                 char *message, size_t size, char *log, size_t log_size);

// All of them with tcc, for lab_attempt_many. Returns 0 if tcc is not there or does not understand the file.
int lab_candidates_compile_all(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output);

enum { LAB_MOST_EDITS = 1 << 16 };

// dropped.c: writes the file with those that are left.
int lab_candidates_write(const lab_candidates *c);

// The functions in which the student's own text has errors by the log, with commas between.
void lab_functions_of_errors(const lab_candidates *c, const char *source, const char *log, char *list, size_t size);

// Does it alter something in that line?
int lab_stands_in(const lab_edit *e, int line);

// Drops what the compiler's log names; returns how many changes that are.
int lab_candidates_drop(lab_candidates *c, const char *source, const char *log);
// What goes with a change that does not compile: nothing; others of its place with a name that is not declared; those of
// its kind that alter the same words; all of its line.
typedef enum { LAB_ALONE, LAB_ITS_NAME, LAB_ITS_KIND, LAB_ITS_LINE } lab_also;
// Those that it names, and what goes with them.
int lab_candidates_drop_named(lab_candidates *c, const char *log, lab_also also);

// Only these from now on: others are dropped. Returns 0 if that fails.
int lab_candidates_keep(lab_candidates *c, const int *ids, int n);

// As if that change, which is known to compile, were the student's text: no switch is left. For one compilation.
// -1: the text as it is.
int lab_candidates_keep_one(lab_candidates *c, int id);  // until `fixed` is 0 again

// Removes what was written.
void lab_candidates_free(lab_candidates *c);

#endif
