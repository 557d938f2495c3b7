// rubric.h: from cases, timings and counted traffic to points. grader/rubric.json is the one place for the numbers.
#ifndef LAB_RUBRIC_H
#define LAB_RUBRIC_H

#include <jansson.h>

// Loads and checks rubric.json. NULL with a sentence in why.
json_t *lab_rubric_load(const char *path, char *why, size_t size);

// What is known of a task: arrays of results.json. counts may also hold {"case", "verdict", "finding"}: what a counted
// case was found to do wrong; case "all": it concerns them all.
typedef struct {
    const json_t *cases, *timings, *counts;
    int measured;        // 0: this run measures no speed
    const json_t *demo;  // object of results.json; NULL: none
} lab_evidence;

// The points and criteria of one task: an array for results.json's "criteria". A correctness criterion gives its points
// when every case that carries its name passed; with "evidence": "recall", when the demo answers as often as with the
// lab's kernels. A speed criterion needs a task whose every case passed (a bonus aside). It interpolates the speed-up
// between two bounds or, where nothing was timed (a CUDA task without a GPU), counts: the bytes moved over the minimum, and
// the numbers of shared memory for each multiply-add; of the two the one that gives less. A criterion that could not be measured, through no fault of the student's, has max_points 0.
json_t *lab_rubric_score(const json_t *rubric, const char *task, const lab_evidence *evidence, double *score,
                         double *max_score, double *bonus);

// Is a baseline's time impossible? Then the lab has measured that point wrongly, and not the submission.
int lab_baseline_is_impossible(const json_t *timings);

// Such a point counts neither for the submission nor against it.
void lab_excuse_points(json_t *timings);

// 1 if the criterion is a bonus: its points come on top, and its cases do not decide the task's verdict.
int lab_rubric_is_bonus(const json_t *rubric, const char *task, const char *criterion);

// 1 if its claims must hold before speed counts: no bonus, and not the claims about single TODOs.
int lab_rubric_requires(const json_t *rubric, const char *id, const char *criterion);

#endif
