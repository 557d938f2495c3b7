// reference.c: attention as the formula says it, in plain C on one thread. You write this file; task1.h says what each
// function must do, README.md why. Clarity first: every later task computes this same function faster.
//
//     attn_softmax_rows         S -> P                      TODO 1.1  1.2  1.3
//     attn_split/merge_heads    [B, S, E] <-> [B, H, S, D]  TODO 1.4  1.5
//     attn_sdpa                 Q, K, V -> O                TODO 1.6  1.7  1.8
//     attn_mha                  X -> Y                      TODO 1.9  1.10
//
// How to work: write the code where a TODO stands, delete the line with ATTN_TODO below it, run `make task1 test`. The
// test tries each function on its own and says which TODO is next. Stuck? `make task1 hint TODO=1.1`.
//
// Where memory is needed, it is allocated and freed for you. Indices are size_t: B * H * Sq * Sk outgrows an int long
// before the tensors outgrow the memory of a laptop.
#include "task1.h"

#include <math.h>
#include <stdlib.h>

//[
// Open TODOs leave names unused. Delete these lines when all is solved: the compiler then tells you what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"

//]
// ---- Softmax -------------------------------------------------------------------------------------------------------
//
// One row at a time. s[0 .. cols-1]: its scores. p[0 .. cols-1]: its probabilities. m: the largest score.

static attn_status row_max(float *m, const float *s, int cols) {
    *m = s[0];

    // TODO 1.1: the row's maximum. Given s, and *m = s[0]. Fill: raise *m to the largest of s[0 .. cols-1].
    // Invariant: after step c, *m >= s[0 .. c]. So every exponent s[c] - m of TODO 1.2 is <= 0: no overflow.
    // Size: 2 lines. (fmaxf)
    //[
    return ATTN_TODO(1, 1);
    //]
    //{
    for (int c = 1; c < cols; c++) *m = fmaxf(*m, s[c]);
    //}
    return ATTN_OK;
}

static attn_status exponentials(float *p, float *l, const float *s, float m, int cols) {
    *l = 0.0f;  // their sum

    // TODO 1.2: the exponentials and their sum. Given s, m, and *l = 0. Fill: p[c] = exp(s[c] - m) for every c, and
    // add it to *l. Invariant: 0 <= p[c] <= 1 and *l >= 1 at the end (the maximum itself gives exp(0) = 1). A masked
    // score is -INFINITY and needs no special case: its exponential is 0.
    // Size: 4 lines. (expf)
    //[
    return ATTN_TODO(1, 2);
    //]
    //{
    for (int c = 0; c < cols; c++) {
        p[c] = expf(s[c] - m);
        *l += p[c];
    }
    //}
    return ATTN_OK;
}

static attn_status normalise(float *p, float l, int cols) {
    // TODO 1.3: normalise. Given the exponentials in p and their complete sum l. Fill: divide each p[c] by l.
    // Invariant: afterwards the row of P sums to 1.
    // Size: 2 lines.
    //[
    return ATTN_TODO(1, 3);
    //]
    //{
    for (int c = 0; c < cols; c++) p[c] /= l;
    //}
    return ATTN_OK;
}

// Given: the three steps, row after row.
attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {
    attn_status status = ATTN_OK;
    for (int r = 0; r < rows && status == ATTN_OK; r++) {
        const float *s = S + (size_t)r * cols;
        float *p = P + (size_t)r * cols, m, l;
        status = row_max(&m, s, cols);
        if (status == ATTN_OK) status = exponentials(p, &l, s, m, cols);
        if (status == ATTN_OK) status = normalise(p, l, cols);
    }
    return status;
}

// ---- Heads ---------------------------------------------------------------------------------------------------------
//
// A projection yields, for each token, E = H * D numbers: D for head 0, then D for head 1, and so on. Attention wants
// each head's tokens together. Split and merge move numbers between the two layouts and compute nothing.
//
//     X [B, S, E]:     element (b, s, h * D + d) stands at (b * S + s) * E + h * D + d
//     Y [B, H, S, D]:  element (b, h, s, d)      stands at ((b * H + h) * S + s) * D + d

