// unit_explain_shared_out.c: work that threads, warps or tensors share by other rules. grader/core: diagnose/part_walks.c,
// turned_tiles.c, dealt_dims.c, neighbours.c, layouts.c, seen_keys.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 64, MOST = 400 };

static double dot(const float *q, const float *k) {
    double sum = 0;
    for (int d = 0; d < D; d++) sum += (double)q[d] * k[d];
    return sum / sqrt(D);
}

static double largest(const double *s, int from, int to) {
    double max = -INFINITY;
    for (int j = from; j < to; j++) max = fmax(max, s[j]);
    return max;
}

static double faded(double from, double to) { return from == -INFINITY ? 0 : exp(from - to); }

// ---- Warps that go through their keys, and are joined

// What a warp does not do when its maximum grows.
enum { NEITHER, O_KEPT, L_KEPT, SUMS_ADDED };

// `round` keys go to each of n warps in turn, or each has its keys side by side.
static void walked(int n, int round, int side, int step) {
    static double s[MOST];
    begin(&lab_decode, (attn_shape){2, 2, 1, 170, D, 0});
    for (int head = 0; head < 4; head++) {
        const int length = lab_int_at(wrong.in[4], head / 2), share = (length + n - 1) / n;
        const float *q = wrong.in[1] + head * D, *k = wrong.in[2] + head * 170 * D, *v = wrong.in[3] + head * 170 * D;
        for (int j = 0; j < length; j++) s[j] = dot(q, k + j * D);
        const double top = largest(s, 0, length);
        double sum = 0, o[D] = {0};
        for (int i = 0; i < n; i++) {
            const int begins = i * (side ? share : round),
                      ends = side && begins + share < length ? begins + share : length;
            double m = -INFINITY, l = 0, of_warp[D] = {0};
            for (int from = begins; from < ends; from += side ? round : n * round) {
                const int to = from + round < ends ? from + round : ends;
                const double of_tile = largest(s, from, to), now = fmax(m, of_tile), a = faded(m, now);
                l *= step == O_KEPT ? a : 1;
                for (int j = from; j < to; j++) l += exp(s[j] - (step == SUMS_ADDED ? of_tile : now));
                for (int d = 0; d < D; d++) {
                    of_warp[d] *= step == L_KEPT ? a : 1;
                    for (int j = from; j < to; j++) of_warp[d] += exp(s[j] - now) * v[j * D + d];
                }
                m = now;
            }
            sum += faded(m, top) * l;
            for (int d = 0; d < D; d++) o[d] += faded(m, top) * of_warp[d];
        }
        for (int d = 0; d < D; d++) wrong.got[head * D + d] = length ? (float)(o[d] / sum) : 0;
    }
}

static void steps_that_are_wrong_within_warps_are_named(void **state) {
    (void)state;
    static const char *const words[] = {"matches O and l that are not rescaled by exp(m_old - m_new)",
                                        "matches O that is not rescaled by exp(m_old - m_new)",
                                        "matches l that is not rescaled by exp(m_old - m_new)",
                                        "matches O and l that are not rescaled by exp(m_old - m_new)"};
    for (int step = NEITHER; step <= SUMS_ADDED; step++)
        for (int side = 0; side < 2; side++) {
            walked(4, 16, side, step);
            is_among_what_fits(words[step]);
            walked(8, 8, side, step);
            is_among_what_fits(side ? " (within each of 8 parts of keys that lie side by side, 8 at a time)"
                                    : " (within each of 8 parts, which take 8 keys each in turn)");
        }
}

// ---- Other numbers of q, k and v

typedef float number_of(const float *x, int keys, int j, int d);

static float as_it_is(const float *x, int keys, int j, int d) {
    (void)keys;
    return x[j * D + d];
}

// A tile of 32 keys.
static float by_columns(const float *x, int keys, int j, int d) {
    const int at = d * 32 + j % 32, key = j / 32 * 32 + at / D;
    return key < keys ? x[key * D + at % D] : 0;
}

static float by_rows(const float *x, int keys, int j, int d) {
    const int at = j % 32 * D + d, key = j / 32 * 32 + at % 32;
    return key < keys ? x[key * D + at / 32] : 0;
}

static float side_by_side(const float *x, int keys, int j, int d) {  // with what 8 threads take in turn
    (void)keys;
    const int piece = d / 4, lane = piece % 8, i = piece / 8;
    return x[j * D + (lane * (D / 32) + i) * 4 + d % 4];
}

