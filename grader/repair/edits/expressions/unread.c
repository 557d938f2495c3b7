// unread.c: what a function is given, and does not read: a flag that no condition asks, numbers that nobody adds, the
// room that a cache has.
//
//     if (s < count[b])                store is never read     if (store && s < count[b])
//     Y[i] = sum                       bias is never read      Y[i] = sum + bias[c]
//     K_cache[(bh * S + s) * D]        c.max_seq is never      K_cache[(bh * c.max_seq + s) * D]
//     if (b < B) lengths[b]++          max_seq is never read   if (b < B && lengths[b] < max_seq)
//     if (d < WARP)                    D is never read         if (d < D)
//     end = row + 1                    first is never read     end = row + 1 - first
//     h * size                         b is never read         (b * heads + h) * size
//     z * (gridDim.y * TILE) * cols    rows is never read      z * rows * cols
//     blocks * 128                     c.head_dim is never     blocks * c.head_dim
//     for (n = 0; n < s.heads; n++)    s.batch is never read   n < s.batch * s.heads
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { FLAG = 6, OWN = 10, ADDED = 8, FIELD = 6, OFFSET = 7, LIMIT = 6, SIZE = 5, OUTER = 20 };  // ranks

static bool is_unread(const edits *e, const variable *v, int token) {
    return !v->is_global && edits_sees(e, v, token) && edits_is_unread(e, v);
}

// The function's own flags: bool all_new = ...
static void own_flags(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared < 0 || v->type.base != BASE_INT || v->type.pointers || !edits_sees(e, v, st->first)) continue;
        int first = v->declared;
        while (first > 0 && !is(&e->u, first, ";") && !is(&e->u, first, "{") && !is(&e->u, first, "bool") &&
               !(v->is_parameter && (is(&e->u, first, ",") || is(&e->u, first, "("))))
            first--;
        if (!is(&e->u, first, "bool")) continue;
        edits_replace(e, place, OWN, "unread", x->first, x->end, "%s", v->name);
        edits_replace(e, place, OWN + 2, "unread", x->first, x->end, "!%s", v->name);
    }
}

static void flags(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && is_unread(e, v, x->first))
            edits_replace(e, place, FLAG, "unread", x->first, x->end, "%s && %s", v->name, edits_text_of(e, x));
    }
}

// + p[i], where i is a whole number of this function.
static void additions(edits *e, int place, const expression *x) {
    const char *text = edits_text_of(e, x);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *p = &e->variables[i];
        if (!p->is_parameter || p->type.base != BASE_FLOAT || p->type.pointers != 1 || !p->type.constant ||
            !is_unread(e, p, x->first))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[k];
            if (v->type.base == BASE_INT && !v->type.pointers && !v->is_global && !v->is_parameter &&
                edits_sees(e, v, x->first))
                edits_replace(e, place, ADDED, "unread", x->first, x->end, "%s + %s[%s]", text, p->name, v->name);
        }
    }
}

// Does the function name this field of the parameter?
static bool names_field(const edits *e, const function *f, const char *of, const char *field) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, of) && (!field || is(&e->u, i + 2, field)) &&
            (is(&e->u, i + 1, ".") || is(&e->u, i + 1, "->")))
            return true;
    return false;
}

// t.j0, start, row_offset: a beginning by its name; shape.batch is a size, and 1 in many a claim.
static bool is_beginning(const char *name) {
    static const char *const words[] = {"start", "begin", "first", "base", "off", "past", NULL};
    const size_t n = strlen(name);
    for (int i = 0; words[i]; i++)
        if (strstr(name, words[i])) return true;
    return n > 1 && name[n - 1] == '0';
}

static bool is_constant(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    return v && v->is_global;
}

// gridDim.y * TILE: made of sizes of the grid and of constants.
static bool is_of_grid(const edits *e, const expression *x) {
    bool grid = false;
    const bool factor = x->kind == E_MEMBER && is_operator(e, x->parent, "*");
    if (x->kind != E_BINARY && x->kind != E_PAREN && !factor) return false;
    for (int i = x->first; i < x->end; i++) {
        const token *t = &e->u.tokens[i];
        if (!is_name(&e->u, i) || is(&e->u, i - 1, ".")) continue;
        const variable *v = edits_visible(e, t->at, t->length, i);
        const bool size = is(&e->u, i, "gridDim") || is(&e->u, i, "blockDim");
        if (!size && !(v && v->is_global)) return false;
        grid |= size;
    }
    return grid;
}

