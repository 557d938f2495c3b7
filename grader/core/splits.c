// splits.c: are the keys shared out among splits? Which keys a split has is the student's choice. So the parts must join
// to the softmax over all keys, and one more call counts the keys of each part. In its inputs each key is in a group. The
// groups have directions u_g of V, and one more, u, is everybody's. A key with the score s has
//     V . u_g = exp(-s) for its own group g, 0 for the others,   V . u = 1
// so that, whatever keys a split has, exp(L_s) O_s . u_g is how many of them are in group g, and O_s . u is 1. Numbers that
// come from elsewhere are not whole, or do not add up to the keys that there are. Directions and groups are drawn from a
// secret key: V looks like any other.
#include "splits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "inputs.h"
#include "ops.h"
#include "shares.h"

enum {
    GROUPS = 4,
    MOST_DIMS = 128,
    LONGEST = 360,  // of what is said of a part
    MOST_SPLITS = 64,
    LARGEST_TILE = 128  // a split may take whole tiles of so many keys, so that some splits get none
};

static double dot(const double *u, const float *x, size_t D) {
    double sum = 0;
    for (size_t d = 0; d < D; d++) sum += u[d] * x[d];
    return sum;
}

typedef struct {
    double u[GROUPS + 1][MOST_DIMS];  // orthonormal; the last one is everybody's
} directions;

static directions directions_of(uint64_t key, size_t D) {
    directions all;
    float x[MOST_DIMS];
    for (uint64_t i = 0; i <= GROUPS; i++) {
        double *const u = all.u[i];
        double norm = 0;
        lab_fill(x, D, D, LAB_NORMAL, lab_bits(key, i));
        for (size_t d = 0; d < D; d++) u[d] = x[d];
        for (uint64_t k = 0; k < i; k++) {
            const double along = dot(all.u[k], x, D);
            for (size_t d = 0; d < D; d++) u[d] -= along * all.u[k][d];
        }
        for (size_t d = 0; d < D; d++) norm += u[d] * u[d];
        for (size_t d = 0; d < D; d++) u[d] /= sqrt(norm);
    }
    return all;
}

// slot: among all of the cache.
static uint64_t drawn(uint64_t key, size_t slot) { return lab_bits(key, GROUPS + 1 + slot); }
static size_t group_of(uint64_t key, size_t slot) { return drawn(key, slot) % GROUPS; }
static double score_of(uint64_t key, size_t slot) { return (double)(drawn(key, slot) >> 32) / 0x80000000u - 1; }

// Lengths and queries stay. Of K and V changes what is along q and along the directions.
void lab_group_keys(attn_shape s, uint64_t key, float *const in[LAB_MAX_TENSORS]) {
    const size_t D = s.head_dim;
    const directions all = directions_of(key, D);
    for (size_t slot = 0; slot < (size_t)s.batch * s.heads * s.seq_kv; slot++) {
        const size_t head = slot / s.seq_kv;
        float *const k = in[2] + slot * D, *const v = in[3] + slot * D;
        double q[MOST_DIMS], norm = 0;
        if (slot % s.seq_kv >= (size_t)lab_int_at(in[4], head / s.heads)) continue;
        for (size_t d = 0; d < D; d++) q[d] = in[1][head * D + d], norm += q[d] * q[d];
        const double score = score_of(key, slot), add = (score * sqrt((double)D) - dot(q, k, D)) / norm;
        for (size_t d = 0; d < D; d++) k[d] = (float)(k[d] + add * q[d]);
        double x[MOST_DIMS];
        for (size_t d = 0; d < D; d++) x[d] = v[d];
        for (size_t i = 0; i <= GROUPS; i++) {
            const double want = i == GROUPS ? 1 : i == group_of(key, slot) ? exp(-score) : 0;
            const double more = want - dot(all.u[i], v, D);
            for (size_t d = 0; d < D; d++) x[d] += more * all.u[i][d];
        }
        for (size_t d = 0; d < D; d++) v[d] = (float)x[d];
    }
}

