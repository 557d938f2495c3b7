// own_scores.c: threads share the dims of a score, and what one lane, or one warp, has of it is taken for the whole. The lanes'
// softmaxes may be added up at the end, l over all lanes; keys may be shared out to warps, and to splits, which are joined.
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, WAYS = 3 };

typedef struct {
    int groups, owner;       // who has which dims: as lab_owner has it
    int l_of_all;            // l is that of all groups, and not each one's own
    int warps, splits, way;  // who has which keys
} plan;

static int group_of(const plan *k, int D, int c) {
    return k->l_of_all ? lab_owner(k->owner, k->groups, D, c) : c / LANES;
}

static void score_parts(const lab_wrong_row *r, int D, const plan *k, double *score) {
    memset(score, 0, (size_t)r->seen * k->groups * sizeof *score);
    for (int j = 0; j < r->seen; j++)
        for (int c = 0; c < D; c++)
            score[j * k->groups + group_of(k, D, c)] += r->q[c] * r->k[(size_t)j * D + c] / sqrt(D);
}

// The keys first, first + step, ... below end: to o and *sum. Group 0 has the maximum, and the weight, that others see.
static void add_keys(const lab_wrong_row *r, int D, const plan *k, const double *score, double top, int first, int end,
                     int step, double *o, double *sum) {
    double m[LAB_MOST_LANES], l[LAB_MOST_LANES] = {0}, all = 0;
    const int n = k->groups;
    if (first >= end) return;
    for (int t = 0; t < n; t++) m[t] = -INFINITY;
    for (int j = first; j < end; j += step)
        for (int t = 0; t < n; t++) m[t] = fmax(m[t], score[j * n + t]);
    const double factor = exp(m[0] - top);
    for (int j = first; j < end; j += step) {
        double p[LAB_MOST_LANES];
        for (int t = 0; t < n; t++) l[t] += p[t] = exp(score[j * n + t] - m[t]);
        for (int c = 0; c < D; c++) o[D + c] += p[group_of(k, D, c)] * r->v[(size_t)j * D + c];
    }
    for (int t = 0; t < n; t++) all += l[t];
    for (int c = 0; c < D; c++) {
        o[c] += factor * o[D + c] * (k->l_of_all ? 1 : l[0] / l[group_of(k, D, c)]);
        o[D + c] = 0;
    }
    *sum += factor * (k->l_of_all ? all : l[0]);
}

static int gives(const lab_wrong_row *r, int D, const plan *k, const double *score) {
    double o[2 * LAB_MOST_DIMS] = {0}, sum = 0, top = -INFINITY;
    for (int j = 0; j < r->seen; j++) top = fmax(top, score[j * k->groups]);
    for (int s = 0; s < k->splits; s++)
        for (int i = 0; i < k->warps; i++)
            add_keys(r, D, k, score, top, lab_split_begins(k->way, r->seen, s, k->splits) + i,
                     lab_split_begins(k->way, r->seen, s + 1, k->splits), k->warps, o, &sum);
    for (int c = 0; c < D; c++) o[c] /= sum;
    return lab_is_closer(r, o, D);
}

// However the keys are shared out.
static int is_it(const lab_wrong_rows *w, plan k, double *const score[]) {
    static const int warps[] = {1, 4, 8, 2, 16}, splits[] = {1, 4, 8, 2, 16, 32};
    const int known = w->row[0].parts;
    for (int i = 0; i < w->n; i++) score_parts(&w->row[i], w->shape.head_dim, &k, score[i]);
    for (int n = 0; n < (known ? 1 : 6); n++)
        for (k.way = 0; k.way < (known > 1 || n ? WAYS : 1); k.way++)
            for (int i = 0; i < (k.l_of_all ? 5 : 1); i++) {
                int all = 1;
                k.splits = known ? known : splits[n], k.warps = warps[i];
                for (int row = 0; row < w->n && all; row++)
                    all = gives(&w->row[row], w->shape.head_dim, &k, score[row]);
                if (all) return 1;
            }
    return 0;
}

// Two warps have the halves of the dims, four what threads that shuffle over 4 have: other dims tell them apart.
static void guess_alike(const lab_wrong_rows *w) {
    char aside[320] = "", text[320] = "";
    lab_guess_own_dims(w);
    if (lab_explain_shuffled_dims(w, aside, sizeof aside)) lab_guess(w->guesses, aside, text, sizeof text);
}

int lab_explain_own_scores(const lab_wrong_rows *w, char *text, size_t size) {
    const int D = w->shape.head_dim;
    double *score[LAB_MOST_ROWS] = {NULL};
    int ok = lab_are_enough(w) && D <= LAB_MOST_DIMS, by_warps = 0, by_lanes = 0;
    for (int i = 0; i < w->n && ok; i++) {
        ok = w->row[i].seen <= 4 * LAB_MOST_KEYS;
        score[i] = ok ? malloc((size_t)w->row[i].seen * LANES * sizeof *score[i]) : NULL;
        ok &= score[i] != NULL;
    }
    if (ok && D > LANES) by_warps = is_it(w, (plan){.groups = (D + LANES - 1) / LANES}, score);
    for (int lanes = LANES; ok && !by_warps && lanes >= 4; lanes /= 2)
        for (int owner = 0; owner < 3 && !by_lanes; owner++)
            by_lanes = is_it(w, (plan){.groups = lanes, .owner = owner, .l_of_all = 1}, score);
    if (by_warps) guess_alike(w);
    if (by_warps)
        snprintf(
            text, size,
            "matches scores over the 32 dims of one warp: each warp takes the sum over its own dims for the whole. "
            "No shuffle reaches another warp: each leaves its sum in shared memory, and behind a barrier all "
            "threads add up those of all warps");
    else if (by_lanes)
        snprintf(
            text, size,
            "matches a softmax of each lane over its own part of q . k, whose l are added up over the lanes at the "
            "end: add up q . k over the lanes, key by key, before its exponential. m and l are then the same in "
            "all of them, and not to be added");
    for (int i = 0; i < w->n; i++) free(score[i]);
    return by_warps || by_lanes;
}
