// rounds.c: where a round begins and ends: the last one is cut off, a block of two dimensions has threads in both.
#include "edits.h"

#include <string.h>

enum { LEFT = 1 };  // a rank

// base = t * SIZE: where a tile of that size begins.
static bool begins_tile(const edits *e, const variable *v, const expression *size) {
    for (int i = v->value; i < v->value_end && !v->is_loop; i++)
        if (size->kind == E_NAME && e->u.tokens[i].length == e->u.tokens[size->first].length &&
            !memcmp(e->u.tokens[i].at, e->u.tokens[size->first].at, (size_t)e->u.tokens[i].length) &&
            (is(&e->u, i - 1, "*") || is(&e->u, i + 1, "*")))
            return true;
    return false;
}

// min(SIZE, end) within a loop whose condition is t.j0 < end, or j < end.
static void left_of_walk(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        int from = st->first;
        if (st->kind != S_LOOP) continue;
        for (int i = st->first + 1; i < x->first && i < st->first + 40 && !is(u, i, "{"); i++) {
            if (is(u, i, ";") || is(u, i, "&&") || (is(u, i, "(") && i < st->first + 2)) from = i + 1;
            if (is(u, i, "<") && i > from && i - from < 5 && edits_same(u, i + 1, x->first, x->end - x->first))
                edits_replace(e, place, 3, "term", x->first, x->end, "%s - %s", edits_text(e, x->first, x->end),
                              edits_text(e, from, i));
        }
    }
}

// min(SIZE, end) within a walk by j0: what is left is end - j0.
static bool limits(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    if (!p || p->kind != E_CALL || p->a == x || !strstr(edits_text(e, p->a->first, p->a->end), "min")) return false;
    left_of_walk(e, place, x);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_loop && edits_is_whole(v->type) && edits_sees(e, v, x->first) && x->kind != E_NUMBER &&
            x->kind != E_BINARY)
            edits_replace(e, place, 5, "term", x->first, x->end, "%s - %s", edits_text(e, x->first, x->end), v->name);
    }
    return true;
}

static bool is_built_in(const char *text) {
    return !strncmp(text, "threadIdx", 9) || !strncmp(text, "block", 5) || !strncmp(text, "gridDim", 7);
}

// have = SIZE, where a tile begins at v: min(SIZE, shape.seq_kv - v), with any size in a struct that is handed over.
static void left_of_field(edits *e, int place, const expression *x, const char *least) {
    const token *t = &e->u.tokens[x->first];
    const variable *size = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!e->cuda || !least || !size || !size->is_global || !edits_is_value(e, place, x) || x->parent) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || !edits_sees(e, v, x->first) || !(v->is_loop || begins_tile(e, v, x))) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            if (g->kind == I_ATOM && edits_is_whole(g->type) && !strchr(g->text, '[') && !is_built_in(g->text) &&
                !strstr(g->text, "causal") && edits_usable(e, g, x->first))
                edits_replace(e, place, LEFT, "cut off", x->first, x->end, "%s(%s, %s - %s)", least,
                              edits_text_of(e, x), g->text, v->name);
        }
    }
}

// i0 becomes i0 + SIZE - 1; the last round is cut off: min(SIZE, end - k0).
static void rounds(edits *e, int place, const expression *x) {
    const char *text = edits_text(e, x->first, x->end), *least = edits_least(e, x->first);
    if (limits(e, place, x)) return;
    for (int i = 0; i < e->n_directives && !least; i++) {  // #define MIN(a, b) ...
        char name[64], end;
        const directive *d = &e->directives[i];
        const char *line = format(&e->u, "%.*s", (int)(d->end - d->first), e->source + d->first);
        if (sscanf(line, " # define %63[A-Za-z0-9_](%*[A-Za-z0-9_], %*[A-Za-z0-9_]%c", name, &end) == 2 && end == ')' &&
            (strstr(name, "min") || strstr(name, "MIN")))
            least = format(&e->u, "%s", name);
    }
    left_of_field(e, place, x, least);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || v->is_loop || !edits_sees(e, v, x->first)) continue;
        if (v->is_global || v->is_parameter)
            edits_replace(e, place, 45, "term", x->first, x->end, "%s + %s - 1", text, v->name);
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            if (v == w || v->is_global || !edits_is_whole(w->type) || w->is_global || !edits_sees(e, w, x->first))
                continue;
            const bool tile = begins_tile(e, w, x) && edits_is_value(e, place, x);
            const bool copy = tile && !x->parent && x->kind == E_NAME;  // rows = tile_rows: what else is it for?
            if (least && (w->is_loop || w->is_parameter || tile))
                edits_replace(e, place,
                              copy   ? 2
                              : tile ? 12
                                     : 46,
                              "cut off", x->first, x->end, "%s(%s, %s - %s)", least, text, v->name, w->name);
            if (!e->cuda && w->is_loop)
                edits_replace(e, place, 47, "cut off", x->first, x->end, "(%s < %s - %s ? %s : %s - %s)", text, v->name,
                              w->name, text, v->name, w->name);
        }
        for (int k = 0; least && k < e->n_ingredients && !v->is_global; k++) {
            const ingredient *g = &e->ingredients[k];
            const bool limit = g->kind == I_ATOM && edits_is_whole(g->type) && edits_usable(e, g, x->first);
            if (limit && !strchr(g->text, '[') && begins_tile(e, v, x) && edits_is_value(e, place, x))
                edits_replace(e, place, 12, "cut off", x->first, x->end, "%s(%s, %s - %s)", least, text, g->text,
                              v->name);
            if (g->kind == I_ATOM && edits_is_whole(g->type) && !is_built_in(g->text) &&
                g->function == e->statements[e->places[place].statement].function && edits_usable(e, g, x->first))
                edits_replace(e, place, 48, "cut off", x->first, x->end, "%s(%s, %s - %s)", least, text, v->name,
                              g->text);
        }
    }
}

