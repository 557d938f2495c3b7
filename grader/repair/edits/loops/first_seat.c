// first_seat.c: what goes on with the second of many begins with the first one, and not with a number of its own.
//
//     all = p; for (w = 1; w < W; w++) all = merge(all, seats[w]);          all = seats[0];
#include "edits.h"

#include <string.h>

enum { FIRST = 4 };  // rank

// for (int w = 1; ...: the token that is w; -1: it is another loop.
static int counter_from_one(const unit *u, const statement *loop) {
    const int at = loop->first;
    return is(u, at, "for") && is(u, at + 4, "=") && is(u, at + 5, "1") && is(u, at + 6, ";") ? at + 3 : -1;
}

static void begin_with_first(edits *e, int place, const statement *loop, const variable *v) {
    const unit *u = &e->u;
    const struct place *p = &e->places[place];
    const int counter = counter_from_one(u, loop);
    bool gathers = false;
    for (int i = loop->first; i < loop->end; i++) gathers |= is(u, i, v->name);
    for (int i = loop->first; counter >= 0 && gathers && i + 3 < loop->end; i++) {
        if (!is(u, i + 1, "[") || !edits_same(u, i + 2, counter, 1) || !is_name(u, i)) continue;
        const char *array = edits_text(e, i, i + 1);
        const int close = u->tokens[i + 1].match;
        const char *rest = close > i + 3 ? edits_text(e, i + 3, close) : "";
        if (close == i + 3) edits_replace(e, place, FIRST, "begun", p->first, p->end, "%s[0]", array);
        if (strchr(rest, '+') && strchr(rest, '+') == strrchr(rest, '+'))  // tops[i * BR + r]: tops[r]
            edits_replace(e, place, FIRST, "begun", p->first, p->end, "%s[%s]", array, strchr(rest, '+') + 2);
    }
}

void edits_change_first_seat(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value <= 0 || v->is_const || v->is_loop || v->is_global) continue;
        for (int p = 0; p < e->n_places; p++) {
            const struct place *at = &e->places[p];
            if (at->first != v->value || at->end != v->value_end || !edits_wanted(e, at->statement)) continue;
            const int function = e->statements[at->statement].function;
            for (int s = 0; s < e->n_statements && e->functions[function].device; s++)
                if (e->statements[s].kind == S_LOOP && e->statements[s].function == function &&
                    e->statements[s].first > v->value_end && e->statements[s].first < v->to)
                    begin_with_first(e, p, &e->statements[s], v);
        }
    }
}
