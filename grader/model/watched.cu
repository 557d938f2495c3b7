// watched.cu: the functions that a layer calls, which keep the first argument that is not what task6.h says: a tensor
// in the place of another, a size. It is said only where the result is wrong. What a right layer may do in its own way
// passes: several calls in place of one, work buffers used otherwise (what matters is what lies in them), and kernels of
// its own, of which nothing is known here.
#include <dlfcn.h>

#include "contents.h"
#include "network.h"
#include "watched.h"

static struct {
    lab_watch at;
    attn_functions real;
    int on, log[LAB_CALL_LOG];
    int first, times[LAB_N_CALLED];         // of this call of the layer
    lab_layer_buffer holds[LAB_N_BUFFERS];  // what has been left there; LAB_IN_NOTHING: not by a function seen here
    int rows[2], rows_at[2];                // of the first product, and of the last; its call
    int steps, place;                       // decode steps so far; where the stage calls what is called now
    int counted;                            // after the prefill the lengths were right
    int strayed;                            // some call of this call of the layer had another stream
    int refused;                            // flash returned ATTN_BAD_SHAPE
} now;

static void note_more(lab_called which, int odd, int got, int due, int more) {
    if (!now.on || now.log[0]) return;
    const int log[LAB_CALL_LOG] = {LAB_CALL_IS_ODD, which, odd, got, due, more, now.place};
    for (int i = 0; i < LAB_CALL_LOG; i++) now.log[i] = log[i];
}

static void note(lab_called which, int argument, int got, int due) {
    if (got != due) note_more(which, argument, got, due, 0);
}

// How far from the beginning of the stage; 0: not of the stage.
static int place_of(const void *code) {
    Dl_info here, layer;
    if (!dladdr(code, &here) || !dladdr(now.at.layer, &layer) || here.dli_fbase != layer.dli_fbase) return 0;
    return (int)((const char *)code - (const char *)here.dli_fbase) - 1;
}

// Another stream is noted whatever else is odd: it alone is wrong though the numbers are right.
static void enter(lab_called which, const void *caller, cudaStream_t stream) {
    if (now.first < 0) now.first = which;
    now.times[which]++;
    if (now.on && !now.log[0]) now.place = place_of(caller);
    if (!now.on || stream == now.at.stream || now.strayed++ || now.log[2] == LAB_CALL_STREAM) return;
    now.log[0] = 0, now.place = place_of(caller);
    note_more(which, LAB_CALL_STREAM, stream != 0, 0, 0);
}

// What lies in memory is looked at in a prefill and in the first steps.
static int looks(void) { return now.on && !now.log[0] && now.steps <= 2; }

static lab_layer_buffer buffer_of(const void *p) {
    for (int i = 1; i < LAB_N_BUFFERS; i++)
        if (p >= now.at.begin[i] && (const char *)p < (const char *)now.at.begin[i] + now.at.bytes[i])
            return (lab_layer_buffer)i;
    return LAB_IN_NOTHING;
}

// Where in its buffer.
static size_t offset_of(const void *p) {
    const lab_layer_buffer at = buffer_of(p);
    return at == LAB_IN_NOTHING ? 0 : ((const char *)p - (const char *)now.at.begin[at]) / sizeof(float);
}

static lab_layer_buffer held_by(const void *p) { return now.holds[buffer_of(p)]; }

static lab_layer_buffer holder_of(lab_layer_buffer what) {
    for (int i = 1; i < LAB_N_BUFFERS; i++)
        if (now.holds[i] == what) return (lab_layer_buffer)i;
    return LAB_IN_NOTHING;
}

// With one token the order of numbers is the same: that of O and merged, and for one sequence that of qkv's parts.
static int same_order(lab_layer_buffer got, lab_layer_buffer due) {
    if (now.at.seq != 1 && now.at.heads != 1) return 0;
    return (got == LAB_IN_O && due == LAB_IN_MERGED) || (got == LAB_IN_QKV && now.at.seq * now.at.batch == 1);
}

// An argument that is read. Where nobody seen here has made what it has to be, a kernel of the layer's own may have.
static void takes_place(lab_called which, int argument, const void *p, lab_layer_buffer due) {
    const lab_layer_buffer at = buffer_of(p), holder = holder_of(due);
    if (at == LAB_IN_NOTHING || holder == LAB_IN_NOTHING || now.holds[at] == due || same_order(now.holds[at], due))
        return;
    note(which, argument, at, holder);
}

