// manual.h: what people add to a class: points and comments in DIR/manual.csv (student, item, points, comment), days late
// in DIR/late.csv (student, days). The grader writes an empty manual.csv once and never changes either. What they say
// becomes "manual" of results.json, a part of each page, and columns of the gradebook.
//
// A student is named as in DIR. An item is one of rubric.json's "manual", or a task. What a day late costs is
// rubric.json's "late": {"unit": "points" or "percent", "per_day": 10, "free_days": 1, "most": 50}.
#ifndef LAB_MANUAL_H
#define LAB_MANUAL_H

#include "arguments.h"

// Writes DIR/manual.csv, a row for each submission and item, unless it is there. Returns 0 after saying why it cannot.
int lab_manual_template(const lab_arguments *all);

// Reads both files, says of each line that is wrong what is wrong, and leaves it out. Brings results.json and the pages
// up to date where they say something else. Returns how many lines were wrong, or results not written.
int lab_manual_apply(const lab_arguments *all);

#endif
