// unit_explain_joins.c: warps that share the keys of a split among them, a few keys each in turn, and join what they found by a
// rule of their own; lanes that add up the scores of several keys. grader/core: diagnose/part_joins.c, summed_scores.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 40, SLOTS = 150, WARPS = 4, MOST = 192 };
static const attn_shape CACHE = {3, 2, 1, SLOTS, D, 0}, HEADS = {1, 2, 9, 77, D, 0};

typedef enum {
    RIGHT,
    AS_THEY_ARE,
    MEAN,
    SUM,
    O_AS_IT_IS,
    L_AS_IT_IS,
    NEW_AS_IT_IS,
    SO_FAR_AS_IT_IS,
    TURNED,
    FIRST_ALONE,
    O_OF_FIRST,
    L_OF_FIRST,
    NOT_DIVIDED,
    WITHOUT_LAST,
    WITHOUT_FIRST
} rule;

// What is wrong, and who has which keys.
typedef struct {
    rule join;
    int splits, keys;  // a warp takes so many keys in turn; 0: a share of them side by side
    int summed;        // so many scores are added up
} file;

typedef struct {
    float m, l, o[D];
} part;

// part b is joined to a.
static void join(rule how, part *a, const part *b) {
    const float m = fmaxf(a->m, b->m);
    float x = a->m == -INFINITY ? 0 : expf(a->m - m), y = b->m == -INFINITY ? 0 : expf(b->m - m), xl, yl;
    if (how == AS_THEY_ARE) x = y = 1;
    if (how == NEW_AS_IT_IS) y = 1;
    if (how == SO_FAR_AS_IT_IS) x = 1;
    xl = x, yl = y;
    if (how == O_AS_IT_IS) x = y = 1;
    if (how == L_AS_IT_IS) xl = yl = 1;
    for (int d = 0; d < D; d++) a->o[d] = x * a->o[d] + y * b->o[d];
    a->l = xl * a->l + yl * b->l, a->m = m;
}

static part part_of(const float *score, const float *V, int first, int end, int warp, int keys) {
    const int n = end - first, share = (n + WARPS - 1) / WARPS;
    part p = {.m = -INFINITY};
    for (int j = first; j < end; j++) {
        if ((keys ? (j - first) / keys % WARPS : (j - first) / share) != warp) continue;
        part one = {.m = score[j], .l = 1};
        for (int d = 0; d < D; d++) one.o[d] = V[j * D + d];
        join(RIGHT, &p, &one);
    }
    return p;
}

// The warps of a split, and what they have found in all.
static part split_of(file f, const float *score, const float *V, int first, int end) {
    part all = {.m = -INFINITY}, warp[WARPS];
    int n = 0;
    for (int w = 0; w < WARPS; w++) {
        warp[n] = part_of(score, V, first, end, w, f.keys);
        n += warp[n].m > -INFINITY;
    }
    float top = -INFINITY, l = 0;
    for (int w = 0; w < n; w++) top = fmaxf(top, warp[w].m);
    for (int w = 0; w < n; w++) l += warp[w].l * expf(warp[w].m - top);
    for (int w = 0; w < n; w++) {
        const float own = warp[w].l * (f.join == MEAN ? n : 1);
        if (f.join == WITHOUT_LAST ? w == n - 1 : f.join == WITHOUT_FIRST ? w == 0 : f.join == FIRST_ALONE && w)
            continue;
        if (f.join == MEAN || f.join == SUM)
            for (int d = 0; d < D; d++) all.o[d] += warp[w].o[d] / own * l;
        else if (f.join == TURNED)
            for (int d = -1; d < D; d++)
                *(d < 0 ? &all.l : &all.o[d]) += (d < 0 ? warp[w].l : warp[w].o[d]) * expf(top - warp[w].m);
        else
            join(f.join, &all, &warp[w]);
    }
    for (int d = 0; d < D && f.join == O_OF_FIRST; d++) all.o[d] = warp[0].o[d] * expf(warp[0].m - top);
    for (int d = 0; d < D && f.join == NOT_DIVIDED; d++) all.o[d] *= l;  // as if it were divided later
    if (f.join == L_OF_FIRST) all.l = warp[0].l * expf(warp[0].m - top);
    if (f.join == MEAN || f.join == SUM) all.l = l;
    all.m = f.join >= FIRST_ALONE ? all.m : top;
    return all;
}