// The same of n floats, by what lies there, where that is known.
static void takes(lab_called which, int argument, const void *p, lab_layer_buffer due, size_t n) {
    const lab_content c =
        looks() && buffer_of(p) ? lab_contents_look(due, p, offset_of(p), n) : lab_content{0, 0, 0, LAB_IN_NOTHING};
    const lab_layer_buffer at = buffer_of(p);
    if (c.known && !c.odd) return;
    if (!c.known || c.instead || c.odd == LAB_CALL_CHANGED) takes_place(which, argument, p, due);
    if (!c.odd) return;
    if (c.instead && c.instead != at)
        note_more(which, argument, c.instead, due, 0);
    else
        note_more(which, c.odd, at, c.detail, due);
}

// An argument that is written with `what`: in a place of its own, not where `read`, which the function reads, lies.
static void gives(lab_called which, int argument, const void *p, lab_layer_buffer what, lab_layer_buffer read) {
    const lab_layer_buffer at = buffer_of(p);
    const int is_of_the_model = at >= LAB_IN_X && at <= LAB_IN_LENGTHS;
    if (is_of_the_model || (at != LAB_IN_NOTHING && now.holds[at] == read && !same_order(read, what)))
        note(which, argument, at, what);
}

static void leave(const void *p, lab_layer_buffer what, size_t n) {
    const lab_layer_buffer at = buffer_of(p);
    if (at > LAB_IN_LENGTHS || at == LAB_IN_Y) now.holds[at] = what;
    if (looks() && at) lab_contents_keep(what, p, offset_of(p), n);
}

static size_t numbers(attn_shape s) { return (size_t)s.batch * s.heads * s.seq_q * s.head_dim; }

// Sequences one by one: each begins where the one before it ends.
static void note_offset(lab_called which, int argument, const void *p, attn_shape s) {
    const size_t one = (size_t)s.heads * now.at.seq * s.head_dim, at = offset_of(p);
    if (s.batch == 1 && s.head_dim == now.at.head_dim && buffer_of(p) && at % one)
        note_more(which, LAB_CALL_OFFSET, (int)at, (int)one, argument);
}

// lengths[b] of all sequences, before append and after it. What a prefill has left wrong is seen in the cache at the end.
static void note_lengths(lab_called which, const int *lengths, int more) {
    if (!looks() || !now.counted || buffer_of(lengths) != LAB_IN_LENGTHS) return;
    const int *got = (const int *)lab_contents_read(lengths, now.at.batch);
    for (int b = 0; got && b < now.at.batch; b++)
        if (got[b] != now.at.past[b] + more) note_more(which, LAB_CALL_LENGTH, got[b], now.at.past[b] + more, b);
}

// The slot in which an append of the layer's own has left k of the new token.
static void note_slots(lab_called when, const void *K) {
    for (int b = 0; b < now.at.batch && looks(); b++) {
        const int slot = lab_contents_slot(&now.at, K, b);
        if (slot > -2 && slot != now.at.past[b]) note_more(when, LAB_CALL_APPENDED, slot, now.at.past[b], b);
    }
}

// Several sequences or heads in one call lie S rows apart; one alone may be taken to its own end.
static void note_rows(lab_called which, int argument, attn_shape s) {
    if ((size_t)s.batch * s.heads > 1) note(which, argument, s.seq_q, now.at.seq);
}

// In a decode step nothing is known of its arguments: that decode is never called is what has to be said.
static attn_status flash(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    const float *const p[] = {Q, K, V};
    const lab_layer_buffer due[] = {LAB_IN_Q, LAB_IN_K, LAB_IN_V};
    enter(LAB_FLASH, __builtin_return_address(0), stream);
    if (!now.at.decode) {
        for (int i = 0; i < 3; i++) gives(LAB_FLASH, 0, O, LAB_IN_O, due[i]);
        for (int i = 0; i < 3; i++) note_offset(LAB_FLASH, 1 + i, p[i], s);
        for (int i = 0; i < 3; i++) takes(LAB_FLASH, 1 + i, p[i], due[i], numbers(s));
        note_rows(LAB_FLASH, 4, s);
        note(LAB_FLASH, 5, s.seq_kv, s.seq_q);
        note(LAB_FLASH, 6, s.head_dim, now.at.head_dim);
        note(LAB_FLASH, 7, s.causal != 0, 1);
    }
    const attn_status status = now.real.flash(O, Q, K, V, s, stream);
    leave(O, LAB_IN_O, numbers(s));
    now.refused |= status == ATTN_BAD_SHAPE;
    return status;
}

