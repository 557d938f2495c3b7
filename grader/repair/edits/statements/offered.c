// offered.c: what stands on the left and right of a statement that may be missing: what the function, its parameters and
// its loops name.
#include "missing.h"

#include <string.h>

static void note(texts *t, const char *text, int from, int to) {
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->list[i], text)) return;
    if (t->n < MOST_OFFERED) t->list[t->n] = text, t->from[t->n] = from, t->to[t->n++] = to;
}

bool edits_is_float(value_type t, int pointers) { return t.base == BASE_FLOAT && t.pointers == pointers; }

// *l of a parameter float *l; row->m of a parameter row_state *row; part.m of a local one.
static void note_fields(edits *e, const variable *v, texts *single, texts *arrays) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!f->owner || (f->type.constant && f->type.pointers) || f->type.base != BASE_FLOAT || !v->type.word ||
            strcmp(f->owner, v->type.word))
            continue;
        const char *text = format(&e->u, "%s%s%s", v->name, v->type.pointers ? "->" : ".", f->name);
        if (f->type.pointers <= 1) note(f->type.pointers ? arrays : single, text, v->from, v->to);
    }
}

static void note_left(edits *e, const function *f, texts *single, texts *arrays) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->from < f->body || v->to > f->end) continue;
        if (v->type.constant) continue;
        if (edits_is_float(v->type, 0)) note(single, v->name, v->from, v->to);
        if (edits_is_float(v->type, 1)) note(arrays, v->name, v->from, v->to);
        if (edits_is_float(v->type, 1) && v->is_parameter) note(single, format(&e->u, "*%s", v->name), v->from, v->to);
        if (v->type.base == BASE_STRUCT && v->type.pointers <= 1) note_fields(e, v, single, arrays);
    }
}

static void note_right(edits *e, const function *f, int index, texts *right) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->from >= f->body && v->to <= f->end && edits_is_float(v->type, 0)) note(right, v->name, v->from, v->to);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->function != index || g->kind != I_ATOM || !edits_is_float(g->type, 0)) continue;
        int from = f->body, to = f->end;
        for (int k = g->first; k < g->end; k++) {
            const token *t = &e->u.tokens[k];
            const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, k) : NULL;
            if (v && v->from > from) from = v->from;
            if (v && v->to < to) to = v->to;
        }
        note(right, g->text, from, to);
    }
}

bool edits_offers(const texts *t, int i, int token) { return t->from[i] <= token && token < t->to[i]; }

void edits_note_loops(edits *e, parts *p) {
    loop_text *const list = p->loops;
    int n = 0;
    for (int s = 0; s < e->n_statements && n < MOST_OFFERED; s++) {
        const statement *st = &e->statements[s];
        if (st->kind != S_LOOP || !is(&e->u, st->first, "for") || st->body < 0) continue;
        const int close = e->u.tokens[st->first + 1].match;
        const variable *counter = NULL;
        for (int i = 0; i < e->n_variables; i++)
            if (e->variables[i].is_loop && e->variables[i].declared > st->first && e->variables[i].declared < close &&
                !counter)
                counter = &e->variables[i];
        if (!counter || counter->value < 0) continue;
        const char *header = edits_text(e, st->first, close + 1);
        bool known = false;
        for (int i = 0; i < n; i++) known |= !strcmp(list[i].header, header) && list[i].function == st->function;
        if (!known)
            list[n++] = (loop_text){header, counter->name, {.first = counter->value, .end = close}, st->function};
    }
    p->n_loops = n;
}

bool edits_loop_fits(const edits *e, const loop_text *l, int token) {
    for (int i = l->names.first; i < l->names.end; i++) {
        const token_kind kind = e->u.tokens[i].kind;
        ingredient one = {.first = i, .end = i + 1};
        if (kind == TOKEN_NAME && !is(&e->u, i, l->counter) && !edits_usable(e, &one, token)) return false;
    }
    return true;
}

void edits_note_parts(edits *e, int index, parts *p) {
    const function *f = &e->functions[index];
    p->single.n = p->arrays.n = p->right.n = 0;
    note_left(e, f, &p->single, &p->arrays);
    note_right(e, f, index, &p->right);
}
