// attention.c: a wrong output of attention, whatever computes it: its known mistakes, then all families, in turn.
#include "walk.h"
#include "wiring.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Known mistakes

const char *const lab_attention_mistakes[LAB_N_MISTAKES] = {
    [LAB_NO_SCALE] = "matches what a missing 1/sqrt(D) gives: scale the scores before the softmax",
    [LAB_SCALE_BY_D] = "matches a scale of 1/D: it is 1/sqrt(D), and once",
    [LAB_SCALE_UP] = "matches scores multiplied by sqrt(D): divide by it",
    [LAB_SCALE_AFTER] = "matches 1/sqrt(D) applied after the softmax: scores are scaled, and masked, before it",
    [LAB_NO_MASK] = "matches attention without the causal mask: query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_ALWAYS] = "matches a causal mask that was not asked for: look at shape.causal",
    [LAB_MASK_PLUS_ONE] = "matches a causal mask that is off by one: each query sees one key too many",
    [LAB_MASK_MINUS_ONE] = "matches a causal mask that is off by one: each query misses its last key",
    [LAB_MASK_TOP_LEFT] =
        "matches a mask aligned top-left: with seq_q < seq_kv query i must see keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_IS_ZERO] = "matches masked scores set to 0: exp(0) is 1, so they still count; set them to -INFINITY",
    [LAB_MASK_AFTER] = "matches a mask applied after the softmax: masked scores are still in the row sum",
    [LAB_DROP_LAST_KEY] = "matches the last key left out",
    [LAB_NO_DIVISION] = LAB_NO_DIVISION_TEXT,
    [LAB_UNIFORM] =
        "matches the plain mean of V, as where all scores are equal: Q or K holds zeros (a split is missing?), or "
        "the scores do not reach the softmax",
    [LAB_HEAD_ZERO] = "matches head 0 computed for every head: look at the head's offset",
    [LAB_BATCH_ZERO] = "matches batch 0 computed for every batch: look at the batch's offset",
    [LAB_KV_HEAD_ZERO] = "matches K and V of head 0 used for every head: look at their offset",
    [LAB_K_AS_V] = "matches K used in place of V",
    [LAB_Q_AS_K] = "matches Q used in place of K",
    [LAB_Q_K_SWAPPED] = "matches Q and K swapped",
    [LAB_K_V_SWAPPED] = "matches K and V swapped",
    [LAB_MASK_INVERTED] = "matches a mask the wrong way round: it hides the keys that the query may see",
    [LAB_SOFTMAX_TWICE] = "matches a softmax of the softmax: it is applied once",
    [LAB_K_BY_COLUMNS] = "matches K read by columns: element d of key j is K[j * D + d]",
    [LAB_V_BY_COLUMNS] = "matches V read by columns: element d of key j is V[j * D + d]",
    [LAB_SCORES_RUN_ON] = "matches a dot product that goes on from one key to the next: set its sum to 0 for each key",
    [LAB_SUM_SO_FAR] = "matches weights that are divided by the sum up to their own key: finish the sum first",
    [LAB_FROM_OTHER_SIDE] = LAB_SCORES_FROM_OTHER_SIDE,
    [LAB_FIRST_IS_ONE] = LAB_FIRST_IS_ONE_TEXT,
    [LAB_RAW_SCORES] = "matches scores used as weights: there is no softmax between the products",
    [LAB_NO_SCALE_NO_MASK] = "matches scores with neither 1/sqrt(D) nor the causal mask: does anything happen to them "
                             "between the product and the softmax?",
    [LAB_SCORES_STAY] = "matches scores of hidden keys that stay as weights: behind the last key that a query sees its "
                        "weights are 0, and they are to be stored, too",
    [LAB_RAW_SCORES_STAY] = "matches Q K^T of hidden keys that stays as weights: behind the last key that a query sees "
                            "its weights are 0, and they are to be stored, too",
    [LAB_W_TRANSPOSED] = "matches X W in place of X W^T: row e of W makes output feature e",
};

