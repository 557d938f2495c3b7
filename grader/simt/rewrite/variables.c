// variables.c: __device__, __constant__ and __managed__ variables stay ordinary variables of the program. Behind the
// declaration an object announces each to the runtime, which then treats it as device memory:
//
//     __constant__ float weights[64]; static simt::variable simt_variable_1(weights, "weights", SIMT_CONSTANT);
#include "rewrite.h"

enum { MOST_DECLARATORS = 64 };

static const char *const words[] = {"__device__", "__constant__", "__managed__", NULL};
static const char *const specifiers[] = {"static",     "inline",       "const",       "constexpr", "volatile",
                                         "__device__", "__constant__", "__managed__", NULL};

// A parenthesis before = [ { or ; makes it a function.
static bool declares_function(const unit *u, int i) {
    for (; i < u->token_count; i++) {
        if (is(u, i, "operator")) return true;
        if (is(u, i, "alignas") || is(u, i, "__attribute__") || is(u, i, "decltype"))
            i = skip_group(u, i + 1) - 1;
        else if (is(u, i, "<") && angle_close(u, i) > 0)
            i = angle_close(u, i);
        else if (u->tokens[i].bracket == '(')
            return !is(u, i + 1, "*") && !is(u, i + 1, "&");
        else if (u->tokens[i].bracket || is(u, i, "=") || is(u, i, ";") || is(u, i, "<"))
            return false;
    }
    return true;
}

static void announce(unit *u, int first, const char *kind) {
    declarator list[MOST_DECLARATORS];
    int n = declarators(u, first, list, MOST_DECLARATORS);
    for (int i = 0; i < n; i++) {
        const char *name = text_between(u, list[i].name, list[i].name);
        insert_after(
            u, list[n - 1].end,
            format(u, " static simt::variable simt_variable_%d(%s, \"%s\", %s);", ++u->serial, name, name, kind));
    }
}

void rewrite_variables(unit *u) {
    for (int i = 0; i < u->token_count; i++) {
        if (!is_any(u, i, words) || u->tokens[i].scope != SCOPE_NAMESPACE) continue;
        int start = statement_start(u, i), first = i;
        const char *kind = "SIMT_DEVICE";
        for (int k = start; k < i || is_any(u, k, specifiers); k++) {
            if (is(u, k, "__constant__"))
                kind = "SIMT_CONSTANT";
            else if (is(u, k, "__managed__"))
                kind = "SIMT_MANAGED";
            first = k + 1;
        }
        // `extern` only names a variable that another file announces; a template's instances have no one name.
        if (!is(u, start, "template") && !is(u, start, "extern") && !declares_function(u, first))
            announce(u, first, kind);
        while (is_any(u, i + 1, specifiers)) i++;
    }
}
