// unit_bad_files.c: files of a checkpoint that are broken byte by byte: cut off, flipped, not what they claim to be;
// and bad vocabularies. grader/gpt2: safetensors.c, vocab.c, tokenizer.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "forge.h"
#include "safetensors.h"
#include "tokenizer.h"

static char why[600];
static const gpt2_reading AT = {"model.safetensors", why, sizeof why};

// ---- model.safetensors as bytes

// Parses and uses what is there: every byte of every tensor that the model would read. The copy has no byte to spare,
// so that a sanitizer sees each step outside.
static int parses(const char *bytes, size_t length) {
    static const char *names[] = {"transformer.wte.weight", "transformer.h.1.mlp.c_fc.weight", "transformer.ln_f.bias"};
    char *copy = memcpy(malloc(length ? length : 1), bytes, length);
    safetensors *f = safetensors_parse(copy, length, &AT);
    volatile float sum = 0;
    for (int i = 0; f && i < 3; i++) {
        const int64_t rows = i == 0 ? 257 : i == 1 ? 64 : 0, cols = i == 1 ? 256 : 64;
        const float *x = safetensors_f32(f, names[i], rows, cols, &AT);
        for (int64_t k = 0; x && k < (rows ? rows : 1) * cols; k++) sum = sum + x[k];
    }
    safetensors_close(f);
    free(copy);
    return f != NULL;
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    size_t length;
    char *bytes = forge_read("grader/golden/gpt2/model.safetensors", &length);
    assert_true(parses(bytes, length));
    for (size_t n = 0; n < 2700; n++) assert_false(parses(bytes, n));
    for (size_t n = 2700; n < length; n += 9973) {
        assert_false(parses(bytes, n));
        assert_says(why, "truncated");
    }
    assert_false(parses(bytes, 7));
    assert_says(why, "has 7 bytes; a safetensors file has at least 8");
    assert_false(parses(bytes, 100));
    assert_says(why, "its header claims 2624 bytes, the file has 100");
    bytes = realloc(bytes, length + 1);
    assert_false(parses(bytes, length + 1));
    assert_says(why, "1 bytes at the end belong to no tensor");
    free(bytes);
}

static void headers_that_are_not_headers_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *says;
    } rows[] = {
        {"\xff\xff\xff\xff\xff\xff\xff\xff{}", 10, "its header claims 18446744073709551615 bytes, the file has 10"},
        {"\x03\0\0\0\0\0\0\0{}", 10, "its header claims 3 bytes"},
        {"\x02\0\0\0\0\0\0\0{x", 10, "not valid JSON"},
        {"\x02\0\0\0\0\0\0\0[]", 10, "not a JSON object"},
        {"\x0d\0\0\0\0\0\0\0{\"a\":1,\"a\":2}", 21, "duplicate object key"},
        {"\x07\0\0\0\0\0\0\0{\"a\":1}", 15, "a has no dtype"},
        {"\0\0\0\0\0\0\0\0", 8, "not valid JSON"},
        {"version https://git-lfs.github.com/spec/v1", 42, "its header claims"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(parses(rows[i].bytes, rows[i].length));
        assert_says(why, rows[i].says);
    }
    assert_true(parses("\x02\0\0\0\0\0\0\0{}", 10));  // no tensors, no data: well-formed
}

static void flipped_bytes_never_crash(void **state) {
    (void)state;
    size_t length;
    uint32_t random = 7;
    int refused = 0;
    char *bytes = forge_read("grader/golden/gpt2/model.safetensors", &length);
    for (int round = 0; round < 4000; round++) {
        char saved[3];
        size_t place[3];
        const int flips = round % 3 + 1;
        for (int i = 0; i < flips; i++) {
            random = random * 1664525 + 1013904223;
            place[i] = (random >> 8) % 2632;  // the length and the header
            random = random * 1664525 + 1013904223;
            saved[i] = bytes[place[i]];
            bytes[place[i]] = round % 2 ? (char)(random >> 16) : "0123456789[]{},:\"- "[(random >> 16) % 19];
        }
        refused += !parses(bytes, length);
        for (int i = flips - 1; i >= 0; i--) bytes[place[i]] = saved[i];
    }
    assert_true(parses(bytes, length));
    assert_true(refused > 2000);
    free(bytes);
}

// ---- vocab.json and merges.txt

static const char *vocabulary, *merges;

static void write_vocabulary(void) {
    forge_file("vocab.json", vocabulary, -1);
    forge_file("merges.txt", merges, -1);
}

static void refused(int vocab_size, const char *file, const char *says) {
    gpt2_tokenizer *t = gpt2_tokenizer_open(FORGE, vocab_size, why, sizeof why);
    if (t) fail_msg("not refused: %s", says);
    assert_says(why, file);
    assert_says(why, says);
    for (const char *k = why; *k; k++) assert_true(*k >= ' ' && *k <= '~');
}