typedef struct {  // what one query has left
    size_t length, max_seq, n, D;
    const float *O, *L;  // [n, D], [n]
} query_parts;

// No split has more keys.
static size_t most_keys(const query_parts *p) { return (p->length + p->n - 1) / p->n + LARGEST_TILE - 1; }

#define SHARES ": are the keys shared out? No split gets more than length / n_splits keys, rounded up"
#define OF_SLOTS "max_seq / n_splits. The keys are shared out, not the slots: length / n_splits for each, rounded up"

static size_t share_of_slots(const query_parts *p) { return (p->max_seq + p->n - 1) / p->n; }

static int not_shared_out(const query_parts *p, double keys, const char *why, char *text, size_t size) {
    const int slots = keys < (double)p->length && keys == (double)share_of_slots(p);
    return snprintf(text, size, "a split of %zu has %.0f of %zu keys%s%s", p->n, keys, p->length,
                    slots ? ", which is " OF_SLOTS : SHARES, slots ? "" : why) > 0;
}

// Of any inputs: have the parts with keys room for all?
static int few_have_keys(const query_parts *p, char *text, size_t size) {
    size_t with_keys = 0;
    for (size_t i = 0; i < p->n; i++) with_keys += p->L[i] != -INFINITY;
    if (!with_keys || with_keys * most_keys(p) >= p->length) return 0;
    const int slots = with_keys > 1 && with_keys == (p->length + share_of_slots(p) - 1) / share_of_slots(p);
    return snprintf(text, size, "all %zu keys are in %zu of %zu splits%s", p->length, with_keys, p->n,
                    slots ? ", as where each split has " OF_SLOTS : SHARES) > 0;
}

// After lab_group_keys: how many keys split i has, which are taken from `left`, those of each group. -1: it is no softmax.
static double keys_of(const query_parts *p, const directions *all, size_t i, double left[GROUPS]) {
    const float *const O = p->O + i * p->D;
    double keys = 0;
    if (p->L[i] == -INFINITY) return 0;
    int wrong = !(fabs(dot(all->u[GROUPS], O, p->D) - 1) < 0.01);
    for (size_t g = 0; g < GROUPS; g++) {
        const double number = exp(p->L[i]) * dot(all->u[g], O, p->D), whole = round(number);
        wrong |= !(fabs(number - whole) < 0.1) || whole < 0;
        keys += whole, left[g] -= whole;
    }
    return wrong || keys == 0 ? -1 : keys;
}

// By which formula the splits have as many keys as they have, one after the other.
static void explain_numbers(const query_parts *p, const directions *all, char *text, size_t size) {
    float first[MOST_SPLITS + 1] = {1};
    double left[GROUPS] = {0};
    *text = 0;
    for (size_t i = 0; i < p->n; i++) {
        const double keys = p->n > MOST_SPLITS ? -1 : keys_of(p, all, i, left);
        if (keys < 0) return;
        first[i + 1] = first[i] + (float)keys;
    }
    if (first[p->n] == (float)p->length + 1) lab_explain_shares((int)p->length, (int)p->n, first, text, size);
}

// first: the query's first slot.
static int keys_wrong(const query_parts *p, uint64_t key, size_t first, char *text, size_t size) {
    const directions all = directions_of(key, p->D);
    double left[GROUPS] = {0};  // keys of each group that no split has had
    for (size_t j = 0; j < p->length; j++) left[group_of(key, first + j)]++;
    for (size_t i = 0; i < p->n; i++) {
        const double keys = keys_of(p, &all, i, left);
        if (keys < 0)
            return snprintf(text, size, "the part of split %zu of %zu is no softmax over keys of its own", i, p->n) > 0;
        if (keys <= most_keys(p)) continue;
        char why[320];
        explain_numbers(p, &all, why, sizeof why);
        return not_shared_out(p, keys, why, text, size);
    }
    for (size_t g = 0; g < GROUPS; g++)
        if (left[g] != 0) return snprintf(text, size, "some key is in no split, or in two") > 0;
    return 0;
}

