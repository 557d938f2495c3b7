// probes_task6.c: the TODOs of task 6, one by one: what a probe (grader/probes/task6.cu) computes, and its claims.
#include "cases.h"
#include "layer.h"
#include "probes_task6.h"
#include "stored.h"

#include <stdio.h>
#include <string.h>

// ---- store_number: X [B, H, seq_q, D], of which count[b] rows are real, into X_cache [B, H, seq_kv, D]; tensor 1 is the
// state before

SIZES(store_number, s.batch *s.heads *s.seq_kv, s.head_dim, lab_elements_kv(s), lab_elements_q(s), s.batch)

FILL(store_number) {
    if (t == 3)
        lab_layer_prompts(s, s.seq_q, key, x);
    else
        lab_fill(x, store_number_elements(s, t), s.head_dim, kind, key);
}

// Where head bh begins, in rows of D numbers. A packed one lies behind count rows for each head before it, of its own
// sequence or of all.
enum { PACKED_OF_SEQUENCE = 1, PACKED, PACKINGS, PACKED_ONES = 8 };

static size_t head_begin(size_t bh, size_t heads, size_t rows, size_t count, int packed) {
    return packed == PACKED               ? bh * count
           : packed == PACKED_OF_SEQUENCE ? bh / heads * heads * rows + bh % heads * count
                                          : bh * rows;
}

enum { AT_THE_END = 17 };  // of the S slots: padding would come first

ORACLE(store_number) {
    const size_t D = s.head_dim, H = s.heads, S = s.seq_q, room = mistake == 1 ? S : (size_t)s.seq_kv;
    const int packed = mistake > PACKED_ONES && mistake < AT_THE_END ? mistake - PACKED_ONES : 0;
    for (size_t i = 0; i < store_number_elements(s, 0); i++) out[i] = in[1][i];
    for (size_t bh = 0; bh < s.batch * H; bh++) {
        const int count = lab_int_at(in[3], mistake == 2 ? 0 : bh / H);
        const size_t from = mistake == 3 ? bh % H : mistake == 4 ? bh / H * H : bh;
        const size_t first = mistake == 8 ? (S - count) * D : 0;
        const size_t rows = mistake == 5 ? S : (size_t)count - (mistake == 7), n = mistake == 6 ? rows : rows * D;
        const size_t x = head_begin(from, H, S, count, packed / PACKINGS) * D + first,
                     cache = head_begin(bh, H, room, count, packed % PACKINGS) * D;
        const size_t later = mistake == AT_THE_END ? (S - count) * D : 0;
        for (size_t i = 0; i < n; i++) out[cache + later + i] = in[2][x + i];
    }
    return 1;
}
// Every thread of the grid stores a number. Nobody else writes into the slots of head 0, so it shows there.
static int store_number_has_no_end(const lab_symptom *s, char *text, size_t size) {
    const size_t n = (size_t)lab_int_at(s->in[3], 0) * s->shape.head_dim;  // numbers of its tokens
    if (n >= (size_t)s->shape.seq_kv * s->shape.head_dim) return 0;
    for (size_t i = 0; i < n; i++)
        if (s->got[i] != s->want[i]) return 0;
    const size_t row = n + (size_t)s->shape.head_dim, all = (size_t)s->shape.seq_kv * s->shape.head_dim;
    const size_t end[] = {n + 1, row < all ? row : all};
    for (int i = 0; i < 2 && s->got[n] != s->want[n]; i++) {
        size_t k = n;
        while (k < all && (s->got[k] != s->want[k]) == (k < end[i])) k++;
        if (k == all && end[i] < all)
            return lab_guess(s->guesses,
                             i ? "matches a row more than count: rows 0 .. count - 1 are real, row count is padding"
                               : "matches a number more than count * D: i < count * D, and not <=",
                             text, size);
    }
    if (s->got[n] == s->want[n] || (n < store_number_elements(s->shape, 2) && s->got[n] != s->in[2][n])) return 0;
    size_t due = 0, stored = 0;  // of the tokens' numbers of all heads: where those lie elsewhere it is another mistake
    for (size_t k = 0; k < store_number_elements(s->shape, 0); k++)
        if (s->want[k] != s->in[1][k]) due++, stored += s->got[k] == s->want[k];
    if (2 * stored < due) return 0;
    return lab_guess(s->guesses, "matches a copy without an end: a thread stores its number only if i < count * D",
                     text, size);
}

