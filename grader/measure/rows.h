// rows.h: rows of an output against the oracle. Inputs are a function of their keys, so the checker makes again only
// those that a row depends on, and holds no copy of the rest.
#ifndef LAB_ROWS_H
#define LAB_ROWS_H

#include "experiments.h"

// Numbers in a row of the output, and rows in the output of one set.
size_t lab_row_width(const lab_experiment *e);
size_t lab_row_count(const lab_experiment *e);

// How the inputs of one set were made: element i of input t, which has n, is number set * n + i of lab_fill_quick's
// under key[t]; then, if the calls are linked (inputs.h) and this is not the first, some are fresh.
typedef struct {
    const uint64_t *key;
    int set;
    uint64_t link;  // 0: the calls are not linked
    uint32_t seen;  // by the link before this set
    size_t large;   // 1 + the row of the query that is large; 0: none is
} lab_made;

// Scores of a large query are beyond what expf can take: whoever leaves the maximum out where it is timed or counted, since
// numbers are gentle there, divides infinity by infinity in that row. Which row of the set it is: one of the later half
// of a head, where the mask leaves many keys. q: the D numbers of that query.
size_t lab_large_row(attn_shape s, uint64_t key, int set);
void lab_make_large(float *q, size_t D);

// out: `have` rows of the output, from row `first` on. Compares `rows` rows, drawn by `key`. 1: all are within the tolerances
// of the claims. rms becomes the largest of their relative rms errors, that of the large query left out, if it is larger.
int lab_rows_are_right(const lab_experiment *e, const lab_made *made, const float *out, size_t first, size_t have,
                       int rows, uint64_t key, double *rms);

// The same of the large query's row alone. 1: there is none.
int lab_large_row_is_right(const lab_experiment *e, const lab_made *made, const float *out, size_t first);

// The largest relative rms error of a row of `width` numbers. got and want: n.
double lab_worst_row(const float *got, const double *want, size_t n, size_t width);

// Inputs of a timed or counted call are gentle: lower precision, which fails claims, is within their tolerances there. So
// such a call has a limit of its own, LAB_EXACT. Returns 1 if rms is beyond it, and says so. README.md has the errors
// that were measured.
int lab_is_inexact(double rms, char *why, size_t size);

// x: n elements of input t, from `first` on. 1: nobody has changed them.
int lab_input_is_unchanged(const lab_experiment *e, const lab_made *made, int t, const float *x, size_t first,
                           size_t n);

// 1: no NaN (which poison is) and no infinity in the n numbers.
int lab_all_finite(const float *out, size_t n);

#endif
