// gemm_strides.c: a product whose operands are read with a wrong step, or tile by tile the wrong way round.
#include "heuristics.h"
#include "sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What differs from C[g][i][j] = sum_l A[g][i][l] B[g][j][l] (or B[g][l][j]).
typedef struct {
    size_t row_a, row_b, batch_a, batch_b;
    int tile_a, tile_b;      // each tile of that size transposed; 0: none is
    int from;                // products from the last tile on alone, of that size; 0: all
    int skip;                // the first so many products are left out
    int until;               // or those behind so many; 0: none are
    int moved_a, moved_b;    // tiles so long along k begin at (k0, the block's) and not at (the block's, k0) ..
    int block;               // .. of blocks of so many rows, or columns
    int first_a, first_b;    // the first tile of that size in every step along k; 0: its own
    int turned_a, turned_b;  // row and column exchanged, with 0 outside of the matrix, ZEROS, or not, STRAY
    int columns_a;           // A is taken as [k, m]
    int columns_b;           // B is taken as it is stored for the other product
} reading;

enum { STRAY = 1, ZEROS };

typedef struct {
    const lab_symptom *s;
    int nt;
    size_t m, n, k;
} product;

// Element e of C as it is read so; NAN where a read leaves the tensor.
static double element(const product *p, const reading *x, size_t e) {
    const size_t g = e / p->n / p->m, i = e / p->n % p->m, j = e % p->n;
    const size_t all_a = p->s->shape.batch * p->m * p->k, all_b = p->s->shape.batch * p->n * p->k;
    double sum = 0;
    for (size_t l = x->from ? (p->k - 1) / x->from * x->from : (size_t)x->skip; l < p->k; l++) {
        if (x->until && l >= (size_t)x->until) break;
        size_t ai = i, al = l, bj = j, bl = l;
        const size_t ta = x->tile_a, tb = x->tile_b;
        if (ta) ai = i / ta * ta + l % ta, al = l / ta * ta + i % ta;
        if (tb) bj = j / tb * tb + l % tb, bl = l / tb * tb + j % tb;
        if (x->first_a) al = l % x->first_a;
        if (x->first_b) bl = l % x->first_b;
        if (x->moved_a) ai = l / x->moved_a * x->moved_a + i % x->block, al = i / x->block * x->block + l % x->moved_a;
        if (x->moved_b) bj = l / x->moved_b * x->moved_b + j % x->block, bl = j / x->block * x->block + l % x->moved_b;
        if (x->turned_a) ai = l, al = i;
        if (x->turned_b) bj = l, bl = j;
        const int outside_a = ai >= p->m || al >= p->k, outside_b = bj >= p->n || bl >= p->k;
        if ((outside_a && x->turned_a != STRAY) || (outside_b && x->turned_b != STRAY)) continue;  // an edge: 0
        const size_t a = g * x->batch_a + (x->columns_a ? al * p->m + ai : ai * x->row_a + al),
                     b = g * x->batch_b + (x->columns_b ? p->nt ? bl * p->n + bj : bj * p->k + bl
                                           : p->nt      ? bj * x->row_b + bl
                                                        : bl * x->row_b + bj);
        if (a >= all_a || b >= all_b) return NAN;
        sum += (double)p->s->in[1][a] * p->s->in[2][b];
    }
    return sum;
}

enum { MOST = 48 };

// Elements to look at: those that are wrong, and numbers; those that are not; those that are right.
typedef struct {
    size_t wrong[MOST], stray[MOST], right[MOST];
    int n_wrong, n_stray, n_right;
} sample;

static int is_read_so(const product *p, const reading *x, const size_t e[], int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(element(p, x, e[i]) - p->s->got[e[i]]) < LAB_TOLERANCE / 4)) return 0;
    return 1;
}

// Where all that is wrong is NaN, each of these reads what lies outside of the tensors, and no other one does.
static int fits(const product *p, const reading *x, const sample *of) {
    if (of->n_wrong) return of->n_wrong > 3 && is_read_so(p, x, of->wrong, of->n_wrong);
    for (int i = 0; i < of->n_stray; i++)
        if (!isnan(element(p, x, of->stray[i]))) return 0;
    return of->n_stray > 3 && of->n_right > 3 && is_read_so(p, x, of->right, of->n_right);
}

// What all is NaN fits much: it is one more claim for what others say.
static int tell(const product *p, const sample *of, const char *sentence, char *text, size_t size) {
    char aside[240] = "";
    if (of->n_wrong) return lab_guess(p->s->guesses, sentence, text, size);
    return !lab_guess(p->s->guesses, sentence, aside, sizeof aside);
}

