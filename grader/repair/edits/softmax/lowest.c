// lowest.c: a maximum that another function makes begins with what it is handed: no 0, which is more than many a score.
//
//     fold(0.0f, n, [=](float m, int c) { return fmaxf(m, s[c]); })      fold(-INFINITY, ...
//     reduce(s, n, 0, larger), largest(0, s, n)
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { LOWEST = 3 };  // rank

static bool says_maximum(const token *t) {
    static const char *const words[] = {"max", "larg", "great", "high"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const int n = (int)strlen(words[w]);
        for (int i = 0; t->kind == TOKEN_NAME && i + n <= t->length; i++) {
            int k = 0;
            while (k < n && tolower((unsigned char)t->at[i + k]) == words[w][k]) k++;
            if (k == n) return true;
        }
    }
    return false;
}

void edits_change_lowest(edits *e, int place, const expression *x) {
    static const char *const zeros[] = {"0", "0.0f", "0.f", "0.0", "0.", NULL};
    static const char *const own[] = {"fmaxf", "max", "fmax", "MAX", NULL};  // of x and 0 it is meant
    if (x->kind != E_CALL || is_any(&e->u, x->first, own)) return;
    bool maximum = false;
    for (int i = x->first; i < x->end; i++) maximum |= says_maximum(&e->u.tokens[i]);
    for (const expression *a = x->arguments; a && maximum; a = a->next)
        if (a->kind == E_NUMBER && is_any(&e->u, a->first, zeros))
            edits_replace(e, place, LOWEST, "constant", a->first, a->end, "-INFINITY");
}
