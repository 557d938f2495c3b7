// markers.h: the places in a report that the lab fills, each between two HTML comments on lines of their own:
//
//     <!-- lab:benchmark task3 seq -->
//     ... the lab's ...
//     <!-- /lab:benchmark -->
//
// Everything else is the student's. Up to three spaces may stand before a marker; four make it a quotation.
#ifndef LAB_MARKERS_H
#define LAB_MARKERS_H

#include <stddef.h>

enum { LAB_MARKER_WORDS = 4, LAB_MARKER_SIZE = 140 };

typedef struct {
    char text[LAB_MARKER_SIZE];           // "benchmark task3 seq", its words ended by '\0'
    const char *words[LAB_MARKER_WORDS];  // its name, then its arguments
    int n;
    size_t line;        // of the opening marker, from 1
    size_t begin, end;  // offsets of what stands between the two markers' lines
    int crlf;           // how the opening marker's line ends
} lab_marker;

// Finds the blocks of text[0..length), in order; *markers is the caller's to free. Returns their number, or -1 after
// one line on standard error, PATH:LINE: what is wrong: a marker that is not closed, closes nothing, stands inside
// another block, or cannot be read. A marker in the middle of a line is text: a warning.
int lab_find_markers(const char *path, const char *text, size_t length, lab_marker **markers);

// 1 if a line of the text would be read as a marker.
int lab_has_marker(const char *text);

#endif
