// unit_explain_threads.c: rows that threads, tiles and blocks compute in parts which are put together wrongly, as students
// write that. grader/core: reductions.c, dims.c, own_scores.c, copies.c, parts.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"

enum { KEYS = 70, D = 64 };
static const attn_shape shape = {1, 2, 12, KEYS, D, 0};

static void scores_of(size_t row, float s[KEYS]) {
    const float *q = wrong.in[1] + row * D, *k = wrong.in[2] + row / 12 * KEYS * D;
    for (int j = 0; j < KEYS; j++) {
        s[j] = 0;
        for (int d = 0; d < D; d++) s[j] += q[d] * k[j * D + d] / sqrtf(D);
    }
}

static const float *value(size_t row, int j) { return wrong.in[3] + (row / 12 * KEYS + j) * D; }

// "" is said of what is right.
static void it_says(const char *words) {
    examine();
    if (*words)
        assert_says(wrong.text, words);
    else
        assert_string_equal(wrong.text, "");
}

// ---- A warp a row: lane t has key t of each tile of 32, and dims t and t + 32

typedef enum { RIGHT, NO_MAX, NO_SUM, SUM_DOWN, SUM_FROM_8, MAX_DOWN } shuffle;

static void exchange(float x[32], shuffle how, int is_max) {
    const int down = how == SUM_DOWN || how == MAX_DOWN;
    for (int bit = how == SUM_FROM_8 ? 8 : 16; bit; bit /= 2) {
        float now[32];
        for (int t = 0; t < 32; t++) {
            const float other = x[down ? (t + bit > 31 ? t : t + bit) : t ^ bit];
            now[t] = is_max ? fmaxf(x[t], other) : x[t] + other;
        }
        memcpy(x, now, sizeof now);
    }
}

static void warp_row(size_t row, shuffle how) {
    float s[KEYS], m[32], l[32] = {0}, o[D] = {0}, p[KEYS], x[32];
    scores_of(row, s);
    for (int t = 0; t < 32; t++) m[t] = -INFINITY;
    for (int k0 = 0; k0 < KEYS; k0 += 32) {
        const int n = KEYS - k0 < 32 ? KEYS - k0 : 32;
        float a[32];
        for (int t = 0; t < 32; t++) x[t] = t < n ? s[k0 + t] : -INFINITY;
        if (how != NO_MAX) exchange(x, how == MAX_DOWN ? how : RIGHT, 1);
        for (int t = 0; t < 32; t++) {
            const float m_new = fmaxf(m[t], x[t]);
            a[t] = expf(m[t] - m_new), m[t] = m_new;
            x[t] = t < n ? p[k0 + t] = expf(s[k0 + t] - m_new) : 0;
        }
        if (how != NO_SUM) exchange(x, how == MAX_DOWN ? RIGHT : how, 0);
        for (int t = 0; t < 32; t++) l[t] = l[t] * a[t] + x[t];
        for (int d = 0; d < D; d++) o[d] *= a[d % 32];
        for (int j = k0; j < k0 + n; j++)
            for (int d = 0; d < D; d++) o[d] += p[j] * value(row, j)[d];
    }
    for (int d = 0; d < D; d++) wrong.got[row * D + d] = o[d] / l[d % 32];
}

static void with_shuffle(shuffle how, const char *words) {
    begin(&lab_flash, shape);
    for (size_t row = 0; row < 24; row++) warp_row(row, how);
    it_says(words);
}

static void a_warp_that_does_not_agree_is_named(void **state) {
    (void)state;
    with_shuffle(RIGHT, "");
    with_shuffle(NO_MAX, "a row maximum that the threads do not agree on: each of 32 threads keeps its own");
    with_shuffle(MAX_DOWN, "a row maximum that the threads do not agree on: of 32 threads, thread 0 alone");
    with_shuffle(NO_SUM, "a row sum that does not reach every thread: each of 32 threads");
    with_shuffle(SUM_DOWN, "a row sum that does not reach every thread: of 32 threads, thread 0 alone");
    with_shuffle(SUM_FROM_8, "a row sum that does not reach every thread: two halves of 32 threads");
}

