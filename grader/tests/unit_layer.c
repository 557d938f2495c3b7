// unit_layer.c: the oracle of task 6's layer, and what is said about mistakes. grader/core/layer.c and layer_signs.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "layer_calls.h"
#include "symptom.h"

enum { S = 9, T = 16 };
static const attn_shape SHAPE = {3, 2, T, 20, 16, 1};

// A layer's inputs with prompts of up to `longest` tokens, and the right output.
static void begin_layer(attn_shape shape, int longest) {
    begin(&lab_layer, shape);
    lab_layer_prompts(shape, longest, 7, wrong.in[6]);
    assert_true(lab_oracle_layer(shape, NULL, (const float *const *)wrong.in, LAB_LAYER_RIGHT, wrong.want));
    hand_in(wrong.want);
}

static float *row(int b, int t) {
    const size_t E = (size_t)wrong.shape.heads * wrong.shape.head_dim;
    return wrong.got + ((size_t)b * wrong.shape.seq_q + t) * E;
}

// ---- the oracle

// W_qkv has the columns of three matrices, which multi-head attention has apart; without biases the two are the same.
static void a_layer_without_biases_is_multi_head_attention(void **state) {
    (void)state;
    const attn_shape shape = {1, 2, T, T, 16, 1};
    const size_t E = 32;
    begin(&lab_layer, shape);
    float *w = malloc(3 * E * E * sizeof *w);
    double *y = malloc(wrong.n * sizeof *y);
    for (size_t i = 0; i < 3 * E * E; i++) w[i] = wrong.in[2][i / E % E * 3 * E + i / E / E * E + i % E];
    memset(wrong.in[3], 0, 3 * E * sizeof(float));
    memset(wrong.in[5], 0, E * sizeof(float));
    assert_true(lab_oracle_layer(shape, NULL, (const float *const *)wrong.in, LAB_LAYER_RIGHT, wrong.want));
    const float *const in[LAB_MAX_TENSORS] = {NULL, wrong.in[1], w, w + E * E, w + 2 * E * E, wrong.in[4]};
    assert_true(lab_mha.oracle(shape, NULL, in, LAB_W_TRANSPOSED, y));
    for (size_t i = 0; i < wrong.n; i++) assert_true(fabs(y[i] - wrong.want[i]) < 1e-5);
    free(w), free(y);
}

// Tokens that come one by one give what they give in a prompt.
static void where_the_prompt_ends_makes_no_difference(void **state) {
    (void)state;
    const attn_shape shape = {1, 2, T, T, 16, 1};
    begin_layer(shape, T);
    double *whole = malloc(wrong.n * sizeof *whole);
    memcpy(whole, wrong.want, wrong.n * sizeof *whole);
    for (int prompt = 1; prompt < T; prompt++) {
        lab_layer_prompts(shape, prompt, 7, wrong.in[6]);
        assert_true(lab_oracle_layer(shape, NULL, (const float *const *)wrong.in, LAB_LAYER_RIGHT, wrong.want));
        for (size_t i = 0; i < wrong.n; i++) assert_true(fabs(whole[i] - wrong.want[i]) < 1e-12);
    }
    free(whole);
}

static void padding_is_zero_and_changes_nothing(void **state) {
    (void)state;
    begin_layer(SHAPE, S);
    const int length = lab_int_at(wrong.in[6], 0);
    assert_true(length < S && lab_int_at(wrong.in[6], 2) == S);
    for (int t = length; t < S; t++)
        for (int e = 0; e < 32; e++) assert_true(row(0, t)[e] == 0), wrong.in[1][t * 32 + e] += 100;
    double *again = malloc(wrong.n * sizeof *again);
    assert_true(lab_oracle_layer(SHAPE, NULL, (const float *const *)wrong.in, LAB_LAYER_RIGHT, again));
    assert_memory_equal(again, wrong.want, wrong.n * sizeof *again);
    free(again);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    int first, end;
    const attn_shape small = {3, 2, T, 12, 16, 0}, tiny = {3, 2, T, S - 1, 16, 0};
    begin_layer(small, S);
    lab_layer_room(small, wrong.in[6], &first, &end);
    assert_int_equal(first, 0), assert_int_equal(end, 12);
    for (int b = 0; b < 3; b++) assert_true(row(b, 11)[0] != LAB_REFUSED && row(b, 12)[0] == LAB_REFUSED);
    lab_layer_room(tiny, wrong.in[6], &first, &end);  // the prompt does not fit: what follows begins anew
    assert_int_equal(first, S), assert_int_equal(end, T);
}

