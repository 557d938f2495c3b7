// lasts.c: the first of several where the last of them is meant, or where they end; C alone.
//
//     for (r = 0; r < rows; r++) ... i0 + r ...          i0 + rows - 1 and i0 + rows, where i0 alone is a limit
//     rows = min(BR, n - i0)                             the same
//     for (i = i0; i < i1; i++)                          i1 - 1
//     end = causal ? rows + shift : n                    i0 + rows: their number is a limit in the first tile alone
#include "edits.h"

#include <string.h>

enum { SEEN = 3, PLACED = 4, LAST = 8, END = 12, LONGEST = 3, MOST = 4 };  // ranks; tokens; counts of one first

// t.nq at this token: its end; 0: it is no name or field
static int name_at(const unit *u, int i) {
    if (!is_name(u, i)) return 0;
    int end = i + 1;
    while ((is(u, end, ".") || is(u, end, "->")) && is_name(u, end + 1)) end += 2;
    return end - i <= LONGEST ? end : 0;
}

// The loop around s that counts by r while `r < n`, with n in tokens [*n, *end); -1: there is none.
static int loop_over(const edits *e, int s, int r, int *n, int *end) {
    const unit *u = &e->u;
    for (; s >= 0; s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        if (st->kind != S_LOOP || !is(u, st->first + 1, "(")) continue;
        for (int i = st->first + 2; i < u->tokens[st->first + 1].match; i++) {
            if (!edits_same(u, i, r, 1) || !is(u, i + 1, "<")) continue;
            *n = i + 2, *end = name_at(u, i + 2);
            if (*end) return s;
        }
    }
    return -1;
}

static int statement_at(const edits *e, int token) {
    int found = -1;
    for (int s = 0; s < e->n_statements && e->statements[s].first <= token; s++)
        if (token < e->statements[s].end) found = s;
    return found;
}

static bool is_of_mask(edits *e, const place *p) {  // its last query sees the most
    return strstr(edits_text(e, p->first, p->end), "causal") != NULL;
}

// first + shift - 1: what is missing is how many they are.
static bool is_one_less(const edits *e, const expression *x) {
    for (; is_operator(e, x->parent, "+-"); x = x->parent)
        if (is_operator(e, x->parent, "-") && x->parent->a == x && is(&e->u, x->parent->b->first, "1")) return true;
    return false;
}

static void offer(edits *e, int place, const expression *x, const char *n, const char **known, int *count) {
    for (int i = 0; i < *count; i++)
        if (!strcmp(known[i], n)) return;
    if (*count == MOST) return;
    known[(*count)++] = n;
    const char *first = edits_text_of(e, x);
    const bool seen = is_of_mask(e, &e->places[place]);
    const bool less = seen && is_one_less(e, x);
    edits_replace(e, place, seen && !less ? SEEN : LAST, "last", x->first, x->end, "%s + %s - 1", first, n);
    edits_replace(e, place, less ? SEEN : END, "last", x->first, x->end, "%s + %s", first, n);
}

// i0 in `for (i = i0; i < i1; i++)`, which begins at token i: i1 - 1 and i1.
static void offer_end(edits *e, int place, const expression *x, int i) {
    const unit *u = &e->u;
    const int behind = i + x->end - x->first, end = is(u, behind + 2, "<") ? name_at(u, behind + 3) : 0;
    const ingredient names = {.first = behind + 3, .end = end};
    if (!end || !is(u, i - 1, "=") || !is(u, behind, ";") || !is_name(u, behind + 1) ||
        !edits_usable(e, &names, x->first))
        return;
    const char *n = edits_text(e, behind + 3, end);
    edits_replace(e, place, is_of_mask(e, &e->places[place]) ? SEEN : LAST, "last", x->first, x->end, "%s - 1", n);
    edits_replace(e, place, END, "last", x->first, x->end, "%s", n);
}

