// layer.c: the attention layer of task 6, in float64: without a cache, every row attends to the rows that it may see.
//
// A student computes the same in two other ways, prefill and decode. Each known mistake changes the answer to one of
// two questions: which rows does a row see, and what does it find there?
#include "layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    attn_shape shape;
    int S, first, end;  // rows of the prompt; rows in [first, end) are accepted
    int decodes_from;   // rows before it come in prefill
    const float *lengths;
    double *qkv;  // [B, T, 3E]
    lab_layer_mistake mistake;
} layer;

void lab_layer_prompts(attn_shape shape, int S, uint64_t key, float *lengths) {
    for (int b = 0; b < shape.batch; b++) {
        const int32_t length = b == shape.batch - 1 ? S : 1 + (int)(lab_bits(key, b) % (uint64_t)S);
        memcpy(lengths + b, &length, sizeof length);
    }
}

int lab_layer_longest(const float *lengths, int batch) {
    int S = 0;
    for (int b = 0; b < batch; b++) {
        const int length = lab_int_at(lengths, b);
        S = length > S ? length : S;
    }
    return S;
}

void lab_layer_room(attn_shape shape, const float *lengths, int *first, int *end) {
    const int S = lab_layer_longest(lengths, shape.batch), refused = S > shape.seq_kv;
    const int room = shape.seq_kv - (refused ? 0 : S);  // steps of decode until the longest sequence is full
    *first = refused ? S : 0;
    *end = shape.seq_q < S + room ? shape.seq_q : S + room;
}

int lab_layer_decodes_from(attn_shape shape, const float *lengths) {
    const int S = lab_layer_longest(lengths, shape.batch);
    return S > shape.seq_kv ? S + 1 : S;
}

// Y = X W + b. b may be NULL.
static void linear(double *y, const double *x, const float *w, const float *b, size_t rows, size_t n_in, size_t n_out) {
    for (size_t r = 0; r < rows; r++, x += n_in, y += n_out) {
        for (size_t e = 0; e < n_out; e++) y[e] = b ? b[e] : 0;
        for (size_t f = 0; f < n_in; f++)
            for (size_t e = 0; e < n_out; e++) y[e] += x[f] * w[f * n_out + e];
    }
}

// Does row r of a sequence see row c? Its prompt has `length` rows, and padding up to S.
static int sees(const layer *l, int length, int r, int c) {
    const int S = l->S, from = l->decodes_from, decode = r >= from;
    const int past = (c < length || c >= S) && c >= l->first && c <= r;
    if (r >= length && r < S) return c <= r;  // padding sees padding: where heads are not merged, it shows
    if (!decode) return l->mistake == LAB_PREFILL_SEES_ALL && r < S ? c < S : past;
    switch (l->mistake) {
    case LAB_PADS_ARE_TOKENS: return c <= r;
    case LAB_LENGTH_OF_SEQUENCE0: return c <= r && (c < lab_int_at(l->lengths, 0) || c >= S);
    case LAB_STORE_MISSING: return past && c >= from;
    case LAB_STORE_ONE_SHORT: return past && c != (from > S ? S : length - 1);
    case LAB_APPEND_MISSING: return past && c < from;
    case LAB_APPEND_LATE: return past && c < r;
    case LAB_APPEND_REPLACES: return past && (c < from || c == r);
    case LAB_DECODE_FORGETS: return c == r;
    default: return past;
    }
}

enum { QUERY, KEY, VALUE };

static const double nobody_knows[128] = {[0 ... 127] = NAN};

// Row c of head h of sequence b in an array whose heads are `apart` rows apart, read as if they were `taken` apart.
static const double *elsewhere(const layer *l, int b, int h, int row, int taken, int apart, int part) {
    const attn_shape p = l->shape;
    const size_t E = (size_t)p.heads * p.head_dim, flat = ((size_t)b * p.heads + h) * taken + row;
    const size_t head = flat / apart, token = flat % apart, sequence = head / p.heads;
    if (sequence >= (size_t)p.batch || (int)token >= lab_int_at(l->lengths, sequence)) return nobody_knows;
    return l->qkv + (sequence * p.seq_q + token) * 3 * E + part * E + head % p.heads * p.head_dim;
}

// The key or value that decode of row r takes for row c if it reads this call's [B, H, 1, D], and the prompt's behind it.
static const double *of_this_call(const layer *l, int b, int h, int r, int c, int part) {
    const attn_shape p = l->shape;
    const int slot = c < l->S ? c : lab_int_at(l->lengths, b) + c - l->S;
    const size_t E = (size_t)p.heads * p.head_dim, flat = ((size_t)b * p.heads + h) * p.seq_kv + slot;
    if (flat >= (size_t)p.batch * p.heads) return elsewhere(l, b, h, slot, p.seq_kv, l->S, part);
    return l->qkv + (flat / p.heads * p.seq_q + r) * 3 * E + part * E + flat % p.heads * p.head_dim;
}

static const double *of_qkv(const layer *l, int b, int h, int r) {
    const attn_shape p = l->shape;
    const size_t E = (size_t)p.heads * p.head_dim, flat = b * E + (size_t)h * p.head_dim;
    return l->qkv + (flat / (3 * E) * p.seq_q + r) * 3 * E + flat % (3 * E);
}

