// utf8.h: one character of UTF-8 (RFC 3629).
#ifndef GPT2_UTF8_H
#define GPT2_UTF8_H

#include <stddef.h>

// What c[0..n), n > 0, begins with: a character of k bytes: k. The beginning of one that n cuts off: 0. Neither: -k,
// where the first k bytes are the longest beginning of a character (at least 1: a byte that begins none).
int gpt2_utf8(const unsigned char *c, size_t n);

#endif
