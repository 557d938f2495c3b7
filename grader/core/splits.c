// splits.c: are the keys shared out among splits? Which keys a split has is the student's choice. So the parts must join
// to the softmax over all keys, and one more call tells what each of them is. In its inputs two neighbouring keys of each
// sequence and head have all the weight, 2 to 1: the split that has them must leave their values in that proportion, as the
// softmax over any share with them says, and nothing of the other splits may change. Sums without softmax leave others.
#include "splits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ops.h"

enum { LONG = 64 };  // keys of a share that is looked at: tiles may be as large, so that some splits get none

// Two neighbouring slots that only the inputs know: where the second begins, the first is the slot before it.
static size_t second_of(const float *v, size_t length) { return 1 + (size_t)(fabsf(v[0]) * 1e6f) % (length - 1); }

// The score of the first is 20 above all others, that of the second log(2) below the first.
void lab_change_keys(attn_shape s, float *const in[LAB_MAX_TENSORS]) {
    const size_t d = s.head_dim;
    for (size_t head = 0; head < (size_t)s.batch * s.heads; head++) {
        const size_t length = lab_int_at(in[4], head / s.heads);
        const float *const q = in[1] + head * d;
        float *k = in[2] + head * s.seq_kv * d;
        double most = 0, norm = 0;
        if (length < 2) continue;
        for (size_t j = 0; j < length; j++) {
            double score = 0;
            for (size_t e = 0; e < d; e++) score += (double)q[e] * k[j * d + e];
            most = fmax(most, score);
        }
        for (size_t e = 0; e < d; e++) norm += (double)q[e] * q[e];
        k += second_of(in[3] + head * s.seq_kv * d, length) * d;
        for (size_t e = 0; e < d && norm > 0; e++) {
            k[e] = (float)(q[e] * (most + (20 - log(2)) * sqrt((double)d)) / norm);
            k[e - d] = (float)(q[e] * (most + 20 * sqrt((double)d)) / norm);
        }
    }
}

