// asked.c: what holds under a causal mask alone, where nobody asks for the mask.
//
//     end = min(Sk, i0 + BR + Sk - Sq)          end = causal ? min(Sk, i0 + BR + Sk - Sq) : Sk
//     seen = i + Sk - Sq + 1                    seen = shape.causal ? i + Sk - Sq + 1 : Sk
#include "edits.h"

#include <string.h>

enum { FORGOTTEN = 8, LIMIT = 10, ASKED_ELSEWHERE = 28, MOST_ENDS = 6, LONGEST = 24 };  // ranks; names; tokens

static bool has_causal(const unit *u, int first, int end) {
    for (int i = first; i < end; i++) {
        const token *t = &u->tokens[i];
        for (int k = 0; t->kind == TOKEN_NAME && k + 6 <= t->length; k++)
            if (!strncmp(t->at + k, "causal", 6)) return true;
    }
    return false;
}

// All of a first value, or of what is assigned: a sum or a limit of whole numbers.
static bool is_position(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    const bool assigned = p && p->kind == E_ASSIGN && p->b == x && p->op_end == p->op + 1;
    const statement *s = &e->statements[e->places[place].statement];
    const bool begins = !p && (e->places[place].kind == P_VALUE || s->kind == S_RETURN);
    if ((!begins && !assigned) || x->end - x->first > LONGEST) return false;
    const bool sum = x->kind == E_BINARY && strchr("+-", *edits_operator_text(&e->u, x->op));
    if (!sum && x->kind != E_CALL && x->kind != E_TERNARY) return false;
    const value_type t = edits_type_of(e, assigned ? p->a : x);
    return t.base == BASE_INT && !t.pointers && !has_causal(&e->u, x->first, x->end);
}

// Its names that a walk over the keys may end with.
static void each_end(edits *e, int place, const expression *x, int rank, const char *causal) {
    const char *tried[MOST_ENDS];
    int n = 0;
    for (int i = x->first; i < x->end && n < MOST_ENDS; i++) {
        if (e->u.tokens[i].kind != TOKEN_NAME || is(&e->u, i + 1, "(") || is(&e->u, i + 1, ".")) continue;
        const bool member = i - 2 >= x->first && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->"));
        const token *t = &e->u.tokens[i];
        const variable *v = member ? NULL : edits_visible(e, t->at, t->length, i);
        if (!member && (!v || v->is_loop || v->type.pointers || v->type.base != BASE_INT)) continue;
        const char *end = edits_text(e, member ? i - 2 : i, i + 1);
        bool again = false;
        for (int k = 0; k < n; k++) again |= !strcmp(tried[k], end);
        if (again) continue;
        tried[n++] = end;
        edits_replace(e, place, rank, "asked", x->first, x->end, "%s ? %s : %s", causal,
                      edits_text(e, x->first, x->end), end);
    }
}

void edits_change_asked(edits *e, int place, expression *x) {
    if (!is_position(e, place, x)) return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const int rank = has_causal(&e->u, f->body, f->end) ? (x->kind == E_CALL ? LIMIT : ASKED_ELSEWHERE) : FORGOTTEN;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_sees(e, v, x->first) || v->declared < 0 || v->type.pointers > 1) continue;
        if (v->type.base == BASE_INT && !v->type.pointers && strstr(v->name, "causal"))
            each_end(e, place, x, rank, v->name);
        const char *of = v->type.pointers ? "->" : ".";
        if (v->type.base != BASE_STRUCT) continue;
        if (!strcmp(v->type.word, "attn_shape")) each_end(e, place, x, rank, format(&e->u, "%s%scausal", v->name, of));
        for (int k = 0; k < e->n_variables; k++) {
            const variable *field = &e->variables[k];
            if (field->owner && !strcmp(field->owner, v->type.word) && strstr(field->name, "causal"))
                each_end(e, place, x, rank, format(&e->u, "%s%s%s", v->name, of, field->name));
        }
    }
}
