// grade.h: one submission, from its path to its folder of results. In the order in which data passes through the files.
// The programs run in the lab's root.
#ifndef LAB_GRADE_H
#define LAB_GRADE_H

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

#include "gpus.h"
#include "submission.h"
#include "tasks.h"

// A class is drawn at its end, by one Python: to start one takes as long as a plot.
enum { LAB_NO_PLOTS, LAB_PLOTS_AT_ONCE, LAB_PLOTS_LATER };

// What a run of grade_all is about.
typedef struct {
    const char *out;                       // DIR of --out, absolute
    const lab_task *tasks[LAB_MAX_TASKS];  // the tasks to grade, in order
    int n_tasks;
    uint64_t seed;        // secret
    const char *timeout;  // seconds that a call may take
    double deadline;      // seconds that a submission may take; what it has not done then is a GRADER_ERROR
    int n_gpus;           // 0: the run uses none
    char gpu[LAB_MAX_GPUS][64];
    int bench;      // measure speed
    int full;       // all that can be measured; otherwise what carries points, and the table of speed-ups
    int reuse;      // the same text gets the same verdict (reuse.h)
    int plots;      // LAB_NO_PLOTS, ...
    int sandboxed;  // submissions are compiled and run in a sandbox
    const json_t *rubric, *machine;
    void (*progress)(const char *submission, const char *what);
} lab_grading;

// A submission that is being graded.
typedef struct {
    const lab_grading *g;
    lab_submission submission;
    json_t *machine;     // g->machine, or a copy with ceilings raised
    const char *folder;  // of DIR
    uint64_t seed;       // its own: what one submission can store is of no use to another
    char work[4200];     // scratch, removed at the end
    char log[4200];
} lab_graded;

// ---- machine.c

// The "machine" of results.json: processor, compiler, and, when bench is set, ceilings measured now. scratch: a folder
// for the measurement's files.
json_t *lab_machine(int bench, const char *scratch);

// Measures the ceilings once more and keeps the larger of each: a peak measured on a busy moment is no peak.
void lab_machine_raise(json_t *machine, const char *scratch);

// ---- grade.c, task.c

// Grades path into out/FOLDER/. Returns 1, or 0 with a sentence in why when it could not be graded or written.
// *result is results.json's content (owned by the caller) or NULL.
int lab_grade(const lab_grading *g, const char *path, const char *folder, json_t **result, char *why, size_t size);

// The grader itself failed on the task, or on one of its cases: --resume grades it again. why: how (it may be NULL).
int lab_is_unfinished(const json_t *task, char *why, size_t size);

// The task's object in results.json. NULL without wait: another process judges the same text just now.
json_t *lab_grade_task(const lab_graded *s, const lab_task *t, int wait);

// Will lab_grade_task time it on the processor, if its claims pass?
int lab_times_the_host(const lab_graded *s, const lab_task *t);

// What a task's inputs are drawn from: follows from the run's secret, the submission's folder and the task.
uint64_t lab_seed_of(const lab_graded *s, const lab_task *t);

// Adds to a command line: --part STAGE.so for each task that t is built from, and --seed-fd 3. part: room for the
// paths.
enum { LAB_WORDS = 32 };
void lab_add_words(const lab_graded *s, const lab_task *t, char *argv[LAB_WORDS], char part[2][4600]);

// The "backend" of results.json.
const char *lab_backend_of(const lab_grading *g);

// ---- What is known of a task besides its claims. `source` and `stage`: the student's file and its shared object

// impossible_times.c. Gives timings above the machine's ceilings (of arithmetic; of decoding, of memory, too) the
// verdict TIMING_SUSPECT: they are errors. The ceilings are measured again first, in case a busy moment has hidden
// them; not where no such moment explains it.
void lab_mark_impossible_times(const lab_graded *s, json_t *timings);

// run_checked.c: simt's checked mode. lab_build_checked builds the file for it once a grading; stage: gets the path. The
// name that lab_enter_checked_mode returns is what leaves it again.
const char *lab_enter_checked_mode(void);
void lab_leave_checked_mode(const char *usual);
lab_verdict lab_build_checked(const lab_graded *s, const lab_task *t, const char *source, char stage[4600],
                              char *message, size_t size);
int lab_has_checked_mode(const lab_task *t);

// Adds a GRADER_ERROR for each claim of the task that is not among the cases.
void lab_add_untried(const lab_graded *s, const lab_task *t, json_t *cases);

// Judges a small claim of each criterion in checked mode: where it is reported there, it has not passed. On a GPU it says in
// unlooked why nobody has looked, and a process that lab_look_beside has started (0: none) has done the work.
pid_t lab_look_beside(const lab_graded *s, const lab_task *t, const char *source);
void lab_judge_checked(const lab_graded *s, const lab_task *t, const char *source, pid_t beside, json_t *cases,
                       char *unlooked, size_t size);

// run_traffic.c: what stands in for a GPU's time where there is none. Builds the file in simt's checked mode and runs
// bin/count on it. Returns rows of results.json's "counts", and findings as rubric.h has them.
json_t *lab_count_traffic(const lab_graded *s, const lab_task *t, const char *source);

// Takes the findings out of counts, and says the first that is more than an open TODO at the end of message. Returns
// them: results.json's "findings".
json_t *lab_take_findings(json_t *counts, char *message, size_t size);

// run_demo.c: the demo with the student's kernels, for a task that is built into a model. The "demo" of results.json;
// NULL when the program failed: the log says why.
int lab_has_demo(const lab_task *t);
json_t *lab_run_demo(const lab_graded *s, const lab_task *t, const char *stage);

// profiling.c: what ncu and ptxas say of the kernels, for tasks whose kernels are looked at alone. Its rows become
// task's "profile", its remark "profile_note".
int lab_has_profile(const lab_task *t);
void lab_profile(const lab_graded *s, const lab_task *t, const char *source, json_t *task);

// ---- outputs.c

// Writes results.json (to a temporary name, synced, then renamed: it is whole or not there), then Results.md and the
// plots from it. Returns 0 with a sentence in why when one of them could not be written.
int lab_write_outputs(const json_t *result, const char *folder, int plots, const char *log, char *why, size_t size);

// Draws the plots of n folders, in which plots.json was written, and writes their pages anew.
void lab_draw_all(char **folders, int n, const char *log);

#endif
