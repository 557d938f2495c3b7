// chain.c: task 2's chain of four calls with one argument that is another one, or two that are swapped.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain_fits.h"

// A try multiplies as the chain does. What is tried a hundred times is tried in small claims alone.
enum { FEW_PRODUCTS = 1 << 17, MOST_PRODUCTS = 1 << 24 };

static const struct {
    const char *call, *argument, *is;
} said[NUMBERS] = {
    {"attn_gemm_nt", "batch", "B * H"},
    {"attn_gemm_nt", "m", "Sq"},
    {"attn_gemm_nt", "n", "Sk"},
    {"attn_gemm_nt", "k", "D"},
    {"scale_and_causal_mask", "a grid", "B * H * Sq"},
    {"scale_and_causal_mask", "seq_q", "Sq"},
    {"scale_and_causal_mask", "seq_kv", "Sk"},
    {"scale_and_causal_mask", "causal", "shape.causal"},
    {"attn_softmax_batched", "rows", "B * H * Sq"},
    {"attn_softmax_batched", "cols", "Sk"},
    {"attn_gemm_nn", "batch", "B * H"},
    {"attn_gemm_nn", "m", "Sq"},
    {"attn_gemm_nn", "n", "D"},
    {"attn_gemm_nn", "k", "Sk"},
    {"attn_softmax_batched", "", ""},
    {"attn_gemm_nt", "", ""},
    {"scale_and_causal_mask", "scale", "1/sqrt(D)"},
    {"scale_and_causal_mask", "", ""},
};

static const char *const scale_name[SCALES] = {"1/sqrt(D)", "1", "1/D",           "sqrt(D)",
                                               "D",         "0", "1/sqrt(H * D)", "1/sqrt(Sk)"};

static int try_numbers(const chain *c, const long right[NUMBERS], char *text, size_t size) {
    const attn_shape s = c->s->shape;
    const long B = s.batch, H = s.heads, Sq = s.seq_q, Sk = s.seq_kv;
    const struct {
        const char *name;
        long value;
    } other[] = {{"B * H", B * H},   {"H", H},           {"B", B},          {"1", 1},
                 {"Sq", Sq},         {"Sk", Sk},         {"D", s.head_dim}, {"B * H * Sq", B * H * Sq},
                 {"H * Sq", H * Sq}, {"B * Sq", B * Sq}, {"0", 0},          {"B * H * Sk", B * H * Sk}};
    long x[NUMBERS];
    char sentence[240];
    for (int a = 0; a < REREAD; a++)
        for (size_t v = 0; v < sizeof other / sizeof *other; v++) {
            if (other[v].value == right[a] || other[v].value == 0) continue;
            if (a == CAUSAL || (other[v].value == 1 && (a == SEQ_Q || a == SEQ_KV)))
                continue;  // no mask has such numbers
            memcpy(x, right, sizeof x);
            x[a] = other[v].value;
            if (!lab_chain_fits(c, x)) continue;
            snprintf(sentence, sizeof sentence, "matches %s called with %s = %s: it is %s", said[a].call,
                     said[a].argument, other[v].name, said[a].is);
            return lab_guess(c->s->guesses, sentence, text, size);
        }
    return 0;
}

// K Q^T with a row for each key, and a softmax of these rows: the mask goes by them, too, or by the places of Q K^T.
static int is_of_keys(const chain *c, const long right[NUMBERS]) {
    const attn_shape s = c->s->shape;
    long x[NUMBERS];
    memcpy(x, right, sizeof x);
    x[SWAPPED] = 1, x[NT_M] = right[NT_N], x[NT_N] = right[NT_M];
    x[ROWS] = right[NN_BATCH] * s.seq_kv, x[COLS] = s.seq_q;
    if (lab_chain_fits(c, x)) return 1;
    x[TURNED] = 1;
    return s.causal && lab_chain_fits(c, x);
}

static int try_swaps(const chain *c, const long right[NUMBERS], char *text, size_t size) {
    long x[NUMBERS];
    char sentence[240];
    memcpy(x, right, sizeof x);
    x[SWAPPED] = 1;
    if (lab_chain_fits(c, x) || is_of_keys(c, right))
        return lab_guess(c->s->guesses, "matches K Q^T: the first product is Q K^T, Q before K", text, size);
    x[NT_M] = right[NT_N], x[NT_N] = right[NT_M];
    if (lab_chain_fits(c, x))
        return lab_guess(c->s->guesses,
                         "matches K Q^T, the scores transposed: the first product is Q K^T, with m = Sq and n = Sk",
                         text, size);
    memcpy(x, right, sizeof x);
    x[BLOCKS] = 0;
    if (!right[CAUSAL] && lab_chain_fits(c, x))
        return lab_guess(c->s->guesses,
                         "matches what scale_and_causal_mask leaves out where it does not run: it scales, too, so it "
                         "runs whether causal or not",
                         text, size);
    x[BLOCKS] = right[BLOCKS];
    x[REREAD] = 1;
    if (lab_chain_fits(c, x))
        return lab_guess(
            c->s->guesses,
            "matches a row sum of exp(p[c] - m): the loop of the exponentials (TODO 2.3) reads s[c] again after p[c] "
            "was written, and P may be S: add p[c]",
            text, size);
    for (int a = 0; a < REREAD; a++)
        for (int b = a + 1; b < REREAD; b++) {
            if (strcmp(said[a].call, said[b].call) != 0 || right[a] == right[b]) continue;
            if (a == BLOCKS || a == CAUSAL || b == CAUSAL) continue;
            memcpy(x, right, sizeof x);
            x[a] = right[b], x[b] = right[a];
            if (!lab_chain_fits(c, x)) continue;
            snprintf(sentence, sizeof sentence, "matches %s called with %s and %s swapped: %s is %s, %s is %s",
                     said[a].call, said[a].argument, said[b].argument, said[a].argument, said[a].is, said[b].argument,
                     said[b].is);
            return lab_guess(c->s->guesses, sentence, text, size);
        }
    return 0;
}

