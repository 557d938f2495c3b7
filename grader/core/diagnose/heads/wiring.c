// wiring.c: multi-head attention whose parts are right and put together in another way: another weight, another tensor.
// Products are made once; then a wiring costs one row of the output, which the others confirm.
#include "wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is projected: X, or what X Wq^T, X Wk^T, X Wv^T gave, the same after the split, or the heads of attention, merged.
enum { FROM_X, FROM_Q, FROM_K, FROM_V, SPLIT_Q, SPLIT_K, SPLIT_V, FROM_O, SOURCES };
static const char *const source_name[SOURCES] = {"X",          "X Wq^T",     "X Wk^T",     "X Wv^T",
                                                 "split of Q", "split of K", "split of V", "the merged heads"};
static const char *const weight_name[] = {"Wq", "Wk", "Wv", "Wo"};
static const char *const head_name[] = {"Q", "K", "V"};

typedef struct {
    int source, weight;  // 0 Wq, 1 Wk, 2 Wv, 3 Wo
    int transposed;      // 1: X W in place of X W^T
    int apart;           // 1: [B, S, E] taken for [B, H, S, D]: it was not split
} product;

typedef struct {
    product of[3], last;  // of Q, K and V, and the one in the end
    int takes[3];         // attention's arguments: 0 Q, 1 K, 2 V
    int in_place;         // 1: the last one overwrites what it reads
} wiring;

static const wiring RIGHT = {
    {{FROM_X, 0, 0, 0}, {FROM_X, 1, 0, 0}, {FROM_X, 2, 0, 0}}, {FROM_O, 3, 0, 0}, {0, 1, 2}, 0};

typedef struct {
    const lab_symptom *s;
    size_t rows, S, H, D, E;
    float *made[FROM_O][4][2];  // by source, weight and transposed: [B, S, E]; NULL: not yet
    double *o, *p;              // a row of heads; scores
    int out_of_memory;
} parts;

static const float *weight_of(const parts *p, int w) { return p->s->in[2 + w]; }

static double dot(const parts *p, const float *x, const float *w, size_t e, int transposed) {
    double sum = 0;
    for (size_t k = 0; k < p->E; k++) sum += (double)x[k] * (transposed ? w[k * p->E + e] : w[e * p->E + k]);
    return sum;
}

// Row r of what is projected: rows of E numbers, or, after the split, H rows of D as they lie there.
static void source_row(parts *p, const float *from, int split, size_t r, float *row) {
    for (size_t h = 0; h < p->H; h++) {
        const size_t at = r * p->H + h;  // of [B, H, S]
        const size_t b = at / p->S / p->H, head = at / p->S % p->H, s = at % p->S;
        memcpy(row + h * p->D, split ? from + (b * p->S + s) * p->E + head * p->D : from + r * p->E + h * p->D,
               p->D * sizeof *row);
    }
}

// What such a product gives, made once.
static const float *make(parts *p, product x) {
    float **const at = &p->made[x.source][x.weight][x.transposed];
    if (*at || p->out_of_memory) return *at;
    const int own = (x.source - FROM_Q) % 3;  // the weight of what is projected once more
    const float *const from = x.source == FROM_X ? p->s->in[1] : make(p, (product){FROM_X, own, 0, 0});
    float *const row = malloc(p->E * sizeof *row);
    *at = from && row ? malloc(p->rows * p->E * sizeof **at) : NULL;
    p->out_of_memory |= !*at;
    for (size_t i = 0; *at && i < p->rows * p->E; i++) {
        if (i % p->E == 0) source_row(p, from, x.source >= SPLIT_Q, i / p->E, row);
        (*at)[i] = (float)dot(p, row, weight_of(p, x.weight), i % p->E, x.transposed);
    }
    free(row);
    return *at;
}

// Row s of head h of sequence b.
static const float *row_of(const parts *p, const float *x, int apart, size_t b, size_t h, size_t s) {
    return x + (apart ? ((b * p->H + h) * p->S + s) * p->D : (b * p->S + s) * p->E + h * p->D);
}

