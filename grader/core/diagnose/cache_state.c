// cache_state.c: task 6, what the cache holds after all calls: lengths, and where the keys and values of the prompt lie.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"

typedef struct {
    const lab_symptom *s;
    size_t B, H, D, E, T, S, slots;
    int first,
        end;     // the rows that are accepted; behind a refused prompt the first one is a prompt of one token, S = 1
    double *kv;  // of the prompt: [B, S, 2 E], k and v
} state;

static int prompt_of(const state *a, size_t b) { return a->first ? 1 : lab_int_at(a->s->in[6], b); }
static int steps_of(const state *a) { return a->end > a->first + (int)a->S ? a->end - a->first - (int)a->S : 0; }

static int length_of(const state *a, size_t b) { return lab_int_at(a->s->work + 2 * a->B * a->H * a->slots * a->D, b); }

static int compute(state *a) {
    const float *X = a->s->in[1], *W = a->s->in[2], *bias = a->s->in[3];
    a->kv = malloc(a->B * a->S * 2 * a->E * sizeof *a->kv);
    for (size_t r = 0; a->kv && r < a->B * a->S; r++) {
        const float *x = X + (r / a->S * a->T + a->first + r % a->S) * a->E;
        double *out = a->kv + r * 2 * a->E;
        for (size_t e = 0; e < 2 * a->E; e++) out[e] = bias[a->E + e];
        for (size_t f = 0; f < a->E; f++)
            for (size_t e = 0; e < 2 * a->E; e++) out[e] += (double)x[f] * W[f * 3 * a->E + a->E + e];
    }
    return a->kv != NULL;
}

// ---- Lengths

static int explain_lengths(const state *a, char *text, size_t size) {
    int wrong = -1, padded = 1, unset = 1, others = 1, twice = 1;
    for (size_t b = 0; b < a->B; b++) {
        const int prompt = prompt_of(a, b), steps = steps_of(a), got = length_of(a, b);
        if (got != prompt + steps && wrong < 0) wrong = (int)b;
        padded &= got == (int)a->S + steps;
        unset &= got == steps;
        twice &= got == (prompt + 2 * steps < (int)a->slots ? prompt + 2 * steps : (int)a->slots);
        others &= b == 0 ? got == prompt + steps : got == steps;
    }
    if (wrong < 0) return 0;
    if (twice && steps_of(a)) {
        snprintf(text, size, "matches lengths[b] that grow by 2 with each new token: is a token appended twice?");
        return 1;
    }
    const int prompt = prompt_of(a, wrong), got = length_of(a, wrong) - steps_of(a);
    snprintf(text, size, "matches lengths[%d] = %d after a prompt of count[%d] = %d tokens%s", wrong, got, wrong,
             prompt,
             padded && a->B > 1  ? ": it is S, so padding counts as tokens: lengths[b] is count[b]"
             : unset             ? ": does prefill set lengths[b] to count[b]?"
             : others            ? ": the length of sequence 0 alone is set; each sequence has its own"
             : got == prompt - 1 ? ": one too few; lengths[b] is count[b]"
             : got == prompt + 1 ? ": one too many; lengths[b] is count[b]"
                                 : ": lengths[b] is count[b], and append adds 1 for each token after it");
    return 1;
}

// ---- Keys and values

static int row_is(const state *a, const float *at, const double *row) {
    for (size_t d = 0; d < a->D; d++)
        if (!(fabs(at[d] - row[d]) < LAB_TOLERANCE * (1 + fabs(row[d])))) return 0;
    return 1;
}

static const double *due(const state *a, int v, size_t b, size_t h, size_t t) {
    return a->kv + (b * a->S + t) * 2 * a->E + v * a->E + h * a->D;
}

// The slot of all, b and h included, in which the k or v of a token lies; -1: nowhere. near: looked at first.
static long slot_of(const state *a, int v, const double *row, size_t near) {
    const size_t n = a->B * a->H * a->slots;
    const float *cache = a->s->work + v * n * a->D;
    if (row_is(a, cache + near * a->D, row)) return (long)near;
    for (size_t i = 0; i < n; i++)
        if (row_is(a, cache + i * a->D, row)) return (long)i;
    return -1;
}

static int is_nan_row(const state *a, const float *at) {
    for (size_t d = 0; d < a->D; d++)
        if (at[d] == at[d]) return 0;
    return 1;
}

// Where a wrong formula puts token t of head h of sequence b. New tokens may have replaced some of the prompt's.
typedef enum { RIGHT, S_APART, SWAPPED, TOKENS_FIRST, WITHOUT_B, WITHOUT_H, SLOT_LATE, N_LAYOUTS } layout;