static void row_with_mistake(const lab_symptom *s, size_t r, int mistake, double *out, double *scratch) {
    const attn_shape p = s->shape;
    const size_t head = r / p.seq_q;
    lab_oracle_row(out, s->in[1], s->in[2], s->in[3], p, (int)(head / p.heads), (int)(head % p.heads),
                   (int)(r % p.seq_q), mistake, scratch);
}

// The first head with a wrong row, where all before it are right and all behind it are wrong, too. 0: it is not so.
static int wrong_from(const lab_symptom *s) {
    const size_t n = (size_t)s->shape.seq_q * s->shape.head_dim;
    const int heads = s->shape.batch * s->shape.heads;
    int from = heads;
    for (int h = 0; h < heads; h++) {
        int bad = 0;
        for (size_t i = 0; i < n && !bad; i++) bad = lab_element_bad(s, h * n + i, 0);
        if (bad && from == heads) from = h;
        if (!bad && from < h) return 0;
    }
    return from % heads;
}

// A kernel that is launched for the first heads only, or that takes a row of all heads for one of its own.
static void say_from(const lab_symptom *s, const char *possible[], char sentence[2][240]) {
    const int from = wrong_from(s);
    if (!from) return;
    snprintf(sentence[0], sizeof sentence[0],
             "matches scores that are not scaled (nor masked) from head b * heads + h = %d on, and are before it: is "
             "every head in the grid of the kernel that does it?",
             from);
    snprintf(sentence[1], sizeof sentence[1],
             "matches no causal mask from head b * heads + h = %d on, and one before it: is a row's number taken %% "
             "seq_q, and is every head in the grid?",
             from);
    possible[s->shape.causal ? LAB_NO_SCALE_NO_MASK : LAB_NO_SCALE] = sentence[0];
    possible[LAB_NO_MASK] = sentence[1];
}

static int seen_keys(attn_shape s, size_t r) {
    return s.causal ? (int)(r % s.seq_q) + s.seq_kv - s.seq_q + 1 : s.seq_kv;
}

static lab_wrong_row wrong_row(const lab_symptom *s, size_t r) {
    const attn_shape a = s->shape;
    const size_t D = a.head_dim, head = r / a.seq_q * a.seq_kv * D;
    const int tiled = s->op == &lab_tiled || s->op == &lab_walk_probe;
    return (lab_wrong_row){.q = s->in[1] + r * D,
                           .k = s->in[2] + head,
                           .v = s->in[3] + head,
                           .keys = a.seq_kv,
                           .seen = seen_keys(a, r),
                           .query = (int)(r % a.seq_q),
                           .head = (int)(r / a.seq_q),
                           .tile = tiled ? s->extra[1] : 0,
                           .queries = tiled ? s->extra[0] : 0};
}

static double largest_score(const lab_symptom *s, size_t r) {
    const lab_wrong_row row = wrong_row(s, r);
    double *p = malloc(s->shape.seq_kv * sizeof *p);
    const double max = p ? lab_row_scores(&row, s->shape.head_dim, p) : 0;
    free(p);
    return max;
}

// Is a row right that sees several keys? Then what no row has is there for some.
static int some_are_right(const lab_symptom *s) {
    const size_t D = s->shape.head_dim, rows = s->op->elements(s->shape, 0) / D;
    for (size_t r = 0; r < rows; r++) {
        int right = seen_keys(s->shape, r) > 1;
        for (size_t d = 0; d < D && right; d++) right = !lab_element_bad(s, r * D + d, 0);
        if (right) return 1;
    }
    return 0;
}

