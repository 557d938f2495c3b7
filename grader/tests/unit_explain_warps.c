// unit_explain_warps.c: what threads, warps and splits have found, joined another way. grader/core: joined.c, left_parts.c,
// reductions.c and online.c of diagnose, the tables of probes_task5_parts.c, op_combine.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

static void a_mean_of_parts_is_named(void **state) {
    (void)state;
    begin_claim("task5", "warps_are_joined");
    const int D = wrong.shape.head_dim, n = wrong.shape.seq_kv, width = 2 + D;
    for (int factors = 0; factors < 2; factors++) {
        double top = -INFINITY;
        for (int w = 0; w < n; w++) top = fmax(top, wrong.in[1][w * width]);
        for (int i = 1; i < width; i++) wrong.got[i] = 0;
        for (int w = 0; w < n; w++) {
            const float *x = wrong.in[1] + w * width;
            const double f = factors ? exp(x[0] - top) : 1;
            wrong.got[1] += (float)f;
            for (int i = 2; i < width; i++) wrong.got[i] += (float)(f * x[i] / x[1]);
        }
        examine();
        assert_says(wrong.text, factors ? "matches parts of o that are divided by their own l before they are added"
                                        : "matches the mean of what each warp has found alone");
    }
}

static void parts_that_are_counted_though_nobody_has_keys_are_named(void **state) {
    (void)state;
    begin_claim("task5", "no_keys_at_all_are_joined");
    wrong.got[1] = 8;
    says("matches the mean of what each warp has found alone");
}

static void an_l_that_begins_anew_with_a_new_maximum_is_named(void **state) {
    (void)state;
    begin_claim("task5", "more_keys_are_added");
    const int width = 2 + wrong.shape.head_dim;
    float m = -INFINITY, l = 0;
    for (int j = 0; j < wrong.shape.seq_kv; j++) {
        const float s = wrong.in[1][j * width];
        l = s > m ? 1 : l + expf(s - m);
        m = fmaxf(m, s);
    }
    wrong.got[1] = l;
    says("matches l = e wherever the maximum grows");
}

// All but the part with the largest m, or L, are left out.
static void the_largest_part_alone_is_named(void **state) {
    (void)state;
    const char *const claims[] = {"warps_are_joined", "splits_are_weighed_and_joined"};
    for (int k = 0; k < 2; k++) {
        begin_claim("task5", claims[k]);
        const int width = 2 + wrong.shape.head_dim;
        const float *x = wrong.in[1];
        for (int j = 1; j < wrong.shape.seq_kv; j++)
            if (wrong.in[1][j * width] > x[0]) x = wrong.in[1] + j * width;
        for (int i = 1; i < width; i++) wrong.got[i] = x[i];
        says(k ? "matches the split with the largest L alone" : "matches the part with the largest m alone");
    }
}

// 4 parts lie in warps 0, 2, 4 and 7. Where the largest m is warp 0's, that one is right.
static void dims_that_are_taken_from_one_warp_each_are_named(void **state) {
    (void)state;
    const char *const claims[] = {"warps_are_joined", "a_warp_without_keys_adds_nothing"};
    for (int k = 0; k < 4; k++) {
        begin_claim("task5", claims[k % 2]);
        const int width = 2 + wrong.shape.head_dim;
        for (int i = 0; i < width; i++) {
            const int d = i - 2, warp = k / 2 || i < 2 ? 0 : d / 32, has = warp == 0 || warp == 2;
            wrong.got[i] = has ? wrong.in[1][(warp / 2) * width + i] : 0;
        }
        if (k == 3)
            is_among_what_fits("matches dim d of warp 0 alone");  // which has the largest m
        else
            says(k == 2 ? "matches dim d of warp 0 alone" : "matches dim d of warp d / WARP alone: each warp has all");
    }
}

// o[d][w] of 8 warps: from dim 8 on nobody knows what is read.
static void exchanged_indices_of_parts_are_named(void **state) {
    (void)state;
    const char *const claims[] = {"warps_are_joined", "no_keys_at_all_are_joined"};
    static const int part_of[8] = {0, -1, 1, -1, 2, -1, -1, 3};  // a warp's
    for (int k = 0; k < 2; k++) {
        begin_claim("task5", claims[k]);
        const int width = 2 + wrong.shape.head_dim;
        const float *x = wrong.in[1];
        for (int d = 0; d < width - 2; d++) {
            double o = d < 8 ? 0 : NAN;
            for (int w = 0; w < 8 && d < 8; w++)
                if (part_of[d] >= 0 && part_of[w] >= 0 && !k)
                    o += exp(x[part_of[w] * width] - wrong.want[0]) * x[part_of[d] * width + 2 + w];
            wrong.got[2 + d] = (float)o;
        }
        says("matches o[d][w] in place of o[w][d]");
    }
    for (int d = 0; d < 8; d++) wrong.got[2 + d] = 1;
    says("all.m and all.l are right, and all.o is NaN or Inf: o is read elsewhere");
}

