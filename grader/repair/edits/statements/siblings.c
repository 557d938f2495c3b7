// siblings.c: what is done to one of two is done to the other, too; a state in an array is rescaled and kept.
//
//     k_ptr += BC * D;                 v_ptr += BC * D; is missing
//     A += z * m * k; C += z * m * n;  B += z * n * k; is missing
//     fix = expf(best[i] - grown);     for (int e = 0; e < N; e++) acc[i][e] *= fix; and best[i] = grown;
#include "edits.h"

#include <string.h>

enum { SIBLING = 10, FACTOR = 9, AROUND = 12, KEPT = 8, RESCALED = 8, BOTH = 2 };  // ranks
enum { SUMS = 8 };

// The statement's text with w for v.
static const char *with(edits *e, const statement *st, const char *v, const char *w) {
    const unit *u = &e->u;
    const char *text = "";
    for (int i = st->first; i < st->end; i++) {
        const token *t = &u->tokens[i];
        const bool it = is(u, i, v) && !is(u, i - 1, ".") && !is(u, i - 1, "->");
        const bool gap = i + 1 < st->end && u->tokens[i + 1].at > t->at + t->length;
        text = format(&e->u, "%s%.*s%s", text, it ? (int)strlen(w) : t->length, it ? w : t->at, gap ? " " : "");
    }
    return text;
}

static const variable *whole_parameter(const edits *e, int i) {
    const token *t = &e->u.tokens[i];
    const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
    return v && v->is_parameter && edits_is_whole(v->type) ? v : NULL;
}

// A += z * m * k; B, which is handed over beside it, goes on by another product of the sizes that are.
static void other_factors(edits *e, int s, const variable *w) {
    const statement *st = &e->statements[s];
    const unit *u = &e->u;
    for (int i = st->first + 1; i < st->end; i++) {
        if (!whole_parameter(e, i) || !(is(u, i - 1, "*") || is(u, i + 1, "*"))) continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *n = &e->variables[k];
            bool there = false;
            for (int at = st->first; at < st->end; at++) there |= is(u, at, n->name);
            if (there || !n->is_parameter || !edits_is_whole(n->type) || !edits_sees(e, n, i)) continue;
            edits_insert(e, s, false, FACTOR, "statement",
                         format(&e->u, "%s %s %s%s%s", w->name, edits_text(e, st->first + 1, i), n->name,
                                is(u, i + 1, "*") ? " " : "", edits_text(e, i + 1, st->end)));
        }
    }
}

static bool is_set_within(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i + 1 < end; i++) {
        if (!is(&e->u, i, v->name)) continue;
        const char *op = edits_operator_text(&e->u, i + 1);
        if (edits_assigns(&e->u, i + 1) || !strcmp(op, "++") || !strcmp(op, "--")) return true;
    }
    return false;
}

// p += n; in a loop: another one, which is read in it, stays where it is all the while. It goes on in the loop around.
static void walks_around(edits *e, int s, const variable *v) {
    const statement *st = &e->statements[s];
    int inner = st->parent;
    while (inner >= 0 && e->statements[inner].kind != S_LOOP) inner = e->statements[inner].parent;
    const int block = inner >= 0 ? e->statements[inner].parent : -1,
              loop = block >= 0 ? e->statements[block].parent : -1;
    if (loop < 0 || e->statements[loop].kind != S_LOOP || e->statements[block].kind != S_BLOCK) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        bool read = false;
        for (int k = e->statements[inner].first; k < e->statements[inner].end; k++) read |= is(&e->u, k, w->name);
        if (read && w != v && !w->is_const && !w->is_global && edits_alike(v->type, w->type) &&
            v->type.constant == w->type.constant && edits_sees(e, w, e->statements[block].end - 1) &&
            !is_set_within(e, w, e->statements[loop].first, e->statements[loop].end))
            edits_insert(e, block, true, AROUND, "statement", with(e, st, v->name, w->name));
    }
}

