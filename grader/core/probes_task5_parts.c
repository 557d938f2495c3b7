// probes_task5_parts.c: task 5, keys and parts that are joined to one, and log-sum-exps. The claims stand in probes_task5.c.
#include "formula.h"
#include "joined.h"
#include "probes_task5.h"

#include <math.h>
#include <string.h>

// What comes out where m, or a log-sum-exp, is -INFINITY.
static double or_no_keys(double x) { return x == -INFINITY ? LAB_NO_KEYS : x; }

// ---- add_key, join_warps, join_splits: seq_kv rows of [m, l, o] are joined to one. A key is such a row: its score, 1, its
// value; and a split: L, 1, O. The last extra[0] rows know no keys. leave_part copies the rows.

SIZES(join, 1, 2 + s.head_dim, s.seq_kv *(2 + s.head_dim))
SIZES(leave_part, s.seq_kv, 2 + s.head_dim, s.seq_kv *(2 + s.head_dim))

// Of n rows the largest m stands in row `at`; -1: neither in the first nor in the last.
static void place_largest(float *x, int n, int width, int at) {
    int largest = 0;
    for (int j = 1; j < n; j++) largest = x[j * width] > x[largest * width] ? j : largest;
    if (n < 2 || at == largest || (at < 0 && (n < 3 || (largest && largest < n - 1)))) return;
    float *const there = x + (at < 0 ? n / 2 : at) * width, was = x[largest * width];
    x[largest * width] = *there, *there = was;
}

FILL(part) {
    const int width = 2 + s.head_dim;
    lab_fill(x, join_elements(s, t), width, LAB_NORMAL, key);
    for (int j = 0; j < s.seq_kv; j++, x += width) {
        x[0] = kind == LAB_LARGE ? 64 * x[0] : x[0] + 0.5f * j;  // the maximum grows
        x[1] = 1 + x[1] * x[1];
        for (int i = 0; i < width && j >= s.seq_kv - extra[0]; i++) x[i] = i ? 0 : -INFINITY;
    }
    const int n = s.seq_kv - extra[0];
    place_largest(x - s.seq_kv * width, n, width, extra[0] ? 0 : kind == LAB_LARGE ? n - 1 : -1);
}

FILL(key) {
    part_fill(s, extra, t, kind, key, x);
    for (int j = 0; j < s.seq_kv - extra[0]; j++) x[j * (2 + s.head_dim) + 1] = 1;
}

enum {
    NO_FACTOR = 1,
    L_NO_FACTOR,
    O_NO_FACTOR,
    EARLY,
    L_EARLY,
    O_EARLY,
    LAST_L,
    LAST_MISSING,
    FROM_0,
    M_IS_0,
    NO_M,
    L_OF_L,
    O_BY_L,
    FROM_0_NO_M,
    ROW_0,
    STEP_1,
    DIMS_FIRST,
    L_COUNTS,
    ALL_EQUAL,    // those without keys, too
    MEAN,         // of what each part has found alone
    OWN_L,        // the same, each times its factor
    LARGEST,      // the part with the largest m alone
    PLAIN_MEAN,   // of those with keys, and m is never set
    GROUPS,       // of 4 at a time, those that are left over are not joined
    BY_M,         // m itself is the weight
    BY_M_NO_M,    // and is never compared
    FIRST_AGAIN,  // l and o begin with the first one's, and the loop adds it, too
};

// What a row adds to element i, before its weight. Of join_splits, O is [n, D]: rows may be looked for elsewhere.
static double addend(attn_shape s, const float *in, int mistake, int j, int i) {
    const int D = s.head_dim, width = 2 + D, d = i - 2;
    const int at = mistake == STEP_1 ? j + d : mistake == DIMS_FIRST ? d * s.seq_kv + j : j * D + d;
    if (i == 1) return mistake == L_COUNTS || mistake == ALL_EQUAL || mistake == OWN_L ? 1 : in[j * width + 1];
    if (mistake == MEAN || mistake == OWN_L) return in[j * width + i] / in[j * width + 1];
    return mistake == ROW_0 ? in[i] : in[at / D * width + 2 + at % D];
}

