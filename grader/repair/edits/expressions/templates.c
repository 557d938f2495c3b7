// templates.c: what stands between < and > of a call: what the same template is called with elsewhere, or the other truth.
//
//     multiply<true>(C, A, B)     multiply<false>(C, A, B)
//     go<32>(O, s)                go<64>(O, s)
#include "edits.h"

#include <string.h>

enum { ELSEWHERE = 2, OTHER = 4, ASKED = 1, NEAR = 12 };  // ranks; tokens

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
