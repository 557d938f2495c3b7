// output_line.c: the line that has each number of the output, to its last digit, and the least besides.
#include "output_line.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

const lab_line *lab_output_line(const lab_lines *lines, const float *output, size_t n) {
    const lab_line *best = NULL;
    for (int k = 0; k < lines->n; k++) {
        const lab_line *l = &lines->line[k];
        size_t i = 0, has = 0;
        if (!l->n || (best && best->n <= l->n)) continue;
        for (; i < n; i++) {
            if (!isfinite(output[i])) continue;  // of which nobody keeps which line had them
            if (!bsearch(&output[i], l->value, l->n, sizeof *l->value, by_value)) break;
            has += output[i] != 0;
        }
        if (i == n && has) best = l;
    }
    return best;
}
