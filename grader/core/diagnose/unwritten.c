// unwritten.c: elements that were never written, and what that says of the launch.
#include "heuristics.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The first place along an axis from which on nothing is written, for all others; the end of the axis if it is not so.
static size_t nothing_from(const lab_symptom *s, int axis, const size_t extent[4]) {
    const size_t n = s->op->elements(s->shape, 0), end = extent[axis];
    size_t from = end, place[4], missing = 0, others = 1;
    for (size_t i = 0; i < n; i++) {
        if (!lab_element_bad(s, i, 1)) continue;
        lab_place(s->op, s->shape, i, place);
        from = place[axis] < from ? place[axis] : from;
        missing++;
    }
    for (int a = 0; a < 4; a++) others *= a == axis ? 1 : extent[a];
    return missing == (end - from) * others ? from : end;
}

// In C there are no blocks.
static const char in_c[] =
    "nothing is written from head %zu on: does a loop reach it, and does the place in the output go on with it?";
static const char in_c_too[] =
    "nothing is written from batch %zu on: does a loop reach it, and does the place in the output go on with it?";
static const char heads_of_grid[] =
    "heads from %zu on have no block: is it blockIdx.x or y that says the head, and has the grid batch * heads "
    "blocks in that direction?";
static const char batches_of_grid[] =
    "batches from %zu on have no block: the grid has batch * heads heads, and a block's head is one of all "
    "of them, b * heads + h";

