// left_parts.c: TODO 5.6, what each warp leaves in shared memory: which numbers of m, l and o are missing, or others.
#include "joined.h"

#include <math.h>
#include <stdio.h>

enum { LANES = 32 };

typedef struct {
    const lab_symptom *s;
    int rows, width;
} left;

static int is_right(const left *x, int row, int column) {
    return !lab_element_bad(x->s, (size_t)(row * x->width + column), 0);
}
// Does dim d hold what belongs to dim `as`?
static int is_right_as(const left *x, int row, int d, int as) {
    const size_t at = (size_t)(row * x->width + 2);
    return x->s->got[at + (size_t)d] == (float)x->s->want[at + (size_t)as];
}
static int is_nan(const left *x, int row, int column) { return !lab_is_finite(x->s->got[row * x->width + column]); }

// In all rows the numbers from column `first` on, before `end`, are right (as 1) or NaN (as 0) by this rule.
static int dims_by(const left *x, int (*kept)(int d, int n), int n) {
    for (int r = 0; r < x->rows; r++)
        for (int d = 0; d < x->width - 2; d++)
            if (kept(d, n) ? !is_right(x, r, 2 + d) : !is_nan(x, r, 2 + d)) return 0;
    return 1;
}
static int of_lane_0(int d, int n) { return d % LANES == 0; }
static int below(int d, int n) { return d < n; }

static int column_is(const left *x, int column, int (*rule)(const left *x, int row, int column)) {
    for (int r = 0; r < x->rows; r++)
        if (!rule(x, r, column)) return 0;
    return 1;
}

// Every o is what lane 0 has in the same register: o[d / 32] of the first of each 32 dims.
static int from_lane_0(const left *x) {
    for (int r = 0; r < x->rows; r++)
        for (int d = 0; d < x->width - 2; d++) {
            const size_t row = (size_t)r * x->width + 2;
            if (x->s->got[row + d] != (float)x->s->want[row + d / LANES * LANES]) return 0;
        }
    return 1;
}

// One of m and l in all rows: that of warp 0 alone, none, or the other one.
static const char *of_column(const left *x, int column) {
    int first_alone = is_right(x, 0, column), other = 1;
    for (int r = 0; r < x->rows; r++) {
        first_alone &= r == 0 || is_nan(x, r, column);
        other &= x->s->got[r * x->width + column] == (float)x->s->want[r * x->width + 1 - column];
    }
    return first_alone                    ? "of warp 0 alone: each warp leaves its own"
           : column_is(x, column, is_nan) ? "that no warp leaves"
           : other                        ? (column ? "that holds m" : "that holds l")
                                          : NULL;
}

// One lane leaves its registers side by side, o[0 .. registers - 1], and nobody leaves the others.
static int registers_side_by_side(const left *x, int registers) {
    const int D = x->width - 2;
    for (int r = 0; r < x->rows; r++)
        for (int d = 0; d < D; d++) {
            const float got = x->s->got[r * x->width + 2 + d];
            if (d >= registers ? lab_is_finite(got) : d * LANES < D && !is_right_as(x, r, d, d * LANES)) return 0;
        }
    return D > LANES;
}

// Where a lane may leave its register t, which is dim lane + 32 t.
static const struct {
    int by_lane, by_t;
    const char *is;
} places[] = {{128 / LANES, 1, "lane * DIMS + t"}, {1, 128 / LANES, "lane + t * DIMS"}, {1, 1, "lane + t"}};

// Every dim holds what a lane leaves there, or NaN where none does. Of registers behind the last dim nobody knows.
static int left_at(const left *x, int by_lane, int by_t) {
    const int D = x->width - 2;
    for (int d = 0; d < D; d++) {
        int owners = 0, fits = 0;
        for (int lane = 0; lane < LANES; lane++) {
            const int t = (d - lane * by_lane) / by_t, of = lane + t * LANES;
            if (d < lane * by_lane || t >= 128 / LANES || lane * by_lane + t * by_t != d) continue;
            owners++, fits |= of >= D;
            for (int r = 0, all = 1; r < x->rows && of < D; r++, fits |= all && r == x->rows)
                all &= is_right_as(x, r, d, of);
        }
        for (int r = 0; r < x->rows && !owners; r++) fits = is_nan(x, r, 2 + d);
        if (!fits) return 0;
    }
    return 1;
}

static const char *place_of(const left *x) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (left_at(x, places[i].by_lane, places[i].by_t)) return places[i].is;
    return NULL;
}

