// own_outputs.c: rows of O that are divided by what their own numbers make, and not by l: their sum, their length.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *name, *instead;
} by[] = {{"the sum of its D outputs", "the weights sum to 1, the outputs do not"},
          {"the sum of the absolute values of its D outputs", "l is the sum of the weights"},
          {"the length of the row, the root of the sum of its squares", "l is the sum of the weights"},
          {"the largest of its D outputs", "l is the sum of the weights"}};
enum { DIVISORS = sizeof by / sizeof *by };

int lab_say_divided_by_own(const float *const row[], int rows, int D, char *text, size_t size) {
    for (int d = 0; d < DIVISORS; d++) {
        int fits = 0;
        while (fits < rows) {
            double sum = 0, sizes = 0, squares = 0, most = -INFINITY;
            for (int c = 0; c < D; c++) {
                const double x = row[fits][c];
                sum += x, sizes += fabs(x), squares += x * x, most = fmax(most, x);
            }
            const double is[DIVISORS] = {sum, sizes, sqrt(squares), most};
            if (!(fabs(is[d] - 1) < 1e-5 * (1 + sizes))) break;
            fits++;
        }
        if (fits < rows || rows < 2) continue;
        return snprintf(text, size, "matches a row of O that is divided by %s: divide by l, as %s", by[d].name,
                        by[d].instead) > 0;
    }
    return 0;
}

// Each row is a multiple of the right one, and its numbers make 1.
int lab_explain_own_outputs(const lab_wrong_rows *w, char *text, size_t size) {
    const float *row[LAB_MOST_ROWS];
    for (int i = 0; i < w->n; i++) {
        const lab_wrong_row *r = &w->row[i];
        double gw = 0, ww = 0, gg = 0;
        for (int c = 0; c < w->shape.head_dim; c++)
            gw += r->got[c] * r->want[c], ww += r->want[c] * r->want[c], gg += (double)r->got[c] * r->got[c];
        if (!(gw * gw > (1 - 1e-6) * gg * ww)) return 0;
        row[i] = r->got;
    }
    return lab_say_divided_by_own(row, w->n, w->shape.head_dim, text, size);
}
