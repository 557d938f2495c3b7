// workspace.c: task 5's splits: what their parts are, where it is not O_s and L_s at their places.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>

#include "splits.h"

enum { MOST_LOOKED = 8 };  // heads

typedef struct {
    const lab_symptom *s;
    size_t heads, n, D;
} parts;

typedef struct {
    double m, l, n;  // of n keys
} sums;

// Of keys first .. end - 1 of a head.
static sums sums_of(const parts *p, size_t head, size_t first, size_t end) {
    const float *const q = p->s->in[1] + head * p->D;
    const float *k = p->s->in[2] + (head * p->s->shape.seq_kv + first) * p->D;
    sums all = {-INFINITY, 0, (double)(end - first)};
    for (size_t j = first; j < end; j++, k += p->D) {
        double score = 0;
        for (size_t d = 0; d < p->D; d++) score += (double)q[d] * k[d];
        score /= sqrt((double)p->D);
        all.l = score > all.m ? all.l * exp(all.m - score) + 1 : all.l + exp(score - all.m);
        all.m = fmax(all.m, score);
    }
    return all;
}

static size_t length_of(const parts *p, size_t head) { return lab_int_at(p->s->in[4], head / p->s->shape.heads); }

// Heads of all sequences: their lengths differ.
static size_t next_head(const parts *p, size_t head) { return head + (p->heads + MOST_LOOKED - 1) / MOST_LOOKED; }

// Usual ways to share out: equal parts, rounded up, of which the last is shorter; length * s / n; or one key more for each
// of the first length % n.
enum { WAYS = 3 };
static size_t first_key(const parts *p, int way, size_t length, size_t split) {
    const size_t each = (length + p->n - 1) / p->n, from = each * split, more = length % p->n;
    if (way == 2) return length / p->n * split + (split < more ? split : more);
    return way ? length * split / p->n : from < length ? from : length;
}

static int near(double x, double y) { return fabs(x - y) <= 2 * LAB_TOLERANCE * (1 + fabs(y)); }

// ---- L_s: another number than m + log(l), or at another place

static double formula(int which, sums x) {
    const double log2_e = 1.4426950408889634;
    const double is[] = {
        x.m + log(x.l),
        x.m,
        x.l,
        log(x.l),
        x.m + x.l,
        x.m - log(x.l),
        x.m * x.l,
        exp(x.m) * x.l,
        x.m + log2(x.l),
        x.m + log10(x.l),
        (x.m + log(x.l)) * log2_e,
        x.m * log2_e + log(x.l),
        x.m + log(x.l) / log2_e,
        (x.m + log(x.l)) / log2_e,
        log(x.n),
        x.n,
        0,
        1,
        log(x.l) - x.m,
        -x.m - log(x.l),
        -x.m,
        x.m - x.l,
        x.m * log(x.l),
        x.m * log2_e,
        x.m + log1p(x.l),
        log(x.l) / log2_e,
        log2(x.l),
    };
    return is[which];
}

static const char *const other_L[] = {NULL,
                                      "m",
                                      "l",
                                      "log(l)",
                                      "m + l",
                                      "m - log(l)",
                                      "m * l",
                                      "exp(m) * l",
                                      "m + log2(l)",
                                      "m + log10(l)",
                                      "(m + log(l)) * log2(e)",
                                      "m * log2(e) + log(l)",
                                      "m + log(l) / log2(e)",
                                      "(m + log(l)) / log2(e)",
                                      "log(n), with n its number of keys",
                                      "n, its number of keys",
                                      "0 for all splits, so that all count the same",
                                      "1 for all splits, so that all count the same",
                                      "log(l) - m",
                                      "-(m + log(l))",
                                      "-m",
                                      "m - l",
                                      "m * log(l)",
                                      "m * log2(e)",
                                      "m + log(1 + l)",
                                      "log(l) / log2(e)",
                                      "log2(l)"};

// 1 if each split that has keys leaves this number; from: where the L of head 0 begins, and the steps from there.
static int leaves_L(const parts *p, int which, int way, size_t of_head, size_t of_split) {
    const float *const L = p->s->work + p->heads * p->n * p->D;
    size_t seen = 0;
    for (size_t head = 0; head < p->heads; head = next_head(p, head))
        for (size_t i = 0, length = length_of(p, head); i < p->n; i++) {
            const size_t first = first_key(p, way, length, i), end = first_key(p, way, length, i + 1);
            if (first >= end) continue;
            if (!near(L[head * of_head + i * of_split], formula(which, sums_of(p, head, first, end)))) return 0;
            seen++;
        }
    return seen > 2;
}

// What a split without keys leaves, if it has weight.
static int leaves_weight(const parts *p, int way, double *is) {
    const float *const L = p->s->work + p->heads * p->n * p->D;
    for (size_t head = 0; head < p->heads; head = next_head(p, head))
        for (size_t i = 0, length = length_of(p, head); i < p->n; i++)
            if (length && first_key(p, way, length, i) == first_key(p, way, length, i + 1) &&
                !(L[head * p->n + i] < -1e20f))
                return *is = L[head * p->n + i], 1;
    return 0;
}

static int explain_L(const parts *p, int way, char *text, size_t size) {
    char sentence[160];
    if (leaves_L(p, 0, way, p->n, 1)) return 0;
    if (p->heads > 1 && leaves_L(p, 0, way, 1, p->heads))
        return lab_guess(p->s->guesses, LAB_L_SPLITS_FIRST, text, size);
    int found = 0;  // several formulas agree where each split has one key: another claim tells which it is
    for (size_t which = 1; which < sizeof other_L / sizeof *other_L; which++) {
        if (!leaves_L(p, (int)which, way, p->n, 1)) continue;
        snprintf(sentence, sizeof sentence, "matches L_s = %s: it is m + log(l), of the split's own keys",
                 other_L[which]);
        found = lab_guess(p->s->guesses, sentence, text, size);
    }
    return found;
}

