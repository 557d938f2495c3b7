// csv.h: CSV files as RFC 4180 has them, and as spreadsheets read and write them.
#ifndef LAB_CSV_H
#define LAB_CSV_H

#include <stddef.h>
#include <stdio.h>

// Writes a quoted cell. An apostrophe in front makes text of what a spreadsheet would run as a formula; what acts on a
// page, line ends too, becomes a blank.
void lab_csv_put(FILE *out, const char *text);

enum { LAB_CSV_CELLS = 32 };

// Reads a row from *text on, in place, and moves on behind it: cells, separated by commas (or by `separator`: a
// spreadsheet of some countries writes semicolons). Returns how many, at most LAB_CSV_CELLS; 0 at the end of the text;
// -1 for a quote that is not closed, or too many cells. *line counts the lines that were read.
int lab_csv_row(char **text, char separator, char *cells[LAB_CSV_CELLS], int *line);

#endif
