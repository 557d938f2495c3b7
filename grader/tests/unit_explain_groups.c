// unit_explain_groups.c: two parts of a row's keys, wherever they meet, groups of threads that add other threads' dims, one
// thread that leaves its dims for all, and a factor that the first tile does without. grader/core: diagnose/two_parts.c,
// shuffled_dims.c, lane_dims.c, online_steps.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 40, MOST = 200, TILE = 16 };

static double dot(const float *q, const float *k) {
    double sum = 0;
    for (int d = 0; d < D; d++) sum += (double)q[d] * k[d];
    return sum / sqrt(D);
}

// ---- Two parts

typedef struct {
    double m, l, o[D];
} part;

static part part_of(const double *s, const float *v, int from, int to) {
    part p = {.m = -INFINITY};
    for (int j = from; j < to; j++) p.m = fmax(p.m, s[j]);
    for (int j = from; j < to; j++) {
        p.l += exp(s[j] - p.m);
        for (int d = 0; d < D; d++) p.o[d] += exp(s[j] - p.m) * v[j * D + d];
    }
    return p;
}

enum { UNSCALED, MEAN, L_ALONE_SCALED };

// Whole tiles of keys, and those at the edge of what the tile of 8 queries sees, are summed up by themselves.
static void in_two_parts(attn_shape s, int rule) {
    begin(&lab_flash, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, shift = s.seq_kv - s.seq_q, seen = s.causal ? i + 1 + shift : s.seq_kv,
                  whole = (s.causal ? i / 8 * 8 + 1 + shift : s.seq_kv) / TILE * TILE;
        const float *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        double score[MOST];
        for (int j = 0; j < seen; j++)
            score[j] = dot(wrong.in[1] + r * D, wrong.in[2] + (r / s.seq_q * s.seq_kv + j) * D);
        const part a = part_of(score, v, 0, whole), b = part_of(score, v, whole, seen);
        const double m = fmax(a.m, b.m), of_a = exp(a.m - m), of_b = exp(b.m - m);
        for (int d = 0; d < D; d++)
            wrong.got[r * D + d] = (float)(rule == MEAN && whole < seen ? (a.o[d] / a.l + b.o[d] / b.l) / 2
                                           : whole == seen              ? a.o[d] / a.l
                                           : rule == UNSCALED           ? (a.o[d] + b.o[d]) / (a.l + b.l)
                                                              : (a.o[d] + b.o[d]) / (of_a * a.l + of_b * b.l));
    }
}

static void two_parts_are_named_wherever_they_meet(void **state) {
    (void)state;
    static const char *const words[] = {
        "matches parts that are added without exp(m - M): each part's O and l are relative",
        "matches the plain mean of the parts",
        "matches parts whose O is added without its factor exp(m - M), while l has it"};
    for (int rule = UNSCALED; rule <= L_ALONE_SCALED; rule++) {
        in_two_parts((attn_shape){1, 2, 30, 75, D, 0}, rule);
        is_among_what_fits(words[rule]);
        in_two_parts((attn_shape){1, 2, 30, 75, D, 1}, rule);
        is_among_what_fits(words[rule]);
        is_among_what_fits("(two parts, which meet before key ");
    }
}

// ---- Steps of 8 keys, of which those of the first 32 keys raise the maximum alone

