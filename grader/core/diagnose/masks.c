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

// A number that is added to what is to be hidden, in place of -INFINITY; NAN: it is not so.
static double number_added(const lab_symptom *s) {
    double number = NAN;
    for (int i = 0; i < s->shape.seq_q * s->shape.seq_kv; i++) {
        if (!lab_element_bad(s, i, 0)) continue;
        const double added = (double)s->got[i] - s->in[1][i];
        if (s->want[i] != LAB_HIDDEN || !lab_is_finite(s->got[i]) || fabs(added) < 1e-3) return NAN;
        if (!isnan(number) && !(fabs(added - number) < 1e-4 * fabs(number))) return NAN;
        number = added;
    }
    return number;
}

// ---- Masks that land elsewhere

// Scores in tiles of Br x Bc, rows Bc apart: would (r, c) of a tile that is hidden land at r * row + c * column? What is
// not hidden stays as it is.
static int lands_so(const lab_symptom *s, int Br, int Bc, int row, int column) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv;
    for (int i0 = 0; i0 < Sq; i0 += Br)
        for (int j0 = 0; j0 < Sk; j0 += Bc) {
            const int nq = Sq - i0 < Br ? Sq - i0 : Br, nk = Sk - j0 < Bc ? Sk - j0 : Bc, step = row ? row : nk;
            for (int n = 0; n < nq * nk; n++) {  // is the place of (r, c) hidden by another pair that lands there?
                int hides = 0;
                for (int m = 0; m < nq * nk && !hides; m++)
                    hides =
                        m / nk * step + m % nk * column == n / nk * Bc + n % nk && j0 + m % nk > i0 + m / nk + Sk - Sq;
                const int at = (i0 + n / nk) * Sk + j0 + n % nk;
                if (hides != (s->got[at] == (float)LAB_HIDDEN)) return 0;
                if (!hides && !(s->got[at] == s->in[1][at])) return 0;
            }
        }
    return 1;
}

// Of each query the first hidden key alone.
static int hides_one(const lab_symptom *s) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv;
    for (int n = 0; n < Sq * Sk; n++)
        if ((n % Sk == n / Sk + Sk - Sq + 1) != (s->got[n] == (float)LAB_HIDDEN)) return 0;
    return 1;
}

static int explain_landing(const lab_symptom *s, char *text, size_t size) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, tiled = s->extra[1] > 0;
    const int Br = tiled ? s->extra[0] : Sq, Bc = tiled ? s->extra[1] : Sk;
    const char *r = tiled ? "r" : "i", *c = tiled ? "c" : "j", *due = tiled ? "Bc" : "Sk";
    const struct {
        const char *name;
        int row, column;
    } ways[] = {{"%s * nk + %s", 0, 1},  {"%s * D + %s", s->shape.head_dim, 1},
                {"%s * Sq + %s", Sq, 1}, {"%s + %s * Sk", 1, Sk},
                {"%s + %s * Sq", 1, Sq}, {"%s + %s * Bc", 1, Bc}};
    if (!s->shape.causal) return 0;
    if (hides_one(s))
        return snprintf(text, size,
                        "only the first hidden key of each query is set: all that come after it, too; does "
                        "the loop end there?") > 0;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        char way[40];
        if ((ways[w].row == Bc && ways[w].column == 1) || !lands_so(s, Br, Bc, ways[w].row, ways[w].column)) continue;
        char sentence[120];
        snprintf(way, sizeof way, ways[w].name, r, c);
        snprintf(sentence, sizeof sentence, "matches S[%s]: it is S[%s * %s + %s]", way, r, due, c);
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}