// Task 2's softmax: a block does one row, and the grid has as many blocks as a thread for each row would need.
static int explain_blocks_of_rows(const lab_symptom *s, size_t from, size_t rows, char *text, size_t size) {
    char sentence[240];
    int known = 0;
    for (size_t threads = 32; threads <= 1024 && rows > 1; threads *= 2) {
        if ((rows + threads - 1) / threads != from) continue;
        snprintf(
            sentence, sizeof sentence,
            "matches a grid of rows / %zu blocks, rounded up, each of which does one row: a block for each row, or "
            "a thread or warp for each in the kernel, too",
            threads);
        known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

// Queries from `row` on are fewer than a tile's, and whole tiles come before them. 0: of no tile that is likely.
static size_t tile_left_out(const lab_symptom *s, int tiled, size_t row, size_t rows) {
    const size_t own = tiled && s->extra[0] > 0 ? (size_t)s->extra[0] : 0;
    for (size_t tile = own ? own : 128; tile >= (own ? own : 4); tile /= 2)
        if (row % tile == 0 && rows - row < tile) return tile;
    return 0;
}

// Of each n numbers those of the first n bytes alone are written.
static int is_quarter(const lab_symptom *s, size_t n) {
    const size_t all = s->op->elements(s->shape, 0);
    for (size_t i = 0; i < all; i++)
        if (i % n < n / 4 ? lab_element_bad(s, i, 1) : i % n >= (n + 3) / 4 && !lab_element_bad(s, i, 1)) return 0;
    return n > 4 && all % n == 0;
}

// Task 2's products: the first matrix is right, and of the others nothing is written.
static int explain_first_matrix(const lab_symptom *s, const size_t extent[4], char *text, size_t size) {
    const size_t all = s->op->elements(s->shape, 0);
    if (extent[0] < 2 || nothing_from(s, 0, extent) != 1) return 0;
    for (size_t i = 0; i < all / extent[0]; i++)
        if (lab_element_bad(s, i, 0)) return 0;
    return lab_guess(s->guesses,
                     "matches the first matrix of the batch alone, and nothing is written of the others: the grid has "
                     "`batch` blocks in z, and A, B and C begin at matrix blockIdx.z",
                     text, size);
}

// Decode: nothing is written for the sequences without keys, and for no other.
static int explain_empty(const lab_symptom *s, char *text, size_t size) {
    const size_t n = s->op->elements(s->shape, 0);
    size_t missing = 0;
    if (s->op->lengths != 4) return 0;
    for (size_t i = 0; i < n; i++) {
        const int bad = lab_element_bad(s, i, 1);
        if (bad != (lab_int_at(s->in[4], i / (n / s->shape.batch)) == 0)) return 0;
        missing += bad;
    }
    if (!missing) return 0;
    return lab_guess(s->guesses, LAB_NO_KEYS_UNWRITTEN, text, size);
}

int lab_explain_unwritten(const lab_symptom *s, char *text, size_t size) {
    size_t extent[4];
    const int attends = s->op->n_tensors > 3 && s->op->tensors[1][0] == 'Q';
    text[0] = 0;
    lab_op_extent(s->op, s->shape, extent);
    const int moves = s->op == &lab_split_heads || s->op == &lab_merge_heads;
    const size_t run = moves ? (size_t)s->shape.head_dim : extent[3];
    if (!attends && is_quarter(s, run))
        return snprintf(text, size,
                        "of each %zu numbers a quarter is written: memcpy and memset count bytes, n * sizeof(float)",
                        run) > 0;
    const int layer = s->op->n_tensors == 6 && s->op->tensors[1][0] == 'X';
    if (layer && !nothing_from(s, 0, extent))
        return snprintf(text, size, "nothing is written to Y: is the last projection, with Wo, made, and into Y?") > 0;
    if (layer && nothing_from(s, 0, extent) < extent[0])
        return snprintf(text, size, "sequences from %zu on have no output: the last projection has batch * seq_q rows",
                        nothing_from(s, 0, extent)) > 0;
    if (s->op == &lab_softmax_batched)
        return explain_blocks_of_rows(s, nothing_from(s, 2, extent), extent[2], text, size) ||
               lab_explain_even_columns(s, text, size);
    if (s->op == &lab_gemm_nt || s->op == &lab_gemm_nn)
        return explain_first_matrix(s, extent, text, size) ||
               (lab_explain_left_unwritten(s, text, size) | lab_explain_block_places(s, text, size));
    if (!attends) return 0;
    if (explain_empty(s, text, size)) return 1;
    if (lab_explain_grid(s, 0, text, size)) return 1;
    if (s->op == &lab_flash && lab_explain_first_rows(s, text, size)) return 1;
    const size_t row = nothing_from(s, 2, extent), column = nothing_from(s, 3, extent),
                 head = nothing_from(s, 1, extent), batch = nothing_from(s, 0, extent);
    const int tiled = strcmp(s->op->symbol, "attn_tiled") == 0, plain = tiled || !strcmp(s->op->symbol, "attn_sdpa");
    if (extent[2] > 1 && row && row < extent[2]) {
        const size_t tile = tiled || !plain ? tile_left_out(s, tiled, row, extent[2]) : 0;
        if (tile)
            return snprintf(text, size,
                            "rows from %zu on have no %s: is the number of tiles, of %zu queries, rounded up for "
                            "seq_q = %zu?",
                            row, tiled ? "tile" : "block", tile, extent[2]) > 0;
        if (plain && lab_explain_left_unwritten(s, text, size)) return 1;
        snprintf(text, size,
                 plain ? "does a loop reach the rows from %zu on, and does the place in the output go on with it?"
                       : "does a block cover the rows from %zu on?",
                 row);
    } else if (column && column < extent[3]) {
        const int is_room = column >= 16 && !(column & (column - 1));  // of an array, or a block's threads
        if (!is_room && lab_explain_left_unwritten(s, text, size)) return 1;
        const size_t rest = extent[3] - column;  // behind whole groups, where it is less than one
        snprintf(text, size,
                 rest < column && is_room
                     ? "nobody writes the dims from %zu on: does a loop over dims end there, has an array room for %zu "
                       "of them alone, or is a number of groups rounded down, as D / %zu is, and nobody has the last "
                       "%zu dims?"
                     : "nobody writes the dims from %zu on: does a loop over dims end there, or has an array room for "
                       "%zu of them alone?",
                 column, column, column, rest);
    } else if (head && head < extent[1])
        snprintf(text, size, plain ? in_c : heads_of_grid, head);
    else if (batch && batch < extent[0] && extent[1] > 1)
        snprintf(text, size, plain ? in_c_too : batches_of_grid, batch);
    return *text != 0;
}

// A quarter is cleared, of each row or of all, and the rest is added to what lay there.
int lab_explain_used(const lab_symptom *s, char *text, size_t size) {
    if (s->op == &lab_naive && lab_explain_skipped_tile(s, text, size)) return 1;
    const size_t all = s->op->elements(s->shape, 0), row = lab_op_row(s->op, s->shape);
    int rows = row >= 8, whole = all >= 8;
    for (size_t i = 0; i < all && (rows || whole); i++) {
        const int bad = lab_element_bad(s, i, 0);
        rows = rows && bad == (4 * (i % row) >= row), whole = whole && bad == (4 * i >= all);
    }
    if (!rows && !whole) return 0;
    return snprintf(text, size,
                    "the first quarter of %s was cleared: memset counts bytes, and %zu floats have four times as many",
                    rows ? "each row" : "the output", rows ? row : all) > 0;
}

int lab_explain_unreached(const lab_symptom *s, char *text, size_t size) {
    static const char *const name[] = {[2] = "row", [3] = "column"};
    const size_t n = s->op->elements(s->shape, 0);
    size_t extent[4], place[4];
    lab_op_extent(s->op, s->shape, extent);
    for (int axis = 3; axis > 1; axis--) {
        size_t from = extent[axis], missing = 0, others = 1, wrong = 0;
        for (size_t i = 0; i < n; i++) {
            if (!lab_element_bad(s, i, 0)) continue;
            lab_place(s->op, s->shape, i, place);
            from = place[axis] < from ? place[axis] : from;
            missing += isnan(s->got[i]) != 0, wrong += !isnan(s->got[i]);
        }
        for (int a = 0; a < 4; a++) others *= a == axis ? 1 : extent[a];
        if (wrong || !from || from >= extent[axis] || missing != (extent[axis] - from) * others) continue;
        return snprintf(text, size,
                        "right up to %s %zu, and NaN from %s %zu to the last one: the loop does not reach them, a "
                        "thread does not go on to its next ones, or what is read for them lies behind the end",
                        name[axis], from - 1, name[axis], from) > 0;
    }
    return 0;
}