static int kind_of(const lab_symptom *s, size_t e) {
    return !lab_element_bad(s, e, 0) ? 2 : lab_is_finite(s->got[e]) ? 0 : 1;
}

static int choose(const lab_symptom *s, int kind, size_t e[MOST]) {
    const size_t all = s->op->elements(s->shape, 0);
    size_t n = 0, seen = 0;
    int chosen = 0;
    for (size_t i = 0; i < all; i++) n += kind_of(s, i) == kind;
    for (size_t i = 0; i < all && chosen < MOST; i++)
        if (kind_of(s, i) == kind && seen++ * MOST / n >= (size_t)chosen) e[chosen++] = i;
    return chosen;
}

// Steps of another dimension, one at a time. Returns 1 when one of them explains the product.
static int explain_steps(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    const struct {
        const char *name;
        size_t step;
    } dims[] = {{"m", p->m}, {"n", p->n}, {"k", p->k}};
    static const char *const row[] = {"a row of A", "a row of B"};
    const size_t due[] = {right->row_a, right->row_b};
    int known = 0;
    for (int d = 0; d < 3; d++)
        for (int t = 0; t < 2; t++) {
            reading x = *right;
            char sentence[240];
            if (dims[d].step == due[t]) continue;
            *(t ? &x.row_b : &x.row_a) = dims[d].step;
            if (!fits(p, &x, of)) continue;
            snprintf(sentence, sizeof sentence, "matches %s that begins every %s numbers: it has %s of them", row[t],
                     dims[d].name, t && !p->nt ? "n" : "k");
            known = tell(p, of, sentence, text, size);
        }
    return known;
}

// Matrices of a batch that begin behind another matrix, or a row. 1: that explains the product.
static int explain_batches(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    const size_t sizes[] = {p->m * p->k, p->n * p->k, p->m * p->n, p->m, p->n, p->k};
    static const char *const names[] = {"m * k", "n * k", "m * n", "m", "n", "k"};
    int known = 0;
    for (size_t d = 0; d < sizeof sizes / sizeof *sizes; d++)
        for (int t = 0; t < 3; t++) {  // of A, of B, of both
            reading x = *right;
            char sentence[240];
            if (t == 2 ? sizes[d] == sizes[0] || sizes[d] == sizes[1] : sizes[d] == sizes[t]) continue;
            if (t != 1) x.batch_a = sizes[d];
            if (t != 0) x.batch_b = sizes[d];
            if (!fits(p, &x, of)) continue;
            snprintf(sentence, sizeof sentence,
                     "matches matrices %s of a batch that begin every %s numbers: each %shas %s",
                     t == 2 ? "A and B"
                     : t    ? "B"
                            : "A",
                     names[d], t == 2 ? "of A " : "",
                     t == 2   ? "m * k, and each of B n * k"
                     : t == 1 ? "n * k"
                              : "m * k");
            known = tell(p, of, sentence, text, size);
        }
    return known;
}

static int explain_tiles(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    static const char *const sentence[] = {
        "matches tiles of A (%d x %d) that are read the wrong way round: row and column of the tile are swapped",
        "matches tiles of B (%d x %d) that are read the wrong way round: row and column of the tile are swapped",
        "matches the products of the last tile of k alone: the sum starts anew in each tile",
        "matches the first tile of A in every step along k: each step loads its own (tiles of %d)",
        "matches the first tile of B in every step along k: each step loads its own (tiles of %d)"};
    for (int tile = 8; tile <= 64; tile *= 2)
        for (int t = 0; t < 5; t++) {
            reading x = *right;
            char said[240];
            int *const of_tile[] = {&x.tile_a, &x.tile_b, &x.from, &x.first_a, &x.first_b};
            *of_tile[t] = tile;
            if (!fits(p, &x, of)) continue;
            snprintf(said, sizeof said, sentence[t], tile, tile);
            return tell(p, of, said, text, size);
        }
    return 0;
}

// The first tile along k is never multiplied. Of sums that are no longer than a tile nothing is left, which other mistakes do,
// too: other claims tell (claims/cause_shapes.c).
static int explain_skipped(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    for (int tile = 8; tile <= 64 && (size_t)tile < p->k; tile *= 2) {
        reading x = *right;
        char said[240];
        x.skip = tile;
        if (!fits(p, &x, of)) continue;
        snprintf(said, sizeof said,
                 LAB_FIRST_LEFT_OUT "%d products: the first tile along k is left out, or another one is loaded over it "
                                    "before it is multiplied",
                 tile);
        return tell(p, of, said, text, size);
    }
    return 0;
}

