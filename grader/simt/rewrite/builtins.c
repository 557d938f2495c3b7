// builtins.c: threadIdx, blockIdx, blockDim and gridDim, in device functions.
//
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     int i = simt::block_idx().x * simt::block_dim().x + simt::thread_idx().x;
//
// No macros: in host code these are names like any other, and `dim3 blockDim(16, 16);` is in every other program.
#include "rewrite.h"

static const struct {
    const char *name, *call;
} builtins
    [] =
        {
            {"threadIdx", "simt::thread_idx()"},    {"blockIdx", "simt::block_idx()"},
            {"blockDim", "simt::block_dim()"},      {"gridDim", "simt::grid_dim()"},
            {"__CUDA_ARCH__", "simt::on_device()"},  // sides.c leaves it between the two bodies of a function
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

static void rewrite_range(unit *u, int first, int last, int n) {
    for (int i = first; i <= last; i++)
        if (is(u, i, builtins[n].name) && !is(u, i - 1, ".") && !is(u, i - 1, "->") && !is(u, i - 1, "::") &&
            !declared_at(u, i, builtins[n].name))
            replace(u, i, builtins[n].call);
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
        if (t->bracket != '{' || t->scope != SCOPE_DEVICE) continue;
        for (int n = 0; n < BUILTINS; n++)
            if (!declares(u, statement_start(u, i), t->match, builtins[n].name)) rewrite_range(u, i, t->match, n);
        i = t->match;
    }
}