// A constant, or what the grid has, where the size is meant that the function is given. It says more than another constant.
static void sizes(edits *e, int place, const expression *x, int rank) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && is_unread(e, v, x->first))
            edits_replace(e, place, rank, "unread", x->first, x->end, "%s", v->name);
    }
}

// j = c where j = k0 + c is meant: where the tile, the head or the part begins. Also t.j0 of a struct whose other fields
// are read.
static void offsets(edits *e, int place, const expression *x) {
    const char *text = edits_text_of(e, x);
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->type.pointers || !edits_sees(e, v, x->first)) continue;
        if (v->type.base == BASE_INT && is_unread(e, v, x->first))
            edits_replace(e, place, OFFSET, "unread", x->first, x->end, "%s + %s", v->name, text);
        for (int k = 0; v->type.base == BASE_STRUCT && v->type.word && k < e->n_variables; k++) {
            const variable *own = &e->variables[k];
            if (own->owner && !strcmp(own->owner, v->type.word) && is_beginning(own->name) &&
                own->type.base == BASE_INT && !own->type.pointers && names_field(e, f, v->name, NULL) &&
                !names_field(e, f, v->name, own->name))
                edits_replace(e, place, OFFSET, "unread", x->first, x->end, "%s.%s + %s", v->name, own->name, text);
        }
    }
}

static void fields(edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->type.base != BASE_STRUCT || v->type.pointers > 1 || !edits_sees(e, v, x->first) ||
            !names_field(e, f, v->name, NULL))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *own = &e->variables[k];
            if (own->owner && !strcmp(own->owner, v->type.word) && own->type.base == BASE_INT && !own->type.pointers &&
                !names_field(e, f, v->name, own->name))
                edits_replace(e, place, FIELD, "unread", x->first, x->end, "%s%s%s", v->name,
                              v->type.pointers ? "->" : ".", own->name);
        }
    }
}

static bool is_member_at(const edits *e, int i) { return is(&e->u, i + 1, ".") || is(&e->u, i + 1, "->"); }

// 128: a size that is written in figures where the struct has it.
static bool is_size_in_figures(const edits *e, const expression *x) {
    enum { LEAST = 8 };
    return x->kind == E_NUMBER && strtol(e->u.tokens[x->first].at, NULL, 10) >= LEAST;
}

// A loop ends at s.heads, or at what has begun with it, and nobody reads the field before it: a size of what has those.
static void times_outer(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *count = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    const int of = x->kind == E_MEMBER ? x->first : count ? count->value : 0;
    if (of <= 0 || !is_member_at(e, of) || (count && count->value_end != of + 3)) return;
    const token *name = &e->u.tokens[of];
    const variable *v = edits_visible(e, name->at, name->length, of);
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (!v || !v->is_parameter || v->type.base != BASE_STRUCT || !v->type.word) return;
    for (int k = 1; k < e->n_variables; k++) {
        const variable *field = &e->variables[k], *outer = field - 1;
        if (field->owner && outer->owner && !strcmp(field->owner, v->type.word) &&
            !strcmp(outer->owner, field->owner) && is(&e->u, of + 2, field->name) && edits_is_whole(outer->type) &&
            !names_field(e, f, v->name, outer->name))
            edits_replace(e, place, FIELD, "unread", x->first, x->end, "%s%s%s * %s", v->name,
                          v->type.pointers ? "->" : ".", outer->name, edits_text_of(e, x));
    }
}

