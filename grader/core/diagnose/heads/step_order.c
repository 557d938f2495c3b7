// step_order.c: multi-head attention whose steps come in another order: X split before it is projected, O projected before
// it is merged, a step that is missing or is the other way round; each of Q, K, V and O in a way of its own. And heads and
// tokens that are exchanged, so that the heads of one token attend to each other.
#include "wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How Q, K or V came about; the same ways lead from O to Y, with the merge in place of the split.
typedef enum { RIGHT, EARLY, NEVER, TURNED, WAYS } way;

static const char *const of_inputs[WAYS] = {NULL, "split before projected", "not split", "merged in place of split"};
static const char *const of_output[WAYS] = {NULL, "projected before it is merged", "not merged",
                                            "split in place of merged"};
static const char *const name[] = {"Q", "K", "V"};

typedef struct {
    way of[3], last;
    int of_tokens;  // 1: rows of H attend to each other, in place of S
} order;

typedef struct {
    const lab_symptom *s;
    size_t n, S, H, D, E;
    double *made[3][WAYS];  // Q, K and V, each way
    double *o, *row, *p;    // what attention gives, all of it; a row of E; a row of scores
    double *memory;
} parts;

static double projected(const parts *p, const double *x, int w, size_t e) {
    double sum = 0;
    for (size_t k = 0; k < p->E; k++) sum += x[k] * p->s->in[2 + w][e * p->E + k];
    return sum;
}

static int make_all(parts *p) {
    double *next = p->memory = malloc((14 * p->n + p->E + p->S + p->H) * sizeof *next);
    if (!next) return 0;
    for (int t = 0; t < 3; t++)
        for (way w = RIGHT; w < WAYS; w++, next += p->n) p->made[t][w] = next;
    double *const split = next;
    p->o = split + p->n, p->row = p->o + p->n, p->p = p->row + p->E;
    for (size_t i = 0; i < p->n; i++) split[i] = p->s->in[1][lab_packed_index(i, p->s->shape)];
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < p->n; i++) {
            const size_t row = i / p->E * p->E;
            for (size_t k = 0; k < p->E; k++) p->row[k] = p->s->in[1][row + k];
            p->made[t][NEVER][i] = projected(p, p->row, t, i % p->E);
            p->made[t][EARLY][i] = projected(p, split + row, t, i % p->E);
        }
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < p->n; i++) {
            p->made[t][RIGHT][i] = p->made[t][NEVER][lab_packed_index(i, p->s->shape)];
            p->made[t][TURNED][i] = p->made[t][NEVER][lab_unpacked_index(i, p->s->shape)];
        }
    return 1;
}

static void attend(const parts *p, const order *w) {
    const size_t D = p->D, rows = w->of_tokens ? p->H : p->S;  // rows that attend to each other
    for (size_t r = 0; r < p->n / D; r++) {
        const size_t first = r / rows * rows, seen = p->s->shape.causal ? r % rows + 1 : rows;
        const double *q = p->made[0][w->of[0]] + r * D, *k = p->made[1][w->of[1]] + first * D,
                     *v = p->made[2][w->of[2]] + first * D;
        double max = -INFINITY, sum = 0, *const o = p->o + r * D;
        for (size_t j = 0; j < seen; j++) {
            p->p[j] = 0;
            for (size_t d = 0; d < D; d++) p->p[j] += q[d] * k[j * D + d];
            max = fmax(max, p->p[j] /= sqrt((double)D));
        }
        memset(o, 0, D * sizeof *o);
        for (size_t j = 0; j < seen; j++) sum += p->p[j] = exp(p->p[j] - max);
        for (size_t j = 0; j < seen; j++)
            for (size_t d = 0; d < D; d++) o[d] += p->p[j] / sum * v[j * D + d];
    }
}

// Element i of what the last projection takes, or, where it is projected early, of what it takes there.
static double taken(const parts *p, way last, size_t i) {
    const attn_shape s = p->s->shape;
    if (last == EARLY || last == NEVER) return p->o[i];
    if (last == TURNED) return p->o[lab_packed_index(i, s)];
    return p->o[lab_unpacked_index(i, s)];
}

