// diagnose.c: recognises mistakes by their fingerprint.
//
// A wrong output is compared, on a sample of its rows, with what each known mistake would have given. The first mistake
// that explains every sampled row is named. When none does, weaker signs are tried: only some of the keys counted, rows
// off by a factor, the right numbers in the wrong places. The last resort is to say where the output is wrong.
#include "diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locate.h"
#include "signs.h"

static const char *const explanation[LAB_N_MISTAKES] = {
    [LAB_NO_SCALE] = "matches what a missing 1/sqrt(D) gives: scale the scores before the softmax",
    [LAB_SCALE_BY_D] = "matches a scale of 1/D: it must be 1/sqrt(D)",
    [LAB_SCALE_AFTER] = "matches 1/sqrt(D) applied after the softmax: scale the scores before it",
    [LAB_NO_MASK] = "matches attention without the causal mask: query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_ALWAYS] = "matches a causal mask that was not asked for: look at shape.causal",
    [LAB_MASK_PLUS_ONE] = "matches a causal mask that is off by one: each query sees one key too many",
    [LAB_MASK_MINUS_ONE] = "matches a causal mask that is off by one: each query misses its last key",
    [LAB_MASK_TOP_LEFT] =
        "matches a mask aligned top-left: with seq_q < seq_kv query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_IS_ZERO] = "matches masked scores set to 0: exp(0) is 1, so they still count; set them to -INFINITY",
    [LAB_MASK_AFTER] = "matches a mask applied after the softmax: masked scores are still in the row sum",
    [LAB_DROP_LAST_KEY] = "matches the last key left out",
    [LAB_NO_DIVISION] = "matches a missing final division by the row sum l",
    [LAB_UNIFORM] = "matches the plain mean of V: the scores do not reach the softmax",
    [LAB_HEAD_ZERO] = "matches head 0 computed for every head: look at the head's offset",
    [LAB_BATCH_ZERO] = "matches batch 0 computed for every batch: look at the batch's offset",
    [LAB_KV_HEAD_ZERO] = "matches K and V of head 0 used for every head: look at their offset",
    [LAB_K_AS_V] = "matches K used in place of V",
    [LAB_Q_AS_K] = "matches Q used in place of K",
    [LAB_Q_K_SWAPPED] = "matches Q and K swapped",
    [LAB_K_V_SWAPPED] = "matches K and V swapped",
};

static int close_enough(const float *got, const double *want, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - want[i]) < LAB_TOLERANCE * (1 + fabs(want[i])))) return 0;
    return 1;
}

// Up to LAB_SAMPLES rows of the output, evenly spread over those with a bad element. Returns how many.
static int sample_bad_rows(const lab_symptom *s, size_t rows[LAB_SAMPLES]) {
    const size_t width = lab_op_row(s->op, s->shape, 0), n = lab_op_elements(s->op, s->shape, 0) / width;
    size_t bad_rows = 0, seen = 0;
    int taken = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t r = 0; r < n && taken < LAB_SAMPLES; r++) {
            int bad = 0;
            for (size_t c = 0; c < width && !bad; c++) bad = lab_element_bad(s, r * width + c, 0);
            if (!bad) continue;
            if (pass == 0)
                bad_rows++;
            else if (seen++ * LAB_SAMPLES / bad_rows >= (size_t)taken)
                rows[taken++] = r;
        }
    }
    return taken;
}

// Row r of the output as `mistake` would have made it.
static void row_with_mistake(const lab_symptom *s, size_t r, lab_mistake mistake, double *out, double *scratch) {
    const attn_shape p = s->shape;
    if (lab_op_is_softmax(s->op))
        lab_oracle_softmax(out, s->in[1] + r * p.seq_kv, p.seq_kv, mistake);
    else
        lab_oracle_row(out, s->in[1], s->in[2], s->in[3], p, (int)(r / p.seq_q / p.heads), (int)(r / p.seq_q % p.heads),
                       (int)(r % p.seq_q), mistake, scratch);
}

