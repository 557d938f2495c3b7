// op_cache.c: the KV cache of task 5: append, decode, and both in turn. The sizes of a cache are batch, heads, seq_kv
// (max_seq) and head_dim of the shape. Lengths are int32 in the elements of a float tensor. The state of a cache is one
// tensor: K_cache, V_cache and lengths, one behind the other.
#include "heuristics.h"
#include "splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What free slots hold: a NaN other than LAB_USED_POISON, as arithmetic carries the bits of a NaN into the output.
static const uint32_t FREE_SLOT = 0x7fc0f4eeu;

static size_t token_elements(attn_shape s) { return (size_t)s.batch * s.heads * s.head_dim; }
static size_t state_elements(attn_shape s) { return 2 * lab_elements_kv(s) + s.batch; }

// ATTN_SPLIT_FLOATS for each of ATTN_MAX_SPLITS parts (task5.h).
static size_t workspace_elements(attn_shape s) { return (size_t)s.batch * s.heads * 64 * (s.head_dim + 2); }

// ---- Inputs

// Sequence 1 is empty, 2 is full, 3 has room for one more, the others are drawn. All tensors of one operation must
// agree on the lengths, so we draw them from the shape alone.
static int drawn_length(attn_shape shape, int b, int room_for_one) {
    const uint64_t key = lab_key((uint64_t)shape.seq_kv << 32 | shape.head_dim, "lengths", shape.heads, shape.batch);
    const int most = shape.seq_kv - (room_for_one && shape.seq_kv > 1);
    if (b == 1) return 0;
    if (b == 2 || b == 3) return shape.seq_kv - (b == 3);
    return 1 + (int)(lab_bits(key, b) % (uint64_t)(most > 0 ? most : 1));
}

static void fill_lengths(attn_shape shape, float *x, int room_for_one) {
    for (int b = 0; b < shape.batch; b++) {
        const int32_t length = drawn_length(shape, b, room_for_one);
        memcpy(x + b, &length, sizeof length);
    }
}

// A kernel that reads a free slot gets NaN, and fails.
static void fill_slots(attn_shape shape, float *x, lab_input_kind kind, uint64_t key, int room_for_one) {
    const size_t head = (size_t)shape.seq_kv * shape.head_dim;
    lab_fill(x, lab_elements_kv(shape), shape.head_dim, kind, key);
    for (int b = 0; b < shape.batch; b++)
        for (int h = 0; h < shape.heads; h++) {
            const size_t used = (size_t)drawn_length(shape, b, room_for_one) * shape.head_dim;
            float *slots = x + ((size_t)b * shape.heads + h) * head;
            for (size_t i = used; i < head; i++) memcpy(slots + i, &FREE_SLOT, sizeof FREE_SLOT);
        }
}

static void draw(uint64_t key, attn_shape *s, int extra[2]) {
    s->seq_q = 1;
    s->seq_kv = 1 + (int)(lab_bits(key, 4) % 225);
}

// ---- Append

static size_t append_elements(attn_shape s, int t) { return t < 2 ? state_elements(s) : token_elements(s); }

// The cache before is the lab's. Of the cache: a token's k and v, and the lengths, read and written.
static size_t append_moved(attn_shape s, const int extra[2], int t) {
    return t == 0 ? 2 * token_elements(s) + 2 * s.batch : t == 1 ? 0 : token_elements(s);
}

static void append_extent(attn_shape s, size_t extent[4]) {
    extent[0] = extent[1] = extent[2] = 1, extent[3] = state_elements(s);
}

static void append_fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    const size_t kv = lab_elements_kv(s);
    if (t > 1) {
        lab_fill(x, token_elements(s), s.head_dim, LAB_NORMAL, key);
        return;
    }
    fill_slots(s, x, LAB_NORMAL, key, 1);
    fill_slots(s, x + kv, LAB_NORMAL, ~key, 1);
    fill_lengths(s, x + 2 * kv, 1);
}

// The checker compares lengths as numbers, and free slots as LAB_FREE_SLOT: one that was cleared is not as it was.
static void append_to_floats(attn_shape s, float *state) {
    const size_t kv = lab_elements_kv(s);
    for (int b = 0; b < s.batch; b++) state[2 * kv + b] = (float)lab_int_at(state + 2 * kv, b);
    for (size_t i = 0; i < 2 * kv; i++)
        if (memcmp(state + i, &FREE_SLOT, sizeof FREE_SLOT) == 0) state[i] = LAB_FREE_SLOT;
}

// One token per sequence; a full sequence stays as it is.
static int append(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake,
                  double *state) {
    const size_t kv = lab_elements_kv(s), d = s.head_dim;
    for (size_t i = 0; i < 2 * kv; i++) state[i] = lab_is_finite(in[1][i]) ? in[1][i] : LAB_FREE_SLOT;
    for (int b = 0; b < s.batch; b++) {
        const int length = lab_int_at(in[1] + 2 * kv, b), full = length >= s.seq_kv;
        state[2 * kv + b] = length + !full;
        for (size_t h = 0; h < (size_t)s.heads && !full; h++)
            for (size_t c = 0; c < d; c++) {
                const size_t head = (size_t)b * s.heads + h, slot = (head * s.seq_kv + length) * d + c;
                state[slot] = in[2][head * d + c];
                state[kv + slot] = in[3][head * d + c];
            }
    }
    return 1;
}

