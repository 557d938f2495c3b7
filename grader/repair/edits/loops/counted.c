// counted.c: a loop that counts tiles: the last of them is not cut off, or the number of the last element is rounded up as
// if it were how many there are.
//
//     for (j = 0; j < tiles; j++) { nk = BC; ... K[j * BC + y] ...        nk = min(BC, n - j * BC)
//     tiles = (last + BC - 1) / BC                                        last / BC + 1
#include "edits.h"

#include <string.h>

enum { CUT = 4, LAST = 6 };  // ranks

// j * SIZE or SIZE * j, where the counter is seen.
static bool counts_tiles(const edits *e, const variable *counter, const expression *size) {
    const unit *u = &e->u;
    for (int i = counter->from; i + 2 < counter->to; i++) {
        if (!is(u, i + 1, "*")) continue;
        if (is(u, i, counter->name) && edits_same(u, i + 2, size->first, 1)) return true;
        if (edits_same(u, i, size->first, 1) && is(u, i + 2, counter->name)) return true;
    }
    return false;
}

static void cut(edits *e, int place, const expression *x, const char *limit, const variable *counter) {
    const char *text = edits_text(e, x->first, x->end), *least = edits_least(e, x->first);
    const char *rest = format(&e->u, "%s - %s * %s", limit, counter->name, text);
    if (least)
        edits_replace(e, place, CUT, "cut off", x->first, x->end, "%s(%s, %s)", least, text, rest);
    else
        edits_replace(e, place, CUT, "cut off", x->first, x->end, "(%s < %s ? %s : %s)", text, rest, text, rest);
}

// (a + size - 1) / size, with a name that says that it is the last.
static void of_last(edits *e, int place, const expression *x) {
    const expression *n = edits_rounded_up(e, x);
    const char *last = n ? edits_text_of(e, n) : "";
    if (strstr(last, "last"))
        edits_replace(e, place, LAST, "last", x->first, x->end, "%s / %s + 1", last, edits_text_of(e, x->b));
}

void edits_change_counted(edits *e, int place, expression *x) {
    const bool value = !x->parent && e->places[place].kind == P_VALUE;
    of_last(e, place, x);
    const bool set = x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x;
    if (x->kind != E_NAME || !(value || set) || !edits_is_whole(edits_type_of(e, x))) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *counter = &e->variables[i];
        if (!counter->is_loop || !edits_is_whole(counter->type) || !edits_sees(e, counter, x->first) ||
            !counts_tiles(e, counter, x))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[k];
            const bool limit = edits_is_whole(v->type) && !v->is_loop && !v->is_global && edits_sees(e, v, x->first);
            if (limit && !is(&e->u, x->first, v->name)) cut(e, place, x, v->name, counter);
        }
        for (int k = 0; k < e->n_ingredients; k++) {  // shape.seq_kv
            const ingredient *g = &e->ingredients[k];
            if (g->kind == I_ATOM && edits_is_whole(g->type) && !strchr(g->text, '[') && edits_usable(e, g, x->first))
                cut(e, place, x, g->text, counter);
        }
    }
}
