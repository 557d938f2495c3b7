// unit_explain_states.c: tiled attention that joins two states (m, l, O), each relative to its own maximum, by other
// factors: of l alone, as where a second walk adds the values, or of both.
// And one state for all rows of a tile of queries. grader/core: diagnose/online_joins.c, diagnose/tile_pooled.c.
#include "unit.h"

#include <math.h>

#include "symptom.h"

enum { TILE = 16, D = 24 };

typedef struct {
    double m, l, o[D];
} state;

static state of_tile(const float *q, const float *k, const float *v, int n) {
    state t = {.m = -INFINITY};
    double s[TILE];
    for (int j = 0; j < n; j++) {
        s[j] = 0;
        for (int d = 0; d < D; d++) s[j] += (double)q[d] * k[j * D + d] / sqrt(D);
        t.m = fmax(t.m, s[j]);
    }
    for (int j = 0; j < n; j++) {
        t.l += exp(s[j] - t.m);
        for (int d = 0; d < D; d++) t.o[d] += exp(s[j] - t.m) * v[j * D + d];
    }
    return t;
}

typedef enum { RIGHT, BY_OLD, BY_TILE, CROSSWISE, BY_NONE } way;

static state join(way how, int of_both, state a, state b) {
    if (a.l == 0) return b;
    state c = {.m = fmax(a.m, b.m)};
    const double old = exp(a.m - c.m), tile = exp(b.m - c.m);
    const double x = how == BY_TILE || how == CROSSWISE ? tile : how == BY_NONE ? 1 : old;
    const double y = how == BY_OLD || how == CROSSWISE ? old : how == BY_NONE ? 1 : tile;
    c.l = x * a.l + y * b.l;
    for (int d = 0; d < D; d++) c.o[d] = (of_both ? x : old) * a.o[d] + (of_both ? y : tile) * b.o[d];
    return c;
}

static void joined(way how, int of_both) {
    const attn_shape s = {1, 2, 20, 75, D, 0};
    begin(&lab_tiled, s);
    wrong.extra[0] = wrong.extra[1] = TILE;
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        state all = {0};
        for (int j = 0; j < s.seq_kv; j += TILE)
            all = join(how, of_both, all,
                       of_tile(wrong.in[1] + r * D, k + j * D, v + j * D, s.seq_kv - j < TILE ? s.seq_kv - j : TILE));
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(all.o[d] / all.l);
    }
}

static void states_joined_by_other_factors_are_named(void **state) {
    (void)state;
    static const struct {
        way how;
        int of_both;
        const char *says;
    } all[] = {{BY_OLD, 0, "matches l of a tile joined by the factor of those before"},
               {BY_TILE, 0, "matches l of the tiles before joined by the factor of the tile"},
               {CROSSWISE, 0, "matches l joined crosswise"},
               {BY_NONE, 0, "matches l to which each tile's sum is added as it is"},
               {BY_OLD, 1, "matches l and O of a tile joined by the factor of those before"},
               {BY_TILE, 1, "matches l and O of the tiles before joined by the factor of the tile"},
               {CROSSWISE, 1, "matches l and O joined crosswise"},
               {BY_NONE, 1, "without exp(m - M)"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        joined(all[i].how, all[i].of_both);
        is_among_what_fits(all[i].says);
        release(NULL);
    }
    joined(RIGHT, 1);
    assert_int_equal(examine().verdict, LAB_PASSED);
}

// The rows of a tile of so many queries share one state.
static void pooled(const lab_op *op, int rows, int causal) {
    const attn_shape s = {1, 2, 40, 45, D, causal};
    begin(op, s);
    if (op == &lab_tiled) wrong.extra[0] = rows, wrong.extra[1] = TILE;
    for (int n = 0; n < s.heads * s.seq_q; n++) {
        const int h = n / s.seq_q, first = n % s.seq_q / rows * rows,
                  end = first + rows < s.seq_q ? first + rows : s.seq_q;
        state all = {0};
        for (int i = first; i < end; i++) {
            const int seen = causal ? i + s.seq_kv - s.seq_q + 1 : s.seq_kv;
            for (int j = 0; j < seen; j++) {
                const size_t at = ((size_t)h * s.seq_kv + j) * D;
                all = join(RIGHT, 1, all,
                           of_tile(wrong.in[1] + ((size_t)h * s.seq_q + i) * D, wrong.in[2] + at, wrong.in[3] + at, 1));
            }
        }
        for (int d = 0; d < D; d++) wrong.got[n * D + d] = (float)(all.o[d] / all.l);
    }
}

static void one_state_of_a_tile_of_queries_is_named(void **state) {
    (void)state;
    static const char words[] = "matches one m, l and O for all rows of a tile of queries";
    pooled(&lab_tiled, 8, 0), is_among_what_fits(words), release(NULL);
    pooled(&lab_tiled, 24, 1), is_among_what_fits(words), release(NULL);
    pooled(&lab_flash, 16, 1), is_among_what_fits(words), release(NULL);
    pooled(&lab_tiled, 1, 1);
    assert_int_equal(examine().verdict, LAB_PASSED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(states_joined_by_other_factors_are_named, release),
        cmocka_unit_test_teardown(one_state_of_a_tile_of_queries_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_states", tests, NULL, NULL);
}