// ---- O_s at another place: with the right L they make O

static int makes_O(const parts *p, size_t of_head, size_t of_split, size_t of_dim) {
    const float *const O = p->s->work, *const L = O + p->heads * p->n * p->D;
    size_t seen = 0;
    for (size_t head = 0; head < p->heads; head = next_head(p, head)) {
        const size_t length = length_of(p, head);
        const sums all = sums_of(p, head, 0, length);
        for (size_t d = 0; d < p->D && length; d++) {
            double o = 0;
            for (size_t i = 0; i < p->n; i++) {
                const double weight = exp(L[head * p->n + i] - all.m - log(all.l));
                o += weight > 0 ? weight * O[head * of_head + i * of_split + d * of_dim] : 0;
            }
            if (!near(o, p->s->want[head * p->D + d])) return 0;
            seen++;
        }
    }
    return seen > 0;
}

static int explain_O(const parts *p, char *text, size_t size) {
    const size_t n = p->n, D = p->D;
    if (makes_O(p, n * D, D, 1)) return 0;
    if (p->heads > 1 && makes_O(p, D, p->heads * D, 1))
        return lab_guess(p->s->guesses,
                         "matches O_s laid out [n_splits, batch, heads, head_dim] in workspace: it is [batch, heads, "
                         "n_splits, head_dim]",
                         text, size);
    if (makes_O(p, n * D, 1, n))
        return lab_guess(p->s->guesses,
                         "matches O_s laid out [batch, heads, head_dim, n_splits] in workspace: it is [batch, heads, "
                         "n_splits, head_dim]",
                         text, size);
    return 0;
}

// ---- Room for the parts of one query, where all leave theirs: of each split those of some query lie there

static int is_part_of(const parts *p, int way, size_t head, size_t i, const float *o, float L) {
    const size_t D = p->D, length = length_of(p, head), first = first_key(p, way, length, i),
                 end = first_key(p, way, length, i + 1);
    if (first >= end) return L < -1e20f;
    const sums all = sums_of(p, head, first, end);
    const float *const q = p->s->in[1] + head * D, *const k = p->s->in[2] + head * p->s->shape.seq_kv * D,
                       *const v = p->s->in[3] + head * p->s->shape.seq_kv * D;
    if (!near(L, all.m + log(all.l))) return 0;
    for (size_t d = 0; d < D; d++) {
        double is = 0;
        for (size_t j = first; j < end; j++)
            is += exp(lab_dot(q, k + j * D, (int)D) / sqrt((double)D) - all.m) / all.l * v[j * D + d];
        if (!near(o[d], is)) return 0;
    }
    return 1;
}

static int is_room_for_one(const parts *p, int way) {
    const float *const O = p->s->work, *const L = O + p->n * p->D;
    for (size_t i = 0; i < p->n; i++) {
        int some = 0;
        for (size_t head = 0; head < p->heads && !some; head++) some = is_part_of(p, way, head, i, O + i * p->D, L[i]);
        if (!some) return 0;
    }
    return 1;
}

static parts parts_of(const lab_symptom *s) {
    return (parts){s, (size_t)s->shape.batch * s->shape.heads,
                   s->op == &lab_decode_split && s->extra[0] > 0 ? (size_t)s->extra[0] : 0, s->shape.head_dim};
}

int lab_explain_empty_weight(const lab_symptom *s, char *text, size_t size) {
    const parts p = parts_of(s);
    char sentence[160];
    double is;
    for (int way = 0; way < WAYS && p.n > 1 && s->work; way++)
        if (leaves_L(&p, 0, way, p.n, 1) && leaves_weight(&p, way, &is)) {
            snprintf(sentence, sizeof sentence,
                     "matches L_s = %.3g of a split without keys: it is -INFINITY, the logarithm of 0", is);
            return lab_guess(s->guesses, sentence, text, size);
        }
    return 0;
}

int lab_leaves_splits_first(const lab_symptom *s) {
    const parts p = parts_of(s);
    for (int way = 0; way < WAYS && p.n > 1 && p.heads > 1 && s->work; way++)
        if (!leaves_L(&p, 0, way, p.n, 1) && leaves_L(&p, 0, way, 1, p.heads)) return 1;
    return 0;
}

int lab_leaves_base_2(const lab_symptom *s) {
    enum { IN_BASE_2 = 10 };  // of other_L
    const parts p = parts_of(s);
    for (int way = 0; way < WAYS && p.n > 1 && s->work; way++)
        if (!leaves_L(&p, 0, way, p.n, 1) && leaves_L(&p, IN_BASE_2, way, p.n, 1)) return 1;
    return 0;
}

int lab_explain_workspace(const lab_symptom *s, char *text, size_t size) {
    const parts p = parts_of(s);
    if (p.n < 1 || !s->work) return 0;
    for (int way = 0; way < WAYS && p.heads > 1; way++)
        if (is_room_for_one(&p, way)) return lab_guess(s->guesses, LAB_PARTS_OF_ONE, text, size);
    if (p.n < 2) return 0;
    for (int way = 0; way < WAYS; way++)
        if (explain_L(&p, way, text, size)) return 1;
    return explain_O(&p, text, size) || lab_explain_part_logs(s, text, size);
}
