// even_pieces.c: work that is shared out in pieces of the same size, rounded down, and what is left over is nobody's: the
// last columns of a softmax, the last products and columns of a GEMM.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>

// ---- A softmax: each thread has columns / threads of them, side by side.

// Columns 0 .. first - 1 share 1, and the others were never written.
static int has_columns(const lab_symptom *s, size_t first) {
    const size_t rows = s->shape.seq_q, cols = s->shape.seq_kv;
    for (size_t r = 0; r < rows; r++) {
        const float *got = s->got + r * cols;
        const double *want = s->want + r * cols;
        double sum = 0;
        for (size_t c = 0; c < first; c++) sum += want[c];
        for (size_t c = 0; c < cols; c++) {
            if (lab_element_bad(s, r * cols + c, 1) != (c >= first)) return 0;
            if (c < first && sum > 1e-30 && !(fabs(got[c] - want[c] / sum) <= 1e-3 * want[c] / sum + 1e-7)) return 0;
        }
    }
    return 1;
}

// Where a row has fewer columns than there are threads all of it is left, which alone has other causes.
int lab_explain_even_columns(const lab_symptom *s, char *text, size_t size) {
    static const char sentence[] = "matches threads with columns / threads each, rounded down: the last columns are "
                                   "nobody's. Thread t takes t, t + threads, ... as far as the last column";
    char aside[240] = "";
    int known = 0;
    for (size_t threads = 32, cols = s->shape.seq_kv; threads <= 512; threads *= 2) {
        const size_t first = cols / threads * threads;
        if (first == cols || !has_columns(s, first)) continue;
        known |= first > 0;
        lab_guess(s->guesses, sentence, first ? text : aside, first ? size : sizeof aside);
    }
    return known;
}

// ---- A GEMM: rows are read in whole groups, and what is behind the last one is taken for 0.

static int in_groups(const lab_symptom *s, int nt, size_t group, int *telling) {
    const size_t m = s->shape.seq_q, n = s->shape.seq_kv, k = s->shape.head_dim;
    for (size_t e = 0; e < s->op->elements(s->shape, 0); e++) {
        const size_t g = e / n / m, j = e % n;
        const float *a = s->in[1] + e / n * k, *b = s->in[2] + g * n * k;
        double sum = 0;
        for (size_t l = 0; l < k / group * group && (nt || j < n / group * group); l++)
            sum += (double)a[l] * (nt ? b[j * k + l] : b[l * n + j]);
        if (!(fabs(s->got[e] - sum) < LAB_TOLERANCE / 4)) return 0;
        *telling += fabs(sum) > 0.01;
    }
    return 1;
}

int lab_explain_even_groups(const lab_symptom *s, int nt, char *text, size_t size) {
    static const char sentence[] =
        "matches rows of A and B that are read in whole groups of numbers, as of 4, with 0 for "
        "those behind the last group: load what is left over one by one";
    char aside[240] = "";
    int known = 0;
    for (size_t group = 2; group <= 8; group *= 2) {
        int telling = 0;
        if (!in_groups(s, nt, group, &telling)) continue;
        known |= telling > 3;
        lab_guess(s->guesses, sentence, telling > 3 ? text : aside, telling > 3 ? size : sizeof aside);
    }
    return known;
}
