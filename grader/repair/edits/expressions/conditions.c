// conditions.c: a condition that is negated, left out or missing a part; a guard that is not there.
#include "edits.h"

#include <string.h>

enum { ALWAYS_SET = 8, NEVER_SET = 11 };  // ranks

static bool compares(const edits *e, const expression *x) {
    static const char *const list[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
    for (int i = 0; x->kind == E_BINARY && list[i]; i++)
        if (!strcmp(edits_operator_text(&e->u, x->op), list[i])) return true;
    return false;
}

typedef void guard_use(edits *e, int place, const expression *x, int rank, const char *condition);

// shape.causal: a whole number in a struct that is handed over.
static void each_flag(edits *e, int place, const expression *x, guard_use *use) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_STRUCT || v->type.pointers || !v->is_parameter || !edits_sees(e, v, x->first))
            continue;
        if (!strcmp(v->type.word, "attn_shape")) use(e, place, x, 8, format(&e->u, "%s.causal", v->name));  // shape.h
        for (int k = 0; k < e->n_variables; k++) {
            const variable *f = &e->variables[k];
            if (f->owner && !strcmp(f->owner, v->type.word) && f->type.base == BASE_INT && !f->type.pointers)
                use(e, place, x, strstr(f->name, "causal") ? 8 : 20, format(&e->u, "%s.%s", v->name, f->name));
        }
    }
}

// All conditions that the file knows, where their names are seen, and those that bounds suggest: n < size.
static void each_guard(edits *e, int place, const expression *x, guard_use *use) {
    const int function = e->statements[e->places[place].statement].function;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        // A kernel is not launched with the shapes that the host refuses: such a condition is never true in it.
        if (e->functions[function].device && g->function >= 0 && !e->functions[g->function].device) continue;
        const bool counts = strstr(g->text, "--") || strstr(g->text, "++");  // n-- > 0 counts once more
        if (g->kind == I_CONDITION && !counts && edits_usable(e, g, x->first))
            use(e, place, x, g->function == function ? 0 : 8, g->text);
    }
    each_flag(e, place, x, use);
    if (e->functions[function].device) use(e, place, x, 8, "threadIdx.x == 0");
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool index = v->type.base == BASE_INT && !v->type.pointers && !v->is_global && !v->is_parameter;
        if (!index || !edits_sees(e, v, x->first)) continue;
        if (e->functions[function].device) use(e, place, x, 12, format(&e->u, "%s == 0", v->name));
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            const bool bound = w->type.base == BASE_INT && !w->type.pointers && !w->is_loop && w != v && !w->is_global;
            if (bound && edits_sees(e, w, x->first) && (w->is_parameter || w->is_const))
                use(e, place, x, 10, format(&e->u, "%s < %s", v->name, w->name));
        }
    }
}

static const char *text_of(edits *e, const expression *x, bool or) {
    const char *text = edits_text(e, x->first, x->end);
    const bool loose = x->kind == E_TERNARY || x->kind == E_ASSIGN || (or ? false : adjacent(&e->u, x->op, "||"));
    return loose && x->kind != E_NAME ? format(&e->u, "(%s)", text) : text;
}

static bool loose(const char *condition) {
    return strstr(condition, "||") || strchr(condition, '?') || strchr(condition, '=');
}

// blocks > 128: what is limited to a number is limited with and without a mask.
static bool asks_a_number(const expression *x) {
    return x->kind == E_BINARY && (x->b->kind == E_NUMBER || x->a->kind == E_NUMBER);
}

static void narrowed(edits *e, int place, const expression *x, int rank, const char *c) {
    const char *more = strstr(c, "||") || strchr(c, '?') ? format(&e->u, "(%s)", c) : c;
    // What is for a mask is done without one: forgotten more often than any other part.
    if (strstr(c, ".causal") && !strstr(text_of(e, x, false), "causal") && !asks_a_number(x)) {
        edits_replace(e, place, 6, "mask", x->first, x->end, "%s && %s", more, text_of(e, x, false));
        return;
    }
    edits_replace(e, place, 34 + rank, "condition", x->first, x->end, "%s && %s", text_of(e, x, false), more);
}

