// source.c: the file as tokens. Comments and directives become blanks first, as simt's lexer expects of what a
// preprocessor has read; so a token's place in the blanked text is its place in the file.
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void edits_grow(unit *u, void **list, size_t size, int count) {
    if (count & (count - 1) || count == 1) return;  // room for the next power of two
    *list = keep_more(u, *list, size * (size_t)count, size * (size_t)(count ? 2 * count : 2));
}

static void blank_range(char *text, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (text[i] != '\n') text[i] = ' ';
}

// The end of the comment or the quoted text that begins at i; i where none does.
static size_t skip(const char *t, size_t i, size_t size) {
    if (t[i] == '/' && i + 1 < size && t[i + 1] == '/') {
        while (i < size && t[i] != '\n') i += t[i] == '\\' && i + 1 < size ? 2 : 1;
        return i < size ? i : size;
    }
    if (t[i] == '/' && i + 1 < size && t[i + 1] == '*') {
        for (i += 2; i + 1 < size && (t[i] != '*' || t[i + 1] != '/');) i++;
        return i + 2 < size ? i + 2 : size;
    }
    const bool digits = i && t[i] == '\'' && isxdigit((unsigned char)t[i - 1]);  // 1'000
    if (t[i] == '"' || (t[i] == '\'' && !digits)) {
        const char quote = t[i++];
        while (i < size && t[i] != quote && t[i] != '\n') i += t[i] == '\\' && i + 1 < size ? 2 : 1;
        return i < size ? i + 1 : size;
    }
    return i;
}

static void blank_comments(char *text, size_t size) {
    for (size_t i = 0; i < size;) {
        const size_t end = skip(text, i, size);
        if (end > i && text[i] == '/') blank_range(text, i, end);
        i = end > i ? end : i + 1;
    }
}

static bool has_word(const char *at, const char *end, const char *word) {
    const size_t n = strlen(word);
    for (; at + n <= end; at++)
        if (!memcmp(at, word, n) && !isalnum((unsigned char)at[-1]) &&
            (at + n == end || !isalnum((unsigned char)at[n])))
            return true;
    return false;
}

static void describe(directive *d, const char *at, const char *end) {
    for (at++; at < end && (*at == ' ' || *at == '\t');) at++;
    d->pragma = has_word(at, end, "pragma");
    const bool omp = d->pragma && has_word(at, end, "omp");
    d->omp_loop = omp && (has_word(at, end, "for") || has_word(at, end, "simd"));
    d->omp_atomic = omp && has_word(at, end, "atomic");
    d->conditional = !d->pragma;
    d->collapse = 1;
    for (const char *word = at; d->omp_loop && word + 9 < end; word++)
        if (!memcmp(word, "collapse(", 9)) d->collapse = atoi(word + 9);
}

static void blank_directives(edits *e, char *text) {
    bool line_begins = true;
    for (size_t i = 0; i < e->size; i++) {
        if (text[i] == '\n') {
            line_begins = true;
        } else if (text[i] == '#' && line_begins) {
            size_t end = i;
            while (end < e->size && text[end] != '\n') end += text[end] == '\\' && end + 1 < e->size ? 2 : 1;
            if (end > e->size) end = e->size;
            size_t first = i;
            while (first && text[first - 1] != '\n') first--;
            directive *d = EDITS_ADD(e, directives, n_directives);
            *d = (directive){.first = first, .end = end};
            describe(d, text + i, text + end);
            blank_range(text, i, end);
            i = end - 1;
        } else if (!isspace((unsigned char)text[i])) {
            line_begins = false;
        }
    }
}

