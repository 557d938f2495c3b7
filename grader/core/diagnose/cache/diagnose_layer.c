// diagnose_layer.c: which mistake was it, in the attention layer of task 6?
#include "heuristics.h"

#include <stdio.h>
#include <string.h>

#include "layer.h"
#include "layer_calls.h"

static const char *const sentence[LAB_N_LAYER_MISTAKES] = {
    [LAB_PADS_ARE_TOKENS] = "matches decode over the padding, too: lengths[b] is count[b], not S",
    [LAB_LENGTH_OF_SEQUENCE0] = "matches sequence 0's length for every sequence: lengths[b] is count[b]",
    [LAB_PREFILL_SEES_ALL] = "matches prefill without the causal mask: a prompt is causal, in training and here",
    [LAB_PREFILL_SWAPS] = "matches K and V swapped in prefill",
    [LAB_PREFILL_Q_AS_K] = "matches Q used in place of K in prefill",
    [LAB_PREFILL_Q_K] = "matches Q and K swapped in prefill: flash takes O, Q, K, V",
    [LAB_STORE_Q_AS_K] = "matches Q stored in place of K",
    [LAB_APPEND_Q_AS_K] = "matches q and k appended in place of k and v: append takes work.K and work.V",
    [LAB_DECODE_OF_WORK] = "matches decode over work.K and work.V, which hold the new token alone: decode takes "
                           "cache.K and cache.V, [B, H, max_seq, D]",
    [LAB_DECODE_K_AS_V] = "matches K_cache given to decode in place of V_cache",
    [LAB_DECODE_Q_OF_QKV] = "matches work.qkv, [B, S, 3 E], given to decode in place of work.Q, [B, H, D]",
    [LAB_STORE_MISSING] = "matches decode that sees nothing of the prompt: are its K and V stored, and lengths[b] set?",
    [LAB_STORE_SWAPS] = "matches K and V swapped where the prompt is stored",
    [LAB_STORE_K_AS_V] = "matches K stored in place of V",
    [LAB_STORE_SEQUENCE0] = "matches the prompt of sequence 0 stored for every sequence: look at the source's offset",
    [LAB_STORE_HEAD0] = "matches head 0 of the prompt stored for every head: look at the source's offset",
    [LAB_STORE_ONE_SHORT] = "matches a prompt whose last token is missing in the cache: lengths[b] is count[b]",
    [LAB_APPEND_MISSING] = "matches decode over the prompt alone: is the new token appended, and before decode?",
    [LAB_APPEND_LATE] = "matches decode before append: a token attends to itself, so its k and v must be there first",
    [LAB_APPEND_SWAPS] = "matches k and v swapped where a token is appended",
    [LAB_APPEND_REPLACES] = "matches new tokens that replace each other: the length does not grow",
    [LAB_DECODE_FORGETS] = "matches decode that sees its own token only: the cache is not read, or S = 1 is taken for "
                           "prefill; past tells them apart",
    [LAB_DECODE_SWAPS] = "matches K and V swapped in decode",
    [LAB_NO_BIAS_IN] = "matches b_qkv left out",
    [LAB_NO_BIAS_OUT] = "matches b_out left out",
    [LAB_BIAS_IN_AS_OUT] = "matches b_qkv used in place of b_out",
    [LAB_OUT_OF_Q] =
        "matches Q projected in place of the attention: the last product takes what merge_heads has written",
    [LAB_OUT_UNMERGED] =
        "matches heads that are not merged before the last product: it takes what merge_heads has written",
    [LAB_OUT_BY_W_QKV] = "matches W_qkv used in place of W_out in the last product",
};

// The first row, of all sequences, in which a call is wrongly refused (found = 1) or wrongly not refused (-1).
static size_t wrong_refusal(const lab_symptom *s, int *found) {
    const size_t T = s->shape.seq_q, E = (size_t)s->shape.heads * s->shape.head_dim, rows = s->shape.batch * T;
    *found = 0;
    for (size_t t = 0; t < T; t++)
        for (size_t r = t; r < rows; r += T) {
            const int refused = s->got[r * E] == LAB_REFUSED && s->got[r * E + 1] == LAB_REFUSED;
            const int due = s->want[r * E] == LAB_REFUSED && s->want[r * E + 1] == LAB_REFUSED;
            *found = refused - due;
            if (*found) return r;
        }
    return 0;
}

static void explain_refusal(const lab_symptom *s, size_t row, int found, char *text, size_t size) {
    const int S = lab_layer_longest(s->in[6], s->shape.batch), from = lab_layer_decodes_from(s->shape, s->in[6]);
    const int t = (int)(row % s->shape.seq_q);
    char call[64] = "the prefill";
    if (t >= S) snprintf(call, sizeof call, "a prompt of one token after it (past = 0)");
    if (t >= from)
        snprintf(call, sizeof call, "decode step %d (past = %d)", t - from + 1, S > s->shape.seq_kv ? t - S : t);
    snprintf(text, size,
             found > 0 ? "%s is refused, although past[b] + count[b] <= max_seq = %d for all sequences"
                       : "%s does not fit, max_seq is %d: the whole call must be refused with ATTN_CACHE_FULL",
             call, s->shape.seq_kv);
    const size_t used = strlen(text);
    if (found > 0 && t < S && s->extra[1] == LAB_BESIDES_PADDING)
        snprintf(text + used, size - used, "; S = %d counts the padding, which takes no slot", s->shape.seq_q);
}

// The first wrong element, in the order of the calls: *t is its row, *i its number. Returns 0 if there is none.
static int first_wrong(const lab_symptom *s, size_t *t, size_t *i) {
    const size_t T = s->shape.seq_q, E = (size_t)s->shape.heads * s->shape.head_dim;
    for (*t = 0; *t < T; ++*t)
        for (int b = 0; b < s->shape.batch; b++)
            for (size_t e = 0; e < E; e++)
                if (lab_element_bad(s, *i = (b * T + *t) * E + e, 0)) return 1;
    return 0;
}

