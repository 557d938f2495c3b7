// moved.c: split and merge only move numbers. Which element of the input lies where, as steps from index to index.
#include "heuristics.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float value;
    size_t at;
} place;

static int by_value(const void *a, const void *b) {
    const float x = ((const place *)a)->value, y = ((const place *)b)->value;
    return (x > y) - (x < y);
}

// Where in the input this number stands; -1: nowhere.
static long find(const place *p, size_t n, float value) {
    const place key = {value, 0}, *found = bsearch(&key, p, n, sizeof *p, by_value);
    return found ? (long)found->at : -1;
}

enum { B, H, S, D, AXES };

static size_t index_of(const size_t i[AXES], const size_t step[AXES]) {
    return i[B] * step[B] + i[H] * step[H] + i[S] * step[S] + i[D] * step[D];
}

// The steps that the student's code makes in the input. Returns 0 if it makes no even steps.
static int steps_of(const lab_symptom *s, const place *p, const size_t n, const size_t extent[AXES],
                    const size_t out[AXES], long step[AXES]) {
    const size_t origin[AXES] = {0};
    const long first = find(p, n, s->got[index_of(origin, out)]);
    if (first < 0) return 0;
    for (int a = 0; a < AXES; a++) {
        size_t one[AXES] = {0};
        one[a] = extent[a] > 1;
        const long at = find(p, n, s->got[index_of(one, out)]);
        if (at < 0) return 0;
        step[a] = at - first;
    }
    for (size_t k = 0; k < 64; k++) {
        const size_t i[AXES] = {k * 7 % extent[B], k * 5 % extent[H], k * 3 % extent[S], k * 11 % extent[D]};
        const long due =
            first + (long)i[B] * step[B] + (long)i[H] * step[H] + (long)i[S] * step[S] + (long)i[D] * step[D];
        if (due < 0 || due >= (long)n || s->got[index_of(i, out)] != s->in[1][due]) return 0;
    }
    return 1;
}

// Does the output hold what a code leaves that goes through it in these steps? Where two elements meet, one of them.
static int lies_so(const lab_symptom *s, size_t n, const size_t extent[AXES], const size_t in[AXES],
                   const size_t out[AXES], size_t *at) {
    for (size_t k = 0; k < n; k++) at[k] = 0;
    for (size_t k = 0; k < n; k++) {
        const size_t d = k % extent[D], t = k / extent[D] % extent[S], h = k / extent[D] / extent[S] % extent[H],
                     i[AXES] = {k / extent[D] / extent[S] / extent[H], h, t, d};
        const size_t to = index_of(i, out);
        if (to >= n) continue;
        const int here = s->got[to] == s->in[1][index_of(i, in)];
        at[to] = at[to] > 1 || here ? 2 : 1;  // 1: written, 2: as it is
    }
    for (size_t k = 0; k < n; k++)
        if (at[k] == 1 || (at[k] == 0) != !lab_is_finite(s->got[k])) return 0;
    return 1;
}

// One step in the output is another one, or two are.
static int explain_out(const lab_symptom *s, size_t n, const size_t extent[AXES], const size_t in[AXES],
                       const size_t due[AXES], const char *const names[AXES], const char *tensor, char *text,
                       size_t size) {
    const size_t h = extent[H], t = extent[S], d = extent[D];
    const size_t steps[] = {1, d, t, h, t * d, h * d, h * t, h * t * d, 0};
    enum { N = sizeof steps / sizeof *steps };
    size_t *at = malloc(n * sizeof *at);
    for (int code = 0; at && code < AXES * AXES * N * N; code++) {
        const int a = code % AXES, b = code / AXES % AXES, x = code / AXES / AXES % N, y = code / AXES / AXES / N;
        size_t out[AXES];
        if (a > b || (a == b && x != y) || extent[a] < 2 || extent[b] < 2) continue;
        for (int i = 0; i < AXES; i++) out[i] = due[i];
        out[a] = steps[x], out[b] = steps[y];
        if (out[a] == due[a] || (a != b && out[b] == due[b]) || !lies_so(s, n, extent, in, out, at)) continue;
        free(at);
        if (a == b)
            return snprintf(text, size, "matches a step of %zu from %s in %s: it is %zu", out[a], names[a], tensor,
                            due[a]) > 0;
        return snprintf(text, size, "matches steps of %zu from %s and of %zu from %s in %s: they are %zu and %zu",
                        out[a], names[a], out[b], names[b], tensor, due[a], due[b]) > 0;
    }
    free(at);
    return 0;
}

