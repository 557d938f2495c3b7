// op_heads.c: heads, split and merged. Task 1.
#include "heuristics.h"
#include "wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t elements(attn_shape s, int t) { return lab_elements_q(s); }

void lab_packed_extent(attn_shape s, size_t extent[4]) { extent[1] = 1, extent[3] = (size_t)s.heads * s.head_dim; }

// Where element i of a [batch, heads, seq, head_dim] tensor stands in [batch, seq, heads * head_dim].
size_t lab_packed_index(size_t i, attn_shape s) {
    const size_t D = s.head_dim, S = s.seq_q, H = s.heads;
    return ((i / D / S / H * S + i / D % S) * H + i / D / S % H) * D + i % D;
}

size_t lab_unpacked_index(size_t i, attn_shape s) {
    const size_t D = s.head_dim, S = s.seq_q, H = s.heads;
    return ((i / D / H / S * H + i / D % H) * S + i / D / H % S) * D + i % D;
}

static int split(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    for (size_t i = 0; i < lab_elements_q(s); i++) out[i] = in[1][lab_packed_index(i, s)];
    return 1;
}

static int merge(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    for (size_t i = 0; i < lab_elements_q(s); i++) out[lab_packed_index(i, s)] = in[1][i];
    return 1;
}

static int ascending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Each token's heads, added up or averaged, in place of one beside the other.
static int explain_added_heads(const lab_symptom *s, char *text, size_t size) {
    const size_t n = lab_elements_q(s->shape), D = s->shape.head_dim, H = s->shape.heads, S = s->shape.seq_q;
    size_t sums = 0, means = 0, written = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t token = i / D / H, d = i % D;
        double sum = 0;
        if (lab_element_bad(s, i, 1)) continue;
        for (size_t h = 0; h < H; h++) sum += s->in[1][((token / S * H + h) * S + token % S) * D + d];
        written++, sums += fabs(s->got[i] - sum) < 1e-4, means += fabs(s->got[i] - sum / H) < 1e-4;
    }
    if (H < 2 || written < n / H || (sums < written && means < written)) return 0;
    return snprintf(text, size,
                    "matches the %s of a token's heads: merge adds nothing up, head h of a token goes to its features "
                    "h * head_dim and on",
                    sums == written ? "sum" : "mean") > 0;
}

// Split and merge only move numbers: are they all there?
static int diagnose_moved(const lab_symptom *s, char *text, size_t size) {
    const size_t n = lab_elements_q(s->shape);
    if (memcmp(s->got, s->in[1], n * sizeof(float)) == 0) {
        snprintf(text, size,
                 "the output is a plain copy of the input, its elements numbered alike: X is [B, S, H, D] and Y is "
                 "[B, H, S, D], so s and h change places");
        return 1;
    }
    size_t other_way = 0;
    const int merges = s->op->oracle == merge;
    for (size_t i = 0; i < n; i++) {
        const size_t packed = lab_packed_index(i, s->shape);
        other_way += merges ? s->got[i] == s->in[1][packed] : s->got[packed] == s->in[1][i];
    }
    if (other_way == n)
        return snprintf(text, size, "%s: the formulas of X and Y are exchanged",
                        merges ? "is split once more, not merged" : "is merged, not split") > 0;
    if (merges && explain_added_heads(s, text, size)) return lab_guess(s->guesses, text, text, size);
    float *a = malloc(2 * n * sizeof *a), *b = a + n;
    if (!a) return 0;
    if (lab_explain_moved(s, s->op->oracle == merge, text, size)) {
        free(a);
        return 1;
    }
    memcpy(a, s->got, n * sizeof *a);
    memcpy(b, s->in[1], n * sizeof *b);
    qsort(a, n, sizeof *a, ascending);
    qsort(b, n, sizeof *b, ascending);
    const int permuted = memcmp(a, b, n * sizeof *a) == 0;
    free(a);
    if (permuted)
        snprintf(text, size,
                 "holds the right numbers in the wrong places: which axis comes before which in the index?");
    return permuted;
}

// ---- The rows

// clang-format off
#define SPLIT .n_tensors = 2, .tensors = {"Y", "X"}, .elements = elements, .oracle = split, .diagnose = diagnose_moved
#define MERGE \
    .n_tensors = 2, .tensors = {"X", "Y"}, .elements = elements, .extent = lab_packed_extent, \
    .oracle = merge, .diagnose = diagnose_moved
const lab_op lab_split_heads = {.name = "split_heads", .symbol = "attn_split_heads", SPLIT};
const lab_op lab_merge_heads = {.name = "merge_heads", .symbol = "attn_merge_heads", MERGE};
const lab_op lab_split_probe = {.name = "split_probe", .symbol = "lab_probe_split_heads", .probe = 1, SPLIT};
const lab_op lab_merge_probe = {.name = "merge_probe", .symbol = "lab_probe_merge_heads", .probe = 1, MERGE};