// What row r finds where the query, key or value of row c should be: head_dim numbers.
static const double *found(const layer *l, int b, int h, int r, int c, int part) {
    const attn_shape p = l->shape;
    const size_t D = p.head_dim, E = p.heads * D;
    const int prefill = r < l->decodes_from, stored = !prefill && c < l->decodes_from, swapped = KEY + VALUE - part;
    if (l->mistake == LAB_PREFILL_Q_K && prefill && part != VALUE) part = QUERY + KEY - part;
    if (l->mistake == LAB_DECODE_Q_OF_QKV && !prefill && part == QUERY) return of_qkv(l, b, h, r);
    if (l->mistake == LAB_DECODE_OF_WORK && !prefill && part != QUERY) return of_this_call(l, b, h, r, c, part);
    if (l->mistake == LAB_PREFILL_Q_K) return l->qkv + ((size_t)b * p.seq_q + c) * 3 * E + part * E + h * D;
    if (part != QUERY) switch (l->mistake) {
        case LAB_PREFILL_SWAPS: part = prefill ? swapped : part; break;
        case LAB_PREFILL_Q_AS_K: part = prefill && part == KEY ? QUERY : part; break;
        case LAB_STORE_Q_AS_K: part = stored && part == KEY ? QUERY : part; break;
        case LAB_APPEND_Q_AS_K: part = !prefill && !stored ? part - 1 : part; break;
        case LAB_STORE_SWAPS: part = stored ? swapped : part; break;
        case LAB_STORE_K_AS_V: part = stored ? KEY : part; break;
        case LAB_APPEND_SWAPS: part = !prefill && !stored ? swapped : part; break;
        case LAB_DECODE_K_AS_V: part = prefill ? part : KEY; break;
        case LAB_DECODE_SWAPS: part = prefill ? part : swapped; break;
        case LAB_STORE_SEQUENCE0: b = stored ? 0 : b; break;
        case LAB_STORE_HEAD0: h = stored ? 0 : h; break;
        default: break;
        }
    return l->qkv + ((size_t)b * p.seq_q + c) * 3 * E + part * E + h * D;
}

// o[D] of head h of row r. p: T doubles.
static void attend(const layer *l, int b, int h, int r, double *o, double *p) {
    const int T = l->shape.seq_q, D = l->shape.head_dim, length = lab_int_at(l->lengths, b);
    const double *q = found(l, b, h, r, r, QUERY);
    double max = -INFINITY, sum = 0;
    for (int c = 0; c < T; c++) {
        p[c] = -INFINITY;
        if (!sees(l, length, r, c)) continue;
        const double *k = found(l, b, h, r, c, KEY);
        p[c] = 0;
        for (int d = 0; d < D; d++) p[c] += q[d] * k[d] / sqrt(D);
        max = p[c] > max ? p[c] : max;
    }
    for (int d = 0; d < D; d++) o[d] = 0;
    for (int c = 0; c < T; c++) {
        if (p[c] == -INFINITY) continue;
        const double *v = found(l, b, h, r, c, VALUE);
        sum += p[c] = exp(p[c] - max);
        for (int d = 0; d < D; d++) o[d] += p[c] * v[d];
    }
    for (int d = 0; d < D && sum > 0; d++) o[d] /= sum;
}

// Row r of Y for sequence b. o: E doubles, p: T doubles.
static void output_row(const layer *l, const float *w, const float *bias, int b, int r, double *y, double *o,
                       double *p) {
    const int H = l->shape.heads, D = l->shape.head_dim, E = H * D;
    const int refused = r < l->first || r >= l->end, padding = r >= lab_int_at(l->lengths, b) && r < l->S;
    if (padding || refused) {
        for (int e = 0; e < E; e++) y[e] = padding ? 0 : LAB_REFUSED;
        return;
    }
    for (int h = 0; h < H; h++) {
        const int apart = r < l->S && (l->mistake == LAB_OUT_OF_Q || l->mistake == LAB_OUT_UNMERGED);
        const int of = apart ? (r * H + h) / l->S : h, row = apart ? (r * H + h) % l->S : r;  // [H, S, D] as [S, H, D]
        if (l->mistake == LAB_OUT_OF_Q)
            memcpy(o + (size_t)h * D, found(l, b, of, row, row, QUERY), D * sizeof *o);
        else
            attend(l, b, of, row, o + (size_t)h * D, p);
    }
    linear(y, o, w, bias, 1, E, E);
}

int lab_oracle_layer(attn_shape shape, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake,
                     double *y) {
    const size_t T = shape.seq_q, E = (size_t)shape.heads * shape.head_dim, rows = shape.batch * T;
    const float *b_qkv = mistake == LAB_NO_BIAS_IN ? NULL : in[3],
                *b_out = mistake == LAB_NO_BIAS_OUT ? NULL : in[mistake == LAB_BIAS_IN_AS_OUT ? 3 : 5];
    double *qkv = malloc(rows * 3 * E * sizeof *qkv), *x = malloc((rows * E + E + T) * sizeof *x);
    const int ok = qkv && x;
    if (ok) {
        double *o = x + rows * E, *p = o + E;
        layer l = {shape, lab_layer_longest(in[6], shape.batch), 0, 0, 0, in[6], qkv, mistake};
        l.decodes_from = lab_layer_decodes_from(shape, in[6]);
        lab_layer_room(shape, in[6], &l.first, &l.end);
        for (size_t i = 0; i < rows * E; i++) x[i] = in[1][i];
        linear(qkv, x, in[2], b_qkv, rows, E, 3 * E);
        for (size_t i = 0; i < rows; i++)
            output_row(&l, in[mistake == LAB_OUT_BY_W_QKV ? 2 : 4], b_out, (int)(i / T), (int)(i % T), y + i * E, o, p);
    }
    free(qkv);
    free(x);
    return ok;
}
