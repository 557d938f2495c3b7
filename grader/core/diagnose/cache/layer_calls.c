// layer_calls.c: task 6: a call of flash, append, decode, linear, split_qkv or merge_heads with another argument than
// task6.h says. Nothing is guessed: the driver has seen the call.
#include "layer_calls.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heuristics.h"
#include "layer.h"

typedef struct {
    const char *name;
    int is_number;
} argument;

static const struct {
    const char *name;
    argument of[LAB_CALL_IN_DECODE];
} called[LAB_N_CALLED] = {
    [LAB_FLASH] = {"flash",
                   {{"O"},
                    {"Q"},
                    {"K"},
                    {"V"},
                    {"shape.seq_q", 1},
                    {"shape.seq_kv", 1},
                    {"shape.head_dim", 1},
                    {"shape.causal", 1}}},
    [LAB_APPEND] = {"append", {{"K_cache"}, {"V_cache"}, {"lengths"}, {"k_new"}, {"v_new"}}},
    [LAB_DECODE] = {"decode", {{"O"}, {"Q"}, {"K_cache"}, {"V_cache"}, {"lengths"}}},
    [LAB_LINEAR] = {"linear", {{"Y"}, {"X"}, {"W"}, {"b"}, {"n_in", 1}, {"n_out", 1}}},
    [LAB_SPLIT] = {"split_qkv", {{"Q"}, {"K"}, {"V"}, {"qkv"}, {"shape.seq_q", 1}}},
    [LAB_MERGE] = {"merge_heads", {{"Y"}, {"O"}, {"shape.seq_q", 1}}},
};

static const char *const buffers[LAB_N_BUFFERS] = {
    [LAB_IN_Y] = "Y",
    [LAB_IN_X] = "X",
    [LAB_IN_W_QKV] = "weights.W_qkv",
    [LAB_IN_B_QKV] = "weights.b_qkv",
    [LAB_IN_W_OUT] = "weights.W_out",
    [LAB_IN_B_OUT] = "weights.b_out",
    [LAB_IN_K_CACHE] = "cache.K",
    [LAB_IN_V_CACHE] = "cache.V",
    [LAB_IN_LENGTHS] = "cache.lengths",
    [LAB_IN_QKV] = "work.qkv",
    [LAB_IN_Q] = "work.Q",
    [LAB_IN_K] = "work.K",
    [LAB_IN_V] = "work.V",
    [LAB_IN_O] = "work.O",
    [LAB_IN_MERGED] = "work.merged",
};

static const char *const orders[LAB_N_ORDERS] = {
    [LAB_ORDER_DIMS_FIRST] = "dim d of head h stands in column d * heads + h there: it is h * head_dim + d",
    [LAB_ORDER_HEADS_APART] = "rows of [B, H, S, D] and of [B, S, E] are taken for the same: the order of their "
                              "numbers is another",
    [LAB_ORDER_BY_HEAD] = "it is read from work.qkv as [B, S, H, 3, D]: columns are those of q, then of k, then of v",
    [LAB_ORDER_PARTS] = "it is read from work.qkv as [3, B, S, E]: each of its rows has 3 E numbers, q, k and v",
};

// A number that is said of the model's tokens: lengths, slots, rows.
static int explain_count(const lab_symptom *s, const int32_t log[LAB_CALL_LOG], char *text, size_t size) {
    const int which = log[1], got = log[3], due = log[4], more = log[5],
              heads = s->shape.heads > 1 ? s->shape.heads : 99;
    const char *when = which == LAB_THE_END  ? "after a decode step"
                       : which == LAB_APPEND ? "when append"
                                             : "when decode";
    const char *called = which == LAB_THE_END ? "" : " is called";
    switch (log[2]) {
    case LAB_CALL_ROWS:
        snprintf(text, size, "matches a call of linear with rows = %d: %s has rows for all tokens, B * S = %d%s", got,
                 more ? "the last product" : "the first product", due,
                 got == s->shape.batch ? "; B is no row count" : "");
        return 1;
    case LAB_CALL_LEFT_OUT:
        if (due < 1 || got < 0) return 0;
        snprintf(text, size,
                 "matches calls of linear that leave out row %d of %s, token %d of sequence %d: row t of sequence b is "
                 "row b * S + t, with padding between",
                 got, more ? "work.merged" : "X", got % due, got / due);
        return 1;
    case LAB_CALL_LENGTH:
        snprintf(text, size, "matches lengths[%d] = %d %s%s: it is %d; append alone changes it, by 1 a token%s", more,
                 got, when, called, due,
                 which == LAB_APPEND && got == 1 && due > 1 ? ", and count[b], 1 here, is its number in prefill alone"
                 : which == LAB_DECODE && got == due + heads - 1 ? ": does each head add 1, or is append called twice?"
                                                                 : "");
        return 1;
    case LAB_CALL_APPENDED:
        if (got < 0)
            snprintf(text, size,
                     "matches a decode step that leaves k of the new token of sequence %d nowhere in its cache: it "
                     "belongs into slot past[b] = %d",
                     more, due);
        else
            snprintf(text, size,
                     "matches a new token of sequence %d in slot %d of the cache: it belongs into slot past[b] = %d%s",
                     more, got, due, got == due + 1 ? ", lengths[b] before it grows" : "");
        return 1;
    }
    return 0;
}

