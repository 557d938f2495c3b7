// unmultiplied.c: how many rows, heads or batches something lies behind the beginning, without the length of one.
//
//     (head * max_seq + slot) + d         (head * max_seq + slot) * D + d
//     A += blockIdx.z * m                 A += blockIdx.z * m * k
//     i0 = job % per_head                 i0 = job % per_head * Br
//     head = H + h                        head = b * H + h
#include "edits.h"

#include <string.h>

enum {
    TILE = 4,
    BLOCK = 3,
    OF_ROUND = 6,
    COUNTER = 17,
    LENGTH = 17,
    PARAMETER = 22,
    MOST = 16
};  // ranks; how many lengths a function has

// Is it multiplied by somewhere in the function?
static bool is_length(const edits *e, const ingredient *g) {
    const function *f = &e->functions[g->function];
    const int n = g->end - g->first;
    for (int i = f->body; i + n < f->end; i++)
        if (edits_same(&e->u, i, g->first, n) && is(&e->u, i - 1, "*") &&
            (is_name(&e->u, i - 2) || is(&e->u, i - 2, ")")))
            return true;
    return false;
}

static bool stands_in(const char *text, const char *length) {
    const size_t n = strlen(length);
    for (const char *at = text; (at = strstr(at, length)); at += n)
        if ((at == text || strchr(" (*+", at[-1])) && (!at[n] || strchr(" )*+", at[n]))) return true;
    return false;
}

// What is counted in something: an operand of +, all of a subscript, of what a pointer moves on by, or of a first value.
static bool is_counted(const edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    while (up && (up->kind == E_PAREN || up->kind == E_CAST)) x = up, up = up->parent;
    if (!up) return edits_is_value(e, place, x);
    if (up->kind == E_INDEX) return up->b == x;
    return is_operator(e, up, "+") || (up->kind == E_ASSIGN && up->b == x && adjacent(&e->u, up->op, "+="));
}

typedef struct {
    const char *list[MOST];
    int n;
} lengths;

static void note(lengths *l, const char *text) {
    for (int i = 0; i < l->n; i++)
        if (!strcmp(l->list[i], text)) return;
    if (l->n < MOST) l->list[l->n++] = text;
}

// shape.heads
static void note_fields(edits *e, const variable *of, lengths *l) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->owner && !strcmp(v->owner, of->type.word) && v->type.base == BASE_INT && !v->type.pointers)
            note(l, format(&e->u, "%s%s%s", of->name, of->type.pointers ? "->" : ".", v->name));
    }
}

// per_head = (n + SIZE - 1) / SIZE: what is numbered within per_head is SIZE long.
static void tiles(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const token *t = &u->tokens[x->b->first];
    const variable *per = x->b->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!per || per->value <= 0) return;
    const int size = per->value_end - 1;
    const ingredient name = {.first = size, .end = size + 1};
    if (size > per->value && is(u, size - 1, "/") && is_name(u, size) && edits_usable(e, &name, x->first))
        edits_replace(e, place, TILE, "length", x->first, x->end, "%s * %s", edits_text_of(e, x),
                      edits_text(e, size, size + 1));
}

// A counter of a loop around this token whose body does not ask for it.
static bool is_idle_counter(const edits *e, const variable *v, int token) {
    for (int s = 0; v->is_loop && s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->kind == S_LOOP && st->first <= token && token < st->end && edits_unread_counter(e, st) == v)
            return true;
    }
    return false;
}

static bool is_factor(const edits *e, const variable *v) {
    for (int i = v->from; i < v->to; i++)
        if (is(&e->u, i, v->name) && is(&e->u, i - 1, "*") && is_name(&e->u, i - 2)) return true;
    return false;
}

// A field of what is given: const int H = shape.heads; or what rows are multiplied by elsewhere.
static bool is_size(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    if (!v || v->is_loop || v->is_global || v->declared < 0) return false;
    if (x->kind == E_MEMBER) return v->type.base == BASE_STRUCT;
    if (x->kind != E_NAME) return false;
    const bool field = v->is_const && v->value > 0 && is(&e->u, v->value_end - 2, ".");
    return field || ((v->is_const || v->is_parameter) && is_factor(e, v));
}

// Does each round of a loop around that of the counter make it anew?
static bool is_of_round(const edits *e, const variable *v, const variable *counter) {
    for (int s = 0; v->is_const && !v->is_loop && s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->kind == S_LOOP && st->first < v->declared && v->declared < counter->declared &&
            counter->declared < st->end)
            return true;
    }
    return false;
}

// H + h: a size and a counter. So many of them lie before the block that another number counts.
static void blocks(edits *e, int place, const expression *x) {
    const expression *sum = x->parent;
    const bool added = is_operator(e, sum, "+") && (is_counted(e, place, sum) || is_operator(e, sum->parent, "*") ||
                                                    (sum->parent && sum->parent->kind == E_PAREN));
    const expression *other = added ? sum->a == x ? sum->b : sum->a : NULL;
    const token *t = other ? &e->u.tokens[other->first] : NULL;
    const variable *counter = t && other->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!counter || counter->is_parameter || !is_size(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v == counter || !edits_is_whole(v->type) || v->is_parameter || !edits_sees(e, v, x->first)) continue;
        const bool idle = edits_is_unread(e, v) || is_idle_counter(e, v, x->first);
        const bool of_round = counter->is_loop && is_of_round(e, v, counter);
        if (idle || of_round || v->is_loop)
            edits_replace(e, place,
                          idle       ? BLOCK
                          : of_round ? OF_ROUND
                                     : COUNTER,
                          "length", x->first, x->end, "%s * %s", v->name, edits_text_of(e, x));
    }
}

void edits_change_unmultiplied(edits *e, int place, expression *x) {
    const bool atom = x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_PAREN || x->kind == E_CAST;
    if (!(atom || is_operator(e, x, "*%/")) || !edits_is_whole(edits_type_of(e, x)) || !is_counted(e, place, x) ||
        edits_is_set(e, x))
        return;
    if (is_operator(e, x, "%")) tiles(e, place, x);
    if (atom) blocks(e, place, x);
    const char *text = edits_text_of(e, x);
    const int function = e->statements[e->places[place].statement].function;
    lengths known = {.n = 0};
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const bool size = g->kind == I_ATOM && g->function == function && edits_is_whole(g->type);
        if (size && !strchr(g->text, '[') && is_length(e, g) && edits_usable(e, g, x->first)) note(&known, g->text);
    }
    const int certain = known.n;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool own = v->is_parameter || (v->type.base == BASE_STRUCT && !v->is_global && !v->owner);
        if (!own || !edits_sees(e, v, x->first)) continue;
        if (edits_is_whole(v->type)) note(&known, v->name);
        if (v->type.base == BASE_STRUCT && v->type.pointers < 2 && v->type.word) note_fields(e, v, &known);
    }
    const bool block = strstr(text, "blockIdx") != NULL;
    for (int i = 0; i < known.n; i++)
        if (!stands_in(text, known.list[i]))
            edits_replace(e, place, i < certain || block ? LENGTH : PARAMETER, "length", x->first, x->end, "%s * %s",
                          text, known.list[i]);
}