// A mistake counts as recognised when it explains all sampled rows and the truth explains none.
static lab_mistake recognise(const lab_symptom *s, const size_t *rows, int n_rows, double *out, double *scratch) {
    const size_t width = lab_op_row(s->op, s->shape, 0);
    for (int m = LAB_NO_MISTAKE + 1; m < LAB_N_MISTAKES; m++) {
        if (lab_op_is_softmax(s->op) && m != LAB_NO_DIVISION) continue;
        if (m == LAB_MASK_ALWAYS && (s->shape.causal || s->shape.seq_q > s->shape.seq_kv)) continue;
        if ((m == LAB_Q_AS_K || m == LAB_Q_K_SWAPPED) && s->shape.seq_q != s->shape.seq_kv) continue;
        int matches = explanation[m] != NULL;
        for (int i = 0; i < n_rows && matches; i++) {
            row_with_mistake(s, rows[i], m, out, scratch);
            matches = close_enough(s->got + rows[i] * width, out, width);
        }
        if (matches) return m;
    }
    return LAB_NO_MISTAKE;
}

static lab_mistake recognise_mha(const lab_symptom *s, int *transposed) {
    const size_t n = lab_op_elements(s->op, s->shape, 0);
    double *out = malloc(n * sizeof *out);
    lab_mistake found = LAB_NO_MISTAKE;
    *transposed = 0;
    for (int m = LAB_NO_MISTAKE; out && m < LAB_N_MISTAKES && !found && !*transposed; m++) {
        const int t = m == LAB_NO_MISTAKE;
        if (!t && (!explanation[m] || (m == LAB_MASK_ALWAYS && s->shape.causal))) continue;
        if (!lab_oracle_mha(out, s->in[1], s->in[2], s->in[3], s->in[4], s->in[5], s->shape, m, t)) break;
        if (close_enough(s->got, out, n)) *transposed = t, found = m;
    }
    free(out);
    return found;
}

static int explain(const lab_symptom *s, char *text, size_t size) {
    size_t rows[LAB_SAMPLES];
    const int n_rows = sample_bad_rows(s, rows);
    const int longest = s->shape.seq_kv > s->shape.head_dim ? s->shape.seq_kv : s->shape.head_dim;
    int transposed = 0, known = 1;
    if (s->op == LAB_SPLIT_HEADS || s->op == LAB_MERGE_HEADS) return lab_explain_moved(s, text, size);
    if (s->op == LAB_LAYER) return lab_explain_layer(s, text, size);
    if (s->op == LAB_GENERATE) return lab_explain_generated(s, text, size);
    if (s->op == LAB_MHA) {
        const lab_mistake m = recognise_mha(s, &transposed);
        if (m)
            snprintf(text, size, "%s", explanation[m]);
        else if (transposed)
            snprintf(text, size, "matches X W in place of X W^T: row e of W makes output feature e");
        return m || transposed;
    }
    if (!lab_op_is_attention(s->op) && !lab_op_is_softmax(s->op)) {
        if (s->cmp.not_finite == 0) return lab_explain_factor(s, rows, n_rows, text, size);
        const int decode = s->op == LAB_DECODE || s->op == LAB_DECODE_SPLIT;
        snprintf(text, size, "%s",
                 decode
                     ? "NaN: slots from lengths[b] on hold NaN here and are not to be read; or a division by a sum of 0"
                     : "NaN: a read beyond the matrix or the tile, or of a tile before it is written");
        return 1;
    }
    if (s->cmp.not_finite > s->cmp.unwritten) {
        lab_explain_not_finite(s, rows, n_rows, text, size);
        return 1;
    }
    double *out = malloc(2 * longest * sizeof *out), *scratch = out + longest;
    if (!out) return 0;
    const lab_mistake m = recognise(s, rows, n_rows, out, scratch);
    if (m)
        snprintf(text, size, "%s", explanation[m]);
    else
        known = lab_explain_partial_keys(s, rows, n_rows, out, scratch, text, size) ||
                lab_explain_misplaced(s, rows, n_rows, text, size) ||
                lab_explain_columns(s, rows, n_rows, text, size) || lab_explain_factor(s, rows, n_rows, text, size);
    free(out);
    return known;
}

void lab_diagnose(const lab_symptom *s, char *text, size_t size) {
    char where[160], why[320] = "";
    text[0] = 0;
    if (s->cmp.verdict == LAB_PASSED) return;
    if (s->cmp.unwritten) {
        lab_locate(s, 1, where, sizeof where);
        snprintf(text, size, "%zu elements were never written: %s", s->cmp.unwritten, where);
        return;
    }
    const int known = explain(s, why, sizeof why);
    lab_locate(s, 0, where, sizeof where);
    snprintf(text, size, "%s%swrong: %s", why, known ? "; " : "", where);
}
