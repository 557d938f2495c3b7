// csv.c: a cell written, a row read.
#include "csv.h"

#include <string.h>

#include "text.h"

void lab_csv_put(FILE *out, const char *text) {
    uint32_t code;
    fputs(lab_is_formula(text) ? "\"'" : "\"", out);
    for (int n; *text; text += n ? n : 1) {
        n = lab_utf8(text, &code);
        if (!n || lab_acts_on_a_page(code))
            fputc(' ', out);
        else
            fprintf(out, "%s%.*s", *text == '"' ? "\"" : "", n, text);
    }
    fputc('"', out);
}

// A cell from *text on: without its quotes, its end a zero. Returns what stood behind it: a separator, a line end, a
// zero; or -1 if a quote is not closed.
static int read_cell(char **text, char separator, char **cell, int *line) {
    char *from = *text, *to = from;
    int quoted = *from == '"';
    *cell = to;
    for (from += quoted; *from; from++) {
        *line += *from == '\n';
        if (quoted && *from == '"' && from[1] != '"') {
            quoted = 0;
            continue;
        }
        if (!quoted && (*from == separator || *from == '\n')) break;
        if (quoted && *from == '"') from++;
        if (quoted || *from != '\r' || from[1] != '\n') *to++ = *from;
    }
    const int end = *from;
    *text = from + (end != 0);
    *to = 0;
    return quoted ? -1 : end;
}

int lab_csv_row(char **text, char separator, char *cells[LAB_CSV_CELLS], int *line) {
    int n = 0, end = separator;
    if (!**text) return 0;
    while (end == separator) {
        if (n == LAB_CSV_CELLS || (end = read_cell(text, separator, &cells[n++], line)) < 0) return -1;
    }
    *line += end == 0;
    return n;
}