// min(n, blockIdx.x * SIZE), or last = blockIdx.x * SIZE, for the last one of a block: it stands at its end.
static void last_of_block(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *p = x->parent;
    bool block = false, last = false;
    if (!is_operator(e, x, "*") || x->b->kind != E_NAME || is_operator(e, p, "+-*/%")) return;
    for (int i = x->first; i < x->b->first; i++) block |= is(u, i, "blockIdx");
    for (int i = 0; i < e->n_variables && block && !last; i++) {
        const variable *v = &e->variables[i];
        static const char *const words[] = {"last", "Last", "end", "End", "stop"};
        for (int w = 0; w < 5 && v->value > 0 && v->value <= x->first && x->end <= v->value_end; w++)
            last |= strstr(v->name, words[w]) != NULL;
    }
    if (last)
        edits_replace(e, place, 5, "term", x->first, x->end, "%s + %s - 1", edits_text_of(e, x),
                      edits_text_of(e, x->b));
}

// The number of a thread in a block of two dimensions.
static void thread_number(edits *e, int place, const expression *x) {
    bool two = false, here = false;
    const struct place *p = &e->places[place];
    for (int i = 2; i < e->u.token_count; i++) {
        const bool y = is(&e->u, i - 2, "threadIdx") && is(&e->u, i, "y");
        two |= y || is(&e->u, i, "dim3"), here |= y && p->first <= i && i < p->end;
    }
    if (!two || here || !edits_is_value(e, place, x) || !is(&e->u, x->first, "threadIdx") ||
        !is(&e->u, x->end - 1, "x"))
        return;
    edits_replace(e, place, 18, "term", x->first, x->end, "threadIdx.y * blockDim.x + threadIdx.x");
}

// A loop that begins at blockIdx.x * blockDim.x + threadIdx.x: with steps of a block, blocks do each other's work again.
static void step_of_grid(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    bool block = false;
    if (st->kind != S_LOOP || strcmp(edits_operator_text(&e->u, x->op), "+=") || !is(&e->u, x->b->first, "blockDim"))
        return;
    for (int i = st->first; i < x->first; i++) block |= is(&e->u, i, "blockIdx");
    if (block) edits_replace(e, place, 4, "step", x->b->first, x->b->end, "gridDim.x * blockDim.x");
}

// j0 += 64, where the round takes min(Bc, end - j0): in steps of what a round takes at most.
static void step_of_round(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const char *op = edits_operator_text(u, x->op);
    if (x->b->kind != E_NUMBER || x->a->kind != E_NAME || strcmp(op, "+=")) return;
    for (int i = f->body; i + 1 < f->end; i++) {
        if (!is_name(u, i) || !is(u, i + 1, "(") || !strstr(edits_text(e, i, i + 1), "min")) continue;
        const int open = i + 1, close = u->tokens[open].match;
        int comma = open + 1;
        while (comma < close && !is(u, comma, ",")) comma++;
        const char *walks = edits_text(e, x->a->first, x->a->end);
        if (comma < close && is(u, close - 2, "-") && is(u, close - 1, walks))
            edits_replace(e, place, 5, "step", x->b->first, x->b->end, "%s", edits_text(e, open + 1, comma));
    }
}

void edits_change_rounds(edits *e, int place, expression *x) {
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const bool argument = x->parent && x->parent->kind == E_CALL && x->parent->a != x;
    const bool compared = x->parent && x->parent->kind == E_BINARY &&
                          strchr("<>", *edits_operator_text(&e->u, x->parent->op)) && !x->parent->parent;
    if (x->kind == E_MEMBER) thread_number(e, place, x);
    if (e->cuda) last_of_block(e, place, x);
    if (x->kind == E_ASSIGN) step_of_grid(e, place, x), step_of_round(e, place, x);
    if (!called && edits_is_whole(edits_type_of(e, x)) && (edits_is_value(e, place, x) || argument || compared) &&
        x->kind != E_NUMBER)
        rounds(e, place, x);
}