// Where numbers in the cache come from. They may be right ones in a wrong place (cache_state.c).
static int explain_stored(const lab_symptom *s, const int32_t log[LAB_CALL_LOG], char *text, size_t size) {
    const int E = s->shape.heads * s->shape.head_dim, slots = s->shape.seq_kv, from = log[3];
    const int head = log[5] / slots, of_v = head >= s->shape.batch * s->shape.heads;
    if (from < 0 || log[5] < 0) return 0;
    const int h = head % s->shape.heads, b = head / s->shape.heads % s->shape.batch, part = 1 + of_v;
    const int S = s->extra[1] == LAB_BESIDES_PADDING ? s->shape.seq_q : lab_layer_longest(s->in[6], s->shape.batch);
    const int row = b * S + log[5] % slots, D = s->shape.head_dim, apart = part * s->shape.batch * S * E + row * E;
    const char *as = s->shape.heads > 1 && from == row * 3 * E + (3 * h + part) * D ? "[B, S, H, 3, D]"
                     : from == apart + h * D                                        ? "[3, B, S, E]"
                                                                                    : NULL;
    if (as)
        return snprintf(
                   text, size,
                   "matches a prompt stored from work.qkv as if that were %s: it is [B, S, 3 E], of each row q of all "
                   "heads first, then k, then v",
                   as) > 0;
    snprintf(
        text, size,
        "matches a prompt stored from other numbers: slot %d of sequence %d, head %d of %c_cache holds numbers %d.. "
        "of row %d of work.qkv, [B, S, 3 E]: %s",
        log[5] % slots, head / s->shape.heads % s->shape.batch, head % s->shape.heads, of_v ? 'V' : 'K', from % (3 * E),
        from / (3 * E), of_v ? "split_qkv leaves V in work.V" : "split_qkv leaves K in work.K");
    return 1;
}

static void name_scale(const lab_symptom *s, float f, char *text, size_t size) {
    const float root = sqrtf((float)s->shape.head_dim);
    snprintf(text, size, fabsf(f * root - 1) < 1e-3f ? "divided by sqrt(head_dim)" : "multiplied by %.4g", f);
}

// Whatever is called with a part of work.qkv as Q, K or V: split_qkv has not been there.
static int is_unsplit(const int32_t log[LAB_CALL_LOG]) {
    const int of = log[5];
    return log[2] == LAB_CALL_CHANGED && log[3] == LAB_IN_QKV && (of == LAB_IN_Q || of == LAB_IN_K || of == LAB_IN_V);
}

