// filled.c: what is done to one of two that belong together, and not to the other, under its name and with what goes with it.
//
//     load(s->k, K, start, n, D);      load(s->v, V, start, n, D); is missing
//     block.x = T;                     block.y = T;
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { SIDE = 2, FIELD = 8, NAME = 12, LONGEST = 40 };  // ranks; tokens

static bool is_field(const edits *e, int i) { return i && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")); }

static bool same_letters(const char *a, const char *b, int n) {
    for (int i = 0; i < n; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
    return true;
}

// Is `name` known there: as a variable, or, behind a point, as a field of its struct?
static bool is_known(const edits *e, const char *name, int at, bool field) {
    if (!field) return edits_visible(e, name, (int)strlen(name), at) != NULL;
    const token *of = &e->u.tokens[at - 2];
    const variable *v = edits_visible(e, of->at, of->length, at);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        const bool other = v && v->type.word && f->owner && strcmp(f->owner, v->type.word);
        if (f->owner && !other && !strcmp(f->name, name)) return true;
    }
    return false;
}

// K_cache, where k becomes v: V_cache. The token's own text where it has nothing to do with that.
static const char *word_for(edits *e, int i, const char *from, const char *to) {
    const token *t = &e->u.tokens[i];
    const int n = (int)strlen(from), m = (int)strlen(to);
    const char *own = edits_text(e, i, i + 1);
    if (t->kind != TOKEN_NAME || is(&e->u, i + 1, "(")) return own;
    for (int k = 0; k + n <= t->length; k++) {
        const bool begins = !k || own[k - 1] == '_', ends = k + n == t->length || own[k + n] == '_';
        if (!begins || !ends || !same_letters(own + k, from, n)) continue;
        char *word = keep(&e->u, (size_t)m + 1);
        for (int c = 0; c < m; c++)
            word[c] = (char)(isupper((unsigned char)own[k])   ? toupper((unsigned char)to[c])
                             : islower((unsigned char)own[k]) ? tolower((unsigned char)to[c])
                                                              : to[c]);
        const char *whole = format(&e->u, "%.*s%s%s", k, own, word, own + k + n);
        return is_known(e, whole, i, is_field(e, i)) ? whole : own;
    }
    return own;
}

// sv beside sk: of v0 k0. "" where the two names differ in more than a letter, or the other name is unknown.
static const char *by_letter(edits *e, int i, const char *from, const char *to) {
    const char *own = edits_text(e, i, i + 1);
    int at = -1;
    if (strlen(from) != strlen(to) || e->u.tokens[i].kind != TOKEN_NAME || is(&e->u, i + 1, "(")) return "";
    for (int k = 0; from[k]; k++) {
        if (from[k] == to[k]) continue;
        if (at >= 0) return "";
        at = k;
    }
    for (int k = 0; at >= 0 && own[k]; k++) {
        if (tolower((unsigned char)own[k]) != tolower((unsigned char)from[at])) continue;
        char *other = keep(&e->u, strlen(own) + 1);
        strcpy(other, own);
        other[k] = (char)(isupper((unsigned char)own[k]) ? toupper((unsigned char)to[at]) : to[at]);
        const token *t = &e->u.tokens[i];
        const variable *v = edits_visible(e, t->at, t->length, i), *w = edits_visible(e, other, (int)strlen(other), i);
        if (v && w && edits_alike(v->type, w->type) && v->type.pointers == w->type.pointers) return other;
    }
    return "";
}

static const char *text_with(edits *e, const statement *st, int name, const char *to) {
    const char *from = edits_text(e, name, name + 1), *text = "";
    for (int i = st->first; i < st->end; i++) {
        const char *letter = i == name ? to : by_letter(e, i, from, to);
        const char *word = *letter ? letter : word_for(e, i, from, to);
        const token *t = &e->u.tokens[i];
        const bool blank = i > st->first && t->at > e->u.tokens[i - 1].at + e->u.tokens[i - 1].length;
        text = format(&e->u, "%s%s%s", text, blank ? " " : "", word);
    }
    return text;
}

// The name of what the statement sets or fills: of s->k[i] = x and of load(s->k, ...) the token k; -1: none.
static int filled_by(const edits *e, int place) {
    const expression *x = e->places[place].tree, *left = NULL;
    if (!x || e->places[place].kind != P_STATEMENT) return -1;
    if (x->kind == E_ASSIGN && is(&e->u, x->op, "=") && x->op_end == x->op + 1) left = x->a;
    if (x->kind == E_CALL && x->a->kind == E_NAME && !x->c) left = x->arguments;
    while (left && left->kind == E_INDEX) left = left->a;
    if (!left || (left->kind != E_NAME && left->kind != E_MEMBER)) return -1;
    return left->end - 1;
}

// Does the function set or fill what is called like that, in the same way?
static bool is_filled(edits *e, const statement *st, int name, const char *other) {
    for (int p = 0; p < e->n_places; p++) {
        const int at = e->statements[e->places[p].statement].function == st->function ? filled_by(e, p) : -1;
        if (at < 0 || !is(&e->u, at, other) || is_field(e, at) != is_field(e, name)) continue;
        if (is_field(e, at) && !edits_same(&e->u, at - 2, name - 2, 2)) continue;
        const bool call = e->places[p].tree->kind == E_CALL;
        if (!call || edits_same(&e->u, e->places[p].first, st->first, 1)) return true;
    }
    return false;
}

static void fill(edits *e, int place, int name, const char *other, int rank) {
    const int s = e->places[place].statement;
    const statement *st = &e->statements[s];
    if (is(&e->u, name, other) || is_filled(e, st, name, other)) return;
    int next = -1;
    for (int k = s + 1; k < e->n_statements && next < 0; k++)
        if (e->statements[k].listed && e->statements[k].first == st->end) next = k;
    const char *text = text_with(e, st, name, other);
    if (next >= 0 && e->statements[next].parent == st->parent)
        edits_insert(e, next, false, rank, "filled", text);
    else
        edits_insert(e, s, false, rank, "filled", text);
}

static bool is_read(const edits *e, const char *name, bool field, int but) {
    for (int i = 0; i < e->u.token_count; i++)
        if (i != but && is(&e->u, i, name) && is_field(e, i) == field) return true;
    return false;
}

void edits_change_filled(edits *e) {
    static const char *const sides[] = {"x", "y", "z", NULL};
    for (int p = 0; p < e->n_places; p++) {
        const place at = e->places[p];
        const statement st = e->statements[at.statement];
        const int name =
            st.listed && edits_wanted(e, at.statement) && st.end - st.first <= LONGEST ? filled_by(e, p) : -1;
        if (name < 0) continue;
        const bool field = is_field(e, name);
        for (int k = 0; field && is_any(&e->u, name, sides) && sides[k]; k++) fill(e, p, name, sides[k], SIDE);
        const token *t = &e->u.tokens[name];
        const variable *v = field ? NULL : edits_visible(e, t->at, t->length, name);
        for (int i = 0; i < e->n_variables; i++) {
            const variable *w = &e->variables[i];
            if (field && w->owner && !w->is_const && is_known(e, w->name, name, true) && is_read(e, w->name, true, -1))
                for (int k = 0; k < e->n_variables; k++)  // fields of one struct
                    if (e->variables[k].owner && !strcmp(e->variables[k].owner, w->owner) &&
                        is(&e->u, name, e->variables[k].name) && edits_alike(e->variables[k].type, w->type))
                        fill(e, p, name, w->name, FIELD);
            if (v && w != v && !w->is_const && !w->type.constant && edits_alike(v->type, w->type) &&
                edits_sees(e, w, st.first) && is_read(e, w->name, false, w->declared))
                fill(e, p, name, w->name, NAME);
        }
    }
}
