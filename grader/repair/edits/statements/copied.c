// copied.c: a line that was copied and changed, and where the change was forgotten. Two statements that differ in names
// alone say which name takes the place of which; what was left as it was stands out.
//
//     store(K_cache, k_new, slot);  store(V_cache, k_new, slot);       store(V_cache, v_new, slot)
//     copy(c.K + to, work.K + from);  copy(c.V + to, work.K + from);   copy(c.V + to, work.V + from)
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { LEFT = 4, ALL_LEFT = 6, SHORTEST = 5, LONGEST = 160, MOST = 4 };  // ranks; tokens; names that were left

// K_cache and V_cache, k and v: they differ in one letter. In which: from and to, as small ones.
static bool differ_in_letter(const edits *e, int i, int k, char *from, char *to) {
    const token *a = &e->u.tokens[i], *b = &e->u.tokens[k];
    int n = 0;
    for (int c = 0; a->length == b->length && c < a->length; c++)
        if (a->at[c] != b->at[c]) *from = (char)tolower(a->at[c]), *to = (char)tolower(b->at[c]), n++;
    return n == 1 && isalpha((unsigned char)*from) && isalpha((unsigned char)*to);
}

static bool is_member(const edits *e, int i) { return i && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")); }

// Is there such a name: a variable that is visible, or a field?
static bool is_known(const edits *e, const char *name, int at) {
    if (!is_member(e, at)) return edits_visible(e, name, (int)strlen(name), at);
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].from > e->variables[i].to && !strcmp(e->variables[i].name, name)) return true;
    return false;
}

// The name at token i with that letter for the other one, if there is such a name. NULL: there is none.
static const char *with_letter(edits *e, int i, char from, char to) {
    const token *t = &e->u.tokens[i];
    for (int c = 0; c < t->length; c++) {
        if (tolower((unsigned char)t->at[c]) != from) continue;
        const bool capital = isupper((unsigned char)t->at[c]);
        const char *name = format(&e->u, "%.*s%c%.*s", c, t->at, capital ? toupper((unsigned char)to) : to,
                                  t->length - c - 1, t->at + c + 1);
        if (is_known(e, name, i)) return name;
    }
    return NULL;
}

static bool alike(const edits *e, const place *p, const place *q, int *different) {
    *different = 0;
    for (int i = 0; i < p->end - p->first; i++) {
        const bool same = edits_same(&e->u, p->first + i, q->first + i, 1);
        if (!same && !(is_name(&e->u, p->first + i) && is_name(&e->u, q->first + i))) return false;
        *different += !same;
    }
    return true;
}

// What stands in p and in q, and has another name elsewhere in q. The place's text with all of them changed, or one.
static void left_as_it_was(edits *e, int p, int q) {
    const place *a = &e->places[p], *b = &e->places[q];
    const int n = a->end - a->first;
    int at[MOST], found = 0;
    const char *name[MOST];
    for (int i = 0; i < n; i++) {
        if (!is_name(&e->u, b->first + i) || !edits_same(&e->u, a->first + i, b->first + i, 1)) continue;
        for (int k = 0; k < n; k++) {
            char from, to;
            const char *other = NULL;
            if (edits_same(&e->u, a->first + k, b->first + k, 1)) continue;
            if (edits_same(&e->u, a->first + k, b->first + i, 1))
                other = edits_text(e, b->first + k, b->first + k + 1);
            else if (differ_in_letter(e, a->first + k, b->first + k, &from, &to))
                other = with_letter(e, b->first + i, from, to);
            if (!other || !is_known(e, other, b->first + i)) continue;
            if (found < MOST) at[found] = b->first + i, name[found] = other;
            found++;
            break;
        }
    }
    if (found > MOST) return;
    for (int i = 0; i < found; i++) edits_replace(e, q, LEFT, "copied", at[i], at[i] + 1, "%s", name[i]);
    if (found < 2) return;
    const char *text = "";
    for (int i = 0, from = at[0]; i < found; i++) {
        text = format(&e->u, "%s%s%s", text, i ? edits_text(e, from, at[i]) : "", name[i]);
        from = at[i] + 1;
    }
    edits_replace(e, q, ALL_LEFT, "copied", at[0], at[found - 1] + 1, "%s", text);
}

void edits_change_copied(edits *e) {
    const int all = e->n_places;
    for (int p = 0; p < all; p++)
        for (int q = 0; q < all; q++) {
            const place a = e->places[p], b = e->places[q];
            const int n = a.end - a.first;
            int different;
            if (p == q || n != b.end - b.first || n < SHORTEST || n > LONGEST || a.kind != b.kind ||
                !edits_wanted(e, b.statement) ||
                e->statements[a.statement].function != e->statements[b.statement].function ||
                !alike(e, &a, &b, &different) || !different || 3 * different > n)
                continue;
            left_as_it_was(e, p, q);
        }
}
