// utf8.c: characters, and the stream that emits only whole ones.
#include "utf8.h"

#include <string.h>

#include "tokenizer.h"

int gpt2_utf8(const unsigned char *c, size_t n) {
    if (c[0] < 0x80) return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4) return -1;
    const int length = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    // The second byte's range keeps out what is overlong, a surrogate, or beyond U+10FFFF.
    unsigned low = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;
    unsigned high = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;
    for (int i = 1; i < length; i++) {
        if ((size_t)i == n) return 0;
        if (c[i] < low || c[i] > high) return -i;
        low = 0x80, high = 0xbf;
    }
    return length;
}

static const char REPLACEMENT[] = "\xef\xbf\xbd";

size_t gpt2_stream_put(gpt2_stream *s, const char *bytes, size_t length, char *out) {
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        s->held[s->n++] = (unsigned char)bytes[i];
        // A byte can end the held character, or show that it is none and begin another.
        for (int k; s->n && (k = gpt2_utf8(s->held, s->n)) != 0;) {
            const int used = k > 0 ? k : -k;
            memcpy(out + written, k > 0 ? (const void *)s->held : REPLACEMENT, k > 0 ? used : 3);
            written += k > 0 ? used : 3;
            s->n -= used;
            memmove(s->held, s->held + used, s->n);
        }
    }
    return written;
}

size_t gpt2_stream_end(gpt2_stream *s, char *out) {
    if (!s->n) return 0;
    s->n = 0;
    memcpy(out, REPLACEMENT, 3);
    return 3;
}