// The sum of a row goes to the thread with the same place in another row: the thread's own columns are off by one factor.
static void a_sum_that_goes_elsewhere_is_named(void **state) {
    (void)state;
    begin(&lab_flash, shape);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] *= i % D < D / 2 ? 0.7f + 0.02f * (i / D % 5) : 1.3f;
    it_says("a row sum that the 2 threads of a row do not agree on");
}

// ---- Lanes share the dims of a score, four side by side; sums[t]: what lane t has of it

static void dims_row(size_t row, int lanes_summed, int broadcast) {
    const float *q = wrong.in[1] + row * D, *k = wrong.in[2] + row / 12 * KEYS * D;
    float part[32], m[16], l[16] = {0}, o[D] = {0};
    for (int t = 0; t < 16; t++) m[t] = -INFINITY;
    for (int j = 0; j < KEYS; j++) {
        memset(part, 0, sizeof part);
        for (int d = 0; d < D; d++) part[d / 4] += q[d] * k[j * D + d] / sqrtf(D);
        for (int bit = lanes_summed / 2; bit; bit /= 2)
            for (int t = 0; t + bit < 32; t++) part[t] += part[t + bit];  // shuffles downwards
        for (int t = 0; t < 16; t++) {
            const float s = broadcast ? part[0] : part[t], m_new = fmaxf(m[t], s), a = expf(m[t] - m_new);
            m[t] = m_new, l[t] = l[t] * a + expf(s - m_new);
            for (int d = 4 * t; d < 4 * t + 4; d++) o[d] = o[d] * a + expf(s - m_new) * value(row, j)[d];
        }
    }
    for (int d = 0; d < D; d++) wrong.got[row * D + d] = o[d] / l[d / 4];
}

static void with_dims(int lanes_summed, int broadcast, const char *words) {
    begin(&lab_flash, shape);
    for (size_t row = 0; row < 24; row++) dims_row(row, lanes_summed, broadcast);
    it_says(words);
}

static void scores_of_some_dims_are_named(void **state) {
    (void)state;
    with_dims(32, 1, "");
    with_dims(32, 0, "scores whose sum over the dims does not reach every thread: of 32 threads, thread 0 alone");
    with_dims(8, 1, "scores over some of the dims alone (0 .. 31)");
}

// Few threads, of which each has some of the dims and a softmax of its own. owner: as lab_owner has them.
static void with_few_threads(attn_shape s, int threads, int owner, const char *words) {
    begin(&lab_flash, s);
    const int n = s.head_dim;
    for (int row = 0; row < s.heads * s.seq_q; row++)
        for (int c = 0; c < n; c++) {
            const float *q = wrong.in[1] + row * n, *k = wrong.in[2] + (size_t)(row / s.seq_q) * s.seq_kv * n,
                        *v = wrong.in[3] + (size_t)(row / s.seq_q) * s.seq_kv * n;
            double l = 0, o = 0;
            for (int j = 0; j < s.seq_kv; j++) {
                double dot = 0;
                for (int d = 0; d < n; d++) {
                    const int of = owner == 0   ? d % threads
                                   : owner == 1 ? d / 4 % threads
                                                : d / (n / threads),
                              own = owner == 0   ? c % threads
                                    : owner == 1 ? c / 4 % threads
                                                 : c / (n / threads);
                    dot += of == own ? q[d] * k[j * n + d] : 0;
                }
                const double p = exp(dot / sqrt(n));
                l += p, o += p * v[j * n + c];
            }
            wrong.got[row * n + c] = (float)(o / l);
        }
    is_among_what_fits(words);
    release(NULL);
}

// Of many keys and of few dims, too: one cause explains all claims.
static void few_threads_with_their_own_scores_are_named(void **state) {
    (void)state;
    static const attn_shape shapes[] = {
        {1, 2, 12, 70, 64, 0}, {1, 1, 6, 512, 64, 0}, {1, 2, 9, 40, 80, 0}, {1, 2, 12, 45, 8, 0}};
    for (int i = 0; i < 4; i++)
        for (int owner = 0; owner < 3; owner++) {
            with_few_threads(shapes[i], 2, owner,
                             owner < 2 ? "each of 2 threads, or those of even and of odd number, keep their own part"
                                       : "each of 2 threads, or the two halves of more, keep their own part");
            if (i < 3)
                with_few_threads(shapes[i], 4, owner,
                                 "4 threads keeps its own part: exchange it (__shfl_xor_sync, distances 2 and 1)");
        }
}

