// usual.c: slips that many make and that are more than a word: a length not rounded up, the last tile not cut
// off, the offset between queries and keys forgotten, whole numbers divided.
#include "edits.h"

#include <string.h>

enum { PART = 4, EXTRA = 6, CAUSAL = 12, LESS = 20, OTHERS = 48 };  // ranks

static const char *in_parentheses(edits *e, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    return x->kind == E_BINARY || x->kind == E_TERNARY ? format(&e->u, "(%s)", text) : text;
}

// n % size stands beside n / size: the parts of one number, of which this one may have parts, too.
static bool is_part(const edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const int a = x->a->end - x->a->first, b = x->b->end - x->b->first, name = e->places[place].first - 2;
    for (int i = f->body; i + 1 < f->end; i++)  // it is taken apart later
        if (name > 0 && edits_same(&e->u, i, name, 1) && (is(&e->u, i + 1, "/") || is(&e->u, i + 1, "%"))) return false;
    for (int i = f->body; i + a + b + 1 <= f->end; i++)
        if (edits_same(&e->u, i, x->a->first, a) && is(&e->u, i + a, "%") &&
            edits_same(&e->u, i + a + 1, x->b->first, b))
            return true;
    return false;
}

// n / size + 1, which is one too many where size divides n.
static void counted_one_too_many(edits *e, int place, const expression *x, const char *a, const char *b) {
    const expression *more = x->parent;
    if (!more || !is_operator(e, more, "+") || more->a != x || !is(&e->u, more->b->first, "1") ||
        more->b->end != more->b->first + 1 || edits_rounded_up(e, x))
        return;
    edits_replace(e, place, EXTRA, "rounded up", more->first, more->end, "(%s + %s - 1) / %s", a, b, b);
}

// n / size: rounded up. a / b of whole numbers, where a fraction is meant.
static void divisions(edits *e, int place, const expression *x) {
    const char *a = edits_text(e, x->a->first, x->a->end), *b = edits_text(e, x->b->first, x->b->end);
    if (!edits_is_whole(edits_type_of(e, x))) return;
    if (!edits_rounded_up(e, x))
        edits_replace(e, place, edits_shares_other(e, place, x) ? OTHERS : 9, "rounded up", x->first, x->end,
                      "(%s + %s - 1) / %s", a, b, b);
    const expression *less = edits_bare(x->a);
    if (!is_operator(e, less, "-")) counted_one_too_many(e, place, x, a, b);
    if (is_operator(e, less, "-") && is(&e->u, less->b->first, "1") && less->b->end == less->b->first + 1 &&
        !edits_rounded_up(e, x))
        edits_replace(e, place, PART, "rounded up", x->first, x->end, "(%s + %s - 1) / %s", edits_text_of(e, less->a),
                      b, b);
    const int rank = is_part(e, place, x) ? PART : 34;
    for (int i = 0; i < e->n_ingredients && edits_is_value(e, place, x); i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && edits_is_whole(g->type) && !strchr(g->text, '[') && edits_usable(e, g, x->first))
            edits_replace(e, place, 36, "remainder", x->first, x->end, "%s / %s %% %s", a, b, g->text);
    }
    for (int i = 0; i < e->n_variables && edits_is_value(e, place, x); i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && v->is_parameter && edits_sees(e, v, x->first))
            edits_replace(e, place, rank, "remainder", x->first, x->end, "%s / %s %% %s", a, b, v->name);
    }
    const bool number = x->a->kind == E_NUMBER,
               index = e->places[place].cast && !strstr(e->places[place].cast, "float");
    if (index || edits_in_subscript(x)) return;
    edits_replace(e, place, 24, "fraction", x->first, x->end, "(float)%s / %s", in_parentheses(e, x->a), b);
    if (number) edits_replace(e, place, 24, "fraction", x->first, x->end, "%s.0f / sqrtf((float)%s)", a, b);
}

