// append_slots.c: tokens that an append has stored elsewhere: by which formula? Or those of which heads alone?
#include "heuristics.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const lab_symptom *s;
    long B, H, slots, D;
    size_t kv;
} cache;

static long length_of(const cache *c, long b) { return lab_int_at(c->s->in[1] + 2 * c->kv, b); }

// The row of the cache, [B * H * slots], in which the token of head h of sequence b is stored.
typedef enum {
    AFTER_COUNTING,
    FIRST_LENGTH,
    LENGTH_OF_HEAD,
    OVER_THE_LAST,
    TOKENS_FIRST,
    TOKENS_OUTSIDE,
    SWAPPED,
    WITHOUT_B,
    WITHOUT_H,
    PACKED,
    BOTH_SWAPPED,
    SLOT_0,
    N_FORMULAS
} formula;

static const char *const sentence[N_FORMULAS] = {
    [AFTER_COUNTING] =
        "matches a token that is stored in slot lengths[b] + 1, one slot too far: slots 0 .. lengths[b] - 1 are taken, "
        "so read the length, store in that slot, then count",
    [FIRST_LENGTH] = "matches lengths[0] used for every sequence: the next free slot of sequence b is lengths[b]",
    [LENGTH_OF_HEAD] = "matches lengths[h] used in place of lengths[b]",
    [OVER_THE_LAST] =
        "matches the slot lengths[b] - 1, over the last token: slots count from 0, and lengths[b] is free",
    [TOKENS_FIRST] = "matches a cache that is laid out [B, max_seq, H, D]: it is [B, H, max_seq, D]",
    [TOKENS_OUTSIDE] = "matches a cache that is laid out [max_seq, B, H, D]: it is [B, H, max_seq, D]",
    [SWAPPED] = "matches head h of sequence b at number h * batch + b: it is b * heads + h",
    [WITHOUT_B] = "matches an offset without b: head h of sequence b is number b * heads + h",
    [WITHOUT_H] = "matches an offset without h, or b * max_seq for it: head h of sequence b is number b * heads + h",
    [PACKED] = "matches heads that are lengths[b] slots apart: they are max_seq slots apart",
    [BOTH_SWAPPED] = "matches head h of sequence b at number h * batch + b of the cache and of k_new alike: it is "
                     "b * heads + h in both, and head bh of all belongs to sequence bh / heads",
    [SLOT_0] = "matches slot 0 for every token: the next free slot is lengths[b]",
};

static long row_of(const cache *c, formula f, long b, long h) {
    const long length = length_of(c, b), head = b * c->H + h;
    switch (f) {
    case AFTER_COUNTING: return head * c->slots + length + 1;
    case FIRST_LENGTH: return head * c->slots + length_of(c, 0);
    case LENGTH_OF_HEAD: return head * c->slots + length_of(c, h % c->B);
    case OVER_THE_LAST: return head * c->slots + length - 1;
    case TOKENS_FIRST: return (b * c->slots + length) * c->H + h;
    case TOKENS_OUTSIDE: return (length * c->B + b) * c->H + h;
    case SWAPPED:
    case BOTH_SWAPPED: return (h * c->B + b) * c->slots + length;
    case WITHOUT_B: return h * c->slots + length;
    case WITHOUT_H: return b * c->slots + length;
    case PACKED: return head * length + length;
    default: return head * c->slots;
    }
}

static long token_of(const cache *c, formula f, long b, long h) {
    return f == BOTH_SWAPPED ? h * c->B + b : b * c->H + h;
}

// Does that row hold the k_new of a head that the formula sends there? Who writes last is not said.
static int holds(const cache *c, formula f, long row) {
    const float *at = c->s->got + row * c->D;
    for (long b = 0; b < c->B; b++)
        for (long h = 0; h < c->H; h++)
            if (row_of(c, f, b, h) == row &&
                memcmp(at, c->s->in[2] + token_of(c, f, b, h) * c->D, c->D * sizeof *at) == 0)
                return 1;
    return 0;
}

// Has the row of K_cache other numbers than before? Free slots hold NaN before, which is read as LAB_FREE_SLOT.
static int is_new(const cache *c, long row) {
    for (long i = row * c->D; i < (row + 1) * c->D; i++)
        if (c->s->got[i] != (lab_is_finite(c->s->in[1][i]) ? c->s->in[1][i] : LAB_FREE_SLOT)) return 1;
    return 0;
}

