// count_case.c: the counted call. A wrong answer has no counts: whoever computes less may well move less.
#include "count_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device.h"
#include "rows.h"

enum { SECTOR = 32, MOST_STACK = 4096 };  // 255 registers are 1020 bytes; what the compiler keeps beside them

static size_t counts_at(const lab_experiment *c) { return lab_layout_of(c->op, c->shape, 1).bytes; }

size_t lab_count_arena(const lab_experiment *c) { return counts_at(c) + sizeof(lab_counts); }

// As for a test, but the caches of a decode are full: their length is the case's.
static void fill(const lab_experiment *c, int t, uint64_t seed, float *x) {
    const uint64_t key = lab_key(seed, c->name, t, 0);
    const int32_t length = c->shape.seq_kv;
    if (c->op != &lab_decode && c->op != &lab_decode_split)
        lab_op_fill(c->op, c->shape, NULL, t, LAB_NORMAL, key, x);
    else if (t != 4)
        lab_fill(x, c->op->elements(c->shape, t), c->shape.head_dim, LAB_NORMAL, key);
    else
        for (int b = 0; b < c->shape.batch; b++) memcpy(x + b, &length, sizeof length);
}

// The row with a large query; -1: the operation has no queries.
static long large_row(const lab_experiment *c, uint64_t seed) {
    const char *first = c->op->tensors[1];
    return first && strcmp(first, "Q") == 0 ? (long)lab_large_row(c->shape, lab_key(seed, c->name, 1, 1), 0) : -1;
}

// Fills the arena; in[t] is a copy of input t that the runner cannot reach. Returns 0 when memory is short.
static int lay_out(const lab_experiment *c, const lab_layout *layout, uint64_t seed, char *arena,
                   float *in[LAB_MAX_TENSORS]) {
    const lab_op *op = c->op;
    lab_guard_fill((uint32_t *)arena, layout->bytes / sizeof(uint32_t));
    for (int t = 0; t < op->n_tensors; t++) {
        const size_t n = c->op->elements(c->shape, t);
        float *x = (float *)(arena + layout->offset[t]);
        lab_poison(x, n);
        if (t == 0 || t == op->scratch) continue;
        fill(c, t, seed, x);
        if (t == 1 && large_row(c, seed) >= 0)
            lab_make_large(x + large_row(c, seed) * c->shape.head_dim, c->shape.head_dim);
        if (!(in[t] = malloc(n * sizeof *x))) return 0;
        memcpy(in[t], x, n * sizeof *x);
    }
    if (op->in_place) memcpy(arena + layout->offset[0], in[1], c->op->elements(c->shape, 0) * sizeof(float));
    return 1;
}

// The large row need not be as exact: float32 itself is not, where scores have three digits before the point.
static double inexactness(const lab_experiment *c, const float *got, const double *want, size_t n, long large) {
    const size_t width = lab_row_width(c), before = large < 0 ? n : large * width, after = before + width;
    const double first = lab_worst_row(got, want, before, width);
    return after < n ? fmax(first, lab_worst_row(got + after, want + after, n - after, width)) : first;
}

static lab_verdict judge_output(const lab_experiment *c, const lab_layout *layout, uint64_t seed, char *arena,
                                float *const in[LAB_MAX_TENSORS], char *why, size_t size) {
    const size_t n = c->op->elements(c->shape, 0);
    float *got = malloc(n * sizeof *got);
    double *want = malloc(n * sizeof *want);
    lab_verdict verdict = LAB_GRADER_ERROR;
    snprintf(why, size, "the lab has no memory for this case");
    if (got && want && c->op->oracle(c->shape, NULL, (const float *const *)in, LAB_NO_MISTAKE, want)) {
        memcpy(got, arena + layout->offset[0], n * sizeof *got);
        lab_op_to_floats(c->op, c->shape, got);
        verdict = lab_compare(got, want, n, LAB_TOLERANCE).verdict;
        snprintf(why, size, "%s", verdict == LAB_PASSED ? "" : "the answer is wrong here, so its traffic says nothing");
        if (verdict == LAB_PASSED && lab_is_inexact(inexactness(c, got, want, n, large_row(c, seed)), why, size))
            verdict = LAB_WRONG_ANSWER;
    }
    free(got), free(want);
    return verdict;
}

static lab_verdict judge_inputs(const lab_experiment *c, const lab_layout *layout, const char *arena,
                                float *const in[LAB_MAX_TENSORS], char *why, size_t size) {
    for (int t = 1; t < c->op->n_tensors; t++)
        if (in[t] && memcmp(arena + layout->offset[t], in[t], c->op->elements(c->shape, t) * sizeof(float))) {
            snprintf(why, size, "input %s was modified: inputs are read only", c->op->tensors[t]);
            return LAB_INPUT_MODIFIED;
        }
    return LAB_PASSED;
}

// Of the chain: does row r of `scores` hold the probabilities? p: room for seq_kv numbers.
static int holds_probabilities(attn_shape s, size_t r, const float *q, const float *k, const float *scores, double *p) {
    const size_t D = s.head_dim, Sk = s.seq_kv, i = r % s.seq_q, seen = s.causal ? i + Sk - s.seq_q + 1 : Sk;
    double top = -INFINITY, sum = 0;
    for (size_t j = 0; j < seen; j++) {
        p[j] = 0;
        for (size_t d = 0; d < D; d++) p[j] += (double)q[d] * k[j * D + d];
        p[j] /= sqrt((double)D), top = fmax(top, p[j]);
    }
    for (size_t j = 0; j < seen; j++) sum += p[j] = exp(p[j] - top);
    for (size_t j = 0; j < seen; j++)
        if (!(fabs(scores[j] - p[j] / sum) <= LAB_TOLERANCE * (0.1 + 10 * p[j] / sum))) return 0;
    return 1;
}

