// cache_state.c: task 6, what the cache holds after all calls: lengths, and where the keys and values of the prompt lie.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_state.h"
#include "layer.h"

int lab_cache_prompt_of(const lab_cache_state *a, size_t b) { return a->first ? 1 : lab_int_at(a->s->in[6], b); }
static int steps_of(const lab_cache_state *a) {
    return a->end > a->first + (int)a->S ? a->end - a->first - (int)a->S : 0;
}

static int length_of(const lab_cache_state *a, size_t b) {
    return lab_int_at(a->s->work + 2 * a->B * a->H * a->slots * a->D, b);
}

static int compute(lab_cache_state *a) {
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

// A length that was `from` after the prompt, at the end: append stores where there is room.
static int grown(const lab_cache_state *a, int from) {
    const int room = (int)a->slots - from, steps = steps_of(a);
    return from + (room < 0 ? 0 : room < steps ? room : steps);
}

static int explain_lengths(const lab_cache_state *a, char *text, size_t size) {
    int wrong = -1, padded = 1, unset = 1, others = 1, twice = 1, of_heads = a->H > 1, total = 0, totals = a->B > 1;
    for (size_t b = 0; b < a->B; b++) {
        const int prompt = lab_cache_prompt_of(a, b), steps = steps_of(a), got = length_of(a, b);
        if (got != prompt + steps && wrong < 0) wrong = (int)b;
        padded &= got == (int)a->S + steps;
        unset &= got == steps;
        total += prompt;
        of_heads &= got == grown(a, (int)a->H * prompt), totals &= got == grown(a, total);
        twice &= got == (prompt + 2 * steps < (int)a->slots ? prompt + 2 * steps : (int)a->slots);
        others &= b == 0 ? got == prompt + steps : got == steps;
    }
    if (wrong < 0) return 0;
    if (twice && steps_of(a)) {
        snprintf(text, size, "matches lengths[b] that grow by 2 with each new token: is a token appended twice?");
        return 1;
    }
    if (of_heads) {
        snprintf(
            text, size,
            "matches lengths[b] that are H * count[b] after a prompt: each head adds its tokens, and a sequence has "
            "one length for all heads: it is set to count[b] once");
        return 1;
    }
    if (totals) {
        snprintf(
            text, size,
            "matches lengths[b] = count[0] + ... + count[b] after a prompt, where sequence b would end behind those "
            "before it: each has slots of its own, and lengths[b] is count[b] alone");
        return 1;
    }
    const int prompt = lab_cache_prompt_of(a, wrong), got = length_of(a, wrong) - steps_of(a);
    if (got < 0) {
        snprintf(text, size, "matches lengths[%d] = %d after all calls: it is %d", wrong, length_of(a, wrong),
                 prompt + steps_of(a));
        return 1;
    }
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

int lab_cache_row_is(const lab_cache_state *a, const float *at, const double *row) {
    for (size_t d = 0; d < a->D; d++)
        if (!(fabs(at[d] - row[d]) < LAB_TOLERANCE * (1 + fabs(row[d])))) return 0;
    return 1;
}

const double *lab_cache_due(const lab_cache_state *a, int v, size_t b, size_t h, size_t t) {
    return a->kv + (b * a->S + t) * 2 * a->E + v * a->E + h * a->D;
}

size_t lab_cache_place(const lab_cache_state *a, lab_cache_layout f, size_t b, size_t h, size_t t) {
    const size_t head = b * a->H + h;
    switch (f) {
    case S_APART: return head * a->S + t;
    case HEADS_S_APART: return b * a->H * a->slots + h * a->S + t;
    case SWAPPED: return (h * a->B + b) * a->slots + t;
    case TOKENS_FIRST: return (b * a->slots + t) * a->H + h;
    case WITHOUT_B: return h * a->slots + t;
    case WITHOUT_H: return b * a->slots + t;
    case SLOT_LATE: return head * a->slots + t + 1;
    default: return head * a->slots + t;
    }
}

// The tokens of all heads as one run, as they lie in K: either of two mistakes stores them so.
#define S_APART_TEXT                                                                                                   \
    "matches a prompt that is stored with heads S slots apart, head 1 in slots S and up of head 0: in the cache "      \
    "heads are max_seq slots apart. Or K and the cache are both taken for [B, tokens, H, D]"

static const char *const layouts[N_LAYOUTS] = {
    [S_APART] = S_APART_TEXT,
    [HEADS_S_APART] = S_APART_TEXT,
    [SWAPPED] =
        "matches a prompt that is stored with head h of sequence b at number h * batch + b: it is b * heads + h",
    [TOKENS_FIRST] = "matches a prompt that is stored as [B, max_seq, H, D]: the cache is [B, H, max_seq, D]",
    [WITHOUT_B] = "matches a prompt whose place in the cache lacks b: head h of sequence b is number b * heads + h",
    [WITHOUT_H] = "matches a prompt whose place in the cache lacks h: head h of sequence b is number b * heads + h",
    [SLOT_LATE] = "matches a prompt that is stored one slot late: token t belongs into slot t",
};

// Which share of the prompt's keys lies where the formula says.
static double share(const lab_cache_state *a, lab_cache_layout f) {
    int found = 0, all = 0;
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < lab_cache_prompt_of(a, b); t++, all++) {
                const size_t at = lab_cache_place(a, f, b, h, t);
                if (at >= a->B * a->H * a->slots) continue;
                found += lab_cache_row_is(a, a->s->work + at * a->D, lab_cache_due(a, 0, b, h, t));
            }
    return (double)found / all;
}

static int explain_layout(const lab_cache_state *a, char *text, size_t size) {
    const double right = share(a, RIGHT);
    double best = right > 0.9 ? 1 : right;
    lab_cache_layout is = RIGHT;
    for (lab_cache_layout f = RIGHT + 1; f < N_LAYOUTS; f++)
        if (share(a, f) > best + 0.1) best = share(a, f), is = f;
    if (is == RIGHT) return 0;
    snprintf(text, size, "%s", layouts[is]);
    return 1;
}

// Does a token of a later call stand here by now?
static int is_newer(const lab_cache_state *a, size_t at) {
    const int slot = (int)(at % a->slots), first = lab_cache_prompt_of(a, at / a->slots / a->H);
    return slot >= first && slot < first + steps_of(a);
}

// After a short prompt new tokens of a head stand where heads S slots apart would have left those of the next.
static int may_be_apart(const lab_cache_state *a) {
    int replaced = 0;
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < lab_cache_prompt_of(a, b); t++) {
                const size_t at = lab_cache_place(a, HEADS_S_APART, b, h, t), due = lab_cache_place(a, RIGHT, b, h, t);
                const int newer = at != due && is_newer(a, at);
                const int there = lab_cache_row_is(a, a->s->work + due * a->D, lab_cache_due(a, 0, b, h, t));
                if (newer ? there : !lab_cache_row_is(a, a->s->work + at * a->D, lab_cache_due(a, 0, b, h, t)))
                    return 0;
                replaced += newer;
            }
    return replaced;
}