static attn_status append(float *K, float *V, int *lengths, const float *k, const float *v, attn_cache c,
                          cudaStream_t stream) {
    const void *p[] = {K, V, lengths, k, v};
    const lab_layer_buffer due[] = {LAB_IN_K_CACHE, LAB_IN_V_CACHE, LAB_IN_LENGTHS, LAB_IN_K, LAB_IN_V};
    const size_t n = (size_t)now.at.batch * now.at.E;
    enter(LAB_APPEND, __builtin_return_address(0), stream);
    for (int i = 0; i < 3; i++) takes_place(LAB_APPEND, i, p[i], due[i]);
    for (int i = 3; i < 5; i++) takes(LAB_APPEND, i, p[i], due[i], n);
    if (now.times[LAB_APPEND] == 1) note_lengths(LAB_APPEND, lengths, 0);
    return now.real.append(K, V, lengths, k, v, c, stream);
}

static attn_status decode(float *O, const float *Q, const float *K, const float *V, const int *lengths, attn_cache c,
                          cudaStream_t stream) {
    const void *p[] = {Q, K, V, lengths};
    const lab_layer_buffer due[] = {LAB_IN_Q, LAB_IN_K_CACHE, LAB_IN_V_CACHE, LAB_IN_LENGTHS};
    const size_t n = (size_t)now.at.batch * now.at.E;
    enter(LAB_DECODE, __builtin_return_address(0), stream);
    gives(LAB_DECODE, 0, O, LAB_IN_O, LAB_IN_Q);
    takes(LAB_DECODE, 1, Q, LAB_IN_Q, n);
    for (int i = 1; i < 4; i++) takes_place(LAB_DECODE, 1 + i, p[i], due[i]);
    if (!buffer_of(lengths)) note_more(LAB_DECODE, 4, LAB_IN_NOTHING, LAB_IN_LENGTHS, 0);
    if (!now.times[LAB_APPEND] && buffer_of(K) == LAB_IN_K_CACHE) note_slots(LAB_DECODE, K);
    note_lengths(LAB_DECODE, lengths, 1);
    const attn_status status = now.real.decode(O, Q, K, V, lengths, c, stream);
    leave(O, LAB_IN_O, n);
    return status;
}

static attn_status linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                          cudaStream_t stream) {
    enter(LAB_LINEAR, __builtin_return_address(0), stream);
    const int first = held_by(X) == LAB_IN_X || (now.times[LAB_LINEAR] == 1 && held_by(W) == LAB_IN_W_QKV);
    gives(LAB_LINEAR, 0, Y, first ? LAB_IN_QKV : LAB_IN_Y, first ? LAB_IN_X : LAB_IN_MERGED);
    takes(LAB_LINEAR, 1, X, first ? LAB_IN_X : LAB_IN_MERGED, (size_t)rows * n_in);
    takes_place(LAB_LINEAR, 2, W, first ? LAB_IN_W_QKV : LAB_IN_W_OUT);
    takes_place(LAB_LINEAR, 3, b, first ? LAB_IN_B_QKV : LAB_IN_B_OUT);
    note(LAB_LINEAR, 4, n_in, now.at.E);
    note(LAB_LINEAR, 5, n_out, (first ? 3 : 1) * now.at.E);
    now.rows[!first] += rows, now.rows_at[!first] = now.place;
    const attn_status status = now.real.linear(Y, X, W, b, rows, n_in, n_out, stream);
    leave(Y, first ? LAB_IN_QKV : LAB_IN_Y, (size_t)rows * n_out);
    return status;
}

static attn_status split_qkv(float *Q, float *K, float *V, const float *qkv, attn_shape s, cudaStream_t stream) {
    float *const p[] = {Q, K, V};
    const lab_layer_buffer what[] = {LAB_IN_Q, LAB_IN_K, LAB_IN_V};
    enter(LAB_SPLIT, __builtin_return_address(0), stream);
    for (int i = 0; i < 3; i++) gives(LAB_SPLIT, i, p[i], what[i], LAB_IN_QKV);
    takes(LAB_SPLIT, 3, qkv, LAB_IN_QKV, 3 * numbers(s));
    note_rows(LAB_SPLIT, 4, s);
    const attn_status status = now.real.split_qkv(Q, K, V, qkv, s, stream);
    for (int i = 0; i < 3; i++) leave(p[i], what[i], numbers(s));
    return status;
}