// e = h * D + d, taken apart in another way: which head and which dim does element e of a token belong to?
static int explain_parts(const lab_symptom *s, int merge, char *text, size_t size) {
    const attn_shape a = s->shape;
    const size_t h = a.heads, d = a.head_dim, t = a.seq_q, n = lab_elements_q(a);
    static const char *const part[] = {"e / D", "e / H", "e % H", "e % D", "e / H % H", "e / H % D", "e % D % H"};
    for (int code = 1; code < 49; code++) {
        size_t fits = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t e = i % (h * d), row = i / (h * d);
            const size_t of[] = {e / d, e / h, e % h, e % d, e / h % h, e / h % d, e % d % h};
            const size_t head = of[code / 7], dim = of[(code + 3) % 7];
            const size_t at = ((row / t * h + head) * t + row % t) * d + dim;
            fits += at >= n || (merge ? s->got[i] == s->in[1][at] : s->got[at] == s->in[1][i] || head >= h || dim >= d);
        }
        if (fits < n) continue;
        return snprintf(text, size, "matches h = %s, d = %s: of e = h * D + d, h is e / D and d is e %% D",
                        part[code / 7], part[(code + 3) % 7]) > 0;
    }
    return 0;
}

// The axes of a tensor in another order, its elements still dense.
static void layout_of(int order, const size_t extent[AXES], size_t step[AXES], char *name, size_t size) {
    int left[AXES] = {B, H, S, D}, axis[AXES];
    for (int i = 0; i < AXES; i++) {
        const int pick = order % (AXES - i);
        order /= AXES - i;
        axis[i] = left[pick];
        for (int k = pick; k + 1 < AXES - i; k++) left[k] = left[k + 1];
    }
    step[axis[AXES - 1]] = 1;
    for (int i = AXES - 2; i >= 0; i--) step[axis[i]] = step[axis[i + 1]] * extent[axis[i + 1]];
    snprintf(name, size, "[%c, %c, %c, %c]", "BHSD"[axis[0]], "BHSD"[axis[1]], "BHSD"[axis[2]], "BHSD"[axis[3]]);
}

// One of the two tensors is taken for [H, B, S, D], say. Of one head several orders are the same: all of them are among what
// fits.
static int explain_layout(const lab_symptom *s, int merge, const size_t n, const size_t extent[AXES],
                          const size_t heads[AXES], const size_t packed[AXES], char *text, size_t size) {
    enum { ORDERS = 24 };
    int known = 0;
    for (int code = 0; code < 4 * ORDERS; code++) {  // of one batch B may stand anywhere: it is first, where that fits
        const int of_x = code / ORDERS % 2;
        size_t step[AXES], fits = 0;
        char name[24];
        layout_of(code % ORDERS, extent, step, name, sizeof name);
        if ((code < 2 * ORDERS) != (name[1] == 'B')) continue;
        const size_t *in = merge ? heads : packed, *out = merge ? packed : heads;
        if (of_x == merge)
            out = step;
        else
            in = step;
        for (size_t k = 0; k < n; k++) {
            const size_t d = k % extent[D], t = k / extent[D] % extent[S], h = k / extent[D] / extent[S] % extent[H];
            const size_t i[AXES] = {k / extent[D] / extent[S] / extent[H], h, t, d};
            fits += s->got[index_of(i, out)] == s->in[1][index_of(i, in)];
        }
        if (fits < n) continue;
        char sentence[80];
        snprintf(sentence, sizeof sentence, "matches %s as %s: it is %s", of_x ? "X" : "Y", name,
                 of_x ? "[B, S, H, D]" : "[B, H, S, D]");
        known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

int lab_explain_moved(const lab_symptom *s, int merge, char *text, size_t size) {
    static const char *const names[AXES] = {"one sequence to the next", "one head to the next", "one token to the next",
                                            "one dim to the next"};
    const attn_shape a = s->shape;
    const size_t n = lab_elements_q(a), extent[AXES] = {a.batch, a.heads, a.seq_q, a.head_dim}, d = a.head_dim;
    const size_t heads[AXES] = {a.heads * a.seq_q * d, a.seq_q * d, d, 1},
                 packed[AXES] = {a.heads * a.seq_q * d, d, a.heads * d, 1};
    const size_t *in = merge ? heads : packed;
    long step[AXES];
    if (explain_layout(s, merge, n, extent, heads, packed, text, size)) return 1;
    place *p = malloc(n * sizeof *p);
    for (size_t i = 0; p && i < n; i++) p[i] = (place){s->in[1][i], i};
    if (p) qsort(p, n, sizeof *p, by_value);
    const int even = p && steps_of(s, p, n, extent, merge ? packed : heads, step);
    if (p && !even && n < 4096 &&
        (explain_parts(s, merge, text, size) ||
         explain_out(s, n, extent, in, merge ? packed : heads, names, merge ? "X" : "Y", text, size))) {
        free(p);
        return 1;
    }
    free(p);
    for (int x = AXES - 1; x >= 0 && even; x--)
        if (extent[x] > 1 && step[x] != (long)in[x]) {
            snprintf(text, size, "matches a step of %ld from %s in %s: it is %zu", step[x], names[x], merge ? "Y" : "X",
                     in[x]);
            return 1;
        }
    return 0;
}
