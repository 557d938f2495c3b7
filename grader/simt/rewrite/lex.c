// lex.c: text into tokens. Line markers, pragmas and system headers are passed over: they are no tokens, so that no stage
// can change them.
//
// `>` and `<` are always tokens of their own. Whether three of them launch a kernel, shift, or close three template
// argument lists is for the reader to decide.
#include "rewrite.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    unit *u;
    const char *p, *end, *line_start;
    int file, line;
    int capacity;
    const char *refused;  // feature of the header that is being read, NULL: none
    bool began;           // the file that is compiled: what stands before it is simt's own
} lexer;

enum { FIRST_FILE = 1 };  // the preprocessor begins with the file that is compiled; 0 is <stdin>

static int find_file(unit *u, const char *name, int length, const char *flags) {
    for (int i = 0; i < u->file_count; i++)
        if (strlen(u->files[i].name) == (size_t)length && !memcmp(u->files[i].name, name, (size_t)length)) return i;
    if (!(u->file_count & (u->file_count - 1))) {
        size_t size = sizeof *u->files * (size_t)u->file_count;
        u->files = keep_more(u, u->files, size, size ? 2 * size : sizeof *u->files);
    }
    source_file *f = &u->files[u->file_count];
    f->name = format(u, "%.*s", length, name);
    // Decided when a file is first seen: gcc also puts flag 3 on lines of the student's file, around what the macros of a
    // system header leave there.
    f->system = strchr(flags, '3') || name[1] == '<';
    return u->file_count++;
}

// # 12 "file" 1 3: the next line is line 12 of file. Flags: 1 enters the file, 2 comes back to it, 3 a system header.
// False where the line is no marker (a pragma).
static bool read_marker(lexer *x, const char *eol) {
    const char *p = x->p + 1;
    while (p < eol && *p == ' ') p++;
    if (p == eol || !isdigit((unsigned char)*p)) return false;
    int line = 0;
    for (; p < eol && isdigit((unsigned char)*p); p++) line = line > 100000000 ? line : 10 * line + (*p - '0');
    while (p < eol && *p == ' ') p++;
    if (p == eol || *p != '"') return false;
    const char *name = p++;
    while (p < eol && *p != '"') p += *p == '\\' && p + 1 < eol ? 2 : 1;
    if (p >= eol) return false;
    int length = (int)(p + 1 - name);
    char flags[16] = "";
    snprintf(flags, sizeof flags, "%.*s", (int)(eol - p - 1), p + 1);

    bool from_student = !x->u->files[x->file].system;
    int file = find_file(x->u, name, length, flags);
    if (strchr(flags, '1') && from_student && !x->refused && x->u->files[file].system)
        x->refused = refused_header(x->u->files[file].name);
    // The #include stands one line above the place to which its end returns; column 10 is behind the word.
    if (strchr(flags, '2') && x->refused && !x->u->files[file].system) {
        error_at(x->u, file, line > 1 ? line - 1 : 1, 10,
                 "%s is not available on the CPU: put this #include and what uses it under #ifdef __CUDACC__",
                 x->refused);
        x->refused = NULL;
    }
    x->began |= file == FIRST_FILE && line > 0 && x->p > x->u->text;  // clang's first line names it before all -include
    x->file = file;
    x->line = line - 1;  // the newline of the marker itself counts one
    return true;
}

static token *add_token(lexer *x, token_kind kind, int length) {
    unit *u = x->u;
    if (u->token_count == x->capacity) {
        size_t size = sizeof *u->tokens * (size_t)x->capacity;
        x->capacity = x->capacity ? 2 * x->capacity : 1024;
        u->tokens = keep_more(u, u->tokens, size, sizeof *u->tokens * (size_t)x->capacity);
    }
    token *t = &u->tokens[u->token_count++];
    *t = (token){.kind = kind,
                 .at = x->p,
                 .length = length,
                 .match = -1,
                 .file = x->file,
                 .line = x->line,
                 .column = (int)(x->p - x->line_start) + 1};
    for (int i = 0; i < length; i++)
        if (x->p[i] == '\n') {
            x->line++;
            x->line_start = x->p + i + 1;
        }
    x->p += length;
    return t;
}

static bool name_byte(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80); }

static int name_length(const char *p, const char *end) {
    const char *q = p;
    while (q < end && name_byte(*q)) q++;
    return (int)(q - p);
}

// 1.5e-3f, 0x1p+4, 1'000'000
static int number_length(const char *p, const char *end) {
    const char *q = p + 1;
    while (q < end && (name_byte(*q) || *q == '.' || (*q == '\'' && q + 1 < end && name_byte(q[1])) ||
                       ((*q == '+' || *q == '-') && strchr("eEpP", q[-1]))))
        q++;
    return (int)(q - p);
}

static int quoted_length(const char *p, const char *end) {
    const char *q = p + 1;
    while (q < end && *q != *p && *q != '\n') q += *q == '\\' && q + 1 < end ? 2 : 1;
    return (int)(q < end ? q + (*q == *p) - p : end - p);
}