static attn_status merge_heads(float *Y, const float *O, attn_shape s, cudaStream_t stream) {
    enter(LAB_MERGE, __builtin_return_address(0), stream);
    gives(LAB_MERGE, 0, Y, LAB_IN_MERGED, LAB_IN_O);
    takes(LAB_MERGE, 1, O, LAB_IN_O, numbers(s));
    note_rows(LAB_MERGE, 2, s);
    const attn_status status = now.real.merge_heads(Y, O, s, stream);
    leave(Y, LAB_IN_MERGED, numbers(s));
    return status;
}

attn_functions lab_watched(attn_functions real) {
    now = {};
    now.real = real;
    return {flash, append, decode, linear, split_qkv, merge_heads};
}

// A decode step by kernels of the layer's own. With one token O and merged have the same order of numbers.
static void note_own_step(void) {
    const lab_layer_buffer at[] = {LAB_IN_O, LAB_IN_MERGED};
    if (now.first < 0 || now.times[LAB_DECODE] || now.times[LAB_FLASH]) return;
    if (!now.times[LAB_APPEND]) note_slots(LAB_THE_END, now.at.begin[LAB_IN_K_CACHE]);
    for (int i = 0; i < 2 && looks(); i++) {
        const int made = lab_contents_attended(&now.at, at[i]);
        if (made > LAB_MADE_RIGHT) note_more(LAB_THE_END, LAB_CALL_MADE, at[i], made, at[i]);
    }
    if (now.times[LAB_LINEAR] != 1 || !looks()) return;
    const int made = lab_contents_projected(&now.at);
    if (made != LAB_MADE_UNKNOWN && made != LAB_MADE_RIGHT)
        note_more(LAB_THE_END, LAB_CALL_MADE, LAB_IN_Y, made, LAB_IN_Y);
}

// With one head of one sequence in all, flash can read the cache as well as decode.
static void note_what_is_missing(void) {
    if (now.at.decode && now.at.batch * now.at.heads > 1 && now.times[LAB_FLASH] && !now.times[LAB_DECODE])
        note(LAB_FLASH, LAB_CALL_IN_DECODE, 1, 0);
    int rows = 0;  // of real tokens
    for (int b = 0; b < now.at.batch; b++) rows += now.at.count[b];
    for (int last = 0; last < 2; last++) {
        if (!now.log[0]) now.place = now.rows_at[last];
        if (now.rows[last] && now.rows[last] < rows)
            note_more(LAB_LINEAR, LAB_CALL_ROWS, now.rows[last], now.at.batch * now.at.seq, last);
    }
    now.place = 0;
    if (now.at.decode) note_own_step();
    if (now.times[LAB_LINEAR] > 1 || now.holds[LAB_IN_Y] != LAB_IN_Y)
        takes(LAB_THE_END, 0, now.at.begin[LAB_IN_Y], LAB_IN_Y, now.at.bytes[LAB_IN_Y] / sizeof(float));
    const int *lengths = (const int *)now.at.begin[LAB_IN_LENGTHS];
    if (now.at.decode) {
        note_lengths(LAB_THE_END, lengths, 1);
        return;
    }
    const int *got = looks() ? (const int *)lab_contents_read(lengths, now.at.batch) : NULL;
    now.counted = got != NULL;
    for (int b = 0; got && b < now.at.batch; b++) now.counted &= got[b] == now.at.count[b];
    int number = 0;
    long origin = -1;
    if (got && lab_contents_misplaced(&now.at, &number, &origin) && origin >= 0)
        note_more(LAB_THE_END, LAB_CALL_STORED, (int)origin, 0, number);
}

void lab_watch_call(const lab_watch *at) {
    if (!at && now.on) note_what_is_missing();
    now.on = at != NULL;
    if (!at) return;
    now.at = *at, now.first = -1;
    now.rows[0] = now.rows[1] = now.place = now.strayed = now.refused = 0;
    now.steps += at->decode;
    if (looks()) lab_contents_begin(at);
    for (int i = 0; i < LAB_N_CALLED; i++) now.times[i] = 0;
    for (int i = 0; i < LAB_N_BUFFERS; i++)
        now.holds[i] = i >= LAB_IN_X && i <= LAB_IN_LENGTHS ? (lab_layer_buffer)i : LAB_IN_NOTHING;
}

const int *lab_watch_log(void) { return now.log; }

int lab_watch_strayed(void) { return now.strayed; }

int lab_watch_refused(void) { return now.refused; }

int lab_watch_first(void) { return now.first; }
