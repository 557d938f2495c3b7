// dims.c: scores whose sum over the dims does not reach all threads that share them, or lacks some of the dims.
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Threads that share the dims of a score, in one warp or in several that share the keys

typedef struct {
    int lanes, owner, warps;
    lab_way of_score;
    int keeper;  // the thread whose m and l count where warps are joined
} dims_plan;

static int dims_match(const lab_wrong_rows *w, const lab_wrong_row *r, const dims_plan *k) {
    const int D = w->shape.head_dim, n = k->lanes;
    static _Thread_local double score[LAB_MOST_KEYS][LAB_MOST_LANES];
    double part[LAB_MOST_LANES], top = -INFINITY, sum = 0, m[LAB_MOST_LANES][LAB_MOST_LANES], *o = w->scratch;
    const double root = 1 / sqrt(D);
    int owner[LAB_MOST_DIMS];
    for (int c = 0; c < D; c++) owner[c] = lab_owner(k->owner, n, D, c);
    for (int i = 0; i < k->warps; i++)
        for (int t = 0; t < n; t++) m[i][t] = -INFINITY;
    for (int j = 0; j < r->seen; j++) {
        memset(part, 0, sizeof part);
        for (int c = 0; c < D; c++) part[owner[c]] += root * r->q[c] * r->k[(size_t)j * D + c];
        lab_reduce(k->of_score, n, 0, part, score[j]);
        for (int t = 0; t < n; t++) m[j % k->warps][t] = fmax(m[j % k->warps][t], score[j][t]);
    }
    for (int i = 0; i < k->warps; i++) top = fmax(top, m[i][k->keeper]);
    for (int j = 0; j < r->seen; j++) sum += exp(score[j][k->keeper] - top);
    memset(o, 0, D * sizeof *o);
    for (int c = 0; c < D; c++) {
        const int t = owner[c];
        double own = 0;
        for (int j = 0; j < r->seen; j++) {
            const int i = j % k->warps;
            const double p = k->warps == 1 ? exp(score[j][t] - m[0][t])
                                           : exp(score[j][t] - m[i][t]) * lab_exp_or_0(m[i][k->keeper], top);
            own += p, o[c] += p * r->v[(size_t)j * D + c];
        }
        o[c] /= k->warps == 1 ? own : sum;
        if (!lab_is_near(o[c], r->got[c])) return 0;
    }
    return lab_is_closer(r, o, D);
}

#define OWN_DIMS "scores whose sum over the dims does not reach every thread:"

// Two threads that share the dims are like the halves of more, or like those of even and of odd number.
static void say_own_dims(const dims_plan *k, char *text, size_t size) {
    if (k->lanes == 2)
        snprintf(text, size,
                 "matches " OWN_DIMS
                 " each of 2 threads, or %s, keep their own part: add them (__shfl_xor_sync, distance %s)",
                 k->owner == 2 ? "the two halves of more" : "those of even and of odd number",
                 k->owner == 2 ? "1, or half of the threads" : "1");
    else
        lab_say_way(OWN_DIMS, k->of_score, k->lanes, text, size);
}

// All that fits: dims of other numbers tell some of them apart.
static int explain_own_dims(const lab_wrong_rows *w, char *text, size_t size) {
    static const int all_lanes[] = {2, 32, 16, 8, 4};
    for (int n = 0; n < 5; n++)
        for (int lanes = all_lanes[n], i = 0; i < (lanes < 8 ? 3 : 30); i++)
            for (lab_way x = LAB_OWN; x < (lanes == 2 ? LAB_TO_LANE_0 : LAB_N_WAYS); x++) {
                const dims_plan k = {lanes, i % 3, (int[]){1, 4, 8, 2, 16}[i / 3 % 5], x, i < 15 ? 0 : lanes - 1};
                int all = k.warps > 1 || k.keeper == 0;
                for (int r = 0; r < w->n && all; r++) all = dims_match(w, &w->row[r], &k);
                if (!all) continue;
                char sentence[240];
                say_own_dims(&k, sentence, sizeof sentence);
                lab_guess(w->guesses, sentence, text, size);
            }
    return *text != 0;
}

// ---- Scores over the dims of some threads alone, the same in all of them

static int some_dims_match(const lab_wrong_rows *w, const lab_wrong_row *r, int kind, int lanes, int step) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv;
    const double root = 1 / sqrt(D);
    for (int j = 0; j < r->seen; j++) {
        p[j] = 0;
        for (int c = 0; c < D; c++) {
            const int t = lab_owner(kind, 32, D, c);
            if (t < lanes && t % step == 0) p[j] += root * r->q[c] * r->k[(size_t)j * D + c];
        }
    }
    lab_row_by_scores(r, D, p, o);
    return lab_is_closer(r, o, D);
}

static int explain_some_dims(const lab_wrong_rows *w, char *text, size_t size) {
    for (int kind = 0; kind < 3; kind++)
        for (int lanes = 32; lanes >= 1; lanes /= 2)
            for (int step = lanes < 32 ? 1 : 2; step <= (lanes < 32 ? 1 : 16); step *= 2) {
                int all = 1;
                for (int i = 0; i < w->n && all; i++) all = some_dims_match(w, &w->row[i], kind, lanes, step);
                if (!all) continue;
                const int four = kind == 1 ? 4 : (w->shape.head_dim + 31) / 32;
                char which[64];
                if (step > 1)
                    snprintf(which, sizeof which, "those of every %d. thread of 32", step);
                else if (kind == 0)
                    snprintf(which, sizeof which, "d %% 32 < %d", lanes);
                else
                    snprintf(which, sizeof which, "0 .. %d", lanes * four - 1);
                snprintf(text, size,
                         "matches scores over some of the dims alone (%s): does the loop visit all dims of a thread, "
                         "and do the shuffles (16, 8, 4, 2, 1) reach all threads?",
                         which);
                return 1;
            }
    return 0;
}

// ---- Dims in chunks, of which each sets the scores anew

static int last_dims_match(const lab_wrong_rows *w, const lab_wrong_row *r, int from) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv;
    for (int j = 0; j < r->seen; j++) {
        p[j] = 0;
        for (int c = from; c < D; c++) p[j] += r->q[c] * r->k[(size_t)j * D + c] / sqrt(D);
    }
    lab_row_by_scores(r, D, p, o);
    return lab_is_closer(r, o, D);
}

static int explain_last_dims(const lab_wrong_rows *w, char *text, size_t size) {
    static const int chunks[] = {32, 16, 8, 4, 64, 48, 24, 12, 2};
    const int D = w->shape.head_dim;
    for (size_t i = 0; w->n > 1 && i < sizeof chunks / sizeof *chunks; i++) {
        const int from = (D - 1) / chunks[i] * chunks[i];
        int all = from > 0;
        for (int k = 0; k < w->n && all; k++) all = last_dims_match(w, &w->row[k], from);
        if (!all) continue;
        snprintf(text, size,
                 "matches scores over the last chunk of the dims alone (from %d on): a score is the sum over all "
                 "chunks, so set it to 0 before the first, and add each with +=",
                 from);
        return 1;
    }
    return 0;
}

int lab_explain_dims(const lab_wrong_rows *w, char *text, size_t size) {
    return explain_last_dims(w, text, size) ||
           (lab_has_few_keys(w) && (explain_some_dims(w, text, size) || explain_own_dims(w, text, size)));
}

void lab_guess_own_dims(const lab_wrong_rows *w) {
    char aside[240] = "";
    if (lab_has_few_keys(w)) explain_own_dims(w, aside, sizeof aside);
}