// What the tensors hold.
static int explain_content(const lab_symptom *s, const int32_t log[LAB_CALL_LOG], char *text, size_t size) {
    const int which = log[1], at = log[3], of = log[5];
    if (is_unsplit(log))
        return snprintf(text, size,
                        "matches work.qkv that is taken for Q, K and V, one behind the other: in each of its rows q, k "
                        "and v of a token stand side by side, [B, S, 3 E]. split_qkv makes Q, K and V of it, [B, H, S, "
                        "D], in work.Q, work.K and work.V") > 0;
    if (of <= LAB_IN_NOTHING || of >= LAB_N_BUFFERS || at <= LAB_IN_NOTHING || at >= LAB_N_BUFFERS) return 0;
    char when[64] = "that the layer returns", how[64];
    if (which < LAB_N_CALLED) snprintf(when, sizeof when, "that %s gets as %s", called[which].name, buffers[of] + 5);
    if (which < LAB_N_CALLED && of == LAB_IN_MERGED) snprintf(when, sizeof when, "that the last product gets");
    float f;
    memcpy(&f, &log[4], sizeof f);
    switch (log[2]) {
    case LAB_CALL_SCALED:
        name_scale(s, f, how, sizeof how);
        snprintf(text, size, "matches %s %s whose numbers have been %s%s", buffers[at], when, how,
                 which == LAB_FLASH || which == LAB_DECODE ? ": flash and decode scale themselves" : "");
        return 1;
    case LAB_CALL_ADDED:
        snprintf(text, size, "matches %s %s with X added: the layer is attention alone, the residual is the model's",
                 buffers[at], when);
        return 1;
    case LAB_CALL_ORDER:
        if (log[4] < 0 || log[4] >= LAB_N_ORDERS) return 0;
        if (which == LAB_LINEAR && at == LAB_IN_O && of == LAB_IN_MERGED && log[4] == LAB_ORDER_HEADS_APART)
            return snprintf(text, size,
                            "matches work.O that the last product gets as the attention left it, [B, H, S, D]: "
                            "merge_heads comes first, and the product with W_out takes its rows, [B, S, E]") > 0;
        snprintf(text, size, "matches %s %s in another order: %s", buffers[at], when, orders[log[4]]);
        return 1;
    case LAB_CALL_CHANGED:
        snprintf(text, size,
                 log[4] == LAB_CHANGE_NAN && of == LAB_IN_O
                     ? "matches %s %s with numbers that nobody has written: flash has to write all of it, and in a "
                       "decode step decode"
                 : log[4] == LAB_CHANGE_NAN ? "matches %s %s with numbers that nobody has written, or that became NaN"
                                            : "matches %s %s with other numbers than %s",
                 buffers[at], when,
                 of == LAB_IN_Y                       ? "the last product wrote: what comes after it changes them"
                 : of == LAB_IN_MERGED                ? "the heads of work.O, side by side"
                 : of == LAB_IN_QKV || of == LAB_IN_X ? "what was left there: something changes them before"
                                                      : "those that came out of the first product and the attention");
        return 1;
    }
    return 0;
}

// The line is put in where the file is known: from (at 0x...).
static void add_place(int place, char *text, size_t size) {
    const size_t used = strlen(text);
    if (place > 0) snprintf(text + used, size - used, " (at 0x%x)", (unsigned)place);
}

// Does a sequence begin behind the tokens of those before it, `at` numbers on, with no padding between?
static int is_packed(const lab_symptom *s, int at) {
    int behind = 0, packed = 0;
    for (int b = 0; b + 1 < s->shape.batch; b++) {
        behind += lab_int_at(s->in[6], b) * s->shape.heads * s->shape.head_dim;
        packed |= at == behind;
    }
    return packed;
}

static const char packed_prompts[] =
    "matches prompts taken for packed, H * count[b] * D numbers for each sequence: in work.Q, K, V and O padding lies, "
    "too. Sequence b begins b * H * S * D numbers on, and flash gets S rows of it";

static int explain_argument(const lab_symptom *s, const int32_t log[LAB_CALL_LOG], char *text, size_t size) {
    const int which = log[1], got = log[3], due = log[4];
    const argument a = called[which].of[log[2]];
    if (!a.name) return 0;
    if (which == LAB_FLASH && log[2] == LAB_FLASH_ROWS && is_packed(s, log[5]))
        return snprintf(text, size, "%s", packed_prompts) > 0;
    if (a.is_number) {
        const char *why = "";
        if (strstr(a.name, "seq_")) why = ", S: the heads of work.Q, K, V and O lie S rows apart";
        if (a.name[0] == 'n') why = due == 3 * s->shape.heads * s->shape.head_dim ? ", 3 E" : ", E";
        snprintf(text, size, "matches a call of %s with %s = %d: it is %d%s", called[which].name, a.name, got, due,
                 why);
        return 1;
    }
    if (due <= LAB_IN_NOTHING || due >= LAB_N_BUFFERS || got < LAB_IN_NOTHING || got >= LAB_N_BUFFERS) return 0;
    const int is_elsewhere = due >= LAB_IN_QKV && strchr("Q K V O", a.name[0]) && strcmp(buffers[due] + 5, a.name);
    if (got && is_elsewhere) {
        snprintf(
            text, size,
            "matches a call of %s that gets %s as %s, while %s was written to %s: which of the two calls has another "
            "argument than task6.h says?",
            called[which].name, buffers[got], a.name, a.name, buffers[due]);
        return 1;
    }
    const int of_cache = which == LAB_FLASH && (got == LAB_IN_K_CACHE || got == LAB_IN_V_CACHE);
    snprintf(text, size, "matches a call of %s that gets %s as %s: it is %s%s", called[which].name,
             got == LAB_IN_NOTHING ? "another pointer" : buffers[got], a.name, buffers[due],
             of_cache ? ", of this call, with seq_kv = S; in the cache heads lie max_seq slots apart, and nobody has "
                        "written those behind the prompt"
                      : "");
    return 1;
}

