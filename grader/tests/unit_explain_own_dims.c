// unit_explain_own_dims.c: a TODO whose work the threads share by another rule: whose dims, whose keys, whose part.
// grader/core: probes_task4.c, probes_task4_rows.c, probes_task5.c, diagnose/cache/taken.c, rows/divisor.c, joined_dims.c.
#include "unit.h"

#include <math.h>

#include "symptom.h"

static void reciprocals_that_are_added_up_are_named(void **state) {
    (void)state;
    begin_claim("task4", "rows_that_do_not_exist_are_not_stored");
    const int D = wrong.shape.head_dim, threads = 8;
    for (int i = 0; i < (int)wrong.n; i++) {
        float factor = 0;
        for (int t = 0; t < threads; t++) factor += 1 / wrong.in[2][i / D * threads + t];
        wrong.got[i] = wrong.in[1][i] * factor;
    }
    says("matches 1 / l of each thread, and the 8 of them added up");
}

// Thread t has the keys t, t + 8, ... or all, and the dims t, t + 8, ...; what it has is added up: alone, or with o.
static void dims_that_row_sum_adds_up_are_named(void **state) {
    (void)state;
    for (int way = 0; way < 8; way++) {
        const int own = way & 1, with_o = way & 2, threads = 8, keys = 24;
        begin_claim("task4", way & 4 ? "values_are_added_with_their_weights" : "a_register_tile_of_values");
        const int D = wrong.shape.head_dim;
        for (int i = 0; i < (int)wrong.n; i++) {
            const int r = i / D;
            wrong.got[i] = with_o ? 0 : wrong.in[3][i];
            for (int t = 0; t < threads; t++) {
                const int d = i % D - i % threads + t;
                float part = with_o ? wrong.in[3][r * D + d] : 0;
                for (int c = 0; c < keys; c++)
                    if (!own || c % threads == t) part += wrong.in[1][r * keys + c] * wrong.in[2][c * D + d];
                wrong.got[i] += part;
            }
        }
        says(own ? "matches keys that are shared out over the 8 threads, and what they have added up by row_sum"
                 : "matches o[e] of all 8 threads added up by row_sum: these are 8 different dims");
    }
}

// Of its own dims each thread adds up its share of the keys, and nobody adds what the others have.
static void keys_that_no_thread_adds_up_are_named(void **state) {
    (void)state;
    begin_claim("task4", "a_register_tile_of_values");
    const int D = wrong.shape.head_dim, threads = 8, keys = 24;
    for (int i = 0; i < (int)wrong.n; i++) {
        wrong.got[i] = wrong.in[3][i];
        for (int c = i % D % threads; c < keys; c += threads)
            wrong.got[i] += wrong.in[1][i / D * keys + c] * wrong.in[2][c * D + i % D];
    }
    says("matches sums over the keys t, t + 8, ... alone");
}

// The block of sequence b is taken for one of head b % H; of one sequence it may be an offset without h, too.
static void a_block_that_stores_one_head_is_named(void **state) {
    (void)state;
    static const char sentence[] = "matches one head of each sequence that is stored, head b % H, and no other";
    for (int last = 0; last < 2; last++) {
        begin_claim("task5", last ? "a_token_lands_in_the_last_slot" : "a_token_lands_in_its_slot");
        const int H = wrong.shape.heads, of_head = wrong.shape.seq_kv * wrong.shape.head_dim;
        for (int i = 0; i < (int)wrong.n; i++)
            if (i / of_head % H != i / of_head / H % H) wrong.got[i] = wrong.in[1][i];
        is_among_what_fits(sentence);
    }
    begin_claim("task5", "a_token_lands_in_its_slot");  // each sequence stores head 0
    const int of_head = wrong.shape.seq_kv * wrong.shape.head_dim;
    for (int i = 0; i < (int)wrong.n; i++)
        if (i / of_head % wrong.shape.heads) wrong.got[i] = wrong.in[1][i];
    assert_int_equal(sentences_that_fit(sentence), 0);
}

static void a_lane_that_goes_over_all_dims_is_named(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        begin_claim("task5", way & 1 ? "a_lane_multiplies_its_own_dims" : "a_lane_stops_at_the_last_dim");
        const int D = wrong.shape.head_dim;
        for (int i = 0; i < (int)wrong.n; i++) {
            wrong.got[i] = 0;
            for (int d = 0; d < D; d++) {
                const int of_q = i % 32 + 32 * (way & 2 ? d % 4 : d / 32);
                wrong.got[i] += (of_q < D ? wrong.in[1][of_q] : NAN) * wrong.in[2][i / 32 * D + d];
            }
        }
        if (way != 2) says("matches each lane going over all D dims of the key");  // there all lanes give NaN
    }
}

// ---- The same in files of their own, by the rows of attention

enum { D = 40, KEYS = 45, LANES = 8 };

static void rows_whose_threads_have_other_dims_are_named(void **state) {
    (void)state;
    for (int way = 0; way < 5; way++) {  // 0: 1 / l of each thread; 1 and 3: own keys; 3 and 4: dims side by side
        begin(&lab_flash, (attn_shape){1, 2, 20, KEYS, D, 0});
        for (int r = 0; r < (int)wrong.n / D; r++) {
            const float *k = wrong.in[2] + r / 20 * KEYS * D, *v = wrong.in[3] + r / 20 * KEYS * D;
            double p[KEYS], l[LANES] = {0}, sum = 0, inverse = 0;
            for (int j = 0; j < KEYS; j++) {
                double s = 0;
                for (int d = 0; d < D; d++) s += wrong.in[1][r * D + d] * k[j * D + d] / sqrt(D);
                p[j] = exp(s), l[j % LANES] += p[j], sum += p[j];
            }
            double max = 0;
            for (int j = 0; j < KEYS; j++) max = fmax(max, p[j]);
            for (int t = 0; t < LANES; t++) inverse += max / l[t];
            for (int d = 0; d < D; d++) {
                double o = way ? 0 : wrong.want[r * D + d] * sum / max * inverse;
                for (int t = 0; way && t < LANES; t++) {
                    const int of = way > 2 ? t * (D / LANES) + d % (D / LANES) : d - d % LANES + t;
                    for (int j = 0; j < KEYS; j++)
                        if (of < D && (way % 2 == 0 || j % LANES == t)) o += p[j] / sum * v[j * D + of];
                }
                wrong.got[r * D + d] = (float)o;
            }
        }
        is_among_what_fits(way == 0  ? "matches 1 / l of each of 8 threads, added up"
                           : way % 2 ? "matches keys of P V that 8 threads share, and what they have added up"
                                     : "matches dims of O that 8 threads add up");
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(reciprocals_that_are_added_up_are_named), CLAIM(dims_that_row_sum_adds_up_are_named),
        CLAIM(keys_that_no_thread_adds_up_are_named),   CLAIM(a_block_that_stores_one_head_is_named),
        CLAIM(a_lane_that_goes_over_all_dims_is_named), CLAIM(rows_whose_threads_have_other_dims_are_named),
    };
    return cmocka_run_group_tests_name("explain_own_dims", claims, NULL, release);
}
