// block_places.c: columns or rows of a GEMM that were never written, as blocks that make several tiles side by side begin one
// tile apart, or blocks that make one tile begin several apart; or as the grid counts its tiles the other way round.
//
//     n = 64, tiles of 16, two for each block:   |0 .. 31|          two blocks are launched, and the second one begins
//                                                    |16 .. 47|     at 16: nobody makes 48 .. 63
#include "heuristics.h"

static int is_written(size_t at, size_t n, size_t tile, size_t each, int gaps) {
    const size_t blocks = (n + tile * each - 1) / (tile * each);
    return gaps ? at % (tile * each) < tile : at < (blocks - 1) * tile + tile * each;
}

static int fits(const lab_symptom *s, int axis, size_t tile, size_t each, int gaps) {
    const size_t all = s->op->elements(s->shape, 0), n = axis == 3 ? s->shape.seq_kv : s->shape.seq_q;
    for (size_t i = 0; i < all; i++) {
        const size_t at = axis == 3 ? i % n : i / s->shape.seq_kv % n;
        if (lab_element_bad(s, i, 1) == is_written(at, n, tile, each, gaps)) return 0;
    }
    return 1;
}

// A grid that counts tiles of m where the kernel reads the tile of n, and the other way round: as many columns are written as there are rows
// in whole tiles, and as many rows as columns.
static int is_turned_grid(const lab_symptom *s, size_t tile) {
    const size_t all = s->op->elements(s->shape, 0), n = s->shape.seq_kv, m = s->shape.seq_q;
    for (size_t i = 0; i < all; i++) {
        const size_t row = i / n % m, col = i % n;
        const int is_made = row / tile * tile < n && col / tile * tile < m;
        if (lab_element_bad(s, i, 1) == is_made) return 0;
    }
    return 1;
}

int lab_explain_block_places(const lab_symptom *s, char *text, size_t size) {
    static const char *const sentence[2][2] = {
        {"matches blocks that make several tiles of rows and begin one tile apart: the last rows are nobody's. A block "
         "begins at its number times the rows that it makes",
         "matches blocks that make one tile of rows and begin several tiles apart: what lies between is nobody's"},
        {"matches blocks that make several tiles of columns and begin one tile apart: the last columns are nobody's. A "
         "block begins at its number times the columns that it makes",
         "matches blocks that make one tile of columns and begin several tiles apart: what lies between is nobody's"}};
    int known = 0;
    for (size_t tile = 8; tile <= 128 && !known; tile *= 2)
        known =
            is_turned_grid(s, tile) &&
            lab_guess(s->guesses,
                      "matches a grid whose x and y are exchanged: along the rows there are as many blocks as n has "
                      "tiles, and along the columns as many as m has. The launch counts x and y one way, and the "
                      "kernel reads them the other way",
                      text, size);
    for (int axis = 2; axis <= 3; axis++)
        for (int gaps = 0; gaps < 2; gaps++)
            for (size_t tile = 8; tile <= 64; tile *= 2)
                for (size_t each = 2; each <= 8; each *= 2)
                    if (fits(s, axis, tile, each, gaps))
                        return lab_guess(s->guesses, sentence[axis - 2][gaps], text, size);
    return known;
}
