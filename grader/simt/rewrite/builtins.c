// builtins.c: threadIdx, blockIdx, blockDim and gridDim, in device functions.
//
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     int i = simt::block_idx().x * simt::block_dim().x + simt::thread_idx().x;
//
// No macros: in host code these are names like any other, and `dim3 blockDim(16, 16);` is in every other program.
#include "rewrite.h"

// __CUDA_ARCH__: sides.c leaves it between the two bodies of a function.
static const struct {
    const char *name, *call;
} builtins[] = {
    {"threadIdx", "simt::thread_idx()"}, {"blockIdx", "simt::block_idx()"},      {"blockDim", "simt::block_dim()"},
    {"gridDim", "simt::grid_dim()"},     {"__CUDA_ARCH__", "simt::on_device()"},
};

enum { BUILTINS = sizeof builtins / sizeof *builtins };

// A type stands before the name: here it is declared anew.
static bool declared_at(const unit *u, int i, const char *name) {
    static const char *const no_types[] = {"return", "else", "case", "do", "sizeof", NULL};
    return is(u, i, name) && is_name(u, i - 1) && !is_any(u, i - 1, no_types);
}

// A device function may have a parameter or a variable of that name.
static bool declares(const unit *u, int first, int last, const char *name) {
    for (int i = first; i <= last; i++)
        if (declared_at(u, i, name)) return true;
    return false;
}

// n < 0: all of them.
static void rewrite_range(unit *u, int first, int last, int n) {
    for (int k = 0; n < 0 && k < BUILTINS; k++) rewrite_range(u, first, last, k);
    for (int i = first; n >= 0 && i <= last; i++)
        if (is(u, i, builtins[n].name) && !is(u, i - 1, ".") && !is(u, i - 1, "->") && !is(u, i - 1, "::") &&
            !declared_at(u, i, builtins[n].name))
            replace(u, i, builtins[n].call);
}

static void rewrite_function(unit *u, int first, int last) {
    for (int n = 0; n < BUILTINS; n++)
        if (!declares(u, first, last, builtins[n].name)) rewrite_range(u, first, last, n);
}

// struct S { unsigned i = threadIdx.x, j{threadIdx.y}; };
static void rewrite_member(unit *u, int equals) {
    int end = equals;
    while (end < u->token_count && !is(u, end, ";") && !is(u, end, ",")) end = skip_group(u, end);
    rewrite_range(u, equals, end - 1, -1);
}

// A device function's default values, without its body: __device__ int f(int i = threadIdx.x);
static void rewrite_declaration(unit *u, int word) {
    int first = statement_start(u, word), end = word;
    while (end < u->token_count && !is(u, end, ";") && u->tokens[end].bracket != '{') end = skip_group(u, end);
    if (is(u, end, ";")) rewrite_function(u, first, end);
}

void rewrite_builtins(unit *u) {
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '{' && t->match < 0) {
            // A brace is missing: where functions end is anyone's guess, and "threadIdx was not declared" would be a
            // worse complaint than the compiler's own.
            for (int n = 0; n < BUILTINS; n++) rewrite_range(u, i, u->token_count - 1, n);
            return;
        }
        if (is(u, i, "__device__") && t->scope != SCOPE_DEVICE) rewrite_declaration(u, i);
        // At the top level a type may ask what a built-in's type is; in a class a member may begin with its value.
        if (is(u, i, "decltype") && t->scope != SCOPE_HOST) rewrite_range(u, i, skip_group(u, i + 1) - 1, -1);
        if (t->scope == SCOPE_CLASS && is(u, i, "=") && !is(u, i - 1, "operator")) rewrite_member(u, i);
        bool value = t->bracket == '{' && t->scope == SCOPE_VALUE && t->match > i;
        if (value && is_name(u, i - 1) && u->tokens[i - 1].scope == SCOPE_CLASS) rewrite_range(u, i, t->match, -1);
        if (t->bracket != '{' || t->scope != SCOPE_DEVICE) continue;
        rewrite_function(u, statement_start(u, i), t->match);
        i = t->match;
    }
}
