// unit_explain_formulas.c: a step that is another formula as a whole: one sum for all rows of a softmax, a sum joined by
// something else, the largest size; and rows that belong to nobody. grader/core: diagnose/one_sum.c, folded.c, displaced.c,
// probes_task1_softmax.c, op_mha.c, op_softmax.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 24, MOST = 64 };
static const attn_shape ROWS = {1, 1, 9, 13, 8, 0};

static void a_softmax_with_one_sum_is_named(void **state) {
    (void)state;
    for (int own_max = 0; own_max < 2; own_max++) {
        begin(&lab_softmax_rows, ROWS);
        double sum = 0, m[MOST], all = -INFINITY;
        for (int r = 0; r < ROWS.seq_q; r++) {
            m[r] = -INFINITY;
            for (int c = 0; c < ROWS.seq_kv; c++) m[r] = fmax(m[r], wrong.in[1][r * ROWS.seq_kv + c]);
            all = fmax(all, m[r]);
        }
        for (int i = 0; i < (int)wrong.n; i++) sum += exp(wrong.in[1][i] - (own_max ? m[i / ROWS.seq_kv] : all));
        for (int i = 0; i < (int)wrong.n; i++)
            wrong.got[i] = (float)(exp(wrong.in[1][i] - (own_max ? m[i / ROWS.seq_kv] : all)) / sum);
        says("matches a division by one sum over all rows");
    }
}

static void a_row_that_is_divided_by_0_is_named(void **state) {
    (void)state;
    begin(&lab_softmax_rows, ROWS);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = INFINITY;
    says("each row is divided by 0, or by what is as small");
}

static void rows_of_zeros_have_no_sum(void **state) {
    (void)state;
    begin(&lab_softmax_rows, ROWS);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = 0;
    examine();
    assert_null(strstr(wrong.text, "one sum over all rows"));
}

// ---- Single steps

static void a_sum_that_is_joined_otherwise_is_named(void **state) {
    (void)state;
    for (int largest = 0; largest < 2; largest++) {
        begin_claim("task1", "values_are_summed_with_their_weights");
        const int width = wrong.shape.head_dim, Sk = wrong.shape.seq_kv;
        for (int i = 0; i < (int)wrong.n; i++) {
            float o = !largest;
            for (int j = 0; j < Sk; j++) {
                const float term = wrong.in[1][i / width * Sk + j] * wrong.in[2][j * width + i % width];
                o = largest ? fmaxf(o, term) : o * term;
            }
            wrong.got[i] = o;
        }
        says(largest ? "matches the largest of all P * V" : "matches the product of all P * V");
    }
}

static void a_maximum_of_finite_sizes_is_named(void **state) {
    (void)state;
    static const char *const claims[] = {"each_row_has_its_own_maximum", "masked_scores_are_no_maximum"};
    for (int i = 0; i < 4; i++) {
        begin_claim("task1", claims[i / 2]);
        const int cols = wrong.shape.seq_kv;
        for (int r = 0; r < wrong.shape.seq_q; r++) {
            float m = i % 2 ? 0 : fabsf(wrong.in[1][r * cols]);
            for (int c = 0; c < cols; c++)
                if (isfinite(wrong.in[1][r * cols + c])) m = fmaxf(m, fabsf(wrong.in[1][r * cols + c]));
            wrong.got[r] = m;
        }
        says("matches the largest |s|");
    }
}

// All sequences of the batch as one.
static void a_batch_that_is_one_sequence_is_named(void **state) {
    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        begin(&lab_mha, (attn_shape){3, 2, 6, 6, 8, causal});
        const attn_shape one = {1, 2, 18, 18, 8, causal};
        double out[18 * 16];
        lab_mha.oracle(one, wrong.extra, (const float *const *)wrong.in, LAB_NO_MISTAKE, out);
        hand_in(out), says("matches one sequence of batch * seq tokens");
    }
}