static int known_mistake(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const char *possible[LAB_N_MISTAKES];
    const attn_shape p = s->shape;
    char from[2][240];
    memcpy(possible, lab_attention_mistakes, sizeof possible);
    say_from(s, possible, from);
    if (p.causal || p.seq_q > p.seq_kv) possible[LAB_MASK_ALWAYS] = NULL;
    if (!p.causal) possible[LAB_MASK_INVERTED] = possible[LAB_NO_SCALE_NO_MASK] = possible[LAB_NO_MASK] = NULL;
    if (p.seq_q != p.seq_kv) possible[LAB_Q_AS_K] = possible[LAB_Q_K_SWAPPED] = NULL;
    possible[LAB_W_TRANSPOSED] = NULL;
    if (s->op->n_tensors == 5) {  // task 2's chain: which of its products was called?
        possible[LAB_K_BY_COLUMNS] = "matches Q K in place of Q K^T: K is [Sk, D], so that product is attn_gemm_nt's";
        possible[LAB_V_BY_COLUMNS] = "matches scores V^T in place of scores V: V is [Sk, D], so that product is "
                                     "attn_gemm_nn's";
    }
    if (some_are_right(s))
        possible[LAB_RAW_SCORES] =
            "matches scores used as weights in the rows that are wrong alone: the softmax does not reach them";
    int number = bad->n > 0;
    for (int i = 0; i < bad->n && number; i++) number = largest_score(s, bad->row[i]) < LAB_FAR_BELOW;
    if (number) {  // of what stands there nothing is known but that it is above
        const char *alone[LAB_N_MISTAKES] = {[LAB_MASK_IS_ZERO] = LAB_NUMBER_FOR_HIDDEN};
        lab_recognise_rows(s, bad, alone, LAB_N_MISTAKES, row_with_mistake, text, size);
    }
    return lab_recognise_rows(s, bad, possible, LAB_N_MISTAKES, row_with_mistake, text, size);
}

// What is lost in the first tile of keys is lost for all rows that see no more keys than such a row.
static int are_all_that_see_as_few(const lab_symptom *s, const lab_sample *zero) {
    const size_t D = s->shape.head_dim, rows = s->op->elements(s->shape, 0) / D;
    int most = 0;
    for (int i = 0; i < zero->n; i++) {
        const int seen = seen_keys(s->shape, zero->row[i]);
        most = seen > most ? seen : most;
    }
    for (size_t r = 0; r < rows; r++) {
        int right = seen_keys(s->shape, r) > 0 && seen_keys(s->shape, r) <= most;
        for (size_t d = 0; d < D && right; d++) right = !lab_element_bad(s, r * D + d, 0);
        if (right) return 0;
    }
    return 1;
}

// Every wrong row is 0.
static int explain_zeros(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const size_t D = s->shape.head_dim;
    for (int i = 0; i < bad->n; i++)
        for (size_t c = 0; c < D; c++)
            if (s->got[bad->row[i] * D + c] != 0) return 0;
    if (!bad->n || !are_all_that_see_as_few(s, bad)) return 0;
    return lab_guess(s->guesses,
                     LAB_ROWS_OF_0
                     ": no key is added to O, or what was added to O is lost: O is set to 0 behind it, or "
                     "multiplied by exp(m_old - m_new), which is 0 in the first tile",
                     text, size);
}

// Of one key the weight is 1, whatever its score is: rows times 1/sqrt(D) tell that it came behind the softmax, beside claims
// of more keys.
static void guess_scaled_value(const lab_symptom *s) {
    const double scale = 1 / sqrt(s->shape.head_dim);
    char aside[240] = "";
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++)
        if (!(fabs(s->got[i] - scale * s->want[i]) < LAB_TOLERANCE / 4)) return;
    if (s->shape.seq_kv == 1) lab_guess(s->guesses, lab_attention_mistakes[LAB_SCALE_AFTER], aside, sizeof aside);
}

// ---- Weaker signs

