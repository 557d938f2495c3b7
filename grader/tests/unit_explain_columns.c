// unit_explain_columns.c: matrices that are taken for others: column by column, where they lie row by row.
// grader/core: diagnose/rows/layouts.c, diagnose/sums/sums.c.
#include "unit.h"

#include <math.h>

#include "symptom.h"

enum { D = 16 };

// Number d of row i of a head with `rows` of them.
static float number(const float *head, int by_columns, int rows, int i, int d) {
    return by_columns ? head[d * rows + i] : head[i * D + d];
}

static void attention(attn_shape s, int q, int k, int v, int o) {
    begin(&lab_flash, s);
    const int Sq = s.seq_q, Sk = s.seq_kv;
    for (int r = 0; r < s.batch * s.heads * Sq; r++) {
        const int head = r / Sq, i = r % Sq, keys = s.causal ? i + 1 + Sk - Sq : Sk;
        const float *Q = wrong.in[1] + head * Sq * D, *K = wrong.in[2] + head * Sk * D,
                    *V = wrong.in[3] + head * Sk * D;
        double sum = 0, row[D] = {0};
        for (int j = 0; j < keys; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++) dot += number(Q, q, Sq, i, d) * number(K, k, Sk, j, d);
            const double p = exp(dot / sqrt(D));
            sum += p;
            for (int d = 0; d < D; d++) row[d] += p * number(V, v, Sk, j, d);
        }
        for (int d = 0; d < D; d++) wrong.got[head * Sq * D + (o ? d * Sq + i : i * D + d)] = (float)(row[d] / sum);
    }
}

static void tensors_that_are_read_column_by_column_are_named(void **state) {
    (void)state;
    static const struct {
        int q, k, v, o;
        const char *says;
    } rows[] = {{1, 1, 1, 1, "matches all tensors as [B, H, D, S]"},
                {1, 1, 0, 0, "matches Q and K read as [B, H, D, S]"},
                {1, 1, 1, 0, "matches Q, K and V read as [B, H, D, S]"},
                {0, 1, 0, 0, "matches K read as [B, H, D, S]"},
                {0, 1, 1, 0, "matches K and V read as [B, H, D, S]"},
                {0, 0, 1, 0, "matches V read as [B, H, D, S]"},
                {0, 0, 1, 1, "matches V read, and O stored, as [B, H, D, S]"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int way = 0; way < 4; way++) {
            attention((attn_shape){1, 1 + way / 2, 20, 33, D, way % 2}, rows[i].q, rows[i].k, rows[i].v, rows[i].o);
            is_among_what_fits(rows[i].says);
        }
}

// The row of a single query is the same either way: whatever fits is kept, and the other claims tell which it is.
static void a_single_query_leaves_all_layouts_that_fit(void **state) {
    (void)state;
    static const char *const says[] = {"matches Q and K read as", "matches K read as"};
    for (int i = 0; i < 2; i++) {
        attention((attn_shape){1, 2, 1, 33, D, 1}, 1, 1, 0, 0);
        is_among_what_fits(says[i]);
    }
}

static void factors_that_both_lie_column_by_column_are_named(void **state) {
    (void)state;
    begin_claim("task1", "scores_are_scaled_dot_products");
    const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv, n = wrong.shape.head_dim;
    for (int i = 0; i < Sq * Sk; i++) {
        double sum = 0;
        for (int d = 0; d < n; d++) sum += wrong.in[1][d * Sq + i / Sk] * wrong.in[2][d * Sk + i % Sk];
        wrong.got[i] = (float)(sum / sqrt(n));
    }
    says("matches Q[d * Sq + i] and K[d * Sk + j]: both lie row by row, Q[i * D + d] and K[j * D + d]");
    release(NULL);
    begin_claim("task1", "values_are_summed_with_their_weights");
    for (int i = 0; i < wrong.shape.seq_q * wrong.shape.head_dim; i++) {
        double sum = 0;
        for (int j = 0; j < wrong.shape.seq_kv; j++)
            sum += wrong.in[1][j * wrong.shape.seq_q + i / wrong.shape.head_dim] *
                   wrong.in[2][i % wrong.shape.head_dim * wrong.shape.seq_kv + j];
        wrong.got[i] = (float)sum;
    }
    says("matches P[j * Sq + i] and V[d * Sk + j]: both lie row by row, P[i * Sk + j] and V[j * D + d]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(tensors_that_are_read_column_by_column_are_named, release),
        cmocka_unit_test_teardown(a_single_query_leaves_all_layouts_that_fit, release),
        cmocka_unit_test_teardown(factors_that_both_lie_column_by_column_are_named, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
