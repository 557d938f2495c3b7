// op_attention.c: attention of Q, K, V, whatever computes it. Tasks 1 to 4.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t elements(attn_shape s, int t) {
    if (t == 4) return (size_t)s.batch * s.heads * s.seq_q * s.seq_kv;  // the chain's scores
    return t < 2 ? lab_elements_q(s) : lab_elements_kv(s);
}

// The chain writes the scores, reads and writes them twice, and reads them.
static size_t chain_moved(attn_shape s, const int extra[2], int t) { return (t == 4 ? 6 : 1) * elements(s, t); }

// Large and offset inputs are about Q and K, whose product the softmax sees; V stays near N(0, 1).
static void fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    lab_fill(x, elements(s, t), s.head_dim, t < 3 ? kind : LAB_NORMAL, key);
}

static int oracle(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    double *scratch = malloc(s.seq_kv * sizeof *scratch);
    for (int r = 0; scratch && r < s.batch * s.heads * s.seq_q; r++, out += s.head_dim)
        lab_oracle_row(out, in[1], in[2], in[3], s, r / s.seq_q / s.heads, r / s.seq_q % s.heads, r % s.seq_q, mistake,
                       scratch);
    free(scratch);
    return scratch != NULL;
}

static void draw_tiles(uint64_t key, attn_shape *s, int extra[2]) {
    for (int i = 0; i < 2; i++) extra[i] = (int)(1 + lab_bits(key, 5 + i) % 80);
}

// ---- Known mistakes

const char *const lab_attention_mistakes[LAB_N_MISTAKES] = {
    [LAB_NO_SCALE] = "matches what a missing 1/sqrt(D) gives: scale the scores before the softmax",
    [LAB_SCALE_BY_D] = "matches a scale of 1/D: it must be 1/sqrt(D)",
    [LAB_SCALE_AFTER] = "matches 1/sqrt(D) applied after the softmax: scale the scores before it",
    [LAB_NO_MASK] = "matches attention without the causal mask: query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_ALWAYS] = "matches a causal mask that was not asked for: look at shape.causal",
    [LAB_MASK_PLUS_ONE] = "matches a causal mask that is off by one: each query sees one key too many",
    [LAB_MASK_MINUS_ONE] = "matches a causal mask that is off by one: each query misses its last key",
    [LAB_MASK_TOP_LEFT] =
        "matches a mask aligned top-left: with seq_q < seq_kv query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_IS_ZERO] = "matches masked scores set to 0: exp(0) is 1, so they still count; set them to -INFINITY",
    [LAB_MASK_AFTER] = "matches a mask applied after the softmax: masked scores are still in the row sum",
    [LAB_DROP_LAST_KEY] = "matches the last key left out",
    [LAB_NO_DIVISION] = LAB_NO_DIVISION_TEXT,
    [LAB_UNIFORM] = "matches the plain mean of V: the scores do not reach the softmax",
    [LAB_HEAD_ZERO] = "matches head 0 computed for every head: look at the head's offset",
    [LAB_BATCH_ZERO] = "matches batch 0 computed for every batch: look at the batch's offset",
    [LAB_KV_HEAD_ZERO] = "matches K and V of head 0 used for every head: look at their offset",
    [LAB_K_AS_V] = "matches K used in place of V",
    [LAB_Q_AS_K] = "matches Q used in place of K",
    [LAB_Q_K_SWAPPED] = "matches Q and K swapped",
    [LAB_K_V_SWAPPED] = "matches K and V swapped",
    [LAB_W_TRANSPOSED] = "matches X W in place of X W^T: row e of W makes output feature e",
};

static void row_with_mistake(const lab_symptom *s, size_t r, int mistake, double *out, double *scratch) {
    const attn_shape p = s->shape;
    const size_t head = r / p.seq_q;
    lab_oracle_row(out, s->in[1], s->in[2], s->in[3], p, (int)(head / p.heads), (int)(head % p.heads),
                   (int)(r % p.seq_q), mistake, scratch);
}

static int known_mistake(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const char *possible[LAB_N_MISTAKES];
    const attn_shape p = s->shape;
    memcpy(possible, lab_attention_mistakes, sizeof possible);
    if (p.causal || p.seq_q > p.seq_kv) possible[LAB_MASK_ALWAYS] = NULL;
    if (p.seq_q != p.seq_kv) possible[LAB_Q_AS_K] = possible[LAB_Q_K_SWAPPED] = NULL;
    possible[LAB_W_TRANSPOSED] = NULL;
    return lab_recognise_rows(s, bad, possible, LAB_N_MISTAKES, row_with_mistake, text, size);
}

// ---- Weaker signs

static int seen_keys(attn_shape s, size_t r) {
    return s.causal ? (int)(r % s.seq_q) + s.seq_kv - s.seq_q + 1 : s.seq_kv;
}

// The scores of query row r, of the keys that it sees, into p. Returns the largest.
static double scores_of(const lab_symptom *s, size_t r, double *p) {
    const size_t D = s->shape.head_dim;
    const float *q = s->in[1] + r * D, *k = s->in[2] + r / s->shape.seq_q * s->shape.seq_kv * D;
    double max = -INFINITY;
    for (int j = 0; j < seen_keys(s->shape, r); j++) {
        p[j] = 0;
        for (size_t c = 0; c < D; c++) p[j] += (double)q[c] * k[j * D + c] / sqrt((double)D);
        max = fmax(max, p[j]);
    }
    return max;
}

