// run_traffic.h: what stands in for a GPU's time where there is none: memory traffic, counted by simt's checked mode.
#ifndef LAB_GRADE_RUN_TRAFFIC_H
#define LAB_GRADE_RUN_TRAFFIC_H

#include "grade.h"

// Builds `source` in checked mode and runs bin/count on it; the checked stage goes into the folder `work`. Returns rows
// of results.json's "counts", and findings as rubric.h has them.
json_t *lab_count_traffic(const lab_grading *g, const lab_task *task, const char *source, const char *work,
                          const char *log);

// Takes the findings out of counts, and says the first that is more than an open TODO at the end of message. Returns
// them: results.json's "findings".
json_t *lab_take_findings(json_t *counts, char *message, size_t size);

#endif
