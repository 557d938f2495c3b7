// part_logs.c: task 5's splits: the parts of warps or teams in a split are joined, and L_s adds up their logarithms:
//
//     L_s = m + log(l_0) + log(l_1) + ...        it is m + log(l_0 + l_1 + ...)
#include <math.h>
#include <stdlib.h>

#include "heuristics.h"
#include "oracle.h"
#include "splits.h"
#include "wrong_rows.h"

enum { WAYS = 3, MOST_LOOKED = 8, LEAST_SEEN = 3 };
static const int parts[] = {2, 3, 4, 6, 8, 16, 32, 64};

// How the keys of a split fall into its parts, and what the logarithms are relative to.
typedef struct {
    int way, n, in_turn, own;
} division;

static int near(double x, double y) { return fabs(x - y) <= 2 * LAB_TOLERANCE * (1 + fabs(y)); }

// m + the sum of log(l_p) of these scores. *several: of more than one part.
static double sum_of_logs(const double *score, int n, division d, int *several) {
    double max = -INFINITY, logs = 0;
    int told = 0;
    for (int j = 0; j < n; j++) max = fmax(max, score[j]);
    const int each = (n + d.n - 1) / d.n;
    for (int p = 0; p < d.n; p++) {
        const int first = d.in_turn ? p : p * each, last = d.in_turn || first + each > n ? n : first + each;
        double l = 0;
        for (int j = first; j < last; j += d.in_turn ? d.n : 1) l += exp(score[j] - max);
        if (l > 0) logs += log(l) + (d.own ? max : 0), told++;
    }
    *several = told > 1;
    return d.own ? logs : max + logs;
}

static int leaves_logs(const lab_symptom *s, int splits, division d, double *score) {
    const int D = s->shape.head_dim, heads = s->shape.batch * s->shape.heads;
    const float *const L = s->work + (size_t)heads * splits * D;
    int seen = 0;
    for (int head = 0; head < heads; head += (heads + MOST_LOOKED - 1) / MOST_LOOKED)
        for (int i = 0, length = lab_int_at(s->in[4], head / s->shape.heads); i < splits; i++) {
            const int first = lab_split_begins(d.way, length, i, splits),
                      end = lab_split_begins(d.way, length, i + 1, splits);
            const float *const q = s->in[1] + (size_t)head * D, *const k =
                                                                    s->in[2] + (size_t)head * s->shape.seq_kv * D;
            int several;
            if (first >= end) continue;
            for (int j = first; j < end; j++) score[j - first] = lab_dot(q, k + (size_t)j * D, D) / sqrt(D);
            if (!near(L[(size_t)head * splits + i], sum_of_logs(score, end - first, d, &several))) return 0;
            seen += several;
        }
    return seen >= LEAST_SEEN;
}

int lab_explain_part_logs(const lab_symptom *s, char *text, size_t size) {
    const int splits = s->op == &lab_decode_split && s->work ? s->extra[0] : 0;
    double *score = splits > 0 ? malloc((size_t)s->shape.seq_kv * sizeof *score) : NULL;
    int found = 0;
    for (int n = 0; n < (int)(sizeof parts / sizeof *parts) && score && !found; n++)
        for (int way = 0; way < WAYS && !found; way++)
            for (int k = 0; k < 4 && !found; k++)
                found = leaves_logs(s, splits, (division){way, parts[n], k % 2, k / 2}, score);
    free(score);
    return found && lab_guess(s->guesses,
                              "matches L_s = m + the sum of log(l) of its parts, those of warps or groups of threads: "
                              "the logarithm comes last, m + log(l), with l the sum of l exp(m_part - m) of all parts",
                              text, size);
}