static int golden_vocabulary(void **state) {
    size_t length;
    (void)state;
    vocabulary = forge_read("grader/golden/bpe/vocab.json", &length);
    merges = forge_read("grader/golden/bpe/merges.txt", &length);
    write_vocabulary();
    return 0;
}

static int free_vocabulary(void **state) {
    (void)state;
    free((char *)vocabulary), free((char *)merges);
    return 0;
}

static void vocabularies_that_the_model_does_not_have_are_refused(void **state) {
    (void)state;
    const int good[] = {0, 457, 512, 584}, bad[] = {456, 257, 585, 50257};
    for (int i = 0; i < 4; i++) {
        gpt2_tokenizer *t = gpt2_tokenizer_open(FORGE, good[i], why, sizeof why);
        assert_non_null(t);
        gpt2_tokenizer_close(t);
    }
    for (int i = 0; i < 4; i++) refused(bad[i], FORGE "/vocab.json", "has 457 tokens, but config.json says vocab_size");
}

static void bad_vocabularies_are_refused(void **state) {
    (void)state;
    const struct {
        const char *key;
        json_t *value;
        const char *says;
    } rows[] = {
        {"the", json_integer(457), "the id of \"the\" is not one of 0 to 456"},
        {"the", json_integer(-1), "the id of \"the\" is not one of"},
        {"the", json_string("7"), "the id of \"the\" is not one of"},
        {"the", json_integer(5), "have the same id, 5"},
        {"the\n", json_integer(457), "token 457 has a character that stands for no byte"},
        {"\xe6\x97\xa5", json_integer(457), "token 457 has a character that stands for no byte"},
        {"", json_integer(457), "token 457 has a character that stands for no byte, or is empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *json = json_loads(vocabulary, 0, NULL);
        if (i < 4 && !json_object_get(json, "the")) json_object_set_new(json, "the", json_integer(0));
        json_object_set_new(json, rows[i].key, rows[i].value);
        char *text = json_dumps(json, 0);
        forge_file("vocab.json", text, -1);
        refused(0, FORGE "/vocab.json", rows[i].says);
        free(text), json_decref(json);
    }
    forge_file("vocab.json", "{\"a\": 0, \"b\": 1}", -1);
    refused(0, "vocab.json", "no token for byte 0x00");
    forge_file("vocab.json", "{\"a\": 0, \"a\": 1}", -1);
    refused(0, "vocab.json", "duplicate object key");
    forge_file("vocab.json", "{}", -1);
    refused(0, "vocab.json", "no token for byte 0x00");
    remove(FORGE "/vocab.json");
    refused(0, "vocab.json", "cannot be opened");
}

static void bad_merges_are_refused(void **state) {
    (void)state;
    const char *rows[][2] = {
        {"#version: 0.2\ne r\ner", "line 3 is not two tokens with a space between"},
        {"e r r\n", "line 1 is not two tokens"},
        {" e\n", "line 1 is not two tokens"},
        {"e \n", "line 1 is not two tokens"},
        {"e r\nqqq r\n", "line 2: its first half is not a token of vocab.json"},
        {"e qqq\n", "line 1: its second half is not a token"},
        {"q z\n", "line 1: what it makes is not a token"},
        {"e r\nr e\ne r\n", "line 3 repeats line 1"},
        {"\xff\xff \xff\n", "line 1: its first half"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        forge_file("merges.txt", rows[i][0], -1), refused(0, FORGE "/merges.txt", rows[i][1]);
    remove(FORGE "/merges.txt");
    refused(0, "merges.txt", "cannot be opened");
    forge_file("merges.txt", "e r\r\n\r\nr e\r\n", -1);  // as an editor on Windows leaves it
    gpt2_tokenizer *t = gpt2_tokenizer_open(FORGE, 0, why, sizeof why);
    assert_non_null(t);
    gpt2_tokenizer_close(t);
}

int main(void) {
#define WITH_VOCABULARY(claim) cmocka_unit_test_setup_teardown(claim, golden_vocabulary, free_vocabulary)
    const struct CMUnitTest claims[] = {
        CLAIM(a_file_that_is_cut_off_is_refused),
        CLAIM(headers_that_are_not_headers_are_refused),
        CLAIM(flipped_bytes_never_crash),
        WITH_VOCABULARY(vocabularies_that_the_model_does_not_have_are_refused),
        WITH_VOCABULARY(bad_vocabularies_are_refused),
        WITH_VOCABULARY(bad_merges_are_refused),
    };
    return cmocka_run_group_tests_name("bad files", claims, NULL, NULL);
}
