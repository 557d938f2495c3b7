// reuse.h: the same text, the same verdict. In a run of a class each text of a task's file is compiled and judged once;
// who hands in that text again gets the same verdict, claims and times. Most are skeletons that nobody has touched.
//
//     DIR/.same/HASH/text        what was judged: the file, what task 6 is built from, options, rubric, machine
//                    task.json   the task's object of results.json, without the first student's paths
//                    stage.so    the compiled file, of tasks that others are built from
//                    lock        held while it is judged: who comes second waits, and compiles nothing
//
// Texts are compared byte by byte; the hash only names the folder. A killed grader lets go of its lock, and what it has
// left unfinished is judged again. No sandbox shows DIR.
#ifndef LAB_REUSE_H
#define LAB_REUSE_H

#include "grade.h"

// A text that this process judges.
typedef struct {
    char folder[4400];  // "": its verdict will not be kept
    int lock;           // descriptor, or -1
    int busy;           // another process judges it just now
} lab_reuse;

// The task's object if the text was judged before in this run (in it: "same_text": true), and its stage in the
// submission's work folder. NULL: it is for the caller to judge, and then to pass to lab_reuse_keep; or, without wait, it
// is busy.
json_t *lab_reuse_find(const lab_graded *s, const lab_task *t, int wait, lab_reuse *r);

// Keeps the verdict for those who come later, unless the grader itself has failed. Takes no reference.
void lab_reuse_keep(const lab_graded *s, const lab_task *t, lab_reuse *r, const json_t *task);

// Forgets all verdicts of DIR: a run that goes on with nothing judges anew.
void lab_reuse_forget(const char *out);

#endif
