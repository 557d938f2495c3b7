// gemm_batches.c: a product whose matrices are not those of their batch: a sum that goes on from matrix to matrix, a matrix
// chosen by all numbers of a block, rows and columns of a matrix exchanged.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>

typedef enum {
    OWN,
    SUM_GOES_ON,
    ONE_APART,  // matrices of a batch begin one number apart
    PLUS_ROW,   // the matrix's number and that of the row of tiles are added
    PLUS_COLUMN,
    PLUS_BOTH,
    BY_ROW,  // all numbers of the block become one
    BY_BOTH,
    INTERLEAVED,  // row by row, [rows, batch, columns]
    TURNED,       // rows and columns of the matrix are exchanged: its rows are that long, and end there
    SQUARE,       // as many columns as it has rows, or rows as it has columns (SQUARE_TOO), and no more of either
    SQUARE_TOO,
    TO_TILES_END,  // the sum goes on to the end of a tile of k, over what lies behind
    N_RULES
} rule;

typedef struct {
    const lab_symptom *s;
    int nt;
    size_t m, n, k;
    rule by;
    int of;  // 1: A, 2: B, 3: both
    size_t tile;
    int stored;  // C, too, is INTERLEAVED
} reading;

static size_t up(size_t n, size_t tile) { return (n + tile - 1) / tile; }

// Where the matrix begins, in numbers. size: of one.
static size_t begin(const reading *x, size_t g, size_t i, size_t j, size_t size, int own) {
    const size_t row = own ? 0 : i / x->tile, column = own ? 0 : j / x->tile;
    if (own) return g * size;
    switch (x->by) {
    case INTERLEAVED:  // of its first row, in rows
    case ONE_APART: return g;
    case PLUS_ROW: return (g + row) * size;
    case PLUS_COLUMN: return (g + column) * size;
    case PLUS_BOTH: return (g + row + column) * size;
    case BY_ROW: return (g * up(x->m, x->tile) + row) * size;
    case BY_BOTH: return ((g * up(x->m, x->tile) + row) * up(x->n, x->tile) + column) * size;
    default: return g * size;
    }
}

// Element (row, column) of a matrix of `rows` x `columns`; NAN outside of its tensor.
static double at(const reading *x, int tensor, size_t start, size_t row, size_t column, size_t rows, size_t columns) {
    const int turned = x->by == TURNED && (x->of & tensor);
    const int square = (x->by == SQUARE || x->by == SQUARE_TOO) && (x->of & tensor);
    const size_t batch = x->s->shape.batch;
    if (x->by == INTERLEAVED && (x->of & tensor)) return x->s->in[tensor][(row * batch + start) * columns + column];
    if (turned && (row >= columns || column >= rows)) return 0;
    const size_t side = x->by == SQUARE ? rows : columns;
    if (square && (row >= side || column >= side)) return 0;
    const size_t place = start + row * (turned ? rows : square ? side : columns) + column;
    return place < x->s->op->elements(x->s->shape, tensor) ? x->s->in[tensor][place] : NAN;
}

static double element(const reading *x, size_t e) {
    const size_t row = e / x->n, batch = x->s->shape.batch, j = e % x->n, m = x->m, n = x->n, k = x->k;
    const size_t last = x->stored ? row % batch : row / m, i = x->stored ? row / batch : row % m;
    double sum = 0;
    for (size_t g = x->by == SUM_GOES_ON ? 0 : last; g <= last; g++) {
        const size_t a = begin(x, g, i, j, m * k, !(x->of & 1)), b = begin(x, g, i, j, n * k, !(x->of & 2));
        for (size_t l = 0; l < (x->by == TO_TILES_END ? up(k, x->tile) * x->tile : k); l++)
            sum += at(x, 1, a, i, l, m, k) * (x->nt ? at(x, 2, b, j, l, n, k) : at(x, 2, b, l, j, k, n));
    }
    return sum;
}

enum { LOOKED_AT = 48 };

static int fits(const reading *x) {
    const size_t all = x->s->op->elements(x->s->shape, 0);
    size_t bad = 0, seen = 0;
    int n = 0;
    for (size_t e = 0; e < all; e++) bad += lab_element_bad(x->s, e, 0) && lab_is_finite(x->s->got[e]);
    for (size_t e = 0; e < all && n < LOOKED_AT; e++) {
        if (!lab_element_bad(x->s, e, 0) || !lab_is_finite(x->s->got[e]) || seen++ * LOOKED_AT / bad < (size_t)n)
            continue;
        const double is = element(x, e);
        if (x->by == TO_TILES_END && isnan(is)) continue;  // nobody knows what lies behind the tensor
        if (!(fabs(is - x->s->got[e]) < LAB_TOLERANCE / 4)) return 0;
        n++;
    }
    return n > 3;
}