// log sum exp of the scores of the keys of head `head`, which are `length`.
static double log_sum_exp(attn_shape s, const float *const in[LAB_MAX_TENSORS], size_t head, size_t length) {
    const size_t d = s.head_dim;
    const float *const q = in[1] + head * d, *const k = in[2] + head * s.seq_kv * d;
    double top = -INFINITY, sum = 0;
    for (size_t j = 0; j < length; j++) {
        double score = 0;
        for (size_t e = 0; e < d; e++) score += (double)q[e] * k[j * d + e];
        score /= sqrt((double)d);
        sum = score > top ? sum * exp(top - score) + 1 : sum + exp(score - top);
        top = fmax(top, score);
    }
    return top + log(sum);
}

static int differ(double x, double y) { return !(fabs(x - y) <= 2 * LAB_TOLERANCE * (1 + fabs(y))); }

// log(n) too much, for a whole number n above 1: each key is in the sums n times. 0: it is not so.
static int times_counted(double got, double whole) {
    const double times = exp(got - whole), n = round(times);
    return n > 1 && n <= 1024 && fabs(times - n) < 0.002 * n ? (int)n : 0;
}

enum { L_WRONG = 1, O_WRONG, PARTS_WRONG };

// By less, O is off where a key counts twice, which a large L_s does not show; an O_s that is not divided shows as more.
static const double A_KEY = 0.05;

// What differs by so much of a large L is as right as float32 has it; a sum that is off shows as more.
static int is_as_right(double got, double whole) { return fabs(got - whole) <= 0.01 + 1e-5 * fabs(whole); }

// The parts must join to `want`, D numbers, and `whole`, the log-sum-exp of all keys.
static int join_wrong(const query_parts *p, const double *want, double whole, char *text, size_t size) {
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) sum += p->L[i] == -INFINITY ? 0 : exp(p->L[i] - whole);
    if (differ(whole + log(sum), whole)) {
        const int times = times_counted(whole + log(sum), whole);
        snprintf(text, size, "log sum_s exp(L_s) = %.4g, not %.4g", whole + log(sum), whole);
        const size_t used = strlen(text);
        if (times && used < size)
            snprintf(text + used, size - used,
                     ", log(%d) more, as where each key is counted %d times, by warps or threads that all walk over "
                     "the same keys",
                     times, times);
        return L_WRONG;
    }
    double furthest = 0;
    for (size_t d = 0; d < p->D; d++) {
        double o = 0;
        for (size_t i = 0; i < p->n; i++) o += p->L[i] == -INFINITY ? 0 : exp(p->L[i] - whole) * p->O[i * p->D + d];
        if (!differ(o, want[d])) continue;
        if (furthest == 0) snprintf(text, size, "sum_s exp(L_s - L) O_s = %.4g in dim %zu, not %.4g", o, d, want[d]);
        furthest = fmax(furthest, isfinite(o) ? fabs(o - want[d]) / (1 + fabs(want[d])) : INFINITY);
    }
    if (furthest == 0) return 0;
    return furthest > A_KEY && is_as_right(whole + log(sum), whole) ? O_WRONG : PARTS_WRONG;
}

// Where task5.h lays them: O_s, then L_s.
static query_parts parts_of(attn_shape s, size_t n, const float *const in[LAB_MAX_TENSORS], const float *work,
                            size_t head) {
    const size_t D = s.head_dim, heads = (size_t)s.batch * s.heads;
    return (query_parts){.length = lab_int_at(in[4], head / s.heads),
                         .max_seq = s.seq_kv,
                         .n = n,
                         .D = D,
                         .O = work + head * n * D,
                         .L = work + heads * n * D + head * n};
}

