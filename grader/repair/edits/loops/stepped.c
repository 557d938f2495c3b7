// stepped.c: the step of a `for` and its body stand in each other's place: the counter has moved on before it is used, and
// the first round's element is left out, while the last one lies behind the end.
//
//     for (int c = t; c < n; p[c] /= l) c += STEP;        for (int c = t; c < n; c += STEP) p[c] /= l;
#include "edits.h"

enum { STEPPED = 2 };  // rank

// The one place of that loop, or of its body, that is this part of it. -1: there is none.
static int step_of(const edits *e, int loop) {
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        if (at->statement == loop && at->kind == P_VOID && at->tree && is(&e->u, at->first - 1, ";") &&
            is(&e->u, at->end, ")"))
            return p;
    }
    return -1;
}

static int body_of(const edits *e, int body) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == body && e->places[p].kind == P_STATEMENT && e->places[p].tree) return p;
    return -1;
}

// The name that moves on: of c += 4, c++ and --c. -1: nothing does.
static int moved(const edits *e, const expression *x) {
    const bool steps = x->kind == E_ASSIGN ? x->op_end > x->op + 1 : x->kind == E_POSTFIX || x->kind == E_UNARY;
    if (!steps || !x->a || x->a->kind != E_NAME) return -1;
    return is(&e->u, x->op, "-") || is(&e->u, x->op, "+") || x->kind == E_ASSIGN ? x->a->first : -1;
}

static bool names(const edits *e, int first, int end, int name) {
    for (int i = first; i < end; i++)
        if (edits_same(&e->u, i, name, 1)) return true;
    return false;
}

void edits_change_stepped(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *loop = &e->statements[s];
        if (loop->kind != S_LOOP || !is(&e->u, loop->first, "for") || loop->body < 0 || !edits_wanted(e, s)) continue;
        const statement *inner = &e->statements[loop->body];
        const int step = step_of(e, s), body = inner->kind == S_EXPRESSION ? body_of(e, loop->body) : -1;
        if (step < 0 || body < 0) continue;
        const expression *walks = e->places[body].tree, *works = e->places[step].tree;
        const int name = moved(e, walks);
        if (name < 0 || moved(e, works) >= 0 || !names(e, works->first, works->end, name)) continue;
        const replacement a = {step, works->first, works->end, edits_text_of(e, walks)};
        const replacement b = {body, walks->first, walks->end, edits_text_of(e, works)};
        edits_replace_two(e, STEPPED, "step", &a, &b);
    }
}
