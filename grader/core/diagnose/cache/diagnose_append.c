// diagnose_append.c: task 5, an append is explained by where its token lies.
#include "heuristics.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const lab_symptom *s;
    size_t B, H, slots, D, kv;
} cache;

static int length_before(const cache *c, size_t b) { return lab_int_at(c->s->in[1] + 2 * c->kv, b); }

// By how much all lengths grow that have room for it; 0: not by the same number.
static int growth(const cache *c) {
    int by = 0;
    for (size_t b = 0; b < c->B; b++) {
        const int more = (int)c->s->got[2 * c->kv + b] - length_before(c, b);
        if (length_before(c, b) == (int)c->slots) continue;
        if (by && more != by) return 0;
        by = more;
    }
    return by;
}

// A length that is wrong.
static int explain_length(const cache *c, char *text, size_t size) {
    for (size_t b = 0; b < c->B; b++) {
        const float got = c->s->got[2 * c->kv + b];
        const int before = length_before(c, b), want = before + (before < (int)c->slots);
        if (got == (float)want) continue;
        const int by = growth(c);
        const char *why = by == 2
                              ? ": one thread of all adds 1 to it, once for all heads, and once for K and V together"
                          : by == (int)c->H && by > 1 ? ": it grows by 1 for each head; one thread of all heads adds 1"
                          : got == (float)before      ? ": one thread adds 1 to it"
                          : before == (int)c->slots   ? ": a sequence that is full stays as it is"
                          : got > (float)want         ? ": one thread of all adds 1 to it, once for all heads"
                                                      : "";
        snprintf(text, size, "lengths[%zu] was %d and is %g, not %d%s", b, before, got, want, why);
        return 1;
    }
    return 0;
}

// The slot, of all heads of one cache (0: K, 1: V), that holds exactly these numbers; -1: none. near: looked at first.
static long slot_of(const cache *c, int v, const float *token, size_t near) {
    const float *x = c->s->got + v * c->kv;
    if (memcmp(x + near * c->D, token, c->D * sizeof *token) == 0) return (long)near;
    for (size_t row = 0; row < c->B * c->H * c->slots; row++)
        if (memcmp(x + row * c->D, token, c->D * sizeof *token) == 0) return (long)row;
    return -1;
}

// What lies in the slot in place of the token: another token, its first dims alone, or what was there before.
static void say_what_is_there(const cache *c, int v, size_t bh, size_t due, char *text, size_t size) {
    const float *row = c->s->got + v * c->kv + due * c->D, *token = c->s->in[2 + v] + bh * c->D;
    size_t right = 0;
    for (int w = 0; w < 2; w++)
        for (size_t other = 0; other < c->B * c->H; other++)
            if (memcmp(row, c->s->in[2 + w] + other * c->D, c->D * sizeof *row) == 0) {
                snprintf(text, size, "; %c_new of sequence %zu, head %zu lies there", w ? 'v' : 'k', other / c->H,
                         other % c->H);
                return;
            }
    while (right < c->D && row[right] == token[right]) right++;
    if (right)
        snprintf(text, size, "; its first %zu of %zu dims lie there alone", right, c->D);
    else
        snprintf(text, size, " and is nowhere in it%s",
                 due % c->slots + 1 == c->slots ? ": a sequence with one free slot is not full" : "");
}

// Number d of k_new (v: v_new) of head h of sequence b, by a wrong formula: two that mix dims and heads, then all in which
// b and h are multiplied by other numbers. -1: beyond the end.
enum { BY_DIMS, ROWS_OF_DIMS, LINEAR, N_FACTORS = 4, N_ORDERS = LINEAR + N_FACTORS * N_FACTORS };

static long number_at(const cache *c, int order, size_t b, size_t h, size_t d) {
    const size_t of_b[N_FACTORS] = {c->H, 1, 0, c->B}, of_h[N_FACTORS] = {1, 0, c->B, c->H};
    const int f = order - LINEAR;
    const size_t at = order == BY_DIMS        ? (b * c->D + d) * c->H + h
                      : order == ROWS_OF_DIMS ? (d * c->B + b) * c->H + h
                                              : (b * of_b[f / N_FACTORS] + h * of_h[f % N_FACTORS]) * c->D + d;
    return at < c->B * c->H * c->D ? (long)at : -1;
}