// ---- mistakes

static const struct {
    lab_layer_mistake mistake;
    const char *says;
} known[] = {
    {LAB_PADS_ARE_TOKENS, "decode over the padding"},
    {LAB_LENGTH_OF_SEQUENCE0, "sequence 0's length"},
    {LAB_PREFILL_SEES_ALL, "prefill without the causal mask"},
    {LAB_PREFILL_SWAPS, "K and V swapped in prefill"},
    {LAB_PREFILL_Q_AS_K, "Q used in place of K in prefill"},
    {LAB_PREFILL_Q_K, "Q and K swapped in prefill"},
    {LAB_STORE_Q_AS_K, "Q stored in place of K"},
    {LAB_APPEND_Q_AS_K, "q and k appended in place of k and v"},
    {LAB_DECODE_OF_WORK, "decode over work.K and work.V"},
    {LAB_DECODE_K_AS_V, "in place of V_cache"},
    {LAB_DECODE_Q_OF_QKV, "given to decode in place of work.Q"},
    {LAB_STORE_MISSING, "sees nothing of the prompt"},
    {LAB_STORE_SWAPS, "K and V swapped where the prompt is stored"},
    {LAB_STORE_K_AS_V, "K stored in place of V"},
    {LAB_STORE_SEQUENCE0, "prompt of sequence 0 stored"},
    {LAB_STORE_HEAD0, "head 0 of the prompt stored"},
    {LAB_STORE_ONE_SHORT, "last token is missing in the cache"},
    {LAB_APPEND_MISSING, "decode over the prompt alone"},
    {LAB_APPEND_LATE, "decode before append"},
    {LAB_APPEND_SWAPS, "k and v swapped where a token is appended"},
    {LAB_APPEND_REPLACES, "replace each other"},
    {LAB_DECODE_FORGETS, "sees its own token only"},
    {LAB_DECODE_SWAPS, "K and V swapped in decode"},
    {LAB_NO_BIAS_IN, "b_qkv left out"},
    {LAB_NO_BIAS_OUT, "b_out left out"},
    {LAB_BIAS_IN_AS_OUT, "b_qkv used in place of b_out"},
    {LAB_OUT_OF_Q, "Q projected in place of the attention"},
    {LAB_OUT_UNMERGED, "heads that are not merged"},
    {LAB_OUT_BY_W_QKV, "W_qkv used in place of W_out"},
};
enum { N_KNOWN = sizeof known / sizeof *known };

static void every_mistake_of_the_layer_is_recognised(void **state) {
    (void)state;
    assert_int_equal(N_KNOWN, LAB_N_LAYER_MISTAKES - 1);
    for (int i = 0; i < N_KNOWN; i++) {
        assert_int_equal(known[i].mistake, i + 1);
        begin_layer(SHAPE, S);
        double *out = malloc(wrong.n * sizeof *out);
        assert_true(lab_oracle_layer(SHAPE, NULL, (const float *const *)wrong.in, known[i].mistake, out));
        for (size_t e = 0; e < wrong.n && known[i].mistake == LAB_DECODE_OF_WORK; e++)
            if (isnan(out[e])) out[e] = 0.5;  // memory that nobody knows
        hand_in(out);
        free(out);
        assert_int_not_equal(examine().verdict, LAB_PASSED);
        assert_says(wrong.text, known[i].says);
        for (int k = 0; k < N_KNOWN; k++)
            if (k != i) assert_null(strstr(wrong.text, known[k].says));
    }
}

