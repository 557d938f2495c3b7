// restart.c: what is declared before a loop, changed in its rounds and read nowhere behind it begins anew in each of
// them; C alone.
//
//     float top = -INF, sum = 0;  for (r ...) { for (c ...) top = ..., sum += ...; }     top = -INF; sum = 0; in each r
//     float top = S[0], sum = 0; ...                     top = -INFINITY; sum = 0; in each r: S[0] is of the first one
//     const float *row = W;  while (tokens--) { for (e ...; row += E) ... }              row = W; for each token
#include "edits.h"

enum { RESTART = 3, ONE_OF_THEM = 8, DEEPER = 4, DEEPEST = 2, LONGEST = 24, MOST = 4 };  // ranks, loops; tokens, names

static bool is_it(const edits *e, const variable *v, int i) {
    return is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->") && edits_sees(e, v, i);
}

static bool is_changed(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i < end; i++)
        if (is_it(e, v, i) &&
            (edits_assigns(&e->u, i + 1) || adjacent(&e->u, i + 1, "++") || adjacent(&e->u, i + 1, "--") ||
             adjacent(&e->u, i - 2, "++") || adjacent(&e->u, i - 2, "--")))
            return true;
    return false;
}

static bool calls(const edits *e, int first, int end) {
    for (int i = first; i + 1 < end; i++)
        if (is_name(&e->u, i) && is(&e->u, i + 1, "(")) return true;
    return false;
}

// The largest one so far, which begins with one of the numbers.
static bool is_maximum_of_first(const edits *e, const variable *v) {
    bool element = calls(e, v->value, v->value_end);
    for (int i = v->value; i < v->value_end; i++) element |= is(&e->u, i, "[") || is(&e->u, i, "*");
    return element && edits_is_real(v->type) && !v->type.pointers && edits_is_maximum(e, v);
}

static bool begins_anew(const edits *e, const variable *v, const statement *loop, int body) {
    const bool own = v->declared >= 0 && !v->is_const && !v->is_global && !v->is_parameter && !v->is_loop;
    return own && v->value_end > v->value && v->value_end - v->value <= LONGEST && !is(&e->u, v->value, "{") &&
           (!calls(e, v->value, v->value_end) || is_maximum_of_first(e, v)) && edits_sees(e, v, loop->first) &&
           !is_changed(e, v, loop->first, body) && is_changed(e, v, body, loop->end) &&
           !edits_named(e, v, loop->end, v->to);
}

// The names that begin anew, at the first statement of this loop's body and of the loops that it begins with.
static void in_rounds(edits *e, int loop, variable *const *list, int n) {
    for (int deep = 0; deep < DEEPEST; deep++, loop = e->statements[loop].body) {
        const statement *st = &e->statements[loop];
        const int body = st->body, first = body + 1;
        if (st->kind != S_LOOP || body < 0 || first >= e->n_statements) return;
        if (e->statements[body].kind != S_BLOCK) continue;
        const char *all = "";
        int together = 0;
        for (int i = 0; i < n; i++) {
            const variable *v = list[i];
            const ingredient value = {.first = v->value, .end = v->value_end};
            if (is_changed(e, v, st->first, e->statements[body].first) ||
                !edits_usable(e, &value, e->statements[first].first))
                continue;
            const char *begin = is_maximum_of_first(e, v) ? "-INFINITY" : edits_text(e, v->value, v->value_end);
            const char *one = format(&e->u, "%s = %s;", v->name, begin);
            edits_insert(e, first, false, (n > 1 ? ONE_OF_THEM : RESTART) + deep * DEEPER, "restart", one);
            all = format(&e->u, "%s%s%s", all, together++ ? " " : "", one);
        }
        if (together > 1) edits_insert(e, first, false, RESTART + deep * DEEPER, "restart", all);
        return;
    }
}

void edits_change_restart(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->kind != S_LOOP || st->body < 0 || !edits_wanted(e, s)) continue;
        variable *list[MOST];
        int n = 0;
        for (int i = 0; i < e->n_variables && n < MOST; i++) {
            variable *v = &e->variables[i];
            if (v->declared < e->functions[st->function].body || v->declared > st->first) continue;
            const int declares = edits_declaration_of(e, v);
            if (declares >= 0 && e->statements[declares].parent == st->parent &&
                begins_anew(e, v, st, e->statements[st->body].first))
                list[n++] = v;
        }
        if (n) in_rounds(e, s, list, n);
    }
}
