// split_keys.c: task 5's splits: which keys each of them has, told by its L_s and O_s. Where some key is in two splits or in
// none, the parts are right and their keys are not.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "shares.h"
#include "splits.h"

enum { MOST_SPLITS = 64, MOST_HEADS = 16 };
static const double CLOSE = 1e-4;  // as a part of the split's sum

typedef struct {
    const lab_symptom *s;
    size_t head, length, n, D;
    double *score;
    int first[MOST_SPLITS], end[MOST_SPLITS];  // of each split with keys; end 0: none
} query;

static void score_keys(query *a) {
    const float *const q = a->s->in[1] + a->head * a->D;
    const float *k = a->s->in[2] + a->head * a->s->shape.seq_kv * a->D;
    for (size_t j = 0; j < a->length; j++, k += a->D) {
        double sum = 0;
        for (size_t d = 0; d < a->D; d++) sum += (double)q[d] * k[d];
        a->score[j] = sum / sqrt((double)a->D);
    }
}

static int has_values_of(const query *a, const float *o, double L, size_t first, size_t end) {
    const float *v = a->s->in[3] + a->head * a->s->shape.seq_kv * a->D;
    for (size_t d = 0; d < a->D; d++) {
        double sum = 0;
        for (size_t j = first; j < end; j++) sum += exp(a->score[j] - L) * v[j * a->D + d];
        if (!(fabs(o[d] - sum) <= LAB_TOLERANCE * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

// The keys first .. end - 1, one after the other, of which this is the part. Returns 0 if there are none, or if one more
// or less would do.
static int find(query *a, size_t split) {
    const size_t heads = (size_t)a->s->shape.batch * a->s->shape.heads, part = a->head * a->n + split;
    const float *const o = a->s->work + part * a->D, L = a->s->work[heads * a->n * a->D + part];
    a->first[split] = a->end[split] = 0;
    if (L == -INFINITY) return 1;
    for (size_t first = 0; first < a->length; first++) {
        double l = 0;
        size_t end = first;
        while (end < a->length && l < 1 - CLOSE) l += exp(a->score[end++] - L);
        if (!(fabs(l - 1) <= CLOSE) || !has_values_of(a, o, L, first, end)) continue;
        const double more = end < a->length ? exp(a->score[end] - L) : 1, less = exp(a->score[first] - L);
        if (more < 4 * CLOSE || less < 4 * CLOSE) return 0;
        a->first[split] = (int)first, a->end[split] = (int)end;
        return 1;
    }
    return 0;
}

static int find_all(query *a) {
    score_keys(a);
    for (size_t i = 0; i < a->n; i++)
        if (!find(a, i)) return 0;
    return 1;
}

// Every split begins where it would if none had a key more than length / n; or if all before it had as many keys as itself.
static int begin_too_early(const query *a, int as_itself) {
    const int base = (int)(a->length / a->n), extra = (int)(a->length % a->n);
    for (int i = 0; i < (int)a->n; i++)
        if (a->end[i] - a->first[i] != base + (i < extra) ||
            (a->end[i] && a->first[i] != i * (base + (as_itself && i < extra))))
            return 0;
    return extra > 1;
}

// ---- Shares that are rounded up, and not cut off where the keys end

// The split's part is that of these keys.
static int is_of(const query *a, size_t split, int first, int end) {
    const size_t heads = (size_t)a->s->shape.batch * a->s->shape.heads, part = a->head * a->n + split;
    const float *const o = a->s->work + part * a->D, L = a->s->work[heads * a->n * a->D + part];
    double l = 0;
    if (first >= end || L == -INFINITY) return first >= end && L == -INFINITY;
    for (int j = first; j < end; j++) l += exp(a->score[j] - L);
    return fabs(l - 1) < 10 * CLOSE && has_values_of(a, o, L, (size_t)first, (size_t)end);
}

// The free slots behind the last key hold NaN: a split that has read one may say that it has no keys. Behind the last slot
// begins another head.
static int is_lost(const query *a, size_t split, int last) {
    const size_t heads = (size_t)a->s->shape.batch * a->s->shape.heads;
    const float L = a->s->work[heads * a->n * a->D + a->head * a->n + split];
    return last > a->s->shape.seq_kv || !lab_is_finite(L);
}

// All splits are right but those that go beyond the last key. *some: is there one?
static int goes_beyond(query *a, int *some) {
    const int length = (int)a->length, share = (length + (int)a->n - 1) / (int)a->n;
    score_keys(a);
    for (int i = 0; i < (int)a->n; i++) {
        const int first = share * i < length ? share * i : length, last = first + share;
        const int cut = first < length && last > length;
        if (is_of(a, (size_t)i, first, last > length ? length : last) == cut) return 0;
        if (cut && !is_lost(a, (size_t)i, last)) return 0;
        *some |= cut;
    }
    return 1;
}

static int all_go_beyond(query *a, size_t heads) {
    int some = 0;
    for (a->head = 0; a->head < heads && a->head < MOST_HEADS; a->head++) {
        a->length = lab_int_at(a->s->in[4], a->head / a->s->shape.heads);
        if (a->length && !goes_beyond(a, &some)) return 0;
    }
    return some;
}

#define BEYOND                                                                                                         \
    "matches a split that reads slots from lengths[b] on, and finds NaN there: shares are rounded up, and the last "   \
    "one with keys ends at min((s + 1) * share, lengths[b])"

// In the brackets, as other claims may not show it.
#define AS_ITSELF ": split s begins with key s times its own number of keys, and the first length % n have one more"

static void explain_formula(const query *a, char *text, size_t size) {
    float first[MOST_SPLITS + 1];
    int at = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (a->end[i] && a->first[i] != at) return;
        first[i] = (float)at + 1;
        if (a->end[i]) at = a->end[i];
    }
    first[a->n] = (float)at + 1;
    if (!at && a->length < a->n)  // of fewer keys than splits, many formulas give none: this is the usual one
        snprintf(text, size, "; " LAB_SHARES_DOWN);
    else
        lab_explain_shares((int)a->length, (int)a->n, first, text, size);
}

// The first key that is not in one split.
static int say(const query *a, char *text, size_t size) {
    char why[160] = "";
    for (int j = 0; j < (int)a->length; j++) {
        int in = 0, split[2] = {0};
        for (int i = 0; i < (int)a->n; i++)
            if (a->first[i] <= j && j < a->end[i]) split[in++ > 0] = i;
        if (in == 1) continue;
        explain_formula(a, why, sizeof why);
        if (begin_too_early(a, 0))
            snprintf(
                why, sizeof why,
                ". Split s begins with key s * (length / n): the first length %% n splits have one key more, so it "
                "begins min(s, length %% n) later");
        char where[160];
        if (in)
            snprintf(where, sizeof where, "(key %d of %d is in splits %d and %d%s)", j, (int)a->length, split[0],
                     split[1], begin_too_early(a, 1) ? AS_ITSELF : "");
        else
            snprintf(where, sizeof where, "(key %d of %d)", j, (int)a->length);
        snprintf(text, size, "matches keys that are in %s%s %s", in ? "two splits" : "no split", why, where);
        return 1;
    }
    return 0;
}

int lab_explain_split_keys(const lab_symptom *s, char *text, size_t size) {
    query a = {.s = s, .n = s->op == &lab_decode_split && s->extra[0] > 1 ? (size_t)s->extra[0] : 0};
    const size_t heads = (size_t)s->shape.batch * s->shape.heads, slots = s->shape.seq_kv;
    char sentence[380] = "";
    if (!a.n || a.n > MOST_SPLITS || !s->work) return 0;
    a.D = s->shape.head_dim;
    a.score = malloc(slots * sizeof *a.score);
    if (!a.score) return 0;
    const int beyond = all_go_beyond(&a, heads);
    int right = 1;
    if (beyond) snprintf(sentence, sizeof sentence, "%s", BEYOND);
    for (a.head = 0; a.head < heads && a.head < MOST_HEADS && right && !beyond; a.head++) {
        a.length = lab_int_at(s->in[4], a.head / s->shape.heads);
        if (!a.length) continue;
        right = find_all(&a);
        if (right && !*sentence) say(&a, sentence, sizeof sentence);
    }
    free(a.score);
    return right && *sentence && lab_guess(s->guesses, sentence, text, size);
}
