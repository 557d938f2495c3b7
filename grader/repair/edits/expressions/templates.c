// templates.c: what stands between < and > of a call: what the same template is called with elsewhere, or the other truth.
//
//     multiply<true>(C, A, B)     multiply<false>(C, A, B)
//     go<32>(O, s)                go<64>(O, s)
//     {B, n, k} in all of them    {B, kTransposed ? n : k, kTransposed ? k : n}, with template <bool kTransposed>
#include "edits.h"

#include <string.h>

enum { ELSEWHERE = 2, OTHER = 4, ASKED = 1, FLAGGED = 8, NEAR = 12 };  // ranks; tokens

static void other_argument(edits *e, int place, int name, int at) {
    const unit *u = &e->u;
    if (is(u, at, "true")) edits_replace(e, place, OTHER, "template", at, at + 1, "false");
    if (is(u, at, "false")) edits_replace(e, place, OTHER, "template", at, at + 1, "true");
    for (int i = 1; i + 3 < u->token_count; i++)  // go<64>( and Rows<64>
        if (i != name && edits_same(u, name, i, 1) && is(u, i + 1, "<") && angle_close(u, i + 1) == i + 3 &&
            !edits_same(u, at, i + 2, 1) && u->tokens[i + 2].kind == u->tokens[at].kind)
            edits_replace(e, place, ELSEWHERE, "template", at, at + 1, "%s", edits_text(e, i + 2, i + 3));
    for (int i = name - NEAR > 0 ? name - NEAR : 1; i < name; i++)  // if (D <= 64) return go<64>(
        if (u->tokens[i].kind == TOKEN_NUMBER && u->tokens[at].kind == TOKEN_NUMBER &&
            strchr("<>=", *u->tokens[i - 1].at))
            edits_replace(e, place, ASKED, "template", at, at + 1, "%s", edits_text(e, i, i + 1));
}

void edits_change_templates(edits *e, int place) {
    const unit *u = &e->u;
    const struct place p = e->places[place];
    for (int i = p.first; i + 3 < p.end; i++)
        if (is_name(u, i) && is(u, i + 1, "<") && angle_close(u, i + 1) == i + 3 &&
            (is(u, i + 4, "(") || launch_open(u, i + 4)))
            other_argument(e, place, i, i + 2);
}

// template <bool X>: X; -1: there is none.
static int flag_of(const edits *e, const function *f) {
    int i = f->open;
    while (i > 0 && !is(&e->u, i, "}") && !is(&e->u, i, ";") && !is(&e->u, i, "template")) i--;
    if (!is(&e->u, i, "template")) return -1;
    for (; i < f->open; i++)
        if (is(&e->u, i, "bool") && is_name(&e->u, i + 1)) return i + 1;
    return -1;
}

static bool is_size(edits *e, const struct place *p) {
    return p->kind == P_VALUE && p->tree && p->tree->kind == E_NAME && edits_is_whole(edits_type_of(e, p->tree));
}

// Two sizes side by side in { }, in the same order whatever the template's flag says.
void edits_change_flagged(edits *e) {
    for (int i = 0; i + 1 < e->n_places; i++) {
        const struct place *p = &e->places[i], *q = p + 1;
        const int flag = flag_of(e, &e->functions[e->statements[p->statement].function]);
        if (flag < 0 || q->first != p->end + 1 || !is_size(e, p) || !is_size(e, q) || !edits_wanted(e, p->statement))
            continue;
        const char *x = edits_text(e, flag, flag + 1), *a = edits_text_of(e, p->tree), *b = edits_text_of(e, q->tree);
        for (int turned = 0; turned < 2; turned++) {
            const char *s = turned ? b : a, *t = turned ? a : b;
            const replacement first = {i, p->first, p->end, format(&e->u, "(%s ? %s : %s)", x, s, t)};
            const replacement second = {i + 1, q->first, q->end, format(&e->u, "(%s ? %s : %s)", x, t, s)};
            edits_replace_two(e, FLAGGED, "flag", &first, &second);
        }
    }
}
