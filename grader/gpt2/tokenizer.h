// tokenizer.h: GPT-2's byte-level BPE (Radford et al. 2019): text to token ids and back.
//
//     vocab.json    {"token": id, ...}; a token is spelled with one printable character for each of its bytes
//     merges.txt    "left right", one merge per line, the most frequent first
//
// A text is cut into pieces by GPT-2's pattern; within a piece, neighbours are merged, the earliest line of merges.txt
// first, until no two neighbours have a line. <|endoftext|> in a text is that one token, wherever it stands.
#ifndef GPT2_TOKENIZER_H
#define GPT2_TOKENIZER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gpt2_tokenizer gpt2_tokenizer;

// vocab_size: the model's, or 0 when there is none to agree with; a model may have up to 127 rows that no token uses,
// since vocabularies are padded to multiples of 128. NULL, with one line in why[size] (file, what, where), on bad
// files.
gpt2_tokenizer *gpt2_tokenizer_open(const char *folder, int vocab_size, char *why, size_t size);
void gpt2_tokenizer_close(gpt2_tokenizer *t);

int gpt2_token_count(const gpt2_tokenizer *t);
int gpt2_end_of_text(const gpt2_tokenizer *t);  // the id of <|endoftext|>; -1 if the vocabulary has none

// ids must have room for `length` of them: a token has at least one byte. Returns how many there are, or -1 with one
// line in why[size]: text that is not UTF-8 is refused (with the byte where it goes wrong), or memory is short. Time:
// length * log(length).
long gpt2_encode(const gpt2_tokenizer *t, const char *text, size_t length, int *ids, char *why, size_t size);

// The bytes of one token (not terminated): not always whole characters. An id without a token has those of U+FFFD.
const char *gpt2_token_bytes(const gpt2_tokenizer *t, int id, size_t *length);

// The bytes of n tokens, with a zero after them; the caller frees. NULL when memory is short.
char *gpt2_decode(const gpt2_tokenizer *t, const int *ids, size_t n, size_t *length);

// ---- bytes to text, as they come
// Holds back the bytes of a character until it is whole. Bytes that cannot begin or continue one become U+FFFD as soon
// as that is certain: one for each longest prefix of a character, as Unicode recommends and Python's errors="replace"
// does.
typedef struct {
    unsigned char held[4];
    int n;
} gpt2_stream;

// Both return how many bytes of valid UTF-8 they wrote. out: 3 * (length + 3) bytes of room; 3 for the end.
size_t gpt2_stream_put(gpt2_stream *s, const char *bytes, size_t length, char *out);
size_t gpt2_stream_end(gpt2_stream *s, char *out);

#ifdef __cplusplus
}
#endif

#endif
