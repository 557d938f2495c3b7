// hosts.c: host functions and host variables in device code. g++ would compile them, since for it both sides are one; nvcc
// refuses. So do we, by a rule for the common cases:
//
//     a function that this file defines for the host alone, called in device code by its plain name
//     a variable at file scope that is neither const nor the device's, or an array that is not the device's, named there
//     functions of the C library that no GPU has: rand, time, exit, ...
//
// A name that could mean anything else (a local one, a member, an overload, a macro's work) is left alone; so are all functions of
// files that ask for __CUDACC__, which is not defined here: HD may be a macro, __host__ __device__ for nvcc and nothing for us.
// simtcc --lint asks clang, which knows all cases.
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

bool rewriting_host_words;

enum { MOST = 16 };  // declarators of one declaration

typedef struct {
    const char *at;
    int length;
    bool function, other;  // other: declared elsewhere in another meaning
} host_name;

typedef struct {
    host_name *list;
    int count;
} host_names;

static int compare(const void *a, const void *b) {
    const host_name *x = a, *y = b;
    int least = x->length < y->length ? x->length : y->length, order = memcmp(x->at, y->at, (size_t)least);
    return order ? order : x->length - y->length;
}

static host_name *find(const host_names *names, const token *t) {
    host_name key = {.at = t->at, .length = t->length};
    return names->count ? bsearch(&key, names->list, (size_t)names->count, sizeof key, compare) : NULL;
}

static bool any_word(const unit *u, int first, int last, const char *const *words) {
    for (int i = first; i < last; i++)
        if (is_any(u, i, words)) return true;
    return false;
}

// The function whose body or semicolon ends the declaration [first, end): its name, where it is the host's alone.
static int host_function(const unit *u, int first, int end) {
    static const char *const others[] = {"__device__", "__global__", "constexpr", "template", "operator", "typedef",
                                         "using",      "friend",     "=",         "struct",   "class",    "union",
                                         "enum",       "namespace",  "asm",       "__asm__",  "~",        NULL};
    if (any_word(u, first, end, others)) return -1;
    for (int i = first; i < end; i++) {
        if (is(u, i, "__attribute__") || is(u, i, "decltype") || is(u, i, "alignas"))
            i = skip_group(u, i + 1) - 1;
        else if (u->tokens[i].bracket == '(')
            return is_name(u, i - 1) && i - 1 > first && !is(u, i - 2, "::") ? i - 1 : -1;
    }
    return -1;
}

// int n = 5, m; at file scope: its declarators. 0: something else.
static int host_variables(const unit *u, int first, int end, declarator *list) {
    static const char *const others[] = {
        "__device__", "__constant__", "__managed__", "__shared__", "__global__",    "template", "typedef",
        "using",      "extern",       "struct",      "class",      "union",         "enum",     "friend",
        "namespace",  "operator",     "(",           "<",          "static_assert", "&",        "::",
        NULL};
    static const char *const constant[] = {"const", "constexpr", NULL};
    int value = first;
    while (value < end && !is(u, value, "=") && u->tokens[value].bracket != '{') value++;
    if (any_word(u, first, value, others)) return 0;
    int n = declarators(u, first, list, MOST);
    if (n <= 0 || list[0].name <= first) return 0;
    // const int n: its value is known on both sides. const int n[3] is memory of the host's.
    return any_word(u, first, value, constant) && !is(u, list[0].name + 1, "[") ? 0 : n;
}

static host_names collect(unit *u) {
    host_names names = {keep(u, sizeof(host_name) * (size_t)(u->token_count + 1)), 0};
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        bool body = t->bracket == '{' && t->scope == SCOPE_HOST;
        bool top = t->scope == SCOPE_NAMESPACE || (body && t->match > i);
        if (!top || (!body && !is(u, i, ";"))) continue;
        int first = statement_start(u, i);
        while (first > 0 && u->tokens[first - 1].bracket == '}' && u->tokens[first - 1].scope == SCOPE_VALUE)
            first = statement_start(u, u->tokens[first - 1].match);  // int n[] = {1, 2};
        declarator list[MOST] = {{.name = body ? host_function(u, first, i) : -1}};
        int n = body ? list[0].name >= 0 : host_variables(u, first, i, list);
        for (int k = 0; k < n; k++) {
            const token *name = &u->tokens[list[k].name];
            names.list[names.count++] = (host_name){name->at, name->length, .function = body};
        }
        if (body) i = t->match;
    }
    qsort(names.list, (size_t)names.count, sizeof *names.list, compare);
    return names;
}

// May the name at token i be a declaration? Then it means something else there, or in some other place.
static bool declares_here(const unit *u, int i) {
    static const char *const no_types[] = {"return", "else", "case", "do", "sizeof", "goto", NULL};
    int before = i - 1;
    if (is(u, before, ",") && is(u, i + 1, "=")) return true;  // int r = n / D, d = n % D;
    while (is(u, before, "*") || is(u, before, "&") || is(u, before, "const")) before--;
    if (is(u, before, ">")) return true;
    if (before == i - 1) return is_name(u, before) && !is_any(u, before, no_types);
    static const char *const begin[] = {"(", ",", ";", "{", "}", "const", "unsigned", "struct", "volatile", NULL};
    return is_name(u, before) && is_any(u, before - 1, begin);
}

