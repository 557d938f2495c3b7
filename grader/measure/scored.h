// scored.h: which points carry points.
#ifndef LAB_SCORED_H
#define LAB_SCORED_H

// 1: a criterion of grader/rubric.json is about this point, or it belongs to the table of speed-ups of a task that has
// such criteria. series NULL: has the task any?
int lab_is_scored(const char *task, const char *series, const char *point);

// 1: points ask for the traffic or the wavefronts of this case.
int lab_is_counted_for_points(const char *task, const char *name);

#endif
