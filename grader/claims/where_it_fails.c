// where_it_fails.c: a property of shapes that all failed claims have, and none of those that hold.
#include "where_it_fails.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int (*is)(const lab_case *c);  // -1: it cannot be told
    const char *where, *means;
} feature;

static int is_causal(const lab_case *c) { return c->shape.causal; }
static int is_aligned(const lab_case *c) { return c->shape.causal && c->shape.seq_q != c->shape.seq_kv; }
static int is_unequal(const lab_case *c) { return c->shape.seq_q != c->shape.seq_kv; }
// Task 3's tile sizes are the claim's, unless it leaves them to the student.
static int is_own_choice(const lab_case *c) { return c->op != &lab_tiled ? -1 : !c->tiles.Br && !c->tiles.Bc; }
static int is_ragged_Bc(const lab_case *c) {
    return c->op != &lab_tiled || !c->extra[1] ? -1 : c->shape.seq_kv % c->extra[1] != 0;
}
static int is_narrow_last(const lab_case *c) {
    return is_ragged_Bc(c) < 0 ? -1 : is_ragged_Bc(c) && c->shape.seq_kv > c->extra[1];
}
static int is_ragged_Br(const lab_case *c) {
    return c->op != &lab_tiled || !c->extra[0] ? -1 : c->shape.seq_q % c->extra[0] != 0;
}
static int is_several(const lab_case *c) {
    return c->op != &lab_tiled || !c->extra[1] ? -1 : c->shape.seq_kv > c->extra[1];
}
static int is_split(const lab_case *c) { return c->op != &lab_decode_split ? -1 : c->extra[0] != 1; }
static int is_batch(const lab_case *c) { return c->shape.batch > 1; }
static int is_heads(const lab_case *c) { return c->shape.heads > 1; }
static int is_many(const lab_case *c) { return c->shape.batch * c->shape.heads > 1; }
static int is_batch_of_heads(const lab_case *c) { return c->shape.batch > 1 && c->shape.heads > 1; }
static int is_wide(const lab_case *c) { return c->shape.head_dim > 64; }
static int is_wider(const lab_case *c) { return c->shape.head_dim > 96; }
static int is_below_128(const lab_case *c) {
    return c->shape.seq_kv == 1 ? -1 : c->shape.head_dim < 128;  // of one key, none is a row away
}
static int is_odd(const lab_case *c) { return c->shape.head_dim % 32 != 0; }
static int is_narrow(const lab_case *c) { return c->shape.head_dim < 64; }
static int is_long16(const lab_case *c) { return c->shape.seq_kv > 16; }
static int is_long32(const lab_case *c) { return c->shape.seq_kv > 32; }
static int is_long64(const lab_case *c) { return c->shape.seq_kv > 64; }
static int is_long128(const lab_case *c) { return c->shape.seq_kv > 128; }
static int is_long256(const lab_case *c) { return c->shape.seq_kv > 256; }
static int is_ragged16(const lab_case *c) { return c->shape.seq_kv % 16 != 0; }
static int is_ragged32(const lab_case *c) { return c->shape.seq_kv % 32 != 0; }
static int is_ragged64(const lab_case *c) { return c->shape.seq_kv % 64 != 0; }
static int is_ragged_q16(const lab_case *c) { return c->shape.seq_q % 16 != 0; }
static int is_ragged_q32(const lab_case *c) { return c->shape.seq_q % 32 != 0; }
static int is_ragged_q64(const lab_case *c) { return c->shape.seq_q % 64 != 0; }

#define TO_TILE "look at what goes from tile to tile"

enum {
    N_OF_HEADS = 13,
    FIRST_OF_HEADS = 9
};  // of a cache, sequences differ in length: what differs by batch and head is said elsewhere

static const feature features[] = {
    {is_own_choice, "the size of the tiles is left to the file (Br = Bc = 0)",
     "0 is no size: choose one before anything is divided, stepped or allocated by it"},
    {is_aligned, "attention is causal and seq_q differs from seq_kv", "query i sees key j <= i + seq_kv - seq_q"},
    {is_causal, "attention is causal", "look at the mask, and at where the walk over the keys ends"},
    {is_unequal, "seq_q differs from seq_kv", "has an offset, a stride or a loop one for the other?"},
    {is_narrow_last, "the last of several key tiles is narrower",
     "is it visited, does it begin where the one before it ended, are its own keys alone counted, and do its rows lie "
     "as far apart where they are read as where they are written?"},
    {is_ragged_Bc, "seq_kv is no multiple of Bc",
     "the last tile has fewer keys: nothing behind them is read or counted"},
    {is_ragged_Br, "seq_q is no multiple of Br", "the last tile has fewer queries: no row behind them is written"},
    {is_several, "there are several tiles of keys", "one tile is right: " TO_TILE},
    {is_split, "there are several splits", "one split is right: look at its keys, and at how parts are put together"},
    {is_batch, "batch is above 1",
     "is the offset of batch b, head h made of b * heads + h, and are all batch * heads of them reached?"},
    {is_batch_of_heads, "batch and heads are both above 1", "look at the offset of batch b, head h: b * heads + h"},
    {is_heads, "heads is above 1", "look at the offset of a head"},
    {is_many, "there is more than one head in all", "look at the offset of a head"},
    {lab_has_large_scores, "scores are large",
     "is the row maximum, of all keys so far, subtracted before every exponential?"},
    {is_wider, "head_dim is above 96", "is an array, or shared memory, too small, or are not all dims visited?"},
    {is_wide, "head_dim is above 64", "is an array, or shared memory, too small, or are not all dims visited?"},
    {is_odd, "head_dim is no multiple of 32", "look at the last dims of a row"},
    {is_narrow, "head_dim is below 64", "is it asked whether a thread has a dim of its own?"},
    {is_below_128, "head_dim is below 128",
     "are rows taken to be 128 floats apart, as in an array for the largest head? They are head_dim apart"},
    {is_ragged16, "seq_kv is no multiple of 16, or of your tile", "look at the last tile of keys"},
    {is_ragged32, "seq_kv is no multiple of 32, or of your tile", "look at the last tile of keys"},
    {is_ragged64, "seq_kv is no multiple of 64, or of your tile", "look at the last tile of keys"},
    {is_ragged_q16, "seq_q is no multiple of 16, or of your tile", "look at the last tile of queries"},
    {is_ragged_q32, "seq_q is no multiple of 32, or of your tile", "look at the last tile of queries"},
    {is_ragged_q64, "seq_q is no multiple of 64, or of your tile", "look at the last tile of queries"},
    {is_long16, NULL, TO_TILE},
    {is_long32, NULL, TO_TILE},
    {is_long64, NULL, TO_TILE},
    {is_long128, NULL, TO_TILE},
    {is_long256, NULL, TO_TILE},
};

