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

int lab_acts_on_a_page(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      // controls, soft hyphen
        {0x34f, 0x34f},   {0x61c, 0x61c},   {0x115f, 0x1160},  // joiner, Arabic direction mark, Hangul fillers
        {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f},  // unseen vowels, selectors, zero width, directions
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0x2800, 0x2800},  // line ends, embeddings and isolates, Braille blank
        {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},  // filler, variation selectors, byte order mark
        {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, ~0u},    // filler, annotations, tags and private planes
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return 1;
    return 0;
}

void lab_clean_text(char *text) {
    uint32_t code;
    while (*text) {
        const int n = lab_utf8(text, &code);
        if (n && !lab_acts_on_a_page(code)) {
            text += n;
            continue;
        }
        for (int i = 0; i < (n ? n : 1); i++) *text++ = '?';
    }
}

void lab_cut_text(char *text, size_t bytes) {
    size_t end = 0;
    while (text[end] && end < bytes) end++;
    if (!text[end]) return;
    while (end > 0 && (text[end] & 0xc0) == 0x80) end--;
    text[end] = 0;
}

// Blanks in front do not help, nor quotes, which an import may strip.
int lab_is_formula(const char *cell) {
    static const uint32_t begin[] = {'=',    '+',    '-',    '@',    0xff1d, 0xff0b,
                                     0xff0d, 0xff20, 0xfe66, 0xfe62, 0xfe63, 0xfe6b};
    uint32_t code = ' ';
    int n;
    for (; *cell; cell += n ? n : 1) {
        n = lab_utf8(cell, &code);
        const int blank =
            !n || lab_acts_on_a_page(code) || code == ' ' || code == '"' || code == 0xa0 || code == 0x3000;
        if (!blank) break;
    }
    for (size_t i = 0; *cell && i < sizeof begin / sizeof *begin; i++)
        if (code == begin[i]) return 1;
    return 0;
}
