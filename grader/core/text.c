// text.c: UTF-8 as RFC 3629 has it.
#include "text.h"

// Bytes of the character that starts here; 0 if it is not valid: cut off, overlong, a surrogate, beyond U+10FFFF.
static int character(const unsigned char *c) {
    if (c[0] < 0x80) return 1;
    const int n = c[0] >= 0xc2 && c[0] < 0xe0   ? 2
                  : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                  : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0)) return 0;
    if ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90)) return 0;
    return n;
}

void lab_clean_text(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c;) {
        const int n = character(c), control = *c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0);
        if (n && !control) {
            c += n;
            continue;
        }
        for (int i = 0; i < (n ? n : 1); i++) *c++ = '?';
    }
}