// Of each head, numbers behind whole groups of so many are not stored: a block, a warp or a group of rows that the prompt
// fills in part does nothing.
static int stores_groups(const lab_symptom *s, size_t group, int *left) {
    const attn_shape a = s->shape;
    const size_t slots = (size_t)a.seq_kv * a.head_dim, prompt = (size_t)a.seq_q * a.head_dim;
    for (size_t i = 0; i < store_number_elements(a, 0); i++) {
        const size_t bh = i / slots, n = (size_t)lab_int_at(s->in[3], bh / a.heads) * a.head_dim;
        const int rest = i % slots >= n / group * group && i % slots < n, stored = i % slots < n && !rest;
        if (s->got[i] != (stored ? s->in[2][bh * prompt + i % slots] : s->in[1][i])) return 0;
        *left |= rest;
    }
    return 1;
}

static int store_number_lacks_rest(const lab_symptom *s, char *text, size_t size) {
    static const char sentence[] =
        "matches numbers behind the last whole group that are not stored: a block, or a group, "
        "that the prompt fills in part has numbers, too. Decide for each number by itself";
    char with[240];
    size_t is = 0;
    int fits = 0;
    for (size_t group = 2; group <= 1024; group *= 2) {
        int left = 0;
        if (stores_groups(s, group, &left) && left) is = group, fits++;
    }
    if (!fits) return 0;
    snprintf(with, sizeof with, fits == 1 ? "%s (groups of %zu)" : "%s", sentence, is);
    return lab_guess(s->guesses, with, text, size);
}

// Of each head one row alone is stored: row `from` of X in slot `to`, 0 or the last token's; S - 1 is the last of all.
static int stores_one_row(const lab_symptom *s, int from, int to) {
    const attn_shape a = s->shape;
    const size_t D = a.head_dim, slots = a.seq_kv * D;
    for (size_t i = 0; i < store_number_elements(a, 0); i++) {
        const size_t bh = i / slots, last = (size_t)lab_int_at(s->in[3], bh / a.heads) - 1;
        const size_t row = from == 2 ? (size_t)a.seq_q - 1 : from ? last : 0, slot = i % slots / D;
        const float is = slot == (to ? last : 0) ? s->in[2][(bh * a.seq_q + row) * D + i % D] : s->in[1][i];
        if (s->got[i] != is) return 0;
    }
    return 1;
}

