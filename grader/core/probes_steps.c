// probes_steps.c: what a query tile holds after each tile of keys, in the student's tiled attention: m, l and O of every
// row. No claim: who has a wrong answer is told in which row, after which tile and in what it goes wrong first
// (grader/claims/mismatch.c).
//
// extra: Br and Bc. Of each row the output has LAB_STEPS times m, l and O [head_dim]; behind the last tile of keys that the
// row sees, they stay as they are.
#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t elements(attn_shape s, int t) {
    if (t > 1) return lab_elements_kv(s);
    return lab_elements_q(s) / s.head_dim * (t ? s.head_dim : LAB_STEPS * (s.head_dim + 2));
}

static void extent(attn_shape s, size_t extent[4]) {
    extent[0] = s.batch, extent[1] = s.heads, extent[2] = s.seq_q, extent[3] = LAB_STEPS * (size_t)(s.head_dim + 2);
}

static void fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    lab_flash.fill(s, extra, t, kind, key, x);
}

static int least(int a, int b) { return a < b ? a : b; }

// m, l and O of a query over its first `end` keys. score: room for as many.
static void state(double *out, const float *q, const float *K, const float *V, int end, int D, double *score) {
    double m = -INFINITY, l = 0;
    for (int j = 0; j < end; j++) {
        score[j] = 0;
        for (int d = 0; d < D; d++) score[j] += (double)q[d] * K[j * D + d];
        m = fmax(m, score[j] /= sqrt(D));
    }
    for (int d = 0; d < D; d++) out[2 + d] = 0;
    for (int j = 0; j < end; j++) {
        const double p = exp(score[j] - m);
        l += p;
        for (int d = 0; d < D; d++) out[2 + d] += p * V[j * D + d];
    }
    out[0] = m, out[1] = l;
}

static int oracle(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    const int D = s.head_dim;
    double *score = malloc(s.seq_kv * sizeof *score);
    for (int r = 0; score && r < s.batch * s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, seen = s.causal ? i + 1 + s.seq_kv - s.seq_q : s.seq_kv;
        const size_t head = (size_t)(r / s.seq_q) * s.seq_kv * D;
        for (int k = 0; k < LAB_STEPS; k++, out += D + 2)
            state(out, in[1] + (size_t)r * D, in[2] + head, in[3] + head, least((k + 1) * extra[1], seen), D, score);
    }
    free(score);
    return score != NULL;
}

// ---- Where it goes wrong first

typedef struct {
    int m, l, O;  // 1: wrong
    int answer;   // O / l is wrong, too: who keeps another m or another l keeps what is right all the same
    int meaning;  // m, l or O are so far off that O / l would be wrong if they meant what they should
} step;

static int off(double got, double want, double by) { return !(fabs(got - want) <= by); }

static step step_at(const float *got, const double *want, int D) {
    const double by = LAB_TOLERANCE, much = 10 * by, m = 1 + fabs(want[0]), l = want[1];
    double o = 0;
    for (int d = 2; d < D + 2; d++) o = fmax(o, fabs(want[d]));
    step s = {off(got[0], want[0], by * m), off(got[1], l, by * l), 0, 0, 0};
    s.meaning = off(got[0], want[0], much * m) || off(got[1], l, much * l);
    for (int d = 2; d < D + 2; d++) {
        s.O |= off(got[d], want[d], by * o);
        s.answer |= off(got[d] / got[1], want[d] / l, 3 * by * o / l);
        s.meaning |= off(got[d], want[d], much * o);
    }
    return s;
}

static const char *is(int wrong) { return wrong ? "wrong" : "right"; }

static void say(const lab_symptom *s, size_t row, int tile, step at, char *text, size_t size) {
    const int Bc = s->extra[1], i = (int)(row % s->shape.seq_q), head = (int)(row / s->shape.seq_q);
    char of[48] = "";
    if (s->shape.batch * s->shape.heads > 1)
        snprintf(of, sizeof of, " of batch %d, head %d", head / s->shape.heads, head % s->shape.heads);
    snprintf(text, size, "row %d%s, after key tile %d (keys %d..%d): m %s, l %s, O %s", i, of, tile + 1, tile * Bc,
             least((tile + 1) * Bc, s->shape.seq_kv) - 1, is(at.m), is(at.l), is(at.O));
}

// The first row that goes wrong, after its first wrong tile. Nothing, where the student's m, l and O mean other things.
static int diagnose(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim;
    const size_t rows = lab_elements_q(s->shape) / D;
    size_t row = rows;
    int tile = 0;
    step at = {0};
    for (size_t i = 0; i < rows; i++)
        for (int k = 0, wrong = 0; k < LAB_STEPS && !wrong; k++) {
            const size_t first = (i * LAB_STEPS + k) * (D + 2);
            const step here = step_at(s->got + first, s->want + first, D);
            if (here.meaning && !here.answer) return 0;
            wrong = here.answer;
            if (wrong && row == rows) row = i, tile = k, at = here;
        }
    if (row < rows) say(s, row, tile, at, text, size);
    return row < rows;
}

const lab_op lab_steps = {.name = "steps",
                          .symbol = "lab_probe_steps",
                          .probe = 1,
                          .n_tensors = 4,
                          .tensors = {"m, l and O", "Q", "K", "V"},
                          .elements = elements,
                          .extent = extent,
                          .fill = fill,
                          .oracle = oracle,
                          .diagnose = diagnose,
                          .says_where = 1};
