// renamed.c: what is done to one is done to its twin, too, under the twin's names. Which names are twins the file says
// itself: two pieces of a function that read alike but for some names. What agrees is put together.
//
//     i1 = i + p->R, j1 = j + p->C;   for (j ... p->M) for (i ... p->N)     i1 i R N are the twins of j1 j C M
//     if (j1 > p->M) j1 = p->M;       if (i1 > p->N) i1 = p->N;   is missing behind it
#include "edits.h"

#include <string.h>

enum { MOST_PIECES = 160, LONG = 48, SHORT = 5, MOST_TWINS = 6, MOST_SETS = 160, TWIN = 8, FAR = 14 };

typedef struct {
    int first, end, function;
} piece;

// Tokens that stand for each other; a field and a variable may have one name.
typedef struct {
    int from[MOST_TWINS], to[MOST_TWINS], n;
    int function;
} twins;

static bool same(const edits *e, int i, int k) {
    const token *a = &e->u.tokens[i], *b = &e->u.tokens[k];
    return a->length == b->length && !memcmp(a->at, b->at, (size_t)a->length);
}

static bool is_field(const edits *e, int i) { return is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->"); }

static bool stand_for_one(const edits *e, int i, int k) { return same(e, i, k) && is_field(e, i) == is_field(e, k); }

// Statements, first values with their names, and what stands in the brackets of a for.
static int collect(const edits *e, piece *list) {
    int n = 0;
    for (int s = 0; s < e->n_statements && n < MOST_PIECES; s++) {
        const statement *st = &e->statements[s];
        const bool loop = st->kind == S_LOOP && is(&e->u, st->first, "for");
        const int end = loop ? e->u.tokens[st->first + 1].match : st->end;
        if ((loop || st->kind == S_EXPRESSION || st->kind == S_IF) && end - st->first <= LONG)
            list[n++] = (piece){st->first, end, st->function};
    }
    for (int i = 0; i < e->n_variables && n < MOST_PIECES; i++) {
        const variable *v = &e->variables[i];
        if (v->declared < 0 || v->value <= v->declared || v->value_end - v->declared > LONG) continue;
        for (int f = 0; f < e->n_functions; f++)
            if (e->functions[f].body < v->declared && v->declared < e->functions[f].end && n < MOST_PIECES)
                list[n++] = (piece){v->declared, v->value_end, f};
    }
    return n;
}

static bool is_keyword(const edits *e, int i) {
    static const char *const words[] = {"if",     "for",    "while", "return", "else",  "float", "int",   "const",
                                        "size_t", "double", "long",  "sizeof", "break", "true",  "false", NULL};
    return is_any(&e->u, i, words) || is(&e->u, i + 1, "(");
}

// 1: it stands there now; 0: it contradicts.
static int note(const edits *e, twins *t, int from, int to) {
    for (int k = 0; k < t->n; k++) {
        const bool left = stand_for_one(e, t->from[k], from), right = stand_for_one(e, t->to[k], to);
        if (left != right) return 0;
        if (left) return 1;
    }
    if (t->n == MOST_TWINS) return 0;
    t->from[t->n] = from, t->to[t->n++] = to;
    return 1;
}

static bool align(const edits *e, const piece *a, const piece *b, twins *t) {
    int common = 0;
    *t = (twins){.function = a->function};
    if (a->function != b->function || a->end - a->first != b->end - b->first || a->end - a->first < SHORT) return false;
    for (int i = a->first, k = b->first; i < a->end; i++, k++) {
        const bool names = is_name(&e->u, i) && is_name(&e->u, k) && is_field(e, i) == is_field(e, k);
        common += same(e, i, k) && is_name(&e->u, i) && !is_keyword(e, i);
        if (same(e, i, k)) continue;
        if (!names || is_keyword(e, i) || is_keyword(e, k) || !note(e, t, i, k)) return false;
    }
    return t->n > 0 && common > 0;
}

// With what another pair of pieces says, if they agree in one name at least and contradict in none.
static void join(const edits *e, twins *t, const twins *list, int n) {
    for (int i = 0; i < n; i++) {
        twins both = *t;
        int agree = 0, fits = list[i].function == t->function;
        for (int k = 0; k < list[i].n && fits; k++) {
            const int known = both.n;
            fits = note(e, &both, list[i].from[k], list[i].to[k]);
            agree += fits && both.n == known;
        }
        if (fits && agree) *t = both;
    }
}

static const char *renamed(edits *e, const twins *t, int first, int end, int *changed) {
    const char *text = "";
    *changed = 0;
    for (int i = first; i < end; i++) {
        const token *was = &e->u.tokens[i], *now = was;
        for (int k = 0; k < t->n && is_name(&e->u, i); k++)
            if (stand_for_one(e, i, t->from[k])) now = &e->u.tokens[t->to[k]];
        const bool gap = i + 1 < end && e->u.tokens[i + 1].at > was->at + was->length;
        *changed += now != was;
        text = format(&e->u, "%s%.*s%s", text, now->length, now->at, gap ? " " : "");
    }
    return text;
}

static bool stands(edits *e, const char *text, const function *f) {
    for (int i = f->body; i < f->end; i++) {
        const char *at = text;
        for (int k = i; *at && k < f->end; k++) {
            const token *t = &e->u.tokens[k];
            while (*at == ' ') at++;
            if (strncmp(at, t->at, (size_t)t->length)) break;
            at += t->length;
        }
        if (!*at) return true;
    }
    return false;
}

// Two sets of twins may say the same.
static void insert_once(edits *e, int s, bool at_end, int rank, const char *text) {
    for (int i = e->n_changes - 1; i >= 0; i--) {
        const change *c = &e->changes[i];
        if (c->insert == s && c->insert_at_end == at_end && !strcmp(c->inserted, text)) return;
        if (c->insert < 0 || strcmp(c->kind, "twin")) break;
    }
    edits_insert(e, s, at_end, rank, "twin", text);
}

static void insert_behind(edits *e, int s, int rank, const char *text) {
    const statement st = e->statements[s];
    const int next = st.listed ? edits_next(e, s) : -1;
    if (next >= 0)
        insert_once(e, next, false, rank, text);
    else if (st.listed && st.parent >= 0 && st.end == st.block_end)
        insert_once(e, st.parent, true, rank, text);
}

// Where what s sets ends: x of x = 1; and of f(x, 1);
static int end_of_target(const edits *e, const statement *st) {
    int i = st->first;
    if (st->kind != S_EXPRESSION) return st->end;
    while (i < st->end && !edits_assigns(&e->u, i) && !is(&e->u, i, ",")) i++;
    return i;
}

// The twin of s is missing, and sets something else: it stands behind s, or behind the twin of what stands before s.
static void complete(edits *e, const twins *t, int s) {
    const statement st = e->statements[s];
    int changed, before = -1;
    renamed(e, t, st.first, end_of_target(e, &st), &changed);
    if (!changed) return;
    const char *text = renamed(e, t, st.first, st.end, &changed);
    if (stands(e, text, &e->functions[st.function])) return;
    insert_behind(e, s, TWIN, text);
    for (int k = 0; k < s; k++)
        if (e->statements[k].end == st.first && e->statements[k].listed) before = k;
    if (before < 0) return;
    const char *its = renamed(e, t, e->statements[before].first, e->statements[before].end, &changed);
    for (int k = 0; k < e->n_statements && changed; k++)
        if (k != before && e->statements[k].listed && e->statements[k].function == st.function &&
            !strcmp(edits_text(e, e->statements[k].first, e->statements[k].end), its))
            insert_behind(e, k, FAR, text);
}

void edits_change_renamed(edits *e) {
    static piece pieces[MOST_PIECES];
    static twins list[MOST_SETS];
    const int n = collect(e, pieces), last = e->n_statements;
    int sets = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n && sets < MOST_SETS; k++)
            if (i != k && align(e, &pieces[i], &pieces[k], &list[sets])) sets++;
    for (int i = 0; i < sets; i++) {
        twins t = list[i];
        join(e, &t, list, sets);
        for (int s = 0; s < last; s++) {
            const statement *st = &e->statements[s];
            const bool plain = st->kind == S_EXPRESSION || st->kind == S_IF || st->kind == S_LOOP;
            if (plain && st->listed && st->function == t.function && st->end - st->first <= LONG && edits_wanted(e, s))
                complete(e, &t, s);
        }
    }
}