static int gives(const parts *p, way last) {
    size_t made = p->n;  // the row that p->row holds
    for (size_t i = 0; i < p->n; i++) {
        const size_t from = last == EARLY ? lab_unpacked_index(i, p->s->shape) : i, row = from / p->E * p->E;
        for (size_t k = 0; k < p->E && made != row; k++) p->row[k] = taken(p, last, row + k);
        made = row;
        const double sum = projected(p, p->row, 3, from % p->E);
        if (!(fabs(p->s->got[i] - sum) < LAB_TOLERANCE * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

static void say_order(const order *w, char *text, size_t size) {
    int used = snprintf(text, size, "matches "), said = 0, input = 0;
    for (way a = EARLY; a < WAYS; a++) {
        const int n = (w->of[0] == a) + (w->of[1] == a) + (w->of[2] == a);
        if (!n) continue;
        used += snprintf(text + used, size - used, "%s", said++ ? ", " : "");
        for (int t = 0, k = 0; t < 3; t++)
            if (w->of[t] == a)
                used += snprintf(text + used, size - used, "%s%s",
                                 k == 0       ? ""
                                 : k == n - 1 ? " and "
                                              : ", ",
                                 name[t]),
                    k++;
        used += snprintf(text + used, size - used, " %s", of_inputs[a]);
        input = 1;
    }
    if (w->last) used += snprintf(text + used, size - used, "%sO %s", said ? ", and " : "", of_output[w->last]);
    snprintf(text + used, size - used, ": %s%s%s", input ? "project X, then split" : "", input && w->last ? "; " : "",
             w->last ? "merge O, then project" : "");
}

static int differ(const order *w) { return !!w->of[0] + !!w->of[1] + !!w->of[2] + !!w->last; }

// The fewest ways that are not right.
static int try_orders(const parts *p, char *text, size_t size) {
    order best = {{RIGHT, RIGHT, RIGHT}, RIGHT, 0};
    for (int code = 0; code < WAYS * WAYS * WAYS; code++) {
        order w = {{code % WAYS, code / WAYS % WAYS, code / WAYS / WAYS}, RIGHT, 0};
        attend(p, &w);
        for (w.last = RIGHT; w.last < WAYS; w.last++)
            if (differ(&w) && (!differ(&best) || differ(&w) < differ(&best)) && gives(p, w.last)) best = w;
    }
    if (!differ(&best)) return 0;
    char sentence[240];
    say_order(&best, sentence, sizeof sentence);
    return lab_guess(p->s->guesses, sentence, text, size);
}

// Where there is one head both are the same, and both are kept.
static int try_heads_of_tokens(const parts *p, char *text, size_t size) {
    static const char *const sentence[] = {"matches heads of one token that attend to each other, as projections, [B, "
                                           "S, H, D], are handed over with heads "
                                           "and seq exchanged: split, let the tokens of a head attend, merge",
                                           "matches attn_sdpa with heads and seq exchanged: Q, K and V are [B, H, S, "
                                           "D], and the tokens of a head attend to "
                                           "each other"};
    int known = 0;
    for (int split = 0; split < 2; split++) {
        const way of = split ? RIGHT : NEVER;
        const order w = {{of, of, of}, of, 1};
        int fits = 0;
        attend(p, &w);
        for (way last = RIGHT; last < WAYS && !fits; last++) fits = gives(p, last);
        if (fits) known = lab_guess(p->s->guesses, sentence[split], text, size);
    }
    return known;
}

static int with_parts(const lab_symptom *s, int (*try)(const parts *p, char *text, size_t size), char *text,
                      size_t size) {
    const attn_shape a = s->shape;
    parts p = {.s = s, .S = a.seq_q, .H = a.heads, .D = a.head_dim};
    p.E = p.H * p.D, p.n = (size_t)a.batch * p.S * p.E;
    if ((double)p.n * p.E > 1 << 21) return 0;  // small claims are enough
    const int known = make_all(&p) && try(&p, text, size);
    free(p.memory);
    return known;
}

int lab_explain_step_order(const lab_symptom *s, char *text, size_t size) {
    return s->shape.heads > 1 && with_parts(s, try_orders, text, size);
}

int lab_explain_heads_of_tokens(const lab_symptom *s, char *text, size_t size) {
    return s->shape.heads != s->shape.seq_q && with_parts(s, try_heads_of_tokens, text, size);
}