// What the driver has seen of the calls.
static void an_odd_argument_is_named(void **state) {
    (void)state;
    static const int32_t logs[][LAB_CALL_LOG] = {
        {LAB_CALL_IS_ODD, LAB_FLASH, 0, LAB_IN_Q, LAB_IN_O, 0, 0x1f},
        {LAB_CALL_IS_ODD, LAB_LINEAR, 5, 32, 96},
        {LAB_CALL_IS_ODD, LAB_FLASH, 4, 7, S},
        {LAB_CALL_IS_ODD, LAB_FLASH, LAB_CALL_IN_DECODE, 1, 0},
        {LAB_CALL_IS_ODD, LAB_FLASH, LAB_CALL_END_ODD, 7, S},
        {0, LAB_FLASH, 4, 7, S},
        {LAB_CALL_IS_ODD, LAB_FLASH, 1, LAB_IN_Q, LAB_IN_K},
        {LAB_CALL_IS_ODD, LAB_LINEAR, LAB_CALL_ROWS, 3, 27, 1},
        {LAB_CALL_IS_ODD, LAB_LINEAR, LAB_CALL_LEFT_OUT, 2 * S + 3, S, 0},
        {LAB_CALL_IS_ODD, LAB_APPEND, LAB_CALL_LENGTH, 1, 9, 2, 0x2a},
        {LAB_CALL_IS_ODD, LAB_DECODE, LAB_CALL_LENGTH, 11, 10, 2, 0x2a},
        {LAB_CALL_IS_ODD, LAB_APPEND, LAB_CALL_OF_PROMPT, 9, 0, 1},
        {LAB_CALL_IS_ODD, LAB_DECODE, LAB_CALL_OF_PROMPT, 9, 0, 1},
        {LAB_CALL_IS_ODD, LAB_THE_END, LAB_CALL_STORED, 16, 0, 0},
        {LAB_CALL_IS_ODD, LAB_THE_END, LAB_CALL_STORED, 3 * S * 32, 0, 0},
        {LAB_CALL_IS_ODD, LAB_FLASH, LAB_CALL_OFFSET, 144, 288, 1},
        {LAB_CALL_IS_ODD, LAB_APPEND, LAB_CALL_LENGTH, 0, 9, 2, 0x2a},
        {LAB_CALL_IS_ODD, LAB_DECODE, LAB_CALL_APPENDED, 10, 9, 1},
        {LAB_CALL_IS_ODD, LAB_DECODE, LAB_CALL_APPENDED, -1, 9, 1},
        {LAB_CALL_IS_ODD, LAB_FLASH, LAB_CALL_SCALED, LAB_IN_Q, 0x3e800000, LAB_IN_Q},
        {LAB_CALL_IS_ODD, LAB_THE_END, LAB_CALL_ADDED, LAB_IN_Y, 0, LAB_IN_Y},
        {LAB_CALL_IS_ODD, LAB_LINEAR, LAB_CALL_ORDER, LAB_IN_MERGED, LAB_ORDER_DIMS_FIRST, LAB_IN_MERGED},
        {LAB_CALL_IS_ODD, LAB_LINEAR, LAB_CALL_ORDER, LAB_IN_O, LAB_ORDER_HEADS_APART, LAB_IN_MERGED},
        {LAB_CALL_IS_ODD, LAB_MERGE, LAB_CALL_CHANGED, LAB_IN_O, LAB_CHANGE_NAN, LAB_IN_O},
        {LAB_CALL_IS_ODD, LAB_FLASH, LAB_CALL_CHANGED, LAB_IN_QKV, LAB_CHANGE_OTHER, LAB_IN_Q}};
    static const char *const says[] = {"matches a call of flash that gets work.Q as O: it is work.O (at 0x1f)",
                                       "matches a call of linear with n_out = 32: it is 96, 3 E",
                                       "flash with shape.seq_q = 7: it is 9, S",
                                       "a decode step that calls flash, and decode never",
                                       "prefill is wrong",
                                       "prefill is wrong",
                                       "flash that gets work.Q as Q, while Q was written to work.K: which of the two",
                                       "linear with rows = 3: the last product has rows for all tokens, B * S = 27",
                                       "leave out row 21 of X, token 3 of sequence 2: row t of sequence b is row",
                                       "append alone changes it, by 1 a token, and count[b], 1 here, is its number in",
                                       "lengths[2] = 11 when decode is called: it is 10; append alone changes it, by 1 "
                                       "a token: does each head add 1",
                                       "a call of append in a prefill, with a part of work.K as k_new",
                                       "matches a call of decode in a prefill: it has one token of each sequence",
                                       "stored from work.qkv as if that were [B, S, H, 3, D]: it is [B, S, 3 E]",
                                       "stored from work.qkv as if that were [3, B, S, E]",
                                       "whose Q begins 144 numbers on: sequence b begins b * H * S * D numbers on",
                                       "lengths[2] = 0 when append is called: it is 9; append alone changes it",
                                       "sequence 1 in slot 10 of the cache: it belongs into slot past[b] = 9, lengths",
                                       "of the new token of sequence 1 nowhere in its cache",
                                       "work.Q that flash gets as Q whose numbers have been divided by sqrt(head_dim)",
                                       "Y that the layer returns with X added",
                                       "column d * heads + h there: it is h * head_dim + d",
                                       "work.O that the last product gets as the attention left it, [B, H, S, D]",
                                       "work.O that merge_heads gets as O with numbers that nobody has written",
                                       "matches work.qkv that is taken for Q, K and V, one behind the other"};
    begin_layer(SHAPE, S);
    const size_t lengths = 2 * lab_elements_kv(SHAPE), n = lengths + SHAPE.batch;
    float *work = calloc(n + LAB_CALL_LOG, sizeof *work);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        hand_in(wrong.want);
        row(1, 2)[5] = NAN;
        memcpy(work + n, logs[i], sizeof logs[i]);
        wrong.work = work;
        examine();
        assert_says(wrong.text, says[i]);
    }
    wrong.work = NULL;
    free(work);
}