static int try_scales(const chain *c, const long right[NUMBERS], char *text, size_t size) {
    long x[NUMBERS];
    char sentence[240];
    memcpy(x, right, sizeof x);
    for (scale_kind k = BY_ONE; k < SCALES; k++) {
        x[SCALED] = k;
        if (lab_chain_scale(k, c->s->shape) == lab_chain_scale(BY_ROOT, c->s->shape) || !lab_chain_fits(c, x)) continue;
        if (k == BY_ONE)  // who leaves the kernel out where nothing is masked has the same numbers
            snprintf(sentence, sizeof sentence,
                     "matches scores that are not scaled: scale_and_causal_mask is called for them, causal or not, "
                     "with 1/sqrt(D)");
        else
            snprintf(sentence, sizeof sentence,
                     "matches scale_and_causal_mask called with scale = %s: it is 1/sqrt(D)%s", scale_name[k],
                     k == BY_ZERO ? ", and of whole numbers 1 / n is 0" : "");
        return lab_guess(c->s->guesses, sentence, text, size);
    }
    return 0;
}

// The softmax takes the scores for rows of another length: Sq and Sk change places, or a head is one row.
static int try_sides(const chain *c, const long right[NUMBERS], char *text, size_t size) {
    const attn_shape s = c->s->shape;
    int known = 0;
    const long heads = (long)s.batch * s.heads, Sq = s.seq_q, Sk = s.seq_kv;
    const struct {
        const char *called;
        long rows, cols;
    } other[] = {{"B * H * Sk rows of Sq columns", heads * Sk, Sq},
                 {"B * H rows of Sq * Sk columns", heads, Sq * Sk},
                 {"B rows of H * Sq * Sk columns", s.batch, s.heads * Sq * Sk},
                 {"B * H * Sq * Sk rows of 1 column", heads * Sq * Sk, 1},
                 {"one row of all scores", 1, heads * Sq * Sk}};
    // The mask's blocks may be as many as such rows.
    for (size_t i = 0; i < 2 * sizeof other / sizeof *other; i++) {
        const int n = (int)i / 2, blocks = i % 2;
        long x[NUMBERS];
        char sentence[240];
        memcpy(x, right, sizeof x);
        x[ROWS] = other[n].rows, x[COLS] = other[n].cols;
        if (blocks) x[BLOCKS] = other[n].rows;
        if (x[COLS] == right[COLS] || x[BLOCKS] > right[BLOCKS] || !lab_chain_fits(c, x)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches attn_softmax_batched called with %s%s: P has B * H * Sq rows of Sk columns%s",
                 other[n].called, blocks ? ", and scale_and_causal_mask with a block for each of these rows" : "",
                 blocks ? ", and a block masks one of them" : "");
        known |= lab_guess(c->s->guesses, sentence, text, size);  // of one head, or one batch, others are the same
    }
    return known;
}

int lab_explain_chain(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    const long heads = (long)a.batch * a.heads, Sq = a.seq_q, Sk = a.seq_kv, D = a.head_dim;
    const long right[NUMBERS] = {heads, Sq,    Sk, D, heads * Sq, Sq, Sk, a.causal, heads * Sq,
                                 Sk,    heads, Sq, D, Sk,         0,  0,  BY_ROOT};
    chain c = {.s = s, .n_q = lab_elements_q(a), .n_scores = (size_t)heads * Sq * Sk};
    for (int t = 0; t < 4; t++) c.n_in[t] = s->op->elements(a, t);
    const double products = (double)c.n_scores * D;
    if (products > MOST_PRODUCTS) return 0;
    c.scores = malloc(c.n_scores * sizeof *c.scores);
    int known = c.scores && try_sides(&c, right, text, size);
    known |= c.scores && products <= FEW_PRODUCTS && try_scales(&c, right, text, size);
    known |= c.scores && try_swaps(&c, right, text, size);  // of one head the two are the same
    known = known || (c.scores && products <= FEW_PRODUCTS && try_numbers(&c, right, text, size));
    free(c.scores);
    return known;
}
