// buffers.c: two buffers that take turns: what comes goes into the one that is not read.
//
//     load(tile[turn], next); use(tile[turn]); turn ^= 1;        load(tile[turn ^ 1], next)
//     load(tile[i % 2], next)                                    load(tile[(i + 1) % 2], next)
//     float tile[2][N]; for (..., turn = 0; ...) ... tile[turn]        turn ^= 1; is missing
#include "edits.h"

#include <string.h>

enum { OTHER = 5, TURNS = 2 };  // ranks

// turn ^= 1, turn = 1 - turn, turn = !turn, turn ^ 1
static bool takes_turns(const edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->from; i < v->to && i + 3 < u->token_count; i++) {
        if (!is(u, i, v->name) || is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        if (adjacent(u, i + 1, "^=") && is(u, i + 3, "1")) return true;
        if (is(u, i + 1, "^") && is(u, i + 2, "1")) return true;
        if (is(u, i + 1, "=") && ((is(u, i + 2, "!") && is(u, i + 3, v->name)) ||
                                  (is(u, i + 2, "1") && is(u, i + 3, "-") && is(u, i + 4, v->name))))
            return true;
    }
    return false;
}

static bool is_chosen(const expression *x) {  // buffer[turn], or an argument
    const expression *p = x->parent;
    return p && ((p->kind == E_INDEX && p->b == x) || (p->kind == E_CALL && p->a != x) || p->kind == E_TERNARY);
}

// turn ^ 1, 1 - turn, !turn
static int turned(const edits *e, const expression *x) {
    if (x->kind == E_UNARY && is(&e->u, x->op, "!") && x->a->kind == E_NAME) return x->a->first;
    if (x->kind != E_BINARY || x->op_end != x->op + 1) return -1;
    if (is(&e->u, x->op, "^") && x->a->kind == E_NAME && is(&e->u, x->b->first, "1")) return x->a->first;
    if (is(&e->u, x->op, "-") && x->b->kind == E_NAME && is(&e->u, x->a->first, "1")) return x->b->first;
    return -1;
}

// i % 2 or i & 1: (i + 1) % 2, and back.
static void by_its_number(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "%&") || !is(&e->u, x->b->first, is_operator(e, x, "%") ? "2" : "1")) return;
    const char *behind = edits_text(e, x->op, x->end);
    const expression *a = edits_bare(x->a);
    if (is_operator(e, a, "+") && is(&e->u, a->b->first, "1"))
        edits_replace(e, place, OTHER, "buffer", x->first, x->end, "%s %s", edits_text_of(e, a->a), behind);
    else
        edits_replace(e, place, OTHER, "buffer", x->first, x->end, "(%s + 1) %s", edits_text_of(e, a), behind);
}

void edits_change_buffers(edits *e, int place, expression *x) {
    const expression *within = x->parent && x->parent->kind == E_PAREN ? x->parent : x;
    if (is_chosen(within)) by_its_number(e, place, x);
    if (!is_chosen(x)) return;
    const int name = x->kind == E_NAME ? x->first : turned(e, x);
    if (name < 0) return;
    const token *t = &e->u.tokens[name];
    const variable *v = edits_visible(e, t->at, t->length, name);
    if (!v || v->type.base != BASE_INT || v->type.pointers || !takes_turns(e, v)) return;
    edits_replace(e, place, OTHER, "buffer", x->first, x->end, x->kind == E_NAME ? "%s ^ 1" : "%s", v->name);
}

// Is it the first subscript of float x[2][...], and set nowhere behind its beginning?
static bool stays(const edits *e, const variable *v) {
    const unit *u = &e->u;
    bool chooses = false;
    for (int i = v->value_end; i < v->to && i + 2 < u->token_count; i++) {
        if (!is(u, i, v->name) || is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        if (edits_assigns(u, i + 1) || adjacent(u, i + 1, "++") || is(u, i - 1, "&")) return false;
        if (!is(u, i - 1, "[") || !is(u, i + 1, "]") || !is_name(u, i - 2)) continue;
        const token *t = &u->tokens[i - 2];
        const variable *array = edits_visible(e, t->at, t->length, i);
        const int open = array ? array->declared + 1 : 0;
        chooses |= open > 0 && is(u, open, "[") && is(u, open + 1, "2") && is(u, open + 2, "]");
    }
    return chooses;
}

// At the end of the loop that uses both buffers.
void edits_change_turns(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_INT || v->type.pointers || v->value_end != v->value + 1 || !is(&e->u, v->value, "0") ||
            !stays(e, v))
            continue;
        for (int s = 0; s < e->n_statements; s++) {
            const statement *loop = &e->statements[s];
            const bool within = loop->first < v->declared ? v->declared < e->u.tokens[loop->first + 1].match
                                                          : loop->first < v->to && loop->parent >= 0;
            if (loop->kind != S_LOOP || loop->body < 0 || e->statements[loop->body].kind != S_BLOCK || !within ||
                loop->end > v->to + 1 || !edits_wanted(e, s))
                continue;
            edits_insert(e, loop->body, true, TURNS, "statement", format(&e->u, "%s ^= 1;", v->name));
            break;
        }
    }
}
