// approximated.c: a softmax, or attention, with a function of the student's own in place of exp (approximations.h).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "approximations.h"
#include "kept_scores.h"
#include "other_weights.h"
#include "reduced_exps.h"

enum { ALL = LAB_APPROXIMATIONS + LAB_REDUCED_EXPS };

static void say(int f, char *text, size_t size) {
    char name[80];
    if (f >= LAB_APPROXIMATIONS)
        snprintf(text, size,
                 "matches a series in place of exp(x) = 2^n exp(f), x = n ln(2) + f, which %s: exp(f) is 1 + f (1 + "
                 "f/2 (1 + f/3 (1 + f/4 ...)))",
                 lab_reduced_exp_name(f - LAB_APPROXIMATIONS, name, sizeof name));
    else
        snprintf(text, size, "matches %s" LAB_NEAR_0, lab_approximation_name(f, name, sizeof name));
}

// ---- Attention: tile by tile, the new terms relative to the maximum so far (OF_ALL), or to the tile's own (OF_TILE).

enum { MOST_PRODUCTS = 1 << 17 };  // of a row; each is tried some hundred times

typedef enum { OF_ALL, OF_TILE } relative;

// What is 0 as a float is often set to 0 before.
enum { LEAST = -87 };
static double approximate(int f, double x, int cut) {
    if (f >= LAB_APPROXIMATIONS) return lab_reduced_exp(f - LAB_APPROXIMATIONS, x);
    return cut && x < LEAST ? 0 : lab_approximation(f, x);
}

// What was before is rescaled by expf itself, as that is called once for a tile.
static double rescale(int f, double x, int cut) {
    return cut && f >= LAB_APPROXIMATIONS ? exp(x) : approximate(f, x, cut);
}

static int gives(const lab_wrong_rows *w, const lab_wrong_row *r, int f, int tile, relative to, int cut, int dims) {
    const int D = w->shape.head_dim;
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    double *o = w->scratch, m = -INFINITY, l = 0;
    if (!row) return 0;
    const double *score = row->score;
    memset(o, 0, dims * sizeof *o);
    for (int from = 0; from < r->seen; from += tile) {
        const int end = from + tile < r->seen ? from + tile : r->seen;
        double most = -INFINITY;
        for (int j = from; j < end; j++) most = fmax(most, score[j]);
        const double m_new = fmax(m, most), keep = from ? rescale(f, m - m_new, cut) : 0;
        const double own = to == OF_TILE ? most : m_new, factor = to == OF_TILE ? rescale(f, most - m_new, cut) : 1;
        for (int d = 0; d < dims; d++) o[d] *= keep;
        l *= keep;
        for (int j = from; j < end; j++) {
            const double p = factor * approximate(f, score[j] - own, cut);
            for (int d = 0; d < dims; d++) o[d] += p * r->v[(size_t)j * D + d];
            l += p;
        }
        m = m_new;
    }
    for (int d = 0; d < dims; d++)
        if (!(fabs(o[d] / l - r->got[d]) < r->near / 4 * (1 + fabs(r->got[d])))) return 0;
    return 1;
}

static int fits(const lab_wrong_rows *w, int f, int tile, int way) {
    for (int i = 0; i < 2 * w->n; i++)
        if (!gives(w, &w->row[i % w->n], f, tile, way % 2, way / 2, lab_columns_in_turn(w->shape.head_dim, w->n, i)))
            return 0;
    return 1;
}

int lab_explain_approximated(const lab_wrong_rows *w, char *text, size_t size) {
    if (w->n < 2 || (size_t)w->shape.seq_kv * w->shape.head_dim > MOST_PRODUCTS) return 0;
    const int own = w->row[0].tile, tiles[] = {own, w->shape.seq_kv, 1, 16, 32, 64, 8, 128, 96, 48};
    int found = -1;
    for (int f = 0; f < ALL && found < 0; f++)
        for (int t = 0; t < (own ? 3 : 10) && found < 0; t++)
            for (int way = 0; way < 4 && found < 0; way++)
                if (tiles[t] > 0 && fits(w, f, tiles[t], way)) found = f;
    if (found >= 0) say(found, text, size);
    return found >= 0;
}

// ---- A softmax

int lab_explain_approximated_softmax(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    for (int f = 0; bad->n > 1 && cols > 1 && f < ALL; f++) {
        int fits = 1;
        for (int i = 0; i < bad->n && fits; i++) {
            const float *x = s->in[1] + bad->row[i] * cols, *got = s->got + bad->row[i] * cols;
            double most = -INFINITY, sum = 0;
            for (int c = 0; c < cols; c++) most = fmax(most, x[c]);
            for (int c = 0; c < cols; c++) sum += approximate(f, x[c] - most, 0);
            for (int c = 0; c < cols && fits; c++) {
                const double weight = approximate(f, x[c] - most, 0) / sum;
                fits = fabs(got[c] - weight) <= 1e-3 * fabs(weight) + 1e-7;
            }
        }
        if (!fits) continue;
        say(f, text, size);
        return lab_guess(s->guesses, text, text, size);
    }
    return 0;
}
