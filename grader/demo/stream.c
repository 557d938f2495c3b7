// stream.c: from token ids to a terminal.
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void demo_clean(char *text, size_t n) {
    unsigned char *const c = (unsigned char *)text;
    for (size_t i = 0; i < n; i++) {
        const int c1 = c[i] == 0xc2 && i + 1 < n && c[i + 1] < 0xa0;  // U+0080 .. U+009F
        if (c1)
            c[i] = '?', c[i + 1] = '?';
        else if ((c[i] < ' ' && c[i] != '\n' && c[i] != '\t') || c[i] == 0x7f)
            c[i] = '?';
    }
}

void demo_text_begin(demo_text *t, const gpt2_tokenizer *tokenizer, const char *label) {
    *t = (demo_text){.tokenizer = tokenizer, .text = calloc(1, 1), .room = 1};
    printf("  %-*s", DEMO_MARGIN - 2, label);
    fflush(stdout);
}

// Lines after the first are indented as far as the first.
static void show(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        putchar(text[i]);
        if (text[i] == '\n') printf("%*s", DEMO_MARGIN, "");
    }
    fflush(stdout);
}

static void keep(demo_text *t, char *text, size_t n) {
    demo_clean(text, n);
    if (t->used + n + 1 > t->room) {
        const size_t room = 2 * (t->used + n + 1);
        char *larger = realloc(t->text, room);
        if (!larger) return;
        t->text = larger, t->room = room;
    }
    memcpy(t->text + t->used, text, n);
    t->used += n;
    t->text[t->used] = 0;
    if (!t->quiet) show(text, n);
}

void demo_text_put(demo_text *t, int id) {
    size_t length;
    t->ended |= id == gpt2_end_of_text(t->tokenizer);
    if (t->ended) return;
    const char *bytes = gpt2_token_bytes(t->tokenizer, id, &length);
    char *out = malloc(3 * (length + 3));
    if (out) keep(t, out, gpt2_stream_put(&t->utf8, bytes, length, out));
    free(out);
}

void demo_text_end(demo_text *t) {
    char rest[16];
    keep(t, rest, gpt2_stream_end(&t->utf8, rest));
    if (!t->quiet) putchar('\n');
}

void demo_text_free(demo_text *t) {
    free(t->text);
    t->text = NULL;
}
