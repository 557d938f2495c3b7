// along_queries.c: attention whose softmax goes along the queries.
#include "wrong_rows.h"

#include <math.h>
#include <stdlib.h>

// The first head with weights that sum to 1 over the queries, not over the keys.
int lab_explain_along_queries(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                              size_t size) {
    const size_t Sq = s->shape.seq_q, Sk = s->shape.seq_kv, D = s->shape.head_dim;
    if (Sq < 2 || Sq * Sk * D > 1 << 24) return 0;
    double *p = malloc((Sq * Sk + Sk) * sizeof *p), *sum = p + Sq * Sk;
    int fits = p != NULL;
    for (size_t j = 0; j < Sk && p; j++) sum[j] = 0;
    for (size_t i = 0; i < Sq && p; i++) {
        const lab_wrong_row r = row(s, i);
        lab_row_scores(&r, (int)D, p + i * Sk);
        for (size_t j = 0; j < Sk; j++) sum[j] += p[i * Sk + j] = j < (size_t)r.seen ? exp(p[i * Sk + j]) : 0;
    }
    for (size_t e = 0; e < Sq * D && fits; e++) {
        double o = 0;
        for (size_t j = 0; j < Sk; j++) o += p[e / D * Sk + j] / sum[j] * s->in[3][j * D + e % D];
        fits = fabs(o - s->got[e]) < LAB_TOLERANCE;
    }
    free(p);
    return fits &&
           lab_guess(s->guesses, "matches a softmax over the queries: the weights of a query sum to 1 over its keys",
                     text, size);
}
