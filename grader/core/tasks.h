// tasks.h: the table of tasks: where a student's file stands, what it is, and what is claimed of it.
#ifndef LAB_TASKS_H
#define LAB_TASKS_H

struct lab_case;  // cases.h

// How a task's file is compiled and where it runs.
typedef enum {
    LAB_C,         // C, one thread
    LAB_C_OPENMP,  // C with OpenMP
    LAB_CUDA,      // CUDA C: on the GPU, or on the CPU by grader/simt
} lab_language;

typedef struct {
    const char *id;      // "task1"
    const char *folder;  // "task1_reference"
    const char *file;    // "reference.c": the one file of the folder that a student hands in
    const char *title;
    lab_language language;
    const struct lab_case *todos,
        *cases;            // claims about single TODOs, and about the whole
    const char *headers;   // a further folder whose headers the file may include; NULL: none
    const char *parts[3];  // tasks whose kernels it is built from, in a model around them; then NULL
    const char *bonus;     // the criterion whose claims may stay open, as rubric.json says; NULL: none
} lab_task;

extern const lab_task lab_tasks[];
extern const int lab_n_tasks;

const lab_task *lab_task_find(const char *id);  // NULL if there is none

#endif
