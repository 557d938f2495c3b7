// probes_task4.c: the TODOs of task 4, one by one: what a probe (grader/probes/task4.cu) computes, and its claims.
#include "cases.h"

// ---- load_tile: src [seq_q, D] into a tile of seq_kv rows, those beyond seq_q being 0

static size_t load_tile_elements(attn_shape s, int t) { return (size_t)(t ? s.seq_q : s.seq_kv) * s.head_dim; }

static void load_tile_extent(attn_shape s, size_t extent[4]) { extent[2] = s.seq_kv; }

static int load_tile(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake,
                     double *out) {
    const size_t there = load_tile_elements(s, 1);
    (void)extra, (void)mistake;
    for (size_t i = 0; i < load_tile_elements(s, 0); i++) out[i] = i < there ? in[1][i] : 0;
    return 1;
}

static const lab_op lab_load_tile = {.name = "load_tile",
                                     .symbol = "lab_probe_load_tile",
                                     .probe = 1,
                                     .n_tensors = 2,
                                     .tensors = {"tile", "src"},
                                     .elements = load_tile_elements,
                                     .extent = load_tile_extent,
                                     .oracle = load_tile};

// ---- The claims

#define TODO(step) .task = "task4", .criterion = "todo", .todo = step
// clang-format off
const lab_case lab_todos_task4[] = {
    {TODO("4.1"), .claim = "a_tile_is_loaded_and_padded_with_zeros", .op = &lab_load_tile, .shape = {1, 1, 13, 32, 80, 0}},
    {0},
};
