// findings.h: compute-sanitizer's log, in the words of someone who writes a kernel.
#ifndef LAB_PROFILE_FINDINGS_H
#define LAB_PROFILE_FINDINGS_H

#include <stddef.h>

#include "verdict.h"

typedef struct {
    int started;          // the tool's banner is there
    int finished;         // its summary is there: the program was not killed before
    int reports;          // errors, counted until the end of the log
    lab_verdict verdict;  // of the first report; LAB_PASSED: none
    char text[512];       // the first report in one sentence: what, file:line, kernel, thread and block
    char complaint[256];  // what kept the tool from working, "" if nothing did
} lab_findings;

// file: name of the student's file; of a report's places the first one in it is shown.
void lab_findings_parse(const char *log, const char *file, lab_findings *findings);

#endif
