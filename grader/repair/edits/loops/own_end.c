// own_end.c: a pointer that walks over one array is compared with the end of another: it ends where its own does; C alone.
//
//     end = s + n;  for (w = p; w < end; w++) *w /= sum;        w < p + n
#include "edits.h"

enum { OWN_END = 3 };  // a rank

// What the loop's header sets the name at this token to, if that is one name; otherwise what it was declared with. -1:
// neither.
static int array_of(const edits *e, const statement *loop, int name, int condition) {
    const unit *u = &e->u;
    for (int i = loop->first; i + 3 < condition; i++)
        if (edits_same(u, i, name, 1) && is(u, i + 1, "=") && is_name(u, i + 2))
            return is(u, i + 3, ";") || is(u, i + 3, ",") ? i + 2 : -1;
    const variable *v = edits_visible(e, u->tokens[name].at, u->tokens[name].length, name);
    return v && v->value_end == v->value + 1 && is_name(u, v->value) ? v->value : -1;
}

void edits_change_own_end(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const place_kind kind = e->places[place].kind;
    const statement *loop = &e->statements[e->places[place].statement];
    if (kind != P_CONDITION || loop->kind != S_LOOP || x->kind != E_BINARY || x->a->kind != E_NAME ||
        x->b->kind != E_NAME || (!is_operator(e, x, "<") && !adjacent(u, x->op, "!=")))
        return;
    const variable *end = edits_visible(e, u->tokens[x->b->first].at, u->tokens[x->b->first].length, x->b->first);
    if (!end || !end->type.pointers || end->value_end < end->value + 3 || !is_name(u, end->value) ||
        !is(u, end->value + 1, "+"))
        return;
    const int own = array_of(e, loop, x->a->first, x->first);
    if (own < 0 || edits_same(u, own, end->value, 1)) return;
    edits_replace(e, place, OWN_END, "bound", x->b->first, x->b->end, "%s %s", edits_text(e, own, own + 1),
                  edits_text(e, end->value + 1, end->value_end));
}
