// asked.cu: by which rule does a layer take a call for a prefill, for decode, or for neither, and for which calls does it find
// room? It is called as the probes of TODO 6.1 and 6.2 call which_call and fits (call_rows.h, room_rows.h), with functions that
// do nothing but note that they were called.
#include "asked.h"

#include "call_rows.h"
#include "protocol.h"
#include "room_rows.h"

enum { B = LAB_CALL_SEQUENCES, S = LAB_ROOM_MOST, H = 2, D = 8, E = H * D, SLOTS = 32, PREFILL = 1, DECODE = 2 };
enum {
    ROWS = B * S * E,
    CACHE = B * H * (SLOTS + S) * D,  // also for a token that is stored where there is no room
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

typedef struct {
    int S, slots;
    int past[B], count[B];
} call;

static attn_status make(const lab_stages *stages, const call *c, float *floats) {
    static const attn_functions noting = {flash, append, decode, linear, split, merge};
    int *const ints = (int *)(floats + ALL);
    TRY_CUDA(cudaMemcpy(ints, c->past, sizeof c->past, cudaMemcpyHostToDevice));
    TRY_CUDA(cudaMemcpy(ints + B, c->count, sizeof c->count, cudaMemcpyHostToDevice));
    float *w = floats + 10 * ROWS, *kv = w + WEIGHTS;
    const attn_layer_weights weights = {w, w + 3 * E * E, w + 3 * E * E + 3 * E, w + 4 * E * E + 3 * E};
    const attn_layer_cache cache = {kv, kv + CACHE, ints, {B, H, c->slots, D}};
    const attn_layer_workspace work = {floats + 2 * ROWS, floats + 5 * ROWS, floats + 6 * ROWS,
                                       floats + 7 * ROWS, floats + 8 * ROWS, floats + 9 * ROWS};
    const attn_tokens tokens = {c->S, c->past, c->count, ints + B};
    seen = 0;
    return stages->layer(floats, floats + ROWS, weights, cache, tokens, work, &noting, NULL);
}

// Makes row number `row`: 0 neither, PREFILL, DECODE; -1: not to be told.
static int kind_of(const lab_stages *stages, int row, float *floats) {
    call c = {lab_call_rows[row].S, SLOTS, {}, {}};
    for (int b = 0; b < B; b++)
        c.past[b] = lab_call_past(row, b, B, lab_call_some(row, b)), c.count[b] = lab_call_count(row, b);
    const attn_status status = make(stages, &c, floats);
    return status == ATTN_BAD_SHAPE ? 0 : status == ATTN_OK && seen ? seen : -1;
}

// The same of its rows: 1 there is room, 0 there is none.
static int room_of(const lab_stages *stages, int row, float *floats) {
    const lab_room_row *r = &lab_room_rows[row];
    call c = {r->S, LAB_ROOM_SLOTS, {}, {}};
    for (int b = 0; b < B; b++) c.past[b] = r->past[b], c.count[b] = r->count[b];
    const attn_status status = make(stages, &c, floats);
    return status == ATTN_OK ? 1 : status == ATTN_CACHE_FULL ? 0 : -1;
}

// What the header says of them.
static int due(int row) {
    int fresh = 0;
    for (int b = 0; b < B; b++) fresh += lab_call_past(row, b, B, 2) == 0;
    return fresh == B ? PREFILL : fresh == 0 && lab_call_rows[row].S == 1 ? DECODE : 0;
}
static int room_due(int row) {
    int fits = 1;
    for (int b = 0; b < B; b++) fits &= lab_room_rows[row].past[b] + lab_room_rows[row].count[b] <= LAB_ROOM_SLOTS;
    return fits;
}

typedef int answer(const lab_stages *stages, int row, float *floats);

// base: of the digits that `first` + the answers are written in.
static attn_status ask(const lab_stages *stages, attn_status otherwise, answer *of, int (*right)(int row), int base,
                       int first) {
    float *floats = NULL;
    int code = 0, told = 1, other = 0;
    TRY_CUDA(cudaMalloc((void **)&floats, (ALL + 2 * B) * sizeof *floats));
    cudaMemset(floats, 0, (ALL + 2 * B) * sizeof *floats);
    for (int row = LAB_CALL_ROWS - 1; row >= 0 && told; row--) {
        const int said = of(stages, row, floats);
        told = said >= 0, other |= said != right(row), code = base * code + (told ? said : 0);
    }
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(floats);
    if (error != cudaSuccess) return (attn_status)(LAB_DEVICE + error);
    return told && other ? (attn_status)(first + code) : otherwise;
}

attn_status lab_ask_kinds(const lab_stages *stages, attn_status otherwise) {
    return ask(stages, otherwise, kind_of, due, 3, LAB_KINDS_ASKED);
}
attn_status lab_ask_room(const lab_stages *stages, attn_status otherwise) {
    return ask(stages, otherwise, room_of, room_due, 2, LAB_ROOM_ASKED);
}
