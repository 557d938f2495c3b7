// astray.h: what a submission holds in place of a task's file: a folder in another case, a second name, an archive.
#ifndef LAB_ASTRAY_H
#define LAB_ASTRAY_H

#include "submission.h"

typedef struct {
    char nearest[LAB_MAX_TASKS][80];  // the path most like the task's
    int likeness[LAB_MAX_TASKS];
    char archive[80];    // the first archive in it
    char others[3][40];  // of any names
    int n;
} lab_astray;

// A regular file of the submission, by its path from the submission's own folder.
void lab_astray_see(lab_astray *a, const char *path);

// The same of all files below an open folder that are not hidden, as far as it is small. Follows no link, opens no file.
void lab_astray_see_folder(lab_astray *a, int folder);

// Completes the messages of tasks that are MISSING: LAB_THERE_IS, and what.
void lab_astray_say(const lab_astray *a, lab_submission *submission);

// Names that end like those of archives.
int lab_is_archive(const char *path);

#endif
