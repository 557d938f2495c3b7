// watched.cu: the functions that a layer calls, which keep the first argument that is not what task6.h says: a tensor
// in the place of another, a size. It is said only where the result is wrong. What a right layer may do in its own way
// passes: several calls in place of one, work buffers used otherwise (what matters is what lies in them), and kernels of
// its own, of which nothing is known here.
#include "contents.h"
#include "network.h"
#include "noted.h"
#include "watched.h"

static attn_functions real;  // what the layer would call

static size_t numbers(attn_shape s) { return (size_t)s.batch * s.heads * s.seq_q * s.head_dim; }

// Sequences one by one: each begins where the one before it ends.
static void note_offset(lab_called which, int argument, const void *p, attn_shape s) {
    const size_t one = (size_t)s.heads * lab_now.at.seq * s.head_dim, at = lab_offset_of(p);
    if (!(s.batch == 1 && s.head_dim == lab_now.at.head_dim && lab_buffer_of(p) && at % one)) return;
    lab_note_more(which, LAB_CALL_OFFSET, (int)at, (int)one, argument);
    int *const log = lab_now.log;  // of a sequence with fewer rows: and where the one behind it begins
    if (log[1] == LAB_FLASH && log[2] == LAB_FLASH_ROWS && !log[5]) log[5] = (int)at;
}

// lengths[b] of all sequences, before append and after it. What a prefill has left wrong is seen in the cache at the end.
static void note_lengths(lab_called which, const int *lengths, int more) {
    if (!lab_looks() || !lab_now.counted || lab_buffer_of(lengths) != LAB_IN_LENGTHS) return;
    const int *got = (const int *)lab_contents_read(lengths, lab_now.at.batch);
    for (int b = 0; got && b < lab_now.at.batch; b++)
        if (got[b] != lab_now.at.past[b] + more)
            lab_note_more(which, LAB_CALL_LENGTH, got[b], lab_now.at.past[b] + more, b);
}

// The slot in which an append of the layer's own has left k of the new token.
static void note_slots(lab_called when, const void *K) {
    for (int b = 0; b < lab_now.at.batch && lab_looks(); b++) {
        const int slot = lab_contents_slot(&lab_now.at, K, b);
        if (slot > -2 && slot != lab_now.at.past[b])
            lab_note_more(when, LAB_CALL_APPENDED, slot, lab_now.at.past[b], b);
    }
}

// Several sequences or heads in one call lie S rows apart; one alone may be taken to its own end.
static void note_rows(lab_called which, int argument, attn_shape s) {
    if ((size_t)s.batch * s.heads > 1) lab_note(which, argument, s.seq_q, lab_now.at.seq);
}

// In a decode step nothing is known of its arguments: that decode is never called is what has to be said.
static attn_status flash(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    const float *const p[] = {Q, K, V};
    const lab_layer_buffer due[] = {LAB_IN_Q, LAB_IN_K, LAB_IN_V};
    lab_enter(LAB_FLASH, __builtin_return_address(0), stream);
    if (!lab_now.at.decode) {
        for (int i = 0; i < 3; i++) lab_gives(LAB_FLASH, 0, O, LAB_IN_O, due[i]);
        for (int i = 0; i < 3; i++) note_offset(LAB_FLASH, 1 + i, p[i], s);
        for (int i = 0; i < 3; i++) lab_takes(LAB_FLASH, 1 + i, p[i], due[i], numbers(s));
        note_rows(LAB_FLASH, LAB_FLASH_ROWS, s);
        lab_note(LAB_FLASH, 5, s.seq_kv, s.seq_q);
        lab_note(LAB_FLASH, 6, s.head_dim, lab_now.at.head_dim);
        lab_note(LAB_FLASH, 7, s.causal != 0, 1);
    }
    const attn_status status = real.flash(O, Q, K, V, s, stream);
    lab_leave(O, LAB_IN_O, numbers(s));
    lab_now.refused |= status == ATTN_BAD_SHAPE;
    return status;
}

