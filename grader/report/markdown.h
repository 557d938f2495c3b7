// markdown.h: strings and numbers onto a Markdown page (GitHub's dialect) on standard output.
//
// Every string of results.json may come from a student's compiler, file name or kernel. It passes through md_text or
// md_block and nothing else, so that it can neither end a table row nor start a link, a picture, HTML or a heading.
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <jansson.h>
#include <stdbool.h>

// Inline text, also inside a table cell: one line, escaped, control and direction-changing characters dropped, cut
// after 400 bytes. NULL prints nothing.
void md_text(const char *text);

// The same as a quoted block that keeps its lines: for a compiler's message. Cut after 30 lines.
void md_block(const char *text);

// Numbers for people. A NaN prints as "-".
void md_seconds(double seconds);     // 12.3 ms
void md_bytes(double bytes);         // 1.5 MiB
void md_count(double count);         // 4.19 M
void md_number(double x);            // three significant digits: 0.123, 15.1, 1234
void md_points(double points);       // 2, 0.5, 0.33
void md_factor(double speedup);      // 3.2x faster, 1.8x slower, as fast: yours against a baseline
void md_shape(const json_t *shape);  // B1 H8 S1024 D64 causal; B1 H8 Sq1 Sk1024 D64

#endif