// float x[restrict static n], a parameter, is float *x whatever its length is. tcc knows no n there, so it goes.
static void blank_lengths(edits *e, char *text) {
    const unit *u = &e->u;
    for (int i = 1; i < u->token_count; i++) {
        const int close = u->tokens[i].match;
        if (!is(u, i, "(") || close < i || !is_name(u, i - 1) || !(is(u, close + 1, "{") || is(u, close + 1, ";")))
            continue;
        if (u->tokens[i].scope != SCOPE_NAMESPACE && u->tokens[close + 1].scope != SCOPE_NAMESPACE) continue;
        for (int k = i + 1; k < close; k++) {
            if (u->tokens[k].bracket != '[' || u->tokens[k].match < k || !is_name(u, k - 1)) continue;
            const char *from = u->tokens[k].at + 1, *to = u->tokens[u->tokens[k].match].at;
            blank_range(text, (size_t)(from - u->text), (size_t)(to - u->text));
        }
    }
}

bool edits_read(edits *e, const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return false;
    size_t room = 1 << 16;
    char *text = keep(&e->u, room + 2);
    for (size_t got; (got = fread(text + e->size, 1, room - e->size, f)) > 0;) {
        e->size += got;
        if (e->size == room) text = keep_more(&e->u, text, room, 2 * room + 2), room *= 2;
    }
    fclose(f);
    char *blanked = keep(&e->u, e->size + 2);
    memcpy(blanked, text, e->size);
    blanked[e->size] = '\n';
    const size_t length = strlen(path);
    e->path = path;
    e->source = text;
    e->cuda = length > 3 && !strcmp(path + length - 3, ".cu");
    blank_comments(blanked, e->size);
    blank_directives(e, blanked);
    e->u.text = blanked;
    e->u.size = e->size;
    lex(&e->u);
    match_brackets(&e->u);
    find_scopes(&e->u);
    if (!e->cuda) blank_lengths(e, text);
    return true;
}

bool edits_same(const unit *u, int a, int b, int n) {
    for (int i = 0; i < n; i++) {
        const token *x = &u->tokens[a + i], *y = &u->tokens[b + i];
        if (x->length != y->length || *x->at != *y->at || memcmp(x->at, y->at, (size_t)x->length)) return false;
    }
    return true;
}

const char *edits_text(edits *e, int first, int end) {
    if (first >= end) return "";
    const token *a = &e->u.tokens[first], *b = &e->u.tokens[end - 1];
    const char *from = a->at, *to = b->at + b->length;
    char *text = keep(&e->u, (size_t)(to - from) + 1);
    size_t n = 0;
    for (; from < to; from++) {
        const bool space = isspace((unsigned char)*from);
        if (!space)
            text[n++] = *from;
        else if (n && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    return text;
}

const char *edits_text_of(edits *e, const expression *x) { return edits_text(e, x->first, x->end); }

static size_t offset(const edits *e, int token) { return (size_t)(e->u.tokens[token].at - e->u.text); }

int edits_directive_before(const edits *e, int token) {
    const size_t from = token ? offset(e, token - 1) : 0, to = offset(e, token);
    for (int i = 0; i < e->n_directives; i++)
        if (e->directives[i].first >= from && e->directives[i].first < to) return i;
    return -1;
}

bool edits_directive_within(const edits *e, int first, int end) {
    for (int i = 0; i < e->n_directives; i++)
        if (e->directives[i].first > offset(e, first) && e->directives[i].first < offset(e, end - 1)) return true;
    return false;
}

int edits_line_of(const edits *e, int statement) {
    int line = 1;
    for (size_t i = 0; i < e->statements[statement].begin; i++) line += e->source[i] == '\n';
    return line;
}

// ---- Pragmas right above a token

bool edits_pragma_above(const edits *e, int token, bool atomic) {
    const int d = edits_directive_before(e, token);
    for (int k = d;
         d >= 0 && k < e->n_directives && e->directives[k].first < (size_t)(e->u.tokens[token].at - e->u.text); k++)
        if (atomic ? e->directives[k].omp_atomic : e->directives[k].omp_loop) return true;
    return false;
}

int edits_collapse_above(const edits *e, int token) {
    int n = 1;
    for (int k = 0; k < e->n_directives; k++)
        if (edits_pragma_above(e, token, false) && k >= edits_directive_before(e, token) &&
            e->directives[k].first < (size_t)(e->u.tokens[token].at - e->u.text) && e->directives[k].omp_loop)
            n = e->directives[k].collapse;
    return n;
}