// Of each sequence the first H * count[b] rows of K are stored, one behind the other, and no more. Without padding heads
// that are S slots apart look the same.
typedef enum { NO_RUN, MAY_BE_RUN, IS_RUN } run;
static run one_run(const lab_cache_state *a) {
    const size_t S = a->s->extra[1] == LAB_BESIDES_PADDING ? a->T : a->S;
    int stored = 0, left = 0, replaced = 0;
    for (size_t b = 0; b < a->B && S != a->slots; b++)
        for (size_t h = 1; h < a->H; h++)
            for (int t = 0; t < lab_cache_prompt_of(a, b); t++) {
                const size_t at = b * a->H * a->slots + h * S + t;
                if (at >= a->B * a->H * a->slots) continue;
                const int within = h * S + t < a->H * lab_cache_prompt_of(a, b), newer = is_newer(a, at);
                replaced += newer;
                if (newer) continue;
                if (lab_cache_row_is(a, a->s->work + at * a->D, lab_cache_due(a, 0, b, h, t)) != within) return NO_RUN;
                stored += within, left += !within;
            }
    return stored && left ? IS_RUN : stored || left || replaced ? MAY_BE_RUN : NO_RUN;
}

static const char run_text[] =
    "matches a prompt of which H * count[b] rows of each sequence are stored as one run: in K and V its heads are S "
    "rows apart, padding included, and in the cache max_seq slots. Each head is a run of count[b] rows";

int lab_explain_cache(const lab_symptom *s, char *text, size_t size) {
    const attn_shape p = s->shape;
    lab_cache_state a = {s,        p.batch, p.heads, p.head_dim, (size_t)p.heads * p.head_dim, p.seq_q, 0,
                         p.seq_kv, 0,       0,       NULL};
    if (!s->work) return 0;
    lab_layer_room(p, s->in[6], &a.first, &a.end);
    a.S = a.first ? 1 : lab_layer_longest(s->in[6], p.batch);
    char cause[240];
    int known = explain_lengths(&a, text, size);
    if (!compute(&a)) return known;
    if (known)
        lab_explain_heads_alone(&a, cause, sizeof cause);  // threads that store nothing do not set a length, either
    else if (one_run(&a) == IS_RUN)
        known = snprintf(text, size, "%s", run_text) > 0;
    else
        known = explain_layout(&a, text, size) || lab_explain_distance(&a, text, size) ||
                lab_explain_quarter(&a, text, size) || lab_explain_heads_alone(&a, text, size) ||
                lab_explain_taken(&a, text, size) || lab_explain_slots(&a, text, size);
    if (known && may_be_apart(&a)) lab_guess(s->guesses, S_APART_TEXT, text, size);
    if (known && one_run(&a) == MAY_BE_RUN) lab_guess(s->guesses, run_text, text, size);
    free(a.kv);
    return known;
}
