// attempt.h: one claim, tried with one change after another.
#ifndef LAB_REPAIR_ATTEMPT_H
#define LAB_REPAIR_ATTEMPT_H

#include "judge.h"

// A file with switches, in a runner that lives on from change to change.
typedef struct lab_attempts lab_attempts;
struct lab_attempts {
    lab_stage_options options;
    lab_stage stage;
    int open, calls;       // calls: of this runner
    int reversed;          // threads of a kernel run in the reverse order
    int device;            // 1: CUDA
    double usual;          // seconds of a processor that a call of the unchanged file has taken, in lab_attempt_limit
    double since;          // what had been used up before
    double budget;         // seconds of a processor, the lab's own among them, after which nothing more is tried
    double least;          // seconds that a call may take; 0: a few
    double share;          // of the budget, which counts now; 0: all of it
    lab_attempts *beside;  // many.c: a second runner; NULL: none has been needed
};

// From now on, `seconds` of a processor are for all that is tried and compiled; how many of them are left.
void lab_attempts_begin(double seconds);
void lab_attempts_forgive(double seconds);  // they do not count
// What was found, when so much was left, has been ruled out: its time does not count, up to 3 s since the beginning.
void lab_attempts_forgive_since(double left);
double lab_attempts_left(void);

// A program of the lab's that is built when it is first needed, which costs no attempt: a new tree tries as many changes.
int lab_attempts_need(const char *program, const char *why);

// Starts the runner where none lives. 0: that failed.
int lab_attempts_ready(lab_attempts *a);
double lab_attempts_of_runner(const lab_attempts *a);  // seconds of a processor that it has had

// many.c: the claim with each of n changes, of a file that tcc has compiled or of one in CUDA, in a few calls of the runner:
// 1 in `holds` for those with which it holds. A call may take so many microseconds of a processor (LAB_LATE); who ends the
// runner is LAB_ENDED. CUDA: where changes are data, one that the call does not meet is not tried: it fails as the file does.
// Returns 0 if that cannot be done.
enum { LAB_LATE = 2, LAB_ENDED };
int lab_attempt_many(lab_attempts *a, const lab_prepared *claim, const int ids[], int n, double us, char holds[]);

// Beside a change's number: where the file as it is takes long, its hooks may be met more often (hooks/evaluate).
enum { LAB_PATIENT = 1 << 24 };
int lab_attempt_patience(const lab_attempts *a, double seconds);

// 1 if the claim holds with that change. A change that crashes or does not end costs the runner, and nothing else.
int lab_attempt(lab_attempts *a, lab_prepared *claim, int edit, double seconds);

// Seconds of a processor that a call of the unchanged file may take; 0 if it holds the claim: here it does not fail.
double lab_attempt_limit(lab_attempts *a, lab_prepared *claim);

// 1 while there is some of it left.
int lab_attempts_go_on(lab_attempts *a);

// The whole judgement: two calls.
int lab_attempt_twice(lab_attempts *a, const lab_case *c, uint64_t seed, int edit, double seconds);

// Says once, on the error output, what the student waits for, when that has taken a second since the first call.
void lab_say_aloud(void);

void lab_attempts_close(lab_attempts *a);

#endif