// A row of 3 E numbers: q, k and v one after the other, or a head's side by side.
static void rows_of_q_k_and_v_that_are_taken_for_the_others_are_named(void **state) {
    (void)state;
    enum { H = 2, S = 5, W = 8, E = H * W };
    for (int by_head = 0; by_head < 2; by_head++) {
        begin(&lab_mha, (attn_shape){1, H, S, S, W, 0});
        float row[S][3 * E], part[3][H * S * W];
        double o[H * S * W];
        for (int t = 0; t < 3; t++)
            for (int s = 0; s < S; s++)
                for (int e = 0; e < E; e++) {
                    float x = 0;
                    for (int f = 0; f < E; f++) x += wrong.in[1][s * E + f] * wrong.in[2 + t][e * E + f];
                    row[s][by_head ? t * E + e : (e / W * 3 + t) * W + e % W] = x;
                }
        for (int t = 0; t < 3; t++)
            for (int i = 0; i < H * S * W; i++) {
                const int h = i / W / S, s = i / W % S, d = i % W;
                part[t][i] = row[s][by_head ? (3 * h + t) * W + d : t * E + h * W + d];
            }
        const float *const qkv[] = {NULL, part[0], part[1], part[2]};
        lab_sdpa.oracle((attn_shape){1, H, S, S, W, 0}, wrong.extra, qkv, LAB_NO_MISTAKE, o);
        for (int s = 0; s < S; s++)
            for (int e = 0; e < E; e++) {
                float y = 0;
                for (int f = 0; f < E; f++) y += (float)o[(f / W * S + s) * W + f % W] * wrong.in[5][e * E + f];
                wrong.got[s * E + e] = y;
            }
        says(by_head ? "matches q, k and v of head h that are looked for at 3 h D, (3 h + 1) D and (3 h + 2) D of a row"
                     : "matches q, k and v of head h that are looked for at h D, E + h D and 2 E + h D of a row");
    }
}

// Each exponential with the maximum up to its column, and the sum as an online softmax has it.
static void exponentials_of_the_maximum_so_far_are_named(void **state) {
    (void)state;
    for (int rescaled = 0; rescaled < 2; rescaled++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, 9, 40, 8, 0});
        for (int r = 0; r < 9; r++) {
            float m = -INFINITY, l = 0, *p = wrong.got + r * 40;
            for (int c = 0; c < 40; c++) {
                const float old = m, x = wrong.in[1][r * 40 + c];
                m = fmaxf(m, x), p[c] = expf(x - m);
                l = l * (rescaled ? expf(old - m) : 1) + p[c];
            }
            for (int c = 0; c < 40; c++) p[c] /= l;
        }
        says(rescaled ? "a sum that is rescaled each time" : "exponentials taken with the largest score so far");
    }
}

// 45 = 2 * 22 + 1, 22 = 2 * 11, 11 = 2 * 5 + 1: of halves the last ones are lost.
static void a_sum_by_halves_is_named(void **state) {
    (void)state;
    begin(&lab_softmax_rows, (attn_shape){1, 1, 9, 45, 8, 0});
    for (int r = 0; r < 9; r++) {
        float x[45], *p = wrong.got + r * 45;
        for (int c = 0; c < 45; c++) x[c] = p[c];
        for (int half = 45 / 2; half > 0; half /= 2)
            for (int c = 0; c < half; c++) x[c] += x[c + half];
        for (int c = 0; c < 45; c++) p[c] /= x[0];
    }
    says("matches a row sum by halves");
}

// (1 + x / 32)^32, or three terms of the series, where exp(x) is meant.
static double near_exp(int series, double x) {
    return series ? 1 + x * (1 + x / 2 * (1 + x / 3)) : x < -32 ? 0 : pow(1 + x / 32, 32);
}

