// cache_reads.c: task 5, which slots a decode has read. Free slots hold NaN, so what it makes of them is told beforehand for each
// wrong place and each wrong length.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { WITHOUT_B, WITHOUT_H, SWAPPED, LENGTHS_APART, V_LATE, K_LATE, TOKENS_FIRST, ONE_MORE, N_READS } read;

static const char *const sentence[N_READS] = {
    [WITHOUT_B] = "matches a head of the cache that is found without b: it begins at (b * heads + h) * max_seq * D",
    [WITHOUT_H] = "matches a head of the cache that is found without h: it begins at (b * heads + h) * max_seq * D",
    [SWAPPED] =
        "matches a head of the cache at (h * batch + b) * max_seq * D: it begins at (b * heads + h) * max_seq * D",
    [LENGTHS_APART] = "matches heads of the cache that are lengths[b] slots apart: they are max_seq slots apart",
    [V_LATE] = "matches V read one slot late: key j and value j stand in slot j",
    [K_LATE] = "matches K read one slot late: key j and value j stand in slot j",
    [TOKENS_FIRST] = "matches a cache that is read as [B, max_seq, H, D]: it is [B, H, max_seq, D]",
    [ONE_MORE] = "matches lengths[b] + 1 keys: slots 0 .. lengths[b] - 1 hold keys",
};

// The first row of the head in the cache, the step from slot to slot, and the keys.
static void place(const lab_symptom *s, read r, size_t head, size_t *first, size_t *step, int *keys) {
    const size_t H = s->shape.heads, slots = s->shape.seq_kv, b = head / H, h = head % H;
    const int length = lab_int_at(s->in[4], b);
    *first = head * slots, *step = 1, *keys = length;
    switch (r) {
    case WITHOUT_B: *first = h * slots; break;
    case WITHOUT_H: *first = b * slots; break;
    case SWAPPED: *first = (h * s->shape.batch + b) * slots; break;
    case LENGTHS_APART: *first = head * length; break;
    case V_LATE:
    case K_LATE: break;
    case TOKENS_FIRST: *first = b * slots * H + h, *step = H; break;
    default: *keys = length + 1; break;
    }
}

typedef enum { CANNOT_TELL, SOMETHING_ELSE, AS_PREDICTED, RIGHT_ANYWAY, NAN_AS_PREDICTED, HIDDEN_NAN } outcome;

static outcome row_fits(const lab_symptom *s, read r, size_t head, double *p) {
    const size_t D = s->shape.head_dim, all = lab_elements_kv(s->shape) / D;
    const float *q = s->in[1] + head * D, *got = s->got + head * D;
    double max = -INFINITY, sum = 0;
    size_t first, step;
    int keys, right = 1;
    place(s, r, head, &first, &step, &keys);
    if (keys < 1 || first + (keys - 1) * step >= all) return CANNOT_TELL;
    const size_t k_first = first + (r == K_LATE), v_first = first + (r == V_LATE);
    if (k_first + (keys - 1) * step >= all || v_first + (keys - 1) * step >= all) return CANNOT_TELL;
    if (isnan(s->in[3][(v_first + (keys - 1) * step) * D])) return isnan(got[0]) ? NAN_AS_PREDICTED : SOMETHING_ELSE;
    for (int j = 0; j < keys; j++) {
        p[j] = 0;
        for (size_t c = 0; c < D; c++) p[j] += q[c] * s->in[2][(k_first + j * step) * D + c] / sqrt((double)D);
        if (isnan(p[j]))  // a comparison with NaN can give 0
            return isnan(got[0]) ? NAN_AS_PREDICTED : got[0] == 0 ? HIDDEN_NAN : SOMETHING_ELSE;
        max = fmax(max, p[j]);
    }
    for (int j = 0; j < keys; j++) sum += p[j] = exp(p[j] - max);
    for (size_t c = 0; c < D; c++) {
        double o = 0;
        for (int j = 0; j < keys; j++) o += p[j] * s->in[3][(v_first + j * step) * D + c];
        if (!(fabs(o / sum - got[c]) < LAB_TOLERANCE)) return SOMETHING_ELSE;
        right &= fabs(o / sum - s->want[head * D + c]) < LAB_TOLERANCE;
    }
    return right ? RIGHT_ANYWAY : AS_PREDICTED;
}

int lab_explain_cache_reads(const lab_symptom *s, char *text, size_t size) {
    const size_t heads = (size_t)s->shape.batch * s->shape.heads;
    double *p = malloc((s->shape.seq_kv + 1) * sizeof *p);
    int known = 0;
    for (read r = 0; r < N_READS && p; r++) {
        int n[HIDDEN_NAN + 1] = {0};
        for (size_t head = 0; head < heads && !n[SOMETHING_ELSE]; head++)
            if (lab_int_at(s->in[4], head / s->shape.heads)) n[row_fits(s, r, head, p)]++;
        // NaN alone proves little: rows with it, and rows without it, must lie where this place says.
        const int told = n[NAN_AS_PREDICTED] > 1 && n[RIGHT_ANYWAY] > 1 && r < TOKENS_FIRST;
        if (!n[SOMETHING_ELSE] && (n[AS_PREDICTED] || told)) known = lab_guess(s->guesses, sentence[r], text, size);
    }
    free(p);
    return known;
}
