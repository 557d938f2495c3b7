// wiring.c: multi-head attention whose parts are right and put together in another way: another weight, another tensor.
#include "wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is projected, by which weight, and what attention takes for Q, K and V. Sources: 0 X, then Q, K, V, O before a
// split, or as attention leaves them.
enum { FROM_X, FROM_Q, FROM_K, FROM_V, FROM_O, SOURCES };
static const char *const weight_name[] = {"Wq", "Wk", "Wv", "Wo"};
static const char *const head_name[] = {"Q", "K", "V"};

typedef struct {
    int source[3], weight[3];  // of Q, K and V
    int takes[3];              // attention's arguments: 0 Q, 1 K, 2 V
    int last, last_weight;     // what Wo is applied to, and the weight
    int merged;                // 0: split in place of a merge
    int in_place;              // 1: the last projection overwrites what it reads
} wiring;

static const wiring RIGHT = {{FROM_X, FROM_X, FROM_X}, {0, 1, 2}, {0, 1, 2}, FROM_O, 3, 1, 0};

typedef struct {
    const lab_symptom *s;
    size_t rows, e_dim, n;
    float *flat[3], *head[3], *o, *packed;  // [B, S, E] and [B, H, S, D]
    double *wide;
} parts;

// Where element i of [batch, heads, seq, head_dim] stands in [batch, seq, heads * head_dim].
static size_t packed_index(size_t i, attn_shape s) {
    const size_t D = s.head_dim, S = s.seq_q, H = s.heads;
    return ((i / D / S / H * S + i / D % S) * H + i / D / S % H) * D + i % D;
}

static void project(const parts *p, double *y, const float *x, const float *w) {
    for (size_t r = 0; r < p->rows; r++)
        for (size_t e = 0; e < p->e_dim; e++) {
            double sum = 0;
            for (size_t k = 0; k < p->e_dim; k++) sum += (double)x[r * p->e_dim + k] * w[e * p->e_dim + k];
            y[r * p->e_dim + e] = sum;
        }
}

// Is the output what this wiring gives?
static int fits(parts *p, const wiring *w) {
    const attn_shape shape = p->s->shape;
    const float *const *in = p->s->in;
    for (int t = 0; t < 3; t++) {
        const float *x = w->source[t] == FROM_X ? in[1] : p->flat[w->source[t] - FROM_Q];
        project(p, p->wide, x, in[2 + w->weight[t]]);
        for (size_t i = 0; i < p->n; i++) p->flat[t][i] = (float)p->wide[i];
        for (size_t i = 0; i < p->n; i++) p->head[t][i] = p->flat[t][packed_index(i, shape)];
    }
    const float *const qkv[LAB_MAX_TENSORS] = {NULL, p->head[w->takes[0]], p->head[w->takes[1]], p->head[w->takes[2]]};
    if (!lab_sdpa.oracle(shape, p->s->extra, qkv, 0, p->wide)) return 0;
    for (size_t i = 0; i < p->n; i++) p->o[i] = (float)p->wide[i];
    for (size_t i = 0; i < p->n; i++)
        p->packed[w->merged ? packed_index(i, shape) : i] = p->o[w->merged ? i : packed_index(i, shape)];
    const float *last = w->last == FROM_X ? in[1] : w->last == FROM_O ? p->packed : p->flat[w->last - FROM_Q];
    project(p, p->wide, last, in[2 + w->last_weight]);
    for (size_t r = 0; r < p->rows && w->in_place; r++) {
        float *row = p->packed + r * p->e_dim;
        for (size_t e = 0; e < p->e_dim; e++) {
            double sum = 0;
            for (size_t k = 0; k < p->e_dim; k++) sum += (double)row[k] * in[5][e * p->e_dim + k];
            p->wide[r * p->e_dim + e] = row[e] = (float)sum;
        }
    }
    for (size_t i = 0; i < p->n; i++)
        if (!(fabs(p->s->got[i] - p->wide[i]) < LAB_TOLERANCE)) return 0;
    return 1;
}