static int is_poison(const float *x) {
    const uint32_t poison = LAB_ROW_POISON;
    return memcmp(x, &poison, sizeof poison) == 0;
}

// The first n rows of prefill's B * S are right, and the others were never written: they hold the poison itself. A NaN
// that came through a product, from what it reads, is another one. Padding says nothing.
static int explain_few_rows(const lab_symptom *s, char *text, size_t size) {
    const size_t T = s->shape.seq_q, E = (size_t)s->shape.heads * s->shape.head_dim, B = s->shape.batch;
    const int padded = s->extra[1] == LAB_BESIDES_PADDING;
    const size_t S = padded ? T : (size_t)lab_layer_longest(s->in[6], s->shape.batch);
    size_t first = B * S, last = 0;  // the first row that nobody wrote, the last one that is right
    for (size_t r = 0; r < B * S; r++) {
        const size_t b = r / S, at = (b * T + r % S) * E;
        if ((int)(r % S) >= lab_int_at(s->in[6], b)) continue;
        size_t unwritten = 0, bad = 0;
        for (size_t e = 0; e < E; e++) unwritten += is_poison(s->got + at + e), bad += lab_element_bad(s, at + e, 0);
        if (bad && unwritten < E) return 0;
        if (!bad)
            last = r;
        else if (first == B * S)
            first = r;
    }
    if (first == 0 || first == B * S || last > first || S < 2) return 0;
    snprintf(text, size,
             "matches a product of fewer rows than B * S = %zu: the first %zu rows of prefill's Y are written, the "
             "others are not%s",
             B * S, first, first == B ? "; B is the number of sequences" : "");
    return 1;
}

// In which of the calls it goes wrong.
static int explain_call(const lab_symptom *s, char *text, size_t size) {
    const size_t from = lab_layer_decodes_from(s->shape, s->in[6]);
    size_t t, i;
    if (!first_wrong(s, &t, &i)) return 0;
    const char *nan = lab_is_finite(s->got[i]) ? "" : "NaN: ";
    if (t < from)
        snprintf(text, size,
                 *nan
                     ? "%sprefill is wrong, and all that follows it. Something was read that nobody wrote, or a tensor "
                       "beyond its end (b_out has E numbers, b_qkv 3 E)"
                     : "%sprefill is wrong, and all that follows it: flash gets this call's Q, K and V, causal, with "
                       "seq_q = seq_kv = S; the products before and after it their own weights and biases",
                 nan);
    else
        snprintf(text, size,
                 "%sprefill is right, decode step %zu is not: slot j of head h of sequence b stands at "
                 "((b * H + h) * max_seq + j) * D, and slots from lengths[b] on hold NaN",
                 nan, t - from + 1);
    return 1;
}

// A mistake with a name, and the call that has it.
static void add_line(lab_guesses *g, const char *seen, char *text, size_t size) {
    const char *at = strstr(seen, " (at 0x");
    const size_t used = strlen(text);
    for (int i = 0; at && strncmp(seen, "matches a call", 14) == 0 && g && i < g->n; i++)
        if (strcmp(g->text[i], text) == 0) {
            snprintf(text + used, size - used, "%s", at);
            snprintf(g->text[i], sizeof g->text[i], "%s", text);
            return;
        }
}

int lab_diagnose_layer(const lab_symptom *s, char *text, size_t size) {
    int found = 0;
    const size_t row = wrong_refusal(s, &found);
    if (found) {
        explain_refusal(s, row, found, text, size);
        return 1;
    }
    char seen[320] = "";
    const int certain = lab_explain_layer_call(s, seen, sizeof seen);
    if (certain == LAB_SEEN) return lab_guess(s->guesses, seen, text, size);
    if (s->cmp.not_finite && certain != LAB_SEEN_TOO && explain_few_rows(s, text, size))
        return lab_guess(s->guesses, text, text, size);
    // NaN proves nothing: much reads what nobody wrote.
    const int known = !s->cmp.not_finite && lab_recognise(s, sentence, LAB_N_LAYER_MISTAKES, text, size);
    if (certain == LAB_SEEN_TOO) {
        if (known) add_line(s->guesses, seen, text, size);
        return lab_guess(s->guesses, seen, text, size);
    }
    if (known) return 1;
    size_t t, i;  // where prefill is wrong already, the cache is no cause
    if (first_wrong(s, &t, &i) && t >= (size_t)lab_layer_decodes_from(s->shape, s->in[6]) &&
        lab_explain_cache(s, text, size) &&
        !(certain && (strstr(text, "other numbers lie there") || strstr(seen, "as if that were"))))
        return lab_guess(s->guesses, text, text, size);
    text[0] = 0;
    if (certain) return lab_guess(s->guesses, seen, text, size);
    return explain_call(s, text, size);
}

int lab_diagnose_generated(const lab_symptom *s, char *text, size_t size) {
    const size_t n = s->shape.heads, columns = s->shape.head_dim;  // tokens of a sequence, numbers of a token
    for (size_t t = 0; t < n; t++)
        for (int b = 0; b < s->shape.batch; b++) {
            const size_t first = (b * n + t) * columns;
            int bad = 0;
            for (size_t c = 0; c < columns; c++) bad |= lab_element_bad(s, first + c, 0);
            if (!bad) continue;
            snprintf(text, size, "token %zu of sequence %d is the first that is wrong: %s", t, b,
                     t == 0 ? "it comes out of prefill" : "prefill is right, and decode is not");
            return 1;
        }
    return 0;
}
