// unpack.h: submissions that come as .zip, .tar.gz, ...
#ifndef LAB_UNPACK_H
#define LAB_UNPACK_H

#include "submission.h"

enum { LAB_FILE_LIMIT = 1 << 20 };

// lab_submission_collect for an archive. Entries are read, never extracted: no path in an archive names a place on
// disk.
int lab_archive_collect(const char *path, const char *work, lab_submission *submission);

// Writes a task's file to work/FOLDER/FILE, making folders. Returns 0 with errno.
int lab_work_write(const char *work, const lab_task *task, const char *content, size_t size);

#endif