static double largest_score(const lab_symptom *s, size_t r) {
    double *p = malloc(s->shape.seq_kv * sizeof *p);
    const double max = p ? scores_of(s, r, p) : 0;
    free(p);
    return max;
}

// How many of the row's first keys (step +1) or last keys (step -1) alone explain the row: 1 .. seq_kv - 1, or 0.
// o: head_dim doubles, p: seq_kv doubles.
static int partial_keys(const lab_symptom *s, size_t r, int step, double *o, double *p) {
    const size_t D = s->shape.head_dim;
    const float *v = s->in[3] + r / s->shape.seq_q * s->shape.seq_kv * D;
    const int seen = seen_keys(s->shape, r);
    const double max = scores_of(s, r, p);
    double sum = 0;
    memset(o, 0, D * sizeof *o);
    for (int n = 1; n < seen; n++) {
        const int j = step > 0 ? n - 1 : seen - n;
        const double w = exp(p[j] - max);
        sum += w;
        int matches = sum > 0;
        for (size_t c = 0; c < D; c++) {
            o[c] += w * v[j * D + c];
            matches = matches && fabs(s->got[r * D + c] - o[c] / sum) < LAB_TOLERANCE;
        }
        if (matches) return n;
    }
    return 0;
}

static int explain_partial_keys(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    double *o = malloc((s->shape.head_dim + s->shape.seq_kv) * sizeof *o), *p = o + s->shape.head_dim;
    int found = 0;
    for (int step = 1; o && step >= -1 && !found; step -= 2) {
        int first = 0, all = bad->n > 0;
        for (int i = 0; i < bad->n && all; i++) {
            const int n = partial_keys(s, bad->row[i], step, o, p);
            all = n > 0;
            if (i == 0) first = n;
        }
        if (!all) continue;
        snprintf(
            text, size,
            step > 0
                ? "matches attention to the first %d keys only (row %zu): is the last, ragged tile of keys visited?"
                : "matches attention to the last %d keys only (row %zu): what earlier tiles gave is lost",
            first, bad->row[0] % s->shape.seq_q);
        found = 1;
    }
    free(o);
    return found;
}

// Is the first bad row right for another head or batch?
static int explain_misplaced(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const attn_shape a = s->shape;
    const size_t d = a.head_dim, heads = (size_t)a.batch * a.heads, row = bad->row[0];
    if (bad->n == 0) return 0;
    const size_t here = row / a.seq_q, query = row % a.seq_q;
    for (size_t other = 0; other < heads; other++) {
        int same = other != here;
        for (size_t c = 0; c < d && same; c++)
            same = fabs(s->got[row * d + c] - s->want[(other * a.seq_q + query) * d + c]) < LAB_TOLERANCE;
        if (!same) continue;
        snprintf(text, size,
                 "batch %zu, head %zu holds what belongs to batch %zu, head %zu: look at the offset of a head",
                 here / a.heads, here % a.heads, other / a.heads, other % a.heads);
        return 1;
    }
    return 0;
}

static int diagnose_with(const lab_symptom *s, const char *factor_hint, char *text, size_t size) {
    const lab_sample bad = lab_sample_bad_rows(s);
    if (s->cmp.not_finite > s->cmp.unwritten)
        return lab_explain_not_finite(s, &bad, largest_score, s->shape.causal, text, size);
    return known_mistake(s, &bad, text, size) || explain_partial_keys(s, &bad, text, size) ||
           explain_misplaced(s, &bad, text, size) || lab_explain_factor(s, &bad, factor_hint, text, size);
}

static int diagnose(const lab_symptom *s, char *text, size_t size) { return diagnose_with(s, "", text, size); }

static int diagnose_online(const lab_symptom *s, char *text, size_t size) {
    return diagnose_with(s, "; is it rescaled by exp(m_old - m_new) when the row maximum grows?", text, size);
}

// ---- The rows

// clang-format off
#define ATTENTION \
    .n_tensors = 4, .tensors = {"O", "Q", "K", "V"}, .elements = elements, .fill = fill, .oracle = oracle
const lab_op lab_sdpa = {.name = "sdpa", .symbol = "attn_sdpa", ATTENTION, .diagnose = diagnose};
const lab_op lab_tiled = {
    .name = "tiled", .symbol = "attn_tiled", ATTENTION, .draw = draw_tiles, .diagnose = diagnose_online};
const lab_op lab_walk_probe = {
    .name = "walk_probe", .symbol = "lab_probe_walk_keys", .probe = 1, ATTENTION, .diagnose = diagnose_online};
const lab_op lab_flash = {.name = "flash", .symbol = "attn_flash", ATTENTION, .diagnose = diagnose_online};
const lab_op lab_flash_launch = {
    .name = "launch", .symbol = "lab_probe_launch", .probe = 1, ATTENTION, .diagnose = diagnose_online};
#define NAIVE \
    .n_tensors = 5, .tensors = {"O", "Q", "K", "V", "scores"}, .scratch = 4, .elements = elements, .fill = fill, \
    .oracle = oracle, .diagnose = diagnose, .moved = chain_moved
const lab_op lab_naive = {.name = "naive", .symbol = "attn_naive", NAIVE};
const lab_op lab_naive_chain = {.name = "naive_chain", .symbol = "lab_probe_naive", .probe = 1, NAIVE};