int lab_has_large_scores(const lab_case *c) { return c->kind == LAB_LARGE || c->kind == LAB_OFFSET; }

// Rows that are short are NaN, and long ones are right: a thread has no column.
static int say_short_rows(const lab_op *op, const lab_tried *claims, int n, char *text, size_t size) {
    int longest_nan = 0, shortest_right = INT_MAX, nan = 0;
    for (int i = 0; i < n; i++) {
        const int cols = claims[i].c.shape.seq_kv;
        if (claims[i].c.op != op || claims[i].c.todo || claims[i].verdict == LAB_SKIPPED) continue;
        if (claims[i].verdict == LAB_PASSED)
            shortest_right = cols < shortest_right ? cols : shortest_right;
        else if (claims[i].verdict == LAB_NOT_FINITE)
            longest_nan = cols > longest_nan ? cols : longest_nan, nan++;
        else
            return 0;
    }
    if (nan < 2 || shortest_right == INT_MAX || longest_nan >= shortest_right) return 0;
    return snprintf(text, size,
                    "%s gives NaN where rows have %d columns or fewer, and none where they have %d: what does a thread "
                    "without a column hand in? Its maximum is -INFINITY, and exp(-INFINITY - (-INFINITY)) is NaN",
                    op->symbol, longest_nan, shortest_right) > 0;
}

// One tile, as a claim asks for it, is wrong, too: nothing is to be looked for between tiles.
static int is_one_wrong(const lab_op *op, const lab_tried *claims, int n) {
    for (int i = 0; i < n; i++)
        if (claims[i].c.op == op && is_several(&claims[i].c) == 0 && claims[i].verdict != LAB_PASSED &&
            claims[i].verdict != LAB_SKIPPED)
            return 1;
    return 0;
}

// From which length on. Nobody has tried those between. 0: no length is known to be right.
static int say_length(const lab_op *op, const lab_tried *claims, int n, char *text, size_t size) {
    int right = 0, wrong = INT_MAX;
    for (int i = 0; i < n; i++) {
        const int keys = claims[i].c.shape.seq_kv, holds = claims[i].verdict == LAB_PASSED;
        if (claims[i].c.op != op || claims[i].verdict == LAB_SKIPPED) continue;
        if (holds && !lab_has_large_scores(&claims[i].c) && keys > right) right = keys;
        if (!holds && keys < wrong) wrong = keys;
    }
    if (!right || right >= wrong) return 0;
    snprintf(text, size, "%s holds up to seq_kv = %d, and fails from %d on: " TO_TILE, op->symbol, right, wrong);
    return 1;
}

// All that fail were refused: what is computed is not at fault.
static int all_are_refused(const lab_op *op, const lab_tried *claims, int n) {
    for (int i = 0; i < n; i++)
        if (claims[i].c.op == op && claims[i].verdict != LAB_PASSED && claims[i].verdict != LAB_SKIPPED &&
            !claims[i].refuses)
            return 0;
    return 1;
}

void lab_where_it_fails(const lab_op *op, const lab_tried *claims, int n, char *text, size_t size) {
    if (op == &lab_softmax_batched && say_short_rows(op, claims, n, text, size)) return;
    if (strcmp(op->tensors[1], "Q")) return;  // sizes of other functions have other meanings
    for (size_t f = 0; f < sizeof features / sizeof *features; f++) {
        int with = 0, without = 0, against = 0;
        if (op->lengths && f >= FIRST_OF_HEADS && f < N_OF_HEADS) continue;
        for (int i = 0; i < n; i++) {
            if (claims[i].c.op != op || claims[i].verdict == LAB_SKIPPED) continue;
            const int failed = claims[i].verdict != LAB_PASSED, is = features[f].is(&claims[i].c);
            if (is < 0 || (is && !failed && lab_has_large_scores(&claims[i].c))) continue;  // few keys count there
            with += failed && is, without += !failed && !is, against += failed != is;
        }
        const int hold = features[f].is == is_below_128 ? 1 : 2;  // a task has one claim about the largest head
        if (with < 2 || without < hold || against) continue;
        if (features[f].where && all_are_refused(op, claims, n)) {
            snprintf(text, size,
                     "%s refuses what it is given where %s, and nowhere else. The contract allows that: one of the "
                     "conditions before ATTN_BAD_SHAPE asks for too much",
                     op->symbol, features[f].where);
            return;
        }
        if (strstr(features[f].means, "from tile to tile") && is_one_wrong(op, claims, n)) continue;
        if (!features[f].where) {
            if (say_length(op, claims, n, text, size)) return;
            continue;
        }
        snprintf(text, size, "%s fails where %s, and nowhere else: %s", op->symbol, features[f].where,
                 features[f].means);
        return;
    }
}