// The offset between the last of the queries and of the keys, whatever they are called: seq_kv - seq_q.
static bool like(const char *a, const char *b) {
    return strcmp(a, b) && a[0] == b[0] && strlen(a) + 2 > strlen(b) && strlen(b) + 2 > strlen(a);
}

// Pairs of variables that are alike, found once.
static void note_alike(edits *e) {
    for (int i = 0; i < e->n_variables; i++)
        for (int k = 0; k < e->n_variables && edits_is_whole(e->variables[i].type) && !e->variables[i].is_loop; k++) {
            const variable *w = &e->variables[k];
            if (edits_is_whole(w->type) && !w->is_loop && like(e->variables[i].name, w->name))
                *EDITS_ADD(e, alike, n_alike) = (pair){i, k};
        }
}

// if (causal) last = least(last, first + rows): where the keys end that a query sees.
static bool is_causal(const edits *e, int place) {
    int s = e->places[place].statement;
    for (int up = 0; s >= 0 && up < 2; up++, s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        const int behind = st->kind == S_IF ? e->u.tokens[st->first + 1].match : st->kind == S_BLOCK ? 0 : st->end;
        for (int i = st->first; i < behind && i < e->places[place].first; i++)
            for (int k = 0; k + 6 <= e->u.tokens[i].length; k++)
                if (!strncmp(e->u.tokens[i].at + k, "causal", 6)) return true;
    }
    return false;
}

// shift = nk, which is that of the queries as well.
static void less(edits *e, int place, const expression *x, const char *name, const char *other, const char *of) {
    if (!e->cuda && edits_is_value(e, place, x) && !strcmp(edits_text(e, x->first, x->end), name))
        edits_replace(e, place, LESS, "term", x->first, x->end, "%s - %s%s", name, of, other);
}

static void differences(edits *e, int place, const expression *x, int rank) {
    if (x->kind == E_NUMBER || is_operator(e, x, "*")) return;
    if (!e->cuda && is_operator(e, x, "+") && is_causal(e, place)) rank = CAUSAL;
    const char *text = edits_text(e, x->first, x->end);
    if (!e->n_alike) note_alike(e);
    for (int i = 0; i < e->n_alike; i++) {
        const variable *v = &e->variables[e->alike[i].a], *w = &e->variables[e->alike[i].b];
        if (strpbrk(v->name, "qQ") && strpbrk(w->name, "kK")) continue;  // there are at least as many keys
        if (!v->owner && !w->owner && !v->is_global && !w->is_global && edits_sees(e, v, x->first) &&
            edits_sees(e, w, x->first))
            edits_replace(e, place, rank, "term", x->first, x->end, "%s + (%s - %s)", text, v->name, w->name),
                less(e, place, x, v->name, w->name, "");
        if (!v->owner || !w->owner || strcmp(v->owner, w->owner)) continue;
        for (int s = 0; s < e->n_variables; s++) {  // of a struct that is visible
            const variable *o = &e->variables[s];
            if (o->type.base != BASE_STRUCT || o->type.pointers > 1 || strcmp(o->type.word, v->owner) ||
                !edits_sees(e, o, x->first))
                continue;
            const char *dot = o->type.pointers ? "->" : ".";
            edits_replace(e, place, rank, "term", x->first, x->end, "%s + (%s%s%s - %s%s%s)", text, o->name, dot,
                          v->name, o->name, dot, w->name);
            const char *of = format(&e->u, "%s%s", o->name, dot);
            less(e, place, x, format(&e->u, "%s%s", of, v->name), w->name, of);
        }
    }
}

// x becomes a * b + x: the place of x behind a rows of b.
static void rows_before(edits *e, int place, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < e->n_variables; i++)
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[i], *w = &e->variables[k];
            const bool fits = edits_is_whole(v->type) && edits_is_whole(w->type) && v != w && !v->is_global &&
                              (w->is_const || w->is_parameter) && !w->is_loop;
            if (fits && edits_sees(e, v, x->first) && edits_sees(e, w, x->first))
                edits_replace(e, place, 48, "term", x->first, x->end, "(size_t)%s * %s + %s", v->name, w->name, text);
        }
}

