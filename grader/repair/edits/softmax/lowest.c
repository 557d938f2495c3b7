// lowest.c: a maximum that another function makes begins with what it is handed: no 0, which is more than many a score.
//
//     fold(0.0f, n, [=](float m, int c) { return fmaxf(m, s[c]); })      fold(-INFINITY, ...
//     reduce(s, n, 0, larger), largest(0, s, n)
//     s[c] = seen ? dot : 0.0f                                           -INFINITY: 0 is a score like any other
//     float top = 0; ... top = larger(top, s[j]);      top = m, where m = -INFINITY is the maximum so far
//     float top = LEAST; ... top = larger(top, s[j]);  top = -INFINITY, where LEAST is no variable: a macro, a constant
//     State mine = {0.0f, 0.0f};       {-INFINITY, 0.0f}, where mine.m is a maximum
//     float top = std::numeric_limits<float>::min();   the same: of floats that is the smallest above 0
#include "edits.h"

#include <string.h>

enum { LOWEST = 3, SO_FAR = 4, CONSTANT = 4, MASKED = 14 };  // ranks

// top = f(top, ...), where f is a maximum.
static bool is_maximised(const edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->value_end; i < v->to && i + 4 < u->token_count; i++)
        if (is(u, i, v->name) && is(u, i + 1, "=") && edits_says_maximum(&u->tokens[i + 2]) && is(u, i + 3, "("))
            return true;
    return false;
}

static bool begins_lowest(const edits *e, const variable *v) {
    return v->value > 0 && v->value_end == v->value + 2 && is(&e->u, v->value + 1, "INFINITY");
}

static void begins_so_far(edits *e, int place, const expression *x) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    if (!v || !edits_is_real(v->type) || v->is_const || !is_maximised(e, v)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *m = &e->variables[i];
        if (m != v && edits_is_real(m->type) && edits_sees(e, m, x->first) && begins_lowest(e, m))
            edits_replace(e, place, SO_FAR, "begun", x->first, x->end, "%s", m->name);
    }
}

// top = s > top ? s : top; if (s > top) top = s;
static bool is_exceeded(const edits *e, const variable *v) {
    const unit *u = &e->u;
    bool asked = false, set = false;
    for (int i = v->value_end; i + 1 < v->to && i + 1 < u->token_count; i++) {
        asked |= (is(u, i, ">") && is(u, i + 1, v->name)) || (is(u, i, v->name) && is(u, i + 1, "<"));
        set |= is(u, i, v->name) && is(u, i + 1, "=");
    }
    return asked && set;
}

bool edits_is_maximum(const edits *e, const variable *v) { return is_maximised(e, v) || is_exceeded(e, v); }

// A macro, or a constant, of something below 0: as low as any score, as far as anybody knows.
static bool is_below_0(const edits *e, int i) {
    const token *t = &e->u.tokens[i];
    const variable *v = edits_visible(e, t->at, t->length, i);
    if (v && v->value > 0) return is(&e->u, v->value, "-");
    for (const char *at = strstr(e->source, "#define "); at; at = strstr(at + 1, "#define ")) {
        const char *name = at + strlen("#define "), *behind = name + t->length;
        if (strncmp(name, t->at, (size_t)t->length) || (*behind != ' ' && *behind != '\t')) continue;
        return memchr(behind, '-', strcspn(behind, "\n/")) != NULL;
    }
    return false;
}

// The field of that number of a struct; NULL: there is none.
static const variable *field_of(const edits *e, const char *owner, int number) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].owner && !strcmp(e->variables[i].owner, owner) && number-- == 0) return &e->variables[i];
    return NULL;
}

// x > mine.m, or r.m = fmaxf(...): in the whole file.
static bool is_maximum_field(const edits *e, const variable *field) {
    const unit *u = &e->u;
    for (int i = 2; i + 2 < u->token_count; i++) {
        if (!is(u, i, field->name) || (!is(u, i - 1, ".") && !is(u, i - 1, "->"))) continue;
        if (is(u, i + 1, "<") || (is(u, i - 3, ">") && is_name(u, i - 2))) return true;
        if (is(u, i + 1, "=") && edits_says_maximum(&u->tokens[i + 2]) && is(u, i + 3, "(")) return true;
    }
    return false;
}

// A number of the list with which a struct begins.
static void field_begins(edits *e, int place) {
    static const char *const zeros[] = {"0", "0.0f", "0.f", "0.0", "0.", NULL};
    const struct place *p = &e->places[place];
    const unit *u = &e->u;
    int number = 0, open = p->first - 1;
    if (p->end != p->first + 1 || !is_any(u, p->first, zeros) || (!is(u, open, "{") && !is(u, open, ","))) return;
    for (; open > 0 && !is(u, open, "{") && !is(u, open, ";"); open--) {
        if (is(u, open, ")") || is(u, open, "]")) open = u->tokens[open].match;
        number += is(u, open, ",");
    }
    const int declared = is(u, open - 1, "=") ? open - 2 : open - 1;
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && is(u, open, "{"); i++)
        if (e->variables[i].declared == declared) v = &e->variables[i];
    if (!v || v->type.base != BASE_STRUCT || v->type.pointers || !v->type.word) return;
    const variable *field = field_of(e, v->type.word, number);
    if (field && edits_is_real(field->type) && is_maximum_field(e, field))
        edits_replace(e, place, CONSTANT, "constant", p->first, p->end, "-INFINITY");
}

void edits_change_constant_begin(edits *e, int place) {
    field_begins(e, place);
    const struct place *p = &e->places[place];
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && p->kind == P_VALUE && !v; i++)
        if (e->variables[i].value == p->first && e->variables[i].value_end == p->end) v = &e->variables[i];
    if (!v || !edits_is_real(v->type) || v->type.pointers || v->is_const || v->is_global || is(&e->u, p->first, "-"))
        return;
    for (int i = p->first; i < p->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *of = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if ((of && !of->is_global) || is(&e->u, i, "[") || is_below_0(e, i)) return;
        if (is(&e->u, i, "(") && !is(&e->u, i + 1, ")")) return;  // it is made of something
    }
    if (edits_is_maximum(e, v)) edits_replace(e, place, CONSTANT, "constant", p->first, p->end, "-INFINITY");
}

void edits_change_lowest(edits *e, int place, const expression *x) {
    static const char *const zeros[] = {"0", "0.0f", "0.f", "0.0", "0.", NULL};
    static const char *const own[] = {"fmaxf", "max", "fmax", "MAX", NULL};  // of x and 0 it is meant
    if (e->cuda && x->kind == E_NUMBER && !x->parent && is_any(&e->u, x->first, zeros)) begins_so_far(e, place, x);
    const expression *up = x->parent;
    if (x->kind == E_NUMBER && is_any(&e->u, x->first, zeros) && up && up->kind == E_TERNARY && up->a != x &&
        edits_is_real(edits_type_of(e, up)))
        edits_replace(e, place, MASKED, "hidden", x->first, x->end, "-INFINITY");
    if (x->kind != E_CALL || is_any(&e->u, x->first, own)) return;
    bool maximum = false;
    for (int i = x->first; i < x->end; i++) maximum |= edits_says_maximum(&e->u.tokens[i]);
    for (const expression *a = x->arguments; a && maximum; a = a->next)
        if (a->kind == E_NUMBER && is_any(&e->u, a->first, zeros))
            edits_replace(e, place, LOWEST, "constant", a->first, a->end, "-INFINITY");
}
