// submission.h: from what a student handed in (a folder or an archive) to the files that the lab takes, and no others.
#ifndef LAB_SUBMISSION_H
#define LAB_SUBMISSION_H

#include <stddef.h>

#include "tasks.h"
#include "verdict.h"

enum { LAB_MAX_TASKS = 16, LAB_NICKNAME_SIZE = 40 };

typedef struct {
    char name[256];    // as it is shown: the folder's or archive's own name
    char folder[256];  // the same as a folder of DIR (names.h)
    char error[512];   // why nothing at all can be taken; "" otherwise
    char notes[512];   // what was refused on the way: links, paths that leave the archive
    char nickname
        [LAB_NICKNAME_SIZE];  // the first line of the file "nickname": who writes it takes part in the leaderboard
    struct {
        lab_verdict verdict;  // PASSED: the file is at work/TASKFOLDER/FILE. MISSING, FORBIDDEN_FILE
        char message[512];
    } task[LAB_MAX_TASKS];  // in the order of lab_tasks
} lab_submission;

// The report beside the task folders, report.md, becomes work/report.md.
// Copies the one file of each task from path into the same place under work. Only regular files of at most 1 MiB are
// taken, by name; nothing else of the submission is looked at. Follows no link. Returns 0 if the submission cannot be
// read at all.
int lab_submission_collect(const char *path, const char *work, lab_submission *submission);

// From the file's content: its first line, at most 24 bytes of what may stand on a page.
void lab_take_nickname(const char *content, size_t size, char nickname[LAB_NICKNAME_SIZE]);

// Fills name and folder from the path alone.
void lab_submission_name(const char *path, lab_submission *submission);

#endif
