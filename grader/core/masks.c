// masks.c: which keys does a query see in what mask_scores wrote, and by what rule?
#include <math.h>
#include <stdio.h>

#include "pointwise.h"

typedef struct {
    int seen_from, seen_to;  // the keys that are seen; -1: none
    int whole;               // 1: they follow one another
} view;

static view view_of(const float *row, int n) {
    view v = {-1, -1, 1};
    for (int j = 0; j < n; j++) {
        if (row[j] == (float)LAB_HIDDEN) continue;
        if (v.seen_from < 0) v.seen_from = j;
        v.whole = v.whole && (v.seen_to < 0 || v.seen_to == j - 1);
        v.seen_to = j;
    }
    return v;
}

// What stands where a score is to be hidden, if it is one number; NAN otherwise.
static double number_for_hidden(const lab_symptom *s) {
    double number = NAN;
    for (int i = 0; i < s->shape.seq_q * s->shape.seq_kv; i++) {
        if (!lab_element_bad(s, i, 0)) continue;
        if (s->want[i] != LAB_HIDDEN || s->got[i] == s->in[1][i] || !lab_is_finite(s->got[i])) return NAN;
        if (!isnan(number) && s->got[i] != (float)number) return NAN;
        number = s->got[i];
    }
    return number;
}

int lab_explain_mask(const lab_symptom *s, const char *row, const char *offset, char *text, size_t size) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, due = Sk - Sq;
    const double number = number_for_hidden(s);
    char sentence[240] = "";
    if (!isnan(number)) {
        snprintf(
            sentence, sizeof sentence,
            "hidden scores become %.4g, and exp(%.4g) counts where other scores are as small: set them to -INFINITY",
            number, number);
        return lab_guess(s->guesses, sentence, text, size);
    }
    int shift = Sk + Sq, later = 1, steady = 1, any = 0, blind = 0;
    for (int i = 0; i < Sq; i++) {
        const view v = view_of(s->got + (size_t)i * Sk, Sk);
        const int hides = v.seen_from != 0 || v.seen_to != Sk - 1;
        if (!v.whole) return 0;
        any += hides;
        later = later && (v.seen_to == Sk - 1 || v.seen_from < 0);  // what is hidden is earlier than what is seen
        blind += v.seen_from < 0;
        if (v.seen_from > 0) steady = 0;
        if (v.seen_to == Sk - 1 && v.seen_from == 0) continue;  // nothing is hidden: the rule is at least that
        const int is = v.seen_to - i;
        if (shift != Sk + Sq && is != shift && v.seen_to >= 0) steady = 0;
        if (v.seen_to >= 0) shift = is;
    }
    if (!any || !s->shape.causal) return 0;
    if (blind == Sq)
        snprintf(sentence, sizeof sentence,
                 "matches a mask that hides every key from every query: the keys up to %s + %s are seen, and %s is "
                 "seq_kv - seq_q",
                 row, offset, offset);
    else if (later && !steady)
        snprintf(sentence, sizeof sentence,
                 "matches a mask the wrong way round: it hides the keys before %s + %s, and a query does not see those "
                 "after it",
                 row, offset);
    else if (steady && shift != Sk + Sq && shift != due)
        snprintf(sentence, sizeof sentence,
                 "matches a mask in which query %s sees the keys up to %s %+d: here %s is %d%s", row, row, shift,
                 offset, due, shift == -due ? ", so its sign is wrong" : "");
    return *sentence && lab_guess(s->guesses, sentence, text, size);
}

// ---- Tile by tile

// S of each tile taken as nk, or D = 8, long.
static int mask_by_step(const lab_symptom *s, int long_as_d) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, Br = s->extra[0], Bc = s->extra[1];
    for (int i0 = 0; i0 < Sq; i0 += Br)
        for (int j0 = 0; j0 < Sk; j0 += Bc) {
            const int nq = Sq - i0 < Br ? Sq - i0 : Br, nk = Sk - j0 < Bc ? Sk - j0 : Bc, step = long_as_d ? 8 : nk;
            for (int n = 0; n < nq * nk; n++) {  // is the place of (r, c) hidden by another pair that lands there?
                int hides = 0;
                for (int m = 0; m < nq * nk && !hides; m++)
                    hides = m / nk * step + m % nk == n / nk * Bc + n % nk && j0 + m % nk > i0 + m / nk + Sk - Sq;
                const float got = s->got[(i0 + n / nk) * Sk + j0 + n % nk];
                if (hides != (got == (float)LAB_HIDDEN)) return 0;
            }
        }
    return 1;
}

int lab_tile_mask_else(const lab_symptom *s, char *text, size_t size) {
    const char *step = s->shape.causal && s->extra[1] ? mask_by_step(s, 0)   ? "nk"
                                                        : mask_by_step(s, 1) ? "D"
                                                                             : NULL
                                                      : NULL;
    if (step) return snprintf(text, size, "rows of S are taken as %s long: they are Bc apart", step) > 0;
    return lab_explain_mask(s, "i", "seq_kv - seq_q", text, size);
}