// EARLY: each row is weighed by the maximum so far, and what came before is not rescaled.
ORACLE(join) {
    const int width = 2 + s.head_dim, n = mistake == GROUPS ? s.seq_kv / 4 * 4 : s.seq_kv - (mistake == LAST_MISSING);
    double top = -INFINITY, so_far = -INFINITY;
    for (int j = 0; j < s.seq_kv; j++) top = fmax(top, in[1][j * width]);
    for (int i = 1; i < width; i++) out[i] = mistake == FIRST_AGAIN ? in[1][i] : 0;
    for (int j = 0; j < n; j++) {
        const float *x = in[1] + j * width;
        so_far = fmax(so_far, x[0]);
        for (int i = 1; i < width && (x[0] != -INFINITY || mistake == ALL_EQUAL); i++) {
            const int no_factor = mistake == NO_FACTOR || mistake == ALL_EQUAL || mistake == NO_M || mistake == MEAN ||
                                  mistake == PLAIN_MEAN || mistake == (i == 1 ? L_NO_FACTOR : O_NO_FACTOR);
            const int early = mistake == EARLY || mistake == (i == 1 ? L_EARLY : O_EARLY);
            out[i] *= mistake != NO_M && (mistake != LAST_L || i > 1);
            if (mistake == LARGEST && x[0] < top) continue;
            const double by_l = mistake == O_BY_L && i > 1 ? x[1] : 1;
            const int from_0 = mistake == FROM_0 || mistake == M_IS_0 || mistake == FROM_0_NO_M;
            const double add = addend(s, in[1], mistake, j, i);
            out[i] += mistake == L_OF_L && i == 1               ? x[0]
                      : mistake == BY_M || mistake == BY_M_NO_M ? x[0] * add
                      : no_factor                               ? add
                                                                : by_l * add *
                                        exp(x[0] - (early    ? so_far
                                                    : from_0 ? 0
                                                             : top));
        }
    }
    const int never_set = mistake == NO_M || mistake == PLAIN_MEAN || mistake == FROM_0_NO_M || mistake == BY_M_NO_M;
    if (mistake == MEAN) out[1] = NAN;  // the parts are counted, some or all
    out[0] = or_no_keys(never_set ? -INFINITY : mistake == M_IS_0 && top != -INFINITY ? 0 : top);
    return 1;
}

#define MEAN_OF_WARPS                                                                                                  \
    "matches the mean of what each warp has found alone, o[w] / l[w]: parts have other sums and other maxima, so "     \
    "o and l are summed, each times its factor, and divided at the end"

#define BY_L_ITSELF                                                                                                    \
    "matches splits that are weighed by L[s] itself: L[s] is the logarithm of a split's sum, and its weight is "       \
    "exp(L[s] - all.m)"

#define LARGEST_SPLIT                                                                                                  \
    "matches the split with the largest L alone: the others count, too, each times its factor exp(L[s] - all.m)"

// Nobody has keys, and l counts the parts all the same.
static int counts_empty_parts(const lab_symptom *s, const char *sentence, char *text, size_t size) {
    const int width = 2 + s->shape.head_dim;
    for (int j = 0; j < s->shape.seq_kv; j++)
        if (s->in[1][j * width] != -INFINITY) return 0;
    for (int i = 0; i < width; i++)
        if (lab_element_bad(s, (size_t)i, 0) != (i == 1)) return 0;
    return s->got[1] >= 1 && s->got[1] == rintf(s->got[1]) && lab_guess(s->guesses, sentence, text, size);
}

static int key_else(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_maximum(s, "key", text, size) || lab_explain_steps(s, text, size) ||
           lab_explain_each_dim(s, text, size) || lab_explain_joined(s, "key", text, size);
}
static int warp_else(const lab_symptom *s, char *text, size_t size) {
    return counts_empty_parts(s, MEAN_OF_WARPS, text, size) || lab_explain_one_warp(s, text, size) ||
           lab_explain_maximum(s, "warp", text, size) || lab_explain_factors(s, "warp", text, size) ||
           lab_explain_joined(s, "part", text, size);
}
static int split_else(const lab_symptom *s, char *text, size_t size) {
    return counts_empty_parts(s, LARGEST_SPLIT, text, size) || lab_explain_maximum(s, "split", text, size) ||
           lab_explain_factors(s, "split", text, size) || lab_explain_joined(s, "part", text, size);
}
KNOWN_OR_NAN(key, key_else,
             "a guess: NaN from exp of a large number, or from exp(m_new - m_old) in place of exp(m_old - m_new)",
             [EARLY] = "matches l and o that are not rescaled when m grows: is the factor computed before m changes?",
             [L_EARLY] = "matches l that is not rescaled when m grows",
             [O_EARLY] = "matches o that is not rescaled when m grows",
             [LAST_L] = "matches l of the last key alone: the earlier ones belong to the sum, too",
             [LARGEST] = "matches the key with the largest score alone: the others count, too, each times exp(s - m)",
             [NO_M] = "matches m that is never stored: each key finds -INFINITY and takes itself for the first",
             [FROM_0] = "matches sums of exp(s): it is exp(s - m), which does not overflow, and where m grows what was "
                        "summed is rescaled",
             [M_IS_0] = "matches sums of exp(s): exp(s - m) does not overflow")
