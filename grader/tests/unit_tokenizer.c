// unit_tokenizer.c: text to tokens and back, as Hugging Face's tokenizers library has it. grader/gpt2: tokenizer.c,
// vocab.c, bpe.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tokenizer.h"
#include "vocab.h"

static const char GOLDEN[] = "grader/golden/bpe";
static gpt2_tokenizer *t;

static int open_golden(void **state) {
    char why[512] = "";
    (void)state;
    t = gpt2_tokenizer_open(GOLDEN, 0, why, sizeof why);
    if (!t) fprintf(stderr, "%s\n", why);
    return t ? 0 : -1;
}

static int close_golden(void **state) {
    (void)state;
    gpt2_tokenizer_close(t);
    return 0;
}

// Encodes; the caller frees. Decoding gives the text again.
static int *encode(const char *text, size_t length, long *n) {
    char why[256] = "";
    size_t back_length;
    int *ids = malloc((length + 1) * sizeof *ids);
    *n = gpt2_encode(t, text, length, ids, why, sizeof why);
    if (*n < 0) fail_msg("%s", why);
    char *back = gpt2_decode(t, ids, *n, &back_length);
    assert_int_equal(back_length, length);
    assert_memory_equal(back, text, length + 1);
    free(back);
    return ids;
}

static void every_golden_case_is_equal_both_ways(void **state) {
    (void)state;
    size_t i, k;
    json_t *cases = json_load_file("grader/golden/bpe/cases.json", JSON_ALLOW_NUL, NULL), *c, *id;
    assert_true(json_array_size(cases) >= 63);
    json_array_foreach(cases, i, c) {
        const json_t *text = json_object_get(c, "text"), *expected = json_object_get(c, "ids");
        long n;
        int *ids = encode(json_string_value(text), json_string_length(text), &n);
        if (n != (long)json_array_size(expected)) fail_msg("case %zu: %ld tokens", i, n);
        json_array_foreach(expected, k, id) if (ids[k] != json_integer_value(id)) fail_msg("case %zu, token %zu", i, k);
        free(ids);
    }
    json_decref(cases);
}

// The pattern's \s is Unicode's: U+00A0 is a space, so the two before it are a piece of their own, and one token.
static void unicode_spaces_are_spaces(void **state) {
    (void)state;
    const int expected[] = {88, 277, 127, 255, 89};  // from tokenizers 0.23.3
    long n;
    int *ids = encode("x  \xc2\xa0y", 6, &n);
    assert_int_equal(n, 5);
    assert_memory_equal(ids, expected, sizeof expected);
    free(ids);
}

static void end_of_text_is_one_token_anywhere(void **state) {
    (void)state;
    const char text[] = "a<|endoftext|><|endoftext|>b <|endoftext|";
    long n, ends = 0;
    int *ids = encode(text, strlen(text), &n);
    for (long i = 0; i < n; i++) ends += ids[i] == gpt2_end_of_text(t);
    assert_true(gpt2_end_of_text(t) >= 0);
    assert_int_equal(ends, 2);
    assert_int_equal(ids[1], gpt2_end_of_text(t));
    free(ids);
}

static void every_byte_has_a_token(void **state) {
    (void)state;
    int ids[256];
    long n = 0;
    for (int id = 0; id < gpt2_token_count(t); id++) {
        size_t length;
        gpt2_token_bytes(t, id, &length);
        if (length == 1) ids[n++] = id;
    }
    assert_int_equal(n, 256);
    size_t length;
    char *bytes = gpt2_decode(t, ids, 256, &length), seen[256] = {0};
    for (int i = 0; i < 256; i++) seen[(unsigned char)bytes[i]]++;
    for (int i = 0; i < 256; i++) assert_int_equal(seen[i], 1);
    free(bytes);
}

static void an_id_without_a_token_shows_as_such(void **state) {
    (void)state;
    size_t length;
    const int ids[] = {-1, gpt2_token_count(t), 1 << 30};
    char *text = gpt2_decode(t, ids, 3, &length);
    assert_string_equal(text, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    free(text);
}

static void text_that_is_not_utf8_is_refused(void **state) {
    (void)state;
    const char *bad[] = {"ab\xff", "ab\xc3", "ab\xed\xa0\x80", "ab\xc0\x80", "ab\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[128] = "";
        int ids[16];
        assert_int_equal(gpt2_encode(t, bad[i], strlen(bad[i]), ids, why, sizeof why), -1);
        assert_says(why, "not UTF-8: byte 2");
    }
}

// ---- merging

// The rule itself: look for the best pair, merge it, look again.
static size_t merge_slowly(const gpt2_vocab *v, int *ids, size_t n) {
    for (;;) {
        size_t best = n;
        for (size_t i = 0; i + 1 < n; i++) {
            const int rank = gpt2_merge_of(v, ids[i], ids[i + 1])->rank;
            if (rank >= 0 && (best == n || rank < gpt2_merge_of(v, ids[best], ids[best + 1])->rank)) best = i;
        }
        if (best == n) return n;
        ids[best] = gpt2_merge_of(v, ids[best], ids[best + 1])->id;
        memmove(ids + best + 1, ids + best + 2, (n - best - 2) * sizeof *ids);
        n--;
    }
}

static void merging_by_heap_is_merging_by_the_rule(void **state) {
    (void)state;
    char why[256];
    gpt2_vocab v;
    uint32_t random = 1;
    int merged = 0;
    assert_true(gpt2_vocab_read(&v, GOLDEN, why, sizeof why));
    for (int round = 0; round < 3000; round++) {
        int a[64], b[64];
        const size_t n = round % 64 + 1;
        char work[4096];
        assert_true(gpt2_bpe_work(64) <= sizeof work);
        for (size_t i = 0; i < n; i++) {
            random = random * 1664525 + 1013904223;
            a[i] = b[i] = v.byte_token[(unsigned char)"etrsan io"[(random >> 16) % 9]];
        }
        const size_t left = gpt2_bpe(&v, a, n, work);
        assert_int_equal(left, merge_slowly(&v, b, n));
        assert_memory_equal(a, b, left * sizeof *a);
        merged += left < n;
    }
    assert_true(merged > 1000);
    gpt2_vocab_free(&v);
}

// One word, one run of spaces: 200,000 bytes would take minutes if any step were quadratic.
static void a_piece_of_200000_bytes_is_no_problem(void **state) {
    (void)state;
    enum { N = 200000 };
    char *text = malloc(N + 1);
    for (int kind = 0; kind < 3; kind++) {
        long n;
        for (int i = 0; i < N; i++) text[i] = kind == 0 ? "ther"[i % 4] : kind == 1 ? ' ' : i % 2 ? ' ' : 'e';
        text[N] = 0;
        free(encode(text, N, &n));
        assert_true(n > 0 && n <= N);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(every_golden_case_is_equal_both_ways),   CLAIM(unicode_spaces_are_spaces),
        CLAIM(end_of_text_is_one_token_anywhere),      CLAIM(every_byte_has_a_token),
        CLAIM(an_id_without_a_token_shows_as_such),    CLAIM(text_that_is_not_utf8_is_refused),
        CLAIM(merging_by_heap_is_merging_by_the_rule), CLAIM(a_piece_of_200000_bytes_is_no_problem),
    };
    return cmocka_run_group_tests_name("tokenizer", claims, open_golden, close_golden);
}