static void not_rescaled_within(int first, attn_shape s) {
    begin(&lab_flash, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int seen = s.causal ? r % s.seq_q + 1 + s.seq_kv - s.seq_q : s.seq_kv;
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        double m = -INFINITY, l = 0, o[D] = {0}, score[MOST];
        for (int j = 0; j < seen; j++) score[j] = dot(wrong.in[1] + r * D, k + j * D);
        for (int j = 0; j < seen; j++) {
            double now = m;
            for (int i = j; j % 8 == 0 && i < j + 8 && i < seen; i++) now = fmax(now, score[i]);
            const double a = j < first || m == -INFINITY ? 1 : exp(m - now), p = exp(score[j] - now);
            l = a * l + p;
            for (int d = 0; d < D; d++) o[d] = a * o[d] + p * v[j * D + d];
            m = now;
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(o[d] / l);
    }
    is_among_what_fits(first == 16   ? "not rescaled when the row maximum grows within the first 16 keys"
                       : first == 32 ? "not rescaled when the row maximum grows within the first 32 keys"
                                     : "not rescaled when the row maximum grows within the first 64 keys");
}

static void a_factor_that_the_first_tile_does_without_is_named(void **state) {
    (void)state;
    for (int first = 16; first <= 64; first *= 2)
        for (int causal = 0; causal < 2; causal++) not_rescaled_within(first, (attn_shape){1, 2, 30, 117, D, causal});
}

// ---- Groups of threads

// Lane t of a warp has the dims t % group, + group, ... of key t / group; distances: a bit each.
static void shuffled(int group, int distances, const char *words) {
    begin(&lab_decode, (attn_shape){2, 2, 1, 150, D, 0});
    for (int head = 0; head < 4; head++) {
        const int length = lab_int_at(wrong.in[4], head / 2);
        const float *q = wrong.in[1] + head * D, *k = wrong.in[2] + head * 150 * D, *v = wrong.in[3] + head * 150 * D;
        double s[MOST], sum = 0, o[D] = {0};
        for (int j = 0; j < length; j += 32 / group) {
            double of[32] = {0};
            for (int t = 0; t < 32 && j + t / group < length; t++)
                for (int d = t % group; d < D; d += group) of[t] += q[d] * k[(j + t / group) * D + d] / sqrt(D);
            for (int step = 1; step < 32; step *= 2) {
                double before[32];
                memcpy(before, of, sizeof of);
                for (int t = 0; t < 32 && distances & step; t++) of[t] += before[t ^ step];
            }
            for (int t = 0; t < 32; t += group)
                if (j + t / group < length) s[j + t / group] = of[t];
        }
        for (int j = 0; j < length; j++) {
            sum += exp(s[j]);
            for (int d = 0; d < D; d++) o[d] += exp(s[j]) * v[j * D + d];
        }
        for (int d = 0; d < D; d++) wrong.got[head * D + d] = length ? (float)(o[d] / sum) : 0;
    }
    if (*words)
        is_among_what_fits(words);
    else
        assert_int_equal(examine().verdict, LAB_PASSED);
}

static void shuffles_that_leave_the_group_are_named(void **state) {
    (void)state;
    shuffled(8, 8 | 16,
             "matches scores whose dims 8 threads of a warp share, with shuffles over 8 and 16 to add them: the "
             "threads of a key are those at distances 1, 2 and 4");
    shuffled(4, 4 | 8 | 16, "4 threads of a warp share, with shuffles over 4, 8 and 16 to add them");
    shuffled(16, 16, "16 threads of a warp share, with shuffles over 16 to add them");
    shuffled(8, 1 | 2 | 4, "");
}

// ---- One thread leaves its dims for all

// Warp w of four has the keys w, w + 4, ... or side by side; of those of the others dim d counts what dim as(d) has.
static void left_by_one(int (*as)(int d), int in_turn, const char *words) {
    begin(&lab_decode, (attn_shape){2, 2, 1, 150, D, 0});
    for (int head = 0; head < 4; head++) {
        const int length = lab_int_at(wrong.in[4], head / 2);
        const float *q = wrong.in[1] + head * D, *k = wrong.in[2] + head * 150 * D, *v = wrong.in[3] + head * 150 * D;
        double sum = 0, o[D] = {0};
        for (int j = 0; j < length; j++) {
            const int own = in_turn ? j % 4 == 0 : j < (length + 3) / 4;
            const double p = exp(dot(q, k + j * D));
            sum += p;
            for (int d = 0; d < D; d++) o[d] += p * v[j * D + (own ? d : as(d))];
        }
        for (int d = 0; d < D; d++) wrong.got[head * D + d] = length ? (float)(o[d] / sum) : 0;
    }
    if (*words)
        is_among_what_fits(words);
    else
        assert_int_equal(examine().verdict, LAB_PASSED);
}

static int itself(int d) { return d; }
static int of_four(int d) { return d % 4; }
static int of_lane_0(int d) { return d / 32 * 32; }

static void the_dims_of_one_thread_for_those_of_all_are_named(void **state) {
    (void)state;
    for (int in_turn = 0; in_turn < 2; in_turn++) {
        left_by_one(of_four, in_turn, "matches the o of one thread, its dims 0 .. 3, taken for that of all threads");
        left_by_one(of_lane_0, in_turn, "matches the o of one thread, its dims 0, 32 .., taken for that of all");
        left_by_one(itself, in_turn, "");
    }
}

// ---- Keys behind the last one that count with a score of 0: who masks with 0 does that, too

static void padding_of_score_0_may_be_a_mask_of_0(void **state) {
    (void)state;
    const attn_shape s = {1, 2, 20, 45, D, 0};
    for (int of = 0; of < 2; of++) {
        begin(&lab_flash, s);
        for (int r = 0; r < s.heads * s.seq_q; r++) {
            double sum = 0;
            for (int j = 0; j < s.seq_kv; j++)
                sum += exp(dot(wrong.in[1] + r * D, wrong.in[2] + (r / s.seq_q * s.seq_kv + j) * D));
            for (int d = 0; d < D; d++) wrong.got[r * D + d] *= (float)(sum / (sum + 3));
        }
        is_among_what_fits(of ? "matches masked scores set to 0" : "matches 3 more keys of score 0 in every row sum");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(two_parts_are_named_wherever_they_meet, release),
        cmocka_unit_test_teardown(a_factor_that_the_first_tile_does_without_is_named, release),
        cmocka_unit_test_teardown(padding_of_score_0_may_be_a_mask_of_0, release),
        cmocka_unit_test_teardown(shuffles_that_leave_the_group_are_named, release),
        cmocka_unit_test_teardown(the_dims_of_one_thread_for_those_of_all_are_named, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