static void an_approximation_of_exp_is_named(void **state) {
    (void)state;
    static const char *const words[] = {"matches (1 + x / 32)^32 in place of exp(x)", "as far as x^3 / 3!"};
    for (int series = 0; series < 2; series++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, 9, 40, 8, 0});
        for (int i = 0; i < 9 * 40; i++) {
            const float *x = wrong.in[1] + i / 40 * 40;
            double m = -INFINITY, l = 0;
            for (int c = 0; c < 40; c++) m = fmax(m, x[c]);
            for (int c = 0; c < 40; c++) l += near_exp(series, x[c] - m);
            wrong.got[i] = (float)(near_exp(series, x[i % 40] - m) / l);
        }
        says(words[series]);
        for (int parts = 0; parts < 2; parts++) {
            begin(&lab_tiled, (attn_shape){1, 2, 9, 30, D, 1});
            wrong.extra[0] = 4, wrong.extra[1] = 8;
            for (int i = 0; i < 2 * 9; i++) {
                const float *q = wrong.in[1] + i * D, *k = wrong.in[2] + i / 9 * 30 * D,
                            *v = wrong.in[3] + i / 9 * 30 * D;
                double m = -INFINITY, l = 0, o[D] = {0}, s[30];
                const int seen = i % 9 + 22;
                for (int from = 0; from < seen; from += 8) {
                    double most = -INFINITY;
                    const int end = from + 8 < seen ? from + 8 : seen;
                    for (int j = from; j < end; j++) {
                        s[j] = 0;
                        for (int d = 0; d < D; d++) s[j] += q[d] * k[j * D + d] / sqrt(D);
                        most = fmax(most, s[j]);
                    }
                    const double old = m;
                    m = fmax(m, most);
                    const double own = parts ? most : m;
                    for (int d = 0; d < D; d++) o[d] *= from ? near_exp(series, old - m) : 0;
                    l *= from ? near_exp(series, old - m) : 0;
                    for (int j = from; j < end; j++) {
                        const double p = near_exp(series, s[j] - own) * (parts ? near_exp(series, most - m) : 1);
                        l += p;
                        for (int d = 0; d < D; d++) o[d] += p * v[j * D + d];
                    }
                }
                for (int d = 0; d < D; d++) wrong.got[i * D + d] = (float)(o[d] / l);
            }
            says(words[series]);
        }
    }
}

static void an_input_that_is_added_is_named(void **state) {
    (void)state;
    begin(&lab_mha, (attn_shape){2, 2, 5, 5, 8, 0});
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] += wrong.in[1][i];
    says("matches Y with X added to it");
}

// With large scores many rows are the value of one key, and then of the same one.
static void a_row_that_is_one_value_belongs_to_nobody(void **state) {
    (void)state;
    begin(&lab_tiled, (attn_shape){1, 2, 24, 40, D, 0});
    for (int r = 0; r < 2 * 24; r++)
        for (int d = 0; d < D; d++) {
            const int key = r % 24 / 2;  // of every two rows the same key; the second half gets another one
            const float *V = wrong.in[3] + r / 24 * 40 * D;
            wrong.want[r * D + d] = V[key * D + d];
            wrong.got[r * D + d] = V[(r % 24 < 12 ? key : key - 6) * D + d];
        }
    examine();
    assert_null(strstr(wrong.text, "rows in other places"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_softmax_with_one_sum_is_named),
        CLAIM(a_row_that_is_divided_by_0_is_named),
        CLAIM(rows_of_zeros_have_no_sum),
        CLAIM(a_sum_that_is_joined_otherwise_is_named),
        CLAIM(a_maximum_of_finite_sizes_is_named),
        CLAIM(a_batch_that_is_one_sequence_is_named),
        CLAIM(rows_of_q_k_and_v_that_are_taken_for_the_others_are_named),
        CLAIM(exponentials_of_the_maximum_so_far_are_named),
        CLAIM(a_sum_by_halves_is_named),
        CLAIM(an_approximation_of_exp_is_named),
        CLAIM(an_input_that_is_added_is_named),
        CLAIM(a_row_that_is_one_value_belongs_to_nobody),
    };
    return cmocka_run_group_tests_name("explain_formulas", claims, NULL, release);
}
