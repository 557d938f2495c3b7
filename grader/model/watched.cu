// watched.cu: the functions that a layer calls, which keep the first argument that is not what task6.h says: a tensor
// in the place of another, a size. It is said only where the result is wrong. What a right layer may do in its own way
// passes: several calls in place of one, work buffers used otherwise (what matters is what lies in them), and kernels of
// its own, of which nothing is known here.
#include "network.h"
#include "watched.h"

static struct {
    lab_watch at;
    attn_functions real;
    int on, log[LAB_CALL_LOG];
    int first, times[LAB_N_CALLED];         // of this call of the layer
    lab_layer_buffer holds[LAB_N_BUFFERS];  // what has been left there; LAB_IN_NOTHING: not by a function seen here
} now;

static void note(lab_called which, int argument, int got, int due) {
    if (!now.on || got == due || now.log[0]) return;
    const int log[LAB_CALL_LOG] = {LAB_CALL_IS_ODD, which, argument, got, due};
    for (int i = 0; i < LAB_CALL_LOG; i++) now.log[i] = log[i];
}

static void enter(lab_called which) {
    if (now.first < 0) now.first = which;
    now.times[which]++;
}

static lab_layer_buffer buffer_of(const void *p) {
    for (int i = 1; i < LAB_N_BUFFERS; i++)
        if (p >= now.at.begin[i] && (const char *)p < (const char *)now.at.begin[i] + now.at.bytes[i])
            return (lab_layer_buffer)i;
    return LAB_IN_NOTHING;
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
static void takes(lab_called which, int argument, const void *p, lab_layer_buffer due) {
    const lab_layer_buffer at = buffer_of(p), holder = holder_of(due);
    if (at == LAB_IN_NOTHING || holder == LAB_IN_NOTHING || now.holds[at] == due || same_order(now.holds[at], due))
        return;
    note(which, argument, at, holder);
}

// An argument that is written with `what`: in a place of its own, not where `read`, which the function reads, lies.
static void gives(lab_called which, int argument, const void *p, lab_layer_buffer what, lab_layer_buffer read) {
    const lab_layer_buffer at = buffer_of(p);
    const int is_of_the_model = at >= LAB_IN_X && at <= LAB_IN_LENGTHS;
    if (is_of_the_model || (at != LAB_IN_NOTHING && now.holds[at] == read && !same_order(read, what)))
        note(which, argument, at, what);
}

static void leave(const void *p, lab_layer_buffer what) {
    const lab_layer_buffer at = buffer_of(p);
    if (at > LAB_IN_LENGTHS || at == LAB_IN_Y) now.holds[at] = what;
}

// Several sequences or heads in one call lie S rows apart; one alone may be taken to its own end.
static void note_rows(lab_called which, int argument, attn_shape s) {
    if ((size_t)s.batch * s.heads > 1) note(which, argument, s.seq_q, now.at.seq);
}

// In a decode step nothing is known of its arguments: that decode is never called is what has to be said.
static attn_status flash(float *O, const float *Q, const float *K, const float *V, attn_shape s, cudaStream_t stream) {
    const float *const p[] = {Q, K, V};
    const lab_layer_buffer due[] = {LAB_IN_Q, LAB_IN_K, LAB_IN_V};
    enter(LAB_FLASH);
    if (!now.at.decode) {
        for (int i = 0; i < 3; i++) gives(LAB_FLASH, 0, O, LAB_IN_O, due[i]);
        for (int i = 0; i < 3; i++) takes(LAB_FLASH, 1 + i, p[i], due[i]);
        note_rows(LAB_FLASH, 4, s);
        note(LAB_FLASH, 5, s.seq_kv, s.seq_q);
        note(LAB_FLASH, 6, s.head_dim, now.at.head_dim);
        note(LAB_FLASH, 7, s.causal != 0, 1);
    }
    leave(O, LAB_IN_O);
    return now.real.flash(O, Q, K, V, s, stream);
}

static attn_status append(float *K, float *V, int *lengths, const float *k, const float *v, attn_cache c,
                          cudaStream_t stream) {
    const void *p[] = {K, V, lengths, k, v};
    const lab_layer_buffer due[] = {LAB_IN_K_CACHE, LAB_IN_V_CACHE, LAB_IN_LENGTHS, LAB_IN_K, LAB_IN_V};
    enter(LAB_APPEND);
    for (int i = 0; i < 5; i++) takes(LAB_APPEND, i, p[i], due[i]);
    return now.real.append(K, V, lengths, k, v, c, stream);
}

static attn_status decode(float *O, const float *Q, const float *K, const float *V, const int *lengths, attn_cache c,
                          cudaStream_t stream) {
    const void *p[] = {Q, K, V, lengths};
    const lab_layer_buffer due[] = {LAB_IN_Q, LAB_IN_K_CACHE, LAB_IN_V_CACHE, LAB_IN_LENGTHS};
    enter(LAB_DECODE);
    gives(LAB_DECODE, 0, O, LAB_IN_O, LAB_IN_Q);
    for (int i = 0; i < 4; i++) takes(LAB_DECODE, 1 + i, p[i], due[i]);
    leave(O, LAB_IN_O);
    return now.real.decode(O, Q, K, V, lengths, c, stream);
}

static attn_status linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                          cudaStream_t stream) {
    enter(LAB_LINEAR);
    const int first = held_by(X) == LAB_IN_X || (now.times[LAB_LINEAR] == 1 && held_by(W) == LAB_IN_W_QKV);
    gives(LAB_LINEAR, 0, Y, first ? LAB_IN_QKV : LAB_IN_Y, first ? LAB_IN_X : LAB_IN_MERGED);
    takes(LAB_LINEAR, 1, X, first ? LAB_IN_X : LAB_IN_MERGED);
    takes(LAB_LINEAR, 2, W, first ? LAB_IN_W_QKV : LAB_IN_W_OUT);
    takes(LAB_LINEAR, 3, b, first ? LAB_IN_B_QKV : LAB_IN_B_OUT);
    note(LAB_LINEAR, 4, n_in, now.at.E);
    note(LAB_LINEAR, 5, n_out, (first ? 3 : 1) * now.at.E);
    leave(Y, first ? LAB_IN_QKV : LAB_IN_Y);
    return now.real.linear(Y, X, W, b, rows, n_in, n_out, stream);
}