// R"delimiter( anything )delimiter", p at the quote. Without its end: an ordinary string, the compiler complains.
static int raw_length(const char *p, const char *end) {
    const char *open = memchr(p, '(', (size_t)(end - p));
    if (!open || open - p > 17) return quoted_length(p, end);
    size_t delimiter = (size_t)(open - p - 1);
    for (const char *q = open + 1; q + delimiter + 2 <= end; q++)
        if (*q == ')' && !memcmp(q + 1, p + 1, delimiter) && q[delimiter + 1] == '"')
            return (int)(q + delimiter + 2 - p);
    return quoted_length(p, end);
}

// The length of the prefix (u8, u, U, L, R and their unions) when a string starts at p; -1 when none does.
static int string_prefix(const char *p, const char *end, bool *raw) {
    int n = name_length(p, end);
    if (n > 3 || p + n == end || (p[n] != '"' && p[n] != '\'')) return -1;
    *raw = n && p[n - 1] == 'R' && p[n] == '"';
    int width = *raw ? n - 1 : n;
    bool known = width == 0 || (width == 1 && strchr("uUL", *p)) || (width == 2 && !memcmp(p, "u8", 2));
    return known ? n : -1;
}

// The bracket that punctuation of this length stands for. <:: is no digraph unless : or > follows (C++11).
static int punctuation(const lexer *x, char *bracket) {
    static const char *const digraphs[] = {"<:[", ":>]", "<%{", "%>}"};
    const char *p = x->p;
    size_t left = (size_t)(x->end - p);
    *bracket = strchr("()[]{}", *p) ? *p : 0;
    if (left > 2 && !memcmp(p, "<::", 3) && (left < 4 || (p[3] != ':' && p[3] != '>'))) return 1;
    if (left > 1) {
        for (int i = 0; i < 4; i++)
            if (!memcmp(p, digraphs[i], 2)) {
                *bracket = digraphs[i][2];
                return 2;
            }
        static const char *const pairs[] = {"::", "->", "<=", ">=", "==", "!="};
        for (int i = 0; i < 6; i++)
            if (!memcmp(p, pairs[i], 2)) return 2;
        if (left > 2 && !memcmp(p, "...", 3)) return 3;
    }
    return 1;
}

static void lex_token(lexer *x) {
    bool raw;
    int prefix = string_prefix(x->p, x->end, &raw);
    if (prefix >= 0) {
        const char *quote = x->p + prefix;
        add_token(x, TOKEN_STRING, prefix + (raw ? raw_length(quote, x->end) : quoted_length(quote, x->end)));
    } else if (isdigit((unsigned char)*x->p) ||
               (*x->p == '.' && x->p + 1 < x->end && isdigit((unsigned char)x->p[1]))) {
        add_token(x, TOKEN_NUMBER, number_length(x->p, x->end));
    } else if (name_byte(*x->p)) {
        add_token(x, TOKEN_NAME, name_length(x->p, x->end));
    } else {
        char bracket;
        int length = punctuation(x, &bracket);
        add_token(x, TOKEN_PUNCTUATION, length)->bracket = bracket;
    }
}

// A token of a system header: none of the unit's, and only looked at.
static void lex_aside(lexer *x, lexer *aside) {
    unit *const u = aside->u;
    const int capacity = aside->capacity;
    *aside = *x;
    aside->u = u, aside->capacity = capacity;
    lex_token(aside);
    x->p = aside->p, x->line = aside->line, x->line_start = aside->line_start;
}

void lex(unit *u) {
    unit headers = {.report = u->report};
    lexer aside = {.u = &headers};
    lexer x = {.u = u, .p = u->text, .end = u->text + u->size, .line_start = u->text, .line = 1};
    x.file = find_file(u, "\"<stdin>\"", 9, "");
    u->files[x.file].system = false;
    bool line_begins = true;
    while (x.p < x.end) {
        if (*x.p == '\n') {
            x.line++;
            x.line_start = ++x.p;
            line_begins = true;
        } else if (isspace((unsigned char)*x.p) || *x.p == 0) {
            x.p++;
        } else if ((*x.p == '#' && line_begins) || (u->files[x.file].system && !(rewriting_guest && x.began))) {
            const char *eol = memchr(x.p, '\n', (size_t)(x.end - x.p));
            eol = eol ? eol : x.end;
            const bool student = !u->files[x.file].system;
            if (*x.p == '#' && line_begins && !read_marker(&x, eol) && (student || x.began))
                check_guest_directive(u, x.file, x.line, x.p, eol);
            x.p = eol;
        } else {
            if (u->files[x.file].system)
                lex_aside(&x, &aside);
            else
                lex_token(&x);
            line_begins = false;
        }
    }
    headers.files = u->files, headers.file_count = u->file_count;
    refuse_in_headers(&headers);
    u->errors += headers.errors;
    free_memory(&headers);
}
