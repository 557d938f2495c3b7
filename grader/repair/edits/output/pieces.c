// pieces.c: what calls a function of the student's own is no program (data.c). Where a change is about another part of
// such a place, that part has a hook of its own:
//
//     p = expf(read(x[base + c]) - m);     becomes     p = expf(read(x[(lab_off(9) ? (base + c) : lab_any{lab_f, 9})]) - m);
#include "pieces.h"

#include <string.h>

static int hook_of(const hooker *h, int piece) { return h->w.e->n_places + 3 * h->w.e->n_statements + piece; }

// It has a value that is copied: no element that is stored to, no variable whose address is taken, no argument that a
// function of the file may take as a reference.
static bool is_value(edits *e, const expression *x) {
    const expression *p = x->parent;
    const value_type t = edits_type_of(e, x);
    if ((t.base != BASE_INT && t.base != BASE_FLOAT) || t.pointers) return false;
    if (x->kind == E_ASSIGN || x->kind == E_COMMA || x->kind == E_OPAQUE) return false;
    for (; p && p->kind == E_PAREN; p = p->parent) x = p;
    if (!p) return false;  // the place itself
    if (p->kind == E_ASSIGN) return x == p->b;
    if (p->kind == E_UNARY) return is(&e->u, p->op, "-") || is(&e->u, p->op, "!");
    static const char *const null[] = {"0", "NULL", "nullptr", NULL};
    if (p->kind == E_CALL && x->end == x->first + 1 && is_any(&e->u, x->first, null)) return false;  // a pointer
    if (p->kind == E_CALL) {
        for (int f = 0; f < e->n_functions && x != p->a; f++)
            if (is(&e->u, p->a->end - 1, e->functions[f].name))
                for (int i = e->functions[f].open; i < e->functions[f].body; i++)
                    if (is(&e->u, i, "&")) return false;
        return x != p->a;
    }
    return p->kind == E_BINARY || p->kind == E_TERNARY || p->kind == E_INDEX || p->kind == E_CAST;
}

// How tightly the operator of a program binds, or that of an expression; 20: it is none of two operands.
static int level_of(char op) {
    static const char *const levels[] = {"m,?w", "o", "a", "|", "^", "&", "eN", "lg<>", "sS", "+-", "*/%"};
    for (int i = 0; i < 11; i++)
        if (strchr(levels[i], op)) return i;
    return 20;
}

