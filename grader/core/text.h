// text.h: text that came from a student, made fit for a terminal and for JSON.
#ifndef LAB_TEXT_H
#define LAB_TEXT_H

// Replaces every control character (line breaks and tabs, too), and every byte outside of valid UTF-8, with '?'.
void lab_clean_text(char *text);

#endif
