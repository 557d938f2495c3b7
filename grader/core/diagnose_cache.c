// diagnose_cache.c: which mistake was it, in task 5? Decode is attention of one query to the keys of its sequence. An
// append is explained by where its token lies.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
                           .tile = splits ? (length + splits - 1) / splits : 0};
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
    static const lab_mistake tried[] = {
        LAB_NO_SCALE,      LAB_SCALE_BY_D,    LAB_SCALE_UP,    LAB_SCALE_AFTER, LAB_DROP_LAST_KEY, LAB_UNIFORM,
        LAB_NO_DIVISION,   LAB_K_AS_V,        LAB_K_V_SWAPPED, LAB_HEAD_ZERO,   LAB_BATCH_ZERO,    LAB_KV_HEAD_ZERO,
        LAB_SOFTMAX_TWICE, LAB_SCORES_RUN_ON, LAB_SUM_SO_FAR,  LAB_RAW_SCORES,  LAB_K_BY_COLUMNS,  LAB_V_BY_COLUMNS};
    const char *sentence[LAB_N_MISTAKES] = {NULL};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) sentence[tried[i]] = lab_attention_mistakes[tried[i]];
    return lab_recognise_rows(s, bad, sentence, LAB_N_MISTAKES, row_with_mistake, text, size);
}

// Every wrong sequence sees as many keys as sequence 0 has.
static int explain_length_of_sequence0(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size) {
    const attn_shape shape = s->shape;
    const int D = shape.head_dim, first = lab_int_at(s->in[4], 0);
    for (int i = 0; i < w->n; i++) {
        double *o = w->scratch + shape.seq_kv;
        lab_wrong_row r = w->row[i];
        if (first >= r.seen || first == 0) return 0;
        lab_oracle_row(o, r.q, r.k, r.v, (attn_shape){1, 1, 1, first, D, 0}, 0, 0, 0, LAB_NO_MISTAKE, w->scratch);
        for (int c = 0; c < D; c++)
            if (!(fabs(o[c] - r.got[c]) < LAB_TOLERANCE)) return 0;
    }
    if (w->n == 0) return 0;
    snprintf(text, size, "matches lengths[0] = %d used for every sequence: sequence b has lengths[b] keys", first);
    return 1;
}

// An empty sequence has the output 0.
static int explain_empty(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    for (int i = 0; i < bad->n; i++)
        if (lab_int_at(s->in[4], bad->row[i] / s->shape.heads)) return 0;
    if (bad->n == 0) return 0;
    snprintf(text, size, "only sequences without keys (lengths[b] = 0) are wrong: their output is 0, not a sum over 0");
    return 1;
}

int lab_diagnose_decode(const lab_symptom *s, char *text, size_t size) {
    const lab_sample bad = lab_sample_bad_rows(s), finite = lab_sample_finite_bad_rows(s);
    lab_wrong_rows w = lab_wrong_rows_of(s, wrong_row);
    const int known = explain_empty(s, &bad, text, size) ||
                      (w.n && (known_mistake(s, &finite, text, size) ||
                               explain_length_of_sequence0(s, &w, text, size) || lab_explain_rows(&w, text, size)));
    lab_wrong_rows_free(&w);
    if (known) return 1;
    if (s->cmp.not_finite == 0)
        return lab_explain_misplaced(s, &bad, text, size) || lab_explain_factor(s, &bad, "", text, size);
    snprintf(text, size,
             "NaN: slots from lengths[b] on hold NaN here and are not to be read; or a division by a sum of 0");
    return 1;
}

// ---- Append

typedef struct {
    const lab_symptom *s;
    size_t B, H, slots, D, kv;
} cache;

static int length_before(const cache *c, size_t b) { return lab_int_at(c->s->in[1] + 2 * c->kv, b); }

// A length that is wrong.
static int explain_length(const cache *c, char *text, size_t size) {
    for (size_t b = 0; b < c->B; b++) {
        const float got = c->s->got[2 * c->kv + b];
        const int before = length_before(c, b), want = before + (before < (int)c->slots);
        if (got == (float)want) continue;
        const char *why = got == (float)before      ? ": one thread adds 1 to it"
                          : before == (int)c->slots ? ": a sequence that is full stays as it is"
                          : got > (float)want       ? ": one thread of all adds 1 to it, once for all heads"
                                                    : "";
        snprintf(text, size, "lengths[%zu] was %d and is %g, not %d%s", b, before, got, want, why);
        return 1;
    }
    return 0;
}

// The slot, of all heads of one cache (0: K, 1: V), that holds exactly these numbers; -1: none. near: looked at first.
static long slot_of(const cache *c, int v, const float *token, size_t near) {
    const float *x = c->s->got + v * c->kv;
    if (memcmp(x + near * c->D, token, c->D * sizeof *token) == 0) return (long)near;
    for (size_t row = 0; row < c->B * c->H * c->slots; row++)
        if (memcmp(x + row * c->D, token, c->D * sizeof *token) == 0) return (long)row;
    return -1;
}

// Where the token of head bh, or of the other cache, lies in place of `due`.
static void say_where(const cache *c, int v, size_t bh, size_t due, char *text, size_t size) {
    const float *token = c->s->in[2 + v] + bh * c->D;
    const long at = slot_of(c, v, token, due), other = slot_of(c, !v, token, due);
    const char name = v ? 'v' : 'k', cache_name = v ? 'V' : 'K';
    const int used = snprintf(text, size, "%c_new of sequence %zu, head %zu belongs into slot %zu of %c_cache", name,
                              bh / c->H, bh % c->H, due % c->slots, cache_name);
    text += used < (int)size ? used : (int)size - 1, size -= used < (int)size ? used : (int)size - 1;
    if (at >= 0 && at / c->slots == bh)
        snprintf(text, size, " (lengths[b] before the call) and lies in slot %ld", at % (long)c->slots);
    else if (at >= 0)
        snprintf(text, size, " and lies in slot %ld of sequence %ld, head %ld", at % (long)c->slots,
                 at / (long)(c->slots * c->H), at / (long)c->slots % (long)c->H);
    else if (other == (long)due)
        snprintf(text, size, " and lies in %c_cache", v ? 'K' : 'V');
    else
        snprintf(text, size, " and is nowhere in it");
}

int lab_diagnose_append(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    const cache c = {s, a.batch, a.heads, a.seq_kv, a.head_dim, lab_elements_kv(a)};
    for (size_t bh = 0; bh < c.B * c.H; bh++) {
        const size_t length = length_before(&c, bh / c.H), due = bh * c.slots + length;
        for (int v = 0; v < 2 && length < c.slots; v++)
            if (memcmp(s->got + v * c.kv + due * c.D, s->in[2 + v] + bh * c.D, c.D * sizeof(float))) {
                say_where(&c, v, bh, due, text, size);
                return 1;
            }
    }
    if (explain_length(&c, text, size)) return 1;
    for (size_t i = 0; i < 2 * c.kv; i++)
        if (lab_element_bad(s, i, 0)) {
            const size_t row = i % c.kv / c.D;
            snprintf(text, size,
                     "slot %zu of sequence %zu, head %zu of %c_cache has changed: only slot lengths[b] is written",
                     row % c.slots, row / c.slots / c.H, row / c.slots % c.H, i < c.kv ? 'K' : 'V');
            return 1;
        }
    return 0;
}