static bool is_number(const edits *e, int i, int end) {  // a whole number, or a field of one
    const token *t = &e->u.tokens[end - 1];
    if (end == i + 1) {
        const variable *v = edits_visible(e, t->at, t->length, i);
        return v && edits_is_whole(v->type);
    }
    for (int k = 0; k < e->n_variables; k++)
        if (e->variables[k].owner && is(&e->u, end - 1, e->variables[k].name) && edits_is_whole(e->variables[k].type))
            return true;
    return false;
}

// rows, where a loop over r < rows takes first + r: first + rows.
static void offer_placed(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (!is_of_mask(e, &e->places[place])) return;
    for (int i = f->body; i + 2 < f->end; i++) {
        int n = 0, end = 0;
        const int behind = is(u, i - 1, ".") || is(u, i - 1, "->") || is(u, i - 1, "*") ? 0 : name_at(u, i);
        if (!behind || !is(u, behind, "+") || !is_name(u, behind + 1) || is(u, behind + 2, "*")) continue;
        const ingredient first = {.first = i, .end = behind};
        if (loop_over(e, statement_at(e, i), behind + 1, &n, &end) < 0 || end - n != x->end - x->first ||
            !edits_same(u, n, x->first, end - n) || !is_number(e, i, behind) || !edits_usable(e, &first, x->first))
            continue;
        for (int k = e->places[place].first; k < e->places[place].end && behind; k++)
            if (edits_same(u, k, i, behind - i)) return;  // it is there
        edits_replace(e, place, PLACED, "last", x->first, x->end, "%s + %s", edits_text(e, i, behind),
                      edits_text_of(e, x));
        return;
    }
}

// A limit: compared, handed over, or what is set; by itself or in a sum.
static bool is_limit(const edits *e, int place, const expression *x) {
    const expression *p = x;
    while (is_operator(e, p->parent, "+-") && (p->parent->a == p || is_operator(e, p->parent, "+"))) p = p->parent;
    if (edits_in_subscript(x)) return false;
    const bool compared = p->parent && p->parent->kind == E_BINARY && !is_operator(e, p->parent, "+-*/%") &&
                          strchr("<>", *edits_operator_text(&e->u, p->parent->op)) &&
                          p->parent->op_end <= p->parent->op + 2;
    const bool chosen = p->parent && p->parent->kind == E_TERNARY && p->parent->a != p;
    const bool handed = p->parent && p->parent->kind == E_CALL && p->parent->a != p;
    return compared || chosen || (handed && p != x) || (edits_is_value(e, place, p) && p != x);
}

void edits_change_lasts(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const int length = x->end - x->first;
    const char *known[MOST];
    int count = 0;
    if ((x->kind != E_NAME && x->kind != E_MEMBER) || length > LONGEST || !edits_is_whole(edits_type_of(e, x)) ||
        !is_limit(e, place, x))
        return;
    offer_placed(e, place, x);
    for (int i = f->body; i + length + 1 < f->end; i++) {
        if (!edits_same(u, i, x->first, length) || i == x->first || is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        int n = 0, end = 0;
        offer_end(e, place, x, i);
        const bool sum = is(u, i + length, "+") && is_name(u, i + length + 1);
        const int loop = sum ? loop_over(e, statement_at(e, i), i + length + 1, &n, &end) : -1;
        const statement *round = loop >= 0 ? &e->statements[loop] : NULL;
        const ingredient names = {.first = n, .end = end};
        if (round && (x->first < round->first || round->end <= x->first) && edits_usable(e, &names, x->first))
            offer(e, place, x, edits_text(e, n, end), known, &count);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || v->value_end <= v->value || !edits_sees(e, v, x->first)) continue;
        for (int k = v->value + 1; k + length <= v->value_end; k++)
            if (is(u, k - 1, "-") && edits_same(u, k, x->first, length)) offer(e, place, x, v->name, known, &count);
    }
}