static size_t place(const state *a, layout f, size_t b, size_t h, size_t t) {
    const size_t head = b * a->H + h;
    switch (f) {
    case S_APART: return head * a->S + t;
    case SWAPPED: return (h * a->B + b) * a->slots + t;
    case TOKENS_FIRST: return (b * a->slots + t) * a->H + h;
    case WITHOUT_B: return h * a->slots + t;
    case WITHOUT_H: return b * a->slots + t;
    case SLOT_LATE: return head * a->slots + t + 1;
    default: return head * a->slots + t;
    }
}

static const char *const layouts[N_LAYOUTS] = {
    [S_APART] = "matches a prompt that is stored with heads S slots apart: in the cache they are max_seq slots apart",
    [SWAPPED] =
        "matches a prompt that is stored with head h of sequence b at number h * batch + b: it is b * heads + h",
    [TOKENS_FIRST] = "matches a prompt that is stored as [B, max_seq, H, D]: the cache is [B, H, max_seq, D]",
    [WITHOUT_B] = "matches a prompt whose place in the cache lacks b: head h of sequence b is number b * heads + h",
    [WITHOUT_H] = "matches a prompt whose place in the cache lacks h: head h of sequence b is number b * heads + h",
    [SLOT_LATE] = "matches a prompt that is stored one slot late: token t belongs into slot t",
};

// Which share of the prompt's keys lies where the formula says.
static double share(const state *a, layout f) {
    int found = 0, all = 0;
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < prompt_of(a, b); t++, all++) {
                const size_t at = place(a, f, b, h, t);
                if (at >= a->B * a->H * a->slots) continue;
                found += row_is(a, a->s->work + at * a->D, due(a, 0, b, h, t));
            }
    return (double)found / all;
}

static int explain_layout(const state *a, char *text, size_t size) {
    const double right = share(a, RIGHT);
    double best = right > 0.9 ? 1 : right;
    layout is = RIGHT;
    for (layout f = RIGHT + 1; f < N_LAYOUTS; f++)
        if (share(a, f) > best + 0.1) best = share(a, f), is = f;
    if (is == RIGHT) return 0;
    snprintf(text, size, "%s", layouts[is]);
    return 1;
}

// ---- Which heads, and from where

// How many of the prompt's keys and values of a head are in their slots; *all: of how many.
static int stored(const state *a, size_t b, size_t h, int *all) {
    int found = 0;
    for (int t = 0; t < prompt_of(a, b); t++)
        for (int v = 0; v < 2; v++, ++*all)
            found += row_is(a, a->s->work + (v * a->B * a->H * a->slots + place(a, RIGHT, b, h, t)) * a->D,
                            due(a, v, b, h, t));
    return found;
}

// Some heads are stored, and no others. Of one sequence, head 0 of each and the first batch * S * head_dim numbers are
// the same: claims with several sequences tell them apart.
typedef enum { ONE_HEAD, FIRST_NUMBERS, HEAD_0, SEQUENCE_0, N_ALONE } alone;
static const char *const alone_is[N_ALONE] = {
    [ONE_HEAD] =
        "matches a prompt of which head 0 of sequence 0 alone is stored: K and V of this call have batch * heads "
        "* S * head_dim numbers",
    [FIRST_NUMBERS] =
        "matches a prompt of which the first batch * S * head_dim numbers of K and V alone are stored: there "
        "are heads times as many",
    [HEAD_0] = "matches a prompt of which head 0 alone is stored: a token has the keys and values of all heads",
    [SEQUENCE_0] = "matches the prompt of sequence 0 alone stored: each sequence has its own",
};

static int is_alone(const state *a, alone what, size_t i) {
    switch (what) {
    case ONE_HEAD: return a->B == 1 && i == 0;
    case FIRST_NUMBERS: return i < a->B;
    case HEAD_0: return i % a->H == 0;
    default: return i < a->H;
    }
}

// New tokens may have replaced some of a prompt's.
static int explain_first_alone(const state *a, char *text, size_t size) {
    int known = text[0] = 0;
    for (alone what = 0; what < N_ALONE; what++) {
        int there = 0, others = 0, all = 0, all_others = 0;
        for (size_t i = 0; i < a->B * a->H; i++)
            if (is_alone(a, what, i))
                there += stored(a, i / a->H, i % a->H, &all);
            else
                others += stored(a, i / a->H, i % a->H, &all_others);
        if (!all || !all_others || others || 10 * there < 9 * all) continue;
        known = lab_guess(a->s->guesses, alone_is[what], text, size);
    }
    return known;
}

// Row t of head h of sequence b is taken from K [B, H, S, D] as if that were laid out in another way.
typedef enum { TAKEN_SBH, TAKEN_BSH, TAKEN_HBS, TAKEN_WITHOUT_B, TAKEN_WITHOUT_H, N_TAKEN } taken;
static const char *const taken_as[N_TAKEN] = {
    [TAKEN_SBH] = "as if K and V of this call were [S, B, H, D]",
    [TAKEN_BSH] = "as if K and V of this call were [B, S, H, D]",
    [TAKEN_HBS] = "as if head h of sequence b were number h * batch + b of K and V",
    [TAKEN_WITHOUT_B] = "from places in K and V without b",
    [TAKEN_WITHOUT_H] = "from places in K and V without h",
};

