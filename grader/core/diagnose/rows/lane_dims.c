// lane_dims.c: threads share the dims of o, and one of them leaves its own for all where parts of the keys are joined: of the
// first part dim d has what is right, of the others what that thread has in its place. How the keys fall into parts is tried,
// as in part_joins.c.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, MOST_SPLITS = 32, MOST_PARTS = 64 };

// Which dim is taken for d: those of a thread stand side by side, `n` of them, or are `-n` apart.
static const int rules[] = {4, 2, 1, 8, 16, -LANES, -16, -64};

static int dim_of(int rule, int d) { return rule > 0 ? d % rule : d / -rule * -rule; }

// The dims that the rule leaves as they are, are right, and most others are not.
static int has_right_dims(const lab_wrong_rows *w, const lab_wrong_row *r, int rule) {
    int right = 0;
    for (int d = 0; d < w->shape.head_dim; d++) {
        const int is = fabs(r->got[d] - r->want[d]) < LAB_TOLERANCE * (1 + fabs(r->want[d]));
        if (dim_of(rule, d) == d && !is) return 0;
        right += is;
    }
    return 2 * right < w->shape.head_dim;
}

typedef struct {
    int splits, way, parts, block;
} shares;

// own[j]: is key j of the first part of its split?
static void owners(const lab_wrong_row *r, shares t, char *own) {
    for (int s = 0; s < t.splits; s++) {
        const int first = lab_split_begins(t.way, r->seen, s, t.splits),
                  end = lab_split_begins(t.way, r->seen, s + 1, t.splits);
        for (int j = first; j < end; j++) own[j] = !lab_part_of(t.parts, t.block, end - first, j - first);
    }
}

// weight: of each key.
static int fits(const lab_wrong_rows *w, int i, int rule, shares t, const double *weight, char *own) {
    const lab_wrong_row *r = &w->row[i];
    const int D = w->shape.head_dim;
    if (r->parts) t.splits = r->parts;
    owners(r, t, own);
    for (int d = 0; d < D; d++) {
        const int as = dim_of(rule, d);
        double o = 0;
        for (int j = 0; j < r->seen && as != d; j++) o += weight[j] * r->v[(size_t)j * D + (own[j] ? d : as)];
        if (as != d && !(fabs(o - r->got[d]) < r->near * (1 + fabs(o)))) return 0;
    }
    return 1;
}

static int any_shares(const lab_wrong_rows *w, int rule, double *const weight[], char *own) {
    const int most = w->row[0].parts ? 1 : MOST_SPLITS;
    for (int splits = 1; splits <= most; splits++)
        for (int way = 0; way < (splits > 1 || w->row[0].parts > 1 ? LAB_SPLIT_WAYS : 1); way++)
            for (int block = 1; block >= -1; block = block == 64 ? 0 : block > 0 ? 2 * block : block - 1)
                for (int n = 2; n <= MOST_PARTS; n *= 2) {
                    int all = 1;
                    for (int i = 0; i < w->n && all; i++)
                        all = fits(w, i, rule, (shares){splits, way, n, block}, weight[i], own);
                    if (all) return 1;
                }
    return 0;
}

static void say(int rule, char *text, size_t size) {
    char taken[40];
    if (rule == 1)
        snprintf(taken, sizeof taken, "dim 0");
    else if (rule > 0)
        snprintf(taken, sizeof taken, "dims 0 .. %d", rule - 1);
    else
        snprintf(taken, sizeof taken, "dims 0, %d ..", -rule);
    snprintf(text, size,
             "matches the o of one thread, its %s, taken for that of all threads where the parts of the keys are "
             "joined: each thread has other dims, leaves its own, and takes the same dims of the other parts",
             taken);
}

int lab_explain_lane_dims(const lab_wrong_rows *w, char *text, size_t size) {
    double *weight[LAB_MOST_ROWS] = {NULL};
    char *own = w->n ? malloc(w->shape.seq_kv + 1) : NULL;
    int ok = own && lab_are_enough(w), rule = 0;
    for (size_t k = 0; k < sizeof rules / sizeof *rules && ok && !rule; k++) {
        int may_be = abs(rules[k]) < w->shape.head_dim;
        for (int i = 0; i < w->n && may_be; i++) may_be = has_right_dims(w, &w->row[i], rules[k]);
        for (int i = 0; i < w->n && may_be && !weight[i]; i++) {
            weight[i] = malloc((w->row[i].keys + 1) * sizeof **weight);
            if (!(may_be = weight[i] != NULL)) break;
            const double max = lab_row_scores(&w->row[i], w->shape.head_dim, weight[i]);
            double sum = 0;
            for (int j = 0; j < w->row[i].seen; j++) sum += weight[i][j] = exp(weight[i][j] - max);
            for (int j = 0; j < w->row[i].seen; j++) weight[i][j] /= sum;
        }
        if (may_be && any_shares(w, rules[k], weight, own)) rule = rules[k];
    }
    if (rule) say(rule, text, size);
    for (int i = 0; i < w->n; i++) free(weight[i]);
    free(own);
    return rule != 0;
}