static int store_number_one_row(const lab_symptom *s, char *text, size_t size) {
    static const char *const rows[] = {"0", "count - 1", "S - 1"};
    int known = 0;
    for (int i = 0; i < 6; i++) {
        char sentence[200];
        if (!stores_one_row(s, i / 2, i % 2)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches one row of each head, row %s of X in slot %s, and no other: all count tokens of a prompt are "
                 "stored, row t in slot t",
                 rows[i / 2], rows[i % 2]);
        known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

static int store_number_else(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    const long D = a.head_dim, slots = a.seq_kv, S = a.seq_q;
    const lab_stored t = {.from_tensor = s->in[2],
                          .extent = {a.batch, a.heads, S, D},
                          .step = {a.heads * slots * D, slots * D, D, 1},
                          .cache = store_number_elements(a, 0),
                          .name = {{"D", D},
                                   {"max_seq * D", slots * D},
                                   {"H * max_seq * D", a.heads * slots * D},
                                   {"S * D", S * D},
                                   {"H * S * D", a.heads * S * D},
                                   {"H * D", a.heads * D},
                                   {"max_seq", slots},
                                   {"S", S}},
                          .other = {{"S", S}, {"H", a.heads}, {"max_seq", slots}, {"B", a.batch}}};
    return store_number_one_row(s, text, size) || store_number_lacks_rest(s, text, size) ||
           lab_explain_stored(s, &t, text, size) || lab_explain_taken_from(s, &t, text, size) ||
           store_number_has_no_end(s, text, size);
}
#define CACHE_PACKED                                                                                                   \
    "matches heads of the cache that begin count * D numbers apart: each has room for max_seq slots, so head bh "      \
    "begins "                                                                                                          \
    "at bh * max_seq * D"
#define X_PACKED                                                                                                       \
    "matches heads of X that begin count * D numbers apart: each has S rows, padding included, so head bh begins at "  \
    "bh "                                                                                                              \
    "* S * D"
#define BOTH_PACKED                                                                                                    \
    "matches heads that begin count * D numbers apart in X and in the cache: in X it is S * D, padding included, and " \
    "max_seq * D in the cache"
// Of each sequence the first count * H * D numbers are copied as one run: either of two mistakes does that.
#define ONE_RUN                                                                                                        \
    "matches X and X_cache taken for [B, S, H, D] and [B, max_seq, H, D], or heads that begin count * D numbers "      \
    "apart in both: head bh begins at bh * S * D in X, and at bh * max_seq * D in the cache"
KNOWN_OR(
    store_number, store_number_else, "matches heads of the cache that are S slots apart: they are max_seq slots apart",
    "matches count[0] for every sequence", "matches the prompt of sequence 0 stored for every sequence",
    "matches head 0 of the prompt stored for every head",
    "matches padding that is stored, too: only count tokens are real",
    "matches count numbers of each head: count tokens are count * D numbers",
    "matches a prompt whose last token is not stored",
    "matches the last count rows of X: padding comes last, and the tokens are rows 0 .. count - 1", CACHE_PACKED,
    CACHE_PACKED, X_PACKED, ONE_RUN, BOTH_PACKED, X_PACKED, BOTH_PACKED, BOTH_PACKED,
    "matches a prompt whose last token is in slot S - 1, as if padding came first: it comes last, so row t goes to "
    "slot t")
PROBE(store_number, store_number, 4, .in_place = 1, .fill = store_number_fill,
      .tensors = {"X_cache", "the cache before", "X", "count"});

// ---- attend_to_prompt: in place of attention, Q + 2 K + 3 V; all [B, H, S, D]. Without a mask, the other sign

SIZES(attend_to_prompt, s.batch *s.heads *s.seq_q, s.head_dim, lab_elements_q(s), lab_elements_q(s), lab_elements_q(s))

ORACLE(attend_to_prompt) {
    static const int weight[][3] = {{1, 2, 3}, {-1, -2, -3}, {1, 3, 2}, {3, 0, 3}, {2, 1, 3}};
    for (size_t i = 0; i < lab_elements_q(s); i++) {
        out[i] = 0;
        for (int t = 0; t < 3; t++) out[i] += weight[mistake][t] * (double)in[1 + t][i];
    }
    return 1;
}
KNOWN_OR(attend_to_prompt, lab_say_handed, "matches attention without the causal mask: set shape.causal",
         "matches K and V swapped", "matches Q used in place of K", "matches Q and K swapped")
PROBE(attend_to_prompt, attend_to_prompt, 4, .tensors = {"O", "Q", "K", "V"});

// ---- attend_to_cache: in place of attention, Q + the sum over the cache of (j + 1) (2 K_j + 3 V_j). Tensor 1 is K, V and
// lengths of the cache before, 5 the same to work with; O, Q, K and V are [B, H, D]

enum { NO_APPEND = 1, APPEND_SWAPS, DECODE_SWAPS, APPEND_Q, APPEND_TWICE };

SIZES(attend_to_cache, s.batch *s.heads, s.head_dim, 2 * lab_elements_kv(s) + s.batch, s.batch *s.heads *s.head_dim,
      s.batch *s.heads *s.head_dim, s.batch *s.heads *s.head_dim, 2 * lab_elements_kv(s) + s.batch)

FILL(attend_to_cache) {
    lab_fill(x, attend_to_cache_elements(s, t), s.head_dim, kind, key);
    for (int b = 0; b < s.batch && t == 1; b++)
        lab_put_int(x + 2 * lab_elements_kv(s) + b, 1 + (int)(lab_bits(key, b) % (uint64_t)(s.seq_kv - 2)));
}

ORACLE(attend_to_cache) {
    const size_t D = s.head_dim, kv = lab_elements_kv(s);
    const double k_weight = mistake == DECODE_SWAPS ? 3 : 2, v_weight = 5 - k_weight;
    const float *const k = in[mistake == APPEND_SWAPS ? 4 : mistake == APPEND_Q ? 2 : 3];
    const float *const v = in[mistake == APPEND_SWAPS ? 3 : 4];
    const int appended = mistake == NO_APPEND ? 0 : mistake == APPEND_TWICE ? 2 : 1;
    for (size_t i = 0; i < attend_to_cache_elements(s, 0); i++) {
        const float *const K = in[1] + i / D * s.seq_kv * D + i % D, *const V = K + kv;
        const int length = lab_int_at(in[1] + 2 * kv, i / D / s.heads);
        out[i] = in[2][i];
        for (int j = 0; j < length; j++) out[i] += (j + 1) * (k_weight * K[j * D] + v_weight * V[j * D]);
        for (int j = length; j < length + appended; j++) out[i] += (j + 1) * (k_weight * k[i] + v_weight * v[i]);
    }
    return 1;
}
KNOWN_OR(attend_to_cache, lab_say_handed,
         "matches decode over the old tokens alone: append comes first, so that a token sees itself",
         "matches k and v swapped in append", "matches K and V swapped in decode", "matches Q appended in place of K",
         "matches a token that is appended twice")
PROBE(attend_to_cache, attend_to_cache, 6, .scratch = 5, .fill = attend_to_cache_fill,
      .tensors = {"O", "the cache before", "Q", "K", "V", "the cache"});

// ---- The claims

// clang-format off
const lab_case lab_todos_task6[] = {
    {"task6", TODO("6.1"), .claim = "past_tells_prefill_from_decode", .op = &probe_which_call, .shape = {3, 2, 1, 16, 64, 0}},
    {"task6", TODO("6.1"), .claim = "a_batch_of_one_is_told_apart", .op = &probe_which_call, .shape = {1, 2, 1, 16, 64, 0}},
    {"task6", TODO("6.2"), .claim = "what_does_not_fit_is_known", .op = &probe_fits, .shape = {7, 2, 1, 16, 64, 0}},
    {"task6", TODO("6.3"), .claim = "two_tokens_are_stored", .op = &probe_store_number, .shape = {1, 1, 2, 40, 8, 0}},
    {"task6", TODO("6.3"), .claim = "a_prompt_is_stored_without_its_padding", .op = &probe_store_number, .shape = {3, 2, 9, 14, 40, 0}},
    {"task6", TODO("6.4"), .claim = "the_tokens_of_a_prompt_are_counted", .op = &probe_count_tokens, .shape = {5, 3, 33, 40, 64, 0}},
    {"task6", TODO("6.4"), .claim = "a_prompt_of_one_head_is_counted", .op = &probe_count_tokens, .shape = {16, 1, 33, 40, 64, 0}},
    {"task6", TODO("6.5"), .claim = "a_prompt_attends_to_itself", .op = &probe_attend_to_prompt, .shape = {2, 3, 7, 7, 24, 0}},
    {"task6", TODO("6.6"), .claim = "a_new_token_sees_all_and_itself", .op = &probe_attend_to_cache, .shape = {3, 2, 1, 6, 40, 0}},
    {0},
};
