// arguments.h: what grade_all was asked to do.
#ifndef LAB_ARGUMENTS_H
#define LAB_ARGUMENTS_H

#include <sys/types.h>

#include "grade.h"

// A submission of the run.
typedef struct {
    char *path;
    char name[256], folder[256];  // as shown; as a folder of DIR, different for each
    // While it is graded (class_run.c):
    pid_t pid;      // its process; 0: none
    int pipe;       // from it
    int waits;      // for the machine, which it wants alone: it is at no work
    int gpu;        // which of grading.gpu
    double since;   // lab_now() of its start
    char step[64];  // what it does
    int done;
    int again;  // --regrade: it is graded although it was
    int skip;   // --regrade: it is not graded
    int added;  // DIR's journal does not know it yet
} lab_entry;

// Of --slurm (slurm.h).
typedef struct {
    int wanted, entry;  // entry: this process is a task of the array, for that submission; -1: it is not
    int throttle, cpus;
    const char *partition, *gres, *time;
} lab_slurm_options;

typedef struct {
    lab_grading grading;  // seed, tasks, what to measure
    lab_entry *entries;
    int n, jobs, resume, rescore;
    int anew;        // a class in DIR is replaced
    char **regrade;  // whom: "errors", "all", or a submission
    int n_regrade;
    const lab_task *again[LAB_MAX_TASKS];  // what of them; n_again 0: all tasks
    int n_again;
    int unsafe;  // strangers' code may run without a sandbox
    char out[4096];
    int export[3];        // results for Gradescope, GitHub Classroom, Autolab
    const char *columns;  // of a table for another gradebook; NULL: none
    lab_slurm_options slurm;
} lab_arguments;

// Returns 0, or the exit status after saying what is wrong. --help prints and exits.
int lab_read_arguments(int argc, char **argv, lab_arguments *arguments);

#endif
