// rounded.c: a number is made whole by one rule here and by another one elsewhere in the function.
//
//     n = (int)y; f = y - rintf(y);              n = (int)rintf(y)
//     n = floorf(y); f = y - rintf(y);           n = rintf(y), or f = y - floorf(y)
#include "edits.h"

#include <string.h>

enum { SAME = 5, OTHER = 9 };  // ranks: of the same number, of another one

static const char *const rules[] = {"rintf", "roundf", "floorf", "ceilf", "truncf", "nearbyintf",
                                    "rint",  "round",  "floor",  "ceil",  "trunc",  "nearbyint"};
enum { RULES = sizeof rules / sizeof *rules };

// The rule that is called at this token; NULL: none.
static const char *rule_at(const edits *e, int i) {
    for (int k = 0; k < RULES; k++)
        if (is(&e->u, i, rules[k]) && is(&e->u, i + 1, "(")) return rules[k];
    return NULL;
}

// For each call of a rule in the function, but for the one at x: with which `number` is that made whole there?
static void like_others(edits *e, int place, const expression *x, const expression *number, const char *own) {
    const int f = e->statements[e->places[place].statement].function;
    const char *text = edits_text_of(e, number);
    for (int i = f >= 0 ? e->functions[f].body : 0; f >= 0 && i < e->functions[f].end; i++) {
        const char *rule = i < x->first || i >= x->end ? rule_at(e, i) : NULL;
        if (!rule || (own && !strcmp(rule, own))) continue;
        const bool same = !strcmp(edits_text(e, i + 2, e->u.tokens[i + 1].match), text);
        edits_replace(e, place, same ? SAME : OTHER, "rounded", number->first, number->end, "%s(%s)", rule, text);
    }
}

// int n = y;
static bool begins_whole(const edits *e, const expression *x) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end)
            return edits_is_whole(e->variables[i].type);
    return false;
}

void edits_change_rounded(edits *e, int place, const expression *x) {
    const char *rule = x->kind == E_CALL && x->arguments && !x->arguments->next ? rule_at(e, x->first) : NULL;
    if (rule) {
        const int f = e->statements[e->places[place].statement].function;
        for (int i = f >= 0 ? e->functions[f].body : 0; f >= 0 && i < e->functions[f].end; i++) {
            const char *other = rule_at(e, i);
            if (other && strcmp(other, rule))
                edits_replace(e, place, SAME, "rounded", x->first, x->first + 1, "%s", other);
        }
        return;
    }
    const expression *number = x->kind == E_CAST ? edits_bare(x->a) : x;
    const bool whole = x->kind == E_CAST ? edits_is_whole(edits_type_of(e, x)) : !x->parent && begins_whole(e, x);
    if (whole && edits_is_real(edits_type_of(e, number)) && !rule_at(e, number->first))
        like_others(e, place, x, number, NULL);
}
