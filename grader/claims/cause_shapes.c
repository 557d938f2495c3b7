// cause_shapes.c: of which claims' shapes nothing follows for a cause, and which claims that hold rule it out.
#include "cause_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "common_cause.h"
#include "heuristics.h"
#include "wrong_rows.h"

// Where the parts of splits lie is not known where their number is the student's, so what they show says nothing there.
// No more do tiles of few rows, all of which may be left over.
int lab_cause_is_hidden(const char *cause, const lab_case *c) {
    static const char *const starts[] = {"matches L_s ",
                                         "matches O_s ",
                                         "matches the parts of one query alone",
                                         "matches keys that are in ",
                                         "matches the plain mean of the parts: O_s",
                                         "matches a sum of exp(L_s - max) O_s",
                                         "matches parts that are weighted by L_s"};
    if (c->op == &lab_tiled && strncmp(cause, LAB_LEFT_ROWS, sizeof LAB_LEFT_ROWS - 1) == 0)
        return c->shape.seq_q < LAB_WHOLE_GROUP || (c->extra[0] > 0 && c->extra[0] < LAB_WHOLE_GROUP);
    const size_t first = sizeof LAB_FIRST_LEFT_OUT - 1;  // sums that are no longer are 0
    if (!strncmp(cause, LAB_FIRST_LEFT_OUT, first)) return c->shape.head_dim <= atoi(cause + first);
    if (c->op != &lab_decode_split || c->n_splits) return 0;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (strncmp(cause, starts[k], strlen(starts[k])) == 0) return 1;
    return 0;
}

// Where one tile holds all keys, O that is rescaled late is 0, as under other mistakes, too: the sizes tell whether it has to be.
int lab_cause_is_lost(const char *cause, const lab_case *c) {
    const char *const starts[] = {LAB_O_RESCALED_LATE, LAB_O_OF_TILE_RESCALED}, *tile = strstr(cause, " (tiles of ");
    const int keys = tile ? atoi(tile + sizeof " (tiles of " - 1) : c->op == &lab_tiled ? c->tiles.Bc : 0;
    int begins = 0;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        begins |= strncmp(cause, starts[k], strlen(starts[k])) == 0;
    return begins && c->shape.seq_kv <= keys;
}

// Has the claim a last tile that is not full? A cache has less than its slots, so tiles of more keys are never full.
static int has_ragged_tile(const lab_case *c, int keys) {
    const int of_cache = c->op == &lab_decode || c->op == &lab_decode_split;
    return of_cache ? c->shape.seq_kv < keys : c->shape.seq_kv % keys != 0;
}

// A last tile that is left out is missing wherever there is one.
int lab_cause_is_refuted(const char *cause, const lab_op *op) {
    const int keys =
        strncmp(cause, LAB_LOST_TILE, sizeof LAB_LOST_TILE - 1) ? 0 : atoi(cause + sizeof LAB_LOST_TILE - 1);
    const lab_tried *t;
    for (int i = 0; keys > 0 && (t = lab_cause_tried(i)); i++)
        if (t->c.op == op && t->verdict == LAB_PASSED && has_ragged_tile(&t->c, keys)) return 1;
    return 0;
}