// Of 11 splits the last 3 are left over.
static void splits_behind_groups_of_4_are_named(void **state) {
    (void)state;
    begin_claim("task5", "splits_are_weighed_and_joined");
    const int width = 2 + wrong.shape.head_dim;
    const float *x = wrong.in[1];
    float top = -INFINITY;
    for (int j = 0; j < 11; j++) top = fmaxf(top, x[j * width]);
    for (int i = 1; i < width; i++) {
        wrong.got[i] = 0;
        for (int j = 0; j < 8; j++) wrong.got[i] += expf(x[j * width] - top) * x[j * width + i];
    }
    says("matches splits behind the last whole group of 4, or behind the first 8, that are left out");
}

// joined all = {m[0], l[0], o[0][d]}, and the loop begins with part 0, too.
static void a_first_part_that_is_added_again_is_named(void **state) {
    (void)state;
    const char *const claims[] = {"warps_are_joined", "a_warp_without_keys_adds_nothing",
                                  "splits_are_weighed_and_joined"};
    for (int k = 0; k < 3; k++) {
        begin_claim("task5", claims[k]);
        for (int i = 1; i < 2 + wrong.shape.head_dim; i++) wrong.got[i] = wrong.want[i] + wrong.in[1][i];
        says(k == 2 ? "matches sums that begin with those of split 0, which the loop adds again: they begin with 0"
                    : "matches sums of l and o that begin with those of warp 0, which the loop adds again");
    }
}

// Splits that have keys count alike, or one alone does.
static void splits_that_are_joined_without_weights_are_named(void **state) {
    (void)state;
    for (int largest = 0; largest < 2; largest++) {
        wrong.extra[0] = 6;
        begin(&lab_combine, (attn_shape){1, 3, 1, 1, 16, 0});
        for (int pair = 0; pair < 2; pair++)  // the last has no keys at all
            for (int d = 0; d < 16; d++) {
                double sum = 0, top = -INFINITY, of_top = 0;
                int n = 0;
                for (int i = pair * 6; i < pair * 6 + 6; i++) {
                    const float L = wrong.in[2][i], o = wrong.in[1][i * 16 + d];
                    if (L > -INFINITY) sum += o, n++;
                    if (L > top) top = L, of_top = o;
                }
                wrong.got[pair * 16 + d] = (float)(largest ? of_top : sum / n);
            }
        says(largest ? "matches O_s of the split with the largest L_s alone" : "matches the plain mean of the parts");
    }
}

static void registers_left_by_one_lane_are_named(void **state) {
    (void)state;
    begin_claim("task5", "all_see_what_a_warp_has_found");
    const int width = 2 + wrong.shape.head_dim;
    for (int e = 0; e < (int)wrong.n; e++)
        if (e % width >= 2) {
            const int d = e % width - 2;
            wrong.got[e] = d < 4 && 32 * d < wrong.shape.head_dim ? (float)wrong.want[e + 31 * d] : NAN;
        }
    says("matches one lane that leaves its registers side by side");
}

// m + log(l) is what a split leaves: with an l beside it, join_warps counts l twice.
static void a_log_sum_exp_that_is_left_beside_l_is_named(void **state) {
    (void)state;
    for (int divided = 0; divided < 2; divided++) {
        begin_claim("task5", "all_see_what_a_warp_has_found");
        const int width = 2 + wrong.shape.head_dim;
        for (int e = 0; e < (int)wrong.n; e++) {
            const float l = (float)wrong.want[e / width * width + 1];
            if (l > 0 && e % width == 0) wrong.got[e] += logf(l);
            if (l > 0 && e % width > 1 && divided) wrong.got[e] /= l;
        }
        says(divided ? "matches m + log(l) as m, and o / l, while l stays: join_warps counts l once more"
                     : "matches m + log(l) as m, while l stays: join_warps counts l once more");
    }
}

