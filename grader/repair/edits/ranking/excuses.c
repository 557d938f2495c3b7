// excuses.c: changes with which the claims hold for another reason than the mistake. What a function sets is not asked
// for once more, and a call whose arguments are exchanged is not made a second time. A flag is no size: with 0 or 1 for
// the keys of a tile nothing is ever left out. Who takes out the end that a loop has under a causal mask does more work
// and passes, whatever was wrong in it: what is wrong stands in the value.
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { MOST_FLAGS = 24, CONDITION = 30, VALUE = 16 };  // VALUE: one more, in the value, is the likelier

typedef struct {
    int token[MOST_FLAGS], n;  // where such a name stands
} flags;

static bool is_logic(const unit *u, int i) {  // && or ||, of which i is either half
    static const char *const halves[] = {"&", "|", NULL};
    return i > 0 && is_any(u, i, halves) && (edits_same(u, i, i - 1, 1) || edits_same(u, i, i + 1, 1));
}

static int begin_of(const unit *u, int i) {  // of a.b.c
    while (i > 1 && (is(u, i - 1, ".") || is(u, i - 1, "->"))) i -= 2;
    return i;
}

typedef enum { ASKED, SET, COUNTED } use;

// What the name at token i is there for.
static use use_of(const unit *u, int i) {
    static const char *const questions[] = {"if", "while", NULL};
    static const char *const bools[] = {"bool", "_Bool", NULL};
    const int before = begin_of(u, i) - 1, behind = i + 1;
    if (before < 1 || behind + 1 >= u->token_count) return COUNTED;
    const bool from =
        is_logic(u, before) || is(u, before, "!") || (is(u, before, "(") && is_any(u, before - 1, questions));
    const bool to = is_logic(u, behind) || is(u, behind, ")");
    if (is_any(u, before, bools) || (from && to) || (from && is(u, behind, ";"))) return ASKED;
    if (is_logic(u, behind) && (is(u, before, "(") || is(u, before, "=") || is(u, before, "return"))) return ASKED;
    if (is(u, behind, "=") && !is(u, behind + 1, "=")) return SET;
    return is_name(u, before) && !is(u, before, "return") && before == i - 1 ? SET : COUNTED;
}

static bool says_causal(const unit *u, int i) {
    const token *t = &u->tokens[i];
    for (int k = 0; k + 6 <= t->length; k++)
        if (!strncmp(t->at + k, "causal", 6)) return true;
    return false;
}

static bool is_known(const unit *u, const flags *f, int i) {
    for (int k = 0; k < f->n; k++)
        if (edits_same(u, f->token[k], i, 1)) return true;
    return false;
}

// Names of which the file asks only whether they are, and that it never counts with.
static void find_flags(const edits *e, flags *f) {
    const unit *u = &e->u;
    f->n = 0;
    for (int i = 1; i + 1 < u->token_count && f->n < MOST_FLAGS; i++) {
        if (!is_name(u, i) || use_of(u, i) != ASKED || is(u, i + 1, "(") || is_known(u, f, i)) continue;
        bool counted = false;
        for (int k = 1; k + 1 < u->token_count && !counted && !says_causal(u, i); k++)
            counted = edits_same(u, i, k, 1) && use_of(u, k) == COUNTED;
        if (!counted) f->token[f->n++] = i;
    }
}

static bool names_flag(const edits *e, const flags *f, const char *text) {
    for (const char *at = text; *at;) {
        int n = 0;
        while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
        for (int k = 0; k < f->n && n; k++) {
            const token *t = &e->u.tokens[f->token[k]];
            if (t->length == n && !memcmp(t->at, at, (size_t)n)) return true;
        }
        at += n ? n : 1;
    }
    return false;
}

// f(n, 0), where f is handed a flag.
static bool is_handed_over(const unit *u, const change *c) {
    static const char *const values[] = {"0", "1", "false", "true", NULL};
    static const char *const ends[] = {"(", ",", ")", NULL};
    return c->first && c->end == c->first + 1 && is_any(u, c->first, values) && is_any(u, c->first - 1, ends) &&
           is_any(u, c->end, ends);
}

