// op_attention.c: attention of Q, K, V, whatever computes it. Tasks 1 to 4.
#include "inputs.h"
#include "oracle.h"
#include "wrong_rows.h"

#include <stdlib.h>

static size_t elements(attn_shape s, int t) {
    if (t == 4) return (size_t)s.batch * s.heads * s.seq_q * s.seq_kv;  // the chain's scores
    return t < 2 ? lab_elements_q(s) : lab_elements_kv(s);
}

// The chain writes the scores, reads and writes them twice, and reads them.
static size_t chain_moved(attn_shape s, const int extra[2], int t) { return (t == 4 ? 6 : 1) * elements(s, t); }

// Large and offset inputs are about Q and K, whose product the softmax sees; V stays near N(0, 1).
static void fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    lab_fill(x, elements(s, t), s.head_dim, t < 3 ? kind : LAB_NORMAL, key);
    const size_t head = (t == 1 ? s.seq_q : s.seq_kv) * (size_t)s.head_dim, heads = (size_t)s.batch * s.heads;
    if (kind == LAB_LARGE && t < 3 && heads > 1) lab_fill_far_below_0(x + (heads - 1) * head, head, t == 1, key);
}

static int oracle(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    double *scratch = malloc(s.seq_kv * sizeof *scratch);
    for (int r = 0; scratch && r < s.batch * s.heads * s.seq_q; r++, out += s.head_dim)
        lab_oracle_row(out, in[1], in[2], in[3], s, r / s.seq_q / s.heads, r / s.seq_q % s.heads, r % s.seq_q, mistake,
                       scratch);
    free(scratch);
    return scratch != NULL;
}

static void draw_tiles(uint64_t key, attn_shape *s, int extra[2]) {
    for (int i = 0; i < 2; i++) extra[i] = (int)(1 + lab_bits(key, 5 + i) % 80);
}

// ---- The rows

// clang-format off
#define ATTENTION \
    .n_tensors = 4, .tensors = {"O", "Q", "K", "V"}, .elements = elements, .fill = fill, .oracle = oracle
const lab_op lab_sdpa = {.name = "sdpa", .symbol = "attn_sdpa", ATTENTION, .diagnose = lab_diagnose_attention,
    .uses = {&lab_softmax_rows}};
const lab_op lab_tiled = {
    .name = "tiled", .symbol = "attn_tiled", ATTENTION, .draw = draw_tiles, .diagnose = lab_diagnose_online};
const lab_op lab_walk_probe = {
    .name = "walk_probe", .symbol = "lab_probe_walk_keys", .probe = 1, ATTENTION, .diagnose = lab_diagnose_walk};
const lab_op lab_flash = {.name = "flash", .symbol = "attn_flash", ATTENTION, .diagnose = lab_diagnose_online};
const lab_op lab_flash_launch = {
    .name = "launch", .symbol = "lab_probe_launch", .probe = 1, ATTENTION, .diagnose = lab_diagnose_online};
#define NAIVE \
    .n_tensors = 5, .tensors = {"O", "Q", "K", "V", "scores"}, .scratch = 4, .elements = elements, .fill = fill, \
    .oracle = oracle, .diagnose = lab_diagnose_chain, .moved = chain_moved, \
    .uses = {&lab_softmax_batched, &lab_gemm_nt, &lab_gemm_nn}
const lab_op lab_naive = {.name = "naive", .symbol = "attn_naive", NAIVE};
const lab_op lab_naive_chain = {.name = "naive_chain", .symbol = "lab_probe_naive", .probe = 1, NAIVE};