static int fits(const cache *c, formula f) {
    int elsewhere = 0;
    for (long row = 0; row < c->B * c->H * c->slots; row++)
        if (is_new(c, row) && !holds(c, f, row)) return 0;
    for (long b = 0; b < c->B; b++)
        for (long h = 0; h < c->H; h++) {
            const long row = row_of(c, f, b, h), right = (b * c->H + h) * c->slots + length_of(c, b);
            if (length_of(c, b) >= c->slots) continue;
            if (row < 0 || row >= c->B * c->H * c->slots) continue;  // out of the cache: nothing to see
            if (!holds(c, f, row)) return 0;
            elsewhere += row != right && (f != BOTH_SWAPPED || length_of(c, row / c->slots / c->H) != length_of(c, b));
        }
    return elsewhere > 0;
}

// The numbers of a token stand apart: max_seq, as in [B, H, D, max_seq], or heads, as in [B, max_seq, D, H].
static int numbers_apart(const cache *c, int by_heads) {
    int tokens = 0;
    for (long b = 0; b < c->B; b++)
        for (long h = 0; h < c->H; h++) {
            const long length = length_of(c, b), head = b * c->H + h;
            if (length >= c->slots) continue;
            for (long d = 0; d < c->D; d++) {
                const long at =
                    by_heads ? ((b * c->slots + length) * c->D + d) * c->H + h : (head * c->D + d) * c->slots + length;
                if (c->s->got[at] != c->s->in[2][head * c->D + d]) return 0;
            }
            tokens++;
        }
    return tokens > 0 && (!by_heads || c->H > 1);
}

static int explain_numbers_apart(const cache *c, char *text, size_t size) {
    for (int by_heads = 0; by_heads < 2; by_heads++)
        if (numbers_apart(c, by_heads))
            return lab_guess(c->s->guesses,
                             by_heads
                                 ? "matches a cache that is laid out [B, max_seq, D, H]: it is [B, H, max_seq, D], "
                                   "and the D numbers of a slot are neighbours"
                                 : "matches a cache that is laid out [B, H, D, max_seq]: it is [B, H, max_seq, D], "
                                   "and the D numbers of a slot are neighbours",
                             text, size);
    return 0;
}

// Of each sequence some heads alone are stored, and of the others nothing: that of the block's number, or the first n.
static int stores_heads(const cache *c, int by_block, long n) {
    long stored = 0, left = 0;
    for (long bh = 0; bh < c->B * c->H; bh++) {
        const long length = length_of(c, bh / c->H), h = bh % c->H, row = bh * c->slots + length;
        if (length >= c->slots) continue;
        const int due = by_block ? h == bh / c->H % c->H : h < n;
        for (size_t v = 0; v < 2; v++) {
            const float *at = c->s->got + v * c->kv + row * c->D, *token = c->s->in[2 + v] + bh * c->D;
            if (due != (memcmp(at, token, c->D * sizeof *at) == 0)) return 0;
        }
        stored += due, left += !due;
    }
    for (long row = 0; row < c->B * c->H * c->slots; row++) stored -= is_new(c, row);
    return left > 0 && stored == 0;  // and nothing lies elsewhere
}

static int explain_heads(const cache *c, char *text, size_t size) {
    int known = 0;
    for (long n = 1; n < c->H && !known; n++) {
        char said[240];
        snprintf(
            said, sizeof said,
            "matches heads 0 .. %ld of each sequence that are stored alone: the rows of all %ld are, H * D numbers",
            n - 1, c->H);
        known = stores_heads(c, 0, n) && lab_guess(c->s->guesses, said, text, size);
    }
    if (!stores_heads(c, 1, 0)) return known;
    return lab_guess(c->s->guesses,
                     "matches one head of each sequence that is stored, head b % H, and no other: is block b taken for "
                     "one of a head? It has the whole sequence, H * D numbers",
                     text, size);
}

int lab_explain_append(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    const cache c = {s, a.batch, a.heads, a.seq_kv, a.head_dim, lab_elements_kv(a)};
    int known = 0;
    for (formula f = 0; f < N_FORMULAS; f++) {
        char aside[240] = "";
        if (!fits(&c, f)) continue;
        lab_guess(s->guesses, sentence[f], known ? aside : text, known ? sizeof aside : size);
        known = 1;
    }
    known |= explain_heads(&c, text, size);  // of head 0 alone it may be either
    return known || explain_numbers_apart(&c, text, size);
}
