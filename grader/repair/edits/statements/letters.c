// letters.c: lines that differ in a letter alone, for x, y, z or w, of which the last one is missing, or one between.
//
//     o.x += s * v.x;  o.y += s * v.y;  o.z += s * v.z;        o.w += s * v.w;
//     q.x * k.x + q.y * k.y + q.z * k.z                        + q.w * k.w
#include "edits.h"

#include <string.h>

enum { LETTER = 2 };  // rank
static const char letters[] = "xyzw";

// The letter whose members stand in these tokens; 0: several, or none.
static char letter_in(const edits *e, int first, int end) {
    char letter = 0;
    for (int i = first + 1; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (t->length != 1 || !is(&e->u, i - 1, ".") || !strchr(letters, *t->at)) continue;
        if (is(&e->u, i - 2, "threadIdx") || is(&e->u, i - 2, "blockIdx")) return 0;
        if (letter && letter != *t->at) return 0;
        letter = *t->at;
    }
    return letter;
}

static char letter_of(const edits *e, const statement *st) { return letter_in(e, st->first, st->end); }

// These tokens with that letter for their own; factors: of a product, or of the two that fmaf multiplies.
static const char *text_with(edits *e, int first, int end, char letter, bool factors) {
    const char *text = "";
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (factors && (is(&e->u, i, "*") || is(&e->u, i, ","))) continue;
        const bool member = i > first && t->length == 1 && is(&e->u, i - 1, ".") && strchr(letters, *t->at);
        const bool gap = !factors && i + 1 < end && e->u.tokens[i + 1].at > t->at + t->length;
        text = format(&e->u, "%s%.*s%s", text, t->length, member ? &letter : t->at, gap ? " " : "");
    }
    return text;
}

static const char *with(edits *e, const statement *st, char letter) {
    return text_with(e, st->first, st->end, letter, false);
}

// Which letters the lines beside s have that read like it; its own is one of them.
static void beside(edits *e, int s, bool *has) {
    const statement *st = &e->statements[s];
    for (int k = 0; k < e->n_statements; k++) {
        const statement *other = &e->statements[k];
        const char letter = other->parent == st->parent && other->kind == S_EXPRESSION ? letter_of(e, other) : 0;
        if (letter && !strcmp(with(e, st, letter), edits_text(e, other->first, other->end)))
            has[strchr(letters, letter) - letters] = true;
    }
}

static void insert_behind(edits *e, int s, const char *text) {
    const statement *st = &e->statements[s];
    for (int k = s + 1; k < e->n_statements; k++)
        if (e->statements[k].first == st->end && e->statements[k].parent == st->parent) {
            edits_insert(e, k, false, LETTER, "statement", text);
            return;
        }
    if (st->parent >= 0 && st->end == st->block_end) edits_insert(e, st->parent, true, LETTER, "statement", text);
}

void edits_change_letters(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const bool plain = st->kind == S_EXPRESSION && st->listed && !st->fixed && edits_wanted(e, s);
        const char letter = plain ? letter_of(e, st) : 0;
        if (!letter) continue;
        bool has[4] = {false};
        beside(e, s, has);
        const int n = has[0] + has[1] + has[2] + has[3], own = (int)(strchr(letters, letter) - letters);
        int last = 3;
        while (!has[last]) last--;
        for (int k = 0; k < 4 && n >= 2 && n < 4; k++)
            if (!has[k] && own == last) insert_behind(e, s, with(e, st, letters[k]));
    }
}

// ---- Terms of one expression

typedef struct {
    const expression *root;
    int first, end;  // of a term that has a letter
    char has[5];     // those of all terms that read like it
} terms;

// Of a sum of products, a maximum of maxima, fmaf within fmaf: is this what joins its terms, as the root does?
static bool joins(const edits *e, const expression *x, const expression *root) {
    if (root && (!x || x->kind != root->kind)) return false;
    if (is_operator(e, x, "+")) return true;
    const bool call = x && x->kind == E_CALL && !x->c && x->arguments && x->arguments->next;
    return call && (is(&e->u, x->first, "fmaxf") || is(&e->u, x->first, "fmaf")) &&
           (!root || edits_same(&e->u, x->first, root->first, 1));
}

static void add_term(edits *e, terms *t, int first, int end) {
    const char letter = letter_in(e, first, end);
    if (letter && !t->has[0]) t->first = first, t->end = end;
    if (letter && !strchr(t->has, letter) &&
        !strcmp(text_with(e, t->first, t->end, letter, true), text_with(e, first, end, letter, true)))
        t->has[strlen(t->has)] = letter;
}

static void collect(edits *e, terms *t, const expression *x) {
    const expression *bare = edits_bare(x);
    if (!joins(e, bare, t->root)) {
        add_term(e, t, bare->first, bare->end);
    } else if (bare->kind != E_CALL) {
        collect(e, t, bare->a), collect(e, t, bare->b);
    } else {
        const expression *a = bare->arguments, *b = a->next;
        if (b->next)
            add_term(e, t, a->first, b->end), collect(e, t, b->next);
        else
            collect(e, t, a), collect(e, t, b);
    }
}

void edits_change_letter_terms(edits *e, int place, const expression *x) {
    const expression *around = x->parent;
    while (around && around->kind == E_PAREN) around = around->parent;
    if (!joins(e, x, NULL) || joins(e, around, x)) return;
    terms t = {.root = x};
    collect(e, &t, x);
    const char *all = edits_text_of(e, x), *call = x->kind == E_CALL ? edits_text(e, x->first, x->first + 1) : NULL;
    for (int k = 0; k < 4 && t.has[0] && t.has[1]; k++) {
        if (strchr(t.has, letters[k])) continue;
        const char *term = text_with(e, t.first, t.end, letters[k], false);
        if (call)
            edits_replace(e, place, LETTER, "field", x->first, x->end, "%s(%s, %s)", call, term, all);
        else
            edits_replace(e, place, LETTER, "field", x->first, x->end, "%s + %s", all, term);
    }
}
