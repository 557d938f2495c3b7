// uncalled.c: a function that the file has and that nobody calls is to be called somewhere.
//
//     static void hide(view S) {...}             if (shape.causal) hide(S);  or  hide(S);  is missing
#include "edits.h"

#include <string.h>

enum { CALL = 3, MASK = 2, MOST = 60, WORDS = 8 };  // ranks; most calls, and most arguments each

static bool is_own_helper(const edits *e, const function *f) {
    return f->result.base == BASE_VOID && !f->result.pointers && !f->kernel && f->parameters > 0 &&
           f->parameters <= 2 && strncmp(f->name, "attn_", 5) && strncmp(f->name, "operator", 8) &&
           !edits_is_called(e, f);
}

// The variables that the statement reads and that a parameter of that type takes.
static int takes(const edits *e, const variable *parameter, const statement *st, const char **list) {
    int n = 0;
    for (int i = e->n_variables - 1; i >= 0 && n < WORDS; i--) {
        const variable *v = &e->variables[i];
        if (!v->is_global && !v->owner && edits_alike(v->type, parameter->type) && edits_sees(e, v, st->first) &&
            edits_named(e, v, st->first, st->end) &&
            (!v->type.pointers || parameter->type.constant || !v->type.constant))
            list[n++] = v->name;
    }
    return n;
}

static const char *mask_at(edits *e, int token) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_sees(e, v, token)) continue;
        if (edits_is_whole(v->type) && strstr(v->name, "causal")) return v->name;
        if (v->type.base == BASE_STRUCT && v->type.word && !strcmp(v->type.word, "attn_shape"))
            return format(&e->u, "%s%scausal", v->name, v->type.pointers ? "->" : ".");
    }
    return NULL;
}

static int try_before(edits *e, int s, const char *call) {
    const char *mask = mask_at(e, e->statements[s].first);
    edits_insert(e, s, false, CALL, "statement", call);
    if (mask) edits_insert(e, s, false, MASK, "statement", format(&e->u, "if (%s) %s", mask, call));
    return 1;
}

static void call(edits *e, const function *f) {
    const variable *given[2] = {NULL, NULL};
    const char *list[2][WORDS];
    int n = 0, tried = 0;
    for (int i = 0; i < e->n_variables && n < 2; i++)
        if (e->variables[i].is_parameter && e->variables[i].from == f->body) given[n++] = &e->variables[i];
    for (int s = 0; n == f->parameters && s < e->n_statements && tried < MOST; s++) {
        const statement *st = &e->statements[s];
        if (!st->listed || st->kind == S_DECLARATION || st->first < f->end || !edits_wanted(e, s) ||
            e->functions[st->function].device != f->device)
            continue;
        const int first = takes(e, given[0], st, list[0]);
        const int second = n == 2 ? takes(e, given[1], st, list[1]) : 1;
        for (int a = 0; a < first; a++)
            for (int b = 0; b < second; b++)
                tried += try_before(e, s,
                                    n == 2 ? format(&e->u, "%s(%s, %s);", f->name, list[0][a], list[1][b])
                                           : format(&e->u, "%s(%s);", f->name, list[0][a]));
    }
}

// One alone: where there are several, the file is a part of another one.
void edits_change_uncalled(edits *e) {
    const function *alone = NULL;
    int n = 0;
    for (int i = 0; i < e->n_functions; i++)
        if (is_own_helper(e, &e->functions[i])) alone = &e->functions[i], n++;
    if (n == 1) call(e, alone);
}
