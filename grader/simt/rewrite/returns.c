// returns.c: `return;` in main, which returns an int. nvcc warns, and main returns 0; g++ and clang++ would refuse it.
#include "rewrite.h"

// Does the brace at `open` begin a block of the function around it? What else stands in a function is a lambda or a class.
static bool is_block(const unit *u, int open) {
    static const char *const before[] = {";", "{", "}", "else", "do", "try", ":", NULL};
    static const char *const heads[] = {"if", "constexpr", "for", "while", "switch", "catch", NULL};
    if (is(u, open - 1, ")")) return is_any(u, u->tokens[open - 1].match - 1, heads);
    return is_any(u, open - 1, before);
}

static void look_at(unit *u, int open) {
    for (int i = open + 1; i < u->tokens[open].match; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '{' && t->match > i && !is_block(u, i)) i = t->match;
        if (!is(u, i, "return") || !is(u, i + 1, ";")) continue;
        warn_at_token(u, i, "main returns an int: this return; returns 0");
        insert_after(u, i, " 0");
    }
}

void rewrite_returns(unit *u) {
    for (int i = 1; i < u->token_count; i++) {
        if (u->tokens[i].scope != SCOPE_NAMESPACE || !is(u, i, "main") || !is(u, i - 1, "int")) continue;
        int open = skip_group(u, i + 1);
        if (is(u, i + 1, "(") && is(u, open, "{") && u->tokens[open].match > open) look_at(u, open);
    }
}
