// journal.h: what a run is about and what it has found out, so that a run that ended before its time can go on: after ^C,
// kill -9, a power cut, a full disk. A line of JSON a fact, synced before the run goes on; a torn line is none.
//
//     DIR/.journal   {"journal": 1, "seed": "...", "options": {...}}               the first line
//                    {"submissions": [{"folder": FOLDER, "path": "..."}]}          those of the run; later, those added
//                    {"of": FOLDER, "task": "task4", "result": {...}}              a task is done: its object of results.json
//                    {"done": FOLDER}                                              its results.json is written
//                    {"again": FOLDER, "tasks": ["task4"]}                         --regrade: these no longer count
//
// The file is its owner's alone to read (it holds the secret seed) and no sandbox shows it.
#ifndef LAB_JOURNAL_H
#define LAB_JOURNAL_H

#include "arguments.h"

// Takes from DIR's journal what the command line leaves open: seed, submissions, and the options that are not in `given`
// (by their letter in arguments.c). Returns 0 when DIR holds no run.
int lab_journal_recall(lab_arguments *all, const char *given);

// Begins a run in DIR, or goes on with the one that was recalled. Holds DIR/.run.lock from then on. Returns 0 with a
// sentence in why: DIR holds a class that was not recalled, or another grade_all works there.
int lab_journal_begin(lab_arguments *all, char *why, size_t size);

// This process reads the run's journal, and another one writes it: a task of an array (slurm.h).
void lab_journal_only_read(void);

// The result of a finished task, or NULL. The caller's to decref.
json_t *lab_journal_find(const char *folder, const lab_task *t);

// A task is done; a submission is done. Return 0 with errno when that cannot be written: the run goes on all the same.
int lab_journal_task(const char *folder, const lab_task *t, const json_t *result);
int lab_journal_done(const char *folder);

// --regrade: the submission's results of these tasks (NULL: of all) no longer count.
int lab_journal_again(lab_arguments *all, lab_entry *e, const lab_task *const *tasks, int n_tasks);

// regrade.c: chooses those that --regrade names, and skips all others. Returns 0 after saying what is wrong.
int lab_choose_again(lab_arguments *all);

#endif