int lab_explain_layer_call(const lab_symptom *s, char *text, size_t size) {
    int32_t log[LAB_CALL_LOG];
    if (!s->work) return 0;
    memcpy(log, s->work + 2 * lab_elements_kv(s->shape) + s->shape.batch, sizeof log);
    const int which = log[1], odd = log[2], place = log[6];
    if (log[0] != LAB_CALL_IS_ODD || which < 0 || which > LAB_THE_END || odd < 0 || odd >= LAB_CALL_END_ODD) return 0;
    if (which == LAB_THE_END && odd < LAB_CALL_LENGTH) return 0;  // no call has arguments there
    int known = 0, certain = odd == LAB_CALL_LENGTH || odd == LAB_CALL_APPENDED ? LAB_SEEN_TOO : LAB_SEEN;
    if (odd == LAB_CALL_STORED || odd == LAB_CALL_CHANGED || (odd == LAB_CALL_MADE && log[4] < 0))
        certain = is_unsplit(log) ? LAB_SEEN : LAB_SEEN_LAST;
    if (odd < LAB_CALL_IN_DECODE)
        known = explain_argument(s, log, text, size), certain = strstr(text, "while") ? LAB_SEEN : LAB_SEEN_TOO;
    else if (odd == LAB_CALL_IN_DECODE)
        known = snprintf(text, size,
                         "matches a decode step that calls flash, and decode never: the new token attends to all that "
                         "the cache holds, whose heads lie max_seq slots apart and whose sequences have lengths of "
                         "their own, and only decode reads that") > 0;
    else if (odd == LAB_CALL_OFFSET && is_packed(s, log[3]))
        known = snprintf(text, size, "%s", packed_prompts) > 0;
    else if (odd == LAB_CALL_OFFSET && log[5] >= 0 && log[5] < LAB_CALL_IN_DECODE)
        known = snprintf(text, size,
                         "matches a call of flash for one sequence whose %s begins %d numbers on: sequence b begins "
                         "b * H * S * D numbers on, a multiple of %d",
                         called[LAB_FLASH].of[log[5]].name, log[3], log[4]) > 0;
    else if (odd == LAB_CALL_STREAM)
        known = snprintf(text, size,
                         "matches a call of %s on %s stream: all that the layer calls gets the `stream` that the layer "
                         "was given",
                         called[which].name, log[3] ? "another" : "the default") > 0;
    else if (odd == LAB_CALL_OF_PROMPT && which == LAB_DECODE)
        known =
            snprintf(text, size,
                     "matches a call of decode in a prefill: it has one token of each sequence, [B, H, D], and the S "
                     "tokens of a prompt, [B, H, S, D], are flash's") > 0;
    else if (odd == LAB_CALL_OF_PROMPT)
        known =
            snprintf(text, size,
                     "matches a call of append in a prefill, with a part of work.K as k_new: append takes one token's "
                     "[B, H, D], and in work.K, [B, H, S, D], the heads of a token lie S rows apart") > 0;
    else if (odd == LAB_CALL_MADE)
        known = lab_explain_made(log[5], log[4], text, size);
    else if (odd == LAB_CALL_STORED)
        known = explain_stored(s, log, text, size);
    else
        known = explain_count(s, log, text, size) || explain_content(s, log, text, size);
    if (known) add_place(place, text, size);
    return known ? certain : 0;
}
