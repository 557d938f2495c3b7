// target.c: another name in place of what a statement sets hides that its value is wrong: with row0 = least(row0, n) in
// place of stop = least(stop, n), stop has no limit any more, and every claim passes. So no number that is handed over,
// and that nothing else sets, is set in its place. Nor does a status hide that something is not done.
#include "edits.h"

#include <string.h>

static bool is_set_elsewhere(const edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->from; i < v->to; i++)
        if (is(u, i, v->name) && !is(u, i - 1, ".") && !is(u, i - 1, "->") && edits_sees(e, v, i) &&
            (edits_assigns(u, i + 1) || adjacent(u, i + 1, "++") || adjacent(u, i + 1, "--") ||
             adjacent(u, i - 2, "++") || adjacent(u, i - 2, "--")))
            return true;
    return false;
}

// status = ATTN_NO_MEMORY, until what follows has its own: with ATTN_OK nobody hears that it never comes to that.
static bool hides_status(const edits *e, const change *c) {
    return c->place >= 0 && !strcmp(c->old_shown, "ATTN_NO_MEMORY") && !strcmp(c->new_shown, "ATTN_OK") &&
           e->statements[e->places[c->place].statement].kind != S_RETURN;
}

// tile = least(tile, n) * D: what is limited has no limit any more, and with one tile many a mistake does not show.
static bool multiplies_limit(const edits *e, const change *c) {
    const char *least = c->place >= 0 ? edits_least(e, c->first) : NULL;
    const size_t n = least ? strlen(least) : 0, length = strlen(c->old_shown);
    return n && !strncmp(c->old_shown, least, n) && c->old_shown[n] == '(' && c->end == e->places[c->place].end &&
           !strncmp(c->new_shown, c->old_shown, length) && !strncmp(c->new_shown + length, " * ", 3);
}

bool edits_sets_given(const edits *e, const change *c) {
    if (hides_status(e, c) || multiplies_limit(e, c)) return true;
    const place *p = c->place >= 0 && c->text ? &e->places[c->place] : NULL;
    if (!p || p->kind != P_STATEMENT || !p->tree || p->tree->kind != E_ASSIGN || p->tree->a->kind != E_NAME)
        return false;
    const char *text = c->text + strspn(c->text, " ");
    const size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
    const token *t = &e->u.tokens[p->tree->a->first];
    const char *sign = text + n + strspn(text + n, " ");
    sign += *sign && strchr("+-*/", *sign) ? 1 : 0;
    if (!n || *sign != '=' || sign[1] == '=') return false;
    if ((size_t)t->length == n && !memcmp(t->at, text, n)) return false;
    const variable *v = edits_visible(e, text, (int)n, p->first);
    return v && v->is_parameter && edits_is_whole(v->type) && !is_set_elsewhere(e, v);
}
