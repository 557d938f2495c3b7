// grid.c: task 4, which blocks have run, by the rows that were written.
#include "heuristics.h"

#include <stdio.h>

#include "steps.h"

typedef struct {
    size_t heads, rows, D;
} output;

static int is_written(const lab_symptom *s, const output *o, size_t head, size_t row) {
    return !lab_element_bad(s, (head * o->rows + row) * o->D, 1);
}

// A block (x, y) of a grid of tiles times heads takes x for its head and y for its tile. Where whole batches are left
// out, and nothing else, the grid may have no blocks for them.
static int is_exchanged(const lab_symptom *s, const output *o, size_t tile) {
    const size_t tiles = (o->rows + tile - 1) / tile;
    if (tiles == o->heads || (tiles < o->heads && tiles % s->shape.heads == 0)) return 0;
    for (size_t head = 0; head < o->heads; head++)
        for (size_t row = 0; row < o->rows; row++)
            if (is_written(s, o, head, row) != (head < tiles && row / tile < o->heads)) return 0;
    return 1;
}

// Tiles of Br queries that begin Bc rows apart leave rows out between them.
static int is_apart(const lab_symptom *s, const output *o, size_t Br, size_t Bc) {
    for (size_t head = 0; head < o->heads; head++)
        for (size_t row = 0; row < o->rows; row++)
            if (is_written(s, o, head, row) != (row % Bc < Br)) return 0;
    return o->rows > Br;
}

// As many blocks as all rows of all heads together have tiles: those of the last heads, or last tiles, have none.
static int is_counted_together(const lab_symptom *s, const output *o, size_t tile, int order) {
    const size_t tiles = (o->rows + tile - 1) / tile, blocks = (o->heads * o->rows + tile - 1) / tile;
    if (blocks >= o->heads * tiles) return 0;
    for (size_t head = 0; head < o->heads; head++)
        for (size_t row = 0; row < o->rows; row++) {
            const size_t t = row / tile, back = tiles - 1 - t;
            const size_t block = order == 0   ? head * tiles + t
                                 : order == 1 ? head * tiles + back
                                 : order == 2 ? t * o->heads + head
                                              : back * o->heads + head;
            if (is_written(s, o, head, row) != (block < blocks)) return 0;
        }
    return 1;
}

#define COUNTED_TOGETHER                                                                                               \
    "matches a number of blocks that is counted over the rows of all heads together, (B H Sq + BR - 1) / BR: each "    \
    "head has (Sq + BR - 1) / BR tiles of its own"

static int blocks_are_counted_together(const lab_symptom *s, const output *o) {
    for (size_t tile = s->op == &lab_flash_launch ? LAB_FLASH_BR : 128; tile >= 8; tile /= 2)
        for (int order = 0; order < 4; order++)
            if (is_counted_together(s, o, tile, order)) return 1;
    return 0;
}

// What was not written are heads, as where batches have no blocks.
static int leaves_whole_heads(const lab_symptom *s, const output *o) {
    for (size_t head = 0; head < o->heads; head++)
        for (size_t row = 1; row < o->rows; row++)
            if (is_written(s, o, head, row) != is_written(s, o, head, 0)) return 0;
    return 1;
}

// A tile of the rows of all heads together has the head of its first row: rows of the next head in it are nobody's.
static int is_cut_across(const lab_symptom *s, const output *o, size_t tile) {
    for (size_t row = 0; row < o->heads * o->rows; row++)
        if (is_written(s, o, row / o->rows, row % o->rows) != (row / tile * tile / o->rows == row / o->rows)) return 0;
    return 1;
}

static int guess_cut_across(const lab_symptom *s, const output *o, char *text, size_t size) {
    char sentence[240], none[2] = "";
    int known = 0;
    for (size_t tile = 128; tile >= 8; tile /= 2) {
        if (!is_cut_across(s, o, tile)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches tiles of queries that begin in one head and end in another, whose rows of the second head "
                 "nobody writes: cut the rows of each head on their own, its last tile may be narrower (tiles of %zu "
                 "queries)",
                 tile);
        if (leaves_whole_heads(s, o))  // by this claim alone nobody can tell
            lab_guess(s->guesses, sentence, none, sizeof none);
        else
            known |= lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

// outside: the same call has written outside of the output, as blocks do whose head does not exist.
int lab_explain_grid(const lab_symptom *s, int outside, char *text, size_t size) {
    const output o = {(size_t)s->shape.batch * s->shape.heads, s->shape.seq_q, s->shape.head_dim};
    char sentence[240], none[2] = "";
    text[0] = 0;
    if (s->op != &lab_flash && s->op != &lab_flash_launch) return 0;
    if (s->op == &lab_flash_launch && !outside && is_apart(s, &o, LAB_FLASH_BR, LAB_FLASH_BC)) {
        snprintf(sentence, sizeof sentence,
                 "matches tiles of BR queries that begin BC rows apart: is it BR in i0 and in the grid? (The other "
                 "claims have BR = BC, this one BR = %d and BC = %d)",
                 LAB_FLASH_BR, LAB_FLASH_BC);
        return lab_guess(s->guesses, sentence, text, size);
    }
    if (!outside && s->op == &lab_flash && guess_cut_across(s, &o, text, size)) return 1;
    const int together = !outside && blocks_are_counted_together(s, &o);
    if (together && !leaves_whole_heads(s, &o)) return lab_guess(s->guesses, COUNTED_TOGETHER, text, size);
    if (together) lab_guess(s->guesses, COUNTED_TOGETHER, none, sizeof none);  // by this claim alone nobody can tell
    for (size_t tile = s->op == &lab_flash_launch ? LAB_FLASH_BR : 128; tile >= 8; tile /= 2) {
        if (outside != ((o.rows + tile - 1) / tile > o.heads) || !is_exchanged(s, &o, tile)) continue;
        return lab_guess(s->guesses,
                         "matches blocks that take their query tile for their head, and their head for their query "
                         "tile: are blockIdx.x and y, or / and %, exchanged, in the launch or in the kernel?",
                         text, size);
    }
    return 0;
}
