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
                                       "__builtin_va_copy",  // a copy of 24 bytes that nobody sees, and those of
                                       "__builtin_mem",      // a constant length (include/simt/output.h)
                                       "__builtin___",
                                       "__builtin_bc",
                                       "__builtin_bzero",
                                       "__builtin_st",
                                       "_mm_",
                                       "__builtin_thread",
                                       "__builtin_dwarf",
                                       "__builtin_init",
                                       "__builtin_arm",
                                       "__builtin_aarch64",
                                       "__cxa_",  // what compilers call, and no program does by name
                                       "__tls_get",
                                       "_Unwind_",
                                       "_Z",
                                       NULL};
// Variables of the host's thread: a kernel may read them, for the sake of the one that names `extern __shared__` memory, and nobody
// counts that.
static const char *const words[] = {"asm",     "__asm__",      "__asm",    "simt", "setjmp",
                                    "longjmp", "thread_local", "__thread", NULL};

static bool begins(const token *t, const char *prefix) {
    size_t n = strlen(prefix);
    return (size_t)t->length >= n && !memcmp(t->at, prefix, n);
}

static bool in_list(const char *at, int length, const char *const *list) {
    for (; *list; list++)
        if ((int)strlen(*list) == length && !memcmp(at, *list, (size_t)length)) return true;
    return false;
}

// The bracket before the names of an attribute that begins at i, in __attribute__((...)) or [[...]]; -1: none does.
static int attribute_open(const unit *u, int i) {
    const token *t = &u->tokens[i];
    if (t->bracket == '[' && is(u, i + 1, "[") && t->match == u->tokens[i + 1].match + 1) return i + 1;
    const bool word = is(u, i, "__attribute__") || is(u, i, "__attribute");
    return word && is(u, i + 1, "(") && is(u, i + 2, "(") ? i + 2 : -1;
}

// The first name within an attribute, outside of its own parentheses, that is in the list, or (wanted false) is not; -1.
static int attribute_name(const unit *u, int open, const char *const *list, bool wanted) {
    for (int i = open + 1; i < u->tokens[open].match; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '(') i = t->match > i ? t->match : i;  // arguments
        if (!is_name(u, i)) continue;
        const char *at = t->at;
        int n = t->length;
        if (n > 4 && !memcmp(at, "__", 2) && !memcmp(at + n - 2, "__", 2)) at += 2, n -= 4;
        if (in_list(at, n, list) == wanted) return i;
    }
    return -1;
}

// Does an array of no bound begin at [, such as `extern const float table[];` or a struct's last `float f[];`? g++ does
// not instrument the loads of a constant variable, nor of one whose address stays in its function, and without a bound
// nobody sees that an index leads elsewhere. Not `x[] = {...}`, a parameter or __shared__ memory, which simt gives its
// size.
static bool has_no_bound(const unit *u, int i) {
    static const char *const behind[] = {";", ",", "__attribute__", "__attribute", "[", NULL};
    if (!is(u, i, "[") || u->tokens[i].match != i + 1 || !is_any(u, i + 2, behind)) return false;
    if (!is_name(u, i - 1) && !is(u, i - 1, ")") && !is(u, i - 1, "]")) return false;
    for (int k = i - 1; k >= 0; k--) {
        const token *t = &u->tokens[k];
        if (is(u, k, "__shared__") || is(u, k, "(")) return false;
        if (t->match >= 0 && t->match < k)
            k = t->match;  // over what is closed
        else if (is(u, k, ";") || is(u, k, "{") || is(u, k, "}"))
            break;
    }
    return true;
}

// Does `extern` at i declare a variable, not a function, nor `extern __shared__` memory? Here it may be constant, so that
// g++ does not instrument its loads, and where it is defined, in `extern "C"` of another namespace, it may not: kernels
// write it. A name in parentheses is a function's unless what stands before can be its type alone.
static bool declares_variable(const unit *u, int i) {
    static const char *const apart[] = {"__attribute__", "__attribute", "alignas", "decltype",
                                        "typeof",        "__typeof__",  NULL};
    static const char *const types[] = {"const", "volatile", "int",    "float", "double", "char", "short",
                                        "long",  "unsigned", "signed", "bool",  "auto",   NULL};
    static const char *const heads[] = {"const", "volatile", "extern",    "struct", "class", "union",
                                        "enum",  "static",   "constexpr", "::",     NULL};
    int k = i + 1;
    if (k < u->token_count && u->tokens[k].kind == TOKEN_STRING) k++;
    for (const int first = k; k < u->token_count; k++) {
        if (is(u, k, ";") || is(u, k, ",")) return true;
        if (is(u, k, "=") || is(u, k, "__shared__") || is(u, k, "template") || u->tokens[k].bracket == '{')
            return false;
        if (u->tokens[k].bracket == '(' && !is_any(u, k - 1, apart))
            return !is_name(u, k - 1) || is_any(u, k - 1, types) || k - 1 == first || is_any(u, k - 2, heads);
        if (u->tokens[k].bracket && u->tokens[k].match > k) k = u->tokens[k].match;
    }
    return false;
}