// +INFINITY, NaN, or a score that is multiplied by -INFINITY, where a key is to be hidden.
static int explain_infinity(const lab_symptom *s, char *text, size_t size) {
    int plus = 0, minus = 0, bad = 0, nan = 0;
    for (int i = 0; i < s->shape.seq_q * s->shape.seq_kv; i++) {
        if (!lab_element_bad(s, i, 0)) continue;
        bad++;
        plus += s->want[i] == LAB_HIDDEN && s->got[i] == INFINITY, minus += s->in[1][i] < 0;
        nan += s->want[i] == LAB_HIDDEN && isnan(s->got[i]);
    }
    if (bad && nan == bad)
        return snprintf(text, size,
                        "hidden scores become NaN, as 0 * -INFINITY does: set them to -INFINITY, whose exponential "
                        "is 0") > 0;
    if (bad == 0 || plus < bad) return 0;
    return snprintf(text, size, "%s",
                    minus == bad
                        ? "hidden scores below 0 become +INFINITY: a score times -INFINITY; set it to -INFINITY"
                        : "hidden scores become +INFINITY: with -INFINITY their exponential is 0") > 0;
}

// Keys before the query's own place are hidden, too: the difference of two unsigned numbers is never below 0.
static int explain_wrap(const lab_symptom *s, const char *row, const char *offset, char *text, size_t size) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, due = Sk - Sq;
    int from_own = s->shape.causal, from_offset = s->shape.causal && due > 0;
    for (int i = 0; i < Sq; i++) {
        const view v = view_of(s->got + (size_t)i * Sk, Sk);
        const int right = v.whole && v.seen_to == i + due;
        from_own = from_own && right && v.seen_from == i;
        from_offset = from_offset && right && v.seen_from == due;
    }
    if (!from_own && !from_offset) return 0;
    return snprintf(
               text, size,
               "matches a mask that hides the keys before %s, too: all keys up to %s + %s are seen. In size_t, j - "
               "%s%s%s is huge where it should be below 0",
               from_own ? row : offset, row, offset, from_own ? "" : "(", from_own ? row : offset,
               from_own ? "" : ")") > 0;
}

// The last key that is seen falls from query to query, or stays, or goes up by two: as begin + slope * i.
static int explain_slope(const lab_symptom *s, const char *row, const char *offset, char *text, size_t size) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, tiled = s->extra[1] > 0;
    const struct {
        const char *name;
        int is;
    } begin[] = {{"Sk - 1", Sk - 1}, {"Sk", Sk}, {"Sk - 2", Sk - 2}, {"Sk - Sq", Sk - Sq},
                 {"Sq - 1", Sq - 1}, {"Sq", Sq}, {"0", 0},           {"Sk - Sq - 1", Sk - Sq - 1}};
    static const struct {
        const char *words;
        int is;
    } slope[] = {{" - ", -1}, {"", 0}, {" + 2 ", 2}};
    int known = 0;
    for (int k = 0; k < 3 * (int)(sizeof begin / sizeof *begin) && !tiled && s->shape.causal; k++) {
        int fits = Sq > 2;
        for (int i = 0; i < Sq && fits; i++) {
            const view v = view_of(s->got + (size_t)i * Sk, Sk);
            const int last = begin[k / 3].is + slope[k % 3].is * i;
            fits = v.whole && v.seen_from <= 0 && v.seen_to == (last < -1 ? -1 : last < Sk ? last : Sk - 1);
        }
        char sentence[240];
        snprintf(
            sentence, sizeof sentence,
            "matches a mask in which query %s sees the keys up to %s%s%s: each query sees one key more than the one "
            "before, up to %s + (%s)",
            row, begin[k / 3].name, slope[k % 3].words, slope[k % 3].is ? row : "", row, offset);
        if (fits) known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

int lab_from_corner(int way, int i, int seq_q, int seq_kv) {
    const long begin = (long)i * seq_kv, end = begin + seq_kv;
    const int even = seq_kv / seq_q, rest = seq_kv % seq_q;
    const long seen[LAB_CORNER_WAYS] = {
        end / seq_q,
        (end + seq_q - 1) / seq_q,
        begin / seq_q,
        begin / seq_q + 1,
        (i + 1L) * even,
        (long)i * even,
        (long)i * even + 1,
        (i + 1L) * even + (i < rest ? i + 1 : rest)};  // as work is shared out: the first ones have one more
    return (int)(seen[way] < seq_kv ? seen[way] : seq_kv);
}

static int is_from_corner(const lab_symptom *s) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv;
    for (int way = 0; way < LAB_CORNER_WAYS && Sq != Sk; way++) {
        int i = 0;
        for (; i < Sq; i++) {
            const view v = view_of(s->got + (size_t)i * Sk, Sk);
            if (v.seen_from > 0 || v.seen_to + 1 != lab_from_corner(way, i, Sq, Sk)) break;
        }
        if (i == Sq) return 1;
    }
    return 0;
}

