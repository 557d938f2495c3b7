// diagnose_cache.c: which mistake was it, in task 5? Decode is attention of one query to the keys of its sequence.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "splits.h"

// ---- Decode

static lab_wrong_row wrong_row(const lab_symptom *s, size_t r) {
    const size_t D = s->shape.head_dim, head = r * s->shape.seq_kv * D;
    const int length = lab_int_at(s->in[4], r / s->shape.heads), splits = s->op->scratch ? s->extra[0] : 0;
    return (lab_wrong_row){.q = s->in[1] + r * D,
                           .k = s->in[2] + head,
                           .v = s->in[3] + head,
                           .keys = length,
                           .seen = length,
                           .query = (int)r,
                           .head = (int)r,
                           .tile = splits ? (length + splits - 1) / splits : 0,
                           .parts = splits};
}

// The row of a sequence is that of attention to its first lengths[b] keys.
static void row_with_mistake(const lab_symptom *s, size_t r, int mistake, double *o, double *scratch) {
    const size_t D = s->shape.head_dim, H = s->shape.heads, head = s->shape.seq_kv * D;
    const size_t from = mistake == LAB_BATCH_ZERO ? r % H : mistake == LAB_HEAD_ZERO ? r / H * H : r;
    const size_t kv = mistake == LAB_KV_HEAD_ZERO ? r / H * H : from;
    const attn_shape one = {1, 1, 1, lab_int_at(s->in[4], r / H), (int)D, 0};
    lab_oracle_row(o, s->in[1] + from * D, s->in[2] + kv * head, s->in[3] + kv * head, one, 0, 0, 0, mistake, scratch);
}

static int known_mistake(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    static const lab_mistake tried[] = {LAB_NO_SCALE,      LAB_SCALE_BY_D,    LAB_SCALE_UP,    LAB_SCALE_AFTER,
                                        LAB_DROP_LAST_KEY, LAB_UNIFORM,       LAB_NO_DIVISION, LAB_K_AS_V,
                                        LAB_K_V_SWAPPED,   LAB_HEAD_ZERO,     LAB_BATCH_ZERO,  LAB_KV_HEAD_ZERO,
                                        LAB_SOFTMAX_TWICE, LAB_SCORES_RUN_ON, LAB_SUM_SO_FAR,  LAB_RAW_SCORES,
                                        LAB_K_BY_COLUMNS,  LAB_V_BY_COLUMNS,  LAB_FIRST_IS_ONE};
    const char *sentence[LAB_N_MISTAKES] = {NULL};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) sentence[tried[i]] = lab_attention_mistakes[tried[i]];
    return lab_recognise_rows(s, bad, sentence, LAB_N_MISTAKES, row_with_mistake, text, size);
}

static int row_is(const lab_symptom *s, size_t r, int finite) {
    const size_t D = s->shape.head_dim;
    for (size_t c = 0; c < D; c++)
        if (lab_is_finite(s->got[r * D + c]) != finite) return 0;
    return 1;
}

// Every row sees as many keys as another sequence has: NaN where its own are fewer.
static int explain_length_of_another(const lab_symptom *s, char *text, size_t size) {
    static const char *const sentences[] = {
        "matches lengths[0] used for every sequence: sequence b has lengths[b] keys",
        "matches lengths[bh % batch] for block bh = b * heads + h: its sequence is b = bh / heads",
        "matches lengths[h] for head h of sequence b: it has lengths[b] keys"};
    const attn_shape a = s->shape;
    const int D = a.head_dim, heads = a.batch * a.heads;
    double *p = malloc((a.seq_kv + D) * sizeof *p), *o = p + a.seq_kv;
    int known = 0;
    for (int f = 0; p && f < 3; f++) {
        int others = 0, fits = 1;
        for (int r = 0; r < heads && fits; r++) {
            const int of = f == 0 ? 0 : f == 1 ? r % a.batch : r % a.heads % a.batch;
            const int length = lab_int_at(s->in[4], r / a.heads), taken = lab_int_at(s->in[4], of);
            const lab_wrong_row row = wrong_row(s, r);
            others += length != taken;
            if (length < taken && row_is(s, r, 0)) continue;
            const int keys = length < taken ? length : taken;
            for (int c = 0; c < D; c++) o[c] = 0;
            if (keys)
                lab_oracle_row(o, row.q, row.k, row.v, (attn_shape){1, 1, 1, keys, D, 0}, 0, 0, 0, LAB_NO_MISTAKE, p);
            for (int c = 0; c < D; c++) fits = fits && fabs(o[c] - s->got[r * D + c]) < LAB_TOLERANCE;
        }
        if (fits && others) known = lab_guess(s->guesses, sentences[f], text, size);
    }
    free(p);
    return known;
}

// Every sequence that has keys and is not full has read a NaN.
static int explain_free_slots(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    int nan = 0, full = 0;
    for (size_t r = 0; r < (size_t)a.batch * a.heads; r++) {
        const int length = lab_int_at(s->in[4], r / a.heads);
        full += length >= a.seq_kv && row_is(s, r, 1);
        if (length == 0 || length >= a.seq_kv) continue;
        if (!row_is(s, r, 0)) return 0;
        nan++;
    }
    return nan && full &&
           lab_guess(s->guesses,
                     "matches keys from slot lengths[b] on that are read: those slots hold NaN here, and "
                     "every sequence that is not full has it in its output",
                     text, size);
}

// An empty sequence has the output 0.
static int explain_empty(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    for (int i = 0; i < bad->n; i++)
        if (lab_int_at(s->in[4], bad->row[i] / s->shape.heads)) return 0;
    if (bad->n == 0) return 0;
    return lab_guess(s->guesses,
                     "only sequences without keys (lengths[b] = 0) are wrong: their output is 0, not a sum "
                     "over 0",
                     text, size);
}