// A flag that comes where none was, and that is not asked there.
static bool counts_with_flag(const edits *e, const flags *f, const change *c) {
    if (c->place < 0 || !f->n || strpbrk(c->new_shown, "!?&|<>") || !strncmp(c->new_shown, "if (", 4) ||
        !names_flag(e, f, c->new_shown))
        return false;
    if (is_handed_over(&e->u, c) || !strcmp(c->kind, "parameter")) return false;
    const place *p = &e->places[c->place];
    const bool asked = p->kind == P_CONDITION && p->first == c->first && p->end == c->end;
    return !asked && !names_flag(e, f, c->old_shown);
}

// causal - 1: one less than a flag turns every answer round, and mends what asks for the wrong one elsewhere.
static bool steps_flag(const edits *e, const flags *f, const change *c) {
    const size_t n = strlen(c->old_shown);
    if (c->place < 0 || !n || c->end != c->first + 1 || !is_name(&e->u, c->first) ||
        strncmp(c->new_shown, c->old_shown, n))
        return false;
    const char *rest = c->new_shown + n;
    return (!strncmp(rest, " - ", 3) || !strncmp(rest, " + ", 3)) &&
           (says_causal(&e->u, c->first) || names_flag(e, f, c->old_shown));
}

static bool in_launch(const unit *u, int i) {
    for (int k = i; k > i - 16 && k > 0 && !is(u, k, ";"); k--)
        if (launch_open(u, k)) return true;
    return false;
}

// for (i = threadIdx.x; i < n; i += THREADS), launched with so many: another step loads all of it several times, and so
// hides the threads that are missing.
static bool steps_as_launched(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end != c->first + 1 || !adjacent(u, c->first - 2, "+=") || !is(u, c->end, ")")) return false;
    const statement *loop = &e->statements[e->places[c->place].statement];
    bool by_thread = false, launched = false;
    for (int i = loop->first; i < c->first; i++) by_thread |= is(u, i, "threadIdx");
    for (int i = c->end; by_thread && i + 1 < u->token_count && !launched; i++)
        launched = edits_same(u, i, c->first, 1) && is(u, i - 1, ",") && is(u, i + 1, ",") && in_launch(u, i);
    return launched && loop->kind == S_LOOP;
}

static const place *place_of(const edits *e, int statement, place_kind kind) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == statement && e->places[p].kind == kind) return &e->places[p];
    return NULL;
}

static bool ends_loop(const edits *e, int name, int function) {
    for (int p = 0; p < e->n_places; p++) {
        const place *q = &e->places[p];
        const statement *s = &e->statements[q->statement];
        if (q->kind != P_CONDITION || s->kind != S_LOOP || s->function != function) continue;
        for (int i = q->first; i < q->end; i++)
            if (edits_same(&e->u, i, name, 1)) return true;
    }
    return false;
}

// The `if` that asks for a causal mask around a statement that sets where a loop ends; -1: it is none.
static int causal_around(const edits *e, int s) {
    const place *p = e->statements[s].kind == S_EXPRESSION ? place_of(e, s, P_STATEMENT) : NULL;
    const expression *x = p ? p->tree : NULL;
    if (!x || x->kind != E_ASSIGN || x->a->kind != E_NAME || x->op_end != x->op + 1) return -1;
    for (int around = e->statements[s].parent; around >= 0; around = e->statements[around].parent) {
        if (e->statements[around].kind != S_IF && e->statements[around].kind != S_BLOCK) return -1;
        const place *asked = place_of(e, around, P_CONDITION);  // if (causal) { ... if (some < all) all = some; }
        for (int i = asked ? asked->first : 0; asked && i < asked->end; i++)
            if (says_causal(&e->u, i)) return ends_loop(e, x->a->first, e->statements[s].function) ? around : -1;
    }
    return -1;
}

static bool is_within(const edits *e, int s, int inner, int around) {
    for (int k = inner; k >= 0 && k != around; k = e->statements[k].parent)
        if (k == s) return true;
    return s == around;
}

// Returns false if it is not to be tried. inner, around: such a statement and its `if`.
static bool is_likely_at(const edits *e, change *c, int inner, int around) {
    const int at = c->place >= 0 ? e->places[c->place].statement : -1;
    if (c->remove >= 0 && c->insert < 0 && is_within(e, c->remove, inner, around)) return false;
    const bool asks = at != around && at != inner && at >= 0 && is_within(e, at, inner, around);
    if (asks && (!strcmp(c->new_shown, "0") || *c->new_shown == '!')) return false;  // the same in disguise
    if (at == around && e->places[c->place].kind == P_CONDITION) c->rank += CONDITION;
    if (at == inner && !strcmp(c->kind, "one off") && strstr(c->new_shown, "+ 1"))
        c->rank = c->rank > VALUE ? c->rank - VALUE : 1;
    return true;
}