static int by_bits(const void *a, const void *b) {
    uint32_t x, y;
    memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// The finite numbers other than 0, in order.
static size_t numbers_of(float *to, const float *x, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (lab_is_finite(x[i]) && x[i] != 0) to[kept++] = x[i];
    qsort(to, kept, sizeof *to, by_bits);
    return kept;
}

// The numbers of `changed` that are not in `work`; both are in order. Returns how many there are, at the beginning of
// `changed`.
static size_t new_numbers(float *work, float *changed, size_t n_work, size_t n_changed) {
    size_t found = 0;
    for (size_t i = 0, k = 0; k < n_changed; k++) {
        while (i < n_work && by_bits(work + i, changed + k) < 0) i++;
        if (i < n_work && by_bits(work + i, changed + k) == 0)
            i++;
        else
            changed[found++] = changed[k];
    }
    return found;
}

static int is_among(float number, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (fabsf(x[i] - number) <= 1e-3f * fabsf(number)) return 1;
    return 0;
}

// How many numbers that the keys with all the weight make of their values, in long sequences, are among the n of x: an
// O, or one before its division by l, or each value by itself, where the two are in different splits.
static size_t values_among(attn_shape s, size_t splits, const float *const in[LAB_MAX_TENSORS], const float *x,
                           size_t n) {
    const size_t d = s.head_dim;
    size_t found = 0;
    for (size_t head = 0; head < (size_t)s.batch * s.heads; head++) {
        const size_t length = lab_int_at(in[4], head / s.heads);
        const float *v = in[3] + head * s.seq_kv * d;
        size_t divided = 0, summed = 0, apart = 0;
        if (length < LONG * splits) continue;
        v += second_of(v, length) * d;
        for (size_t e = 0; e < d; e++) {
            const float first = v[e - d], second = v[e];
            divided += is_among((2 * first + second) / 3, x, n);
            summed += is_among(first + second / 2, x, n);
            apart += is_among(first, x, n) && is_among(second, x, n);
        }
        const size_t more = divided > summed ? divided : summed;
        found += more > apart ? more : apart;
    }
    return found;
}

// all: what splits with a long share leave at least, D numbers each. found: what lies there.
static int depends_wrong(attn_shape s, size_t splits, const float *const in[LAB_MAX_TENSORS], size_t all, size_t found,
                         const float *fresh, size_t n_fresh, char *text, size_t size) {
    // Two keys have changed, of two splits at most; of the splits, half may have no keys.
    if (n_fresh < all / splits / 3 || n_fresh * splits > 4 * found) {
        snprintf(text, size,
                 "O is right, but when two neighbouring keys change, %zu of the %zu numbers in workspace change with "
                 "them, and few of the %zu splits have these keys: does each split leave the O of its own keys there?",
                 n_fresh, found, splits);
        return 1;
    }
    const size_t values = values_among(s, splits, in, fresh, n_fresh);
    if (values >= all / splits * 3 / 4) return 0;
    snprintf(text, size,
             "O is right, but when two neighbouring keys have all the weight, workspace holds %zu of the %zu numbers "
             "that softmax makes of their values: does each split leave the O of its own keys there?",
             values, all / splits);
    return 1;
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

enum { L_WRONG = 1, O_WRONG };

// The parts of one query: O [n, D] and L [n] must join to `want`, D numbers, and `whole`, the log-sum-exp of all keys.
static int part_wrong(size_t d, size_t n, const float *O, const float *L, const double *want, double whole, char *text,
                      size_t size) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += L[i] == -INFINITY ? 0 : exp(L[i] - whole);
    if (differ(whole + log(sum), whole))
        return snprintf(text, size, "log sum_s exp(L_s) = %.4g, not %.4g", whole + log(sum), whole), L_WRONG;
    for (size_t e = 0; e < d; e++) {
        double o = 0;
        for (size_t i = 0; i < n; i++) o += L[i] == -INFINITY ? 0 : exp(L[i] - whole) * O[i * d + e];
        if (differ(o, want[e]))
            return snprintf(text, size, "sum_s exp(L_s - L) O_s = %.4g in dim %zu, not %.4g", o, e, want[e]), O_WRONG;
    }
    return 0;
}

// Which of the parts is wrong, as task5.h lays them out: O_s, then L_s. text: of which head, and what they make.
static int parts_wrong(attn_shape s, size_t n, const float *const in[LAB_MAX_TENSORS], const float *work, char *text,
                       size_t size) {
    const size_t d = s.head_dim, heads = (size_t)s.batch * s.heads;
    const int extra[2] = {(int)n};
    double *const want = malloc(heads * d * sizeof *want);
    char what[128];
    int wrong = 0;
    if (!want || !lab_decode_split.oracle(s, extra, in, 0, want)) return free(want), 0;
    for (size_t head = 0; head < heads && !wrong; head++) {
        const size_t length = lab_int_at(in[4], head / s.heads);
        if (!length) continue;
        wrong = part_wrong(d, n, work + head * n * d, work + heads * n * d + head * n, want + head * d,
                           log_sum_exp(s, in, head, length), what, sizeof what);
        if (wrong) snprintf(text, size, "sequence %zu, head %zu: %s", head / s.heads, head % s.heads, what);
    }
    free(want);
    return wrong;
}

// What attn_decode leaves in O may have another origin; this may not.
static int others_wrong(attn_shape s, size_t n, const float *const in[LAB_MAX_TENSORS], const float *work, char *text,
                        size_t size) {
    char what[192];
    if (!parts_wrong(s, n, in, work, what, sizeof what)) return 0;
    return snprintf(text, size,
                    "O is right, but the parts in workspace do not make it: %s. workspace holds O_s, [batch, heads, "
                    "n_splits, head_dim], then L_s, [batch, heads, n_splits]",
                    what) > 0;
}

int lab_explain_splits(const lab_symptom *s, char *text, size_t size) {
    const size_t n = s->op == &lab_decode_split ? s->extra[0] : 0;
    char what[192];
    if (n < 2 || !s->work) return 0;
    const int wrong = parts_wrong(s->shape, n, s->in, s->work, what, sizeof what);
    static const char *const said[] = {
        "the parts in workspace are right: what joins them is wrong",
        [L_WRONG] =
            "the L_s in workspace do not make L = log sum_s exp(L_s): is each L_s = m + log(l) of its split's own "
            "keys, and at its place?",
        [O_WRONG] =
            "the L_s in workspace are right, and the O_s do not make O: is each O_s divided by its own l, and at "
            "its place?"};
    return lab_guess(s->guesses, said[wrong], text, size);
}

// A split of a long sequence has left its O, D numbers. A third of them is enough: the rest is nobody's business.
int lab_splits_left(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], const float *work,
                    const float *changed, char *text, size_t size) {
    const size_t n = extra[0], elements = lab_decode_split.elements(s, 5);
    size_t all = 0, found = 0;
    for (int b = 0; b < s.batch; b++)
        all += (size_t)lab_int_at(in[4], b) >= LONG * n ? (size_t)s.heads * n * s.head_dim : 0;
    if (n < 2) return 0;
    if (!all) return others_wrong(s, n, in, changed ? changed : work, text, size);
    float *const before = malloc(elements * sizeof *before), *const after = malloc(elements * sizeof *after);
    int wrong = 0;
    if (before && after) {
        found = numbers_of(before, work, elements);
        wrong = found < all / 3;
        if (wrong)
            snprintf(text, size,
                     "O is right, but %zu splits of %d keys have left %zu numbers in workspace, not %zu: are the keys "
                     "shared out? No split gets more than length / n_splits keys, rounded up",
                     n, s.seq_kv, found, all);
        else if (changed) {
            const size_t fresh = new_numbers(before, after, found, numbers_of(after, changed, elements));
            wrong = depends_wrong(s, n, in, all, found, after, fresh, text, size);
        }
    }
    free(before), free(after);
    return wrong || others_wrong(s, n, in, changed ? changed : work, text, size);
}
