// one_sided.c: of a difference one side has a factor that the other one lacks.
//
//     exp2f(s * LOG2E - m)        exp2f(s * LOG2E - m * LOG2E)
//     expf(s - scale * m)         expf(s * scale - scale * m)
#include "edits.h"

enum { LACKS = 1 };  // rank: few lines read so, and most of these come in pairs

static bool is_plain(const expression *x) { return x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_INDEX; }

void edits_change_one_sided(edits *e, int place, expression *x) {
    if (!is_operator(e, x, "-") || !edits_is_real(edits_type_of(e, x))) return;
    const bool left = is_operator(e, x->a, "*"), right = is_operator(e, x->b, "*");
    const expression *product = left ? x->a : x->b, *lacks = left ? x->b : x->a;
    if (left == right || !is_plain(lacks)) return;
    for (int i = 0; i < 2; i++) {
        const expression *factor = i ? product->a : product->b, *other = i ? product->b : product->a;
        const bool is_of_all = factor->kind == E_NAME || factor->kind == E_NUMBER || factor->kind == E_MEMBER;
        if (is_of_all && other->kind != E_NUMBER)
            edits_replace(e, place, LACKS, "factor", lacks->first, lacks->end, "%s * %s", edits_text_of(e, lacks),
                          edits_text_of(e, factor));
    }
}
