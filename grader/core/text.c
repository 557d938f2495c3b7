// text.c: UTF-8 as RFC 3629 has it.
#include "text.h"

int lab_utf8_part(const char *text, size_t n) {
    const unsigned char *c = (const unsigned char *)text;
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

int lab_utf8(const char *text, uint32_t *code) {
    const int n = lab_utf8_part(text, 4);  // it ends at the zero behind the text
    const unsigned char *c = (const unsigned char *)text;
    *code = n > 1 ? c[0] & (0x7f >> n) : c[0];
    for (int i = 1; i < n; i++) *code = *code << 6 | (c[i] & 0x3f);
    return n > 0 ? n : 0;
}

void lab_clean_text(char *text) {
    uint32_t code;
    while (*text) {
        const int n = lab_utf8(text, &code);
        if (n && code >= ' ' && (code < 0x7f || code >= 0xa0)) {
            text += n;
            continue;
        }
        for (int i = 0; i < (n ? n : 1); i++) *text++ = '?';
    }
}