static int level_within(const edits *e, const expression *x) {
    const char *op = x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    static const char *const two[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    for (int i = 0; i < 8; i++)
        if (!strcmp(op, two[i])) return level_of("sSlgeNao"[i]);
    if (*op) return level_of(*op);
    return x->kind == E_UNARY || x->kind == E_CAST ? 19 : x->kind == E_TERNARY ? 1 : -1;
}

// What the part becomes is one operand where it stands, too: a / b + c is no divisor.
static bool stays_one(const edits *e, const expression *x, const char *program) {
    const expression *p = x->parent;
    const int own = level_of(*program), around = p && !(p->kind == E_INDEX && p->b == x) ? level_within(e, p) : -1;
    return own > around || (own == around && p->a == x);
}

static bool is_wide(const edits *e, const variable *v) {
    static const char *const words[] = {"size_t", "long", "unsigned", "ptrdiff_t", "uint32_t", "int64_t", NULL};
    for (int i = v->declared; i > 0 && !is(&e->u, i, ";") && !is(&e->u, i, "{") && !is(&e->u, i, "("); i--)
        if (is_any(&e->u, i, words)) return true;
    return false;
}

// A whole number that becomes a float, or a wider one where it is compared or computed with, would be cut down.
static bool keeps_type(edits *e, const expression *x, const char *text, const char *program) {
    const int level = level_of(*program);
    const expression *p = x->parent;
    while (p && p->kind == E_PAREN) p = p->parent;
    if (edits_type_of(e, x).base != BASE_INT || (level > 0 && level < 8 && !strchr("|^&", *program))) return true;
    const bool handed = p && (p->kind == E_INDEX || p->kind == E_CALL);
    for (const char *at = text; *at; at++) {
        if (!data_letter(*at) || (at > text && data_letter(at[-1]))) continue;
        size_t n = 0;
        while (data_letter(at[n])) n++;
        const variable *v = edits_visible(e, at, (int)n, x->first);
        const bool digits = *at >= '0' && *at <= '9';
        if (digits ? at[n] == '.' || at[n - 1] == 'f' : v && v->type.base == BASE_FLOAT) return false;
        if (!v && !digits && (at[n] == '(' || !strncmp(at, "float", 5) || !strncmp(at, "double", 6))) return false;
        if (!handed && (v ? is_wide(e, v) : !strncmp(at, "size_t", 6))) return false;
    }
    return true;
}

// sum_of<D / 2>(v) reads like two comparisons, sum_of < D / 2 and that > (v): what stands there is no operand.
static bool is_of_template(const edits *e, const expression *x) {
    for (const expression *p = x->parent; p; p = p->parent) {
        const expression *less = is_operator(e, p, ">") ? p->a : p;
        if (!is_operator(e, less, "<")) continue;
        for (int f = 0; f < e->n_functions; f++)
            if (is(&e->u, less->a->end - 1, e->functions[f].name)) return true;
    }
    return false;
}

static int piece_at(hooker *h, const expression *x) {
    for (int i = 0; i < h->n_pieces; i++)
        if (h->pieces[i] == x) return hook_of(h, i);
    edits_grow(&h->w.e->u, (void **)&h->pieces, sizeof *h->pieces, h->n_pieces);
    h->pieces[h->n_pieces] = x;
    return hook_of(h, h->n_pieces++);
}

// The innermost operand that holds what changes: all of the text but `before` bytes at its begin, and `behind` at its end.
static const expression *innermost(edits *e, const struct place *p, const expression *x, size_t before, size_t behind) {
    const expression *operands[] = {x->a, x->b, x->c};
    const size_t all = strlen(edits_text(e, p->first, p->end));
    for (int i = 0; i < 3 || x->arguments; i++) {
        const expression *c = i < 3 ? operands[i] : x->arguments;
        for (int k = 3; k < i && c; k++) c = c->next;
        if (!c && i < 3) continue;
        if (!c) break;
        const size_t to = strlen(edits_text(e, p->first, c->end)), from = to - strlen(edits_text(e, c->first, c->end));
        if (from <= before && all - to <= behind) return innermost(e, p, c, before, behind);
    }
    return x;
}

int edits_piece_of(hooker *h, int place, const char *text, const char **program) {
    edits *e = h->w.e;
    const struct place *p = &e->places[place];
    const int f = e->statements[p->statement].function;
    if (!p->tree || p->kind == P_VOID || p->of_macro) return -1;
    const char *was = edits_text(e, p->first, p->end);
    const size_t all = strlen(was), length = strlen(text), least = all < length ? all : length;
    size_t before = 0, behind = 0;
    while (before < least && was[before] == text[before]) before++;
    while (before && data_letter(was[before - 1])) before--;  // whole words
    while (behind < least - before && was[all - 1 - behind] == text[length - 1 - behind]) behind++;
    while (behind && data_letter(was[all - behind])) behind--;
    for (const expression *x = innermost(e, p, p->tree, before, behind); x && x->parent; x = x->parent) {
        const size_t to = strlen(edits_text(e, p->first, x->end)), from = to - strlen(edits_text_of(e, x));
        if (x->first < e->functions[f].body || !is_value(e, x) || is_of_template(e, x)) continue;
        const char *piece = format(&e->u, "%.*s", (int)(length - (all - to) - from), text + from);
        const char *made = edits_program(&h->d, piece, f, x->first);
        if (!made || !stays_one(e, x, made) || !keeps_type(e, x, piece, made)) continue;
        *program = made;
        return piece_at(h, x);
    }
    return -1;
}

bool edits_has_pieces(const hooker *h, int first, int end) {
    for (int i = 0; i < h->n_pieces; i++)
        if (h->pieces[i]->first >= first && h->pieces[i]->end <= end) return true;
    return false;
}

// The longest one that begins with this token and ends before `end`; -1: there is none.
static int next_piece(const hooker *h, int first, int end) {
    int found = -1;
    for (int k = 0; k < h->n_pieces; k++)
        if (h->pieces[k]->first == first && h->pieces[k]->end < end &&
            (found < 0 || h->pieces[k]->end > h->pieces[found]->end))
            found = k;
    return found;
}

void edits_copy_with_pieces(hooker *h, int first, int end) {
    writer *w = &h->w;
    for (int i = first; i < end; i++) {
        for (int k = next_piece(h, i, end + 1); k >= 0; k = next_piece(h, i, h->pieces[k]->end)) {
            copy_to(w, byte_of(w, i));
            fprintf(w->out, "(lab_off(%d) ? (", hook_of(h, k));
        }
        for (int latest = i; latest >= first; latest--)  // the inner ones begin later
            for (int k = 0; k < h->n_pieces; k++)
                if (h->pieces[k]->first == latest && h->pieces[k]->end == i + 1) {
                    copy_to(w, byte_behind(w, i));
                    fprintf(w->out, ") : lab_any{lab_f, %d})", hook_of(h, k));
                }
    }
}