// A block decodes: warp after warp has some of the keys, and its lanes the dims of a score, n side by side; or each warp has 32
// dims of all keys. What one lane, or one warp, has of a score is taken for all of it.
static void with_own_scores(int n, int by_warps, int splits, const char *words) {
    const attn_shape s = {2, 2, 1, 70, 32 * n, 0};
    const int head = s.seq_kv * s.head_dim, warps = by_warps ? 1 : 4;
    wrong.extra[0] = splits;
    begin(splits ? &lab_decode_split : &lab_decode, s);
    for (int row = 0; row < 4; row++) {
        const int length = lab_int_at(wrong.in[4], row / 2), parts = splits ? splits : 1;
        const float *q = wrong.in[1] + row * s.head_dim, *k = wrong.in[2] + row * head, *v = wrong.in[3] + row * head;
        double o[128] = {0}, sum = 0;
        for (int part = 0; part < parts * warps; part++) {
            const int first = length * (part / warps) / parts, end = length * (part / warps + 1) / parts;
            double m[32], l[32] = {0}, own[128] = {0}, all = 0, score[70][32] = {{0}};
            for (int t = 0; t < 32; t++) m[t] = -INFINITY;
            for (int j = first + part % warps; j < end; j += warps) {
                for (int d = 0; d < s.head_dim; d++)
                    score[j][d / (by_warps ? 32 : n)] += q[d] * k[j * s.head_dim + d] / sqrt(s.head_dim);
                for (int t = 0; t < 32; t++) m[t] = fmax(m[t], score[j][t]);
            }
            for (int j = first + part % warps; j < end; j += warps) {
                for (int t = 0; t < 32; t++) l[t] += exp(score[j][t] - m[t]);
                for (int d = 0, t; d < s.head_dim; d++)
                    t = d / (by_warps ? 32 : n), own[d] += exp(score[j][t] - m[t]) * v[j * s.head_dim + d];
            }
            if (first + part % warps >= end) continue;
            for (int t = 0; t < 32; t++) all += l[t];
            for (int d = 0; d < s.head_dim; d++) o[d] += exp(m[0]) * own[d] * (by_warps ? l[0] / l[d / 32] : 1);
            sum += exp(m[0]) * (by_warps ? l[0] : all);
        }
        for (int d = 0; d < s.head_dim; d++) wrong.got[row * s.head_dim + d] = length ? (float)(o[d] / sum) : 0;
    }
    it_says(words);
    release(NULL);
}

static void a_score_of_one_lane_or_one_warp_is_named(void **state) {
    (void)state;
    for (int splits = 0; splits < 6; splits += 5)
        for (int n = 1; n <= 4; n *= 2) {
            with_own_scores(n, 0, splits, "a softmax of each lane over its own part of q . k");
            if (n > 1) with_own_scores(n, 1, splits, "scores over the 32 dims of one warp");
        }
}

// The dot product of a query is added to that of its neighbour; and l that starts at 1.
static void scores_of_two_queries_are_named(void **state) {
    (void)state;
    for (int from_1 = 0; from_1 < 2; from_1++) {
        begin(&lab_flash, shape);
        for (size_t row = 0; row < 24; row++) {
            float s[KEYS], other[KEYS], o[D] = {0}, l = 0;
            scores_of(row, s), scores_of(row ^ 1, other);
            for (int j = 0; j < KEYS; j++) {
                const float p = expf(s[j] + (from_1 ? 0 : other[j]));
                l += p + (from_1 && j == 0 ? p : 0);
                for (int d = 0; d < D; d++) o[d] += p * value(row, j)[d];
            }
            for (int d = 0; d < D; d++) wrong.got[row * D + d] = o[d] / l;
        }
        it_says(from_1 ? "l starts at 0, not at 1" : "scores that are added up over 2 queries");
    }
}

