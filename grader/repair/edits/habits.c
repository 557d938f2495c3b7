// habits.c: what a student multiplies by, adds, divides by and walks by elsewhere is what is missing here. In one
// large function any name fits anywhere; those that stand in the same role elsewhere are few.
//
//     limit = first + local          elsewhere: i + shift        limit = first + local + shift
//     k += BC                        elsewhere: BC * p.dim       k += BC * p.dim
//     tile + row * hd                elsewhere: r * (hd + 1)     tile + row * (hd + 1)
#include "edits.h"

#include <string.h>

enum {
    MOST = 96,
    PADDED = 6,
    STEP = 6,
    DIVISOR = 8,
    LIMIT = 18,
    TILE = 8,
    FACTOR = 19,
    SUMMAND = 26,
    RARE = 12
};  // ranks, but for MOST

typedef enum { AS_SUMMAND, LESS, AS_FACTOR, AS_DIVISOR, AS_STEP, AS_BOUND, AS_START, ROLES } role;
typedef struct {
    ingredient what;
    int n;  // how often
} habit;

static habit habits[ROLES][MOST];
static int n_habits[ROLES];
static bool collected;

static bool is_operator(const edits *e, const expression *x, const char *list) {
    const char *op = x && x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    return *op && strchr(list, *op) && !op[1];
}

static bool is_whole(edits *e, const expression *x) {
    const value_type t = edits_type_of(e, x);
    return t.base == BASE_INT && !t.pointers;
}

static void note(edits *e, role r, const expression *x, int function) {
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < n_habits[r]; i++)
        if (!strcmp(habits[r][i].what.text, text) && habits[r][i].what.function == function) {
            habits[r][i].n++;
            return;
        }
    if (n_habits[r] == MOST || x->end - x->first > 8) return;
    habits[r][n_habits[r]++] =
        (habit){{.first = x->first, .end = x->end, .function = function, .type = edits_type_of(e, x), .text = text}, 1};
}

static void collect(edits *e, expression *x, int function) {
    static const char *const least[] = {"min", "MIN", "min_int", NULL};
    if (!x) return;
    const expression *p = x->parent;
    const bool atom = x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_INDEX;
    if (is_operator(e, p, "+-") && atom && is_whole(e, x))
        note(e, is_operator(e, p, "-") && p->b == x ? LESS : AS_SUMMAND, x, function);
    if (is_operator(e, p, "*") && (atom || x->kind == E_PAREN || x->kind == E_NUMBER) && is_whole(e, x))
        note(e, AS_FACTOR, x, function);
    if (is_operator(e, p, "/%") && p->b == x && atom && is_whole(e, x)) note(e, AS_DIVISOR, x, function);
    if (p && p->kind == E_ASSIGN && p->b == x && adjacent(&e->u, p->op, "+=") && is_whole(e, x))
        note(e, AS_STEP, x, function);
    const bool bound = p && p->kind == E_BINARY && p->b == x && *edits_operator_text(&e->u, p->op) == '<';
    const bool limit = p && p->kind == E_CALL && p->a != x && is_any(&e->u, p->first, least);
    if ((bound || limit) && atom && is_whole(e, x)) note(e, AS_BOUND, x, function);
    const bool steps = p && p->kind == E_ASSIGN && p->a == x && adjacent(&e->u, p->op, "+=");
    if (steps && x->kind == E_NAME && is_whole(e, x) && p->b->kind != E_NUMBER) note(e, AS_START, x, function);
    if (x->kind == E_CALL && x->c && x->c->next) note(e, AS_STEP, x->c->next, function);  // <<<grid, block>>>
    collect(e, x->a, function), collect(e, x->b, function);
    for (expression *c = x->c; c; c = c->next) collect(e, c, function);
    for (expression *c = x->arguments; c; c = c->next) collect(e, c, function);
}

static void collect_all(edits *e) {
    collected = true;
    for (int p = 0; p < e->n_places; p++) collect(e, e->places[p].tree, e->statements[e->places[p].statement].function);
}

bool edits_contains(const edits *e, const expression *x, const ingredient *g) {
    const int n = g->end - g->first;
    for (int i = x->first; i + n <= x->end; i++) {
        bool same = true;
        for (int k = 0; k < n && same; k++) {
            const token *a = &e->u.tokens[i + k], *b = &e->u.tokens[g->first + k];
            same = a->length == b->length && !memcmp(a->at, b->at, (size_t)a->length);
        }
        if (same) return true;
    }
    return false;
}

// Does it hold together as a factor?
static const char *tight(edits *e, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    const bool loose = x->kind == E_TERNARY || (x->kind == E_BINARY && !is_operator(e, x, "*"));
    return loose ? format(&e->u, "(%s)", text) : text;
}

// min(size, n), where a larger size would be a larger tile: with one tile many a mistake does not show.
static bool is_limited(edits *e, const expression *x) {
    const expression *p = x->parent;
    while (p && p->kind == E_PAREN) p = p->parent;
    const ingredient its = {.first = x->first, .end = x->end};
    if (p && p->kind == E_TERNARY && edits_contains(e, p->a, &its)) return true;  // n > 0 ? n : 32
    const char *name = p && p->kind == E_CALL && p->a != x ? edits_text(e, p->first, p->first + 1) : "";
    return strstr(name, "min") || strstr(name, "MIN");
}

