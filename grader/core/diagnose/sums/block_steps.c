// block_steps.c: task 3's products, block by block: rows of several matrices that are taken to lie as far apart as they
// are long, or as those of one block are, and sums that go on from row to row of a block.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_sums.h"

enum { PAD = 5 };                                // of the probes of task 3
enum { OF_A = 1, OF_B = 2, OF_C = 4, ALL = 7 };  // whose rows are taken for as far apart as they are long

// A block has so many rows and columns; 0: there are none, and one loop goes over all. runs_on: the sums do. packed: rows
// of B and C are taken for as long as those of the block.
typedef struct {
    int dense, rows, cols, runs_on, packed;
} way;

typedef struct {
    int rows, cols, n, a_step, bc_step;
} extent;

static void add_block(double *C, const float *A, const float *B, extent e, way w) {
    const int cols = w.packed ? w.cols : e.cols, a = w.dense & OF_A ? e.n : e.a_step,
              b = w.dense & OF_B ? cols : e.bc_step, c = w.dense & OF_C ? cols : e.bc_step;
    double sum[32][32];
    for (int r = 0; r < w.rows; r++)
        for (int x = 0; x < w.cols; x++) {
            sum[r][x] = w.runs_on && r ? sum[r - 1][x] : C[r * c + x];
            for (int k = 0; k < e.n; k++) sum[r][x] += (double)A[r * a + k] * B[k * b + x];
        }
    for (int r = 0; r < w.rows; r++)
        for (int x = 0; x < w.cols; x++) C[r * c + x] = sum[r][x];
}

static void add_plain(double *C, const float *A, const float *B, extent e, int dense) {
    const int a = dense & OF_A ? e.n : e.a_step, b = dense & OF_B ? e.cols : e.bc_step,
              c = dense & OF_C ? e.cols : e.bc_step;
    for (int r = 0; r < e.rows; r++)
        for (int k = 0; k < e.n; k++)
            for (int x = 0; x < e.cols; x++) C[r * c + x] += (double)A[r * a + k] * B[k * b + x];
}

// As the handout's multiply: whole blocks, what is on their right, and what is below.
static void multiply(double *C, const float *A, const float *B, extent e, way w) {
    const int rows = w.rows ? e.rows / w.rows * w.rows : 0, cols = w.rows ? e.cols / w.cols * w.cols : 0;
    extent right = e, below = e;
    if (!w.rows) {
        add_plain(C, A, B, e, w.dense);
        return;
    }
    for (int r = 0; r < rows; r += w.rows)
        for (int c = 0; c < cols; c += w.cols) add_block(C + r * e.bc_step + c, A + r * e.a_step, B + c, e, w);
    right.rows = rows, right.cols = e.cols - cols, below.rows = e.rows - rows;
    add_plain(C + cols, A, B + cols, right, 0);
    add_plain(C + rows * e.bc_step, A + rows * e.a_step, B, below, 0);
}

static int gives(const lab_symptom *s, way w) {
    const attn_shape z = s->shape;
    const extent e = {z.seq_q, z.head_dim, z.seq_kv, z.seq_kv + PAD, z.head_dim + PAD};
    const size_t n = s->op->elements(z, 0);
    double *C = malloc(n * sizeof *C);
    int same = C != NULL;
    for (size_t i = 0; i < n && same; i++) C[i] = s->in[3][i];
    if (same) multiply(C, s->in[1], s->in[2], e, w);
    for (size_t i = 0; i < n && same; i++) same = fabs(C[i] - s->got[i]) < LAB_TOLERANCE * (1 + fabs(C[i]));
    free(C);
    return same;
}

#define CLOSE                                                                                                          \
    "matches rows of %s that are taken to lie as far apart as they are long, n of A and cols of B and C: they are "    \
    "a_step and bc_step apart"
#define PACKED                                                                                                         \
    "matches rows of %s that are taken to lie as far apart as those of one block, n of A and COLS of B and C: a "      \
    "block is a part of matrices whose rows are a_step and bc_step apart"

int lab_explain_block_steps(const lab_symptom *s, char *text, size_t size) {
    static const char *const of[] = {[OF_A] = "A",
                                     [OF_B] = "B",
                                     [OF_A | OF_B] = "A and B",
                                     [OF_C] = "C",
                                     [OF_A | OF_C] = "A and C",
                                     [OF_B | OF_C] = "B and C",
                                     [ALL] = "A, B and C"};
    const int blocks = strcmp(s->op->name, "multiply_block") == 0;
    char said[240];
    for (int rows = blocks ? 2 : 0; rows <= (blocks ? 16 : 0); rows *= 2)
        for (int cols = 8; cols <= (blocks ? 32 : 8); cols *= 2) {
            if (blocks && gives(s, (way){0, rows, cols, 1, 0}))
                return lab_guess(s->guesses,
                                 "matches sums of a block that go on from row to row: each row of C has sums of its "
                                 "own, which begin with what C holds there",
                                 text, size);
            for (int i = 0; i < (blocks ? 2 : 1) * ALL; i++) {
                const int dense = i % ALL + 1, packed = i / ALL;
                if (!gives(s, (way){dense, rows, cols, 0, packed})) continue;
                snprintf(said, sizeof said, packed ? PACKED : CLOSE, of[dense]);
                return lab_guess(s->guesses, said, text, size);
            }
            if (!blocks) return 0;
        }
    return 0;
}