// p += n; and another of its kind stays where it is.
static void walk_together(edits *e, int place) {
    const expression *x = e->places[place].tree;
    const int s = e->places[place].statement;
    const statement *st = &e->statements[s];
    if (!x || x->kind != E_ASSIGN || x->a->kind != E_NAME || !st->listed || st->parent < 0) return;
    const token *t = &e->u.tokens[x->a->first];
    const variable *v = edits_visible(e, t->at, t->length, x->a->first);
    const statement *block = &e->statements[st->parent];
    const bool walks = v && (v->type.pointers || edits_operator(&e->u, x->op) > 1);
    for (int i = 0; i < e->n_variables && walks; i++) {
        const variable *w = &e->variables[i];
        if (w == v || w->is_const || w->is_global || w->is_loop || !edits_alike(v->type, w->type) ||
            !edits_sees(e, w, st->first) || is_set_within(e, w, block->first, block->end))
            continue;
        edits_insert(e, s, false, SIBLING + (v->type.constant != w->type.constant), "statement",
                     with(e, st, v->name, w->name));
        if (v->type.pointers && v->is_parameter && w->is_parameter) other_factors(e, s, w);
    }
    if (v && v->type.pointers) walks_around(e, s, v);
}

// v = exp(old - fresh): returns false if it is not.
static bool is_rescale(const edits *e, const variable *v, ingredient *old, ingredient *fresh) {
    const unit *u = &e->u;
    static const char *const names[] = {"expf", "exp", "__expf", "exp2f", NULL};
    const int open = v->value + 1, close = v->value_end - 1;
    if (v->value < 0 || !is_any(u, v->value, names) || !is(u, open, "(") || u->tokens[open].match != close)
        return false;
    for (int i = open + 1; i < close; i = skip_group(u, i))
        if (is(u, i, "-") && i > open + 1) {
            *old = (ingredient){.first = open + 1, .end = i}, *fresh = (ingredient){.first = i + 1, .end = close};
            return true;
        }
    return false;
}

static bool stands(const edits *e, const char *text, int first, int end) {
    for (int i = first; i < end; i++) {
        const char *at = text;
        for (int k = i; *at && k < end; k++) {
            while (*at == ' ') at++;
            const token *t = &e->u.tokens[k];
            if (strncmp(at, t->at, (size_t)t->length)) break;
            at += t->length;
        }
        if (!*at) return true;
    }
    return false;
}

// Behind the statement s, in its list, and at the list's end.
static void insert_behind(edits *e, int s, int rank, const char *text) {
    const statement st = e->statements[s];
    for (int k = s + 1; k < e->n_statements; k++)
        if (e->statements[k].parent == st.parent && e->statements[k].listed && e->statements[k].first >= st.end)
            edits_insert(e, k, false, rank, "statement", text);
    if (st.parent >= 0 && e->statements[st.parent].kind == S_BLOCK)
        edits_insert(e, st.parent, true, rank, "statement", text);
}

// The headers of the loops around statement s within `block` whose counters the text names.
static const char *headers(edits *e, int s, int block, int first, int end, int *outermost) {
    const char *text = "";
    *outermost = s;
    for (int p = e->statements[s].parent; p >= 0 && p != block; p = e->statements[p].parent) {
        const statement *loop = &e->statements[p];
        if (loop->listed) *outermost = p;
        if (loop->kind != S_LOOP) continue;
        bool used = false;
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if (!v->is_loop || v->declared < loop->first || v->declared >= e->statements[loop->body].first) continue;
            for (int k = first; k < end; k++) used |= is(&e->u, k, v->name);
        }
        const int close = e->u.tokens[loop->first + 1].match;
        if (used) text = format(&e->u, "%s %s", edits_text(e, loop->first, close + 1), text);
    }
    return text;
}

// Of two sums that are to be rescaled: both, before the first one of them, if nobody reads the factor.
static void rescale_both(edits *e, const variable *v, const int before[], const char *const text[], int n) {
    for (int i = 0; i < n && edits_is_unread(e, v); i++)
        for (int k = i + 1; k < n; k++) {
            const int first = e->statements[before[i]].first < e->statements[before[k]].first ? before[i] : before[k];
            edits_insert(e, first, false, BOTH, "statement", format(&e->u, "%s %s", text[i], text[k]));
        }
}