// The two numbers at which a block's tile begins in its matrix are exchanged.
static int explain_moved_tiles(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    int known = 0;
    for (int t = 0; t < 2; t++)
        for (int along = 8; along <= 64; along *= 2)
            for (int block = 8; block <= 128; block *= 2) {
                reading x = *right, first = x;
                char said[240];
                *(t ? &x.moved_b : &x.moved_a) = along, x.block = block, first.until = along;
                if (!fits(p, &x, of) || fits(p, &first, of)) continue;  // all further ones lie outside, and are 0
                snprintf(
                    said, sizeof said,
                    "matches tiles of %s whose row and column are exchanged where they begin: a tile begins at %s, "
                    "and goes on along its %s (k0 in steps of %d, blocks of %d)",
                    t ? "B" : "A",
                    t && !p->nt ? "row k0 and at the block's column"
                    : t         ? "the row that is the block's column of C and at column k0"
                                : "the block's row and at column k0",
                    t && !p->nt ? "rows" : "columns", along, block);
                known = tell(p, of, said, text, size);
            }
    return known;
}

// A[l * m + i], alone or with B. B alone that is stored the other way is a known mistake of the operation.
static int explain_columns(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    reading x = *right;
    x.columns_a = 1;
    if (fits(p, &x, of))
        return tell(p, of, "matches A taken as [k, m]: it is stored [m, k], and row i begins at i * k", text, size);
    x.columns_b = 1;
    return fits(p, &x, of) &&
           tell(
               p, of,
               p->nt
                   ? "matches A and B read by columns, A[i + l * m] and B[j + l * n]: they are stored by rows, A[i * k "
                     "+ l] and B[j * k + l]"
                   : "matches A and B read by columns, A[i + l * m] and B[l + j * k]: they are stored by rows, A[i * "
                     "k + l] and B[l * n + j]",
               text, size);
}

// Rows of both that are as long as the matrix has rows.
static int explain_lengths(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    reading x = *right;
    x.row_a = p->m, x.row_b = p->nt ? p->n : p->k;
    return x.row_a != right->row_a && x.row_b != right->row_b && fits(p, &x, of) &&
           tell(p, of,
                p->nt ? "matches rows of A that begin every m numbers, and rows of B every n: both have k of them"
                      : "matches rows of A that begin every m numbers, and rows of B every k: A has k of them, and B n",
                text, size);
}

// M[column][row], where rows of M are as long as they are.
static int explain_turned(const product *p, const reading *right, const sample *of, char *text, size_t size) {
    int known = 0;
    for (int t = 0; t < 2; t++)
        for (int how = STRAY; how <= ZEROS && !known; how++) {
            reading x = *right;
            char sentence[240];
            *(t ? &x.turned_b : &x.turned_a) = how;
            if (!fits(p, &x, of)) continue;
            snprintf(sentence, sizeof sentence, "matches %s: row and column are exchanged in where it is read",
                     !t      ? "A[l][i] in place of A[i][l]"
                     : p->nt ? "B[l][j] in place of B[j][l]"
                             : "B[j][l] in place of B[l][j]");
            known = tell(p, of, sentence, text, size);
        }
    return known;
}

int lab_explain_product(const lab_symptom *s, int nt, char *text, size_t size) {
    const product p = {s, nt, s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim};
    const reading right = {.row_a = p.k, .row_b = nt ? p.k : p.n, .batch_a = p.m * p.k, .batch_b = p.n * p.k};
    sample of;
    of.n_wrong = choose(s, 0, of.wrong), of.n_stray = choose(s, 1, of.stray), of.n_right = choose(s, 2, of.right);
    const int steps = explain_steps(&p, &right, &of, text, size) | explain_lengths(&p, &right, &of, text, size) |
                      explain_batches(&p, &right, &of, text, size);
    const int tiles = explain_tiles(&p, &right, &of, text, size) | explain_columns(&p, &right, &of, text, size);
    const int skipped = explain_skipped(&p, &right, &of, text, size);
    if (explain_turned(&p, &right, &of, text, size) || skipped || tiles || steps) return 1;
    if (explain_moved_tiles(&p, &right, &of, text, size)) return 1;
    const lab_sum sum = {
        .out = "C",
        .index = {"i", "j", "l"},
        .count = {p.m, p.n, p.k},
        .end = {"m", "n", "k"},
        .a = {"A", 1, LAB_ROW, LAB_TERM, "k"},
        .b = {"B", 2, nt ? LAB_COLUMN : LAB_TERM, nt ? LAB_TERM : LAB_COLUMN, nt ? "k" : "n"},
        .length = {{"m", p.m}, {"n", p.n}, {"k", p.k}},
    };
    return s->op->probe && s->shape.batch == 1 && lab_explain_sum(s, &sum, text, size);
}