static attn_status split_qkv(float *Q, float *K, float *V, const float *qkv, attn_shape s, cudaStream_t stream) {
    float *const p[] = {Q, K, V};
    const lab_layer_buffer what[] = {LAB_IN_Q, LAB_IN_K, LAB_IN_V};
    enter(LAB_SPLIT);
    for (int i = 0; i < 3; i++) gives(LAB_SPLIT, i, p[i], what[i], LAB_IN_QKV);
    takes(LAB_SPLIT, 3, qkv, LAB_IN_QKV);
    note_rows(LAB_SPLIT, 4, s);
    for (int i = 0; i < 3; i++) leave(p[i], what[i]);
    return now.real.split_qkv(Q, K, V, qkv, s, stream);
}

static attn_status merge_heads(float *Y, const float *O, attn_shape s, cudaStream_t stream) {
    enter(LAB_MERGE);
    gives(LAB_MERGE, 0, Y, LAB_IN_MERGED, LAB_IN_O);
    takes(LAB_MERGE, 1, O, LAB_IN_O);
    note_rows(LAB_MERGE, 2, s);
    leave(Y, LAB_IN_MERGED);
    return now.real.merge_heads(Y, O, s, stream);
}

attn_functions lab_watched(attn_functions real) {
    now = {};
    now.real = real;
    return {flash, append, decode, linear, split_qkv, merge_heads};
}

// With one head of one sequence in all, flash can read the cache as well as decode.
static void note_what_is_missing(void) {
    if (now.at.decode && now.at.batch * now.at.heads > 1 && now.times[LAB_FLASH] && !now.times[LAB_DECODE])
        note(LAB_FLASH, LAB_CALL_IN_DECODE, 1, 0);
}

void lab_watch_call(const lab_watch *at) {
    if (!at) note_what_is_missing();
    now.on = at != NULL;
    if (!at) return;
    now.at = *at, now.first = -1;
    for (int i = 0; i < LAB_N_CALLED; i++) now.times[i] = 0;
    for (int i = 0; i < LAB_N_BUFFERS; i++)
        now.holds[i] = i >= LAB_IN_X && i <= LAB_IN_LENGTHS ? (lab_layer_buffer)i : LAB_IN_NOTHING;
}

const int *lab_watch_log(void) { return now.log; }

int lab_watch_first(void) { return now.first; }
