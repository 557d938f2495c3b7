// qualifiers.c: the words that only CUDA knows. They have done their work by now and leave blanks behind, so that the
// columns of error messages stay right.
//
// Checked mode alone: g++ does not instrument a struct that goes by value to or from a function, so kernels take in all
// that they call (flatten), and no function says that it stays outside.
#include "rewrite.h"

static const char *const words[] = {"__global__", "__host__", "__device__", "__constant__", "__managed__", NULL};

bool rewriting_checked;

// Who leaves a kernel by `return;` says so: a barrier need not wait for him (check/barriers.cpp).
static void mark_returns(unit *u, int open) {
    for (int i = open; i < u->tokens[open].match; i++) {
        bool lambda = u->tokens[i].bracket == '{' && is(u, i - 1, ")") && is(u, u->tokens[i - 1].match - 1, "]");
        if (lambda)
            i = skip_group(u, i) - 1;
        else if (is(u, i, "return") && is(u, i + 1, ";"))
            insert_after(u, i, " simt_returns()");
    }
}

static void rewrite_kernel(unit *u, int i) {
    int body = kernel_body(u, i);
    bool defined = body >= 0 && u->tokens[body].bracket == '{' && u->tokens[body].match > 0;
    replace(u, i, defined ? "__attribute__((flatten))" : "");
    if (defined) mark_returns(u, body);
}

void rewrite_qualifiers(unit *u) {
    for (int i = 0; i < u->token_count; i++) {
        if (rewriting_checked && is(u, i, "__global__"))
            rewrite_kernel(u, i);
        else if (is_any(u, i, words))
            blank(u, i);
        else if (is(u, i, "__launch_bounds__") && is(u, i + 1, "(") && u->tokens[i + 1].match > i)
            for (int close = u->tokens[i + 1].match, k = i; k <= close; k++) blank(u, k);
        // No macro: the standard library's own headers write __attribute__((__noinline__)).
        else if (is(u, i, "__noinline__") && !is(u, i - 1, "("))
            replace(u, i, rewriting_checked ? "" : "__attribute__((noinline))");
        else if (rewriting_checked && (is(u, i, "noinline") || is(u, i, "__noinline__")) && is(u, i - 1, "(") &&
                 is(u, i + 1, ")"))
            blank(u, i);
    }
}