// Which of the parts is wrong. text: of which head, and what they make.
static int parts_wrong(attn_shape s, size_t n, const float *const in[LAB_MAX_TENSORS], const float *work, char *text,
                       size_t size) {
    const size_t heads = (size_t)s.batch * s.heads;
    const int extra[2] = {(int)n};
    double *const want = malloc(heads * s.head_dim * sizeof *want);
    char what[LONGEST];
    int wrong = 0;
    if (!want || !lab_decode_split.oracle(s, extra, in, 0, want)) return free(want), 0;
    for (size_t head = 0; head < heads && !wrong; head++) {
        const query_parts p = parts_of(s, n, in, work, head);
        if (!p.length) continue;
        wrong = join_wrong(&p, want + head * s.head_dim, log_sum_exp(s, in, head, p.length), what, sizeof what);
        if (wrong) snprintf(text, size, "sequence %zu, head %zu: %s", head / s.heads, head % s.heads, what);
    }
    free(want);
    return wrong;
}

// The parts are right: which mistake of what joins them gives O?
static int explain_join(const lab_symptom *s, size_t n, char *text, size_t size) {
    const attn_shape a = s->shape;
    const size_t heads = (size_t)a.batch * a.heads;
    lab_symptom of_parts = *s;
    const float *const in[LAB_MAX_TENSORS] = {NULL, s->work, s->work + heads * n * a.head_dim};
    of_parts.op = &lab_combine, of_parts.in = in, of_parts.work = NULL;
    of_parts.shape = (attn_shape){a.batch, a.heads, 1, 1, a.head_dim, 0};
    return s->cmp.not_finite == 0 && lab_combine.diagnose(&of_parts, text, size);
}

int lab_explain_splits(const lab_symptom *s, char *text, size_t size) {
    const size_t n = s->op == &lab_decode_split ? s->extra[0] : 0;
    char what[LONGEST + 64];
    if (n < 2 || !s->work) return 0;
    const int wrong = parts_wrong(s->shape, n, s->in, s->work, what, sizeof what);
    static const char *const said[] = {
        "the parts in workspace are right: what joins them is wrong",
        [L_WRONG] =
            "the L_s in workspace do not make L = log sum_s exp(L_s): is each L_s = m + log(l) of its split's own "
            "keys, and at its place?",
        [O_WRONG] =
            "the L_s in workspace are right, and the O_s do not make O: is each O_s divided by its own l, and at "
            "its place?",
        [PARTS_WRONG] = LAB_PARTS_WRONG};
    return (!wrong && explain_join(s, n, text, size)) | lab_guess(s->guesses, said[wrong], text, size);
}

int lab_splits_left(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], const float *work,
                    uint64_t changed, char *text, size_t size) {
    const size_t n = extra[0];
    char what[LONGEST + 64];
    if (n < 2) return 0;
    const lab_symptom of_parts = {.op = &lab_decode_split, .shape = s, .in = in, .extra = {(int)n}, .work = work};
    if (lab_leaves_splits_first(&of_parts)) return snprintf(text, size, "%s", LAB_L_SPLITS_FIRST) > 0;
    if (lab_leaves_base_2(&of_parts)) return snprintf(text, size, "%s", LAB_SPLITS_IN_BASE_2) > 0;
    for (size_t head = 0; head < (size_t)s.batch * s.heads; head++) {
        const query_parts p = parts_of(s, n, in, work, head);
        if (!p.length || !(changed ? keys_wrong(&p, changed, head * s.seq_kv, what, sizeof what)
                                   : few_have_keys(&p, what, sizeof what)))
            continue;
        return changed && lab_explain_split_keys(&of_parts, text, size)
                   ? 1
                   : snprintf(text, size, "O is right, but of sequence %zu, head %zu, %s", head / s.heads,
                              head % s.heads, what) > 0;
    }
    if (changed || !parts_wrong(s, n, in, work, what, sizeof what)) return 0;
    return snprintf(text, size,
                    "O is right, but the parts in workspace do not make it: %s. workspace holds O_s, [batch, heads, "
                    "n_splits, head_dim], then L_s, [batch, heads, n_splits]",
                    what) > 0;
}
