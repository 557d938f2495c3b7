// class.h: what the page about a class is drawn from. One results.json after the other is read, and only this is kept.
#ifndef LAB_CLASS_H
#define LAB_CLASS_H

#include <jansson.h>
#include <stdio.h>

#include "verdict.h"

enum { LAB_N_VERDICTS = LAB_GRADER_ERROR + 1 };

typedef struct {
    int graded;
    double score, max_score;
    lab_verdict verdict;
} lab_class_task;

typedef struct {
    char *folder;  // of DIR, for links
    char *name;    // as it is shown
    char *error;   // why results.json could not be read; NULL: it could
    int no_pages;  // there is no results.json, and so no page
    double score, max_score, bonus;
    lab_class_task *tasks;  // in the order of lab_tasks
    json_t *found;          // what to look at: [{task, what, text}]
    json_t *manual;         // what people gave or took (results.json); NULL: nothing
} lab_student;

typedef struct {
    const char *folder;
    lab_student *students;  // by name
    int n, unsandboxed;
    int by_hand;      // 1: people gave or took points
    double *max;      // a task's most points over the class
    json_t *claims;   // that somebody tried and missed: [{task, name, todo, tried, failed, says: {diagnosis: n}}]
    json_t *ladders;  // a row a criterion of speed: [{task, name, from, to, dots: [{student, value}] (a name)}]
    json_t *pairs;    // similarity.csv: [{task, a, b, percent}]; NULL: it was not looked for
    char *created, *lab_commit, *backend, *machine;  // of the newest result
} lab_class;

// Reads DIR/*/results.json, DIR/similarity.csv, and from DIR/gradebook.csv who has no result.
// Returns 0 after saying why DIR cannot be read.
int lab_class_read(const char *folder, lab_class *all);
void lab_class_free(lab_class *all);

// The rows of a list, which is given up, in qsort's order of json_t *.
json_t *lab_sorted(json_t *list, int (*order)(const void *a, const void *b));

// class_said.c: what is said of a claim of that task: its diagnosis, or the cause (written there) that the task's message
// names.
const char *lab_class_said(const json_t *task, const json_t *claim, char *cause, size_t size);

// The sections of the page, in its order.
void lab_class_look_first(FILE *out, const lab_class *all);  // class_tables.c: what to look at before points are given
void lab_class_scores(FILE *out, const lab_class *all);      // class_charts.c: how the scores are spread, by task
void lab_class_ladders(FILE *out, const lab_class *all);     // who is how fast, beside what the rubric asks for
void lab_class_verdicts(FILE *out, const lab_class *all);    // class_tables.c: what went wrong, by task
void lab_class_claims(FILE *out, const lab_class *all);      // which claims fail most
void lab_class_students(FILE *out, const lab_class *all);    // a row a student

extern const char lab_class_css[], lab_class_js[];  // class_assets.c; each ends with a zero

// "WRONG_ANSWER" -> "wrong answer"; returns text.
char *lab_verdict_words(char text[40], lab_verdict v);

#endif