attn_status attn_split_heads(float *Y, const float *X, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, S = shape.seq_q, D = shape.head_dim, E = H * D;

    // TODO 1.4: X -> Y. Given the two layouts above. Fill: Y[b][h][s][d] = X[b][s][h * D + d] for every b, h, s, d.
    // Invariant: each of the B * H * S * D elements is read once and written once.
    // Size: 5 lines, four of them loops.
    //[
    return ATTN_TODO(1, 4);
    //]
    //{
    for (size_t b = 0; b < B; b++)
        for (size_t h = 0; h < H; h++)
            for (size_t s = 0; s < S; s++)
                for (size_t d = 0; d < D; d++) Y[((b * H + h) * S + s) * D + d] = X[(b * S + s) * E + h * D + d];
    //}
    return ATTN_OK;
}

attn_status attn_merge_heads(float *X, const float *Y, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, S = shape.seq_q, D = shape.head_dim, E = H * D;

    // TODO 1.5: Y -> X, the way back. Given the same layouts. Fill: X[b][s][h * D + d] = Y[b][h][s][d].
    // Invariant: merge(split(X)) is X, bit for bit.
    // Size: 5 lines, four of them loops.
    //[
    return ATTN_TODO(1, 5);
    //]
    //{
    for (size_t b = 0; b < B; b++)
        for (size_t h = 0; h < H; h++)
            for (size_t s = 0; s < S; s++)
                for (size_t d = 0; d < D; d++) X[(b * S + s) * E + h * D + d] = Y[((b * H + h) * S + s) * D + d];
    //}
    return ATTN_OK;
}

// ---- Scaled dot-product attention ----------------------------------------------------------------------------------
//
// One head at a time. Q, O: [Sq, D]. K, V: [Sk, D]. S, P: [Sq, Sk], the scores and the probabilities.

static attn_status compute_scores(float *S, const float *Q, const float *K, attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;

    // TODO 1.6: the scores. Given Q and K; row i of Q starts at Q + i * D, row j of K at K + j * D.
    // Fill: S[i][j] = (Q_i . K_j) / sqrt(D) for every query i and key j; S[i][j] stands at S[i * Sk + j].
    // Invariant: every one of the Sq * Sk scores is written; 1 / sqrt(D) is computed once, not Sq * Sk times.
    // Size: 7 lines, three of them loops. (sqrtf)
    //[
    return ATTN_TODO(1, 6);
    //]
    //{
    const float scale = 1.0f / sqrtf((float)D);
    for (size_t i = 0; i < Sq; i++)
        for (size_t j = 0; j < Sk; j++) {
            float dot = 0.0f;
            for (size_t d = 0; d < D; d++) dot += Q[i * D + d] * K[j * D + d];
            S[i * Sk + j] = scale * dot;
        }
    //}
    return ATTN_OK;
}

static attn_status mask_scores(float *S, attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv;

    // TODO 1.7: the causal mask. Given S. Fill: if shape.causal, query i may see the keys j <= i + (Sk - Sq) and no
    // others; set the scores of the others to -INFINITY. If not shape.causal, change nothing.
    // Invariant: the last query sees all keys, and each query before it one fewer. With Sq = 2, Sk = 5 (x: masked):
    //                  key 0 1 2 3 4
    //         query 0      . . . . x
    //         query 1      . . . . .
    // Size: 4 lines.
    //[
    return ATTN_TODO(1, 7);
    //]
    //{
    if (shape.causal)
        for (size_t i = 0; i < Sq; i++)
            for (size_t j = i + (Sk - Sq) + 1; j < Sk; j++) S[i * Sk + j] = -INFINITY;
    //}
    return ATTN_OK;
}

static attn_status weighted_sum(float *O, const float *P, const float *V, attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;

    // TODO 1.8: the weighted sum of the values. Given P and V. Fill: O_i = sum over j of P[i][j] * V_j, for every i.
    // Invariant: O is not zero when you get it, so each element is set before it is added to.
    // Size: 5 lines, four of them loops.
    //[
    return ATTN_TODO(1, 8);
    //]
    //{
    for (size_t i = 0; i < Sq; i++) {
        for (size_t d = 0; d < D; d++) O[i * D + d] = 0.0f;
        for (size_t j = 0; j < Sk; j++)
            for (size_t d = 0; d < D; d++) O[i * D + d] += P[i * Sk + j] * V[j * D + d];
    }
    //}
    return ATTN_OK;
}