static attn_status append(float *K, float *V, int *lengths, const float *k, const float *v, attn_cache c,
                          cudaStream_t stream) {
    const void *p[] = {K, V, lengths, k, v};
    const lab_layer_buffer due[] = {LAB_IN_K_CACHE, LAB_IN_V_CACHE, LAB_IN_LENGTHS, LAB_IN_K, LAB_IN_V};
    const size_t n = (size_t)lab_now.at.batch * lab_now.at.E;
    lab_enter(LAB_APPEND, __builtin_return_address(0), stream);
    for (int i = 0; i < 3; i++) lab_takes_place(LAB_APPEND, i, p[i], due[i]);
    if (!lab_now.at.decode && lab_now.at.seq > 1 && lab_now.at.batch * lab_now.at.heads > 1 &&
        lab_buffer_of(k) == LAB_IN_K)
        lab_note_more(LAB_APPEND, LAB_CALL_OF_PROMPT, lab_now.at.seq, 0, lab_now.times[LAB_APPEND]);
    for (int i = 3; i < 5; i++) lab_takes(LAB_APPEND, i, p[i], due[i], n);
    if (lab_now.times[LAB_APPEND] == 1) note_lengths(LAB_APPEND, lengths, 0);
    return real.append(K, V, lengths, k, v, c, stream);
}

static attn_status decode(float *O, const float *Q, const float *K, const float *V, const int *lengths, attn_cache c,
                          cudaStream_t stream) {
    const void *p[] = {Q, K, V, lengths};
    const lab_layer_buffer due[] = {LAB_IN_Q, LAB_IN_K_CACHE, LAB_IN_V_CACHE, LAB_IN_LENGTHS};
    const size_t n = (size_t)lab_now.at.batch * lab_now.at.E;
    lab_enter(LAB_DECODE, __builtin_return_address(0), stream);
    lab_gives(LAB_DECODE, 0, O, LAB_IN_O, LAB_IN_Q);
    lab_takes(LAB_DECODE, 1, Q, LAB_IN_Q, n);
    for (int i = 1; i < 4; i++) lab_takes_place(LAB_DECODE, 1 + i, p[i], due[i]);
    if (!lab_buffer_of(lengths)) lab_note_more(LAB_DECODE, 4, LAB_IN_NOTHING, LAB_IN_LENGTHS, 0);
    if (!lab_now.at.decode && lab_now.at.seq > 1 && lab_now.at.batch * lab_now.at.heads > 1 &&
        lab_buffer_of(Q) == LAB_IN_Q)
        lab_note_more(LAB_DECODE, LAB_CALL_OF_PROMPT, lab_now.at.seq, 0, lab_now.times[LAB_DECODE]);
    if (lab_now.at.decode && !lab_now.times[LAB_APPEND] && lab_buffer_of(K) == LAB_IN_K_CACHE)
        note_slots(LAB_DECODE, K);
    note_lengths(LAB_DECODE, lengths, 1);
    const attn_status status = real.decode(O, Q, K, V, lengths, c, stream);
    lab_leave(O, LAB_IN_O, n);
    return status;
}

// Of work buffers nothing is known that lies elsewhere.
static void note_span(int last, const void *X, int rows) {
    const int n = lab_now.spans[last]++, from = (int)(lab_offset_of(X) / lab_now.at.E);
    const int known = lab_buffer_of(X) == (last ? LAB_IN_MERGED : LAB_IN_X);
    if (n < LAB_MOST_SPANS) lab_now.span[last][n] = known ? lab_span{from, from + rows} : lab_span{0, 1 << 30};
    if (n < LAB_MOST_SPANS) lab_now.spans_at[last][n] = lab_now.place;
}

