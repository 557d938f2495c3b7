// cache_slots.c: task 6, which heads of a prompt the cache holds, from which rows they were taken, and what lies in the
// first slot that is wrong.
#include <math.h>
#include <stdio.h>

#include "cache_state.h"

// The slot of all, b and h included, in which the k or v of a token lies; -1: nowhere. near: looked at first.
static long slot_of(const lab_cache_state *a, int v, const double *row, size_t near) {
    const size_t n = a->B * a->H * a->slots;
    const float *cache = a->s->work + v * n * a->D;
    if (lab_cache_row_is(a, cache + near * a->D, row)) return (long)near;
    for (size_t i = 0; i < n; i++)
        if (lab_cache_row_is(a, cache + i * a->D, row)) return (long)i;
    return -1;
}

static int is_nan_row(const lab_cache_state *a, const float *at) {
    for (size_t d = 0; d < a->D; d++)
        if (at[d] == at[d]) return 0;
    return 1;
}

// How many of the prompt's keys and values of a head are in their slots; *all: of how many.
static int stored(const lab_cache_state *a, size_t b, size_t h, int *all) {
    int found = 0;
    for (int t = 0; t < lab_cache_prompt_of(a, b); t++)
        for (int v = 0; v < 2; v++, ++*all)
            found += lab_cache_row_is(
                a, a->s->work + (v * a->B * a->H * a->slots + lab_cache_place(a, RIGHT, b, h, t)) * a->D,
                lab_cache_due(a, v, b, h, t));
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

static int is_alone(const lab_cache_state *a, alone what, size_t i) {
    switch (what) {
    case ONE_HEAD: return a->B == 1 && i == 0;
    case FIRST_NUMBERS: return i < a->B;
    case HEAD_0: return i % a->H == 0;
    default: return i < a->H;
    }
}

// Not one key of the head lies anywhere.
static int is_absent(const lab_cache_state *a, size_t b, size_t h) {
    for (int t = 0; t < lab_cache_prompt_of(a, b); t++)
        if (slot_of(a, 0, lab_cache_due(a, 0, b, h, t), lab_cache_place(a, RIGHT, b, h, t)) >= 0) return 0;
    return 1;
}

// New tokens may have replaced some of a prompt's.
int lab_explain_heads_alone(const lab_cache_state *a, char *text, size_t size) {
    int known = text[0] = 0;
    for (alone what = 0; what < N_ALONE; what++) {
        int there = 0, others = 0, all = 0, all_others = 0, absent = 1;
        for (size_t i = 0; i < a->B * a->H; i++)
            if (is_alone(a, what, i))
                there += stored(a, i / a->H, i % a->H, &all);
            else {
                others += stored(a, i / a->H, i % a->H, &all_others);
                absent = absent && is_absent(a, i / a->H, i % a->H);
            }
        if (!all || !all_others || others || !absent || 10 * there < 9 * all) continue;
        known = lab_guess(a->s->guesses, alone_is[what], text, size);
    }
    return known;
}

// Row t of head h of sequence b is taken from K [B, H, S, D] as if that were laid out in another way.
typedef enum {
    TAKEN_SBH,
    TAKEN_BSH,
    TAKEN_HBS,
    TAKEN_WITHOUT_B,
    TAKEN_WITHOUT_H,
    TAKEN_HEADS_COUNT_APART,
    TAKEN_PACKED,
    TAKEN_PACKED_S_APART,
    TAKEN_PACKED_TOKENS,
    N_TAKEN
} taken;
#define NO_PADDING "as if K and V of this call had no padding, and a head count[b] rows"
static const char *const taken_as[N_TAKEN] = {
    [TAKEN_SBH] = "as if K and V of this call were [S, B, H, D]",
    [TAKEN_BSH] = "as if K and V of this call were [B, S, H, D]",
    [TAKEN_HBS] = "as if head h of sequence b were number h * batch + b of K and V",
    [TAKEN_WITHOUT_B] = "from places in K and V without b",
    [TAKEN_WITHOUT_H] = "from places in K and V without h",
    [TAKEN_HEADS_COUNT_APART] = NO_PADDING,
    [TAKEN_PACKED] = NO_PADDING,
    [TAKEN_PACKED_S_APART] = NO_PADDING,
    [TAKEN_PACKED_TOKENS] = NO_PADDING,
};

// The tokens of the sequences before this one.
static size_t tokens_before(const lab_cache_state *a, size_t b) {
    size_t n = 0;
    for (size_t i = 0; i < b; i++) n += (size_t)lab_cache_prompt_of(a, i);
    return n;
}

static size_t taken_from(const lab_cache_state *a, taken f, size_t b, size_t h, size_t t) {
    switch (f) {
    case TAKEN_SBH: return (t * a->B + b) * a->H + h;
    case TAKEN_BSH: return (b * a->S + t) * a->H + h;
    case TAKEN_HBS: return (h * a->B + b) * a->S + t;
    case TAKEN_WITHOUT_B: return h * a->S + t;
    case TAKEN_HEADS_COUNT_APART: return b * a->H * a->S + h * lab_cache_prompt_of(a, b) + t;
    case TAKEN_PACKED: return tokens_before(a, b) * a->H + h * lab_cache_prompt_of(a, b) + t;
    case TAKEN_PACKED_S_APART: return tokens_before(a, b) * a->H + h * a->S + t;
    case TAKEN_PACKED_TOKENS: return (tokens_before(a, b) + t) * a->H + h;
    default: return b * a->S + t;
    }
}

static int fits_taken(const lab_cache_state *a, taken f) {
    int all = 0, fit = 0, elsewhere = 0;
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < lab_cache_prompt_of(a, b); t++, all++) {
                const size_t at = taken_from(a, f, b, h, t);
                fit += lab_cache_row_is(a, a->s->work + lab_cache_place(a, RIGHT, b, h, t) * a->D,
                                        lab_cache_due(a, 0, at / a->S / a->H, at / a->S % a->H, at % a->S));
                elsewhere += at != (b * a->H + h) * a->S + t;
            }
    return 10 * fit >= 9 * all && 4 * elsewhere > all;
}