static void row(file f, const float *q, const float *K, const float *V, int n, float *o) {
    const int splits = f.splits ? f.splits : 1, share = (n + splits - 1) / splits;
    float score[MOST] = {0}, summed[MOST];
    part all = {.m = -INFINITY};
    for (int j = 0; j < n; j++) {
        for (int d = 0; d < D; d++) score[j] += q[d] * K[j * D + d];
        score[j] /= sqrtf(D);
    }
    for (int first = 0; first < n; first += share) {
        const int end = first + share < n ? first + share : n;
        for (int j = first; j < end; j++) {
            const int round = f.summed ? first + (j - first) / f.summed * f.summed : j;
            summed[j] = 0;
            for (int i = round; i < end && i < round + (f.summed ? f.summed : 1); i++) summed[j] += score[i];
        }
        const part p = split_of(f, summed, V, first, end);
        join(RIGHT, &all, &p);
    }
    for (int d = 0; d < D; d++) o[d] = all.o[d] / all.l;
}

// splits: of decode's; the lab asks for them, or leaves them to the file, as 0.
static void decode(file f, int asked) {
    wrong.extra[0] = asked;
    begin(f.splits ? &lab_decode_split : &lab_decode, CACHE);
    for (int r = 0; r < CACHE.batch * CACHE.heads; r++) {
        const int n = lab_int_at(wrong.in[4], (size_t)r / CACHE.heads), head = r * SLOTS * D;
        if (n) row(f, wrong.in[1] + r * D, wrong.in[2] + head, wrong.in[3] + head, n, wrong.got + r * D);
    }
}

static void attend(file f) {
    begin(&lab_flash, HEADS);
    for (int r = 0; r < HEADS.heads * HEADS.seq_q; r++) {
        const int head = r / HEADS.seq_q * HEADS.seq_kv * D;
        row(f, wrong.in[1] + r * D, wrong.in[2] + head, wrong.in[3] + head, HEADS.seq_kv, wrong.got + r * D);
    }
}

// Of several sentences that fit one claim, others tell which it is.
#define SAYS(words, asked, ...)                                                                                        \
    do {                                                                                                               \
        decode((file){__VA_ARGS__}, asked);                                                                            \
        is_among_what_fits(words);                                                                                     \
        release(NULL);                                                                                                 \
    } while (0)

static void parts_that_are_joined_rightly_are_right(void **state) {
    (void)state;
    decode((file){.keys = 2, .splits = 3}, 3);
    assert_int_equal(examine().verdict, LAB_PASSED);
    wrong.extra[0] = 0;
}

static void the_rule_by_which_warps_are_joined_is_named(void **state) {
    (void)state;
    static const char *const words[] = {
        [AS_THEY_ARE] = "added without exp(m - M): each part's O and l are relative to its own maximum (4 parts",
        [MEAN] = "the plain mean of the parts",
        [SUM] = "the outputs of the parts added as they are",
        [O_AS_IT_IS] = "O is added without its factor exp(m - M), while l has it",
        [L_AS_IT_IS] = "l is added without its factor exp(m - M), while O has it",
        [NEW_AS_IT_IS] = "added as they are to what is joined so far",
        [SO_FAR_AS_IT_IS] = "to what is joined so far, which is not rescaled",
        [TURNED] = "joined with exp(M - m)",
        [FIRST_ALONE] = "the first part alone",
        [O_OF_FIRST] = "O of the first part over the l of all",
        [L_OF_FIRST] = "O of all parts over the l of the first",
        [NOT_DIVIDED] = "a missing final division by the row sum l",
        [WITHOUT_LAST] = "of which the last is left out",
        [WITHOUT_FIRST] = "of which the first is left out"};
    for (rule x = AS_THEY_ARE; x <= WITHOUT_FIRST; x++) {
        SAYS(words[x], 0, .join = x, .keys = 2);
        SAYS(words[x], 3, .join = x, .keys = 4, .splits = 3);
    }
    SAYS(words[AS_THEY_ARE], 0, .join = AS_THEY_ARE, .keys = 8, .splits = 5);  // a number of the file's own
    SAYS("keys that lie side by side, within each split)", 3, .join = AS_THEY_ARE, .splits = 3);
    SAYS("(2 parts, which take 128 keys each in turn)", 0, .join = O_AS_IT_IS, .keys = 128);
    attend((file){.join = AS_THEY_ARE, .keys = 16});
    says("each part's O and l are relative to its own maximum (4 parts, which take 16 keys each in turn)");
}

