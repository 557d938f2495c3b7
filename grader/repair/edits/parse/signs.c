// signs.c: the operators of C as tokens: how long each is, and how tightly it binds.
#include "edits.h"

#include <string.h>

// The longest first. simt's lexer joins only :: -> <= >= == !=.
static const char *const operators[] = {"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
                                        "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "->", "+",  "-",  "*",  "/",  "%",
                                        "<",   ">",   "=",  "&",  "|",  "^",  "!",  "~",  "?",  ":",  ",",  ".",  NULL};

static int operator_index(const unit *u, int i) {
    if (i < 0 || i >= u->token_count || u->tokens[i].kind != TOKEN_PUNCTUATION) return -1;
    for (int k = 0; operators[k]; k++)
        if (adjacent(u, i, operators[k])) return k;
    return -1;
}

const char *edits_operator_text(const unit *u, int i) {
    const int k = operator_index(u, i);
    return k < 0 ? "" : operators[k];
}

bool edits_assigns(const unit *u, int i) {
    const char *op = edits_operator_text(u, i);
    const size_t n = strlen(op);
    return n && op[n - 1] == '=' && strcmp(op, "==") && strcmp(op, "<=") && strcmp(op, ">=") && strcmp(op, "!=");
}

int edits_operator(const unit *u, int i) {
    const int k = operator_index(u, i);
    int tokens = 0;
    for (size_t n = 0; k >= 0 && n < strlen(operators[k]); tokens++) n += (size_t)u->tokens[i + tokens].length;
    return tokens;
}

int edits_precedence(const char *op) {
    static const char *const levels[] = {
        "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %", NULL};
    for (int i = 0; levels[i] && *op; i++)
        for (const char *at = levels[i]; (at = strstr(at, op)); at++) {
            const size_t n = strlen(op);
            if ((at == levels[i] || at[-1] == ' ') && (at[n] == ' ' || !at[n])) return i + 1;
        }
    return 0;
}
