// find.c: where something stands in the file, and what stands beside it.
#include "edits.h"

#include <ctype.h>
#include <string.h>

int edits_next(const edits *e, int s) {
    for (int k = s + 1; k < e->n_statements; k++)
        if (e->statements[k].first == e->statements[s].end && e->statements[k].listed) return k;
    return -1;
}

int edits_declaration_of(const edits *e, const variable *v) {
    for (int s = 0; s < e->n_statements; s++)
        if (e->statements[s].kind == S_DECLARATION && e->statements[s].first <= v->declared &&
            v->declared < e->statements[s].end)
            return s;
    return -1;
}

int edits_place_of(const edits *e, int first, int end) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].first <= first && end <= e->places[p].end) return p;
    return -1;
}

bool edits_has_word(const edits *e, const char *name) {
    for (int i = 0; i < e->u.token_count; i++)
        if (is(&e->u, i, name)) return true;
    return false;
}

bool edits_is_called(const edits *e, const function *f) {
    for (int i = 0; i < e->u.token_count; i++)
        if (is(&e->u, i, f->name) && i != f->open - 1) return true;
    return false;
}

bool edits_in_subscript(const expression *x) {
    for (; x->parent; x = x->parent)
        if (x->parent->kind == E_INDEX && x->parent->b == x) return true;
    return false;
}

bool edits_is_value(const edits *e, int place, const expression *x) {
    const bool root = !x->parent && e->places[place].kind == P_VALUE;
    const bool returned = !x->parent && e->statements[e->places[place].statement].kind == S_RETURN;
    return root || returned || (x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x);
}

const expression *edits_bare(const expression *x) {
    while (x && x->kind == E_PAREN) x = x->a;
    return x;
}

void edits_subscripts(const expression *x, subscripts *f) {
    if (!x) return;
    if (x->kind == E_INDEX && x->a->kind == E_NAME && x->b->kind == E_NAME && f->n < EDITS_MOST_SUBSCRIPTS)
        f->list[f->n++] = x;
    edits_subscripts(x->a, f), edits_subscripts(x->b, f);
    for (const expression *c = x->c; c; c = c->next) edits_subscripts(c, f);
    for (const expression *c = x->arguments; c; c = c->next) edits_subscripts(c, f);
}

bool edits_sets(const edits *e, const function *f, int first, int end) {
    const int n = end - first;
    for (int i = f->body; i + n < f->end; i++)
        if (edits_same(&e->u, first, i, n) && edits_assigns(&e->u, i + n)) return true;
    return false;
}

bool edits_is_of_block(const edits *e, const variable *v) {
    for (int i = v->value; i < v->value_end; i++)
        if (is(&e->u, i, "blockIdx") || is(&e->u, i, "threadIdx") || is(&e->u, i, "%")) return true;
    return false;
}

const char *edits_text_as(edits *e, const statement *st, const char *v, const char *w) {
    const char *text = "";
    for (int i = st->first; i < st->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool it = is(&e->u, i, v) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->");
        const bool gap = i + 1 < st->end && e->u.tokens[i + 1].at > t->at + t->length;
        text = format(&e->u, "%s%.*s%s", text, it ? (int)strlen(w) : t->length, it ? w : t->at, gap ? " " : "");
    }
    return text;
}

bool edits_named(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, v->name) && edits_sees(e, v, i) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->"))
            return true;
    return false;
}

const variable *edits_unread_counter(const edits *e, const statement *loop) {
    const int close = is(&e->u, loop->first, "for") ? e->u.tokens[loop->first + 1].match : 0;
    for (int i = 0; i < e->n_variables && close; i++) {
        const variable *v = &e->variables[i];
        if (v->is_loop && v->declared > loop->first && v->declared < close && edits_is_whole(v->type))
            return edits_named(e, v, close, loop->end) ? NULL : v;
    }
    return NULL;
}

const expression *edits_rounded_up(const edits *e, const expression *x) {
    const expression *less = is_operator(e, x, "/") ? edits_bare(x->a) : NULL;
    const expression *sum = is_operator(e, less, "-") ? edits_bare(less->a) : NULL;
    const int n = x->b ? x->b->end - x->b->first : 0;
    if (!is_operator(e, sum, "+") || !is(&e->u, less->b->first, "1") || sum->b->end - sum->b->first != n) return NULL;
    return edits_same(&e->u, sum->b->first, x->b->first, n) ? sum->a : NULL;
}

// fmaxf, block_max, largest
bool edits_says_maximum(const token *t) {
    static const char *const words[] = {"max", "larg", "great", "high"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const int n = (int)strlen(words[w]);
        for (int i = 0; t->kind == TOKEN_NAME && i + n <= t->length; i++) {
            int k = 0;
            while (k < n && tolower((unsigned char)t->at[i + k]) == words[w][k]) k++;
            if (k == n) return true;
        }
    }
    return false;
}