// A size that nobody reads is a limit: of what the statement changes, or of a number that the condition does not ask.
static void limits(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->type.base != BASE_INT || v->type.pointers || !is_unread(e, v, x->first)) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            const bool element = g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers &&
                                 st->first < g->first && g->end <= st->end && edits_usable(e, g, x->first);
            if (element && !strstr(edits_text_of(e, x), g->text))
                edits_replace(e, place, LIMIT, "unread", x->first, x->end, "%s && %s < %s", edits_text_of(e, x),
                              g->text, v->name);
        }
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            const bool own = w->type.base == BASE_INT && !w->type.pointers && !w->is_global && !w->is_parameter;
            if (own && edits_sees(e, w, x->first))
                edits_replace(e, place, LIMIT, "unread", x->first, x->end, "%s && %s < %s", edits_text_of(e, x),
                              w->name, v->name);
        }
    }
}

// row + shift + 1 becomes row + shift + 1 - first: a position that is counted from where something begins; C alone.
static void counted_from(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && is_unread(e, v, x->first))
            edits_replace(e, place, OFFSET, "unread", x->first, x->end, "%s - %s", edits_text_of(e, x), v->name);
    }
}

// s.heads for h: the field of a parameter that counts what h numbers, by its first letter.
static void outer_field(edits *e, int place, const expression *x, const variable *larger) {
    const char *own = edits_text_of(e, x);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->type.base != BASE_STRUCT || v->type.pointers > 1 || !edits_sees(e, v, x->first))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *f = &e->variables[k];
            if (f->owner && !strcmp(f->owner, v->type.word) && *f->name == *own && edits_is_whole(f->type))
                edits_replace(e, place, OFFSET, "unread", x->first, x->end, "(%s * %s%s%s + %s)", larger->name, v->name,
                              v->type.pointers ? "->" : ".", f->name, own);
        }
    }
}

// h * size becomes (b * heads + h) * size: nobody reads which of the larger ones it is; C alone.
static void outer(edits *e, int place, const expression *x) {
    const char *own = edits_text_of(e, x);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->type.base != BASE_INT || v->type.pointers || !is_unread(e, v, x->first)) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            const char *last = strrchr(g->text, '.') ? strrchr(g->text, '.') + 1 : g->text;
            const bool size = g->kind == I_ATOM && edits_is_whole(g->type) && !strchr(g->text, '[') &&
                              strcmp(g->text, own) && strcmp(g->text, v->name);
            if (size && edits_usable(e, g, x->first))
                edits_replace(e, place, *last == *own ? OFFSET : OUTER, "unread", x->first, x->end, "(%s * %s + %s)",
                              v->name, g->text, own);
        }
        outer_field(e, place, x, v);
    }
}

void edits_change_unread(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const bool atom = x->kind == E_NAME || x->kind == E_MEMBER;
    const bool value = x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x;
    const value_type t = edits_type_of(e, x);
    if (!x->parent && p->kind == P_CONDITION && st->kind == S_IF)
        flags(e, place, x), own_flags(e, place, x), limits(e, place, x);
    if (value && t.base == BASE_FLOAT && !t.pointers) additions(e, place, x);
    const bool is_whole = t.base == BASE_INT && !t.pointers;
    const bool whole = atom && is_whole, begins = !x->parent && p->kind == P_VALUE;
    const bool compared =
        x->parent && x->parent->kind == E_BINARY && strchr("<>", *edits_operator_text(&e->u, x->parent->op));
    const bool constant = whole && is_constant(e, x);
    const bool factor = constant && is_operator(e, x->parent, "*");
    if ((constant && compared) || factor || is_of_grid(e, x)) sizes(e, place, x, constant && factor ? 0 : SIZE);
    if (whole && !constant && ((begins && st->kind == S_DECLARATION) || (compared && st->kind == S_IF)))
        offsets(e, place, x);
    const bool of_kernel = whole && e->functions[st->function].kernel;
    if (is_operator(e, x->parent, "*") && (of_kernel || (is_whole && is_size_in_figures(e, x)))) fields(e, place, x);
    if (whole && compared && x->parent->b == x && st->kind == S_LOOP) times_outer(e, place, x);
    if (e->cuda) return;
    if (is_whole && is_operator(e, x, "+-") && (begins || value)) counted_from(e, place, x);
    if (whole && x->kind == E_NAME && is_operator(e, x->parent, "*") && x->parent->a == x) outer(e, place, x);
}