static void rescale_sums(edits *e, const variable *v, int s) {
    const int block = e->statements[s].parent, last = e->n_places;
    int before[SUMS], n = 0;
    const char *text[SUMS];
    for (int p = 0; p < last; p++) {
        const expression *x = e->places[p].tree;
        const int at = e->places[p].statement;
        const statement *st = &e->statements[at];
        if (!x || x->kind != E_ASSIGN || st->function != e->statements[s].function ||
            st->first < e->statements[s].end || st->end > e->statements[block].end || !adjacent(&e->u, x->op, "+="))
            continue;
        const value_type type = edits_type_of(e, x->a);
        const char *left = edits_text(e, x->a->first, x->a->end);
        if (type.base != BASE_FLOAT || type.pointers || stands(e, format(&e->u, "%s *=", left), 0, e->u.token_count))
            continue;
        int outermost;
        const char *loops = headers(e, at, block, x->a->first, x->a->end, &outermost);
        const ingredient its = {.first = x->a->first, .end = x->a->end};
        if (n == SUMS || !(*loops || edits_usable(e, &its, e->statements[outermost].first))) continue;
        before[n] = outermost, text[n] = format(&e->u, "%s%s *= %s;", loops, left, v->name);
        edits_insert(e, outermost, false, RESCALED, "statement", text[n]), n++;
    }
    rescale_both(e, v, before, text, n);
}

static void keep_maximum(edits *e, int s, const ingredient *old, const ingredient *fresh) {
    const statement *block = &e->statements[e->statements[s].parent];
    const char *left = edits_text(e, old->first, old->end);
    const char *text = format(&e->u, "%s = %s;", left, edits_text(e, fresh->first, fresh->end));
    const token *t = &e->u.tokens[old->first];
    const variable *root = edits_visible(e, t->at, t->length, old->first);
    if (!root || root->is_const || root->type.constant ||
        stands(e, format(&e->u, "%s =", left), block->first, block->end) || fresh->end - fresh->first > 4)
        return;
    insert_behind(e, s, KEPT, text);
}

// k.advance(n); and another object of its kind stays where it is.
static void call_together(edits *e, int place) {
    const expression *x = e->places[place].tree;
    const int s = e->places[place].statement;
    const statement *st = &e->statements[s];
    if (!x || x->kind != E_CALL || x->a->kind != E_MEMBER || x->a->a->kind != E_NAME || !st->listed || st->parent < 0)
        return;
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    const statement *block = &e->statements[st->parent];
    if (!v || v->type.base != BASE_STRUCT) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w == v || w->is_global || !edits_alike(v->type, w->type) || !edits_sees(e, w, st->first) ||
            stands(e, format(&e->u, "%s %s", w->name, edits_text(e, x->first + 1, x->a->end)), block->first,
                   block->end))
            continue;
        edits_insert(e, s, false, SIBLING, "statement", with(e, st, v->name, w->name));
        const int next = edits_next(e, s);
        if (next < 0) edits_insert(e, st->parent, true, SIBLING, "statement", with(e, st, v->name, w->name));
    }
}

void edits_change_siblings(edits *e) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].kind == P_STATEMENT && edits_wanted(e, e->places[p].statement))
            walk_together(e, p), call_together(e, p);
    for (int i = 0; i < e->n_variables; i++) {
        const variable v = e->variables[i];
        ingredient old, fresh;
        const int s = v.declared >= 0 && !v.is_global && !v.is_parameter && is_rescale(e, &v, &old, &fresh)
                          ? edits_declaration_of(e, &v)
                          : -1;
        if (s < 0 || !e->statements[s].listed || e->statements[s].parent < 0 || !edits_wanted(e, s)) continue;
        rescale_sums(e, &v, s);
        keep_maximum(e, s, &old, &fresh);
    }
}