static void say(const reading *x, char *text, size_t size) {
    static const char *const of[] = {"", "A", "B", "A and B"}, *const and_c[] = {"C", "A and C", "B and C",
                                                                                 "A, B and C"};
    static const char *const plus[N_RULES] = {
        [PLUS_ROW] = "the number of the row of tiles is added to the matrix's number",
        [PLUS_COLUMN] = "the number of the column of tiles is added to the matrix's number",
        [PLUS_BOTH] = "the numbers of the row and column of tiles are added to the matrix's number",
        [BY_ROW] = "the number of the block in y and z takes the place of the matrix's number",
        [BY_BOTH] = "the number of the block among all blocks takes the place of the matrix's number",
    };
    if (x->by == SUM_GOES_ON)
        snprintf(text, size,
                 "matches sums that go on from one matrix of the batch to the next: set them to 0 for each");
    else if (x->by == ONE_APART)
        snprintf(text, size,
                 "matches matrices of %s that begin one number apart: from one to the next it is a whole matrix",
                 of[x->of]);
    else if (x->by == INTERLEAVED)
        snprintf(
            text, size,
            "matches %s %s as [rows, batch, columns], matrix by matrix within a row: it is [batch, rows, columns], "
            "one whole matrix behind the other",
            x->stored ? and_c[x->of] : of[x->of], x->stored ? "taken" : "read");
    else if (x->by == TURNED)
        snprintf(text, size, "matches %s taken for a matrix of %s rows of %s numbers: it has %s rows of %s", of[x->of],
                 x->of == 1 ? "k"
                 : x->nt    ? "k"
                            : "n",
                 x->of == 1 ? "m"
                 : x->nt    ? "n"
                            : "k",
                 x->of == 1 ? "m"
                 : x->nt    ? "n"
                            : "k",
                 x->of == 1 ? "k"
                 : x->nt    ? "k"
                            : "n");
    else if (x->by == SQUARE || x->by == SQUARE_TOO)
        snprintf(text, size, "matches %s taken for a square matrix: it has %s rows of %s numbers", of[x->of],
                 x->of == 1 ? "m"
                 : x->nt    ? "n"
                            : "k",
                 x->of == 2 && !x->nt ? "n" : "k");
    else if (x->by == TO_TILES_END)
        snprintf(text, size,
                 "matches sums that go on behind product k - 1 to the end of a tile of k, over what lies behind the "
                 "rows: is it asked in the last step, too, whether l < k?");
    else
        snprintf(text, size, "matches another matrix of %s: %s, and that is blockIdx.z alone", of[x->of], plus[x->by]);
}

static int explain_interleaved_c(reading x, char *text, size_t size) {
    char sentence[240];
    x.by = INTERLEAVED, x.stored = 1;
    for (x.of = 3; x.of >= 0 && x.s->shape.batch > 1; x.of--)
        if (fits(&x)) {
            say(&x, sentence, sizeof sentence);
            return lab_guess(x.s->guesses, sentence, text, size);
        }
    return 0;
}

int lab_explain_product_batches(const lab_symptom *s, int nt, char *text, size_t size) {
    static const size_t tiles[] = {16, 32, 8, 64};
    const reading any = {s, nt, s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim, OWN, 0, 16, 0};
    if (explain_interleaved_c(any, text, size)) return 1;
    int known = 0;
    for (rule by = SUM_GOES_ON; by < N_RULES; by++)
        for (int of = by == SUM_GOES_ON || by == TO_TILES_END ? 3 : 1; of < (by >= TURNED && by <= SQUARE_TOO ? 3 : 4);
             of++)
            for (int t = 0; t < ((by >= PLUS_ROW && by <= BY_BOTH) || by == TO_TILES_END ? 4 : 1); t++) {
                const reading x = {s, nt, s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim, by, of, tiles[t], 0};
                char sentence[240];
                if (!fits(&x)) continue;
                say(&x, sentence, sizeof sentence);
                known = lab_guess(s->guesses, sentence, text, size);
                if (by < TURNED) return 1;
            }
    return known;
}
