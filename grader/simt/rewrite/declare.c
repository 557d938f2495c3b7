// declare.c: the declarators of a variable declaration: in `unsigned int *a[4], b = 2;` they are `*a[4]` and `b = 2`.
#include "rewrite.h"

static bool attribute(const unit *u, int i) {
    return is(u, i, "alignas") || is(u, i, "__attribute__") || is(u, i, "decltype") || is(u, i, "__align__");
}

// The name is the last one before [ = { , or ; outside template arguments. In (*name)[4] it stands in parentheses.
static int read_declarator(const unit *u, int i, declarator *d) {
    *d = (declarator){-1, -1, -1};
    bool array = false;
    for (; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        if (is(u, i, ",") || is(u, i, ";")) {
            d->end = i;
            return i;
        }
        if (t->bracket && t->match < i) return -1;
        if (attribute(u, i)) {
            i = skip_group(u, i + 1) - 1;
        } else if (d->initializer >= 0) {
            i = skip_group(u, i) - 1;
        } else if (is(u, i, "=")) {
            d->initializer = i;
        } else if (is(u, i, "<")) {
            i = angle_close(u, i);
            if (i < 0) return -1;
        } else if (t->bracket == '[') {
            array |= !is(u, i + 1, "[");  // [[attribute]]
            i = t->match;
        } else if (t->bracket == '{') {
            // a class body in the type, or a braced value behind the name
            bool class_body = is(u, i - 1, "struct") || is(u, i - 1, "union") || is(u, i - 2, "struct") ||
                              is(u, i - 2, "union") || is(u, i - 1, "enum") || is(u, i - 2, "enum");
            if (!class_body && d->name >= 0) d->initializer = i;
            i = t->match;
        } else if (t->bracket == '(') {
            if (is(u, i + 1, "*") || is(u, i + 1, "&"))
                for (int k = i + 1; k < t->match; k++)
                    if (is_name(u, k) && !is(u, k, "const") && !is(u, k, "__restrict__")) d->name = k;
            array = true;
            i = t->match;
        } else if (is_name(u, i) && !array) {
            d->name = i;
        }
    }
    return -1;
}

int declarators(const unit *u, int first, declarator *list, int capacity) {
    for (int n = 0; n < capacity; n++) {
        first = read_declarator(u, first, &list[n]);
        if (first < 0 || list[n].name < 0) return -1;
        if (is(u, first, ";")) return n + 1;
        first++;
    }
    return -1;
}
