// unit_explain_factors.c: tiles of keys: another factor where the maximum grows, an l of other numbers, scores that nobody
// computes. grader/core: diagnose/online_factors.c, online_steps.c, unscored.c, scaled_steps.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 24, BR = 8, BC = 16, MOST = 64 };
static const attn_shape FULL = {1, 2, 20, 45, D, 0}, CAUSAL = {1, 2, 33, 45, D, 1};

typedef enum { RIGHT, RATIO, INVERSE, BASE_2, BASE_E, SCALED, UNSCALED, SCALED_2, UNSCALED_2 } factor;

// What is wrong; 0 is right for each.
typedef struct {
    factor of;
    int counts;          // l adds 1 for each key
    int over_width;      // p is divided by the keys of its tile
    int group;           // scores behind whole groups of so many are what lay there
    int hidden_in_l;     // the row sum has them, O has not
    int no_mask;         // what is hidden keeps what lay there
    int each;            // the score is scaled behind each so many dims
    int o_late, l_late;  // multiplied by the factor of the tile before; from_1: which is 1 in the first, and not 0
    int from_1;
} file;

static float factor_of(factor of, float m, float now) {
    if (m == -INFINITY) return 0;
    const float by = now - m;
    return of == RATIO        ? m / now
           : of == INVERSE    ? expf(by)
           : of == BASE_2     ? exp2f(-by)
           : of == BASE_E     ? expf(-by / logf(2))
           : of == SCALED     ? expf(-by / sqrtf(D))
           : of == UNSCALED   ? expf(-by * sqrtf(D))
           : of == SCALED_2   ? expf(-by / sqrtf(D) / logf(2))
           : of == UNSCALED_2 ? exp2f(-by * sqrtf(D))
                              : expf(-by);
}

// A row of a tile of BR queries that walks over tiles of BC keys. place: what lies where the scores go.
static void row(file w, const float *q, const float *K, const float *V, int seen, int end, int keys, float *place,
                float *o) {
    float m = -INFINITY, l = 0, before = 1;
    for (int d = 0; d < D; d++) o[d] = 0;
    for (int from = 0; from < end; from += BC) {
        const int n = from + BC < keys ? BC : keys - from;
        float top = m;
        for (int c = 0; c < (w.group ? n / w.group * w.group : n); c++) {
            float dot = 0;
            for (int d = 0; d < D; d++) {
                dot += q[d] * K[(from + c) * D + d];
                if (w.each && d < D - 1 && (d + 1) % w.each == 0) dot /= sqrtf(D);
            }
            if (from + c < seen)
                place[c] = dot / sqrtf(D);
            else if (w.hidden_in_l)
                place[c] = dot / sqrtf(D);
            else if (!w.no_mask)
                place[c] = -INFINITY;
        }
        for (int c = 0; c < n; c++) top = fmaxf(top, place[c]);
        const float a = factor_of(w.of, m, top);
        l *= w.l_late ? before : a, m = top;
        for (int d = 0; d < D; d++) o[d] *= w.o_late ? before : a;
        before = w.from_1 && !from ? 1 : a;
        for (int c = 0; c < n; c++) {
            place[c] = expf(place[c] - m) / (w.over_width ? n : 1);
            l += w.counts ? 1 : place[c];
            for (int d = 0; d < D && !(w.hidden_in_l && from + c >= seen); d++)
                o[d] += place[c] * V[(from + c) * D + d];
        }
    }
    for (int d = 0; d < D; d++) o[d] /= l;
}

static void tiled_says(attn_shape s, file w, const char *words) {
    float place[BR][BC];
    begin(&lab_tiled, s);
    for (int r = 0; r < BR; r++)
        for (int c = 0; c < BC; c++) place[r][c] = 0.1f * (float)((5 * r + 3 * c) % 11);
    for (int i = 0; i < s.heads * s.seq_q; i++) {
        const int query = i % s.seq_q, next = query / BR * BR + BR, head = i / s.seq_q * s.seq_kv * D;
        const int last = (next < s.seq_q ? next : s.seq_q) + s.seq_kv - s.seq_q;
        row(w, wrong.in[1] + i * D, wrong.in[2] + head, wrong.in[3] + head,
            s.causal ? query + 1 + s.seq_kv - s.seq_q : s.seq_kv, s.causal ? last : s.seq_kv, s.seq_kv,
            place[query % BR], wrong.got + i * D);
    }
    wrong.extra[0] = BR, wrong.extra[1] = BC;
    says(words);
}

