// letters.c: lines that differ in a letter alone, for x, y, z or w, of which the last one is missing, or one between.
//
//     o.x += s * v.x;  o.y += s * v.y;  o.z += s * v.z;        o.w += s * v.w;
#include "edits.h"

#include <string.h>

enum { LETTER = 2 };  // rank
static const char letters[] = "xyzw";

// The letter whose members stand in the statement; 0: several, or none.
static char letter_of(const edits *e, const statement *st) {
    char letter = 0;
    for (int i = st->first + 1; i < st->end; i++) {
        const token *t = &e->u.tokens[i];
        if (t->length != 1 || !is(&e->u, i - 1, ".") || !strchr(letters, *t->at)) continue;
        if (is(&e->u, i - 2, "threadIdx") || is(&e->u, i - 2, "blockIdx")) return 0;
        if (letter && letter != *t->at) return 0;
        letter = *t->at;
    }
    return letter;
}

// The statement with that letter for its own.
static const char *with(edits *e, const statement *st, char letter) {
    const char *text = "";
    for (int i = st->first; i < st->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool member = i > st->first && t->length == 1 && is(&e->u, i - 1, ".") && strchr(letters, *t->at);
        const bool gap = i + 1 < st->end && e->u.tokens[i + 1].at > t->at + t->length;
        text = format(&e->u, "%s%.*s%s", text, t->length, member ? &letter : t->at, gap ? " " : "");
    }
    return text;
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
