// components.c: of four numbers one is taken twice, and the next one is left out.
//
//     s[2] += q * k.z;  s[3] += q * k.z;         s[3] += q * k.w
//     make_float4(a.x, a.y, a.y, a.w)            a.x, a.y, a.z, a.w
#include "edits.h"

#include <string.h>

enum { TWICE = 3, LETTERS = 4 };  // a rank; how many there are

static const char *const letters[LETTERS] = {"x", "y", "z", "w"};

static int letter_of(const edits *e, const expression *x) {
    static const char *const axes[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    for (int i = 0; i < LETTERS && x->kind == E_MEMBER && !is_any(&e->u, x->first, axes); i++)
        if (is(&e->u, x->end - 1, letters[i])) return i;
    return -1;
}

// Do these tokens say x, word for word?
static bool says(const edits *e, const expression *x, int first, int end) {
    const int n = x->end - x->first;
    for (int i = first; i + n <= end; i++)
        if (edits_same(&e->u, i, x->first, n) && !is(&e->u, i - 1, ".")) return true;
    return false;
}

static int before(const edits *e, int s) {
    for (int k = s - 1; k >= 0 && e->statements[s].listed; k--)
        if (e->statements[k].listed && e->statements[k].end == e->statements[s].first) return k;
    return -1;
}

static void become(edits *e, int place, const expression *x, int letter) {
    if (letter < 0 || letter >= LETTERS) return;
    const char *text = format(&e->u, "%s%s", edits_text(e, x->first, x->end - 1), letters[letter]);
    edits_replace(e, place, TWICE, "field", x->first, x->end, "%s", text);
}

void edits_change_components(edits *e, int place, const expression *x) {
    const int letter = letter_of(e, x), s = e->places[place].statement;
    if (letter < 0) return;
    const int last = before(e, s), next = edits_next(e, s);
    const statement *all = e->statements;
    if (last >= 0 && all[last].kind == all[s].kind && says(e, x, all[last].first, all[last].end))
        become(e, place, x, letter + 1);
    if (next >= 0 && all[next].kind == all[s].kind && says(e, x, all[next].first, all[next].end))
        become(e, place, x, letter - 1);
    const expression *argument = x;
    while (argument->parent && argument->parent->kind != E_CALL) argument = argument->parent;
    if (!argument->parent || argument->parent->a == argument) return;
    for (const expression *a = argument->parent->arguments; a && a->next; a = a->next) {
        if (a->next == argument && says(e, x, a->first, a->end)) become(e, place, x, letter + 1);
        if (a == argument && says(e, x, a->next->first, a->next->end)) become(e, place, x, letter - 1);
    }
}
