// shared.c: __shared__ variables become references, bound where they are declared to the block's memory.
//
//     __shared__ float tile[8][8], sum;
//     float (&tile)[8][8] = simt::shared("tile", []{}), &sum = simt::shared("sum", []{});
//     extern __shared__ float data[];
//     float (&data)[] = simt::dynamic_shared();
//
// At file scope it would be one reference for all blocks. It moves into the functions that use it instead; one of static size
// then needs a name that they have in common: simt::shared("tile", simt_shared_1{}).
//
// The declarator keeps its place and its type, only the name becomes (&name). []{} is the variable's identity: each lambda
// expression has a type of its own, in every instance of a template again. include/simt/shared.h has the C++ behind it.
#include "rewrite.h"

#include <string.h>

enum { MOST_DECLARATORS = 64 };

// Takes alignas(X) and __attribute__((aligned(X))) out of the tokens [i, end): a reference cannot carry them.
// Their X, or NULL.
static const char *take_alignment(unit *u, int i, int end) {
    const char *alignment = NULL;
    for (; i < end; i++) {
        bool old_form = is(u, i, "__attribute__");
        if ((!old_form && !is(u, i, "alignas")) || u->tokens[i + 1].bracket != '(' || u->tokens[i + 1].match < 0)
            continue;
        int open = i + 1, close = u->tokens[open].match;
        if (old_form && (is(u, open + 2, "aligned") || is(u, open + 2, "__aligned__")) && is(u, open + 3, "(") &&
            u->tokens[open + 3].match > 0)
            alignment = text_between(u, open + 4, u->tokens[open + 3].match - 1);
        else if (!old_form)
            alignment = text_between(u, open + 1, close - 1);
        for (int k = i; k <= close; k++) blank(u, k);
        i = close;
    }
    return alignment;
}

static void bind(unit *u, const declarator *d, const char *value) {
    const char *pattern = u->tokens[d->name + 1].bracket == '[' ? "(&%s)" : "&%s";
    const char *name = text_between(u, d->name, d->name);
    replace(u, d->name, format(u, pattern, name));
    insert_before(u, d->end, format(u, " = %s", value));
}

static bool mentions(const unit *u, int first, int last, int name) {
    for (int i = first; i <= last; i++)
        if (is_name(u, i) && u->tokens[i].length == u->tokens[name].length && !is(u, i - 1, ".") &&
            !is(u, i - 1, "->") && !strncmp(u->tokens[i].at, u->tokens[name].at, (size_t)u->tokens[name].length))
            return true;
    return false;
}

// Puts the declaration around the bodies of the device functions below that mention one of its names:
//     __device__ float f(int i) { return data[i]; }
//     float f(int i) { float (&data)[] = simt::dynamic_shared(); { return data[i]; } }
// The braces of its own let the function declare the same name again. A parameter of that name hides it altogether.
static void move_into_functions(unit *u, int first, const declarator *list, int n) {
    int end = list[n - 1].end;
    const char *text = text_between(u, first, end);
    for (int i = first; i <= end; i++) {
        u->tokens[i].before = NULL;
        blank(u, i);
    }
    for (int i = end; i < u->token_count; i++) {
        int close = u->tokens[i].match, start = statement_start(u, i);
        if (u->tokens[i].bracket != '{' || u->tokens[i].scope != SCOPE_DEVICE) continue;
        bool used = false;
        for (int k = 0; k < n; k++) used |= mentions(u, i, close, list[k].name) && !mentions(u, start, i, list[k].name);
        if (used) {
            insert_after(u, i, format(u, " %s {", text));
            insert_before(u, close, "} ");
        }
        i = close;
    }
}

static void rewrite_declaration(unit *u, int word) {
    int first = statement_start(u, word), end = word;  // `extern float __shared__ x[];` is right, too
    declarator list[MOST_DECLARATORS];
    int n = declarators(u, first, list, MOST_DECLARATORS);
    if (n < 0) {
        error_at_token(u, word, "this __shared__ declaration is not understood: write `__shared__ type name[size];`");
        return;
    }
    end = list[n - 1].end;
    bool dynamic = false, at_file_scope = u->tokens[word].scope == SCOPE_NAMESPACE;
    for (int i = first; i < end && i < list[0].name; i++)
        if (is(u, i, "extern")) {
            dynamic = true;
            blank(u, i);
        } else if (is(u, i, "static") || is(u, i, "inline")) {
            blank(u, i);
        }
    blank(u, word);
    const char *alignment = take_alignment(u, first, end), *identities = "";
    for (int i = 0; i < n; i++) {
        if (list[i].initializer >= 0) {
            error_at_token(u, list[i].name,
                           "a __shared__ variable cannot have an initial value: let one thread assign "
                           "it, then __syncthreads()");
            return;
        }
        const char *name = text_between(u, list[i].name, list[i].name), *identity = "[]{}";
        if (at_file_scope && !dynamic) {
            identity = format(u, "simt_shared_%d{}", ++u->serial);
            identities = format(u, "%s struct simt_shared_%d {};", identities, u->serial);
        }
        if (dynamic)
            bind(u, &list[i], "simt::dynamic_shared()");
        else if (!alignment)
            bind(u, &list[i], format(u, "simt::shared(\"%s\", %s)", name, identity));
        else
            bind(u, &list[i],
                 format(u,
                        "simt::shared(\"%s\", %s, []{ struct alignas(%s) simt_a {}; return "
                        "alignof(simt_a); }())",
                        name, identity, alignment));
    }
    if (!at_file_scope) return;
    move_into_functions(u, first, list, n);
    insert_after(u, end, identities);
}

void rewrite_shared(unit *u) {
    for (int i = 0; i < u->token_count; i++)
        if (is(u, i, "__shared__")) rewrite_declaration(u, i);
}
