// cache.c: inputs and oracle of the KV cache.
#include "cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sizes.h"

static int length_at(const float *lengths, int b) {
    int32_t length;
    memcpy(&length, lengths + b, sizeof length);
    return length;
}

size_t lab_cache_state(attn_shape shape) { return 2 * lab_elements_kv(shape) + shape.batch; }

// Sequence 1 is empty, 2 is full, 3 has room for one more, the others are drawn. All tensors of one operation agree on
// the lengths, so they are drawn from the shape alone.
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

// Slots that nobody has written hold NaN: a kernel that reads them cannot be right.
static void fill_slots(attn_shape shape, float *x, lab_input_kind kind, uint64_t key, int room_for_one) {
    const uint32_t bits = LAB_FREE_SLOT;
    const size_t head = (size_t)shape.seq_kv * shape.head_dim;
    lab_fill(x, lab_elements_kv(shape), shape.head_dim, kind, key);
    for (int b = 0; b < shape.batch; b++)
        for (int h = 0; h < shape.heads; h++) {
            const size_t used = (size_t)drawn_length(shape, b, room_for_one) * shape.head_dim;
            float *slots = x + ((size_t)b * shape.heads + h) * head;
            for (size_t i = used; i < head; i++) memcpy(slots + i, &bits, sizeof bits);
        }
}

int lab_cache_fill(lab_op op, attn_shape shape, int t, lab_input_kind kind, uint64_t key, float *x) {
    const size_t kv = lab_elements_kv(shape);
    const int decode = op == LAB_DECODE || op == LAB_DECODE_SPLIT;
    if (op == LAB_CACHE_APPEND && t == 1) {
        fill_slots(shape, x, LAB_NORMAL, key, 1);
        fill_slots(shape, x + kv, LAB_NORMAL, ~key, 1);
        fill_lengths(shape, x + 2 * kv, 1);
    } else if (decode && (t == 2 || t == 3)) {
        fill_slots(shape, x, t == 2 ? kind : LAB_NORMAL, key, 0);
    } else if (decode && t == 4) {
        fill_lengths(shape, x, 0);
    } else
        return 0;
    return 1;
}

void lab_cache_plain(attn_shape shape, float *state) {
    const size_t kv = lab_elements_kv(shape);
    for (int b = 0; b < shape.batch; b++) state[2 * kv + b] = (float)length_at(state + 2 * kv, b);
    for (size_t i = 0; i < 2 * kv; i++) {
        uint32_t bits;
        memcpy(&bits, state + i, sizeof bits);
        if (bits == LAB_FREE_SLOT) state[i] = 0;
    }
}

void lab_oracle_append(double *state, const float *before, const float *k_new, const float *v_new, attn_shape s) {
    const size_t kv = lab_elements_kv(s), d = s.head_dim;
    for (size_t i = 0; i < 2 * kv; i++) state[i] = lab_is_finite(before[i]) ? before[i] : 0;
    for (int b = 0; b < s.batch; b++) {
        const int length = length_at(before + 2 * kv, b), full = length >= s.seq_kv;
        state[2 * kv + b] = length + !full;
        for (size_t h = 0; h < (size_t)s.heads && !full; h++)
            for (size_t c = 0; c < d; c++) {
                const size_t head = (size_t)b * s.heads + h, slot = (head * s.seq_kv + length) * d + c;
                state[slot] = k_new[head * d + c];
                state[kv + slot] = v_new[head * d + c];
            }
    }
}

int lab_oracle_decode(double *o, const float *q, const float *k, const float *v, const float *lengths, attn_shape s) {
    const size_t d = s.head_dim;
    double *scratch = malloc(sizeof *scratch * s.seq_kv);
    if (!scratch) return 0;
    for (int b = 0; b < s.batch; b++)
        for (int h = 0; h < s.heads; h++) {
            const size_t head = (size_t)b * s.heads + h;
            const int length = length_at(lengths, b);
            const attn_shape one = {1, 1, 1, length, s.head_dim, 0};
            for (size_t c = 0; c < d; c++) o[head * d + c] = 0;
            if (length)
                lab_oracle_row(o + head * d, q + head * d, k + head * s.seq_kv * d, v + head * s.seq_kv * d, one, 0, 0,
                               0, LAB_NO_MISTAKE, scratch);
        }
    free(scratch);
    return 1;
}
