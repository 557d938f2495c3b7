// unit_explain_threads.c: rows that threads, tiles and blocks compute in parts which are put together wrongly, as students
// write that. grader/core: reductions.c, copies.c, parts.c.
#include "unit.h"

#include <math.h>
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
        CLAIM(scores_of_two_queries_are_named),     CLAIM(copies_of_the_last_key_are_counted),
        CLAIM(wrong_weights_of_parts_are_named),
    };
    return cmocka_run_group_tests_name("explain_threads", claims, NULL, release);
}
