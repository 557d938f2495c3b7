// steps.c: a statement that goes, stands elsewhere, or comes: a jump, a guard.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { JOINED = 3, SCALED = 14, LEAVES = 8, RESETS = 7 };  // ranks

static void change_jump(edits *e, int place, const statement *s) {
    const unit *u = &e->u;
    const char *const others[] = {"break", "continue", "return"};
    const bool returns_nothing = e->functions[s->function].result.base == BASE_VOID;
    int loop = s->parent;
    while (loop >= 0 && e->statements[loop].kind != S_LOOP) loop = e->statements[loop].parent;
    const bool shared = loop >= 0 && edits_directive_before(e, e->statements[loop].first) >= 0;  // by OpenMP
    for (int i = 0; i < 3 && !shared; i++)
        if (!is(u, s->first, others[i]) && (i < 2 ? loop >= 0 : returns_nothing))
            edits_replace(e, place, 24, "jump", s->first, s->first + 1, "%s", others[i]);
}

bool edits_ends_block(const edits *e, const statement *s) {
    return s->listed && s->end == s->block_end && s->parent >= 0 && e->statements[s->parent].kind == S_BLOCK;
}

// Behind s: before the next one, or at the end of the block.
void edits_move_behind(edits *e, int moved, int s, int rank) {
    const int next = edits_next(e, s);
    const statement *st = &e->statements[s];
    if (next >= 0)
        edits_move(e, moved, next, false, rank, "moved");
    else if (edits_ends_block(e, st))
        edits_move(e, moved, st->parent, true, rank, "moved");
}

// while (half > 1) { ... half /= 2; }: what moves on at the end of a round moves on at its beginning.
static void step_first(edits *e, int s) {
    const statement *st = &e->statements[s];
    const int loop = st->parent >= 0 ? e->statements[st->parent].parent : -1;
    if (loop < 0 || !edits_ends_block(e, st) || !is(&e->u, e->statements[loop].first, "while")) return;
    const statement *around = &e->statements[loop];
    bool counts = false;
    for (int i = around->first + 2; i < e->u.tokens[around->first + 1].match; i++)
        counts |= e->u.tokens[i].kind == TOKEN_NAME && e->u.tokens[i].length == e->u.tokens[st->first].length &&
                  !memcmp(e->u.tokens[i].at, e->u.tokens[st->first].at, (size_t)e->u.tokens[i].length);
    for (int k = 0; k < s && counts; k++)
        if (e->statements[k].parent == st->parent && e->statements[k].listed) {
            edits_move(e, s, k, false, 18, "moved");
            return;
        }
}

// if (!room()) return ATTN_CACHE_FULL;
static bool leaves(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const int behind = st->kind == S_IF && is(&e->u, st->first + 1, "(") ? e->u.tokens[st->first + 1].match + 1 : 0;
    return behind && is(&e->u, behind, "return");
}

// Which of two questions is asked first decides who is asked the second one.
static void moves(edits *e, int s) {
    const statement *st = &e->statements[s];
    const int next = edits_next(e, s);
    if (!st->listed || st->kind == S_DECLARATION || st->kind == S_RETURN) return;
    if (next >= 0 && e->statements[next].kind != S_DECLARATION && e->statements[next].kind != S_RETURN)
        edits_move(e, next, s, false, leaves(e, s) && leaves(e, next) ? LEAVES : 30, "moved");
    if (st->kind != S_EXPRESSION && st->kind != S_LOOP) return;
    step_first(e, s);
    const int block = st->parent, around = block >= 0 ? e->statements[block].parent : -1;
    if (around >= 0 && (e->statements[around].kind == S_LOOP || e->statements[around].kind == S_IF) &&
        e->statements[around].listed) {
        // Behind an if that some threads alone take, nobody else comes to the barrier.
        const bool alone = e->statements[around].kind == S_IF && adjacent(&e->u, st->first, "__syncthreads()");
        if (edits_ends_block(e, st)) edits_move_behind(e, s, around, alone ? 16 : edits_joins(e, st) ? JOINED : 30);
        if (e->statements[block].first + 1 == st->first) edits_move(e, s, around, false, alone ? 18 : 32, "moved");
        const int outer = e->statements[around].parent;  // some threads wait, and for too little
        if (outer >= 0 && e->statements[outer].kind == S_BLOCK && adjacent(&e->u, st->first, "__syncthreads()"))
            edits_move(e, s, outer, true, 31, "moved");
    }
    if (next >= 0 && e->statements[next].kind == S_LOOP && e->statements[next].body >= 0) {
        const int body = e->statements[next].body;
        edits_move(e, s, e->statements[body].kind == S_BLOCK && body + 1 < e->n_statements ? body + 1 : body, false, 34,
                   "moved");
    }
    for (int loop = 0; loop < s; loop++)  // the one before it is a loop: at the end of its body
        if (e->statements[loop].end == st->first && e->statements[loop].kind == S_LOOP && e->statements[loop].listed) {
            const int body = e->statements[loop].body;
            if (body >= 0 && e->statements[body].kind == S_BLOCK) edits_move(e, s, body, true, 34, "moved");
        }
}

