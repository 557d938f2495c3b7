// cache_parts.c: task 6, what copies without a kernel leave in the cache: heads at a wrong distance, or a quarter of the
// numbers.
#include <math.h>
#include <stdio.h>

#include "cache_state.h"

// ---- Heads at a wrong distance

// The number of the cache of keys at which a head's slots begin, by the first of its tokens that is found; -1: by none.
static long begin_of(const lab_cache_state *a, size_t b, size_t h) {
    const long n = (long)(a->B * a->H * a->slots * a->D), D = (long)a->D;
    for (int t = 0; t < lab_cache_prompt_of(a, b); t++)
        for (long at = t * D; at + D <= n; at++)
            if (lab_cache_row_is(a, a->s->work + at, lab_cache_due(a, 0, b, h, t))) return at - t * D;
    return -1;
}

// Of how many of the prompt's keys is it true that heads lie `head` numbers apart, and sequences `sequence`?
static double share(const lab_cache_state *a, long first, long head, long sequence) {
    const long n = (long)(a->B * a->H * a->slots * a->D);
    int found = 0, all = 0;
    for (size_t b = 0; b < a->B; b++)
        for (size_t h = 0; h < a->H; h++)
            for (int t = 0; t < lab_cache_prompt_of(a, b); t++, all++) {
                const long at = first + (long)b * sequence + (long)h * head + t * (long)a->D;
                if (at < 0 || at + (long)a->D > n) continue;
                found += lab_cache_row_is(a, a->s->work + at, lab_cache_due(a, 0, b, h, t));
            }
    return (double)found / all;
}

int lab_explain_distance(const lab_cache_state *a, char *text, size_t size) {
    const long head = (long)(a->slots * a->D), sequence = head * (long)a->H;
    const long first = begin_of(a, 0, 0), second = a->H > 1 ? begin_of(a, 0, 1) : -1;
    if (first || second <= 0 || second == head) return 0;
    const long other = a->B > 1 ? begin_of(a, 1, 0) : sequence;
    const double fit = share(a, 0, second, other);  // new tokens may have replaced some
    if (other < 0 || fit < share(a, 0, head, sequence) + 0.1 || fit < (a->end > a->first + (int)a->S ? 0.5 : 0.9))
        return 0;
    return snprintf(text, size,
                    "matches a prompt whose head 1 begins %ld numbers behind head 0 in the cache: heads are max_seq * "
                    "head_dim = %ld numbers apart",
                    second, head) > 0;
}

// ---- Bytes and floats

// Is of each `unit` numbers of a head the first quarter there, and nothing else? v: 0 K, 1 V.
static int is_quarter(const lab_cache_state *a, int v, size_t b, size_t unit) {
    for (size_t h = 0; h < a->H; h++)
        for (size_t i = 0; i < lab_cache_prompt_of(a, b) * a->D; i++) {
            const size_t slot = lab_cache_place(a, RIGHT, b, h, i / a->D) + v * a->B * a->H * a->slots;
            const double due = lab_cache_due(a, v, b, h, i / a->D)[i % a->D];
            const int is_there = fabs(a->s->work[slot * a->D + i % a->D] - due) < LAB_TOLERANCE * (1 + fabs(due));
            if (is_there != (i % unit < unit / 4) && (i % unit != unit / 4 || unit % 4 == 0)) return 0;
        }
    return 1;
}

int lab_explain_quarter(const lab_cache_state *a, char *text, size_t size) {
    enum { COUNT, LONGEST, TOKEN, N };
    static const char *const of_each[N] = {"head", "head", "token"}, *const of[] = {"", "K", "V", "K and V"};
    int known = 0;
    for (int kind = 0; kind < N; kind++) {
        int fits = 3;
        for (size_t b = 0; b < a->B; b++)
            for (int v = 0; v < 2; v++) {
                const size_t tokens = kind == COUNT ? (size_t)lab_cache_prompt_of(a, b) : kind == LONGEST ? a->S : 1;
                if (!is_quarter(a, v, b, tokens * a->D)) fits &= ~(1 << v);
            }
        if (!fits) continue;
        char sentence[200];
        snprintf(sentence, sizeof sentence,
                 "matches a prompt of which the first quarter of each %s's numbers alone is stored, in %s: the width "
                 "of a copy is in bytes, and a float has 4, n * sizeof(float)",
                 of_each[kind], of[fits]);
        known = lab_guess(a->s->guesses, sentence, text, size);
    }
    return known;
}