// Does a loop let x run below v? Then a row of what x counts has v elements.
static bool counts_to(edits *e, const expression *x, const variable *v) {
    const char *name = edits_text(e, x->first, x->end);
    int i = x->first;
    while (i > 0 && !(is(&e->u, i, name) && is(&e->u, i + 1, "<") && is(&e->u, i + 2, v->name))) i--;
    return i > 0;
}

// x * A + y becomes y * C + x, for any C; so it does behind a sum.
static const expression *uncast(const expression *x) {
    while (x && (x->kind == E_CAST || x->kind == E_PAREN)) x = x->a;
    return x;
}

static void other_order(edits *e, int place, const expression *x) {
    const expression *left = is_operator(e, x->a, "+") ? x->a->b : x->a;
    const expression *product = is_operator(e, left, "*") ? left : x->b, *rest = product == left ? x->b : x->a;
    if (!is_operator(e, product, "*") || rest->kind != E_NAME) return;
    const expression *const factors[] = {uncast(product->a), product->b}, *from = product == left ? left : x;
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if (!edits_is_whole(v->type) || v->is_loop || !edits_sees(e, v, x->first)) continue;
            edits_replace(e, place, counts_to(e, factors[f], v) ? 24 : 43, "order", from->first, x->end,
                          product->a->kind == E_CAST ? "(size_t)%s * %s + %s" : "%s * %s + %s",
                          edits_text(e, rest->first, rest->end), v->name, in_parentheses(e, factors[f]));
        }
}

// The first element in place of a constant: m = s[0].
static void first_elements(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_FLOAT || v->type.pointers != 1 || !edits_sees(e, v, x->first)) continue;
        edits_replace(e, place, 36, "constant", x->first, x->end, "%s[0]", v->name);
        edits_replace(e, place, 37, "constant", x->first, x->end, "*%s", v->name);
    }
}

// s[0] becomes s[a / b] or s[a % b].
static void which_row(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || v->is_global || !edits_sees(e, v, x->first)) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            if (g->kind != I_ATOM || !edits_is_whole(g->type) || strchr(g->text, '[') || !edits_usable(e, g, x->first))
                continue;
            edits_replace(e, place, 47, "subscript", x->first, x->end, "%s / %s", v->name, g->text);
            edits_replace(e, place, 48, "subscript", x->first, x->end, "%s %% %s", v->name, g->text);
        }
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            if (w == v || !edits_is_whole(w->type) || w->is_loop || !edits_sees(e, w, x->first) || w->is_global)
                continue;
            edits_replace(e, place, 47, "subscript", x->first, x->end, "%s / %s", v->name, w->name);
        }
    }
}

// a + b <= c, where the last round is to run, too: a < c. n > 0 becomes n == count.
static void comparisons(edits *e, int place, const expression *x) {
    const char *op = edits_operator_text(&e->u, x->op);
    const bool bound = !strcmp(op, "<=") || !strcmp(op, "<");
    if (bound && is_operator(e, x->a, "+"))
        edits_replace(e, place, 26, "bound", x->first, x->end, "%s < %s", edits_text(e, x->a->a->first, x->a->a->end),
                      edits_text(e, x->b->first, x->b->end));
    const struct place *in = &e->places[place];
    const bool loop = in->kind == P_CONDITION && e->statements[in->statement].kind == S_LOOP;
    if (strchr("<>", *op) && op[1] != *op && edits_is_whole(edits_type_of(e, x->a)) && x->b->kind == E_NAME && !loop)
        edits_replace(e, place, 30, "bound", x->first, x->end, "%s == 0", edits_text(e, x->a->first, x->a->end));
    if (!strchr("<>=!", *op) || x->b->kind != E_NUMBER) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && !v->is_global && edits_sees(e, v, x->first))
            edits_replace(e, place, 44, "bound", x->first, x->end, "%s == %s", edits_text(e, x->a->first, x->a->end),
                          v->name);
    }
}

