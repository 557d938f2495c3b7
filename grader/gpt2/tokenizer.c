// tokenizer.c: text to pieces to ids, and ids to bytes.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memmem
#endif
#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizer.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "vocab.h"

// GPT-2's: contractions; letters, digits, or other signs, each with the space before them; spaces, but for the last one
// when a word follows.
static const char PATTERN[] = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
static const char END_OF_TEXT[] = "<|endoftext|>";
enum { END_LENGTH = sizeof END_OF_TEXT - 1, PADDING = 128 };

struct gpt2_tokenizer {
    gpt2_vocab vocab;
    pcre2_code *pattern;
};

static bool check_size(const gpt2_tokenizer *t, int vocab_size, const char *folder, char *why, size_t size) {
    const int n = t->vocab.n;
    if (!vocab_size || (n <= vocab_size && vocab_size - n < PADDING)) return true;
    snprintf(why, size, "%s/vocab.json: has %d tokens, but config.json says vocab_size %d", folder, n, vocab_size);
    return false;
}

gpt2_tokenizer *gpt2_tokenizer_open(const char *folder, int vocab_size, char *why, size_t size) {
    int error;
    PCRE2_SIZE place;
    gpt2_tokenizer *t = calloc(1, sizeof *t);
    if (!t) return snprintf(why, size, "%s: out of memory", folder), NULL;
    bool good = gpt2_vocab_read(&t->vocab, folder, why, size) && check_size(t, vocab_size, folder, why, size);
    if (good) {
        t->pattern =
            pcre2_compile((PCRE2_SPTR)PATTERN, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_UCP, &error, &place, NULL);
        good = t->pattern != NULL;
        if (!good)
            snprintf(why, size, "PCRE2 does not take GPT-2's pattern (error %d); it needs Unicode support", error);
    }
    if (good) return t;
    gpt2_tokenizer_close(t);
    return NULL;
}

void gpt2_tokenizer_close(gpt2_tokenizer *t) {
    if (!t) return;
    gpt2_vocab_free(&t->vocab);
    pcre2_code_free(t->pattern);
    free(t);
}

int gpt2_token_count(const gpt2_tokenizer *t) { return t->vocab.n; }

int gpt2_end_of_text(const gpt2_tokenizer *t) { return t->vocab.end_of_text; }

// ---- encode

typedef struct {
    const gpt2_tokenizer *tokenizer;
    pcre2_match_data *match;
    void *work;  // for gpt2_bpe
    int *ids;
    size_t n;
} encoder;

static bool valid(const char *text, size_t length, char *why, size_t size) {
    for (size_t i = 0; i < length;) {
        const int k = lab_utf8_part(text + i, length - i);
        if (k < 1) return snprintf(why, size, "the text is not UTF-8: byte %zu", i), false;
        i += k;
    }
    return true;
}

// A text without special tokens. The pattern matches at every place, for each character is of one of its kinds.
static bool encode_plain(encoder *e, const char *text, size_t length) {
    const gpt2_tokenizer *t = e->tokenizer;
    const PCRE2_SIZE *span = pcre2_get_ovector_pointer(e->match);
    for (size_t at = 0; at < length; at = span[1]) {
        // The whole text was checked once; a check for every piece would take length^2.
        const int matched =
            pcre2_match(t->pattern, (PCRE2_SPTR)text, length, at, PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK, e->match, NULL);
        if (matched < 1 || span[1] <= at) return false;
        int *ids = e->ids + e->n;
        for (size_t i = at; i < span[1]; i++) ids[i - at] = t->vocab.byte_token[(unsigned char)text[i]];
        e->n += gpt2_bpe(&t->vocab, ids, span[1] - at, e->work);
    }
    return true;
}

static bool encode_all(encoder *e, const char *text, size_t length) {
    const int end_of_text = e->tokenizer->vocab.end_of_text;
    for (const char *stop = text + length; text < stop;) {
        const char *special = end_of_text >= 0 ? memmem(text, stop - text, END_OF_TEXT, END_LENGTH) : NULL;
        if (!encode_plain(e, text, (special ? special : stop) - text)) return false;
        if (special) e->ids[e->n++] = end_of_text;
        text = special ? special + END_LENGTH : stop;
    }
    return true;
}

long gpt2_encode(const gpt2_tokenizer *t, const char *text, size_t length, int *ids, char *why, size_t size) {
    if (!valid(text, length, why, size)) return -1;
    if (length > 1 << 30) return snprintf(why, size, "the text has more than 2^30 bytes"), -1;
    encoder e = {t, pcre2_match_data_create(1, NULL), malloc(gpt2_bpe_work(length) + 1), ids, 0};
    const bool good = e.match && e.work && encode_all(&e, text, length);
    if (!good) snprintf(why, size, "the text is too long for the memory there is");
    pcre2_match_data_free(e.match);
    free(e.work);
    return good ? (long)e.n : -1;
}

// ---- decode

const char *gpt2_token_bytes(const gpt2_tokenizer *t, int id, size_t *length) {
    if (id < 0 || id >= t->vocab.n) return *length = 3, "\xef\xbf\xbd";
    *length = t->vocab.begin[id + 1] - t->vocab.begin[id];
    return t->vocab.bytes + t->vocab.begin[id];
}

char *gpt2_decode(const gpt2_tokenizer *t, const int *ids, size_t n, size_t *length) {
    size_t all = 0, used = 0, k;
    for (size_t i = 0; i < n; i++) gpt2_token_bytes(t, ids[i], &k), all += k;
    char *text = malloc(all + 1);
    for (size_t i = 0; text && i < n; i++) {
        const char *bytes = gpt2_token_bytes(t, ids[i], &k);
        memcpy(text + used, bytes, k);
        used += k;
    }
    if (text) text[used] = 0;
    *length = used;
    return text;
}

// ---- bytes to text, as they come: only whole characters are emitted

static const char REPLACEMENT[] = "\xef\xbf\xbd";

size_t gpt2_stream_put(gpt2_stream *s, const char *bytes, size_t length, char *out) {
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        s->held[s->n++] = (unsigned char)bytes[i];
        // A byte can end the held character, or show that it is none and begin another.
        for (int k; s->n && (k = lab_utf8_part((const char *)s->held, s->n)) != 0;) {
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