// side: keys that a thread has side by side; 0: all keys are added to each dim.
static void taken(const lab_op *op, attn_shape shape, number_of *k, number_of *v, int lanes, int side) {
    begin(op, shape);
    for (int r = 0; r < (int)(wrong.n / D); r++) {
        const int head = r / shape.seq_q,
                  of = op == &lab_decode ? lab_int_at(wrong.in[4], head / shape.heads) : shape.seq_kv,
                  keys = shape.causal ? r % shape.seq_q + 1 + shape.seq_kv - shape.seq_q : of;
        const float *K = wrong.in[2] + head * shape.seq_kv * D, *V = wrong.in[3] + head * shape.seq_kv * D;
        double sum = 0, o[D] = {0};
        for (int j = 0; j < keys; j++) {
            float key[D];
            for (int d = 0; d < D; d++) key[d] = k(K, of, j, d);
            const double p = exp(dot(wrong.in[1] + r * D, key));
            sum += p;
            for (int d = 0; d < D; d++)
                if (!side || j / side % lanes == d / 4 % lanes) o[d] += p * v(V, of, j, d);
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = keys ? (float)(o[d] / sum) : 0;
    }
}

static void tiles_that_are_read_by_columns_are_named(void **state) {
    (void)state;
    static const attn_shape shapes[] = {{1, 2, 40, 77, D, 0}, {1, 2, 40, 77, D, 1}, {1, 1, 1, 1, D, 0}};
    for (int i = 0; i < 3; i++) {
        taken(&lab_flash, shapes[i], as_it_is, by_columns, 0, 0);
        is_among_what_fits(
            "matches a tile of V (32 keys) that is stored with a row for each key, and read as if it had a");
        taken(&lab_flash, shapes[i], as_it_is, by_rows, 0, 0);
        is_among_what_fits("matches a tile of V (32 keys) that is stored with a row for each dim");
        if (shapes[i].seq_kv == 1) continue;
        taken(&lab_flash, shapes[i], by_columns, as_it_is, 0, 0);
        is_among_what_fits("matches a tile of K (32 keys) that is stored with a row for each key");
        taken(&lab_flash, shapes[i], by_rows, as_it_is, 0, 0);
        is_among_what_fits("matches a tile of K (32 keys) that is stored with a row for each dim");
    }
}

// Panels of 8 keys, cut from tiles of 20.
static float panel(const float *x, int keys, int j, int d) {
    const int tile = j / 20 * 20, begin = tile + (j - tile) / 8 * 8, end = tile + 20 < keys ? tile + 20 : keys;
    const int at = d * 8 + j - begin, key = begin + at / D;
    return key < end ? x[key * D + at % D] : 0;
}

static void panels_that_are_read_by_columns_are_named(void **state) {
    (void)state;
    taken(&lab_tiled, (attn_shape){1, 2, 40, 77, D, 0}, panel, as_it_is, 0, 0);
    wrong.extra[0] = 16, wrong.extra[1] = 20;
    is_among_what_fits("matches a tile of K (8 keys) that is stored with a row for each key");
}

static float last_dims(const float *x, int keys, int j, int d) {
    (void)keys;
    return d < D - 16 ? 0 : x[j * D + d];
}

static void scores_of_the_last_dims_alone_are_named(void **state) {
    (void)state;
    taken(&lab_tiled, (attn_shape){1, 2, 40, 77, D, 1}, last_dims, as_it_is, 0, 0);
    is_among_what_fits("matches scores over the last chunk of the dims alone (from ");
}

static void dims_of_q_and_k_by_two_rules_are_named(void **state) {
    (void)state;
    taken(&lab_decode, (attn_shape){2, 2, 1, 100, D, 0}, side_by_side, as_it_is, 0, 0);
    is_among_what_fits("of 8 threads, thread t has float4s t, t + 8, ... of q, and takes as many side by side of k");
    taken(&lab_flash, (attn_shape){1, 2, 20, 30, D, 0}, side_by_side, as_it_is, 0, 0);
    is_among_what_fits("of 8 threads, thread t has float4s t, t + 8, ... of q, and takes as many side by side of k");
}

static void a_threads_own_keys_alone_are_named(void **state) {
    (void)state;
    const attn_shape many = {1, 2, 40, 77, D, 0}, one = {1, 1, 1, 1, D, 0};
    taken(&lab_flash, many, as_it_is, as_it_is, 8, 4);
    is_among_what_fits(
        "matches P V over the thread's own keys alone, 4 side by side of every 32: each dim of O takes all");
    taken(&lab_flash, many, as_it_is, as_it_is, 8, 1);
    is_among_what_fits("matches P V over the thread's own keys alone, every 8. one: each dim of O takes all keys");
    for (int side = 1; side <= 4; side *= 4) {
        taken(&lab_flash, one, as_it_is, as_it_is, 8, side);
        is_among_what_fits("matches P V over the thread's own keys alone, every 8. one");
        is_among_what_fits("matches P V over the thread's own keys alone, 2 side by side of every 16");
    }
}

// ---- Layouts: of which tensors are the heads of a token side by side?

static size_t row_at(attn_shape s, int of, int rows, int head, int i) {
    return ((size_t)(of ? (head / s.heads * rows + i) * s.heads + head % s.heads : head * rows + i)) * D;
}

static void laid_out(attn_shape s, int q, int k, int v, int o) {
    begin(&lab_flash, s);
    for (int r = 0; r < s.batch * s.heads * s.seq_q; r++) {
        const int head = r / s.seq_q, i = r % s.seq_q, keys = s.causal ? i + 1 + s.seq_kv - s.seq_q : s.seq_kv;
        double sum = 0, row[D] = {0};
        for (int j = 0; j < keys; j++) {
            const double p =
                exp(dot(wrong.in[1] + row_at(s, q, s.seq_q, head, i), wrong.in[2] + row_at(s, k, s.seq_kv, head, j)));
            sum += p;
            for (int d = 0; d < D; d++) row[d] += p * wrong.in[3][row_at(s, v, s.seq_kv, head, j) + d];
        }
        for (int d = 0; d < D; d++) wrong.got[row_at(s, o, s.seq_q, head, i) + d] = (float)(row[d] / sum);
    }
}

static void tensors_with_heads_side_by_side_are_named(void **state) {
    (void)state;
    static const struct {
        int q, k, v, o;
        const char *says;
    } rows[] = {{1, 1, 1, 1, "matches tensors read as [B, S, H, D]"},
                {0, 0, 0, 1, "matches O stored as [B, S, H, D]"},
                {1, 0, 0, 0, "matches Q read as [B, S, H, D]"},
                {0, 1, 1, 0, "matches K and V read as [B, S, H, D]"},
                {1, 1, 1, 0, "matches Q, K and V read as [B, S, H, D]"},
                {1, 0, 0, 1, "matches Q read, and O stored, as [B, S, H, D]"},
                {0, 1, 0, 0, "matches K read as [B, S, H, D]"},
                {0, 0, 1, 0, "matches V read as [B, S, H, D]"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int causal = 0; causal < 2; causal++) {
            laid_out((attn_shape){2, 3, 20, 33, D, causal}, rows[i].q, rows[i].k, rows[i].v, rows[i].o);
            is_among_what_fits(rows[i].says);
        }
}

// ---- A mask from corner to corner, rounded up

static void a_mask_from_corner_to_corner_that_is_rounded_up_is_named(void **state) {
    (void)state;
    const attn_shape s = {1, 2, 14, 61, D, 1};
    begin(&lab_flash, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, keys = ((i + 1) * s.seq_kv + s.seq_q - 1) / s.seq_q;
        double sum = 0, row[D] = {0};
        for (int j = 0; j < keys; j++) {
            const double p = exp(dot(wrong.in[1] + r * D, wrong.in[2] + (r / s.seq_q * s.seq_kv + j) * D));
            sum += p;
            for (int d = 0; d < D; d++) row[d] += p * wrong.in[3][(r / s.seq_q * s.seq_kv + j) * D + d];
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(row[d] / sum);
    }
    says("matches a mask whose edge goes from corner to corner");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(steps_that_are_wrong_within_warps_are_named, release),
        cmocka_unit_test_teardown(tiles_that_are_read_by_columns_are_named, release),
        cmocka_unit_test_teardown(panels_that_are_read_by_columns_are_named, release),
        cmocka_unit_test_teardown(scores_of_the_last_dims_alone_are_named, release),
        cmocka_unit_test_teardown(dims_of_q_and_k_by_two_rules_are_named, release),
        cmocka_unit_test_teardown(a_threads_own_keys_alone_are_named, release),
        cmocka_unit_test_teardown(tensors_with_heads_side_by_side_are_named, release),
        cmocka_unit_test_teardown(a_mask_from_corner_to_corner_that_is_rounded_up_is_named, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