// w->s = malloc(...); comes, where this function sets w->s to something else.
static bool asks_again(edits *e, const change *c) {
    const char *value = strstr(c->inserted, " = ");
    if (!value || !strstr(value, "alloc(")) return false;
    const size_t n = (size_t)(value - c->inserted);
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->kind != S_EXPRESSION || st->function != e->statements[c->insert].function) continue;
        const char *text = edits_text(e, st->first, st->end);
        if (!strncmp(text, c->inserted, n) && !strncmp(text + n, " = ", 3)) return true;
    }
    return false;
}

static void count_letters(const char *text, int by, int counts[128]) {
    for (; *text; text++)
        if (*text > ' ') counts[*text & 127] += by;
}

// x += f(m, x, 2); comes before x += f(m, 2, x); of the same words, which stays as it is.
static bool repeats_call(edits *e, const change *c, int s) {
    const statement *st = s >= 0 ? &e->statements[s] : NULL;
    if (!st || st->kind != S_EXPRESSION || strchr(c->inserted, '[')) return false;
    const char *text = edits_text(e, st->first, st->end);
    const size_t n = strcspn(text, "(");
    if (!text[n] || strncmp(text, c->inserted, n + 1) || !strcmp(text, c->inserted)) return false;
    int counts[128] = {0};
    count_letters(text, 1, counts), count_letters(c->inserted, -1, counts);
    for (int i = 0; i < 128; i++)
        if (counts[i]) return false;
    return true;
}

// (n + SIZE - 1) in place of (n + SIZE - 1) / SIZE: more blocks than there is work for hide that n is too small.
static bool is_undivided(const change *c) {
    const size_t n = strlen(c->new_shown);
    const char *more = strrchr(c->new_shown, '+');
    const bool up = strstr(c->new_shown, "- 1)") || (more && strspn(more + 1, " 0123456789") == strlen(more + 1) - 1);
    return n && *c->new_shown == '(' && up && !strncmp(c->old_shown, c->new_shown, n) &&
           !strncmp(c->old_shown + n, " / ", 3);
}

static bool comes_twice(edits *e, const change *c) {
    if (c->insert < 0 || c->remove >= 0 || !c->inserted) return false;
    bool twice = asks_again(e, c);
    for (int s = c->insert - 1; s <= c->insert + 1 && !twice; s++) twice = s < e->n_statements && repeats_call(e, c, s);
    return twice;
}

void edits_drop_excuses(edits *e) {
    flags f;
    int kept = 0;
    edits_drop_hidden_stores(e);
    find_flags(e, &f);
    for (int i = 0; i < e->n_changes; i++)
        if (!counts_with_flag(e, &f, &e->changes[i]) && !steps_flag(e, &f, &e->changes[i]) &&
            !steps_as_launched(e, &e->changes[i]) && !is_undivided(&e->changes[i]) &&
            !edits_is_undone_elsewhere(e, &e->changes[i]) && !edits_is_nonsense(e, &e->changes[i]) &&
            !edits_is_vacuous(e, &e->changes[i]) && !edits_runs_past(e, &e->changes[i]) &&
            !comes_twice(e, &e->changes[i]) && !edits_is_disguise(e, &e->changes[i]) &&
            !edits_is_oftener(e, &e->changes[i]) && !edits_is_larger_tile(e, &e->changes[i]) &&
            !edits_keeps_last(e, &e->changes[i]) && !edits_takes_all(e, &e->changes[i]) &&
            !edits_is_zero(e, &e->changes[i]))
            e->changes[kept++] = e->changes[i];
    e->n_changes = kept;
    for (int s = 0; s < e->n_statements; s++) {
        const int around = causal_around(e, s);
        if (around < 0) continue;
        kept = 0;
        for (int i = 0; i < e->n_changes; i++)
            if (is_likely_at(e, &e->changes[i], s, around)) e->changes[kept++] = e->changes[i];
        e->n_changes = kept;
    }
}