// Of one claim other steps may fit, too: all claims together tell.
static int add_key_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int known = key_diagnose(s, text, size);
    if (known && strncmp(text, "matches", 7) == 0) lab_explain_steps(s, text, size);
    return known;
}
KNOWN_OR_NAN(
    warps, warp_else, "a guess: NaN from -INFINITY - (-INFINITY), where nobody has keys: weight(x, m) is safe",
    [NO_FACTOR] = "matches parts that are added without their factor",
    [L_NO_FACTOR] = "matches l that is added without its factor",
    [O_NO_FACTOR] = "matches o that is added without its factor",
    [EARLY] = "matches a maximum that is not complete when it is used: it takes two loops",
    [LAST_MISSING] = "matches the last part left out",
    [FIRST_AGAIN] = "matches sums of l and o that begin with those of warp 0, which the loop adds again: they "
                    "begin with 0",
    [FROM_0] = "matches factors exp(x): exp(x - m) does not overflow",
    [O_BY_L] = "matches parts of o that are multiplied by their l: o holds sums already, and l is divided by at "
               "the end",
    [L_OF_L] = "matches l that sums m itself: it sums l[w], rescaled",
    [L_COUNTS] = "matches l that sums the factors alone: it sums l[w], each times its factor", [MEAN] = MEAN_OF_WARPS,
    [LARGEST] = "matches the part with the largest m alone: the other warps' keys count, too, each times its "
                "factor exp(m - M)",
    [OWN_L] = "matches parts of o that are divided by their own l before they are added: o and l are summed, "
              "each times its factor, and divided at the end")
KNOWN_OR_NAN(
    known_splits, split_else,
    "a guess: NaN from -INFINITY - (-INFINITY), where no split has keys, or from exp(L[s]), which overflows: "
    "weight(L[s], all.m) is safe",
    [NO_FACTOR] = "matches splits that are added without their factor exp(L[s] - all.m)",
    [ALL_EQUAL] = "matches splits that are added without their factor exp(L[s] - all.m)",
    [PLAIN_MEAN] =
        "matches the plain mean of the splits' O, and all.m is not set: a split counts exp(L[s] - all.m), which "
        "is its part of the whole sum",
    [L_NO_FACTOR] = "matches all.l that is added without its factor",
    [O_NO_FACTOR] = "matches all.o that is added without its factor",
    [EARLY] = "matches a maximum that is not complete when it is used: it takes two loops",
    [LAST_MISSING] = "matches the last split left out",
    [FIRST_AGAIN] = "matches sums that begin with those of split 0, which the loop adds again: they begin with 0",
    [GROUPS] =
        "matches splits behind the last whole group of 4, or behind the first 8, that are left out: all n_splits count",
    [FROM_0] = "matches factors exp(L[s]), which overflow: exp(L[s] - all.m) does not",
    [FROM_0_NO_M] = "matches factors exp(L[s]), which overflow: exp(L[s] - all.m) does not, with all.m = "
                    "the largest L",
    [BY_M] = BY_L_ITSELF, [BY_M_NO_M] = BY_L_ITSELF,
    [L_OF_L] = "matches all.l that sums L[s] itself: it sums exp(L[s] - all.m)", [LARGEST] = LARGEST_SPLIT,
    [ROW_0] = "matches the O of split 0 taken for every split: O is [n_splits, D]",
    [STEP_1] = "matches splits whose O begin one number apart: O is [n_splits, D], they are D apart",
    [DIMS_FIRST] = "matches O read as [D, n_splits]: it is [n_splits, D]")
// Of one claim other factors may fit, too: all claims together tell.
static int also(const lab_symptom *s, const char *part, int known, char *text, size_t size) {
    if (known && strncmp(text, "matches", 7) == 0 && !lab_explain_maximum(s, part, text, size) &&
        !(*part == 'w' && lab_explain_one_warp(s, text, size)))
        lab_explain_factors(s, part, text, size);
    return known;
}
static int join_diagnose(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_turned_parts(s, text, size) || lab_explain_joined_nan(s, "warp", text, size) ||
           also(s, "warp", warps_diagnose(s, text, size), text, size);
}
static int splits_diagnose(const lab_symptom *s, char *text, size_t size) {
    if (s->got[0] == (float)LAB_NO_KEYS && isinf(s->got[1]) && s->got[1] < 0)  // a sum of -INFINITY, the L of no keys
        lab_guess(s->guesses, BY_L_ITSELF, text, size);
    return lab_explain_joined_nan(s, "split", text, size) ||
           also(s, "split", known_splits_diagnose(s, text, size), text, size);
}
SHARED_PROBE(join_warps, join, 2, .fill = part_fill, .tensors = {"m, l, o", "parts"});
// clang-format off
const lab_op probe_join_splits = {
    .name = "join_splits", .symbol = "lab_probe_join_splits", .probe = 1, .n_tensors = 2, .tensors = {"m, l, o", "L and O"},
    .elements = join_elements, .extent = join_extent, .fill = key_fill, .oracle = join, .diagnose = splits_diagnose};
