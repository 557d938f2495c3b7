// markdown.h: strings and numbers onto a Markdown page (GitHub's dialect).
//
// Every string of results.json may come from a student's compiler, file name or kernel. It goes through %t, %q or %k of
// lab_md and nothing else, so that it can neither end a table row nor start a link, a picture, HTML or a heading.
#ifndef LAB_MARKDOWN_H
#define LAB_MARKDOWN_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

// Writes the format; a % begins one of
//   %s  a string of the lab's own, as it is            %t  a string of the results: one line, escaped, at most 400
//   bytes %q  the same as a quotation of at most 20 lines    %k  the same as a block of code: the compiler's lines, at
//   most 30 %h  a shape (json_t *): B1 H8 S1024 D64 causal     %%  a %
// or a letter of lab_number, for a double. A string may be NULL: nothing is written.
void lab_md(FILE *out, const char *format, ...);

// A number for people, "-" for NaN; returns text. how:
//   T  seconds: 12.3 ms        B  bytes: 1.5 MiB     C  a count: 4.19 M   N  three digits: 0.123, 15.1, 1234
//   P  points: 2, 0.5, 0.33    E  an error: 1.2e-07  D  digits: 1536      R  a share, 0 to 1: 48.2 %
//   F  yours against a baseline: 3.2x faster than, 1.8x slower than, as fast as      X  how many times: 1.33x
char *lab_number(char text[40], char how, double x);

// B1 H8 Sq1 Sk1024 D64 causal; returns text.
char *lab_shape_text(char text[80], const json_t *shape);

#endif