// A row of a real token that no call of linear takes.
static void note_left_out(int last) {
    const lab_watch *at = &lab_now.at;
    if (!lab_now.spans[last] || lab_now.spans[last] > LAB_MOST_SPANS || lab_now.log[0]) return;
    for (int b = 0; b < at->batch; b++)
        for (int t = 0; t < at->count[b]; t++) {
            const int row = b * at->seq + t;
            int taken = 0, before = 0;  // the call that takes what is next before it
            for (int i = 0; i < lab_now.spans[last]; i++) {
                const lab_span s = lab_now.span[last][i];
                taken |= s.from <= row && row < s.to;
                before = s.from <= row ? i : before;
            }
            if (taken) continue;
            lab_now.place = lab_now.spans_at[last][before];
            lab_note_more(LAB_LINEAR, LAB_CALL_LEFT_OUT, row, at->seq, last);
            return;
        }
}

static attn_status linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                          cudaStream_t stream) {
    lab_enter(LAB_LINEAR, __builtin_return_address(0), stream);
    const int first = lab_held_by(X) == LAB_IN_X || (lab_now.times[LAB_LINEAR] == 1 && lab_held_by(W) == LAB_IN_W_QKV);
    lab_gives(LAB_LINEAR, 0, Y, first ? LAB_IN_QKV : LAB_IN_Y, first ? LAB_IN_X : LAB_IN_MERGED);
    lab_takes(LAB_LINEAR, 1, X, first ? LAB_IN_X : LAB_IN_MERGED, (size_t)rows * n_in);
    lab_takes_place(LAB_LINEAR, 2, W, first ? LAB_IN_W_QKV : LAB_IN_W_OUT);
    lab_takes_place(LAB_LINEAR, 3, b, first ? LAB_IN_B_QKV : LAB_IN_B_OUT);
    lab_note(LAB_LINEAR, 4, n_in, lab_now.at.E);
    lab_note(LAB_LINEAR, 5, n_out, (first ? 3 : 1) * lab_now.at.E);
    lab_now.rows[!first] += rows, lab_now.rows_at[!first] = lab_now.place;
    note_span(!first, X, rows);
    const attn_status status = real.linear(Y, X, W, b, rows, n_in, n_out, stream);
    lab_leave(Y, first ? LAB_IN_QKV : LAB_IN_Y, (size_t)rows * n_out);
    return status;
}

static attn_status split_qkv(float *Q, float *K, float *V, const float *qkv, attn_shape s, cudaStream_t stream) {
    float *const p[] = {Q, K, V};
    const lab_layer_buffer what[] = {LAB_IN_Q, LAB_IN_K, LAB_IN_V};
    lab_enter(LAB_SPLIT, __builtin_return_address(0), stream);
    for (int i = 0; i < 3; i++) lab_gives(LAB_SPLIT, i, p[i], what[i], LAB_IN_QKV);
    lab_takes(LAB_SPLIT, 3, qkv, LAB_IN_QKV, 3 * numbers(s));
    note_rows(LAB_SPLIT, 4, s);
    const attn_status status = real.split_qkv(Q, K, V, qkv, s, stream);
    for (int i = 0; i < 3; i++) lab_leave(p[i], what[i], numbers(s));
    return status;
}

static attn_status merge_heads(float *Y, const float *O, attn_shape s, cudaStream_t stream) {
    lab_enter(LAB_MERGE, __builtin_return_address(0), stream);
    lab_gives(LAB_MERGE, 0, Y, LAB_IN_MERGED, LAB_IN_O);
    lab_takes(LAB_MERGE, 1, O, LAB_IN_O, numbers(s));
    note_rows(LAB_MERGE, 2, s);
    const attn_status status = real.merge_heads(Y, O, s, stream);
    lab_leave(Y, LAB_IN_MERGED, numbers(s));
    return status;
}

attn_functions lab_watched(attn_functions stages) {
    lab_now = {};
    real = stages;
    return {flash, append, decode, linear, split_qkv, merge_heads};
}