static void name_order(int order, char *text, size_t size) {
    static const char *const of_b[N_FACTORS] = {"b * heads", "b", "", "b * batch"};
    static const char *const of_h[N_FACTORS] = {"h", "", "h * batch", "h * heads"};
    const int f = order - LINEAR;
    if (order < LINEAR) {
        snprintf(text, size, order == BY_DIMS ? "b * heads * D + d * heads + h" : "(d * batch + b) * heads + h");
        return;
    }
    const char *b = of_b[f / N_FACTORS], *h = of_h[f % N_FACTORS];
    if (*b && *h)
        snprintf(text, size, "(%s + %s) * D + d", b, h);
    else if (*b || *h)
        snprintf(text, size, "%s%s * D + d", b, h);
    else
        snprintf(text, size, "d");
}

// Does each slot hold numbers of k_new in the order of a wrong formula?
static int explain_order(const cache *c, int v, char *text, size_t size) {
    char formula[64];
    for (int order = 0; order < N_ORDERS; order++) {
        int fits = 1, other = 0, seen = 0;
        for (size_t i = 0; i < c->B * c->H * c->D && fits; i++) {
            const size_t d = i % c->D, bh = i / c->D, h = bh % c->H, b = bh / c->H, slot = length_before(c, b);
            const long from = number_at(c, order, b, h, d);
            if (slot >= c->slots || from < 0) continue;
            fits = c->s->got[v * c->kv + (bh * c->slots + slot) * c->D + d] == c->s->in[2 + v][from];
            other |= from != (long)i;
            seen++;
        }
        if (!fits || !other || 2 * seen < (int)(c->B * c->H * c->D)) continue;
        name_order(order, formula, sizeof formula);
        snprintf(text, size, "matches %c_new read at %s: it is [B, H, D], so number (b * heads + h) * D + d",
                 v ? 'v' : 'k', formula);
        return lab_guess(c->s->guesses, text, text, size);
    }
    return 0;
}

// Where the token of head bh, or of the other cache, lies in place of `due`.
static void say_where(const cache *c, int v, size_t bh, size_t due, char *text, size_t size) {
    const float *token = c->s->in[2 + v] + bh * c->D;
    const long at = slot_of(c, v, token, due), other = slot_of(c, !v, token, due);
    const char name = v ? 'v' : 'k', cache_name = v ? 'V' : 'K';
    const int used = snprintf(text, size, "%c_new of sequence %zu, head %zu belongs into slot %zu of %c_cache", name,
                              bh / c->H, bh % c->H, due % c->slots, cache_name);
    text += used < (int)size ? used : (int)size - 1, size -= used < (int)size ? used : (int)size - 1;
    if (at >= 0 && at / c->slots == bh)
        snprintf(text, size, " (lengths[b] before the call) and lies in slot %ld", at % (long)c->slots);
    else if (at >= 0)
        snprintf(text, size, " and lies in slot %ld of sequence %ld, head %ld", at % (long)c->slots,
                 at / (long)(c->slots * c->H), at / (long)c->slots % (long)c->H);
    else if (other == (long)due)
        snprintf(text, size, " and lies in %c_cache", v ? 'K' : 'V');
    else
        say_what_is_there(c, v, bh, due, text, size);
}

// Does every length grow by n, or until the sequence is full? Full ones stay.
static int grows_by(const cache *c, int n) {
    int seen = 0;
    for (size_t b = 0; b < c->B; b++) {
        const int before = length_before(c, b), room = (int)c->slots - before;
        const int more = (int)c->s->got[2 * c->kv + b] - before;
        if (more != (room < n ? room : n)) return 0;
        seen += more > 1;
    }
    return seen;
}

// Every head counts the token, or K and V each: who reads the length later stores elsewhere, which follows from that.
static int explain_counts(const cache *c, char *text, size_t size) {
    static const char *const who[] = {"each head counts it", "K and V each count it",
                                      "each head counts it, or K and V each do"};
    const int heads = grows_by(c, (int)c->H), both = grows_by(c, 2);
    if (!heads && !both) return 0;
    char said[240];
    for (int i = 2; i >= 0; i--) {  // of 2 heads it may be either, and other claims tell
        if (i == 2 ? !heads || !both : i == 1 ? !both : !heads) continue;
        snprintf(said, sizeof said,
                 "matches lengths[b] that grow more than once for a token, as where %s: one thread counts it, once for "
                 "all heads, when all have read the old length",
                 who[i]);
        lab_guess(c->s->guesses, said, text, size);
    }
    return 1;
}