static int try(parts *p, const wiring *w, const char *sentence, char *text, size_t size) {
    return fits(p, w) && lab_guess(p->s->guesses, sentence, text, size);
}

static const char *source_name(int source) {
    static const char *const names[SOURCES] = {"X", "X Wq^T", "X Wk^T", "X Wv^T", "the merged heads"};
    return names[source];
}

static int try_projections(parts *p, char *text, size_t size) {
    char sentence[240];
    int known = 0;
    for (int t = 0; t < 3; t++)
        for (int weight = 0; weight < 4; weight++)
            for (int source = FROM_X; source < FROM_Q + t; source++) {
                wiring w = RIGHT;
                if (weight == t && source == FROM_X) continue;
                w.weight[t] = weight, w.source[t] = source;
                snprintf(sentence, sizeof sentence, "matches %s = %s%s%s %s^T: it is X %s^T", head_name[t],
                         source ? "(" : "", source_name(source), source ? ")" : "", weight_name[weight],
                         weight_name[t]);
                known |= try(p, &w, sentence, text, size);
            }
    return known;
}

static int try_arguments(parts *p, char *text, size_t size) {
    char sentence[240];
    int known = 0;
    for (int code = 0; code < 27; code++) {
        wiring w = RIGHT;
        w.takes[0] = code / 9, w.takes[1] = code / 3 % 3, w.takes[2] = code % 3;
        if (memcmp(w.takes, RIGHT.takes, sizeof w.takes) == 0) continue;
        snprintf(sentence, sizeof sentence, "matches attn_sdpa called with %s, %s, %s in place of Q, K, V",
                 head_name[w.takes[0]], head_name[w.takes[1]], head_name[w.takes[2]]);
        known |= try(p, &w, sentence, text, size);
    }
    return known;
}

static int try_the_end(parts *p, char *text, size_t size) {
    char sentence[240];
    wiring same = RIGHT;
    same.in_place = 1;
    int known =
        try(p, &same, "matches a projection by Wo that writes over what it reads: its output must be another tensor",
            text, size);
    for (int last = FROM_X; last <= FROM_O; last++)
        for (int weight = 0; weight < 4; weight++) {
            wiring w = RIGHT;
            if (last == FROM_O && weight == 3) continue;
            w.last = last, w.last_weight = weight;
            snprintf(sentence, sizeof sentence,
                     "matches %s projected by %s in the end: it is the merged output of attention, by Wo%s",
                     source_name(last), weight_name[weight], last == FROM_O ? "" : "; was it merged into flat?");
            known |= try(p, &w, sentence, text, size);
        }
    return known;
}

int lab_explain_wiring(const lab_symptom *s, char *text, size_t size) {
    parts p = {
        .s = s, .rows = (size_t)s->shape.batch * s->shape.seq_q, .e_dim = (size_t)s->shape.heads * s->shape.head_dim};
    p.n = p.rows * p.e_dim;
    if ((double)p.n * p.e_dim > 1 << 18) return 0;  // small claims are enough
    float *all = malloc(8 * p.n * sizeof *all);
    p.wide = malloc(p.n * sizeof *p.wide);
    for (int t = 0; t < 3; t++) p.flat[t] = all + t * p.n, p.head[t] = all + (3 + t) * p.n;
    p.o = all + 6 * p.n, p.packed = all + 7 * p.n;
    int zero = 1;
    for (size_t i = 0; i < p.n && zero; i++) zero = s->got[i] == 0;
    if (zero && all && p.wide) {
        free(all), free(p.wide);
        return snprintf(text, size,
                        "all of Y is 0: V or O is still what calloc gave; is V split, and does attention write O "
                        "before it is merged?") > 0;
    }
    const int known = all && p.wide &&
                      (try_projections(&p, text, size) || try_arguments(&p, text, size) || try_the_end(&p, text, size));
    free(all), free(p.wide);
    return known;
}