// i < i + n is no question.
static bool compared_with(const edits *e, const expression *x, const ingredient *g) {
    const expression *p = x->parent;
    if (!p || p->kind != E_BINARY || is_operator(e, p, "+-*/%")) return false;
    return edits_contains(e, p->a == x ? p->b : p->a, g);
}

// Of this function, and usable at x, which does not have it.
static bool fits(const edits *e, int place, const expression *x, const habit *h) {
    return h->what.function == e->statements[e->places[place].statement].function && !edits_contains(e, x, &h->what) &&
           !compared_with(e, x, &h->what) && edits_usable(e, &h->what, x->first);
}

// What is declared here and hardly used was meant to be.
static int rank_of(const edits *e, const habit *h, int rank) {
    const token *t = &e->u.tokens[h->what.first];
    const variable *v = h->what.end - h->what.first == 1 ? edits_visible(e, t->at, t->length, h->what.first) : NULL;
    const bool own = v && !v->is_loop && !v->is_parameter && !v->is_global;
    return h->n > 2 || !own ? rank : rank - RARE;
}

static bool is_set(const expression *x) {
    const expression *p = x->parent;
    return p &&
           ((p->kind == E_ASSIGN && p->a == x) || p->kind == E_POSTFIX || p->kind == E_UNARY || p->kind == E_MEMBER);
}

// x + g, where a sum may stand.
static void summands(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    const bool factor = is_operator(e, p, "*") && (x->kind == E_NAME || x->kind == E_MEMBER);
    if (is_operator(e, p, "+-") || is_operator(e, p, "/%") || (is_operator(e, p, "*") && !factor) ||
        x->kind == E_TERNARY || x->kind == E_PAREN || x->kind == E_NUMBER || is_operator(e, x, "*"))
        return;
    if (p && p->kind == E_ASSIGN && p->op_end - p->op > 1) return;
    const bool cast = p && p->kind == E_CAST;
    if (cast && !is_operator(e, p->parent, "*")) return;
    const char *text = edits_text(e, x->first, x->end), *form = factor || cast ? "(%s %s %s)" : "%s %s %s";
    for (int less = 0; less < 2; less++)
        for (int i = 0; i < n_habits[less ? LESS : AS_SUMMAND]; i++) {
            const habit *h = &habits[less ? LESS : AS_SUMMAND][i];
            if (fits(e, place, x, h))
                edits_replace(e, place, rank_of(e, h, SUMMAND), "habit", x->first, x->end, form, text, less ? "-" : "+",
                              h->what.text);
        }
    for (int i = 0; i < n_habits[AS_START] && x->kind == E_NAME; i++) {  // the tile's first one, and x within the tile
        const habit *h = &habits[AS_START][i];
        const token *t = &e->u.tokens[h->what.first];
        const variable *v = edits_visible(e, t->at, t->length, h->what.first);
        if (v && edits_sees(e, v, x->first) && fits(e, place, x, h))
            edits_replace(e, place, TILE, "habit", x->first, x->end, factor || cast ? "(%s + %s)" : "%s + %s",
                          h->what.text, text);
    }
}

// x * g, where x is all of a product.
static void factors(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    if (is_operator(e, p, "*/%") || x->kind == E_NUMBER || x->kind == E_TERNARY || is_operator(e, x, "+-")) return;
    const bool compared = p && p->kind == E_BINARY && (!is_operator(e, p, "+-<>") || p->b->kind == E_NUMBER);
    const bool copied = !p && x->kind == E_MEMBER;  // a size that is handed over
    if (copied) return;
    if (compared || (p && p->kind == E_CAST) || (p && p->kind == E_TERNARY && p->a == x)) return;
    for (int i = 0; i < n_habits[AS_FACTOR]; i++) {
        const habit *h = &habits[AS_FACTOR][i];
        const bool number = e->u.tokens[h->what.first].kind == TOKEN_NUMBER;
        if (fits(e, place, x, h))
            edits_replace(e, place, rank_of(e, h, FACTOR), "habit", x->first, x->end, "%s * %s",
                          number ? h->what.text : tight(e, x), number ? tight(e, x) : h->what.text);
    }
}

// D becomes (D + 1), or what is declared as D + 1, where that stands elsewhere.
static void padded(edits *e, int place, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    if (!is_operator(e, x->parent, "*")) return;
    for (int i = 0; i < n_habits[AS_FACTOR]; i++) {
        const habit *h = &habits[AS_FACTOR][i];
        const bool paren = is(&e->u, h->what.first, "(") && h->what.end - h->what.first > x->end - x->first;
        if (paren &&
            edits_contains(e, &(expression){.first = h->what.first + 1, .end = h->what.end - 1},
                           &(ingredient){.first = x->first, .end = x->end}) &&
            edits_usable(e, &h->what, x->first))
            edits_replace(e, place, PADDED, "habit", x->first, x->end, "%s", h->what.text);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base == BASE_INT && !v->type.pointers && v->value >= 0 && v->value_end - v->value == 3 &&
            is(&e->u, v->value + 1, "+") && !strcmp(edits_text(e, v->value, v->value + 1), text))
            edits_replace(e, place, PADDED, "habit", x->first, x->end, "%s",
                          edits_sees(e, v, x->first) ? v->name
                                                     : format(&e->u, "(%s)", edits_text(e, v->value, v->value_end)));
    }
}