void refuse_in_guest(unit *u) {
    if (!rewriting_guest) return;
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        const int open = attribute_open(u, i), unknown = open < 0 ? -1 : attribute_name(u, open, attributes, false);
        if (unknown >= 0)
            error_at_token(u, unknown, "the attribute %.*s is not for a stage: it can hide what the code does",
                           u->tokens[unknown].length, u->tokens[unknown].at);
        if (has_no_bound(u, i))
            error_at_token(u, i,
                           "an array without a bound is not for a stage: checked mode does not see where it ends");
        if (is(u, i, "extern") && declares_variable(u, i))
            error_at_token(
                u, i,
                "a variable that is declared before it is defined is not for a stage: checked mode believes that "
                "it is as constant as it says");
        if (!is_name(u, i)) continue;
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
    if (u->files[file].system && (end - at < 6 || (memcmp(at, "GCC op", 6) && memcmp(at, "GCC ta", 6)))) return;
    for (int k = 0; pragmas[k]; k++)
        if ((size_t)(end - at) >= strlen(pragmas[k]) && !memcmp(at, pragmas[k], strlen(pragmas[k]))) return;
    error_at(u, file, line, 1, "the pragma %.*s is not for a stage: it can hide what the code does", (int)(end - at),
             at);
}

// ---- System headers --------------------------------------------------------------------------------------------------
// A macro of the student's may put code into a header that is read after it. So these may not hold it, either.

// asm("name") behind a declaration: how libraries call a function.
static bool is_label(const unit *u, int i) {
    static const char *const before[] = {")", "noexcept", NULL};
    if (!is_any(u, i - 1, before) || !is(u, i + 1, "(")) return false;
    const int close = u->tokens[i + 1].match;
    for (int k = i + 2; k < close; k++) {
        const token *t = &u->tokens[k];
        if (t->kind != TOKEN_STRING) return false;
        for (int n = 1; n + 1 < t->length; n++)
            if (!isalnum((unsigned char)t->at[n]) && t->at[n] != '_') return false;
    }
    return close > i;
}

static const char *const assembly[] = {"asm", "__asm__", "__asm", NULL};
static const char *const hiding[] = {"no_sanitize", "no_sanitize_thread", "no_sanitize_undefined",
                                     "naked",       "optimize",           "section",
                                     "ifunc",       "constructor",        "destructor",
                                     "target",      "target_clones",      NULL};

// The token at which a header hides code, from i on, or -1.
static int hides(const unit *u, int i) {
    const token *t = &u->tokens[i];
    const int open = attribute_open(u, i);
    if (open >= 0) return attribute_name(u, open, hiding, true);
    if (is_any(u, i, assembly)) return is_label(u, i) ? -1 : i;
    // memcpy's built-in forms are macros (include/simt/output.h), unless somebody has taken these away.
    static const char *const past[] = {"__builtin_ia32_",
                                       "__builtin_arm",
                                       "__builtin_aarch64",
                                       "__builtin_memcpy",
                                       "__builtin_memmove",
                                       "__builtin_va_copy",
                                       NULL};
    if (is(u, i, "__builtin_ia32_pause")) return -1;  // <memory> of C++20 waits with it; it reads and writes nothing
    for (int k = 0; past[k]; k++)
        if (begins(t, past[k])) return i;
    return -1;
}

void refuse_in_headers(unit *u) {
    match_brackets(u);
    for (int i = 0, at; i < u->token_count && !u->errors; i++)
        if ((at = hides(u, i)) >= 0)
            error_at_token(u, at, "%.*s is not for a stage, nor for what it includes: it goes past what simt sees",
                           u->tokens[at].length, u->tokens[at].at);
}
