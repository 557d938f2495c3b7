// score.h: what results.json says of the whole: points, and by which lab and when.
#ifndef LAB_SCORE_H
#define LAB_SCORE_H

#include <jansson.h>

// Sets score, max_score and bonus of results.json from its tasks.
void lab_add_up(json_t *result, const json_t *rubric);

// ISO 8601, UTC; returns text.
const char *lab_date(char text[32]);

// The lab's own version, or "unknown".
const char *lab_commit(void);

// Gives a task's object the points of this rubric. simt: its bytes were counted; measured: its run measured speed.
void lab_rescore_task(const json_t *rubric, json_t *task, int simt, int measured);

// Gives the tasks of folder/results.json the points of this rubric, from what stands there: nothing is run or measured.
// Writes results.json, which then holds "rescored", and Results.md; the plots stay. Returns 1, or 0 with a sentence in
// why. *result: as for lab_grade.
int lab_rescore(const json_t *rubric, const char *folder, json_t **result, char *why, size_t size);

#endif