// Row `at` of a full sequence holds what was in the row behind it, and its last one the new token.
static int has_made_room(const cache *c, int v, size_t bh) {
    const lab_symptom *s = c->s;
    const size_t row = c->D * sizeof(float);
    const float *was = s->in[1] + v * c->kv + bh * c->slots * c->D, *now = s->got + v * c->kv + bh * c->slots * c->D;
    return length_before(c, bh / c->H) == (int)c->slots && c->slots > 1 &&
           !memcmp(now, was + c->D, (c->slots - 1) * row) &&
           !memcmp(now + (c->slots - 1) * c->D, s->in[2 + v] + bh * c->D, row);
}

// Does the row of K or V hold the new token of that head?
static int is_token(const cache *c, int v, size_t row, size_t bh) {
    return !memcmp(c->s->got + v * c->kv + row * c->D, c->s->in[2 + v] + bh * c->D, c->D * sizeof(float));
}

static const char *and_counted(const cache *c, size_t b) {
    return c->s->got[2 * c->kv + b] > (float)c->slots ? ", and counted" : "";
}

// The first element of the cache that has changed belongs to a full sequence, or lies where the next head begins.
static int explain_full(const cache *c, char *text, size_t size) {
    size_t i = 0;
    while (i < 2 * c->kv && !lab_element_bad(c->s, i, 0)) i++;
    if (i == 2 * c->kv) return 0;
    const int v = i >= c->kv;
    const size_t row = i % c->kv / c->D, bh = row / c->slots, slot = row % c->slots, before = slot || !row ? 0 : bh - 1;
    text[0] = 0;
    if (slot == 0 && row && length_before(c, before / c->H) == (int)c->slots && is_token(c, v, row, before))
        snprintf(text, size,
                 "matches a token of a full sequence that is stored all the same: that of sequence %zu, head "
                 "%zu lies behind its slots, where the next head begins; with lengths[b] = max_seq nothing changes",
                 before / c->H, before % c->H);
    else if (has_made_room(c, v, bh))
        snprintf(text, size,
                 "matches a full sequence whose oldest token makes room for the new one, sequence %zu: with "
                 "lengths[b] = max_seq nothing changes",
                 bh / c->H);
    else if (length_before(c, bh / c->H) == (int)c->slots && is_token(c, v, row, bh)) {
        if (slot == 0 && c->slots > 1 && *and_counted(c, bh / c->H))
            snprintf(text, size,
                     "matches a cache that is taken for a ring: the token of a full sequence is stored over its "
                     "oldest, in slot "
                     "lengths[b] %% max_seq, and counted. Where lengths[b] = max_seq neither of them changes");
        else
            snprintf(
                text, size,
                "matches a token of a full sequence that is stored all the same%s, in slot %zu of sequence %zu: with "
                "lengths[b] = max_seq nothing changes",
                and_counted(c, bh / c->H), slot, bh / c->H);
    }
    return *text && lab_guess(c->s->guesses, text, text, size);
}

int lab_diagnose_append(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    const cache c = {s, a.batch, a.heads, a.seq_kv, a.head_dim, lab_elements_kv(a)};
    if (explain_counts(&c, text, size)) return 1;
    if (lab_explain_append(s, text, size)) return 1;
    for (int v = 0; v < 2; v++)
        if (explain_order(&c, v, text, size)) return 1;
    for (size_t bh = 0; bh < c.B * c.H; bh++) {
        const size_t length = length_before(&c, bh / c.H), due = bh * c.slots + length;
        for (int v = 0; v < 2 && length < c.slots; v++)
            if (memcmp(s->got + v * c.kv + due * c.D, s->in[2 + v] + bh * c.D, c.D * sizeof(float))) {
                say_where(&c, v, bh, due, text, size);
                return 1;
            }
    }
    if (explain_full(&c, text, size) || explain_length(&c, text, size)) return 1;
    for (size_t i = 0; i < 2 * c.kv; i++)
        if (lab_element_bad(s, i, 0)) {
            const size_t row = i % c.kv / c.D;
            snprintf(text, size,
                     "slot %zu of sequence %zu, head %zu of %c_cache has changed: only slot lengths[b] is written",
                     row % c.slots, row / c.slots / c.H, row / c.slots % c.H, i < c.kv ? 'K' : 'V');
            return 1;
        }
    return 0;
}