const lab_op probe_add_key = {
    .name = "add_key", .symbol = "lab_probe_add_key", .probe = 1, .n_tensors = 2, .tensors = {"m, l, o", "the keys"},
    .elements = join_elements, .extent = join_extent, .fill = key_fill, .oracle = join, .diagnose = add_key_diagnose};
// clang-format on

ORACLE(leave_part) {
    for (size_t i = 0; i < leave_part_elements(s, 0); i++) out[i] = or_no_keys(in[1][i]);
    return 1;
}
KNOWN_OR_NAN(parts_left, lab_explain_left_parts,
             "NaN: something is read before it is written: is the barrier there, does each lane leave all of its "
             "dims, and a warp without keys its part?",
             NULL)
static int leave_part_diagnose(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_left_parts(s, text, size) || parts_left_diagnose(s, text, size);
}
SHARED_PROBE(leave_part, leave_part, 2, .fill = part_fill, .tensors = {"parts", "p"});

// ---- log_sum_exp: seq_kv rows of [m, l] -> the log-sum-exp of each

SIZES(log_sum_exp, 1, s.seq_kv, 2 * s.seq_kv)

FILL(log_sum_exp) {
    s.head_dim = 0;
    part_fill(s, extra, t, kind, key, x);
}

ORACLE(log_sum_exp) {
    for (int j = 0; j < s.seq_kv; j++) {
        const double m = in[1][2 * j], l = in[1][2 * j + 1];
        out[j] = mistake == 1 ? m : mistake == 2 ? log(l) : m + log(l) / (mistake == 3 ? log(2) : 1);
        if (mistake == 5) out[j] /= log(2);
        out[j] = l == 0 ? (mistake == 4 ? 0 : LAB_NO_KEYS) : mistake == 6 ? 0 : out[j];
    }
    return 1;
}
static int another_formula(const lab_symptom *s, char *text, size_t size) {
    static const lab_formula f = {"L", "m + log(l)", 0, 1, 1, {{"m", LAB_FIRST, 1}, {"l", LAB_SECOND, 1}}};
    return lab_explain_formula(s, &f, text, size);
}
// The first pair whose exp(m) is a number; otherwise no keys.
static int say_pair(const lab_symptom *s, char *text, size_t size) {
    for (int j = 0; j < s->shape.seq_kv; j++) {
        const float m = s->in[1][2 * j], l = s->in[1][2 * j + 1];
        if (l > 0 && fabsf(m) < 40 && lab_element_bad(s, j, 0))
            return snprintf(text, size, "of m = %.4g and l = %.4g it gives %.4g, and must give %.4g", m, l, s->got[j],
                            s->want[j]) > 0;
    }
    for (int j = 0; j < s->shape.seq_kv; j++)
        if (s->in[1][2 * j + 1] == 0 && lab_element_bad(s, j, 0))
            return snprintf(text, size, "without keys (m = -INFINITY, l = 0) it gives %.4g, and must give -INFINITY",
                            s->got[j]) > 0;
    return 0;
}
static int another_or_pair(const lab_symptom *s, char *text, size_t size) {
    return another_formula(s, text, size) || lab_explain_log_factor(s, text, size) || say_pair(s, text, size);
}
KNOWN_OR(log_sum_exp_finite, another_or_pair, "matches m alone: log(l) is missing",
         "matches log(l) alone: m is missing", "matches log2 in place of log",
         "is right where there are keys: without keys it is -INFINITY, not 0",
         "matches a logarithm to base 2: combine takes exp() of it, so it must be the natural one",
         "matches 0 for all splits that have keys, so that all of them count the same: exp(L) is a split's sum, and "
         "combine weighs it by that")
static int log_sum_exp_diagnose(const lab_symptom *s, char *text, size_t size) {
    if (s->cmp.not_finite <= s->cmp.unwritten) return log_sum_exp_finite_diagnose(s, text, size);
    return another_formula(s, text, size) || say_pair(s, text, size) ||
           snprintf(text, size, "exp(m) overflows: log(exp(m) l) is a sum of two numbers that do not") > 0;
}
SHARED_PROBE(log_sum_exp, log_sum_exp, 2, .fill = log_sum_exp_fill, .tensors = {"L", "m and l"});