// The parts are right, and lie in workspace: weights w(L - max L) in place of exp(), over their sum or the number of splits.
typedef enum {
    SPLITS_MEAN,
    SPLITS_BY_L,
    SPLITS_OVER_N,
    SPLITS_OVER_L,
    SPLITS_HALVED,
    NO_FIRST_SPLIT,
    LAST_SPLIT
} split_rule;

static void splits_joined(split_rule as, const char *words) {
    enum { SPLITS = 3, QUERIES = 6 };
    static float work[QUERIES * SPLITS * (D + 1)];
    wrong.extra[0] = SPLITS, wrong.work = work;
    begin(&lab_decode_split, CACHE);
    for (int r = 0; r < QUERIES; r++) {
        const int n = lab_int_at(wrong.in[4], (size_t)r / CACHE.heads), head = r * SLOTS * D;
        float L[SPLITS], top = -INFINITY, sum = 0, *parts = work + r * SPLITS * D;
        for (int s = 0; s < SPLITS; s++) {
            float score[MOST] = {0};
            const int first = (n + 2) / 3 * s, end = first + (n + 2) / 3 < n ? first + (n + 2) / 3 : n;
            for (int j = first; j < end; j++)
                for (int d = 0; d < D; d++)
                    score[j] += wrong.in[1][r * D + d] * wrong.in[2][head + j * D + d] / sqrtf(D);
            const part p = split_of((file){.keys = 1}, score, wrong.in[3] + head, first, end);
            L[s] = p.l > 0 ? p.m + logf(p.l) : -INFINITY, top = fmaxf(top, L[s]);
            for (int d = 0; d < D; d++) parts[s * D + d] = p.l > 0 ? p.o[d] / p.l : 0;
            work[QUERIES * SPLITS * D + r * SPLITS + s] = L[s];
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = 0;
        for (int s = 0; s < SPLITS && n; s++) {
            const int left_out = as == NO_FIRST_SPLIT ? !s : as == LAST_SPLIT && s < SPLITS - 1;
            const float e = left_out ? 0 : expf(L[s] - top);
            const float l = as == SPLITS_MEAN || as == SPLITS_OVER_N ? 1 : as == SPLITS_BY_L ? L[s] : e;
            const float w = as == SPLITS_OVER_N ? e : as == SPLITS_OVER_L || as == SPLITS_HALVED ? 1 : l;
            sum = as == SPLITS_HALVED ? 1 : sum + l;
            for (int d = 0; d < D; d++)
                wrong.got[r * D + d] =
                    (wrong.got[r * D + d] + w * parts[s * D + d]) / (as == SPLITS_HALVED && s ? 2 : 1);
        }
        for (int d = 0; d < D && n; d++) wrong.got[r * D + d] /= sum;
    }
    is_among_what_fits(words);
    wrong.work = NULL;
    release(NULL);
}

static void right_splits_that_are_joined_wrongly_are_named(void **state) {
    (void)state;
    splits_joined(SPLITS_MEAN, "the plain mean of the parts: O_s counts with its weight");
    splits_joined(SPLITS_BY_L, "weighted by L_s itself");
    splits_joined(SPLITS_OVER_N, "divided by the number of splits");
    splits_joined(SPLITS_OVER_L, "added as they are and divided by the sum of exp(L_s - max)");
    splits_joined(SPLITS_HALVED, "a mean of what was joined and the next O_s, again and again");
    splits_joined(NO_FIRST_SPLIT, "the first split left out");
    splits_joined(LAST_SPLIT, "O_s of the last split alone");
}

static void scores_that_are_added_up_over_keys_are_named(void **state) {
    (void)state;
    SAYS("added up over several keys of a warp: a key's sum goes over the lanes that share it", 0, .summed = 4);
    SAYS("share it alone, so the first distance of the shuffles is half their number (2 keys)", 3, .summed = 2,
         .splits = 3);
    SAYS("added up over several keys", 0, .summed = 8, .splits = 6);
    attend((file){.summed = 4});
    says("added up over several keys");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(parts_that_are_joined_rightly_are_right, release),
        cmocka_unit_test_teardown(the_rule_by_which_warps_are_joined_is_named, release),
        cmocka_unit_test_teardown(right_splits_that_are_joined_wrongly_are_named, release),
        cmocka_unit_test_teardown(scores_that_are_added_up_over_keys_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_joins", tests, NULL, NULL);
}
