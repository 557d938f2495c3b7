// fuzz.c: libFuzzer on the rewriter. Whatever the bytes, it must neither crash nor hang, and must keep the lines.
#include "../../rewrite/rewrite.h"

#include <stdint.h>
#include <stdlib.h>

static size_t lines(const char *text, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < size; i++) n += text[i] == '\n';
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *result, *messages;
    size_t result_size, messages_size;
    FILE *out = open_memstream(&result, &result_size), *report = open_memstream(&messages, &messages_size);
    rewrite((const char *)data, size, out, report);
    fclose(out);
    fclose(report);
    if (lines(result, result_size) != lines((const char *)data, size)) abort();
    free(result);
    free(messages);
    return 0;
}