// online: it goes tile by tile, with m, l and O.
static int diagnose_with(const lab_symptom *s, int online, char *text, size_t size) {
    const lab_sample bad = lab_sample_bad_rows(s), finite = lab_sample_finite_bad_rows(s);
    const lab_sample telling = lab_telling_rows(s, &finite, wrong_row);
    text[0] = 0;
    if (lab_explain_output_places(s, s->op == &lab_tiled ? s->extra[0] : 0, text, size)) return 1;
    int known = online && lab_explain_walk(s, text, size);
    known |= known_mistake(s, &telling, text, size);
    if (online) known |= lab_explain_tile_rows(s, wrong_row, text, size);
    known |= lab_explain_rows(s, wrong_row, text, size);
    if (online) known |= lab_explain_tile_rows_of_1(s, wrong_row, text, size);
    if (online) known |= lab_explain_even_tiles(s, wrong_row, text, size);
    if (online) known |= lab_explain_tile_shared(s, wrong_row, text, size);
    if (online) known |= lab_explain_tile_pooled(s, wrong_row, text, size);
    lab_guess_few_keys(s), guess_scaled_value(s);
    known |= lab_explain_along_queries(s, wrong_row, text, size);
    known |= lab_explain_left_rows(s, s->op == &lab_tiled ? s->extra[0] : 0, text, size);
    if (online) known |= explain_zeros(s, &bad, text, size);
    if (online) known |= lab_explain_own_keys(s, text, size);
    if (online && !known) known = lab_explain_some_walk(s, text, size);
    if (online && s->op == &lab_flash) known |= lab_explain_first_rows(s, text, size);
    if (known) return 1;
    if (online && s->cmp.not_finite == s->op->elements(s->shape, 0) && !s->cmp.unwritten && !s->shape.causal &&
        fabs(largest_score(s, 0)) < 60) {
        snprintf(text, size,
                 "a guess: every row is NaN, from memory that was never written, or from INFINITY * 0 in the first "
                 "tile, where m_old is -INFINITY: is the factor of l and O exp(m_old - m_new)?");
        return 1;
    }
    if (online && lab_explain_hidden_tile(s, text, size)) return 1;
    if (online && s->cmp.not_finite && lab_explain_kept_max(s, wrong_row, text, size)) return 1;
    if (s->cmp.not_finite && lab_explain_pooled_max(s, largest_score, text, size)) return 1;
    if (s->cmp.not_finite > s->cmp.unwritten) {
        const int said = lab_explain_not_finite(s, &bad, largest_score, s->shape.causal, text, size);
        if (online && strncmp(text, "exp overflows", 13) == 0)
            snprintf(
                text, size,
                "exp overflows where scores are large: subtract the row maximum, of all keys so far, in every exp. "
                "It never falls: m_new is the larger of m_old and the tile's maximum");
        return said;
    }
    return lab_explain_misplaced(s, &bad, text, size) || lab_explain_factor(s, &bad, text, size);
}

int lab_diagnose_attention(const lab_symptom *s, char *text, size_t size) { return diagnose_with(s, 0, text, size); }

int lab_diagnose_online(const lab_symptom *s, char *text, size_t size) { return diagnose_with(s, 1, text, size); }

// The probe itself divides O by l in the end. Whether the file does so, too, is another TODO's.
int lab_diagnose_walk(const lab_symptom *s, char *text, size_t size) {
    const int known = lab_diagnose_online(s, text, size);
    lab_without_the_end(text);
    for (int k = 0; s->guesses && k < s->guesses->n; k++) lab_without_the_end(s->guesses->text[k]);
    return known;
}

// Task 2. With an argument that is another one, a part of the heads may look as if a known mistake had been made.
int lab_diagnose_chain(const lab_symptom *s, char *text, size_t size) {
    text[0] = 0;
    lab_guess_one_key(s, wrong_row);  // with one row of one key an argument may fit by chance
    if (lab_explain_chain(s, text, size) || s->cmp.unwritten || s->cmp.used) return *text != 0;
    char left[240] = "";
    if (!lab_explain_weights_left(s, left, sizeof left)) return lab_diagnose_attention(s, text, size);
    lab_diagnose_attention(s, text, size);
    return snprintf(text, size, "%s", left) > 0;
}
