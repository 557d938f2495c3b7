// weights_left.c: task 2's chain leaves its weights in `scores`. A mask behind the softmax is seen there whatever has become of
// the hidden ones: those of the keys that are seen are weights among all keys.
#include "wrong_rows.h"

#include <math.h>
#include <stdlib.h>

// Row r of the weights without a mask. Returns what the hidden keys have of them.
static double weigh_all(const lab_symptom *s, size_t r, int seen, double *p) {
    const size_t D = s->shape.head_dim, Sk = s->shape.seq_kv, head = r / s->shape.seq_q;
    const lab_wrong_row all = {.q = s->in[1] + r * D, .k = s->in[2] + head * Sk * D, .seen = (int)Sk};
    const double max = lab_row_scores(&all, (int)D, p);
    double sum = 0, hidden = 0;
    for (size_t j = 0; j < Sk; j++) sum += p[j] = exp(p[j] - max);
    for (size_t j = 0; j < Sk; j++) p[j] /= sum, hidden += (int)j < seen ? 0 : p[j];
    return hidden;
}

int lab_explain_weights_left(const lab_symptom *s, char *text, size_t size) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv;
    double *p = malloc(Sk * sizeof *p);
    int tells = 0, fits = s->work && s->shape.causal && p;
    for (size_t r = 0; r < (size_t)s->shape.batch * s->shape.heads * Sq && fits; r++) {
        const float *left = s->work + r * Sk;
        const int seen = (int)(r % Sq) + Sk - Sq + 1;
        const double hidden = weigh_all(s, r, seen, p);
        int is_hidden = 0;  // does anything hide the keys?
        for (int j = 0; j < Sk && fits; j++) {
            const int same = fabs(left[j] - p[j]) < LAB_TOLERANCE / 10;
            fits = same || j >= seen;
            is_hidden |= !same;
        }
        tells += hidden > 0.05 && is_hidden;
    }
    free(p);
    return fits && tells > 1 && lab_guess(s->guesses, lab_attention_mistakes[LAB_MASK_AFTER], text, size);
}
