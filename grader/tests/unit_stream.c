// unit_stream.c: bytes that come in parts become the text that they are together. grader/gpt2/tokenizer.c.
#include "unit.h"

#include <string.h>

#include "tokenizer.h"

// Bytes, and what Python's bytes.decode("utf-8", "replace") makes of them ('?' stands for U+FFFD here).
static const struct {
    const char *bytes, *text;
} STREAMS[] = {
    {"plain", "plain"},
    {"na\xc3\xafve \xe6\x97\xa5 \xf0\x9f\x99\x82!", "na\xc3\xafve \xe6\x97\xa5 \xf0\x9f\x99\x82!"},
    {"\xff", "?"},
    {"a\x80z", "a?z"},
    {"\xc3", "?"},
    {"\xc3(", "?("},
    {"\xe6\x97", "?"},
    {"\xe6\x97z", "?z"},
    {"\xf0\x9f\x99", "?"},
    {"\xf0\x9f\x99\xf0\x9f\x99\x82", "?\xf0\x9f\x99\x82"},
    {"\xf0\x9f\xc3\xaf", "?\xc3\xaf"},
    {"\xed\xa0\x80", "???"},
    {"\xe0\x80\x80", "???"},
    {"\xc0\xaf", "??"},
    {"\xf4\x90\x80\x80", "????"},
    {"\xf5\xbf\xbf\xbf", "????"},
    {"\xf8\x88\x80\x80\x80", "?????"},
    {"\xe6\x97\xe6\x97\xa5\xe6", "?\xe6\x97\xa5?"},
};

static void expect_text(const char *got, size_t n, const char *expected) {
    size_t k = 0;
    for (; *expected; expected++) {
        const char *c = *expected == '?' ? "\xef\xbf\xbd" : (char[]){*expected, 0};
        assert_true(k + strlen(c) <= n && memcmp(got + k, c, strlen(c)) == 0);
        k += strlen(c);
    }
    assert_int_equal(k, n);
}

static void streamed_text_is_the_whole_text_for_every_split(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof STREAMS / sizeof *STREAMS; i++) {
        const char *bytes = STREAMS[i].bytes;
        const size_t length = strlen(bytes);
        for (unsigned split = 0; split < 1u << (length < 10 ? length : 10); split++) {
            gpt2_stream s = {0};
            char out[256];
            size_t n = 0, from = 0;
            for (size_t k = 1; k <= length; k++) {  // bit k - 1 of split: cut after byte k
                if (!(split >> (k - 1) & 1) && k < length) continue;
                n += gpt2_stream_put(&s, bytes + from, k - from, out + n);
                from = k;
            }
            n += gpt2_stream_end(&s, out + n);
            expect_text(out, n, STREAMS[i].text);
        }
    }
}

static void characters_appear_with_their_last_byte(void **state) {
    (void)state;
    gpt2_stream s = {0};
    char out[32];
    assert_int_equal(gpt2_stream_put(&s, "\xf0\x9f\x99", 3, out), 0);
    assert_int_equal(gpt2_stream_put(&s, "\x82", 1, out), 4);
    assert_int_equal(gpt2_stream_put(&s, "\xe6\x97", 2, out), 0);
    assert_int_equal(gpt2_stream_put(&s, "a", 1, out), 4);  // now it is certain: U+FFFD, and the a
    assert_int_equal(gpt2_stream_end(&s, out), 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(streamed_text_is_the_whole_text_for_every_split),
        CLAIM(characters_appear_with_their_last_byte),
    };
    return cmocka_run_group_tests_name("stream", claims, NULL, NULL);
}
