// text.h: text that came from a student, made fit for a terminal and for JSON.
#ifndef LAB_TEXT_H
#define LAB_TEXT_H

#include <stdint.h>

// Bytes of the character (RFC 3629) that begins the text, and its code point; 0 if it is none: cut off, overlong, a
// surrogate, beyond U+10FFFF.
int lab_utf8(const char *text, uint32_t *code);

// Replaces every control character (line breaks and tabs, too), and every byte outside of valid UTF-8, with '?'.
void lab_clean_text(char *text);

#endif
