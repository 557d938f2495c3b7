// guest.c: what a guest's file (runtime/guests.h) may not hold. Its accesses of memory are seen because the compiler's
// instrumentation sees them; so no attribute, pragma or assembly may turn that off, no name of simt's own may be used, and
// the line markers, by which we tell the student's lines from a header's, must be the preprocessor's.
#include "rewrite.h"

#include <ctype.h>
#include <string.h>

bool rewriting_guest;

static const char *const attributes[] = {"aligned",
                                         "packed",
                                         "noinline",
                                         "always_inline",
                                         "unused",
                                         "maybe_unused",
                                         "nodiscard",
                                         "fallthrough",
                                         "pure",
                                         "const",
                                         "hot",
                                         "cold",
                                         "flatten",
                                         "likely",
                                         "unlikely",
                                         "used",
                                         "noreturn",
                                         "format",
                                         "nonnull",
                                         "deprecated",
                                         "may_alias",
                                         "vector_size",
                                         "visibility",
                                         "gnu",
                                         "gnu_inline",
                                         "nothrow",
                                         "warn_unused_result",
                                         "leaf",
                                         "artificial",
                                         "returns_nonnull",
                                         "assume_aligned",
                                         "alloc_size",
                                         "malloc",
                                         NULL};

static const char *const pragmas[] = {
    "unroll", "nounroll",         "once",       "omp",   "GCC unroll", "GCC ivdep", "GCC diagnostic",
    "nv_",    "clang diagnostic", "clang loop", "diag_", "region",     "endregion", NULL};

// Names that are simt's or the sanitizers', or that reach past the instrumentation.
static const char *const prefixes[] = {"simt_",
                                       "__simt",
                                       "__tsan",
                                       "__ubsan",
                                       "__asan",
                                       "__sanitizer",
                                       "__builtin_ia32_",
                                       "__builtin_return",
                                       "__builtin_frame",
                                       "__builtin_longjmp",
                                       "__builtin_setjmp",
                                       "__builtin_eh_",
                                       "__builtin_unwind",
                                       "__builtin_apply",
                                       "__builtin_arm",
                                       "__builtin_aarch64",
                                       NULL};
static const char *const words[] = {"asm", "__asm__", "__asm", "simt", "_mm_store_si128", "setjmp", "longjmp", NULL};

static bool begins(const token *t, const char *prefix) {
    size_t n = strlen(prefix);
    return (size_t)t->length >= n && !memcmp(t->at, prefix, n);
}

static bool in_list(const char *at, int length, const char *const *list) {
    for (; *list; list++)
        if ((int)strlen(*list) == length && !memcmp(at, *list, (size_t)length)) return true;
    return false;
}

// Every name within __attribute__((...)), and outside of an attribute's own parentheses.
static void check_attribute(unit *u, int open) {
    int close = u->tokens[open].match;
    for (int i = open + 1; i < close; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '(' && i > open + 1) {
            i = t->match;  // arguments
            continue;
        }
        if (!is_name(u, i)) continue;
        const char *at = t->at;
        int n = t->length;
        if (n > 4 && !memcmp(at, "__", 2) && !memcmp(at + n - 2, "__", 2)) at += 2, n -= 4;
        if (!in_list(at, n, attributes))
            error_at_token(u, i, "the attribute %.*s is not for a stage: it can hide what the code does", t->length,
                           t->at);
    }
}

void refuse_in_guest(unit *u) {
    if (!rewriting_guest) return;
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '[' && is(u, i + 1, "[") && t->match == u->tokens[i + 1].match + 1) check_attribute(u, i + 1);
        if (!is_name(u, i)) continue;
        if ((is(u, i, "__attribute__") || is(u, i, "__attribute")) && is(u, i + 1, "(") && is(u, i + 2, "("))
            check_attribute(u, i + 2);
        bool refused = is_any(u, i, words) && !is_device_asm(u, i);
        for (int k = 0; prefixes[k]; k++) refused |= begins(t, prefixes[k]);
        if (refused)
            error_at_token(u, i, "%.*s is not for a stage: it is simt's own, or goes past what simt sees", t->length,
                           t->at);
    }
}

// A directive that the preprocessor has left: a pragma.
void check_guest_directive(unit *u, int file, int line, const char *at, const char *end) {
    if (!rewriting_guest) return;
    for (at++; at < end && isspace((unsigned char)*at);) at++;
    if (end - at < 6 || memcmp(at, "pragma", 6)) return;
    for (at += 6; at < end && isspace((unsigned char)*at);) at++;
    for (int k = 0; pragmas[k]; k++)
        if ((size_t)(end - at) >= strlen(pragmas[k]) && !memcmp(at, pragmas[k], strlen(pragmas[k]))) return;
    error_at(u, file, line, 1, "the pragma %.*s is not for a stage: it can hide what the code does", (int)(end - at),
             at);
}

// ---- The file itself, before the preprocessor --------------------------------------------------------------------------

// The next character with its line; a line that ends in a backslash goes on.
typedef struct {
    FILE *in;
    int line;
} reader;
static int next(reader *r) {
    int c = fgetc(r->in);
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

static int skip_comment(reader *r, int c) {
    if (c == '/')
        while (c != '\n' && c != EOF) c = next(r);
    else
        for (int before = 0; (c = next(r)) != EOF && !(before == '*' && c == '/');) before = c;
    return c == '\n' ? '\n' : ' ';
}

// Where the file says itself which line of which file it is: the line of that; 0: nowhere.
int find_line_marker(FILE *in) {
    reader r = {in, 1};
    enum { BEGIN, HASH, REST } at = BEGIN;
    for (int c = next(&r), d; c != EOF; c = next(&r)) {
        if (c == '/') {
            d = fgetc(in);
            if (d == '*' || d == '/')
                c = skip_comment(&r, d == '/' ? '/' : '*');
            else
                ungetc(d, in);
        }
        if (c == '\n') {
            at = BEGIN;
        } else if (isspace(c)) {
            continue;
        } else if (at == BEGIN && c == '%') {
            at = (d = fgetc(in)) == ':' ? HASH : REST;
            if (at == REST) ungetc(d, in);
        } else if (at == BEGIN && c == '#') {
            at = HASH;
        } else if (at == HASH && (isdigit(c) || c == 'l')) {
            return r.line;
        } else if (c == '"' || c == '\'') {
            for (int quote = c; (c = next(&r)) != EOF && c != quote && c != '\n';)
                if (c == '\\') next(&r);
            at = c == '\n' ? BEGIN : REST;
        } else {
            at = REST;
        }
    }
    return 0;
}