// Given: the four steps for each head, with S and P as scratch. All heads are the same work on other data.
attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const size_t heads = (size_t)shape.batch * shape.heads, D = shape.head_dim;
    const size_t q_head = shape.seq_q * D, kv_head = shape.seq_kv * D;  // elements of one head
    const size_t scores = (size_t)shape.seq_q * shape.seq_kv;           // O(S^2) memory: task 3 will do without

    float *S = malloc(scores * sizeof *S), *P = malloc(scores * sizeof *P);
    attn_status status = S && P ? ATTN_OK : ATTN_NO_MEMORY;
    for (size_t h = 0; h < heads && status == ATTN_OK; h++) {
        status = compute_scores(S, Q + h * q_head, K + h * kv_head, shape);
        if (status == ATTN_OK) status = mask_scores(S, shape);
        if (status == ATTN_OK) status = attn_softmax_rows(P, S, shape.seq_q, shape.seq_kv);
        if (status == ATTN_OK) status = weighted_sum(O + h * q_head, P, V + h * kv_head, shape);
    }
    free(P);
    free(S);
    return status;
}

// ---- Multi-head attention ------------------------------------------------------------------------------------------

// Y = X W^T. X, Y: [rows, E]. W: [E, E], row e holds the weights of output feature e.
static attn_status project(float *Y, const float *X, const float *W, size_t rows, size_t E) {
    // TODO 1.9: the projection. Given X and W. Fill: Y[r][e] = sum over k of X[r][k] * W[e][k].
    // Invariant: a row of X meets a row of W (as a query met a key in TODO 1.6), never a column.
    // Size: 6 lines, three of them loops.
    //[
    return ATTN_TODO(1, 9);
    //]
    //{
    for (size_t r = 0; r < rows; r++)
        for (size_t e = 0; e < E; e++) {
            float dot = 0.0f;
            for (size_t k = 0; k < E; k++) dot += X[r * E + k] * W[e * E + k];
            Y[r * E + e] = dot;
        }
    //}
    return ATTN_OK;
}

attn_status attn_mha(float *Y, const float *X, const float *Wq, const float *Wk, const float *Wv, const float *Wo,
                     attn_shape shape) {
    const size_t rows = (size_t)shape.batch * shape.seq_q, E = (size_t)shape.heads * shape.head_dim;
    const size_t n = rows * E;  // elements of each tensor here

    float *flat = calloc(5 * n, sizeof *flat);  // [B, S, E], between a projection and a split or merge
    if (!flat) return ATTN_NO_MEMORY;
    float *Q = flat + n, *K = Q + n, *V = K + n, *O = V + n;  // [B, H, S, D]

    // Given: the queries. Every step has this form, so that an error skips what follows and the memory is freed.
    attn_status status = project(flat, X, Wq, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(Q, flat, shape);

    // TODO 1.10: put it together. Given Q, the functions above, and flat, whose contents are used up. Fill: K and V in
    // the same way, with Wk and Wv; then O, by attention; then merge O into flat; then project flat by Wo into Y.
    // Invariant: flat holds [B, S, E]; Q, K, V, O hold [B, H, S, D].
    // Size: 7 lines, one call each.
    //[
    if (status == ATTN_OK) status = ATTN_TODO(1, 10);
    //]
    //{
    if (status == ATTN_OK) status = project(flat, X, Wk, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(K, flat, shape);
    if (status == ATTN_OK) status = project(flat, X, Wv, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(V, flat, shape);
    if (status == ATTN_OK) status = attn_sdpa(O, Q, K, V, shape);
    if (status == ATTN_OK) status = attn_merge_heads(flat, O, shape);
    if (status == ATTN_OK) status = project(Y, flat, Wo, rows, E);
    //}

    free(flat);
    return status;
}
