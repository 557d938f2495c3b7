// contents.cu: the tensors of a layer on the host. On a GPU nothing is kept: to wait for copies would hide what streams
// do to each other there, and simt's kernels are over when their launch returns.
#include "contents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "made.h"

static struct {
    lab_watch at;
    float *held[LAB_N_BUFFERS], *wanted, *read;
    size_t n[LAB_N_BUFFERS], filled[LAB_N_BUFFERS];
} now;

static float *room(float **p, size_t n) {
    float *more = (float *)realloc(*p, n * sizeof(float));
    return more ? *p = more : NULL;
}

const void *lab_contents_read(const void *p, size_t n) {
#if defined __SIMT__ && !defined SIMT_CHECKED  // there what nobody wrote must not be read
    if (room(&now.read, n + 1) && cudaMemcpy(now.read, p, n * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess)
        return now.read;
    cudaGetLastError();
#else
    (void)p, (void)n;
#endif
    return NULL;
}

void lab_contents_begin(const lab_watch *at) {
    now.at = *at;
    for (int i = 0; i < LAB_N_BUFFERS; i++) now.n[i] = at->bytes[i] / sizeof(float), now.filled[i] = 0;
    lab_contents_keep(LAB_IN_X, at->begin[LAB_IN_X], 0, now.n[LAB_IN_X]);
}

void lab_contents_keep(lab_layer_buffer what, const void *p, size_t at, size_t n) {
    const void *from = at + n <= now.n[what] ? lab_contents_read(p, n) : NULL;
    if (!from || !room(&now.held[what], now.n[what])) return;
    memcpy(now.held[what] + at, from, n * sizeof(float));
    now.filled[what] += n;
}

static int is_known(lab_layer_buffer what) { return now.filled[what] && now.filled[what] >= now.n[what]; }

static int same(const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-5f * (1 + fabsf(b[i]))) && (a[i] == a[i] || b[i] == b[i])) return 0;
    return 1;
}

// ---- What a kernel of the layer's own has to make: Q, K, V of qkv, and merged of O; or what it makes in another order

enum { RIGHT = -1 };

// Number i of merged, or of Q, K or V, of its source.
static size_t source(lab_layer_buffer what, size_t i, int order) {
    const size_t H = now.at.heads, D = now.at.head_dim, S = now.at.seq, E = H * D, all = now.n[LAB_IN_O];
    if (what == LAB_IN_MERGED) {
        const size_t e = i % E, s = i / E % S, b = i / E / S;
        const size_t h = order == LAB_ORDER_DIMS_FIRST ? e % H : e / D,
                     d = order == LAB_ORDER_DIMS_FIRST ? e / H : e % D;
        return order == LAB_ORDER_HEADS_APART ? i : ((b * H + h) * S + s) * D + d;
    }
    const size_t part = what - LAB_IN_Q;
    size_t d = i % D, s = i / D % S, h = i / D / S % H, b = i / E / S;
    if (order == LAB_ORDER_HEADS_APART) h = i / D % H, s = i / E % S;
    const size_t row = (b * S + s) * 3 * E;
    switch (order) {
    case LAB_ORDER_DIMS_FIRST: return row + part * E + d * H + h;
    case LAB_ORDER_BY_HEAD: return row + (h * 3 + part) * D + d;
    case LAB_ORDER_PARTS: return part * all + (b * S + s) * E + h * D + d;
    default: return row + part * E + h * D + d;
    }
}

static int make(lab_layer_buffer what, int order) {
    const lab_layer_buffer of = what == LAB_IN_MERGED ? LAB_IN_O : LAB_IN_QKV;
    const int can = what == LAB_IN_MERGED || (what >= LAB_IN_Q && what <= LAB_IN_V);
    if (!can || !is_known(of) || !room(&now.wanted, now.n[what])) return 0;
    for (size_t i = 0; i < now.n[what]; i++) now.wanted[i] = now.held[of][source(what, i, order)];
    return 1;
}

// ---- What lies there

// The factor by which all of them differ; 1: there is none.
static float factor(const float *got, const float *due, size_t n) {
    size_t used = 0;
    float f = 1;
    for (size_t i = 0; i < n; i++) {
        if (fabsf(due[i]) < 0.05f) continue;
        if (!used++) f = got[i] / due[i];
        if (!(fabsf(got[i] / due[i] - f) <= 1e-3f * fabsf(f))) return 1;
    }
    return used > 8 && isfinite(f) && fabsf(f - 1) > 1e-3f ? f : 1;
}

