// asked.cu: by which rule does a layer take a call for a prefill, for decode, or for neither? It is called as TODO 6.1's probe
// calls which_call (call_rows.h), with functions that do nothing but note that they were called.
#include "asked.h"

#include "call_rows.h"
#include "protocol.h"

enum { B = LAB_CALL_SEQUENCES, S = 5, H = 1, D = 8, E = H * D, SLOTS = 32, PREFILL = 1, DECODE = 2 };
enum {
    ROWS = B * S * E,
    CACHE = B * H * SLOTS * D,
    WEIGHTS = 4 * E * E + 4 * E,
    ALL = 10 * ROWS + 2 * CACHE + WEIGHTS
};

static int seen;  // PREFILL: flash was called; DECODE: append or decode was

static attn_status flash(float *, const float *, const float *, const float *, attn_shape, cudaStream_t) {
    if (!seen) seen = PREFILL;
    return ATTN_OK;
}
static attn_status append(float *, float *, int *, const float *, const float *, attn_cache, cudaStream_t) {
    seen = DECODE;
    return ATTN_OK;
}
static attn_status decode(float *, const float *, const float *, const float *, const int *, attn_cache, cudaStream_t) {
    seen = DECODE;
    return ATTN_OK;
}
static attn_status linear(float *, const float *, const float *, const float *, int, int, int, cudaStream_t) {
    return ATTN_OK;
}
static attn_status split(float *, float *, float *, const float *, attn_shape, cudaStream_t) { return ATTN_OK; }
static attn_status merge(float *, const float *, attn_shape, cudaStream_t) { return ATTN_OK; }

// Makes row number `row`: 0 neither, PREFILL, DECODE; -1: not to be told.
static int kind_of(const lab_stages *stages, int row, float *floats) {
    static const attn_functions noting = {flash, append, decode, linear, split, merge};
    int past[B], count[B], *const ints = (int *)(floats + ALL);
    for (int b = 0; b < B; b++)
        past[b] = lab_call_past(row, b, B, lab_call_some(row, b)), count[b] = lab_call_count(row, b);
    if (cudaMemcpy(ints, past, sizeof past, cudaMemcpyHostToDevice) != cudaSuccess) return -1;
    if (cudaMemcpy(ints + B, count, sizeof count, cudaMemcpyHostToDevice) != cudaSuccess) return -1;
    float *w = floats + 10 * ROWS, *kv = w + WEIGHTS;
    const attn_layer_weights weights = {w, w + 3 * E * E, w + 3 * E * E + 3 * E, w + 4 * E * E + 3 * E};
    const attn_layer_cache cache = {kv, kv + CACHE, ints, {B, H, SLOTS, D}};
    const attn_layer_workspace work = {floats + 2 * ROWS, floats + 5 * ROWS, floats + 6 * ROWS,
                                       floats + 7 * ROWS, floats + 8 * ROWS, floats + 9 * ROWS};
    const attn_tokens tokens = {lab_call_rows[row].S, past, count, ints + B};
    seen = 0;
    const attn_status status = stages->layer(floats, floats + ROWS, weights, cache, tokens, work, &noting, NULL);
    return status == ATTN_BAD_SHAPE ? 0 : status == ATTN_OK && seen ? seen : -1;
}

// What the header says of it.
static int due(int row) {
    int fresh = 0;
    for (int b = 0; b < B; b++) fresh += lab_call_past(row, b, B, 2) == 0;
    return fresh == B ? PREFILL : fresh == 0 && lab_call_rows[row].S == 1 ? DECODE : 0;
}

attn_status lab_ask_kinds(const lab_stages *stages, attn_status otherwise) {
    float *floats = NULL;
    int code = 0, told = 1, other = 0;
    TRY_CUDA(cudaMalloc((void **)&floats, (ALL + 2 * B) * sizeof *floats));
    cudaMemset(floats, 0, (ALL + 2 * B) * sizeof *floats);
    for (int row = LAB_CALL_ROWS - 1; row >= 0 && told; row--) {
        const int kind = kind_of(stages, row, floats);
        told = kind >= 0, other |= kind != due(row), code = 3 * code + (told ? kind : 0);
    }
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(floats);
    if (error != cudaSuccess) return (attn_status)(LAB_DEVICE + error);
    return told && other ? (attn_status)(LAB_KINDS_ASKED + code) : otherwise;
}