// Of one head its rows are right, and of several they are what is seen first.
static void prompts_that_are_taken_for_packed_are_named(void **state) {
    (void)state;
    begin_layer(SHAPE, S);
    const size_t lengths = 2 * lab_elements_kv(SHAPE), n = lengths + SHAPE.batch;
    float *work = calloc(n + LAB_CALL_LOG, sizeof *work);
    const int count = lab_int_at(wrong.in[6], 0), behind = count * 32;
    const int32_t logs[][LAB_CALL_LOG] = {{LAB_CALL_IS_ODD, LAB_FLASH, LAB_CALL_OFFSET, behind, 288, 1},
                                          {LAB_CALL_IS_ODD, LAB_FLASH, LAB_FLASH_ROWS, count, S, behind},
                                          {LAB_CALL_IS_ODD, LAB_FLASH, LAB_FLASH_ROWS, count, S, behind + 1}};
    for (int i = 0; i < 3; i++) {
        hand_in(wrong.want);
        row(1, 2)[5] = NAN;
        memcpy(work + n, logs[i], sizeof logs[i]);
        wrong.work = work;
        examine();
        assert_says(wrong.text, i < 2 ? "matches prompts taken for packed, H * count[b] * D numbers for each sequence"
                                      : "flash with shape.seq_q = ");
    }
    wrong.work = NULL;
    free(work);
}

static void an_unknown_mistake_is_told_by_its_call(void **state) {
    (void)state;
    begin_layer(SHAPE, S);
    row(1, S + 2)[5] += 1;
    examine();
    assert_says(wrong.text, "prefill is right, decode step 3 is not");
    row(2, 4)[0] = NAN;
    assert_int_equal(examine().verdict, LAB_NOT_FINITE);
    assert_says(wrong.text, "NaN: prefill is wrong");
}

static void a_refusal_too_many_or_too_few_is_told(void **state) {
    (void)state;
    begin_layer(SHAPE, S);
    for (int b = 0; b < 3; b++)
        for (int e = 0; e < 32; e++) row(b, T - 1)[e] = LAB_REFUSED;
    examine();
    assert_says(wrong.text, "decode step 7 (past = 15) is refused, although");
    begin_layer((attn_shape){3, 2, T, 12, 16, 0}, S);
    memset(row(0, 12), 0, 32 * sizeof(float));
    examine();
    assert_says(wrong.text, "decode step 4 (past = 12) does not fit, max_seq is 12");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_layer_without_biases_is_multi_head_attention),
        CLAIM(where_the_prompt_ends_makes_no_difference),
        CLAIM(padding_is_zero_and_changes_nothing),
        CLAIM(what_does_not_fit_is_refused),
        CLAIM(every_mistake_of_the_layer_is_recognised),
        CLAIM(an_odd_argument_is_named),
        CLAIM(prompts_that_are_taken_for_packed_are_named),
        CLAIM(an_unknown_mistake_is_told_by_its_call),
        CLAIM(a_refusal_too_many_or_too_few_is_told),
    };
    return cmocka_run_group_tests_name("layer", claims, NULL, release);
}
