// text.h: text that came from a student, made fit for a terminal, a page, a spreadsheet and for JSON. The one place that
// knows which characters are harmless.
#ifndef LAB_TEXT_H
#define LAB_TEXT_H

#include <stddef.h>
#include <stdint.h>

// What c[0 .. n), n > 0, begins with, as RFC 3629 has it: a character of k bytes: k. The beginning of one that n cuts off: 0.
// Neither: -k, where the first k bytes are the longest beginning of a character (at least 1: a byte that begins none).
int lab_utf8_part(const char *c, size_t n);

// Bytes of the character (RFC 3629) that begins the text, and its code point; 0 if it is none: cut off, overlong, a
// surrogate, beyond U+10FFFF.
int lab_utf8(const char *text, uint32_t *code);

// Characters that act on a page or a terminal instead of standing on it, or that nobody sees: controls, direction marks,
// zero width, fillers, tags.
int lab_acts_on_a_page(uint32_t code);

// Replaces every such character (line breaks and tabs, too), and every byte outside of valid UTF-8, with '?'.
void lab_clean_text(char *text);

// Cuts the text to at most so many bytes, before a character that would be cut in two.
void lab_cut_text(char *text, size_t bytes);

// A spreadsheet would run the cell as a formula: its first visible character is = + - or @, in any width.
int lab_is_formula(const char *cell);

#endif