// ---- Keys that count twice

static void copies_of_the_last_key_are_counted(void **state) {
    (void)state;
    begin(&lab_flash, shape);
    for (size_t row = 0; row < 24; row++) {
        float s[KEYS], o[D] = {0}, l = 0;
        scores_of(row, s);
        for (int j = 0; j < 96; j++) {
            const int at = j < KEYS ? j : KEYS - 1;
            l += expf(s[at]);
            for (int d = 0; d < D; d++) o[d] += expf(s[at]) * value(row, at)[d];
        }
        for (int d = 0; d < D; d++) wrong.got[row * D + d] = o[d] / l;
    }
    it_says("the last key counted 26 more times");
}

// ---- Parts

typedef struct {
    double m, l, M, L;  // its own, and those of the row
    int number;
    const double *m4, *l4;  // of all four
} part;

static void with_weights(double (*weight)(part p), const char *words) {
    begin(&lab_flash, shape);
    for (size_t row = 0; row < 24; row++) {
        float s[KEYS];
        double m[4], l[4] = {0}, o[4][D] = {{0}}, M = -INFINITY, L = 0;
        scores_of(row, s);
        for (int i = 0; i < 4; i++) {
            m[i] = -INFINITY;
            for (int j = i; j < KEYS; j += 4) m[i] = fmax(m[i], s[j]);
            for (int j = i; j < KEYS; j += 4) {
                l[i] += exp(s[j] - m[i]);
                for (int d = 0; d < D; d++) o[i][d] += exp(s[j] - m[i]) * value(row, j)[d];
            }
            M = fmax(M, m[i]);
        }
        for (int i = 0; i < 4; i++) L += l[i] * exp(m[i] - M);
        for (int d = 0; d < D; d++) wrong.got[row * D + d] = 0;
        for (int i = 0; i < 4; i++)
            for (int d = 0; d < D; d++)
                wrong.got[row * D + d] += (float)(weight((part){m[i], l[i], M, L, i, m, l}) * o[i][d] / l[i]);
    }
    it_says(words);
}

static double right(part p) { return p.l * exp(p.m - p.M) / p.L; }
static double o_kept(part p) { return p.l / p.L; }
static double l_twice(part p) { return exp(p.m - p.M) / p.L; }
static double added(part p) { return p.L / p.L; }
static double last_twice(part p) {
    return right(p) * (p.number == 3 ? 2 : 1) / (1 + p.l4[3] * exp(p.m4[3] - p.M) / p.L);
}
static double max_of_two(part p) {
    double below = 0, own = 0;
    for (int i = 0; i < 4; i++) {
        const double max = fmax(p.m4[i], fmax(p.m4[0], p.m4[1])), x = p.l4[i] * exp(p.m4[i] - max);
        below += x, own = i == p.number ? x : own;
    }
    return own / below;
}
static double another(part p) { return 0.1 + 0.2 * p.number * p.number / p.L; }

static void wrong_weights_of_parts_are_named(void **state) {
    (void)state;
    with_weights(right, "");
    with_weights(o_kept, "parts whose O is added without its factor exp(m - M), while l has it (4 parts");
    with_weights(l_twice, "by their own l before they are joined, and by the whole l after it (4 parts");
    with_weights(added, "the outputs of the parts added as they are");
    with_weights(max_of_two, "a maximum over the first half of the parts alone");
    with_weights(last_twice,
                 "keys that do not count once each (4 parts, part i has the keys i, i + 4, ...: part 0 counts once, "
                 "part 3 2 times)");
    with_weights(another, "joined with wrong weights");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_warp_that_does_not_agree_is_named), CLAIM(a_sum_that_goes_elsewhere_is_named),
        CLAIM(scores_of_some_dims_are_named),       CLAIM(a_score_of_one_lane_or_one_warp_is_named),
        CLAIM(scores_of_two_queries_are_named),     CLAIM(few_threads_with_their_own_scores_are_named),
        CLAIM(copies_of_the_last_key_are_counted),  CLAIM(wrong_weights_of_parts_are_named),
    };
    return cmocka_run_group_tests_name("explain_threads", claims, NULL, release);
}