static size_t taken_from(const state *a, taken f, size_t b, size_t h, size_t t) {
    switch (f) {
    case TAKEN_SBH: return (t * a->B + b) * a->H + h;
    case TAKEN_BSH: return (b * a->S + t) * a->H + h;
    case TAKEN_HBS: return (h * a->B + b) * a->S + t;
    case TAKEN_WITHOUT_B: return h * a->S + t;
    default: return b * a->S + t;
    }
}

static int fits_taken(const state *a, taken f) {
    int all = 0, fit = 0, elsewhere = 0;
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < prompt_of(a, b); t++, all++) {
                const size_t at = taken_from(a, f, b, h, t);
                fit += row_is(a, a->s->work + place(a, RIGHT, b, h, t) * a->D,
                              due(a, 0, at / a->S / a->H, at / a->S % a->H, at % a->S));
                elsewhere += at != (b * a->H + h) * a->S + t;
            }
    return 10 * fit >= 9 * all && 4 * elsewhere > all;
}

static int explain_taken(const state *a, char *text, size_t size) {
    for (taken f = 0; f < N_TAKEN; f++)
        if (fits_taken(a, f))
            return snprintf(text, size,
                            "matches a prompt that is stored %s: they are [B, H, S, D], a head's tokens side by "
                            "side",
                            taken_as[f]) > 0;
    return 0;
}

// Which row of the same head of this call, padding included, lies there; -1: none.
static int row_at(const state *a, const float *there, int v, size_t b, size_t h) {
    for (size_t t = 0; t < a->S; t++)
        if (row_is(a, there, due(a, v, b, h, t))) return (int)t;
    return -1;
}

static void say_where(const state *a, int v, size_t b, size_t h, size_t t, char *text, size_t size) {
    const size_t right = place(a, RIGHT, b, h, t);
    const double *row = due(a, v, b, h, t);
    const long at = slot_of(a, v, row, right), other = slot_of(a, !v, row, right);
    const float *there = a->s->work + (v * a->B * a->H * a->slots + right) * a->D;
    const char name = v ? 'V' : 'K';
    const int used = snprintf(
        text, size, "matches a cache without %c of token %zu of sequence %zu, head %zu in its slot: ", name, t, b, h);
    text += used, size -= used;
    if (other == (long)right)
        snprintf(text, size, "it lies in %c_cache", v ? 'K' : 'V');
    else if (at >= 0)
        snprintf(text, size, "it lies in slot %ld of sequence %ld, head %ld", at % (long)a->slots,
                 at / (long)(a->slots * a->H), at / (long)a->slots % (long)a->H);
    else if (is_nan_row(a, there))
        snprintf(text, size, "nothing was written there, and it lies nowhere else; does prefill store %c?", name);
    else if (row_at(a, there, v, b, h) >= 0)
        snprintf(text, size, "row %d of %c lies there%s", row_at(a, there, v, b, h), name,
                 row_at(a, there, v, b, h) == (int)(a->S + t) - prompt_of(a, b)
                     ? ", S - count[b] + t: padding comes last, and tokens are rows 0 .. count[b] - 1"
                     : "");
    else
        snprintf(text, size, row_is(a, there, due(a, !v, b, h, t)) ? "its %c lies there" : "other numbers lie there",
                 v ? 'K' : 'V');
}

static int explain_slots(const state *a, char *text, size_t size) {
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < prompt_of(a, b); t++)
                for (int v = 0; v < 2; v++) {
                    const size_t at = v * a->B * a->H * a->slots + place(a, RIGHT, b, h, t);
                    if (row_is(a, a->s->work + at * a->D, due(a, v, b, h, t))) continue;
                    say_where(a, v, b, h, t, text, size);
                    return 1;
                }
    return 0;
}

int lab_explain_cache(const lab_symptom *s, char *text, size_t size) {
    const attn_shape p = s->shape;
    state a = {s, p.batch, p.heads, p.head_dim, (size_t)p.heads * p.head_dim, p.seq_q, 0, p.seq_kv, 0, 0, NULL};
    if (!s->work) return 0;
    lab_layer_room(p, s->in[6], &a.first, &a.end);
    a.S = a.first ? 1 : lab_layer_longest(s->in[6], p.batch);
    char cause[240];
    int known = explain_lengths(&a, text, size);
    if (!compute(&a)) return known;
    if (known)
        explain_first_alone(&a, cause, sizeof cause);  // threads that store nothing do not set a length, either
    else
        known = explain_layout(&a, text, size) || explain_first_alone(&a, text, size) ||
                explain_taken(&a, text, size) || explain_slots(&a, text, size);
    free(a.kv);
    return known;
}
