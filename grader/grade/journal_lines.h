// journal_lines.h: lines of JSON in a file that several processes append to, and that a power cut may cut.
#ifndef LAB_JOURNAL_LINES_H
#define LAB_JOURNAL_LINES_H

#include <jansson.h>

// Appends the line and syncs it. What an interrupted writer left behind the last line end is given an end first. On
// failure (a full disk) the file is as before, and 0 is returned with errno. A new file is its owner's alone.
int lab_append_line(const char *path, const json_t *line);

// A path need not be UTF-8: %XX for the bytes that JSON cannot hold, and for % and controls. The caller's to free.
char *lab_escape(const char *path);
char *lab_unescape(const char *text);

const char *lab_text_of(const json_t *object, const char *key);  // "" where it is no text

#endif
