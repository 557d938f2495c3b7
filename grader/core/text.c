// text.c: UTF-8 as RFC 3629 has it.
#include "text.h"

int lab_utf8(const char *text, uint32_t *code) {
    const unsigned char *c = (const unsigned char *)text;
    const int n = c[0] < 0x80                   ? 1
                  : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                  : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                  : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                : 0;
    *code = n == 1 ? c[0] : c[0] & (0x7f >> n);
    for (int i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (c[i] & 0x3f);
    }
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0)) return 0;
    if ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90)) return 0;
    return n;
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