// ---- Decode

static size_t decode_elements(attn_shape s, int t) {
    return t < 2 ? token_elements(s) : t < 4 ? lab_elements_kv(s) : t == 4 ? (size_t)s.batch : workspace_elements(s);
}

// Workspace: a partial output and its log-sum-exp per split, written and read.
static size_t split_moved(attn_shape s, const int extra[2], int t) {
    const size_t part = token_elements(s) + (size_t)s.batch * s.heads;
    return t == 5 ? 2 * extra[0] * part : decode_elements(s, t);
}

static void decode_extent(attn_shape s, size_t extent[4]) { extent[2] = 1; }

static void decode_fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    const size_t d = s.head_dim, heads = (size_t)s.batch * s.heads, rows = t == 1 ? 1 : s.seq_kv;
    if (t == 2 || t == 3)
        fill_slots(s, x, t == 2 ? kind : LAB_NORMAL, key, 0);
    else if (t == 4)
        fill_lengths(s, x, 0);
    else
        lab_fill(x, decode_elements(s, t), s.head_dim, t == 1 ? kind : LAB_NORMAL, key);
    if (kind != LAB_LARGE || t > 2 || heads < 2) return;
    const size_t used = t == 1 ? 1 : drawn_length(s, s.batch - 1, 0);
    lab_fill_far_below_0(x + (heads - 1) * rows * d, used * d, t == 1, key);
}

// One query per sequence and head over lengths[b] slots; 0 where there are none.
static int decode(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *o) {
    const size_t d = s.head_dim, head_size = s.seq_kv * d;
    double *scratch = malloc(sizeof *scratch * s.seq_kv);
    if (!scratch) return 0;
    memset(o, 0, token_elements(s) * sizeof *o);
    for (size_t head = 0; head < (size_t)s.batch * s.heads; head++) {
        const attn_shape one = {1, 1, 1, lab_int_at(in[4], head / s.heads), s.head_dim, 0};
        if (one.seq_kv)
            lab_oracle_row(o + head * d, in[1] + head * d, in[2] + head * head_size, in[3] + head * head_size, one, 0,
                           0, 0, mistake, scratch);
    }
    free(scratch);
    return 1;
}

// ---- For the clock: token after token, appended and decoded

static size_t tokens_elements(attn_shape s, int t) {
    return t < 4 ? lab_elements_q(s) : t < 6 ? lab_elements_kv(s) : t == 6 ? (size_t)s.batch : workspace_elements(s);
}

// Token i sees the cache as it was, and the tokens up to i: their number, summed over all tokens.
static size_t all_seen(attn_shape s) { return (size_t)s.seq_q * (2 * (size_t)s.seq_kv - s.seq_q + 1) / 2; }

static double tokens_flops(attn_shape s) { return 4.0 * token_elements(s) * all_seen(s); }

static size_t tokens_moved(attn_shape s, const int extra[2], int t) {
    return t < 4 ? lab_elements_q(s) : t < 6 ? token_elements(s) * (all_seen(s) + s.seq_q) : 0;
}

// ---- The rows

// clang-format off
const lab_op lab_cache_append = {
    .name = "cache_append", .symbol = "attn_cache_append", .n_tensors = 4,
    .tensors = {"the cache", "the cache before", "k_new", "v_new"}, .in_place = 1,
    .elements = append_elements, .extent = append_extent, .moved = append_moved, .fill = append_fill, .oracle = append,
    .to_floats = append_to_floats, .draw = draw,
    .diagnose = lab_diagnose_append, .says_where = 1};
#define DECODE \
    .lengths = 4, .elements = decode_elements, .extent = decode_extent, .fill = decode_fill, .oracle = decode, \
    .draw = draw, .diagnose = lab_diagnose_decode
const lab_op lab_decode = {
    .name = "decode", .symbol = "attn_decode", .n_tensors = 5,
    .tensors = {"O", "Q", "K_cache", "V_cache", "lengths"}, DECODE};
const lab_op lab_decode_split = {
    .name = "decode_split", .symbol = "attn_decode_split", .n_tensors = 6,
    .tensors = {"O", "Q", "K_cache", "V_cache", "lengths", "workspace"}, .scratch = 5, .moved = split_moved,
    .change = lab_group_keys, .left = lab_splits_left, DECODE};
#define TOKENS \
    .second = "attn_cache_append", .n_tensors = 8, .scratch = 7, .lengths = 6, .elements = tokens_elements, \
    .tensors = {"O", "Q", "k_new", "v_new", "K_cache", "V_cache", "lengths", "workspace"}, .flops = tokens_flops, \
    .moved = tokens_moved
const lab_op lab_tokens = {.name = "tokens", .symbol = "attn_decode", TOKENS};
const lab_op lab_tokens_split = {.name = "tokens_split", .symbol = "attn_decode_split", TOKENS};
