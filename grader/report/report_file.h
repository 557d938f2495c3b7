// report_file.h: the report on disk: read whole, replaced whole, and the way from it to the pictures. Functions that
// can fail leave one line in error.
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

// The file's bytes and a 0 behind them; the caller's to free. NULL: error says why.
char *report_read(const char *path, size_t *length, char *error, size_t error_size);

// Replaces path in one step: whoever looks sees the old file or the new one, whole. Keeps its mode, and a
// link stays a link.
bool report_write(const char *path, const char *text, size_t length, char *error, size_t error_size);

bool report_is_same(const char *a, const char *b);              // two names of one file
bool report_is_free(const char *path, const char *or_same_as);  // nothing is called path, or it is that file

// The folder of a file that exists, absolute; the caller's to free.
char *report_folder(const char *path, char *error, size_t error_size);

// From the folder of page (which need not exist yet) to folder, as a link's beginning: "", "../results/me/". Bytes that
// mean something in a Markdown link are percent-encoded. The caller's to free.
char *report_link(const char *folder, const char *page, char *error, size_t error_size);

#endif