// A pointer, and nothing added to it.
static void offsets(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if ((g->kind == I_TERM || g->kind == I_INDEX) && edits_is_whole(g->type) && edits_usable(e, g, x->first))
            edits_replace(e, place, 38, "term", x->first, x->end, "%s + %s", edits_text(e, x->first, x->end), g->text);
    }
    for (int i = 0; i < e->n_variables; i++)
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[i], *w = &e->variables[k];
            const bool fits =
                edits_is_whole(v->type) && edits_is_whole(w->type) && v != w && !v->is_global && !w->is_loop;
            if (fits && edits_sees(e, v, x->first) && edits_sees(e, w, x->first))
                edits_replace(e, place, 49, "term", x->first, x->end, "%s + (size_t)%s * %s",
                              edits_text(e, x->first, x->end), v->name, w->name);
        }
}

// The same function called elsewhere, with what it gets there.
static void other_calls(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_CALL && is(&e->u, g->first, edits_text(e, x->first, x->first + 1)) &&
            edits_usable(e, g, x->first))
            edits_replace(e, place, 42, "call", x->first, x->end, "%s", g->text);
    }
}

static void numbers(edits *e, int place, const expression *x) {
    const bool negative = x->kind == E_UNARY && is(&e->u, x->op, "-");
    const bool real = edits_is_real(edits_type_of(e, x)),
               subscript = x->parent && x->parent->kind == E_INDEX && x->parent->b == x;
    const expression *other =
        x->parent && x->parent->kind == E_TERNARY ? (x->parent->b == x ? x->parent->c : x->parent->b) : NULL;
    if (real && (negative || x->kind == E_NUMBER) && edits_is_value(e, place, x)) first_elements(e, place, x);
    if (x->kind != E_NUMBER || real) return;
    if (subscript) which_row(e, place, x);
    if (other && edits_is_real(edits_type_of(e, other)))
        edits_replace(e, place, 22, "constant", x->first, x->end, "-INFINITY");
    const bool thread = x->parent && !strncmp(e->u.tokens[x->parent->first].at, "threadIdx", 9);
    if (is_operator(e, x->parent, "/") && !thread)
        edits_replace(e, place, 14, "fraction", x->first, x->end, "%s.0f", edits_text(e, x->first, x->end));
}

void edits_change_usual(edits *e, int place, expression *x) {
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const value_type type = called ? (value_type){.base = BASE_UNKNOWN} : edits_type_of(e, x);
    const bool argument = x->parent && x->parent->kind == E_CALL && x->parent->a != x;
    const bool bound = x->parent && x->parent->kind == E_BINARY &&
                       strchr("<>", *edits_operator_text(&e->u, x->parent->op)) && x->parent->b == x;
    if (is_operator(e, x, "/")) divisions(e, place, x);
    const bool chosen = x->parent && x->parent->kind == E_TERNARY && x->parent->a != x;
    if (edits_is_whole(type) && (edits_is_value(e, place, x) || argument || bound || chosen))
        differences(e, place, x, bound || chosen || edits_is_value(e, place, x) ? 30 : 40);
    if (edits_is_whole(type) && is_operator(e, x->parent, "+-") && x->parent->a == x && !is_operator(e, x, "+-"))
        differences(e, place, x, 44);
    if (edits_is_whole(type) && edits_is_value(e, place, x) && x->kind == E_NAME) rows_before(e, place, x);
    if (edits_is_whole(type) && is_operator(e, x, "+")) other_order(e, place, x);
    if (x->kind == E_NUMBER || x->kind == E_UNARY) numbers(e, place, x);
    if (x->kind == E_BINARY) comparisons(e, place, x);
    if (type.pointers == 1 && x->kind == E_NAME && (edits_is_value(e, place, x) || argument)) offsets(e, place, x);
    if (x->kind == E_CALL && x->a->kind == E_NAME) other_calls(e, place, x);
}
