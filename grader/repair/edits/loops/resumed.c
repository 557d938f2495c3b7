// resumed.c: a number that a loop counts on, and that begins anew in each round of the loop around it, begins where the
// round before ended.
//
//     for (b < B) { size_t head = 0; for (h < H; h++, head++) ... }        head = b * H
//     for (b < B) { const float *x = X; for (s < S; s++, x += D) ... }     x = X + b * S * D
#include "edits.h"

enum { RESUMED = 3 };  // a rank

// The counter of for (int c = 0; ...); NULL: another loop.
static const variable *counter_of(const edits *e, const statement *loop) {
    for (int i = 0; loop->kind == S_LOOP && loop->body >= 0 && i < e->n_variables; i++) {
        const variable *c = &e->variables[i];
        if (c->is_loop && c->declared > loop->first && c->declared < e->statements[loop->body].first &&
            c->value_end == c->value + 1 && is(&e->u, c->value, "0"))
            return c;
    }
    return NULL;
}

// The token behind c < in its condition, and where that ends.
static int bound_of(const edits *e, const statement *loop, const variable *c, int *end) {
    const int body = e->statements[loop->body].first;
    for (int i = c->value_end; i < body; i++) {
        if (!is(&e->u, i, c->name) || !is(&e->u, i + 1, "<")) continue;
        for (*end = i + 2; *end < body && !is(&e->u, *end, ";");) ++*end;
        return i + 2;
    }
    return 0;
}

static const char *factor(edits *e, int first, int end) {
    bool is_sum = false;
    for (int i = first; i < end; i++) is_sum |= is(&e->u, i, "+") || is(&e->u, i, "-");
    return format(&e->u, is_sum ? "(%s)" : "%s", edits_text(e, first, end));
}

// By what it goes on in a round of this loop: "" for 1; NULL: it does not, or in a loop within.
static const char *step_in(edits *e, const variable *v, const statement *loop) {
    const statement *body = &e->statements[loop->body];
    for (int i = loop->first; i < loop->end; i++) {
        if (!edits_same(&e->u, i, v->declared, 1) || !edits_sees(e, v, i)) continue;
        for (int s = 0; s < e->n_statements && i >= body->first; s++) {
            const statement *inner = &e->statements[s];
            if (inner->kind == S_LOOP && inner->first > loop->first && i >= inner->first && i < inner->end) return NULL;
        }
        if (adjacent(&e->u, i + 1, "++") || adjacent(&e->u, i - 2, "++")) return "";
        if (!adjacent(&e->u, i + 1, "+=")) continue;
        int end = i + 3;
        while (end < loop->end && !is(&e->u, end, ";") && !is(&e->u, end, ",") && !is(&e->u, end, ")"))
            end = is(&e->u, end, "(") ? e->u.tokens[end].match + 1 : end + 1;
        return format(&e->u, " * %s", factor(e, i + 3, end));
    }
    return NULL;
}

void edits_change_resumed(edits *e, int place, const expression *x) {
    const statement *declares = &e->statements[e->places[place].statement];
    const variable *v = NULL;
    if (e->places[place].kind != P_VALUE || declares->kind != S_DECLARATION || x->parent || x->end != x->first + 1)
        return;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    const int around = declares->parent >= 0 ? e->statements[declares->parent].parent : -1;
    const variable *round = v && !v->is_const && around >= 0 ? counter_of(e, &e->statements[around]) : NULL;
    if (!round || !(v->type.pointers ? is_name(&e->u, x->first) : edits_is_whole(v->type) && is(&e->u, x->first, "0")))
        return;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *loop = &e->statements[s];
        const variable *c =
            loop->parent == declares->parent && loop->first > declares->first ? counter_of(e, loop) : NULL;
        const char *step = c ? step_in(e, v, loop) : NULL;
        int end = 0;
        const int bound = step ? bound_of(e, loop, c, &end) : 0;
        if (!bound) continue;
        const char *from = v->type.pointers ? format(&e->u, "%s + ", edits_text(e, x->first, x->end)) : "";
        edits_replace(e, place, RESUMED, "resumed", x->first, x->end, "%s%s * %s%s", from, round->name,
                      factor(e, bound, end), step);
    }
}