// if (c) a = b;   ->   a = c ? b : 0;
static void guard_as_value(edits *e, int s) {
    const statement *st = &e->statements[s], *inner = &e->statements[s + 1];
    const place *condition = NULL, *body = NULL;
    for (int p = 0; p < e->n_places; p++) {
        if (e->places[p].statement == s && e->places[p].kind == P_CONDITION) condition = &e->places[p];
        if (e->places[p].statement == s + 1 && e->places[p].kind == P_STATEMENT) body = &e->places[p];
    }
    const expression *x = body ? body->tree : NULL;
    if (!condition || !x || x->kind != E_ASSIGN || inner->end != st->end || x->op_end != x->op + 1 || st->fixed) return;
    const char *text = format(&e->u, "%s = %s ? %s : 0.0f;", edits_text(e, x->a->first, x->a->end),
                              edits_text(e, condition->first, condition->end), edits_text(e, x->b->first, x->b->end));
    edits_exchange(e, s, 34, "guard", text);
}

// Threads without work leave: if (i >= n) return;
static void early_returns(edits *e, int s) {
    const statement *st = &e->statements[s];
    const function *f = &e->functions[st->function];
    const bool first = edits_top(e, s) && st->kind != S_DECLARATION && st->kind != S_RETURN;
    if (!first || !f->device || f->result.base != BASE_VOID || f->result.pointers) return;
    for (int i = 0; i < e->n_variables; i++)
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[i], *w = &e->variables[k];
            const bool fits = v != w && v->type.base == BASE_INT && w->type.base == BASE_INT && !v->type.pointers &&
                              !w->type.pointers && !v->is_global && !w->is_global && !w->is_loop && !v->is_loop;
            if (fits && edits_sees(e, v, st->first) && edits_sees(e, w, st->first))
                edits_insert(e, s, false, 48, "guard", format(&e->u, "if (%s >= %s) return;", v->name, w->name));
        }
}

// A block that wants more shared memory than 48 KB must ask for it.
static void ask_for_shared_memory(edits *e, int p) {
    const expression *x = e->places[p].tree;
    if (!x || x->kind != E_CALL || !x->c || !x->c->next || !x->c->next->next) return;
    const expression *bytes = x->c->next->next;
    if (bytes->kind == E_NUMBER) return;
    edits_insert(e, e->places[p].statement, false, 30, "statement",
                 format(&e->u, "cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)%s);",
                        edits_text(e, x->a->first, x->a->end), edits_text(e, bytes->first, bytes->end)));
}

// x *= f and x /= n may be done once too often: without them x is set all the same.
static bool scales(const edits *e, const statement *st) {
    for (int i = st->first; i < st->end; i++)
        if (adjacent(&e->u, i, "*=") || adjacent(&e->u, i, "/=")) return true;
    return false;
}

static bool is_zero(const edits *e, int i) {
    const token *t = &e->u.tokens[i];
    return t->kind == TOKEN_NUMBER && strtod(t->at, NULL) == 0;
}

// acc[0] = acc[1] = 0; in a loop, where acc is declared before it and begins with 0 there: it begins anew in each round.
static bool resets(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const token *t = &e->u.tokens[st->first];
    const variable *v = st->kind == S_EXPRESSION && t->kind == TOKEN_NAME && is_zero(e, st->end - 2)
                            ? edits_visible(e, t->at, t->length, st->first)
                            : NULL;
    if (!v || v->value <= 0 || v->is_parameter || v->type.base != BASE_FLOAT) return false;
    for (int i = st->first; i < st->end; i++)
        if (edits_operator(&e->u, i) && edits_assigns(&e->u, i) && !is(&e->u, i, "=")) return false;
    for (int i = v->value; i < v->value_end; i++)
        if (!is_zero(e, i) && !is(&e->u, i, "{") && !is(&e->u, i, "}") && !is(&e->u, i, ",")) return false;
    for (int k = st->parent; k >= 0; k = e->statements[k].parent)
        if (e->statements[k].kind == S_LOOP && e->statements[k].first > v->declared) return true;
    return false;
}

void edits_change_statements(edits *e) {
    const bool kernels = e->cuda && edits_has_word(e, "__global__");
    for (int p = 0; p < e->n_places; p++) {
        const statement *s = &e->statements[e->places[p].statement];
        if (!edits_wanted(e, e->places[p].statement) || e->places[p].kind != P_STATEMENT) continue;
        if (s->kind == S_JUMP) change_jump(e, p, s);
        if (kernels) ask_for_shared_memory(e, p);
    }
    for (int s = 0; s < e->n_statements; s++) {
        const statement_kind kind = e->statements[s].kind;
        if (!edits_wanted(e, s)) continue;
        if (kind == S_EXPRESSION || kind == S_JUMP)
            edits_remove(e, s, resets(e, s) ? RESETS : scales(e, &e->statements[s]) ? SCALED : 23, "statement");
        if (kind == S_IF || kind == S_LOOP) edits_remove(e, s, 33, edits_has_rest(e, s) ? "before rest" : "statement");
        if (kind == S_RETURN && !edits_top(e, s)) edits_remove(e, s, 33, "statement");
        if (kind == S_IF && s + 1 < e->n_statements) guard_as_value(e, s);
        if (kernels) edits_change_barriers(e, s), early_returns(e, s);
        moves(e, s);
        edits_change_order(e, s);
        edits_change_behind(e, s);
    }
}