static void attend(const parts *p, const wiring *w, const float *const qkv[3], size_t b, size_t h, size_t s,
                   double *o) {
    const product *const of[3] = {&w->of[w->takes[0]], &w->of[w->takes[1]], &w->of[w->takes[2]]};
    const float *const q = row_of(p, qkv[w->takes[0]], of[0]->apart, b, h, s);
    const size_t seen = p->s->shape.causal ? s + 1 : p->S;
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j < seen; j++) {
        const float *const k = row_of(p, qkv[w->takes[1]], of[1]->apart, b, h, j);
        p->p[j] = 0;
        for (size_t d = 0; d < p->D; d++) p->p[j] += (double)q[d] * k[d];
        max = fmax(max, p->p[j] /= sqrt((double)p->D));
    }
    memset(o, 0, p->D * sizeof *o);
    for (size_t j = 0; j < seen; j++) sum += p->p[j] = exp(p->p[j] - max);
    for (size_t j = 0; j < seen; j++) {
        const float *const v = row_of(p, qkv[w->takes[2]], of[2]->apart, b, h, j);
        for (size_t d = 0; d < p->D; d++) o[d] += p->p[j] / sum * v[d];
    }
}

// Is row r of the output what this wiring gives?
static int row_fits(const parts *p, const wiring *w, const float *const qkv[3], const float *last, size_t r) {
    const float *const weight = weight_of(p, w->last.weight);
    for (size_t h = 0; h < p->H && !last; h++) attend(p, w, qkv, r / p->S, h, r % p->S, p->o + h * p->D);
    for (size_t k = 0; k < p->E && last; k++) p->o[k] = last[r * p->E + k];
    for (size_t e = 0; e < p->E; e++) {
        double sum = 0;
        for (size_t k = 0; k < p->E; k++) sum += p->o[k] * weight[e * p->E + k];
        if (w->in_place) p->o[e] = sum;
        if (!(fabs(p->s->got[r * p->E + e] - sum) < LAB_TOLERANCE * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

static int fits(parts *p, const wiring *w) {
    const float *qkv[3], *const last = w->last.source == FROM_O ? NULL
                                       : w->last.source == FROM_X
                                           ? p->s->in[1]
                                           : make(p, (product){FROM_X, w->last.source - FROM_Q, 0, 0});
    for (int t = 0; t < 3; t++) qkv[t] = make(p, w->of[t]);
    if (p->out_of_memory) return 0;
    for (size_t i = 0; i < p->rows; i++)  // a late row first: much looks alike in the first ones
        if (!row_fits(p, w, qkv, last, p->rows - 1 - i)) return 0;
    return 1;
}

static int try(parts *p, const wiring *w, const char *sentence, char *text, size_t size) {
    return fits(p, w) && lab_guess(p->s->guesses, sentence, text, size);
}

// ---- What may differ

// Product x as a formula: (X Wq^T) Wk^T.
static void name(const product *x, char *text, size_t size) {
    snprintf(text, size, "%s%s%s %s%s", x->source ? "(" : "", source_name[x->source], x->source ? ")" : "",
             weight_name[x->weight], x->transposed ? "" : "^T");
}

static void say_products(const wiring *w, char *text, size_t size) {
    char is[64], it[160] = "";
    int used = snprintf(text, size, "matches "), n = 0;
    for (int t = 0; t < 3; t++) {
        if (memcmp(&w->of[t], &RIGHT.of[t], sizeof w->of[t]) == 0) continue;
        name(&w->of[t], is, sizeof is);
        used += snprintf(text + used, size - used, "%s%s = %s", n ? " and " : "", head_name[t], is);
        snprintf(it + strlen(it), sizeof it - strlen(it), "%sX %s^T", n++ ? " and " : "", weight_name[t]);
    }
    snprintf(text + used, size - used, ": %s %s", n > 1 ? "they are" : "it is", it);
}

// Any sources and weights of Q, K and V: one that differs, then two, then all three.
static int try_projections(parts *p, char *text, size_t size) {
    char sentence[240];
    for (int differ = 1; differ <= 3; differ++)
        for (int code = 0; code < 28 * 28 * 28; code++) {
            wiring w = RIGHT;
            int n = 0, sense = 1;
            for (int t = 0, c = code; t < 3; t++, c /= 28) {
                const int source = w.of[t].source = c % 28 / 4;
                w.of[t].weight = c % 4;
                n += source != FROM_X || w.of[t].weight != t;
                sense &= source == FROM_X || ((source - FROM_Q) % 3 < t && differ < 3);  // what is there by then
            }
            if (n != differ || !sense) continue;
            say_products(&w, sentence, sizeof sentence);
            if (try(p, &w, sentence, text, size)) return 1;
            for (int t = 0; t < 3 && differ == 1 && p->H > 1; t++) w.of[t].apart = w.of[t].source >= SPLIT_Q;
            snprintf(sentence + strlen(sentence), sizeof sentence - strlen(sentence), ", split into heads");
            if (differ == 1 && try(p, &w, sentence, text, size)) return 1;
        }
    return 0;
}

static int try_layouts(parts *p, char *text, size_t size) {
    char sentence[240], names[16];
    for (int set = 1; set < 8; set++)
        for (int apart = 0; apart < 2; apart++) {
            wiring w = RIGHT;
            *names = 0;
            for (int t = 0; t < 3; t++) {
                if (!(set >> t & 1)) continue;
                *(apart ? &w.of[t].apart : &w.of[t].transposed) = 1;
                snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "", head_name[t]);
            }
            snprintf(sentence, sizeof sentence,
                     apart
                         ? "matches %s taken as the projection leaves it, [B, S, E]: attn_split_heads makes [B, H, S, "
                           "D] of it"
                         : "matches %s = X W in place of X W^T: row e of W makes output feature e",
                     names);
            if ((!apart || p->H > 1) && try(p, &w, sentence, text, size)) return 1;
        }
    return 0;
}

static int try_arguments(parts *p, char *text, size_t size) {
    char sentence[240];
    int known = 0;
    for (int code = 0; code < 27; code++) {
        wiring w = RIGHT;
        w.takes[0] = code / 9, w.takes[1] = code / 3 % 3, w.takes[2] = code % 3;
        if (memcmp(w.takes, RIGHT.takes, sizeof w.takes) == 0) continue;
        const int one = w.takes[0] == w.takes[1] && w.takes[1] == w.takes[2];
        snprintf(sentence, sizeof sentence, "matches attn_sdpa of %s, %s, %s in place of Q, K, V: %s",
                 head_name[w.takes[0]], head_name[w.takes[1]], head_name[w.takes[2]],
                 one ? "where one buffer has all three projections in turn, each is to be split before the next is made"
                     : "by what it is given, or by what these hold");
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
    for (int last = FROM_X; last <= FROM_O; last += last == FROM_V ? FROM_O - FROM_V : 1)
        for (int weight = 0; weight < 4; weight++) {
            wiring w = RIGHT;
            if (last == FROM_O && weight == 3) continue;
            w.last.source = last, w.last.weight = weight;
            snprintf(sentence, sizeof sentence,
                     "matches %s projected by %s in the end: it is the merged output of attention, by Wo%s",
                     source_name[last], weight_name[weight], last == FROM_O ? "" : "; was it merged into flat?");
            known |= try(p, &w, sentence, text, size);
        }
    return known;
}

int lab_explain_wiring(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    parts p = {.s = s, .rows = (size_t)a.batch * a.seq_q, .S = a.seq_q, .H = a.heads, .D = a.head_dim};
    int zero = 1;
    p.E = p.H * p.D;
    if ((double)p.rows * p.E * p.E > 1 << 21) return 0;  // small claims are enough
    for (size_t i = 0; i < p.rows * p.E && zero; i++) zero = s->got[i] == 0;
    if (zero)
        return lab_guess(s->guesses,
                         "all of Y is 0: is what is summed up a float, is V split, and does attention write O "
                         "before it is merged?",
                         text, size);
    p.o = malloc((p.E + p.S) * sizeof *p.o), p.p = p.o + p.E;
    const int known = p.o && (try_the_end(&p, text, size) || try_arguments(&p, text, size) ||
                              try_layouts(&p, text, size) || try_projections(&p, text, size));
    for (int i = 0; i < FROM_O * 4 * 2; i++) free(p.made[i / 8][i / 2 % 4][i % 2]);
    free(p.o);
    return known;
}
