// failing.cu: does the student's layer pass on that a function which it calls has failed?
//
// Of the functions that one call of the layer calls, the n-th says ATTN_NO_MEMORY, and those after it say ATTN_BAD_SHAPE;
// none of them does anything then. The layer has to return the first, for each n.
#include "network.h"

enum { FIRST = ATTN_NO_MEMORY, LATER = ATTN_BAD_SHAPE };

static struct {
    attn_functions real;
    int n, calls;  // the n-th call fails, from 1; how many there were
    int failed;    // which function that was: its place in attn_functions
} now;

// Called by function number `which`: what it has to say. ATTN_OK: do your work.
static attn_status fate(int which) {
    now.calls++;
    if (now.calls == now.n) now.failed = which;
    if (now.calls < now.n) return ATTN_OK;
    return now.calls == now.n ? FIRST : LATER;
}

static attn_status flash(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    TRY(fate(0));
    return now.real.flash(O, Q, K, V, s, stream);
}

static attn_status append(float *K, float *V, int *lengths, const float *k, const float *v, attn_cache c,
                          cudaStream_t stream) {
    TRY(fate(1));
    return now.real.append(K, V, lengths, k, v, c, stream);
}

static attn_status decode(float *O, const float *Q, const float *K, const float *V, const int *lengths, attn_cache c,
                          cudaStream_t stream) {
    TRY(fate(2));
    return now.real.decode(O, Q, K, V, lengths, c, stream);
}

static attn_status linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                          cudaStream_t stream) {
    TRY(fate(3));
    return now.real.linear(Y, X, W, b, rows, n_in, n_out, stream);
}

static attn_status split_qkv(float *Q, float *K, float *V, const float *qkv, attn_shape s, cudaStream_t stream) {
    TRY(fate(4));
    return now.real.split_qkv(Q, K, V, qkv, s, stream);
}

static attn_status merge_heads(float *Y, const float *O, attn_shape s, cudaStream_t stream) {
    TRY(fate(5));
    return now.real.merge_heads(Y, O, s, stream);
}

attn_functions lab_failing(attn_functions real, int n) {
    now = {real, n, 0, 0};
    return {flash, append, decode, linear, split_qkv, merge_heads};
}

int lab_failing_judge(attn_status returned, attn_status *verdict) {
    *verdict = ATTN_OK;
    if (now.calls < now.n) return 0;
    if (returned != FIRST) *verdict = LAB_NOT_PASSED_ON + 2 * now.failed + (returned != ATTN_OK && returned != LATER);
    return 1;
}