// Every o is divided by its l.
static int divided(const left *x) {
    for (int r = 0; r < x->rows; r++)
        for (int c = 2; c < x->width; c++) {
            const double l = x->s->want[r * x->width + 1], due = x->s->want[r * x->width + c] / l;
            if (l != 0 && !(fabs(due - x->s->got[r * x->width + c]) < 1e-4 * (1 + fabs(due)))) return 0;
        }
    return 1;
}

// And every l is 1, or 0 where there are no keys.
static int is_one(const left *x, int row, int column) {
    return x->s->got[row * x->width + column] == (x->s->want[row * x->width + column] > 0);
}

// And m is 0, but where there are no keys; or it is the log-sum-exp, which goes with an l of 1.
static int m_is_0(const left *x, int row, int column) {
    const float m = x->s->want[row * x->width];
    return x->s->got[row * x->width + column] == (m == (float)LAB_NO_KEYS ? m : 0);
}
static int m_is_log_sum(const left *x, int row, int column) {
    const double m = x->s->want[row * x->width], l = x->s->want[row * x->width + 1], due = l > 0 ? m + log(l) : m;
    return fabs(x->s->got[row * x->width + column] - due) < 1e-4 * (1 + fabs(due));
}

int lab_explain_left_parts(const lab_symptom *s, char *text, size_t size) {
    const left x = {s, s->shape.seq_kv, 2 + s->shape.head_dim};
    const int D = s->shape.head_dim, down = D / LANES * LANES;
    int m = column_is(&x, 0, is_right), l = column_is(&x, 1, is_right), o = dims_by(&x, below, D);
    const char *const of_m = m ? NULL : of_column(&x, 0), *const of_l = l ? NULL : of_column(&x, 1);
    char said[240] = "";
    if (o && of_m && of_m == of_l)
        snprintf(said, sizeof said, "matches m and l %s", of_m);
    else if (o && m && of_l)
        snprintf(said, sizeof said, "matches l %s", of_l);
    else if (o && l && of_m)
        snprintf(said, sizeof said, "matches m %s", of_m);
    else if (m && l && dims_by(&x, of_lane_0, 0))
        snprintf(said, sizeof said, "matches the dims of lane 0 alone, 0, 32, 64 ..: each lane leaves all of its dims");
    else if (m && l && down < D && dims_by(&x, below, down))
        snprintf(said, sizeof said,
                 "matches dims %d .. %d that are not left: D / WARP rounds down, and each lane leaves all of its dims",
                 down, D - 1);
    else if (m && l && dims_by(&x, below, LANES))
        snprintf(said, sizeof said, "matches the first dim of each lane alone: each lane leaves all of its dims");
    else if (m && l && registers_side_by_side(&x, 128 / LANES))
        snprintf(said, sizeof said,
                 "matches one lane that leaves its registers side by side: o[t] of a lane is dim lane + t * WARP, and "
                 "each lane leaves its own");
    else if (m && l && from_lane_0(&x))
        snprintf(said, sizeof said,
                 "matches lane 0 leaving all dims, from its own registers: each lane leaves the dims that it has");
    else if (m && l && D > LANES && place_of(&x))
        snprintf(said, sizeof said,
                 "matches o[t] of a lane that is left at %s: it is dim lane + t * WARP, and join_warps reads it there",
                 place_of(&x));
    else if (m && l && divided(&x))
        snprintf(said, sizeof said, "matches o that is divided by l: it is left as it is, and divided at the end");
    else if (m && column_is(&x, 1, is_one) && divided(&x))
        snprintf(
            said, sizeof said,
            "matches o that is divided by l, and an l of 1: a part counts with its l, so both are left as they are, "
            "and divided at the end");
    else if (column_is(&x, 0, m_is_0) && column_is(&x, 1, is_one) && divided(&x))
        snprintf(
            said, sizeof said,
            "matches o / l, with m = 0 and l = 1: of such parts join_warps makes the plain mean, but a part counts "
            "l exp(m - M): m, l and o are left as they are");
    else if (column_is(&x, 0, m_is_log_sum) && column_is(&x, 1, is_one) && divided(&x))
        snprintf(
            said, sizeof said,
            "matches o / l, with m + log(l) as m and l = 1: that is what a split leaves for combine; a warp leaves "
            "m, l and o as they are");
    else if (l && column_is(&x, 0, m_is_log_sum) && (o || divided(&x)))
        snprintf(said, sizeof said,
                 "matches m + log(l) as m%s, while l stays: join_warps counts l once more then; a warp leaves m, l and "
                 "o as they are",
                 o ? "" : ", and o / l");
    else if (o && l && column_is(&x, 0, m_is_0))
        snprintf(said, sizeof said, "matches m = 0: l and o count from the warp's own maximum, which is lost so");
    return *said && lab_guess(s->guesses, said, text, size);
}