static lab_content classify(lab_layer_buffer due, const float *got, const float *want, size_t at, size_t n) {
    lab_content c = {LAB_CALL_CHANGED, 1, LAB_CHANGE_OTHER, LAB_IN_NOTHING};
    const float f = factor(got, want, n);
    // A part of work.qkv as it lies there is one order of its numbers.
    if (at == 0 && n == now.n[due] && due != LAB_IN_MERGED && make(due, LAB_ORDER_PARTS) && same(got, now.wanted, n)) {
        c.odd = LAB_CALL_ORDER, c.detail = LAB_ORDER_PARTS;
        return c;
    }
    for (int i = LAB_IN_QKV; i < LAB_N_BUFFERS; i++)
        if (i != due && is_known((lab_layer_buffer)i) && at + n <= now.n[i] && same(got, now.held[i] + at, n)) {
            c.instead = (lab_layer_buffer)i;
            if (i == LAB_IN_O && due == LAB_IN_MERGED) c.odd = LAB_CALL_ORDER, c.detail = LAB_ORDER_HEADS_APART;
            return c;
        }
    for (int order = 0; order < LAB_N_ORDERS && at == 0 && n == now.n[due]; order++)
        if (make(due, order) && same(got, now.wanted, n)) {
            c.odd = LAB_CALL_ORDER, c.detail = order;
            return c;
        }
    if (f != 1) {
        c.odd = LAB_CALL_SCALED;
        memcpy(&c.detail, &f, sizeof f);
        return c;
    }
    const float *X = n == now.n[LAB_IN_X] && is_known(LAB_IN_X) ? now.held[LAB_IN_X] : NULL;
    size_t nan = 0, added = 0;
    for (size_t i = 0; i < n; i++) {
        nan += got[i] != got[i] && want[i] == want[i];
        added += X && fabsf(got[i] - want[i] - X[i]) <= 1e-4f * (1 + fabsf(want[i]) + fabsf(X[i]));
    }
    if (added == n) c.odd = LAB_CALL_ADDED;
    if (nan) c.detail = LAB_CHANGE_NAN;
    return c;
}

static int all_nan(const void *p, size_t n) {
    const float *got = (const float *)lab_contents_read(p, n);
    for (size_t i = 0; got && i < n; i++)
        if (got[i] == got[i]) return 0;
    return got != NULL;
}

// ---- What a kernel of the layer's own makes where it calls nothing that is seen here

static const float *kept(lab_layer_buffer what) { return is_known(what) ? now.held[what] : NULL; }

// The product or the attention that has to stand in `what`. 0: nothing is known of what it is made of.
static int made_of(lab_layer_buffer what, lab_made *m) {
    const lab_watch *at = &now.at;
    const int of_attention = what == LAB_IN_O, first = what == LAB_IN_QKV, E = (int)at->E;
    const lab_layer_buffer weights[] = {first ? LAB_IN_W_QKV : LAB_IN_W_OUT, first ? LAB_IN_B_QKV : LAB_IN_B_OUT};
    *m = lab_made{of_attention ? LAB_MADE_ATTENTION : LAB_MADE_PRODUCT,
                  {},
                  at->batch,
                  at->heads,
                  at->seq,
                  at->head_dim,
                  at->count,
                  NULL,
                  at->seq,
                  E,
                  first ? 3 * E : E};
    if (at->decode || !(of_attention || first || what == LAB_IN_Y)) return 0;
    for (int i = 0; i < 3 && of_attention; i++) m->in[i] = kept((lab_layer_buffer)(LAB_IN_Q + i));
    for (int i = 1; i < 3 && !of_attention; i++) {
        const size_t n = now.n[weights[i - 1]];
        if (!is_known(weights[i - 1])) lab_contents_keep(weights[i - 1], at->begin[weights[i - 1]], 0, n);
        m->in[i] = kept(weights[i - 1]);
    }
    if (!of_attention) m->in[0] = kept(first ? LAB_IN_X : LAB_IN_MERGED);
    return m->in[0] && m->in[1] && m->in[2];
}

