// never_set.c: a number or a pointer that is declared without a value, or a field, that lines read and none sets. For
// `edits SOURCE --idle .`: unset, its name, and the first line that reads it.
#include "edits.h"

#include <string.h>

static bool is_member(const unit *u, int i) { return i > 0 && (is(u, i - 1, ".") || is(u, i - 1, "->")); }

static int begin_of(const unit *u, int i) {  // of a.b.c and a[k].b
    while (i > 1 && is_member(u, i)) {
        i -= 2;
        while (i > 1 && is(u, i, "]")) i = u->tokens[i].match - 1;
    }
    return i;
}

static int end_of(const unit *u, int i) {  // of a.b.c and a.b[k]
    int end = i + 1;
    while (end + 2 < u->token_count && is(u, end, "."))
        for (end += 2; is(u, end, "[");) end = u->tokens[end].match + 1;
    return end;
}

// x = ..., x += ..., ++x, &x, x.a = ...: it may have a value from here on.
static bool may_set(const unit *u, int i) {
    const int before = begin_of(u, i) - 1, behind = end_of(u, i);
    return edits_assigns(u, behind) || adjacent(u, behind, "++") || adjacent(u, behind, "--") ||
           adjacent(u, before - 1, "++") || adjacent(u, before - 1, "--") ||
           (is(u, before, "&") && !is(u, before - 1, "&"));
}

// FOR(i, n): what a macro does with it nobody knows here.
bool edits_in_macro(const edits *e, int i) {
    const unit *u = &e->u;
    int depth = 0, k = i - 1;
    for (; k > 0 && depth >= 0 && !is(u, k, ";") && !is(u, k, "{"); k--) depth += is(u, k, ")") - is(u, k, "(");
    if (depth >= 0 || !is_name(u, k)) return false;
    for (int d = 0; d < e->n_directives; d++) {
        unit *own = &((edits *)e)->u;
        const directive *at = &e->directives[d];
        const char *line = format(own, "%.*s", (int)(at->end - at->first), e->source + at->first);
        if (strstr(line, format(own, " %.*s(", u->tokens[k].length, u->tokens[k].at))) return true;
    }
    return false;
}

// UNPACK(shape); declares it, and gives it a value.
static bool is_declared_by_macro(const edits *e, const variable *v) { return !is(&e->u, v->declared, v->name); }

// The first token that reads it; -1: none does, or one may set it.
static int read_unset(const edits *e, const variable *v, bool field) {
    const unit *u = &e->u;
    const int from = field ? 0 : v->declared + 1, to = field ? u->token_count : v->to;
    int read = -1;
    for (int i = from; i < to; i++) {
        if (!is(u, i, v->name) || i == v->declared) continue;
        if (field ? !is_member(u, i) : is_member(u, i) || !edits_sees(e, v, i)) continue;
        if (may_set(u, i) || edits_in_macro(e, i)) return -1;
        if (read < 0) read = i;
    }
    return read;
}

// worker w = {1, 2}; or (worker){1, 2}: the fields have their values by their places.
static bool is_filled_by_place(const edits *e, const char *owner) {
    const unit *u = &e->u;
    for (int i = 2; i + 1 < u->token_count; i++) {
        if (!is(u, i, "{") || is(u, i + 1, ".")) continue;
        if (is(u, i - 1, ")") && is(u, i - 2, owner)) return true;
        for (int k = i - 2; is(u, i - 1, "=") && k > i - 8 && k > 0 && !is(u, k, ";") && !is(u, k, "{"); k--)
            if (is(u, k, owner)) return true;
    }
    return false;
}

static int namesakes(const edits *e, const char *name) {
    int n = 0;
    for (int i = 0; i < e->n_variables; i++) n += e->variables[i].owner && !strcmp(e->variables[i].name, name);
    return n;
}

void edits_write_never_set(edits *e, FILE *out) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool field = v->owner != NULL, plain = v->type.base == BASE_INT || v->type.base == BASE_FLOAT;
        if (!plain || v->declared < 0 || v->is_parameter || v->is_global || v->is_enumerator || v->is_loop ||
            v->value_end > v->value || is(&e->u, v->declared + 1, "[") || is(&e->u, v->declared - 1, "(") ||
            is_declared_by_macro(e, v))
            continue;
        if (field && (namesakes(e, v->name) > 1 || is_filled_by_place(e, v->owner))) continue;
        const int read = read_unset(e, v, field);
        if (read >= 0) fprintf(out, "unset\t%s\t%d\n", v->name, e->u.tokens[read].line);
    }
}
