// element_size.c: bytes are counted with the size of another type than the elements have; C alone.
//
//     double *sum = malloc(n * sizeof(float));      sizeof(double)
//     memset(row, 0, n * sizeof row);               sizeof *row, where row is a pointer
#include "edits.h"

#include <string.h>

enum { ELEMENT = 4 };  // a rank

static bool is_word_of_type(const unit *u, int i) {
    static const char *const qualifiers[] = {"const", "static", "restrict", "struct", "register", "volatile", NULL};
    return is_name(u, i) && !is_any(u, i, qualifiers);
}

// The first token of what declares v.
static int begin_of(const edits *e, const variable *v) {
    static const char *const ends[] = {"(", ",", ";", "{", "}", NULL};
    const int s = v->is_parameter || v->owner ? -1 : edits_declaration_of(e, v);
    int first = s >= 0 ? e->statements[s].first : v->declared;
    while (s < 0 && first > 0 && !is_any(&e->u, first - 1, ends)) first--;
    return first;
}

// Of a pointer the word of what it points to, in tokens; -1: not known.
static int word_of(const edits *e, const variable *v) {
    for (int i = v->declared > 0 ? begin_of(e, v) : v->declared; i >= 0 && i < v->declared; i++)
        if (is_word_of_type(&e->u, i)) return i;
    return -1;
}

static const variable *field_of(edits *e, const expression *x) {
    const value_type of = edits_type_of(e, x->a);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->owner && of.word && !strcmp(v->owner, of.word) && is(&e->u, x->end - 1, v->name)) return v;
    }
    return NULL;
}

static const variable *pointer_of(edits *e, const expression *x) {
    while (x && (x->kind == E_CAST || x->kind == E_PAREN)) x = x->a;
    if (!x || (x->kind != E_NAME && x->kind != E_MEMBER)) return NULL;
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_MEMBER ? field_of(e, x) : edits_visible(e, t->at, t->length, x->first);
    return v && v->type.pointers == 1 ? v : NULL;
}

// What sizeof is asked of, tokens [first, end): another type than that of v's elements, or a pointer?
static bool is_another(const edits *e, const variable *v, int first, int end) {
    const unit *u = &e->u;
    if (end == first + 1 && is_name(u, first)) {
        const token *t = &u->tokens[first];
        const variable *asked = edits_visible(e, t->at, t->length, first);
        if (asked) return asked->type.pointers == 1 && (asked->is_parameter || !is(u, asked->declared + 1, "["));
    }
    const int word = word_of(e, v);
    for (int i = first; i < end; i++)
        if (!is_name(u, i) && !is(u, i, "*")) return false;
    if (is(u, first, "*") || word < 0) return false;
    if (is(u, end - 1, "*")) return true;
    while (first < end && !is_word_of_type(u, first)) first++;
    return first < end && !edits_same(u, first, word, 1);
}

// In the number of bytes n, of memory for v's elements; text: the size of one.
static void sizes_in(edits *e, int place, const expression *n, const variable *v, const char *text) {
    const unit *u = &e->u;
    for (int i = n->first; v && i + 1 < n->end; i++) {
        if (!is(u, i, "sizeof")) continue;
        const bool round = is(u, i + 1, "(");
        const int first = round ? i + 2 : i + 1, end = round ? u->tokens[i + 1].match : i + 2;
        const bool part = !round && (is(u, end, ".") || is(u, end, "->") || is(u, end, "["));  // sizeof a->mean[0]
        if (!part && is_another(e, v, first, end))
            edits_replace(e, place, ELEMENT, "bytes", i, round ? end + 1 : end, "%s", text);
    }
}

// What the memory that a call gives is kept as.
static const variable *kept_as(edits *e, int place, const expression *x, const char **text) {
    const expression *p = x->parent;
    while (p && (p->kind == E_CAST || p->kind == E_PAREN)) p = p->parent;
    if (p && p->kind == E_ASSIGN) {
        *text = format(&e->u, "sizeof *%s", edits_text_of(e, p->a));
        return pointer_of(e, p->a);
    }
    for (int i = 0; i < e->n_variables && !p; i++) {
        const variable *v = &e->variables[i];
        if (v->value != e->places[place].first || v->type.pointers != 1) continue;
        const int word = word_of(e, v);  // its name is not known there yet
        if (word < 0) return NULL;
        *text = format(&e->u, "sizeof(%s%s)", is(&e->u, word - 1, "struct") ? "struct " : "",
                       edits_text(e, word, word + 1));
        return v;
    }
    return NULL;
}

void edits_change_element_size(edits *e, int place, const expression *x) {
    static const char *const makes[] = {"malloc", "calloc", "aligned_alloc", NULL};
    static const char *const fills[] = {"memset", "memcpy", "memmove", NULL};
    if (x->kind != E_CALL || x->a->kind != E_NAME || !x->arguments) return;
    const char *text = "";
    if (is_any(&e->u, x->first, makes)) {
        const variable *v = kept_as(e, place, x, &text);
        for (const expression *n = x->arguments; n; n = n->next) sizes_in(e, place, n, v, text);
    }
    const expression *to = x->arguments, *n = to->next ? to->next->next : NULL;
    if (n && is_any(&e->u, x->first, fills))
        sizes_in(e, place, n, pointer_of(e, to), format(&e->u, "sizeof *%s", edits_text_of(e, to)));
}
