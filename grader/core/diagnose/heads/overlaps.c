// overlaps.c: multi-head attention whose steps share memory, so that one of them writes over what is still to be read: a
// split or a merge in place, the output of attention in the memory of V or of K.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wiring.h"

typedef struct {
    const lab_symptom *s;
    size_t rows, S, H, D, E, n;
    float *wide, *heads, *qkv, *o;  // what the projections leave, the same as heads; one call's Q, K, V; its O
    double *p, *sum;                // scores, a row of O
} layer;

// Where element i of [B, H, S, D] stands in [B, S, E], and the other way round.
static size_t in_wide(const layer *a, size_t i) {
    const size_t d = i % a->D, s = i / a->D % a->S, h = i / a->D / a->S % a->H, b = i / a->D / a->S / a->H;
    return (b * a->S + s) * a->E + h * a->D + d;
}
static size_t in_heads(const layer *a, size_t i) {
    const size_t e = i % a->E, s = i / a->E % a->S, b = i / a->E / a->S;
    return ((b * a->H + e / a->D) * a->S + s) * a->D + e % a->D;
}

// In the order of what is written, or of what is read.
static void split_in_place(const layer *a, float *x, int by_reads) {
    for (size_t i = 0; i < a->n; i++)
        if (by_reads)
            x[in_heads(a, i)] = x[i];
        else
            x[i] = x[in_wide(a, i)];
}
static void merge_in_place(const layer *a, float *x, int by_reads) {
    for (size_t i = 0; i < a->n; i++)
        if (by_reads)
            x[in_wide(a, i)] = x[i];
        else
            x[i] = x[in_heads(a, i)];
}

// One head, query by query; o may be k or v. in_memory: a row of O is set to 0 and added to where it stands.
static void attend(const layer *a, float *o, const float *q, const float *k, const float *v, int in_memory) {
    for (size_t i = 0; i < a->S; i++) {
        const size_t seen = a->s->shape.causal ? i + 1 : a->S;
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < seen; j++) {
            a->p[j] = 0;
            for (size_t d = 0; d < a->D; d++) a->p[j] += (double)q[i * a->D + d] * k[j * a->D + d];
            max = fmax(max, a->p[j] /= sqrt((double)a->D));
        }
        for (size_t j = 0; j < seen; j++) sum += a->p[j] = exp(a->p[j] - max);
        for (size_t d = 0; d < a->D; d++) {
            float *const at = &o[i * a->D + d];
            a->sum[d] = 0;
            if (in_memory) *at = 0;
            for (size_t j = 0; j < seen; j++) {
                a->sum[d] += a->p[j] / sum * v[j * a->D + d];
                if (in_memory) *at = (float)a->sum[d];
            }
        }
        for (size_t d = 0; d < a->D; d++) o[i * a->D + d] = (float)a->sum[d];
    }
}

static void attend_all(const layer *a, float *o, const float *q, const float *k, const float *v, int in_memory) {
    for (size_t h = 0; h < a->n; h += a->S * a->D) attend(a, o + h, q + h, k + h, v + h, in_memory);
}

// Is the output what a projection of these by Wo gives? A late row first: much looks alike in the first ones.
static int fits(const layer *a, const float *merged) {
    const float *const w = a->s->in[5];
    for (size_t i = a->n; i-- > 0;) {
        double sum = 0;
        for (size_t k = 0; k < a->E; k++) sum += (double)merged[i / a->E * a->E + k] * w[i % a->E * a->E + k];
        if (!(fabs(a->s->got[i] - sum) < LAB_TOLERANCE * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

static int fits_merged(const layer *a, const float *o) {
    for (size_t i = 0; i < a->n; i++) a->wide[i] = o[in_heads(a, i)];
    return fits(a, a->wide);
}

static int say(const layer *a, const char *sentence, char *text, size_t size) {
    return lab_guess(a->s->guesses, sentence, text, size);
}

static int try_merge(const layer *a, char *text, size_t size) {
    attend_all(a, a->o, a->heads, a->heads + a->n, a->heads + 2 * a->n, 0);
    for (int by_reads = 0; by_reads < 2; by_reads++) {
        memcpy(a->qkv, a->o, a->n * sizeof *a->o);
        merge_in_place(a, a->qkv, by_reads);
        if (fits(a, a->qkv))
            return say(a,
                       "matches a merge in place: it writes into the memory that it reads, over rows that are still "
                       "to be moved. What it writes must be another tensor",
                       text, size);
    }
    return 0;
}

static int try_output(const layer *a, char *text, size_t size) {
    static const char *const sentence[] = {
        "matches attention that writes O into the memory of K, whose rows the next queries still read: O needs memory "
        "of its own",
        "matches attention that writes O into the memory of V, whose rows the next queries still read: O needs memory "
        "of its own"};
    for (int way = 0; way < 3; way++) {  // in K; in V; in V, added to where it stands
        memcpy(a->qkv, a->heads, 3 * a->n * sizeof *a->qkv);
        float *const k = a->qkv + a->n, *const v = k + a->n;
        attend_all(a, way ? v : k, a->qkv, k, v, way == 2);
        if (fits_merged(a, way ? v : k)) return say(a, sentence[way > 0], text, size);
    }
    return 0;
}

static int try_split(const layer *a, const float *packed, char *text, size_t size) {
    for (int set = 1; set < 8; set++)
        for (int by_reads = 0; by_reads < 2; by_reads++) {
            if (set != 7 && (set & (set - 1))) continue;  // one of them, or all
            memcpy(a->qkv, a->heads, 3 * a->n * sizeof *a->qkv);
            for (int t = 0; t < 3; t++) {
                if (!(set >> t & 1)) continue;
                memcpy(a->qkv + t * a->n, packed + t * a->n, a->n * sizeof *a->qkv);
                split_in_place(a, a->qkv + t * a->n, by_reads);
            }
            attend_all(a, a->o, a->qkv, a->qkv + a->n, a->qkv + 2 * a->n, 0);
            if (fits_merged(a, a->o))
                return say(a,
                           "matches a split in place: it writes into the memory that it reads, over numbers that "
                           "are still to be moved. What it writes must be another tensor",
                           text, size);
        }
    return 0;
}

int lab_explain_overlaps(const lab_symptom *s, char *text, size_t size) {
    const attn_shape x = s->shape;
    layer a = {.s = s, .rows = (size_t)x.batch * x.seq_q, .S = x.seq_q, .H = x.heads, .D = x.head_dim};
    a.E = a.H * a.D, a.n = a.rows * a.E;
    if ((double)a.n * a.E > 1 << 21) return 0;  // small claims are enough
    float *const packed = malloc(11 * a.n * sizeof *packed);
    a.p = malloc((a.S + a.D) * sizeof *a.p), a.sum = a.p + a.S;
    int known = 0;
    if (packed && a.p) {
        a.heads = packed + 3 * a.n, a.qkv = a.heads + 3 * a.n, a.o = a.qkv + 3 * a.n, a.wide = a.o + a.n;
        for (size_t i = 0; i < 3 * a.n; i++) {
            const size_t t = i / a.n, r = i % a.n / a.E, e = i % a.E;
            double sum = 0;
            for (size_t k = 0; k < a.E; k++) sum += (double)s->in[1][r * a.E + k] * s->in[2 + t][e * a.E + k];
            packed[i] = (float)sum;
            a.heads[t * a.n + in_heads(&a, i % a.n)] = (float)sum;
        }
        known = (a.H > 1 && try_merge(&a, text, size)) || try_output(&a, text, size) ||
                (a.H > 1 && try_split(&a, packed, text, size));
    }
    free(packed), free(a.p);
    return known;
}
