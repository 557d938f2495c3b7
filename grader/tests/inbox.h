// inbox.h: a folder of submissions for the tests of grader/grade, and what was taken from them.
#ifndef LAB_INBOX_H
#define LAB_INBOX_H

#include "submission.h"

enum { T1 = 0, T3 = 2 };  // rows of lab_tasks

#define INBOX "build/tests/collect/in"

extern lab_submission found;  // what collect() found

int inbox_clear(void **state);                 // CMocka's setup and teardown: an empty inbox
const char *in(const char *name);              // path of NAME in the inbox, valid for the next three calls
void put(const char *name, const char *text);  // a file in the inbox
void collect(const char *path, int expected);  // lab_submission_collect gives what is expected
void task(int t, lab_verdict verdict, const char *says);
void taken(int t, const char *text);  // what stands in the work folder for that task
void taken_in_all(int files);         // so many files stand there, and no more

#endif
