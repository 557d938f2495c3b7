// task1.c: the TODOs of task 1, one by one. What a function needs from earlier TODOs (the row's maximum, the sum of the
// exponentials) is computed here, so that no claim waits for another.
#include "probe.h"
#include "task1.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What the file takes and gives back, and the call of malloc that fails. Functions, as malloc may be a macro already: of
// many changes in one process each has memory of its own (grader/repair/tcc).
enum { MOST_REFUSED = 16 };
static int lab_blocks, lab_asked, lab_refused;
static void *lab_counted(void *p) { return lab_blocks += p != NULL, p; }
static void lab_counted_free(void *p) { lab_blocks -= p != NULL, free(p); }
static void *lab_taken(size_t size) { return ++lab_asked == lab_refused ? NULL : lab_counted(malloc(size)); }
static void *lab_cleared(size_t n, size_t size) {
    return ++lab_asked == lab_refused ? NULL : lab_counted(calloc(n, size));
}
#undef malloc
#undef calloc
#undef free
#define malloc(size) lab_taken(size)
#define calloc(n, size) lab_cleared(n, size)
#define free(p) lab_counted_free(p)
#include LAB_STAGE_FILE
#undef free

EXPECT(attn_status, row_max, (float *m, const float *s, int cols));
EXPECT(attn_status, exponentials, (float *p, float *l, const float *s, float m, int cols));
EXPECT(attn_status, normalise, (float *p, float l, int cols));
EXPECT(attn_status, compute_scores, (float *S, const float *Q, const float *K, attn_shape shape));
EXPECT(attn_status, mask_scores, (float *S, attn_shape shape));
EXPECT(attn_status, weighted_sum, (float *O, const float *P, const float *V, attn_shape shape));
EXPECT(attn_status, project, (float *Y, const float *X, const float *W, size_t rows, size_t E));

// Softmax: seq_q rows of seq_kv columns.
#define FOR_ROWS for (int r = 0, cols = shape.seq_kv; r < shape.seq_q && status == ATTN_OK; r++)

// ---- 1.1: the maximum of each row -----------------------------------------------------------------------------------

PROBE(row_max) {
    attn_status status = ATTN_OK;
    FOR_ROWS status = row_max(tensors[0] + r, tensors[1] + r * cols, cols);
    return status;
}

// ---- 1.2: the exponentials of each row, then their sum --------------------------------------------------------------

PROBE(exponentials) {
    attn_status status = ATTN_OK;
    FOR_ROWS {
        const float *s = tensors[1] + r * cols;
        float *out = tensors[0] + r * (cols + 1), m = s[0];
        for (int c = 1; c < cols; c++) m = s[c] > m ? s[c] : m;
        status = exponentials(out, out + cols, s, m, cols);
    }
    return status;
}

// ---- 1.3: the exponentials of each row, divided by their sum --------------------------------------------------------

PROBE(normalise) {
    attn_status status = ATTN_OK;
    FOR_ROWS {
        float *p = tensors[0] + r * cols, l = 0.0f;
        memcpy(p, tensors[1] + r * cols, cols * sizeof *p);
        for (int c = 0; c < cols; c++) l += p[c];
        status = normalise(p, l, cols);
    }
    return status;
}

// ---- 1.4, 1.5, 1.10: whole functions --------------------------------------------------------------------------------

PROBE(split_heads) { return attn_split_heads(tensors[0], tensors[1], shape); }
PROBE(merge_heads) { return attn_merge_heads(tensors[0], tensors[1], shape); }
PROBE(mha) { return attn_mha(tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], tensors[5], shape); }

// Blocks of memory that are not given back; Y is tensors[3].
PROBE(memory) {
    lab_blocks = 0;
    const float *W = tensors[2];
    const attn_status status = attn_mha(tensors[3], tensors[1], W, W, W, W, shape);
    tensors[0][0] = (float)lab_blocks;
    return status;
}

// Calls of malloc that failed, and attn_mha did not return ATTN_NO_MEMORY; Y is tensors[3].
PROBE(refused) {
    const float *W = tensors[2];
    attn_status status = attn_mha(tensors[3], tensors[1], W, W, W, W, shape);
    tensors[0][0] = 0.0f;
    for (int k = 1; status == ATTN_OK && k <= MOST_REFUSED; k++) {
        lab_refused = k, lab_asked = 0;
        const attn_status got = attn_mha(tensors[3], tensors[1], W, W, W, W, shape);
        lab_refused = 0;
        if (lab_asked < k) break;
        tensors[0][0] += got != ATTN_NO_MEMORY;
    }
    return status;
}

// ---- 1.6, 1.7, 1.8: one head ----------------------------------------------------------------------------------------

PROBE(compute_scores) { return compute_scores(tensors[0], tensors[1], tensors[2], shape); }

// A score of -INFINITY comes out as -12345 (LAB_HIDDEN).
PROBE(mask_scores) {
    const size_t n = (size_t)shape.seq_q * shape.seq_kv;
    memcpy(tensors[0], tensors[1], n * sizeof(float));
    const attn_status status = mask_scores(tensors[0], shape);
    for (size_t i = 0; i < n; i++)
        if (tensors[0][i] == -INFINITY) tensors[0][i] = -12345.0f;
    return status;
}

PROBE(weighted_sum) { return weighted_sum(tensors[0], tensors[1], tensors[2], shape); }

// ---- 1.9: seq_q rows of head_dim features ---------------------------------------------------------------------------

PROBE(project) { return project(tensors[0], tensors[1], tensors[2], shape.seq_q, shape.head_dim); }