int lab_explain_taken(const lab_cache_state *a, char *text, size_t size) {
    for (taken f = 0; f < N_TAKEN; f++)
        if (fits_taken(a, f))
            return snprintf(text, size,
                            "matches a prompt that is stored %s: they are [B, H, S, D], a head's tokens side by "
                            "side",
                            taken_as[f]) > 0;
    return 0;
}

// Which row of the same head of this call, padding included, lies there; -1: none.
static int row_at(const lab_cache_state *a, const float *there, int v, size_t b, size_t h) {
    for (size_t t = 0; t < a->S; t++)
        if (lab_cache_row_is(a, there, lab_cache_due(a, v, b, h, t))) return (int)t;
    return -1;
}

static void say_where(const lab_cache_state *a, int v, size_t b, size_t h, size_t t, char *text, size_t size) {
    const size_t right = lab_cache_place(a, RIGHT, b, h, t);
    const double *row = lab_cache_due(a, v, b, h, t);
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
        snprintf(text, size, "nothing was written there, and it lies nowhere else. Does prefill store %c?", name);
    else if (row_at(a, there, v, b, h) >= 0)
        snprintf(text, size, "row %d of %c lies there%s", row_at(a, there, v, b, h), name,
                 row_at(a, there, v, b, h) == (int)(a->S + t) - lab_cache_prompt_of(a, b)
                     ? ", S - count[b] + t: padding comes last, and tokens are rows 0 .. count[b] - 1"
                     : "");
    else
        snprintf(text, size,
                 lab_cache_row_is(a, there, lab_cache_due(a, !v, b, h, t)) ? "its %c lies there"
                                                                           : "other numbers lie there",
                 v ? 'K' : 'V');
}

int lab_explain_slots(const lab_cache_state *a, char *text, size_t size) {
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < lab_cache_prompt_of(a, b); t++)
                for (int v = 0; v < 2; v++) {
                    const size_t at = v * a->B * a->H * a->slots + lab_cache_place(a, RIGHT, b, h, t);
                    if (lab_cache_row_is(a, a->s->work + at * a->D, lab_cache_due(a, v, b, h, t))) continue;
                    say_where(a, v, b, h, t, text, size);
                    return 1;
                }
    return 0;
}