static void widened(edits *e, int place, const expression *x, int rank, const char *c) {
    const char *less = strstr(c, " < ");
    if (less && !strpbrk(c, "&|?="))
        edits_replace(e, place, 36 + rank, "condition", x->first, x->end, "%s || %.*s >= %s", text_of(e, x, true),
                      (int)(less - c), c, less + 3);
    edits_replace(e, place, 38 + rank, "condition", x->first, x->end, "%s || (%s)", text_of(e, x, true), c);
}

static void exchanged(edits *e, int place, const expression *x, int rank, const char *c) {
    edits_replace(e, place, 36 + rank, "condition", x->first, x->end, "%s", c);
}

static void chosen(edits *e, int place, const expression *x, int rank, const char *c) {
    if (is(&e->u, x->first - 1, "&") && !is(&e->u, x->first - 2, "&")) return;  // of which nobody takes the address
    edits_replace(e, place, 40 + rank, "guard", x->first, x->end, loose(c) ? "((%s) ? %s : 0.0f)" : "(%s ? %s : 0.0f)",
                  c, edits_text(e, x->first, x->end));
}

// What other functions ask of the same names (8), or this one of others (0), is likelier than what nobody asks.
static bool loop_has(edits *e, int place, const char *c) {
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent)
        for (int p = 0; p < e->n_places && e->statements[s].kind == S_LOOP; p++)
            if (e->places[p].statement == s && e->places[p].kind == P_CONDITION &&
                !strcmp(edits_text(e, e->places[p].first, e->places[p].end), c))
                return true;
    return false;
}

// lengths[b] = n + 1, where the function asks elsewhere whether n < limit.
static bool counts_what_is_asked(edits *e, const expression *x, const char *c) {
    const expression *sum = x->kind == E_ASSIGN ? x->b : NULL;
    if (!sum || !is_operator(e, sum, "+") || sum->a->kind != E_NAME || !is(&e->u, sum->b->first, "1")) return false;
    const char *name = edits_text_of(e, sum->a);
    return !strncmp(c, name, strlen(name)) && !strncmp(c + strlen(name), " < ", 3);
}

static void guarded(edits *e, int place, const expression *x, int rank, const char *c) {
    if (loop_has(e, place, c)) return;
    const place_kind kind = e->places[place].kind;
    const struct place *p = &e->places[place];
    if (kind == P_STATEMENT && p->tree == x)
        edits_replace(e, place,
                      counts_what_is_asked(e, x, c) ? 8
                      : rank == 8                   ? 20
                      : rank                        ? 38 + rank
                                                    : 28,
                      "guard", p->first, p->end, "if (%s) %s", c, edits_text(e, p->first, p->end));
}

// An `if` that keeps numbers away: it leaves nothing, asks no flag, and lets no thread alone through.
static bool only_keeps_away(const edits *e, const statement *st, const expression *x) {
    static const char *const leaves[] = {"break", "continue", "return", "causal", "==", NULL};
    if (st->kind != S_IF || is(&e->u, st->end, "else")) return false;
    for (int i = x->first; i < st->end; i++)
        for (int k = 0; leaves[k]; k++)
            if (is(&e->u, i, leaves[k]) || is(&e->u, i, "else")) return false;
    return true;
}

static bool has_else(const edits *e, const statement *st) {
    int behind = st->kind == S_IF ? e->u.tokens[st->first + 1].match + 1 : 0;
    if (behind && is(&e->u, behind, "{")) behind = e->u.tokens[behind].match + 1;
    while (behind && behind < st->end && !is(&e->u, behind, "else") && !is(&e->u, behind, ";")) behind++;
    return behind && (is(&e->u, behind, "else") || is(&e->u, behind + 1, "else"));
}

