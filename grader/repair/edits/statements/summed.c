// summed.c: a sum that stays what it began with, beside one that is brought up to date, with the same factors.
//
//     o = o * fade + w * v[d];         l = l * fade + w; is missing, or l += w
//     a.mix = x * a.mix + y * b.mix;   a.sum = x * a.sum + y * b.sum; is missing
#include "edits.h"

#include <string.h>

enum { FADES = 2, ADDS = 4, FIELD = 3 };  // ranks

static bool same(const edits *e, const expression *x, const expression *y) {
    const int n = x->end - x->first;
    return y->end - y->first == n && edits_same(&e->u, x->first, y->first, n);
}

// o * fade or fade * o: fade; NULL: it is neither.
static const expression *factor_of(const edits *e, const expression *product, const expression *sum) {
    product = edits_bare(product);
    if (!is_operator(e, product, "*")) return NULL;
    return same(e, product->a, sum) ? product->b : same(e, product->b, sum) ? product->a : NULL;
}

// l = l * fade + w, or l = fade * l + w, as the other sum has it.
static const char *as_written(edits *e, const expression *fade) {
    const bool last = fade->parent->b == fade;
    return format(&e->u, last ? "%%s = %%s * %s + %%s;" : "%%s = %s * %%s + %%s;", edits_text_of(e, fade));
}

static bool is_set(const edits *e, const variable *v, const function *f) {
    for (int i = v->declared + 1; i < f->end; i++)
        if (is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->") &&
            (edits_assigns(&e->u, i + 1) || is(&e->u, i - 1, "&") || is(&e->u, i + 1, "[")))
            return true;
    return false;
}

// What stands before the statement s; where that has no list of its own, before what it belongs to.
static void put_before(edits *e, int s, int rank, const char *text) {
    while (s >= 0 && !e->statements[s].listed) s = e->statements[s].parent;
    if (s >= 0) edits_insert(e, s, false, rank, "statement", text);
}

// l, which begins with a number, and which nobody changes: fade NULL where the sum is only added to.
static void variables(edits *e, int s, const expression *fade, const expression *weight) {
    const function *f = &e->functions[e->statements[s].function];
    const expression *names[] = {weight->a, weight->b};
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool begins = v->value > 0 && e->u.tokens[v->value].kind == TOKEN_NUMBER && v->value_end == v->value + 1;
        if (!begins || v->is_const || v->is_global || v->declared < f->open || !edits_is_real(v->type) ||
            !edits_sees(e, v, e->statements[s].first) || is_set(e, v, f))
            continue;
        for (int k = 0; k < 2; k++) {
            const expression *w = edits_bare(names[k]);
            if ((w->kind != E_NAME && w->kind != E_MEMBER) || !edits_is_real(edits_type_of(e, w))) continue;
            const char *text = edits_text_of(e, w);
            if (fade) put_before(e, s, FADES, format(&e->u, as_written(e, fade), v->name, v->name, text));
            put_before(e, s, ADDS, format(&e->u, "%s += %s;", v->name, text));
        }
    }
}

// Another field of the struct, which the function does not set: the statement with its name.
static void fields(edits *e, int s, const expression *sum) {
    const statement *st = &e->statements[s];
    const function *f = &e->functions[st->function];
    const int last = sum->kind == E_INDEX ? sum->a->end : sum->end;  // of a.mix[d] mix: a sum has one for all d
    const char *own = edits_text(e, last - 1, last), *owner = NULL;
    for (int i = 0; i < e->n_variables && !owner; i++)
        if (e->variables[i].owner && !strcmp(e->variables[i].name, own)) owner = e->variables[i].owner;
    for (int i = 0; i < e->n_variables && owner; i++) {
        const variable *v = &e->variables[i];
        bool set = false;
        if (!v->owner || strcmp(v->owner, owner) || !strcmp(v->name, own) || v->type.base == BASE_INT) continue;
        for (int k = f->body; k < f->end; k++)
            set |= is(&e->u, k, v->name) && (is(&e->u, k - 1, ".") || is(&e->u, k - 1, "->")) &&
                   edits_assigns(&e->u, k + 1);
        const char *text = "";
        for (int k = st->first; k < st->end && !set; k++) {
            const bool field = is(&e->u, k, own) && (is(&e->u, k - 1, ".") || is(&e->u, k - 1, "->"));
            text = format(&e->u, "%s%s", text, field ? v->name : edits_text(e, k, k + 1));
            if (field && is(&e->u, k + 1, "[") && !v->type.pointers) k = e->u.tokens[k + 1].match;
            const token *t = &e->u.tokens[k];
            if (k + 1 < st->end && t[1].at > t->at + t->length) text = format(&e->u, "%s ", text);
        }
        if (!set) put_before(e, s, FIELD, text);
    }
}

void edits_change_summed(edits *e, int place, const expression *x) {
    if (x->parent || x->kind != E_ASSIGN || e->places[place].kind != P_STATEMENT) return;
    const int s = e->places[place].statement;
    const bool plain = x->op_end == x->op + 1, adds = adjacent(&e->u, x->op, "+=");
    const expression *sum = x->a, *value = edits_bare(x->b), *fade = NULL, *weight = NULL;
    if (plain && is_operator(e, value, "+")) {
        const bool first = (fade = factor_of(e, value->a, sum)) != NULL;
        if (!first) fade = factor_of(e, value->b, sum);
        weight = edits_bare(first ? value->b : value->a);
    } else if (adds)
        weight = value;
    if ((plain && !fade) || !weight) return;
    if (is_operator(e, weight, "*")) variables(e, s, fade, weight);
    const expression *of = sum->kind == E_INDEX ? sum->a : sum;
    if (of->kind == E_MEMBER && fade) fields(e, s, sum);
}
