// fuzz_tokenizer.c: any bytes as a text, as bytes to stream, and as vocab.json + merges.txt (libFuzzer). Run from the
// lab's root.
//
// The first byte chooses: even, the rest is a text; odd, the rest is a vocab.json, a zero byte, and a merges.txt.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tokenizer.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int claim, const char *what) {
    if (claim) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

// The streamed text is valid UTF-8; it is the text itself if that was.
static void stream(const char *text, size_t size, int valid) {
    char *out = malloc(3 * (size + 3) + 3);
    gpt2_stream s = {0};
    size_t n = 0;
    for (size_t i = 0, step; i < size; i += step) {
        step = (unsigned char)text[i] % 3 + 1;
        if (step > size - i) step = size - i;
        n += gpt2_stream_put(&s, text + i, step, out + n);
    }
    n += gpt2_stream_end(&s, out + n);
    for (size_t i = 0, k; i < n; i += k) {
        const int length = lab_utf8_part(out + i, n - i);
        check(length > 0, "the stream is UTF-8");
        k = length;
    }
    check(!valid || (n == size && !memcmp(out, text, n)), "the stream leaves valid text alone");
    free(out);
}

static void as_text(const gpt2_tokenizer *t, const char *text, size_t size) {
    char why[256];
    size_t length;
    int *ids = malloc((size + 1) * sizeof *ids);
    const long n = gpt2_encode(t, text, size, ids, why, sizeof why);
    if (n >= 0) {
        char *back = gpt2_decode(t, ids, n, &length);
        check(length == size && !memcmp(back, text, size), "decode(encode(text)) is the text");
        free(back);
    }
    stream(text, size, n >= 0);
    free(ids);
}

static void put(const char *path, const void *bytes, size_t size) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size) abort();
    fclose(f);
}

static void as_files(const char *bytes, size_t size) {
    char why[600];
    const char *end = memchr(bytes, 0, size);
    const size_t vocab = end ? (size_t)(end - bytes) : size;
    mkdir("build/fuzz/files", 0777);
    put("build/fuzz/files/vocab.json", bytes, vocab);
    put("build/fuzz/files/merges.txt", end ? end + 1 : "", end ? size - vocab - 1 : 0);
    gpt2_tokenizer *t = gpt2_tokenizer_open("build/fuzz/files", 0, why, sizeof why);
    if (t) as_text(t, "the kernel reads every tile", 27);
    gpt2_tokenizer_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static gpt2_tokenizer *golden;
    char why[600];
    if (!golden) golden = gpt2_tokenizer_open("grader/golden/bpe", 0, why, sizeof why);
    if (!golden || !size) return golden ? 0 : (fprintf(stderr, "%s\n", why), abort(), 0);
    if (bytes[0] % 2 == 0) as_text(golden, (const char *)bytes + 1, size - 1);
    if (bytes[0] % 2 == 1) as_files((const char *)bytes + 1, size - 1);
    return 0;
}
