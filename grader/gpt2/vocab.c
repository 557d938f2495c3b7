// vocab.c: vocab.json and merges.txt become tables of ids.
//
// Both files spell a byte as a character. A byte that is printable in Latin-1 is spelled as itself; the others, in
// order, are U+0100, U+0101, ...: a space is U+0120.
#include "vocab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool prints(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
}

enum { CHARACTERS = 256 + 68 };  // 68 bytes do not print

// byte_of[c]: the byte that character c stands for; -1: none.
static void bytes_of_characters(int byte_of[CHARACTERS]) {
    for (int c = 0; c < CHARACTERS; c++) byte_of[c] = -1;
    for (int byte = 0, next = 256; byte < 256; byte++) byte_of[prints(byte) ? byte : next++] = byte;
}

// The bytes that a token's spelling (valid UTF-8) stands for; -1 if a character stands for none.
static long spelled(const char *spelling, char *out, const int byte_of[CHARACTERS]) {
    long n = 0;
    for (const unsigned char *c = (const unsigned char *)spelling; *c;) {
        const int two = *c >= 0xc0 && *c < 0xe0;  // every character of the table has one byte or two
        const int code = two ? (*c & 0x1f) << 6 | (c[1] & 0x3f) : *c < 0x80 ? *c : CHARACTERS;
        if (code >= CHARACTERS || byte_of[code] < 0) return -1;
        out[n++] = (char)byte_of[code];
        c += 1 + two;
    }
    return n;
}

// The spellings in the order of their ids: each of 0 .. n - 1 once.
static const char **by_id(json_t *json, const gpt2_reading *at) {
    const size_t n = json_object_size(json);
    const char *token, **spelling = calloc(n + 1, sizeof *spelling);
    json_t *id;
    bool good = spelling ? true : gpt2_problem(at, "out of memory");
    json_object_foreach(json, token, id) {
        const json_int_t i = json_integer_value(id);
        if (!good) break;
        if (!json_is_integer(id) || i < 0 || (size_t)i >= n)
            good = gpt2_problem(at, "the id of \"%.40s\" is not one of 0 to %zu", token, n - 1);
        else if (spelling[i])
            good = gpt2_problem(at, "\"%.40s\" and \"%.40s\" have the same id, %d", spelling[i], token, (int)i);
        else
            spelling[i] = token;
    }
    if (good) return spelling;
    free(spelling);
    return NULL;
}

static bool read_tokens(gpt2_vocab *v, json_t *json, const gpt2_reading *at) {
    int byte_of[CHARACTERS];
    size_t room = 0, used = 0;
    const char **spelling = by_id(json, at);
    if (!spelling) return false;
    v->n = (int)json_object_size(json);
    for (int i = 0; i < v->n; i++) room += strlen(spelling[i]);
    v->bytes = malloc(room + 1);
    v->begin = calloc(v->n + 1, sizeof *v->begin);
    bool good = v->bytes && v->begin ? true : gpt2_problem(at, "out of memory");

    bytes_of_characters(byte_of);
    for (int byte = 0; byte < 256; byte++) v->byte_token[byte] = -1;
    for (int i = 0; good && i < v->n; i++) {
        const long n = spelled(spelling[i], v->bytes + used, byte_of);
        if (n < 1) good = gpt2_problem(at, "token %d has a character that stands for no byte, or is empty", i);
        if (n == 1) v->byte_token[(unsigned char)v->bytes[used]] = i;
        used += n;
        v->begin[i + 1] = used;
    }
    for (int byte = 0; good && byte < 256; byte++)
        if (v->byte_token[byte] < 0) good = gpt2_problem(at, "no token for byte 0x%02x", byte);
    const json_t *end = json_object_get(json, "<|endoftext|>");
    v->end_of_text = end ? (int)json_integer_value(end) : -1;
    free(spelling);
    return good;
}

gpt2_merge *gpt2_merge_of(const gpt2_vocab *v, int left, int right) {
    uint64_t hash = ((uint64_t)left << 32 | (uint32_t)right) * 0x9e3779b97f4a7c15;
    for (uint32_t i = hash >> 32;; i++) {
        gpt2_merge *m = &v->merges[i & v->merge_mask];
        if (m->rank < 0 || (m->left == left && m->right == right)) return m;
    }
}

// The id of the token that is spelled left + right; -1: none.
static int id_of(const json_t *json, const char *left, const char *right) {
    char *whole = malloc(strlen(left) + strlen(right) + 1);
    const json_t *id = whole ? json_object_get(json, strcat(strcpy(whole, left), right)) : NULL;
    free(whole);
    return id ? (int)json_integer_value(id) : -1;
}

static bool read_merge(gpt2_vocab *v, const json_t *json, char *line, int number, const gpt2_reading *at) {
    char *space = strchr(line, ' ');
    if (!space || space == line || !space[1] || strchr(space + 1, ' '))
        return gpt2_problem(at, "line %d is not two tokens with a space between", number);
    *space = 0;
    const int left = id_of(json, line, ""), right = id_of(json, space + 1, ""), id = id_of(json, line, space + 1);
    if (left < 0 || right < 0 || id < 0)
        return gpt2_problem(at, "line %d: %s is not a token of vocab.json", number,
                            left < 0    ? "its first half"
                            : right < 0 ? "its second half"
                                        : "what it makes");
    gpt2_merge *m = gpt2_merge_of(v, left, right);
    if (m->rank >= 0) return gpt2_problem(at, "line %d repeats line %d", number, m->rank);
    *m = (gpt2_merge){left, right, id, number};
    return true;
}

static bool read_merges(gpt2_vocab *v, const json_t *json, FILE *f, const gpt2_reading *at) {
    char *line = NULL;
    size_t room = 0, slots = 16;
    bool good = true;
    ssize_t length;
    while (getline(&line, &room, f) >= 0) slots += 2;
    for (v->merge_mask = 15; v->merge_mask < slots; v->merge_mask = v->merge_mask << 1 | 1)
        ;
    v->merges = malloc((v->merge_mask + (size_t)1) * sizeof *v->merges);
    if (!v->merges) good = gpt2_problem(at, "out of memory");
    for (size_t i = 0; good && i <= v->merge_mask; i++) v->merges[i].rank = -1;

    rewind(f);
    for (int number = 1; good && (length = getline(&line, &room, f)) >= 0; number++) {
        line[strcspn(line, "\r\n")] = 0;
        const bool comment = number == 1 && !strncmp(line, "#version", 8);
        if (*line && !comment) good = read_merge(v, json, line, number, at);
    }
    free(line);
    return good;
}

bool gpt2_vocab_read(gpt2_vocab *v, const char *folder, char *why, size_t size) {
    char path[4096];
    const gpt2_reading at = {path, why, size};
    *v = (gpt2_vocab){0};
    snprintf(path, sizeof path, "%s/vocab.json", folder);
    json_t *json = gpt2_json_file(&at);
    if (!json) return false;
    bool good = json_object_size(json) < 1 << 24 ? read_tokens(v, json, &at) : gpt2_problem(&at, "too many tokens");
    snprintf(path, sizeof path, "%s/merges.txt", folder);
    FILE *f = good ? fopen(path, "rb") : NULL;
    if (good && !f) good = gpt2_problem(&at, "cannot be opened: %s", strerror(errno));
    good = good && read_merges(v, json, f, &at);
    if (f) fclose(f);
    json_decref(json);
    if (!good) gpt2_vocab_free(v);
    return good;
}

void gpt2_vocab_free(gpt2_vocab *v) {
    free(v->bytes), free(v->begin), free(v->merges);
    *v = (gpt2_vocab){0};
}
