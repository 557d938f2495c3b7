// marker.c: #line in a guest's file, looked for before the preprocessor reads it: behind it nothing tells the student's own
// marker from the preprocessor's. Comments, strings (raw ones, too) and 1'000 may hold anything.
#include "rewrite.h"

#include <ctype.h>
#include <string.h>

// The next character with its line; a line that ends in a backslash goes on.
typedef struct {
    FILE *in;
    int line, back;  // back: a character that is read again; 0: none
    char word[4];    // the name or number that ends here, if it is short
    int length;      // its length
} reader;
static int next(reader *r) {
    int c = r->back ? r->back : fgetc(r->in);
    r->back = 0;
    while (c == '\\') {
        int d = fgetc(r->in), blanks = 0;
        while (d == ' ' || d == '\t' || d == '\r') d = fgetc(r->in), blanks++;
        if (d != '\n') {
            if (blanks) d = ' ';  // what follows is not an escape
            ungetc(d, r->in);
            return '\\';
        }
        r->line++;
        c = fgetc(r->in);
    }
    if (c == '\n') r->line++;
    return c;
}

// Is the next one `wanted`? Then it is read.
static bool follows(reader *r, int wanted) {
    const int c = next(r);
    if (c == wanted) return true;
    if (c == '\n') r->line--;
    r->back = c;
    return false;
}

static int skip_comment(reader *r, int c) {
    if (c == '/')
        while (c != '\n' && c != EOF) c = next(r);
    else
        for (int before = 0; (c = next(r)) != EOF && !(before == '*' && c == '/');) before = c;
    return c == '\n' ? '\n' : ' ';
}

// R"x( ... )x", behind its first quote. It may go over many lines, and nothing in it is an escape.
static int skip_raw(reader *r) {
    char end[20] = ")";
    int n = 1, c, seen = 0;
    while ((c = fgetc(r->in)) != EOF && c != '(' && c != '\n' && n < 18) end[n++] = (char)c;
    end[n++] = '"';
    while (c == '(' && seen < n && (c = fgetc(r->in)) != EOF) {
        r->line += c == '\n';
        seen = c == end[seen] ? seen + 1 : c == ')';
        if (c != EOF && seen < n) c = '(';
    }
    return '"';
}

static int skip_quoted(reader *r, int quote) {
    static const char *const raw[] = {"R", "u8R", "uR", "UR", "LR"};
    for (int i = 0; quote == '"' && i < 5; i++)
        if (r->length == (int)strlen(raw[i]) && !memcmp(r->word, raw[i], (size_t)r->length)) return skip_raw(r);
    int c;
    while ((c = next(r)) != EOF && c != quote && c != '\n')
        if (c == '\\') next(r);
    return c;
}

// c belongs to a name or number, or ends it. True for the mark between the digits of 1'000.
static bool read_word(reader *r, int c) {
    const bool digits = r->length && isdigit((unsigned char)r->word[0]);
    if (digits && c == '\'') return true;
    if (!isalnum(c) && c != '_' && c != '$' && c < 0x80 && !(digits && c == '.')) return false;
    if (r->length < (int)sizeof r->word) r->word[r->length] = (char)c;
    r->length++;
    return false;
}

// Where the file says itself which line of which file it is: the line of that; 0: nowhere.
int find_line_marker(FILE *in) {
    reader r = {.in = in, .line = 1};
    enum { BEGIN, HASH, REST } at = BEGIN;
    for (int c = next(&r), length = 0; c != EOF; c = next(&r), length = r.length) {
        if (c == '/' && follows(&r, '*'))
            c = skip_comment(&r, '*');
        else if (c == '/' && follows(&r, '/'))
            c = skip_comment(&r, '/');
        const bool separator = read_word(&r, c);
        if (c == '\n') {
            at = BEGIN;
        } else if (isspace(c) || separator) {
        } else if (at == BEGIN && (c == '#' || (c == '%' && follows(&r, ':')))) {
            at = HASH;
        } else if (at == HASH && (isdigit(c) || c == 'l')) {
            return r.line;
        } else if (c == '"' || c == '\'') {
            at = skip_quoted(&r, c) == '\n' ? BEGIN : REST;
        } else {
            at = REST;
        }
        if (r.length == length && !separator) r.length = 0;
    }
    return 0;
}