static void change_root(edits *e, int place, expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    const statement *st = &e->statements[e->places[place].statement];
    const bool goes = only_keeps_away(e, st, x);
    edits_replace(e, place, goes ? 15 : 22, goes ? "always" : "condition", x->first, x->end, "1");
    const bool other = has_else(e, st);
    edits_replace(e, place, other ? 20 : 30, other ? "never" : "condition", x->first, x->end, "0");
    const bool flag = x->kind == E_NAME || x->kind == E_MEMBER;
    edits_replace(e, place, flag ? 10 : 20, "condition", x->first, x->end, flag ? "!%s" : "!(%s)", text);
    each_guard(e, place, x, narrowed);
    each_guard(e, place, x, widened);
    each_guard(e, place, x, exchanged);
}

// a / n < b / n compares whole tiles: a < b.
static void compare_within_tiles(edits *e, int place, const expression *x) {
    const expression *a = x->a, *b = x->b;
    const bool quotients = a->kind == E_BINARY && b->kind == E_BINARY && is(&e->u, a->op, "/") && is(&e->u, b->op, "/");
    if (quotients && !strcmp(edits_text(e, a->b->first, a->b->end), edits_text(e, b->b->first, b->b->end)))
        edits_replace(e, place, 12, "bound", x->first, x->end, "%s %s %s", edits_text(e, a->a->first, a->a->end),
                      edits_operator_text(&e->u, x->op), edits_text(e, b->a->first, b->a->end));
}

// shape.causal = a < b: where sizes are equal, many a comparison is as good as what is always so, and that is said.
static void change_flag(edits *e, int place, const expression *x) {
    const expression *set = x->parent;
    if (!set || set->kind != E_ASSIGN || set->b != x || set->a->kind != E_MEMBER) return;
    if (!compares(e, x) && !is(&e->u, set->a->end - 1, "causal")) return;
    edits_replace(e, place, ALWAYS_SET, "flag", x->first, x->end, "1");
    edits_replace(e, place, NEVER_SET, "flag", x->first, x->end, "0");
}

void edits_change_conditions(edits *e, int place, expression *x) {
    change_flag(e, place, x);
    const struct place *p = &e->places[place];
    const statement_kind kind = e->statements[p->statement].kind;
    const bool loop = kind == S_LOOP;
    if (p->kind == P_CONDITION && p->tree == x && !loop) change_root(e, place, x);
    if (compares(e, x)) compare_within_tiles(e, place, x);
    const bool inner =
        x->parent &&
        ((x->parent->kind == E_TERNARY && x->parent->a == x) ||
         (x->parent->kind == E_BINARY && edits_operator(&e->u, x->parent->op) == 2 && !compares(e, x->parent)));
    const bool flag = x->kind == E_NAME || x->kind == E_MEMBER;
    if (!x->parent && p->kind == P_VALUE && (compares(e, x) || adjacent(&e->u, x->op, "&&")) && x->kind == E_BINARY)
        each_guard(e, place, x, narrowed);
    if (inner && flag && !edits_type_of(e, x).pointers)
        edits_replace(e, place, 10, "negation", x->first, x->end, "!%s", edits_text(e, x->first, x->end));
    if (inner && (compares(e, x) || flag)) each_guard(e, place, x, narrowed);
    if (inner && x->parent->kind == E_TERNARY) each_guard(e, place, x, widened);
    if (p->kind == P_STATEMENT && p->tree == x && (x->kind == E_ASSIGN || x->kind == E_CALL) && kind == S_EXPRESSION)
        each_guard(e, place, x, guarded);
    const bool read =
        x->kind == E_INDEX &&
        !(x->parent && (x->parent->kind == E_INDEX || (x->parent->kind == E_ASSIGN && x->parent->a == x)));
    const value_type type = read ? edits_type_of(e, x) : (value_type){.base = BASE_UNKNOWN};
    if (read && type.base == BASE_FLOAT && !type.pointers) each_guard(e, place, x, chosen);
}
