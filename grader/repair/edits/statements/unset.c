// unset.c: a field that no line of the file sets, beside others of its struct that are set.
//
//     t.nk = ...; t.K = K + ...;      t.j0 is read, and set nowhere: t.j0 = j0;
//     job w = {q, k, n};              w.shift is the fourth: w.shift = s.seq_kv - s.seq_q;
#include "edits.h"

#include <string.h>

enum { FIELD = 3, SIZE = 12 };  // ranks

// .j0 = anywhere, in a statement or in { }
static bool is_set_somewhere(const edits *e, const char *field) {
    for (int i = 1; i + 1 < e->u.token_count; i++)
        if (is(&e->u, i, field) && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")) && edits_assigns(&e->u, i + 1))
            return true;
    return false;
}

static bool is_read(const edits *e, const char *field) {
    for (int i = 1; i < e->u.token_count; i++)
        if (is(&e->u, i, field) && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->"))) return true;
    return false;
}

// Which field of its struct it is, from 0.
static int number_of(const edits *e, const variable *f) {
    int n = 0;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        n += v->owner && !strcmp(v->owner, f->owner) && v->declared < f->declared;
    }
    return n;
}

// How many values { } gives by their places; -1: by names.
static int values_in(const unit *u, int open) {
    int n = 1;
    for (int i = open + 1; i < u->tokens[open].match; i = skip_group(u, i)) {
        if (is(u, i, ".") && (i == open + 1 || is(u, i - 1, ","))) return -1;
        n += is(u, i, ",") && i + 1 < u->tokens[open].match;
    }
    return n;
}

// s.seq_kv and s.seq_q: one of two sizes of the same struct that are called alike.
static bool are_alike(const char *a, const char *b) {
    const char *x = strrchr(a, '.'), *y = strrchr(b, '.');
    if (!x || !y || x - a != y - b || strncmp(a, b, (size_t)(x - a)) || !strcmp(x, y)) return false;
    return strchr(x, '_') && strchr(y, '_') && !strncmp(x, y, (size_t)(strchr(x, '_') - x));
}

// job w = {q, k, n}; and w.shift, the fourth field, is read and set nowhere: before statement s, a size or a difference.
static void fill(edits *e, int s, const char *of, const variable *f) {
    const bool whole = edits_is_whole(f->type), real = edits_is_real(f->type);
    for (int i = 0; i < e->n_ingredients && (whole || real); i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind != I_ATOM || !edits_is_whole(g->type) || strchr(g->text, '[') ||
            !edits_usable(e, g, e->statements[s].first))
            continue;
        if (real)
            edits_insert(e, s, false, FIELD, "statement",
                         format(&e->u, "%s.%s = 1.0f / sqrtf((float)%s);", of, f->name, g->text));
        else
            edits_insert(e, s, false, SIZE, "statement", format(&e->u, "%s.%s = %s;", of, f->name, g->text));
        for (int k = 0; k < e->n_ingredients && whole; k++)
            if (e->ingredients[k].kind == I_ATOM && are_alike(g->text, e->ingredients[k].text))
                edits_insert(e, s, false, FIELD, "statement",
                             format(&e->u, "%s.%s = %s - %s;", of, f->name, g->text, e->ingredients[k].text));
    }
}

static void not_filled(edits *e, int s) {
    const unit *u = &e->u;
    const statement *st = &e->statements[s];
    const int next = edits_next(e, s);
    int open = st->first;
    while (open < st->end && !is(u, open, "{")) open++;
    if (open == st->end || !is(u, open - 1, "=") || !is_name(u, open - 2) || next < 0 || values_in(u, open) < 0) return;
    const token *t = &u->tokens[open - 2];
    const variable *of = edits_visible(e, t->at, t->length, e->statements[next].first);
    if (!of || of->type.base != BASE_STRUCT || of->type.pointers || !of->type.word) return;
    for (int k = 0; k < e->n_variables; k++) {
        const variable *f = &e->variables[k];
        if (f->owner && !strcmp(f->owner, of->type.word) && number_of(e, f) >= values_in(u, open) &&
            is_read(e, f->name) && !is_set_somewhere(e, f->name))
            fill(e, next, of->name, f);
    }
}

void edits_change_unset(edits *e) {
    for (int s = 0; s < e->n_statements && !e->cuda; s++)
        if (e->statements[s].kind == S_DECLARATION && edits_wanted(e, s)) not_filled(e, s);
    const unit *u = &e->u;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const int i = st->first;
        if (st->kind != S_EXPRESSION || !st->listed || st->fixed || !edits_wanted(e, s) || !is_name(u, i) ||
            !(is(u, i + 1, ".") || is(u, i + 1, "->")) || !is(u, i + 3, "="))
            continue;
        const variable *of = edits_visible(e, u->tokens[i].at, u->tokens[i].length, i);
        if (!of || of->type.base != BASE_STRUCT || !of->type.word) continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *f = &e->variables[k];
            if (!f->owner || strcmp(f->owner, of->type.word) || !is_read(e, f->name) || is_set_somewhere(e, f->name))
                continue;
            const variable *from = edits_visible(e, f->name, (int)strlen(f->name), i);
            if (from && edits_alike(from->type, f->type))
                edits_insert(e, s, false, FIELD, "statement",
                             format(&e->u, "%s%s = %s;", edits_text(e, i, i + 2), f->name, f->name));
        }
    }
}
