// files.h: reading and replacing whole files, and where one lies as seen from another.
#ifndef LAB_FILES_H
#define LAB_FILES_H

#include <stddef.h>

// The bytes of a file, '\0' behind them; the caller's to free. NULL after saying why.
char *lab_read_file(const char *path, size_t *length);

// Replaces a file in one step (a link stays a link, the mode stays); or nothing, after saying why: returns 0.
int lab_write_file(const char *path, const char *text, size_t length);

// The folder of a file, absolute; the caller's to free. NULL after saying why.
char *lab_folder_of(const char *path);

// How a page gets to a folder: "" or "../results/me/", escaped for a link; the caller's to free. NULL after saying why.
char *lab_link_to(const char *folder, const char *page);

#endif