static void the_right_tiles_are_right(void **state) {
    (void)state;
    tiled_says(FULL, (file){.of = RIGHT}, "");
    assert_string_equal(wrong.text, "");
    tiled_says(CAUSAL, (file){.of = RIGHT}, "");
    assert_string_equal(wrong.text, "");
}

static void another_factor_is_named(void **state) {
    (void)state;
    tiled_says(FULL, (file){.of = RATIO}, "matches a factor of l and O that is m_old / m_new");
    tiled_says(CAUSAL, (file){.of = INVERSE}, "matches a factor of l and O that is exp(m_new - m_old)");
    tiled_says(FULL, (file){.of = BASE_2}, "matches a factor of l and O that is 2^(m_old - m_new)");
    tiled_says(FULL, (file){.of = BASE_E},
               "matches a factor of l and O that is exp(m_old - m_new) of maxima in base 2");
    tiled_says(CAUSAL, (file){.of = SCALED}, "matches a factor of l and O that is exp((m_old - m_new) / sqrt(D))");
    tiled_says(FULL, (file){.of = UNSCALED}, "matches a factor of l and O that is exp(m_old - m_new) of maxima");
    tiled_says(CAUSAL, (file){.of = SCALED_2},
               "that is exp2((m_old - m_new) * scale): it is exp(m_old - m_new), as the");
    tiled_says(FULL, (file){.of = UNSCALED_2}, "that is exp2(m_old - m_new) of maxima that are not scaled");
}

static void an_l_that_counts_keys_is_named(void **state) {
    (void)state;
    tiled_says(FULL, (file){.counts = 1}, "matches l that counts keys");
    tiled_says(CAUSAL, (file){.counts = 1}, "matches l that counts keys");
}

static void hidden_keys_in_the_row_sum_are_named(void **state) {
    (void)state;
    tiled_says(CAUSAL, (file){.hidden_in_l = 1},
               "matches a mask applied after the softmax: masked scores are still in the row sum");
}

static void weights_over_the_width_of_a_tile_are_named(void **state) {
    (void)state;
    tiled_says(FULL, (file){.over_width = 1}, "matches p divided by the number of keys of its tile");
}

static void scores_that_nobody_computes_are_named(void **state) {
    (void)state;
    tiled_says(FULL, (file){.group = 8}, "not computed behind the last whole group of 8 keys");
    tiled_says((attn_shape){1, 2, 20, 47, D, 0}, (file){.group = 4},
               "not computed behind the last whole group of 4 keys");
    tiled_says((attn_shape){1, 2, 33, 47, D, 1}, (file){.group = 4},
               "not computed behind the last whole group of 4 keys");
}

static void hidden_keys_that_keep_what_lay_there_are_named(void **state) {
    (void)state;
    tiled_says(CAUSAL, (file){.no_mask = 1}, "matches hidden keys whose places keep what lay there");
}

static void scores_that_are_scaled_in_each_step_are_named(void **state) {
    (void)state;
    tiled_says(FULL, (file){.each = 16}, "matches scores that are multiplied by 1/sqrt(D) behind each 16 of the D");
    tiled_says(CAUSAL, (file){.each = 8}, "matches scores that are multiplied by 1/sqrt(D) behind each 8 of the D");
}

static void a_factor_that_comes_one_tile_late_is_named(void **state) {
    (void)state;
    for (int from_1 = 0; from_1 < 2; from_1++) {
        tiled_says(FULL, (file){.o_late = 1, .from_1 = from_1},
                   "matches O that is rescaled one tile late, by the factor of the tile before, while l");
        tiled_says(CAUSAL, (file){.l_late = 1, .from_1 = from_1},
                   "matches l that is rescaled one tile late, by the factor of the tile before, while O");
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_right_tiles_are_right),
        CLAIM(another_factor_is_named),
        CLAIM(an_l_that_counts_keys_is_named),
        CLAIM(hidden_keys_in_the_row_sum_are_named),
        CLAIM(weights_over_the_width_of_a_tile_are_named),
        CLAIM(scores_that_nobody_computes_are_named),
        CLAIM(hidden_keys_that_keep_what_lay_there_are_named),
        CLAIM(scores_that_are_scaled_in_each_step_are_named),
        CLAIM(a_factor_that_comes_one_tile_late_is_named),
    };
    return cmocka_run_group_tests_name("explain_factors", claims, NULL, release);
}