// Scores of which exp overflows, or is 0 throughout, in every wrong row.
static int is_overflow(const lab_symptom *s, const lab_sample *bad) {
    double *p = malloc((s->shape.seq_kv + 1) * sizeof *p);
    int all = p && bad->n, above = 0;
    for (int i = 0; i < bad->n && all; i++) {
        const lab_wrong_row r = wrong_row(s, bad->row[i]);
        const double max = r.seen ? lab_row_scores(&r, s->shape.head_dim, p) : 0;
        all = fabs(max) > 80, above += max > 80;
    }
    free(p);
    return all && above;
}

// Where every sequence fills its cache there is no free slot, and NaN, or the 0 of a guard, has come from something else.
static int all_are_full(const lab_symptom *s) {
    for (int b = 0; b < s->shape.batch; b++)
        if (lab_int_at(s->in[4], b) < s->shape.seq_kv) return 0;
    return 1;
}

// inf / inf is NaN, of which l > 0 makes 0.
#define OVERFLOWS                                                                                                      \
    "exp overflows where scores are large: subtract the maximum of all keys so far first, in a part and where parts "  \
    "are put together. It never falls"

// Zeros where there are keys.
static int explain_zeros(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const size_t D = s->shape.head_dim;
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++) {
        if (!lab_element_bad(s, i, 0)) continue;
        if (!lab_int_at(s->in[4], i / D / s->shape.heads) || s->got[i] != 0) return 0;
    }
    const char *why =
        s->op->scratch && !s->extra[0] ? "the wrong rows are 0, as if there were no parts: n_splits = 0 asks for your "
                                         "own number of splits; do the "
                                         "kernel that joins the parts and the place of each part use that number, too?"
        : all_are_full(s)
            ? "the wrong rows are 0, as if there were no keys. Where l > 0 is asked a NaN gives that: a thread, warp "
              "or split without keys has m = -INFINITY, and exp(-INFINITY - (-INFINITY)) is NaN: its weight must be 0"
            : "the wrong rows are 0, as if there were no keys. Where l > 0 is asked a NaN gives that, from slots at "
              "lengths[b] or beyond, which hold NaN here, or from a part without keys, exp(-INFINITY - (-INFINITY))";
    if (bad->n && is_overflow(s, bad)) lab_guess(s->guesses, OVERFLOWS, text, size);
    return bad->n && lab_guess(s->guesses, why, text, size);
}

// Does a split get no keys, if they are shared out by length / n rounded up, or by length * s / n?
static int has_empty_split(int length, int n) {
    const int per = (length + n - 1) / n;
    return per * (n - 1) >= length;
}

// Wrong are the sequences of which some split gets no keys, and no others.
static int explain_empty_split(const lab_symptom *s, char *text, size_t size) {
    const size_t D = s->shape.head_dim;
    const int n = s->op->scratch ? s->extra[0] : 0;
    int wrong = 0;
    for (size_t r = 0; n > 1 && r < (size_t)s->shape.batch * s->shape.heads; r++) {
        const int length = lab_int_at(s->in[4], r / s->shape.heads);
        int bad = 0;
        for (size_t c = 0; c < D; c++) bad |= lab_element_bad(s, r * D + c, 0);
        if (!length) continue;
        if (bad != has_empty_split(length, n) || (bad && lab_is_finite(s->got[r * D]) && s->got[r * D] != 0)) return 0;
        wrong += bad;
    }
    return wrong && lab_guess(s->guesses,
                              "perhaps a split without keys leaves its part as it was, or NaN in it: wrong are the "
                              "sequences that have one, and no others. It leaves O_s = 0 and L_s = -INFINITY",
                              text, size);
}

int lab_diagnose_decode(const lab_symptom *s, char *text, size_t size) {
    const lab_sample bad = lab_sample_bad_rows(s), finite = lab_sample_finite_bad_rows(s);
    const lab_sample telling = lab_telling_rows(s, &finite, wrong_row);
    text[0] = 0;
    if (lab_explain_unwritten_parts(s, text, size)) return 1;
    int known = explain_empty(s, &bad, text, size);
    known |= explain_length_of_another(s, text, size);
    known |= lab_explain_cache_reads(s, text, size);
    const int rest = s->cmp.not_finite == 0 && lab_explain_rest_of_shares(s, text, size);
    known |= rest;
    known |= !known && explain_empty_split(s, text, size);
    known |= !known && explain_zeros(s, &bad, text, size);
    known |= explain_free_slots(s, text, size);
    known |= s->cmp.not_finite == 0 && lab_explain_empty_weight(s, text, size);
    known |= known_mistake(s, &telling, text, size);
    if (s->cmp.not_finite == 0) {  // what lies in memory proves more than what rows are like
        const int keys = lab_explain_split_keys(s, text, size), parts = lab_explain_workspace(s, text, size);
        known |= keys | parts;
        known |= lab_explain_rows(s, wrong_row, text, size);
        known |= !keys && !rest && lab_explain_splits(s, text, size);
    } else
        known |= lab_explain_rows(s, wrong_row, text, size);
    if (known) return 1;
    if (s->cmp.not_finite == 0)
        return lab_explain_misplaced(s, &bad, text, size) || lab_explain_factor(s, &bad, text, size);
    if (is_overflow(s, &bad)) {
        snprintf(text, size, "%s", OVERFLOWS);
        return 1;
    }
    snprintf(text, size,
             all_are_full(s)
                 ? "NaN: exp(-INFINITY - (-INFINITY)) of a thread, warp or split without keys, a division by a sum of "
                   "0, or memory that was never written"
                 : "NaN: slots from lengths[b] on hold NaN here and are not to be read; or a division by a sum of 0");
    return 1;
}
