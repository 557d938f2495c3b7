// unpack.h: submissions that come as .zip, .tar.gz, ...
#ifndef LAB_UNPACK_H
#define LAB_UNPACK_H

#include "submission.h"

enum { LAB_FILE_LIMIT = 1 << 20 };

// lab_submission_collect for an archive. Entries are read, never extracted: no path in an archive names a place on
// disk. A process of its own reads, that may do nothing else and has little time and memory (unpack_room.c).
int lab_archive_collect(const char *path, const char *work, lab_submission *submission);

// What was taken: the content of each task's file, where its verdict is PASSED.
typedef struct {
    char *content[LAB_MAX_TASKS];
    size_t size[LAB_MAX_TASKS];
    char *report;  // report.md, or NULL
    size_t report_size;
} lab_unpacked;

// unpack_entries.c: reads the archive `file`, in this process.
int lab_unpack(int file, lab_submission *submission, lab_unpacked *unpacked);

// Writes a report to work/report.md. One that cannot be written is left out.
void lab_report_write(const char *work, const char *content, size_t size);

// Writes a task's file to work/FOLDER/FILE, making folders. Returns 0 with errno.
int lab_work_write(const char *work, const lab_task *task, const char *content, size_t size);

#endif
