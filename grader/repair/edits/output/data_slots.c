// data_slots.c: the names that programs of a function read, where each is filled in, and where none can be.
#include "data.h"

#include <string.h>

// A name of a namespace is no name outside of it.
static bool within_its_namespace(const unit *u, int declared, int token) {
    for (int i = 0; i < declared; i++) {
        const int brace = is(u, i + 1, "{") ? i + 1 : i + 2;
        if (is(u, i, "namespace") && brace == i + 2 && is(u, brace, "{") && u->tokens[brace].match > declared &&
            (token < brace || token > u->tokens[brace].match))
            return false;
    }
    return true;
}

// Where its slot is filled: false: not at this place.
static bool place_of(const data *d, const variable *v, int token, slot *s) {
    const edits *e = d->e;
    s->statement = s->loop = -1;
    if (v->declared < 0) return true;
    if (v->is_enumerator && v->to < e->u.token_count) return false;  // of an enum within a function
    if (v->is_global || v->is_enumerator || v->owner) return within_its_namespace(&e->u, v->declared, token);
    const function *f = &e->functions[s->function];
    if (v->declared < f->body) return true;
    int found = -1;
    for (int i = 0; i < e->n_statements; i++) {
        const statement *st = &e->statements[i];
        const bool declares = st->kind == S_DECLARATION || (st->kind == S_LOOP && v->is_loop);
        if (declares && st->first <= v->declared && v->declared < st->end) found = i;
    }
    if (found < 0) return false;
    const statement *st = &e->statements[found];
    if (st->kind == S_DECLARATION) {
        s->statement = found;
        return st->listed && !st->fixed && token >= st->end;
    }
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == found && e->places[p].kind == P_CONDITION) {
            s->loop = found;
            return is(&e->u, st->first, "for") && token >= e->places[p].first;
        }
    if (!edits_loops_by_macro(e, found)) return false;
    s->loop = found;
    return token >= e->statements[st->body].first;
}

const char *data_slot(reader *r, const char *name, const variable *v) {
    data *d = r->d;
    for (int i = 0, k = 0; i < d->n_slots; i++) {
        slot *s = &d->slots[i];
        if (s->function != r->function) continue;
        if (s->of == v && !strcmp(s->name, name)) {
            slot again = *s;
            if (v && !place_of(d, v, r->token, &again)) return data_fail(r);
            return format(r->u, "V%d;", k);
        }
        k++;
    }
    slot s = {.name = name, .function = r->function, .of = v, .statement = -1, .loop = -1};
    if (v && !place_of(d, v, r->token, &s)) return data_fail(r);
    edits_grow(r->u, (void **)&d->slots, sizeof s, d->n_slots);
    d->slots[d->n_slots++] = s;
    return format(r->u, "V%d;", d->numbers[r->function]++);
}

// Of each token, once for all.
static void find_lambdas(edits *e) {
    const unit *u = &e->u;
    e->in_lambda = keep(&e->u, (size_t)u->token_count + 1);
    for (int i = 0; i < u->token_count; i++) {
        const int brace = edits_lambda(u, i);
        const bool all = is(u, i + 1, "&") && is(u, i + 2, "]");
        for (int k = i + 1; brace && !all && k <= u->tokens[brace].match; k++) e->in_lambda[k] = true;
    }
}

bool edits_in_lambda(edits *e, int token) {
    if (!e->in_lambda) find_lambdas(e);
    return e->in_lambda[token];
}

bool edits_in_untyped_lambda(const edits *e, int token) {
    const unit *u = &e->u;
    bool untyped = false;
    for (int i = 0; i < token; i++) {  // the innermost one comes last
        const int brace = edits_lambda(u, i);
        if (!brace || brace >= token || u->tokens[brace].match <= token) continue;
        untyped = true;
        for (int k = i; k < brace; k++) untyped &= !is(u, k, "->");
    }
    return untyped;
}