static lab_content look_at_made(lab_layer_buffer due, const void *p) {
    const lab_content unknown = {0, 0, 0, LAB_IN_NOTHING};
    lab_made m;
    const float *got = made_of(due, &m) ? (const float *)lab_contents_read(p, now.n[due]) : NULL;
    const int is = got ? lab_made_look(&m, got) : LAB_MADE_UNKNOWN;
    if (is == LAB_MADE_UNKNOWN) return unknown;
    return lab_content{is == LAB_MADE_RIGHT ? 0 : LAB_CALL_MADE, 1, is, LAB_IN_NOTHING};
}

lab_content lab_contents_look(lab_layer_buffer due, const void *p, size_t at, size_t n) {
    const lab_content unwritten = {LAB_CALL_CHANGED, 1, LAB_CHANGE_NAN, LAB_IN_NOTHING};
    const lab_content unknown = {0, 0, 0, LAB_IN_NOTHING}, right = {0, 1, 0, LAB_IN_NOTHING};
    static float *want;
    if (at + n > now.n[due] || !n) return unknown;
    if (!is_known(due) && !now.filled[due] && !at && n == now.n[due] && !all_nan(p, n)) {
        const lab_content made = look_at_made(due, p);
        if (made.known) return made;
    }
    if (!is_known(due) && (now.filled[due] || !make(due, RIGHT))) return all_nan(p, n) ? unwritten : unknown;
    const float *from = is_known(due) ? now.held[due] : now.wanted;
    if (!room(&want, n)) return unknown;
    memcpy(want, from + at, n * sizeof(float));
    const float *got = (const float *)lab_contents_read(p, n);
    if (!got) return unknown;
    return same(got, want, n) ? right : classify(due, got, want, at, n);
}

const float *lab_contents_due(lab_layer_buffer what) {
    return is_known(what) ? now.held[what] : make(what, RIGHT) ? now.wanted : NULL;
}

long lab_contents_origin(const float *row) {
    const size_t D = now.at.head_dim, n = is_known(LAB_IN_QKV) ? now.n[LAB_IN_QKV] : 0;
    for (size_t i = 0; i + D <= n; i++)
        if (now.held[LAB_IN_QKV][i] == row[0] && same(now.held[LAB_IN_QKV] + i, row, D)) return (long)i;
    return -1;
}

// The first slot that does not hold its token, of the cache as it is after a prefill.
int lab_contents_misplaced(const lab_watch *at, int *number, long *origin) {
    const size_t D = at->head_dim, slots = at->bytes[LAB_IN_K_CACHE] / sizeof(float) / at->E / at->batch;
    const size_t heads = at->heads, S = at->seq;
    for (int v = 0; v < 2; v++) {
        const lab_layer_buffer due = v ? LAB_IN_V : LAB_IN_K;
        if (!is_known(due) && !make(due, RIGHT)) return 0;
        const float *right = is_known(due) ? now.held[due] : now.wanted;
        const float *cache = (const float *)lab_contents_read(at->begin[v ? LAB_IN_V_CACHE : LAB_IN_K_CACHE],
                                                              at->batch * heads * slots * D);
        for (size_t bh = 0; cache && bh < at->batch * heads; bh++)
            for (size_t t = 0; t < (size_t)at->count[bh / heads] && t < slots; t++)
                if (!same(cache + (bh * slots + t) * D, right + (bh * S + t) * D, D)) {
                    *number = (int)((v * at->batch * heads + bh) * slots + t);
                    *origin = lab_contents_origin(cache + (bh * slots + t) * D);
                    return 1;
                }
    }
    return 0;
}

int lab_contents_slot(const lab_watch *at, const void *K_cache, int b) {
    const size_t D = at->head_dim, slots = at->bytes[LAB_IN_K_CACHE] / sizeof(float) / at->E / at->batch;
    const size_t head = (size_t)b * at->heads;
    if (!is_known(LAB_IN_K) && !make(LAB_IN_K, RIGHT)) return -2;
    const float *k = (is_known(LAB_IN_K) ? now.held[LAB_IN_K] : now.wanted) + head * D;
    const float *cache = (const float *)lab_contents_read((const float *)K_cache + head * slots * D, slots * D);
    if (!cache) return -2;
    for (size_t i = 0; i < slots; i++)
        if (same(cache + i * D, k, D)) return (int)i;
    return -1;
}
