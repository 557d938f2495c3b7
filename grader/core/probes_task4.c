// probes_task4.c: the TODOs of task 4, one by one: what a probe (grader/probes/task4.cu) computes, and its claims.
#include "cases.h"

#include <math.h>

// ---- load_tile: src [seq_q, D] into a tile of seq_kv rows, those beyond seq_q being 0

static size_t load_tile_elements(attn_shape s, int t) { return (size_t)(t ? s.seq_q : s.seq_kv) * s.head_dim; }

static void load_tile_extent(attn_shape s, size_t extent[4]) { extent[2] = s.seq_kv; }

static int load_tile(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake,
                     double *out) {
    const size_t there = load_tile_elements(s, 1);
    for (size_t i = 0; i < load_tile_elements(s, 0); i++) out[i] = i < there ? in[1][i] : 0;
    return 1;
}

static const lab_op lab_probe_load_tile = {.name = "load_tile",
                                           .symbol = "lab_probe_load_tile",
                                           .probe = 1,
                                           .n_tensors = 2,
                                           .tensors = {"tile", "src"},
                                           .elements = load_tile_elements,
                                           .extent = load_tile_extent,
                                           .oracle = load_tile};

// ---- compute_scores: s [seq_q, seq_kv] = Q K^T / sqrt(D)

static size_t scores_elements(attn_shape s, int t) {
    return t == 0 ? (size_t)s.seq_q * s.seq_kv : (size_t)(t == 1 ? s.seq_q : s.seq_kv) * s.head_dim;
}

static void scores_extent(attn_shape s, size_t extent[4]) { extent[3] = s.seq_kv; }

static int compute_scores(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake,
                          double *out) {
    for (int i = 0; i < s.seq_q * s.seq_kv; i++) {
        const float *q = in[1] + i / s.seq_kv * s.head_dim, *k = in[2] + i % s.seq_kv * s.head_dim;
        out[i] = 0;
        for (int d = 0; d < s.head_dim; d++) out[i] += (double)q[d] * k[d] / sqrt(s.head_dim);
    }
    return 1;
}

static const lab_op lab_probe_compute_scores = {.name = "compute_scores",
                                                .symbol = "lab_probe_compute_scores",
                                                .probe = 1,
                                                .n_tensors = 3,
                                                .tensors = {"s", "Q", "K"},
                                                .elements = scores_elements,
                                                .extent = scores_extent,
                                                .oracle = compute_scores};

// ---- The claims. The probe's tiles are 16 queries and 24 keys

#define TODO(step) .task = "task4", .criterion = "todo", .todo = step
// clang-format off
const lab_case lab_todos_task4[] = {
    {TODO("4.1"), .claim = "a_tile_is_loaded_and_padded_with_zeros", .op = &lab_probe_load_tile, .shape = {1, 1, 13, 24, 80, 0}},
    {TODO("4.1"), .claim = "a_whole_tile_is_loaded", .op = &lab_probe_load_tile, .shape = {1, 1, 24, 24, 64, 0}},
    {TODO("4.1"), .claim = "a_tile_ends_where_the_next_begins", .op = &lab_probe_load_tile, .shape = {1, 1, 40, 24, 128, 0}},
    {TODO("4.2"), .claim = "scores_are_scaled_dot_products", .op = &lab_probe_compute_scores, .shape = {1, 1, 16, 24, 64, 0}},
    {TODO("4.2"), .claim = "scores_of_a_head_of_96", .op = &lab_probe_compute_scores, .shape = {1, 1, 16, 24, 96, 0}},
    {0},
};