// A decode step by kernels of the layer's own. With one token O and merged have the same order of numbers.
static void note_own_step(void) {
    const lab_layer_buffer at[] = {LAB_IN_O, LAB_IN_MERGED};
    if (lab_now.first < 0 || lab_now.times[LAB_DECODE] || lab_now.times[LAB_FLASH]) return;
    if (!lab_now.times[LAB_APPEND]) note_slots(LAB_THE_END, lab_now.at.begin[LAB_IN_K_CACHE]);
    for (int i = 0; i < 2 && lab_looks(); i++) {
        const int made = lab_contents_attended(&lab_now.at, at[i]);
        if (made > LAB_MADE_RIGHT) lab_note_more(LAB_THE_END, LAB_CALL_MADE, at[i], made, at[i]);
    }
    if (lab_now.times[LAB_LINEAR] != 1 || !lab_looks()) return;
    const int made = lab_contents_projected(&lab_now.at);
    if (made != LAB_MADE_UNKNOWN && made != LAB_MADE_RIGHT)
        lab_note_more(LAB_THE_END, LAB_CALL_MADE, LAB_IN_Y, made, LAB_IN_Y);
}

// With one head of one sequence in all, flash can read the cache as well as decode.
static void note_what_is_missing(void) {
    if (lab_now.at.decode && lab_now.at.batch * lab_now.at.heads > 1 && lab_now.times[LAB_FLASH] &&
        !lab_now.times[LAB_DECODE])
        lab_note(LAB_FLASH, LAB_CALL_IN_DECODE, 1, 0);
    int rows = 0;  // of real tokens
    for (int b = 0; b < lab_now.at.batch; b++) rows += lab_now.at.count[b];
    for (int last = 0; last < 2; last++) {
        if (!lab_now.log[0]) lab_now.place = lab_now.rows_at[last];
        if (lab_now.rows[last] && lab_now.rows[last] < rows)
            lab_note_more(LAB_LINEAR, LAB_CALL_ROWS, lab_now.rows[last], lab_now.at.batch * lab_now.at.seq, last);
        note_left_out(last);
    }
    lab_now.place = 0;
    if (lab_now.at.decode) note_own_step();
    if (lab_now.times[LAB_LINEAR] > 1 || lab_now.holds[LAB_IN_Y] != LAB_IN_Y)
        lab_takes(LAB_THE_END, 0, lab_now.at.begin[LAB_IN_Y], LAB_IN_Y, lab_now.at.bytes[LAB_IN_Y] / sizeof(float));
    const int *lengths = (const int *)lab_now.at.begin[LAB_IN_LENGTHS];
    if (lab_now.at.decode) {
        note_lengths(LAB_THE_END, lengths, 1);
        return;
    }
    const int *got = lab_looks() ? (const int *)lab_contents_read(lengths, lab_now.at.batch) : NULL;
    lab_now.counted = got != NULL;
    for (int b = 0; got && b < lab_now.at.batch; b++) lab_now.counted &= got[b] == lab_now.at.count[b];
    int number = 0;
    long origin = -1;
    if (got && lab_contents_misplaced(&lab_now.at, &number, &origin) && origin >= 0)
        lab_note_more(LAB_THE_END, LAB_CALL_STORED, (int)origin, 0, number);
}

void lab_watch_call(const lab_watch *at) {
    if (!at && lab_now.on) note_what_is_missing();
    lab_now.on = at != NULL;
    if (!at) return;
    lab_now.at = *at, lab_now.first = -1;
    lab_now.spans[0] = lab_now.spans[1] = 0;
    lab_now.rows[0] = lab_now.rows[1] = lab_now.place = lab_now.strayed = lab_now.refused = 0;
    lab_now.steps += at->decode;
    if (lab_looks()) lab_contents_begin(at);
    for (int i = 0; i < LAB_N_CALLED; i++) lab_now.times[i] = 0;
    for (int i = 0; i < LAB_N_BUFFERS; i++)
        lab_now.holds[i] = i >= LAB_IN_X && i <= LAB_IN_LENGTHS ? (lab_layer_buffer)i : LAB_IN_NOTHING;
}

const int *lab_watch_log(void) { return lab_now.log; }

int lab_watch_strayed(void) { return lab_now.strayed; }

int lab_watch_refused(void) { return lab_now.refused; }

int lab_watch_first(void) { return lab_now.first; }
