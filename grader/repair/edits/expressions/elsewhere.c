// elsewhere.c: what the file does with a name of this kind in another place: a number that it is multiplied or divided
// by, the object that it belongs to, the field that nobody reads.
//
//     row * E           elsewhere E * 3               row * (3 * E)
//     c.head_dim        elsewhere c.head_dim / 4      c.head_dim / 4
//     f(work.K, work.V)                               f(cache.K, cache.V)
//     y.w += a * x.z                                  y.w += a * x.w
#include "edits.h"

#include <string.h>

enum { NUMBER = 16, QUADS = 14, FIELD = 10, OBJECT = 10, LANE = 4, PARTS = 8 };  // ranks

static bool is_small(const unit *u, int i) {
    const token *t = &u->tokens[i];
    return t->kind == TOKEN_NUMBER && t->length == 1 && *t->at > '1';
}

// E * 3, 3 * E, head_dim / 4: in the file, of a name that is called the same.
static void numbers(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const int name = x->end - 1;
    if (is_operator(e, x->parent, "/%") || (x->parent && x->parent->kind == E_ASSIGN && x->parent->a == x)) return;
    const bool product = is_operator(e, x->parent, "*");
    for (int i = 1; i + 2 < u->token_count; i++) {
        if (i == name || !edits_same(u, i, name, 1)) continue;
        int first = i;
        while (is(u, first - 1, ".") || is(u, first - 1, "->")) first -= 2;
        const bool behind = (is(u, i + 1, "*") || is(u, i + 1, "/")) && is_small(u, i + 2);
        const bool before = is(u, first - 1, "*") && is_small(u, first - 2);
        if (!behind && !before) continue;
        const char *n = edits_text(e, behind ? i + 2 : first - 2, behind ? i + 3 : first - 1);
        if (is(u, x->first - 1, "*") && is(u, x->first - 2, n)) continue;
        if (behind && is(u, i + 1, "/"))
            edits_replace(e, place, QUADS, "elsewhere", x->first, x->end, product ? "(%s / %s)" : "%s / %s",
                          edits_text_of(e, x), n);
        else
            edits_replace(e, place, NUMBER, "elsewhere", x->first, x->end, "%s * %s", n, edits_text_of(e, x));
    }
}

// A row of floats has a quarter as many float4.
static void quads(edits *e, int place, const expression *x) {
    const char *name = edits_text(e, x->end - 1, x->end);
    const bool dim = strstr(name, "dim") || !strcmp(name, "D");
    if (dim && !is_operator(e, x->parent, "/%") && edits_has_word(e, "float4"))
        edits_replace(e, place, QUADS, "elsewhere", x->first, x->end,
                      is_operator(e, x->parent, "*") ? "(%s / 4)" : "%s / 4", edits_text_of(e, x));
}

// Which struct is it? NULL: none.
static const char *struct_of(edits *e, const expression *x) {
    const value_type t = edits_type_of(e, x);
    return t.base == BASE_STRUCT && !(t.pointers > 1) ? t.word : NULL;
}

// Another field of the same struct and type, of those that the file names nowhere.
static void unread_fields(edits *e, int place, const expression *x) {
    const char *word = struct_of(e, x->a), *own = edits_text(e, x->end - 1, x->end);
    const value_type type = edits_type_of(e, x);
    for (int i = 0; i < e->n_variables && word; i++) {
        const variable *f = &e->variables[i];
        if (f->owner && !strcmp(f->owner, word) && edits_alike(f->type, type) && strcmp(f->name, own) &&
            !edits_has_word(e, f->name))
            edits_replace(e, place, FIELD, "elsewhere", x->end - 1, x->end, "%s", f->name);
    }
}

// v.x belongs to w.x: four lines that differ in a letter, and one of them in none.
static void lanes(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *root = e->places[place].tree;
    const token *t = &u->tokens[x->end - 1];
    static const char *const built_in[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    if (t->length != 1 || !strchr("xyzw", *t->at) || is_any(u, x->first, built_in)) return;
    const expression *left = root && root->kind == E_ASSIGN && root->a->kind == E_MEMBER ? root->a : NULL;
    for (const char *letter = "xyzw"; *letter; letter++) {
        const bool meant = left && left->end <= x->first && *u->tokens[left->end - 1].at == *letter;
        edits_replace(e, place, meant ? LANE : 30, "elsewhere", x->end - 1, x->end, "%c", *letter);
    }
}

// Behind the parts of all: a product in the offset of a pointer, times what the function has counted.
static void more_parts(edits *e, int place, const expression *x) {
    if (e->places[place].kind != P_VALUE || !is_operator(e, x->parent, "+") || !edits_type_of(e, x->parent).pointers)
        return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base == BASE_INT && !v->type.pointers && !v->is_loop && !v->is_global && !v->is_parameter &&
            edits_sees(e, v, x->first) &&
            !edits_contains(e, x, &(ingredient){.first = v->declared, .end = v->declared + 1}))
            edits_replace(e, place, PARTS, "elsewhere", x->first, x->end, "%s * %s", edits_text_of(e, x), v->name);
    }
}

static bool has_field(const edits *e, const char *word, const char *field) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].owner && !strcmp(e->variables[i].owner, word) && !strcmp(e->variables[i].name, field))
            return true;
    return false;
}

// Two arguments side by side, both of another object that has such fields, too.
static void objects(edits *e, int place, const expression *call) {
    for (const expression *a = call->arguments; a && a->next; a = a->next) {
        const expression *b = a->next;
        if (a->kind != E_MEMBER || b->kind != E_MEMBER || a->a->kind != E_NAME || b->a->kind != E_NAME ||
            !edits_same(&e->u, a->first, b->first, 1))
            continue;
        const char *one = edits_text(e, a->end - 1, a->end), *two = edits_text(e, b->end - 1, b->end);
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if (v->type.base != BASE_STRUCT || v->type.pointers || is(&e->u, a->first, v->name) ||
                !edits_sees(e, v, a->first) || !has_field(e, v->type.word, one) || !has_field(e, v->type.word, two))
                continue;
            edits_replace(e, place, OBJECT, "elsewhere", a->first, b->end, "%s.%s, %s.%s", v->name, one, v->name, two);
        }
    }
}

void edits_change_elsewhere(edits *e, int place, expression *x) {
    const bool atom = x->kind == E_NAME || x->kind == E_MEMBER;
    const value_type t = atom ? edits_type_of(e, x) : (value_type){.base = BASE_UNKNOWN};
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    if (atom && t.base == BASE_INT && !t.pointers && !called) numbers(e, place, x), quads(e, place, x);
    if (x->kind == E_MEMBER && !called) unread_fields(e, place, x), lanes(e, place, x);
    if (is_operator(e, x, "*")) more_parts(e, place, x);
    if (x->kind == E_CALL) objects(e, place, x);
}