// A member, or an overload for the device, may be what is meant.
static void forget_other_meanings(const unit *u, const host_names *names) {
    static const char *const also[] = {"__device__", "__global__", "constexpr", "template", NULL};
    for (int i = 0; i < u->token_count; i++) {
        host_name *n = is_name(u, i) ? find(names, &u->tokens[i]) : NULL;
        scope_kind scope = u->tokens[i].scope;
        if (!n || u->tokens[i].at == n->at) continue;
        n->other |= scope == SCOPE_CLASS;
        if (scope == SCOPE_NAMESPACE && n->function && is(u, i + 1, "("))
            n->other |= any_word(u, statement_start(u, i), i, also);
    }
}

// Is the name at token i declared in [first, last], by a parameter or a local variable?
static bool is_local(const unit *u, int i, int first, int last) {
    for (int k = first; k <= last; k++)
        if (u->tokens[k].length == u->tokens[i].length && is_name(u, k) &&
            !memcmp(u->tokens[k].at, u->tokens[i].at, (size_t)u->tokens[i].length) && declares_here(u, k))
            return true;
    return false;
}

// std::cout, or std::vector<int> v;
static bool is_host_object(const unit *u, int i) {
    static const char *const streams[] = {"cout", "cerr", "clog", NULL};
    static const char *const holders[] = {"vector", "string", "map", "unordered_map", "list", "deque", "set", NULL};
    if (!is(u, i, "std") || !is(u, i + 1, "::")) return false;
    int behind = is(u, i + 3, "<") ? angle_close(u, i + 3) + 1 : i + 3;
    return is_any(u, i + 2, streams) || (is_any(u, i + 2, holders) && behind > 0 && is_name(u, behind));
}

// `both`: the function around it is the host's, too, and nvcc warns only.
static void complain(unit *u, int i, bool both, const char *kind, const char *what, const char *instead) {
    const token *t = &u->tokens[i];
    if (both)
        warn_at_token(u, i, "%s%.*s%s: right on the host alone", kind, t->length, t->at, what);
    else
        error_at_token(u, i, "%s%.*s%s: %s", kind, t->length, t->at, what, instead);
}

static void refuse_name(unit *u, int i, const host_name *n, int first, int last, bool both) {
    static const char *const no_gpu_has[] = {"rand",   "srand", "rand_r",       "drand48", "time",    "getenv",
                                             "exit",   "fopen", "fread",        "fwrite",  "fprintf", "scanf",
                                             "system", "qsort", "gettimeofday", NULL};
    bool call = is(u, i + 1, "("), known = n && !n->other && n->function == call;
    if (known && n->function && rewriting_host_words) return;
    if (!known && (n || !call || !is_any(u, i, no_gpu_has))) return;
    if (is_local(u, i, first, last) || is(u, i - 2, "sizeof") || is(u, i - 2, "decltype")) return;
    if (!known)
        complain(u, i, both, "", "() is a function of the host's C library", "no GPU has it");
    else if (n->function)
        complain(u, i, both, "the host function ", " is called in device code",
                 "nvcc refuses that. Write __device__ (or __host__ __device__) before it");
    else
        complain(u, i, both, "the host variable ", " is used in device code",
                 "nvcc refuses that. Pass it to the kernel, or declare it __device__ or __constant__");
}

// { if (__CUDA_ARCH__) { device } else { host } }, as sides.c writes it: past what is the host's.
static int skip_host_side(const unit *u, int i) {
    bool two = is(u, i, "else") && is(u, i + 1, "{") && is(u, i - 1, "}");
    return two && is(u, u->tokens[i - 1].match - 2, "__CUDA_ARCH__") ? skip_group(u, i + 1) - 1 : i;
}

void refuse_host_names(unit *u) {
    host_names names = collect(u);
    forget_other_meanings(u, &names);
    for (int open = 0; open < u->token_count; open++) {
        const token *t = &u->tokens[open];
        if (t->bracket != '{' || t->scope != SCOPE_DEVICE || t->match < open) continue;
        int first = statement_start(u, open), last = t->match;
        bool lambda = first > 0 && u->tokens[first].scope == SCOPE_HOST;  // its names may be its function's
        bool both = false;
        for (int i = first; i < open; i++) both |= is(u, i, "__host__");
        for (int i = open + 1; i < last; i++) {
            i = skip_host_side(u, i);
            if (is_host_object(u, i) && !both)
                error_at_token(u, i, "std::%s is the host's: no GPU has it", text_between(u, i + 2, i + 2));
            const host_name *n = is_name(u, i) ? find(&names, &u->tokens[i]) : NULL;
            if (!is_name(u, i) || is(u, i - 1, ".") || is(u, i - 1, "->") || is(u, i - 1, "::") || is(u, i + 1, "::"))
                continue;
            if (!n || n->function || !lambda) refuse_name(u, i, n, first, last, both);
        }
        open = last;
    }
}
