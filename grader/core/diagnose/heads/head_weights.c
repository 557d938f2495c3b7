// head_weights.c: multi-head attention whose weights are taken for others: a matrix of each head's own, the first head's
// for all, heads that lie interleaved, or no weights at all. Of each of Q, K, V and the output, alone or together.
#include "wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { RIGHT, OWN, OWN_PACKED, FIRST, OF_HEADS, INTERLEAVED, CUT, NONE, ADDED, AVERAGED, RULES } rule;

static const char *const words[RULES] = {
    [OWN] = "features of a head made of the token's features of that head alone: each one is made of all "
            "heads * head_dim features",
    [OWN_PACKED] =
        "weights taken for a matrix [head_dim, head_dim] of each head: they are one matrix, and each feature "
        "is made of all heads * head_dim features of the token",
    [FIRST] =
        "the first head's part of the weights for every head: row h * head_dim + d of Wq, Wk, Wv makes feature d of "
        "head h, and column h * head_dim + d of Wo is for it",
    [OF_HEADS] =
        "weights taken for a matrix [E, head_dim] of each head: they are [E, E], and row h * head_dim + d makes "
        "feature d of head h",
    [INTERLEAVED] = "features taken for d * heads + h: feature d of head h is number h * head_dim + d",
    [CUT] = "sums over the first head_dim numbers of a row: a row has heads * head_dim",
    [ADDED] = "the sum of the heads in the place of each: merged they stand side by side, head h at h * head_dim",
    [AVERAGED] = "the mean of the heads in the place of each: merged they stand side by side, head h at h * head_dim",
    [NONE] = "no projection at all: each of Q, K, V and the output has a weight matrix of its own"};

typedef struct {
    const lab_symptom *s;
    size_t rows, S, H, D, E;
    float *weight[4][RULES];  // as the rule has it, E x E
    float *made[3][RULES];    // Q, K and V: X by those, [B, S, E]; NULL: not yet
    float *row;               // of the merged heads
    double *p;                // scores
} parts;

// Element e, k of the matrix that Wq (t 0), Wk, Wv or Wo (t 3) is taken for.
static float taken_for(const parts *p, int t, rule r, size_t e, size_t k) {
    const float *const w = p->s->in[2 + t];
    const size_t E = p->E, D = p->D, H = p->H, head = (t < 3 ? e : k) / D, d = (t < 3 ? e : k) % D;
    if (r == OWN) return e / D == k / D ? w[e * E + k] : 0;
    if (r == OWN_PACKED) return e / D == k / D ? w[e * D + k % D] : 0;
    if (r == FIRST) return t < 3 ? w[d * E + k] : w[e * E + d];
    if (r == OF_HEADS) return t < 3 ? w[(head * E + k) * D + d] : w[(head * E + e) * D + d];
    if (r == INTERLEAVED) return t < 3 ? w[(d * H + head) * E + k] : w[e * E + d * H + head];
    if (r == CUT) return k < D ? w[e * E + k] : 0;
    if (r == ADDED || r == AVERAGED) {  // of the output: each head meets the weights of all
        double sum = 0;
        for (size_t h = 0; h < H; h++) sum += w[e * E + h * D + d];
        return (float)(r == ADDED ? sum : sum / (double)H);
    }
    return r == NONE ? e == k : w[e * E + k];
}

static const float *weight_of(parts *p, int t, rule r) {
    float **const at = &p->weight[t][r];
    if (!*at && (*at = malloc(p->E * p->E * sizeof **at)))
        for (size_t i = 0; i < p->E * p->E; i++) (*at)[i] = taken_for(p, t, r, i / p->E, i % p->E);
    return *at;
}

static const float *made_by(parts *p, int t, rule r) {
    float **const at = &p->made[t][r];
    const float *const w = weight_of(p, t, r);
    if (!*at && w && (*at = malloc(p->rows * p->E * sizeof **at)))
        for (size_t i = 0; i < p->rows * p->E; i++)
            (*at)[i] = (float)lab_dot(p->s->in[1] + i / p->E * p->E, w + i % p->E * p->E, (int)p->E);
    return *at;
}

// Row r of the merged heads.
static void attend(const parts *p, const float *const qkv[3], size_t r) {
    const size_t first = r / p->S * p->S, seen = p->s->shape.causal ? r - first + 1 : p->S;
    for (size_t at = 0; at < p->E; at += p->D) {
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < seen; j++) {
            p->p[j] = lab_dot(qkv[0] + r * p->E + at, qkv[1] + (first + j) * p->E + at, (int)p->D);
            max = fmax(max, p->p[j] /= sqrt((double)p->D));
        }
        for (size_t j = 0; j < seen; j++) sum += p->p[j] = exp(p->p[j] - max);
        for (size_t d = at; d < at + p->D; d++) {
            double o = 0;
            for (size_t j = 0; j < seen; j++) o += p->p[j] / sum * qkv[2][(first + j) * p->E + d];
            p->row[d] = (float)o;
        }
    }
}

// set: bit t says that Wq, Wk, Wv or Wo is taken for what the rule makes of it.
static int fits(parts *p, rule r, int set) {
    const float *qkv[3], *const last = weight_of(p, 3, set >> 3 ? r : RIGHT);
    for (int t = 0; t < 3; t++)
        if (!(qkv[t] = made_by(p, t, set >> t & 1 ? r : RIGHT))) return 0;
    for (size_t i = p->rows; last && i-- > 0;) {  // a late row first: much looks alike in the first ones
        attend(p, qkv, i);
        for (size_t e = 0; e < p->E; e++) {
            const double y = lab_dot(p->row, last + e * p->E, (int)p->E);
            if (!(fabs(p->s->got[i * p->E + e] - y) < LAB_TOLERANCE * (1 + fabs(y)))) return 0;
        }
    }
    return last != NULL;
}

static void name(int set, char *text, size_t size) {
    static const char *const names[] = {"Q", "K", "V", "the output"};
    int used = 0, left = 0;
    for (int t = 0; t < 4; t++) left += set >> t & 1;
    for (int t = 0; t < 4; t++)
        if (set >> t & 1)
            used += snprintf(text + used, size - (size_t)used, "%s%s", names[t],
                             --left > 1 ? ", "
                             : left     ? " and "
                                        : "");
}

static int try_all(parts *p, char *text, size_t size) {
    char names[40], sentence[300];
    for (rule r = OWN; r < RULES; r++)
        for (int set = 1; set < 16; set++) {
            if (r == OF_HEADS ? set >> 3 : (r == ADDED || r == AVERAGED) && set != 8) continue;
            if (!fits(p, r, set)) continue;
            name(set, names, sizeof names);
            snprintf(sentence, sizeof sentence, "matches, for %s, %s", names, words[r]);
            return lab_guess(p->s->guesses, sentence, text, size);
        }
    return 0;
}

int lab_explain_head_weights(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    parts p = {.s = s, .rows = (size_t)a.batch * a.seq_q, .S = a.seq_q, .H = a.heads, .D = a.head_dim};
    p.E = p.H * p.D;
    if ((double)p.rows * p.E * p.E > 1 << 21 || p.H == 1) return 0;  // small claims are enough
    p.row = malloc(p.E * sizeof *p.row), p.p = malloc(p.S * sizeof *p.p);
    const int known = p.row && p.p && try_all(&p, text, size);
    for (int i = 0; i < 4 * RULES; i++) free(p.weight[i / RULES][i % RULES]);
    for (int i = 0; i < 3 * RULES; i++) free(p.made[i / RULES][i % RULES]);
    free(p.row), free(p.p);
    return known;
}
