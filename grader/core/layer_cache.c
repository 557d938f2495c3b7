// layer_cache.c: task 6: a right Y is half of the contract. After all calls the cache, too, holds what task6.h says: as
// many tokens as lengths tells, and K and V of each in its slot. Who keeps keys elsewhere, or computes the prompt anew
// for every token, has no layer that a model can go on with.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layer.h"
#include "layer_calls.h"

typedef struct {
    attn_shape s;
    const float *X, *W, *bias, *lengths, *cache;
    int S, first, end;  // rows of the longest prompt; rows in [first, end) are accepted
} kept;

// Behind a refused prompt the first accepted row is a prompt of one token.
static int prompt_of(const kept *k, int b) { return k->first ? 1 : lab_int_at(k->lengths, b); }
static int steps_of(const kept *k) {
    const int decodes_from = k->first ? k->first + 1 : k->S;
    return k->end > decodes_from ? k->end - decodes_from : 0;
}

// The row of X whose token stands in slot t of sequence b.
static int row_in(const kept *k, int b, int t) {
    const int prompt = prompt_of(k, b);
    return t < prompt ? k->first + t : (k->first ? k->first + 1 : k->S) + t - prompt;
}

// Number `column` of what W_qkv makes of a row of sequence b.
static double product(const kept *k, int b, int row, size_t column) {
    const size_t E = (size_t)k->s.heads * k->s.head_dim;
    const float *x = k->X + ((size_t)b * k->s.seq_q + row) * E;
    double sum = k->bias[column];
    for (size_t e = 0; e < E; e++) sum += (double)x[e] * k->W[e * 3 * E + column];
    return sum;
}

// v: 0 K, 1 V.
static int slot_is_right(const kept *k, int v, int b, int h, int t) {
    const size_t D = k->s.head_dim, H = k->s.heads, slots = k->s.seq_kv;
    const float *at = k->cache + ((v * k->s.batch * H + b * H + h) * slots + t) * D;
    const int row = row_in(k, b, t);
    for (size_t d = 0; d < D; d++) {
        const double due = product(k, b, row, ((v + 1) * H + h) * D + d);
        if (!(fabs(at[d] - due) < LAB_TOLERANCE * (1 + fabs(due)))) return 0;
    }
    return 1;
}

static int length_is_right(const kept *k, int b) {
    const size_t tokens = 2 * lab_elements_kv(k->s);
    return lab_int_at(k->cache + tokens, b) == prompt_of(k, b) + steps_of(k);
}

// The first token, in the order of the slots, whose K or V is not there.
static int first_missing(const kept *k, char *text, size_t size) {
    for (int t = 0; t < k->s.seq_kv; t++)
        for (int b = 0; b < k->s.batch; b++)
            for (int h = 0; h < k->s.heads && t < prompt_of(k, b) + steps_of(k); h++)
                for (int v = 0; v < 2; v++)
                    if (!slot_is_right(k, v, b, h, t))
                        return snprintf(text, size,
                                        "matches a cache without %c of token %d of sequence %d, head %d in its slot",
                                        v ? 'V' : 'K', t, b, h) > 0;
    return 0;
}

// What the driver has seen of the calls says how the prompt was stored. The place of the call is nobody's line.
static int says_how_stored(char *cause) {
    char *const place = strstr(cause, " (at 0x");
    if (place) *place = 0;
    return strstr(cause, "as if that were") || strstr(cause, "append in a prefill");
}

int lab_layer_left(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], const float *work,
                   uint64_t changed, char *text, size_t size) {
    kept k = {s, in[1], in[2], in[3], in[6], work, lab_layer_longest(in[6], s.batch), 0, 0};
    const lab_symptom symptom = {.op = &lab_layer, .shape = s, .in = in, .extra = {extra[0], extra[1]}, .work = work};
    int wrong = 0;
    (void)changed;
    lab_layer_room(s, in[6], &k.first, &k.end);
    for (int b = 0; b < s.batch; b++) wrong |= !length_is_right(&k, b);
    char missing[240] = "", cause[240] = "";
    if (!wrong && !first_missing(&k, missing, sizeof missing)) return 0;
    const int seen = lab_explain_layer_call(&symptom, cause, sizeof cause), told = seen && says_how_stored(cause);
    if (!told) cause[0] = 0;
    const int known = told || lab_explain_cache(&symptom, cause, sizeof cause);
    snprintf(text, size, "%s; wrong: the cache, while Y is right", known ? cause : missing);
    return 1;
}