// Another name in the same role: in / and % that split a number, in the step of a walk.
static void same_role(edits *e, int place, const expression *x, role r, int rank) {
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < n_habits[r]; i++) {
        const habit *h = &habits[r][i];
        if (strcmp(h->what.text, text) && edits_usable(e, &h->what, x->first) && !edits_contains(e, x, &h->what))
            edits_replace(e, place, rank, "habit", x->first, x->end, "%s", h->what.text);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_global && v->type.base == BASE_INT && !v->is_enumerator && strcmp(v->name, text) &&
            edits_sees(e, v, x->first))
            edits_replace(e, place, rank + 6, "habit", x->first, x->end, "%s", v->name);
    }
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (r == AS_STEP && f->device) edits_replace(e, place, rank + 2, "habit", x->first, x->end, "blockDim.x");
}

// Does the file say `from += step`?
static bool is_step(const edits *e, const ingredient *from, const char *step) {
    for (int i = 0; i + 3 < e->u.token_count; i++)
        if (is(&e->u, i, from->text) && adjacent(&e->u, i + 1, "+=") && is(&e->u, i + 3, step)) return true;
    return false;
}

// The limit of another one: min(x, total); what is left from here on: min(x, n - from).
static void limits(edits *e, int place, const expression *x) {
    const char *least = e->cuda ? "min" : NULL, *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < e->n_ingredients && !least; i++)
        if (e->ingredients[i].kind == I_CALL && (!strncmp(e->ingredients[i].text, "MIN(", 4))) least = "MIN";
    const int s = e->places[place].statement;
    const expression *p = x->parent;
    const bool value = (!p && e->places[place].kind == P_VALUE) || is_operator(e, p, "+-") ||
                       (p && p->kind == E_ASSIGN && p->b == x && p->op_end == p->op + 1);
    if (!least || !value || x->kind == E_NUMBER || x->kind == E_CALL || x->kind == E_TERNARY || is_operator(e, x, "/%"))
        return;
    for (int i = 0; i < n_habits[AS_BOUND] && (x->kind == E_NAME || is_operator(e, x, "*+")); i++)
        if (fits(e, place, x, &habits[AS_BOUND][i]))
            edits_replace(e, place, LIMIT, "habit", x->first, x->end, "%s(%s, %s)", least, text,
                          habits[AS_BOUND][i].what.text);
    for (int i = 0; i < n_habits[AS_START] && x->kind == E_NAME; i++) {
        const ingredient *from = &habits[AS_START][i].what;
        if (!is_step(e, from, text) || !edits_usable(e, from, x->first)) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            const bool number = g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers &&
                                !strpbrk(g->text, "[") && !strstr(g->text, "Idx") && !strstr(g->text, "Dim.");
            if (number && g->function == e->statements[s].function && edits_usable(e, g, x->first))
                edits_replace(e, place, TILE, "habit", x->first, x->end, "%s(%s, %s - %s)", least, text, g->text,
                              from->text);
        }
    }
}

// Does the if set what it asks?
static bool is_cut_off(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    const char *name = edits_text(e, x->first, x->first + 1);
    for (int i = e->places[place].end; i + 1 < st->end; i++)
        if (is(&e->u, i, name) && is(&e->u, i + 1, "=")) return true;
    return false;
}

void edits_change_habits(edits *e, int place, expression *x) {
    if (!collected) collect_all(e);
    const expression *p = x->parent;
    const bool called = p && p->kind == E_CALL && p->a == x;
    if (called || is_set(x) || x->kind == E_ASSIGN || x->kind == E_COMMA || x->kind == E_OPAQUE) return;
    const bool boolean = x->kind == E_BINARY && !is_operator(e, x, "+-*/%");
    if (!is_whole(e, x) || boolean || e->places[place].tree == NULL) return;
    if (!p && e->places[place].kind != P_VALUE && e->statements[e->places[place].statement].kind != S_RETURN) return;
    const bool asks = e->statements[e->places[place].statement].kind == S_IF;  // if (size > n) size = n
    if (!is_limited(e, x) && !(asks && is_cut_off(e, place, x))) summands(e, place, x);
    if (!is_limited(e, x) && !asks) factors(e, place, x);
    limits(e, place, x);
    if (x->kind == E_NAME || x->kind == E_MEMBER) padded(e, place, x);
    if (is_operator(e, p, "/%") && p->b == x && x->kind == E_NAME) same_role(e, place, x, AS_DIVISOR, DIVISOR);
    if (p && p->kind == E_ASSIGN && p->b == x && adjacent(&e->u, p->op, "+=")) same_role(e, place, x, AS_STEP, STEP);
}
