// scopes.c: what each pair of braces is: a namespace, a class, a function of the host or of the device, or a value.
#include "rewrite.h"

static const char *const class_words[] = {"class", "struct", "union", "enum", NULL};

// A lambda's own qualifiers stand between ] and its parameters: [=] __host__ __device__ (int i) { ... }
static bool device_lambda(const unit *u, int brace) {
    int i = brace - 1;
    for (; i >= 0 && !is(u, i, ")"); i--)
        if (!is_name(u, i) && !is(u, i, "->") && !is(u, i, "*") && !is(u, i, "&") && !is(u, i, "::")) return false;
    i = i > 0 ? u->tokens[i].match - 1 : -1;
    return is(u, i, "__device__") || (is(u, i, "__host__") && is(u, i - 1, "__device__"));
}

static scope_kind classify(const unit *u, int brace, scope_kind around) {
    if (around == SCOPE_DEVICE) return SCOPE_DEVICE;
    if (around == SCOPE_HOST) return device_lambda(u, brace) ? SCOPE_DEVICE : SCOPE_HOST;
    if (around == SCOPE_VALUE) return SCOPE_VALUE;
    bool call = false, class = false, device = false, value = false;
    for (int i = statement_start(u, brace); i < brace; i++) {
        if (is(u, i, "namespace") || (is(u, i, "extern") && i + 2 == brace)) return SCOPE_NAMESPACE;
        if (is(u, i, "template") && is(u, i + 1, "<") && angle_close(u, i + 1) > 0)
            i = angle_close(u, i + 1);  // template <class T>: no class is defined here
        else if (is(u, i, "alignas") || is(u, i, "__attribute__") || is(u, i, "decltype"))
            i = skip_group(u, i + 1) - 1;
        else if (is(u, i, "__device__") || is(u, i, "__global__"))
            device = true;
        else if (is_any(u, i, class_words) && !call)
            class = true;
        else if (is(u, i, "operator"))  // operator+= begins no value, and operator() is no call yet
            for (i += is(u, i + 1, "(") ? 2 : 0; i + 1 < brace && !is(u, i + 1, "(");) i++;
        else if (is(u, i, "="))
            value = !call;
        else if (u->tokens[i].bracket == '(') {
            call = true;
            i = skip_group(u, i) - 1;
        }
    }
    if (call && !value) return device ? SCOPE_DEVICE : SCOPE_HOST;
    return class ? SCOPE_CLASS : SCOPE_VALUE;
}

void find_scopes(unit *u) {
    scope_kind *stack = keep(u, sizeof *stack * (size_t)(u->token_count + 2));
    int depth = 0;
    stack[0] = SCOPE_NAMESPACE;
    for (int i = 0; i < u->token_count; i++) {
        token *t = &u->tokens[i];
        if (t->bracket == '{' && t->match > i) {
            stack[depth + 1] = classify(u, i, stack[depth]);
            depth++;
        }
        t->scope = stack[depth];
        if (t->bracket == '}' && t->match >= 0) depth--;
    }
}
