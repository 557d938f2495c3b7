// markers.h: the places in a report that the lab fills, each between two HTML comments on lines of their own:
//
//     <!-- lab:benchmark task3 seq -->
//     ... the lab's ...
//     <!-- /lab:benchmark -->
//
// Everything else is the student's. Up to three spaces may stand before a marker; four make it a quotation.
#ifndef MARKERS_H
#define MARKERS_H

#include <stdbool.h>
#include <stddef.h>

enum { MARKER_WORDS = 4, MARKER_WORD_SIZE = 33 };

typedef struct {
    char words[MARKER_WORDS][MARKER_WORD_SIZE];  // its name, then its arguments
    int word_count;
    size_t line;        // of the opening marker, from 1
    size_t begin, end;  // offsets of what stands between the two markers' lines
    bool crlf;          // how the opening marker's line ends
} marked_block;

// Finds the blocks of text[0..length), in the order in which they stand; *blocks is the caller's to free. Returns their
// number, or -1 after one line on standard error, PATH:LINE: what is wrong: a marker that is not closed, closes
// nothing, stands inside another block, or cannot be read. A marker in the middle of a line is text: a warning.
int markers_find(const char *path, const char *text, size_t length, marked_block **blocks);

// Whether a line of text[0..length) would be read as a marker.
bool markers_any(const char *text, size_t length);

#endif