// Each query sees the keys from its own number on, as if key j were hidden from the queries behind it.
static int sees_from_own(const lab_symptom *s) {
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv;
    for (int i = 0; i < Sq; i++) {
        const view v = view_of(s->got + (size_t)i * Sk, Sk);
        if (!v.whole || v.seen_from != (i < Sk ? i : -1) || (v.seen_from >= 0 && v.seen_to != Sk - 1)) return 0;
    }
    return 1;
}

static int explain_from_own(const lab_symptom *s, const char *row, const char *offset, char *text, size_t size) {
    char sentence[240];
    snprintf(sentence, sizeof sentence,
             "matches a mask with query and key exchanged: it hides key j from the queries behind it, so that query %s "
             "sees the keys from %s on, and not those up to %s + %s",
             row, row, row, offset);
    return sees_from_own(s) && lab_guess(s->guesses, sentence, text, size);
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
    const double added = number_added(s);
    if (!isnan(added)) {
        snprintf(sentence, sizeof sentence,
                 "matches hidden scores to which %.4g is added: what is hidden counts less, and must not count at all: "
                 "set it to -INFINITY",
                 added);
        return lab_guess(s->guesses, sentence, text, size);
    }
    if (explain_infinity(s, text, size)) return 1;
    const int landed = explain_landing(s, text, size);  // a square mask may have another cause, too
    if (landed && Sq != Sk) return 1;
    if (explain_wrap(s, row, offset, text, size)) return 1;
    if (explain_slope(s, row, offset, text, size)) return 1;
    int shift = Sk + Sq, later = 1, steady = 1, any = 0, blind = 0;
    for (int i = 0; i < Sq; i++) {
        const view v = view_of(s->got + (size_t)i * Sk, Sk);
        const int hides = v.seen_from != 0 || v.seen_to != Sk - 1;
        if (!v.whole) return landed;
        any += hides;
        later = later && (v.seen_to == Sk - 1 || v.seen_from < 0);  // what is hidden is earlier than what is seen
        blind += v.seen_from < 0;
        if (v.seen_from > 0) steady = 0;
        if (v.seen_to == Sk - 1 && v.seen_from == 0) continue;  // nothing is hidden: the rule is at least that
        const int is = v.seen_to - i;
        if (shift != Sk + Sq && is != shift && v.seen_to >= 0) steady = 0;
        if (v.seen_to >= 0) shift = is;
    }
    if (!any || !s->shape.causal) return landed;
    const int from_own = explain_from_own(s, row, offset, text, size);
    if (from_own && Sq != Sk) return 1;  // of a square the mask may be upside down, too
    if (blind == Sq)
        snprintf(sentence, sizeof sentence,
                 "matches a mask that hides every key from every query: the keys up to %s + (%s) are seen; is its sign "
                 "turned round?",
                 row, offset);
    else if (later && !steady)
        snprintf(sentence, sizeof sentence,
                 "matches a mask the wrong way round: it hides the keys before %s + %s, and a query does not see those "
                 "after it",
                 row, offset);
    else if (steady && shift != Sk + Sq && shift != due)
        snprintf(sentence, sizeof sentence,
                 "matches a mask in which query %s sees the keys up to %s %+d: here %s is %d%s", row, row, shift,
                 offset, due, shift == -due ? ", so its sign is wrong" : "");
    else if (is_from_corner(s))
        snprintf(sentence, sizeof sentence, LAB_FROM_CORNER("%s", "%s + (%s)"),
                 *offset == 'S' ? "Sk / Sq" : "seq_kv / seq_q", row, offset);
    return *sentence ? lab_guess(s->guesses, sentence, text, size) : landed || from_own;
}