// A block of 128 threads, each with a key and a dim: each divides by the sum of its own keys.
static void a_block_whose_threads_keep_their_own_sum_is_named(void **state) {
    (void)state;
    enum { D = 64, SLOTS = 130 };
    begin(&lab_decode, (attn_shape){1, 4, 1, SLOTS, D, 0});
    const int n = lab_int_at(wrong.in[4], 0);
    assert_true(n >= D);
    for (int r = 0; r < 4; r++) {
        const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r * SLOTS * D, *v = wrong.in[3] + r * SLOTS * D;
        double l[128] = {0}, o[D] = {0}, s[SLOTS] = {0};
        for (int j = 0; j < n; j++) {
            for (int d = 0; d < D; d++) s[j] += q[d] * k[j * D + d] / sqrt(D);
            l[j % 128] += exp(s[j]);
            for (int d = 0; d < D; d++) o[d] += exp(s[j]) * v[j * D + d];
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(o[d] / l[d]);
    }
    says("matches a row sum that does not reach every thread: each of 128 threads keeps its own part");
}

// In C the parts are elements of a vector: nothing is said of threads, or of shuffles.
static void parts_of_a_vector_are_no_threads(void **state) {
    (void)state;
    enum { D = 16, KEYS = 40, LANES = 8 };
    begin(&lab_tiled, (attn_shape){1, 2, 4, KEYS, D, 0});
    for (int r = 0; r < 8; r++) {
        const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r / 4 * KEYS * D, *v = wrong.in[3] + r / 4 * KEYS * D;
        double l[LANES] = {0}, o[D] = {0};
        for (int j = 0; j < KEYS; j++) {
            double s = 0;
            for (int d = 0; d < D; d++) s += q[d] * k[j * D + d] / sqrt(D);
            l[j % LANES] += exp(s);
            for (int d = 0; d < D; d++) o[d] += exp(s) * v[j * D + d];
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(o[d] / l[d % LANES]);
    }
    says("matches 8 parts of the keys' sum, of which each is used alone for its columns");
}

// 16 rows of 8 threads, 4 rows in a warp: each lane's number after shuffles over these distances.
static void shuffle(double x[128], int mask, int down, int is_max) {
    for (int first = 0; first < 128; first += 32)
        for (int bit = 16; bit > 0; bit /= 2) {
            double next[32];
            for (int i = 0; i < 32; i++) {
                const int from = !down ? i ^ bit : i + bit < 32 ? i + bit : i;
                const double own = x[first + i], other = x[first + from];
                next[i] = !(mask & bit) ? own : is_max ? fmax(own, other) : own + other;
            }
            memcpy(x + first, next, sizeof next);
        }
}

static void threads_of_a_row_that_meet_those_of_others_are_named(void **state) {
    (void)state;
    static const struct {
        int mask, down;
        const char *words;
    } of[] = {{24, 0, "which joins threads of different rows: the 8 threads of a row lie side"},
              {31, 0, "which joins threads of different rows"},
              {6, 0, "over distances 4 and 2: the 8 threads of a row lie side by side"},
              {7, 1, "by shuffles downwards over distances 4, 2 and 1, which leaves all to the first thread of a row"}};
    for (int k = 0; k < 8; k++) {
        double x[128];
        begin_claim("task4", k < 4 ? "all_threads_of_a_row_have_its_max" : "a_row_is_divided_by_its_sum_and_stored");
        for (int i = 0; i < 128; i++) {
            x[i] = wrong.in[2][k < 4 ? i / 8 : i];
            for (int c = i % 8; k < 4 && c < 24; c += 8) x[i] = fmax(x[i], wrong.in[1][i / 8 * 24 + c]);
        }
        shuffle(x, of[k % 4].mask, of[k % 4].down, k < 4);
        for (size_t i = 0; i < wrong.n; i++) {
            const size_t row = wrong.n / 16;
            if (k < 4)
                wrong.got[i] = isfinite(x[i]) ? (float)x[i] : -100;
            else
                wrong.got[i] = (float)(wrong.in[1][i] / x[i / row * 8 + i % row % 8]);
        }
        is_among_what_fits(of[k % 4].words);
        if (k == 0) assert_says(wrong.text, "over distances of 8 and more");
        if (k == 4) assert_says(wrong.text, "over distances 16 and 8");
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(parts_of_a_vector_are_no_threads),
        CLAIM(a_mean_of_parts_is_named),
        CLAIM(parts_that_are_counted_though_nobody_has_keys_are_named),
        CLAIM(threads_of_a_row_that_meet_those_of_others_are_named),
        CLAIM(an_l_that_begins_anew_with_a_new_maximum_is_named),
        CLAIM(the_largest_part_alone_is_named),
        CLAIM(dims_that_are_taken_from_one_warp_each_are_named),
        CLAIM(exchanged_indices_of_parts_are_named),
        CLAIM(splits_behind_groups_of_4_are_named),
        CLAIM(a_first_part_that_is_added_again_is_named),
        CLAIM(splits_that_are_joined_without_weights_are_named),
        CLAIM(registers_left_by_one_lane_are_named),
        CLAIM(a_log_sum_exp_that_is_left_beside_l_is_named),
        CLAIM(a_block_whose_threads_keep_their_own_sum_is_named),
    };
    return cmocka_run_group_tests_name("explain_warps", claims, NULL, release);
}