// Who never writes the matrix of scores moves less than task2.h asks for.
static lab_verdict judge_scores(const lab_experiment *c, const float *scores, float *const in[LAB_MAX_TENSORS],
                                char *why, size_t size) {
    const attn_shape s = c->shape;
    const size_t D = s.head_dim, Sk = s.seq_kv, rows = (size_t)s.batch * s.heads * s.seq_q;
    double *const p = c->op == &lab_naive ? malloc(Sk * sizeof *p) : NULL;
    int ok = 1;
    for (size_t r = 0; p && r < rows && ok; r++)
        ok = holds_probabilities(s, r, in[1] + r * D, in[2] + r / s.seq_q * Sk * D, scores + r * Sk, p);
    free(p);
    if (!ok) snprintf(why, size, "`scores` does not hold the probabilities after %s, as task2.h has it", c->op->symbol);
    return ok ? LAB_PASSED : LAB_WRONG_ANSWER;
}

// Counts that no right kernel can have were not made by counting.
static lab_verdict judge_counts(const lab_experiment *c, const lab_counts *counts, char *why, size_t size) {
    const lab_op *op = c->op;
    if (!counts->counted) {
        snprintf(why, size, "this runner does not count: it is not linked with simt's checked library");
        return LAB_GRADER_ERROR;
    }
    for (int t = 0; t < op->n_tensors; t++)
        if ((t == 0 || t != op->scratch) && counts->tensor[t].sectors * SECTOR < lab_traffic_least(c, t)) {
            snprintf(why, size, "%s must move %llu bytes of %s, and moved %llu", op->symbol,
                     (unsigned long long)lab_traffic_least(c, t), op->tensors[t],
                     (unsigned long long)counts->tensor[t].sectors * SECTOR);
            return LAB_TIMING_SUSPECT;
        }
    if (counts->allocated) {
        snprintf(why, size, "%s allocated %llu bytes of device memory: a call allocates nothing", op->symbol,
                 (unsigned long long)counts->allocated);
        return LAB_WRONG_ANSWER;
    }
    if (counts->unfollowed) {
        snprintf(why, size,
                 "%llu of its launches are cooperative or in clusters: without a GPU nobody counts what those move",
                 (unsigned long long)counts->unfollowed);
        return LAB_WRONG_ANSWER;
    }
    if (counts->stack > MOST_STACK) {
        snprintf(
            why, size,
            "a thread keeps %llu bytes of its own: a GPU has 255 registers of 4 bytes for it, and the rest is local "
            "memory, which nobody counts here",
            (unsigned long long)counts->stack);
        return LAB_WRONG_ANSWER;
    }
    return LAB_PASSED;
}

void lab_count_case(lab_stage *stage, const lab_experiment *c, uint64_t seed, double seconds, lab_counted *r) {
    const lab_layout layout = lab_layout_of(c->op, c->shape, 1);
    float *in[LAB_MAX_TENSORS] = {NULL};
    attn_status status = ATTN_OK;
    lab_request request = lab_request_of(c->op, c->shape, 1, LAB_TEST | LAB_COUNT | (c->sampled ? LAB_SAMPLE : 0));
    request.extra[0] = c->splits, request.counts = counts_at(c);
    memset(r, 0, sizeof *r);
    memset(stage->arena + request.counts, 0, sizeof r->counts);
    r->verdict = LAB_GRADER_ERROR;
    if (!lay_out(c, &layout, seed, stage->arena, in)) {
        snprintf(r->why, sizeof r->why, "the lab has no memory for this case");
    } else {
        r->verdict = lab_stage_call(stage, &request, seconds, &status, r->why, sizeof r->why);
        memcpy(&r->counts, stage->arena + request.counts, sizeof r->counts);
        if (r->verdict == LAB_PASSED && status != ATTN_OK)
            r->verdict = lab_judge_status(status, (c->op)->symbol, stage->process.text, NULL, r->why, sizeof r->why);
        else if (r->verdict == LAB_PASSED && !c->sampled)
            r->verdict = judge_output(c, &layout, seed, stage->arena, in, r->why, sizeof r->why);
        if (r->verdict == LAB_PASSED) r->verdict = judge_inputs(c, &layout, stage->arena, in, r->why, sizeof r->why);
        if (r->verdict == LAB_PASSED && !c->sampled)
            r->verdict = judge_scores(c, (float *)(stage->arena + layout.offset[4]), in, r->why, sizeof r->why);
        if (r->verdict == LAB_PASSED) r->verdict = judge_counts(c, &r->counts, r->why, sizeof r->why);
    }
    for (int t = 0; t < LAB_MAX_TENSORS; t++) free(in[t]);
}

uint64_t lab_bytes_moved(const lab_counts *counts) {
    uint64_t sectors = counts->other.sectors;
    for (int t = 0; t < LAB_MAX_TENSORS; t++) sectors += counts->tensor[t].sectors;
    return sectors * SECTOR;
}

double lab_multiply_adds(const lab_experiment *c) { return lab_experiment_flops(c) / 2; }

uint64_t lab_traffic_least(const lab_experiment *c, int t) {
    return lab_op_bytes(c->op, c->shape, (const int[2]){c->splits}, t);
}
