// brackets.c: every bracket learns its partner. A file that is still being written has brackets too few or too many;
// those stay alone (match -1) and spoil nothing around them.
#include "rewrite.h"

static bool partners(char open, char close) {
    return (open == '(' && close == ')') || (open == '[' && close == ']') || (open == '{' && close == '}');
}

void match_brackets(unit *u) {
    int *stack = keep(u, sizeof *stack * (size_t)(u->token_count + 1)), depth = 0;
    for (int i = 0; i < u->token_count; i++) {
        char c = u->tokens[i].bracket;
        if (c == '(' || c == '[' || c == '{') {
            stack[depth++] = i;
        } else if (c) {
            int d = depth;
            // A brace that closes also ends what was left open inside; a parenthesis reaches no further than its braces.
            while (d && !partners(u->tokens[stack[d - 1]].bracket, c) &&
                   (c == '}' || u->tokens[stack[d - 1]].bracket != '{'))
                d--;
            if (!d || !partners(u->tokens[stack[d - 1]].bracket, c)) continue;
            depth = d - 1;
            u->tokens[i].match = stack[depth];
            u->tokens[stack[depth]].match = i;
        }
    }
}
