// slurm.h: a class on a cluster. grade_all --slurm submits an array; each of its tasks grades one submission into DIR, which
// all nodes see; grade_all waits and then collects, as it does at home. sbatch, squeue and scancel are all it asks for.
//
//     DIR/.journal          what the run is about (journal.h): the tasks read it, grade_all writes it
//     DIR/.slurm/job.sh     what a task runs: grade_all, with DIR and the number of a submission
//                jobs       a line for each array: its number, and which submission its task 0 would be
//                K.done     written last, whole: how it went with submission K. Without it the task is not done
//                log-*.txt  what tasks have printed
//
// A task that has left the queue and has written no K.done is lost: it is submitted again, once. An ended grade_all ends
// no job: with --resume it finds them in the queue and goes on waiting.
#ifndef LAB_SLURM_H
#define LAB_SLURM_H

#include "class_run.h"

// In place of lab_run_class. Returns how many could not be graded, or -1 after saying why nothing was submitted.
int lab_slurm_class(lab_arguments *all);

// In a task of the array: grades submission all->slurm.entry. Returns 0, or 1 after saying what is wrong.
int lab_slurm_task(lab_arguments *all);

// ---- slurm_queue.c: between DIR/.slurm and Slurm's commands

typedef struct {
    int job;  // number of the array; 0: the submission is in none
    int at;   // number of the task in it
    char state[24], where[64];
} lab_slurm_place;

// What the queue says of the submissions whose places are known. "" is the state of those that it does not name. Returns
// 0 when Slurm does not answer: then nothing is known.
int lab_slurm_look(const lab_arguments *all, lab_slurm_place *places);

// Gives the places of submissions whose jobs an earlier grade_all has submitted.
void lab_slurm_remember(const lab_arguments *all, lab_slurm_place *places);

// Submits those that are wanted, in arrays of at most 1000. Returns 0 with a sentence in why.
int lab_slurm_submit(const lab_arguments *all, const char *wanted, lab_slurm_place *places, char *why, size_t size);

// Makes DIR/.slurm, or goes on with that of the run. The jobs of a run that is replaced are cancelled.
int lab_slurm_open(const lab_arguments *all, char *why, size_t size);

#endif
