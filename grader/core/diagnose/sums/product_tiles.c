// product_tiles.c: blocks of threads that make a tile of C each, and load the tile of B at their row of tiles, or that of A at
// their column of tiles: those on the diagonal alone are right.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    size_t rows, cols;  // of a tile of C
    int of_b;           // the tile of B is the wrong one, not that of A
} tiles;

// What element (i, j) of a matrix is with such tiles: 0 where its row of A, or its column of B, would lie behind the last.
static double element(const lab_symptom *s, const tiles *t, int nt, size_t g, size_t i, size_t j) {
    const size_t m = s->shape.seq_q, n = s->shape.seq_kv, k = s->shape.head_dim;
    const size_t row = t->of_b ? i : j / t->cols * t->rows + i % t->rows,
                 col = t->of_b ? i / t->rows * t->cols + j % t->cols : j;
    const float *a = s->in[1] + (g * m + row) * k, *b = s->in[2] + g * n * k;
    double sum = 0;
    if (row >= m || col >= n) return 0;
    for (size_t l = 0; l < k; l++) sum += (double)a[l] * (nt ? b[col * k + l] : b[l * n + col]);
    return sum;
}

// Does it give all of a matrix, and are some of its elements wrong?
static int fits(const lab_symptom *s, const tiles *t, int nt, size_t g) {
    const size_t m = s->shape.seq_q, n = s->shape.seq_kv;
    int bad = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t e = (g * m + i) * n + j;
            bad |= lab_element_bad(s, e, 0);
            if (!(fabs(s->got[e] - element(s, t, nt, g, i, j)) < LAB_TOLERANCE)) return 0;
        }
    return bad;
}

int lab_explain_product_tiles(const lab_symptom *s, int nt, char *text, size_t size) {
    static const size_t sides[] = {8, 16, 32, 64, 128};
    enum { N = sizeof sides / sizeof *sides };
    for (int i = 0; i < 2 * N * N; i++) {
        const tiles t = {sides[i / 2 / N], sides[i / 2 % N], i % 2};
        if (!fits(s, &t, nt, 0)) continue;
        snprintf(text, size,
                 t.of_b
                     ? "matches a tile of B that begins where the block's tile of A does, at its rows of C: it begins "
                       "at the block's columns of C"
                     : "matches a tile of A that begins where the block's tile of B does, at its columns of C: it "
                       "begins at the block's rows of C");
        return 1;
    }
    return 0;
}
