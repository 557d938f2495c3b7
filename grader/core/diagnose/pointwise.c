// pointwise.c: elements that are left as they were.
#include "pointwise.h"

#include <math.h>
#include <stdio.h>

int lab_explain_left(const lab_symptom *s, lab_left left, char *text, size_t size) {
    const size_t rows = s->op->elements(s->shape, left.tensor) / left.columns;
    size_t low = left.columns, high = 0, first = rows, last = 0, n = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < left.columns; c++) {
            const size_t at = r * left.out_row + c;
            if (!lab_element_bad(s, at, 0)) continue;
            if (s->got[at] != s->in[left.tensor][r * left.columns + c]) return 0;
            low = c < low ? c : low, high = c > high ? c : high;
            first = r < first ? r : first, last = r > last ? r : last, n++;
        }
    char which[80];
    if (n == 0) return 0;
    size_t between = 0;  // right, although it is none of what stays: of these columns not all do
    for (size_t r = 0; r < rows; r++)
        for (size_t c = low; c <= high; c++) {
            const size_t at = r * left.out_row + c;
            between += !lab_element_bad(s, at, 0) &&
                       fabs(s->got[at] - s->in[left.tensor][r * left.columns + c]) > LAB_TOLERANCE;
        }
    const int of_row = low == 0 && high == left.columns - 1 && n < rows * left.columns && first == last;
    const int some = !of_row && (between || (low == 0 && high == left.columns - 1));  // no loop's bound says which
    if (of_row)
        snprintf(which, sizeof which, "those of row %zu", first);
    else if (some)
        snprintf(which, sizeof which, "%zu of %zu", n, rows * left.columns);
    else if (low == high)
        snprintf(which, sizeof which, "%s[%zu]", left.name, low);
    else
        snprintf(which, sizeof which, "%s[%zu .. %zu]", left.name, low, high);
    const char *hint = some                                      ? ""
                       : low == high && low == 0                 ? ": the loop must start at 0"
                       : low == high && high == left.columns - 1 ? ": the loop ends one short"
                                                                 : ": does the loop reach them?";
    snprintf(text, size, "elements stay as they were, %s%s", which, hint);
    return 1;
}
