// skipped.c: a score that is not computed has to be -INFINITY, and a probability 0: what stood there before counts.
//
//     if (j > last) continue;  s[j] = dot;             { s[j] = -INFINITY; continue; }
//     for (d ...) s += q[d] * k[d];  top = block_max(s);      if (tid < n) for (d ...) ... else s = -INFINITY;
#include "edits.h"

// Ranks: where the file without the jump is right, too, that is likelier. Tokens.
enum { SKIPPED = 35, WEIGHT = 36, NO_KEY = 9, SHORT = 12 };

// What the loop sets behind the jump, at the top of its body: s[j] = ...
static const expression *set_behind(const edits *e, int s, int body) {
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const expression *x = at->tree;
        if (at->kind != P_STATEMENT || at->statement <= s || e->statements[at->statement].parent != body) continue;
        const bool plain = x && x->kind == E_ASSIGN && x->op_end == x->op + 1 && x->a->kind == E_INDEX;
        if (plain && edits_is_real(edits_type_of((edits *)e, x->a)) && x->a->end - x->a->first <= SHORT) return x->a;
    }
    return NULL;
}

static void jump(edits *e, int s) {
    const int condition = e->statements[s].parent;
    int body = condition >= 0 ? e->statements[condition].parent : -1;
    if (condition >= 0 && e->statements[condition].kind == S_BLOCK) return;  // it sets something, too
    if (condition < 0 || e->statements[condition].kind != S_IF || body < 0) return;
    const expression *score = set_behind(e, s, body);
    if (!score) return;
    const char *to = edits_text(e, score->first, score->end);
    edits_exchange(e, s, SKIPPED, "skipped", format(&e->u, "{ %s = -INFINITY; continue; }", to));
    edits_exchange(e, s, WEIGHT, "skipped", format(&e->u, "{ %s = 0.0f; continue; }", to));
}

// n = min(CHUNK, hi - base): how many are left for the threads of a block.
static bool is_rest(const edits *e, const variable *v) {
    bool least = false, difference = false;
    for (int i = v->value; i < v->value_end && v->value > 0; i++) {
        least |= is(&e->u, i, "min") || is(&e->u, i, "MIN") || is(&e->u, i, "?");
        difference |= is(&e->u, i, "-");
    }
    return least && difference && edits_is_whole(v->type);
}

static bool is_of_thread(const edits *e, const variable *v) {
    for (int i = v->value; i < v->value_end && v->value > 0; i++)
        if (is(&e->u, i, "threadIdx")) return edits_is_whole(v->type);
    return false;
}

// The loop in front of statement s, in the same block, that adds to v; -1: there is none.
static int adds_to(const edits *e, int s, const variable *v) {
    for (int k = s - 1; k > e->statements[s].parent; k--) {
        const statement *st = &e->statements[k];
        if (st->kind != S_LOOP || st->parent != e->statements[s].parent || !st->listed) continue;
        for (int i = st->first; i < st->end; i++)
            if (is(&e->u, i, v->name) && adjacent(&e->u, i + 1, "+=")) return k;
    }
    return -1;
}

// A number of each thread's own that a maximum of the block is made of: a thread beyond the last key has none.
void edits_change_without_key(edits *e, int place, const expression *x) {
    static const char *const of_two[] = {"fmaxf", "max", "fmax", "MAX", NULL};
    const int s = e->places[place].statement;
    if (!e->cuda || x->kind != E_CALL || is_any(&e->u, x->first, of_two) || !edits_says_maximum(&e->u.tokens[x->first]))
        return;
    const expression *own = x->arguments;
    while (own && (own->kind != E_NAME || !edits_is_real(edits_type_of(e, own)))) own = own->next;
    const token *t = own ? &e->u.tokens[own->first] : NULL;
    const variable *v = own ? edits_visible(e, t->at, t->length, own->first) : NULL;
    const int loop = v && e->statements[s].listed ? adds_to(e, s, v) : -1;
    if (loop < 0 || v->is_const || v->is_parameter || v->type.pointers) return;
    const statement *st = &e->statements[loop];
    for (int i = 0; i < e->n_variables; i++)
        for (int k = 0; k < e->n_variables && is_rest(e, &e->variables[i]); k++)
            if (is_of_thread(e, &e->variables[k]) && edits_sees(e, &e->variables[k], st->first) &&
                edits_sees(e, &e->variables[i], st->first))
                edits_exchange(e, loop, NO_KEY, "no key",
                               format(&e->u, "if (%s < %s) %s else %s = -INFINITY;", e->variables[k].name,
                                      e->variables[i].name, edits_text(e, st->first, st->end), v->name));
}

void edits_change_skipped(edits *e) {
    for (int s = 0; s < e->n_statements; s++)
        if (e->statements[s].kind == S_JUMP && is(&e->u, e->statements[s].first, "continue") && edits_wanted(e, s))
            jump(e, s);
}
