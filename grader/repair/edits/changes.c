// changes.c: collects changes, each once, and chooses among them.
#include "edits.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *one_line(unit *u, const char *from, const char *to) {
    char *text = keep(u, (size_t)(to - from) + 1);
    size_t n = 0;
    for (; from < to; from++) {
        const bool space = isspace((unsigned char)*from);
        if (!space || !n || text[n - 1] != ' ') text[n++] = space ? ' ' : *from;
    }
    return text;
}

static const char *start_of(const edits *e, int i) { return e->u.tokens[i].at; }
static const char *end_of(const edits *e, int i) { return e->u.tokens[i].at + e->u.tokens[i].length; }

static bool same_text(const char *a, const char *b) {
    for (;; a++, b++) {
        while (*a == ' ') a++;
        while (*b == ' ') b++;
        if (*a != *b || !*a) return *a == *b;
    }
}

static unsigned hash_of(const char *text) {
    unsigned hash = 2166136261u;
    for (; *text; text++)
        if (*text != ' ') hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static const change nothing = {.place = -1, .insert = -1, .remove = -1, .old_shown = "", .new_shown = ""};

static void add(edits *e, const change *c) { *EDITS_ADD(e, changes, n_changes) = *c; }

// The place's text with its tokens [first, end) replaced.
static const char *replaced(edits *e, int place, int first, int end, const char *text) {
    unit *u = &e->u;
    const struct place *p = &e->places[place];
    const char *before = one_line(u, start_of(e, p->first), start_of(e, first));
    const char *behind = one_line(u, end_of(e, end - 1), end_of(e, p->end - 1));
    return format(u, "%s%s%s", before, text, behind);
}

static bool names(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at++)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) && !isalnum((unsigned char)at[n]) &&
            at[n] != '_')
            return true;
    return false;
}

// Nothing where that is the place's own text, or there already.
static void add_replacement(edits *e, change c, const char *text) {
    const struct place *p = &e->places[c.place];
    c.text = replaced(e, c.place, c.first, c.end, text);
    if (same_text(c.text, edits_text(e, p->first, p->end)) || (p->without && names(c.text, p->without))) return;
    c.hash = hash_of(c.text);
    for (int i = e->n_changes - 1; i >= 0 && e->changes[i].place == c.place; i--)
        if (e->changes[i].hash == c.hash && same_text(e->changes[i].text, c.text) && !e->changes[i].n_more &&
            e->changes[i].insert < 0) {
            change *same = &e->changes[i];
            if (c.rank < same->rank) same->rank = c.rank, same->kind = c.kind;
            if (!strcmp(c.kind, "share") && c.end - c.first < same->end - same->first)  // which stands elsewhere, too
                same->at = c.at, same->first = c.first, same->end = c.end,
                same->old_shown = one_line(&e->u, start_of(e, c.first), end_of(e, c.end - 1)), same->new_shown = text;
            return;
        }
    c.old_shown = one_line(&e->u, start_of(e, c.first), end_of(e, c.end - 1));
    c.new_shown = text;
    add(e, &c);
}

void edits_replace(edits *e, int place, int rank, const char *kind, int first, int end, const char *pattern, ...) {
    char text[2000];
    va_list list;
    va_start(list, pattern);
    const int n = vsnprintf(text, sizeof text, pattern, list);
    va_end(list);
    if (n < 0 || n >= (int)sizeof text || first >= end) return;
    if (*text == '-' && is(&e->u, first - 1, "-")) return;  // --x counts down
    change c = nothing;
    c.rank = rank, c.kind = kind, c.at = first, c.place = place, c.first = first, c.end = end;
    add_replacement(e, c, format(&e->u, "%s", text));
}

void edits_replace_two(edits *e, int rank, const char *kind, const replacement *a, const replacement *b) {
    change c = nothing;
    c.rank = rank, c.kind = kind, c.at = a->first, c.place = a->place, c.first = a->first, c.end = a->end;
    c.text = replaced(e, a->place, a->first, a->end, a->text);
    place_text *more = keep(&e->u, sizeof *more);
    *more = (place_text){b->place, replaced(e, b->place, b->first, b->end, b->text)};
    c.more = more, c.n_more = 1;
    c.old_shown = format(&e->u, "%s ... %s", edits_text(e, a->first, a->end), edits_text(e, b->first, b->end));
    c.new_shown = format(&e->u, "%s ... %s", a->text, b->text);
    add(e, &c);
}

// The places whole, of which the first one's `at` is shown.
void edits_replace_all(edits *e, int rank, const char *kind, const expression *at, const place_text *list, int n,
                       const char *shown) {
    change c = nothing;
    const struct place *p = &e->places[list[0].place];
    c.rank = rank, c.kind = kind, c.at = at->first, c.place = list[0].place, c.first = at->first, c.end = at->end;
    c.text = list[0].text;
    place_text *more = keep(&e->u, sizeof *more * (size_t)n);
    memcpy(more, list + 1, sizeof *more * (size_t)(n - 1));
    c.more = more, c.n_more = n - 1;
    c.old_shown = edits_text(e, p->first, p->end), c.new_shown = shown;
    add(e, &c);
}

void edits_swap(edits *e, int place, int rank, const char *kind, const expression *a, const expression *b) {
    const char *between = one_line(&e->u, end_of(e, a->end - 1), start_of(e, b->first));
    edits_replace(e, place, rank, kind, a->first, b->end, "%s%s%s", edits_text(e, b->first, b->end), between,
                  edits_text(e, a->first, a->end));
}

void edits_insert(edits *e, int s, bool at_end, int rank, const char *kind, const char *text) {
    const statement *st = &e->statements[s];
    if (edits_is_lost(e, s, at_end, text)) return;
    change c = nothing;
    c.rank = rank, c.kind = kind, c.at = at_end ? st->end - 1 : st->first;
    c.insert = s, c.insert_at_end = at_end, c.inserted = c.new_shown = text;
    if (!st->fixed) add(e, &c);
}

// using T = tile<N>;   extern __shared__ float4 all[];   What goes or moves stands in braces, whichever change is chosen, and
// what braces declare nobody knows behind them: no change of the file would compile.
static bool declares(const edits *e, int s) {
    static const char *const words[] = {"using", "typedef", "extern", "enum", "class", "template"};
    bool any = false;
    for (int i = 0; i < 6 && e->statements[s].kind == S_OTHER; i++) any |= is(&e->u, e->statements[s].first, words[i]);
    return any;
}

void edits_remove(edits *e, int s, int rank, const char *kind) {
    const statement *st = &e->statements[s];
    change c = nothing;
    c.rank = rank, c.kind = kind, c.at = st->first, c.remove = s, c.old_shown = edits_text(e, st->first, st->end);
    if (!st->fixed && !declares(e, s)) add(e, &c);
}

// It goes, and stands elsewhere as `text`, whose names are known there.
void edits_move_as(edits *e, int s, int before, bool at_end, int rank, const char *kind, const char *text) {
    const statement *st = &e->statements[s];
    change c = nothing;
    c.rank = rank, c.kind = kind, c.at = st->first, c.remove = s, c.insert = before, c.insert_at_end = at_end;
    c.old_shown = edits_text(e, st->first, st->end), c.inserted = c.new_shown = text;
    const int target = at_end ? e->statements[before].end - 1 : e->statements[before].first;
    const int line = at_end ? e->u.tokens[target - 1].line : edits_line_of(e, before);
    if (s != before) c.kind = format(&e->u, at_end ? "behind line %d" : "before line %d", line);
    if (!st->fixed && !e->statements[before].fixed && !declares(e, s)) add(e, &c);
}

// Are all names of s, but for its own, visible up to the } at this token?
static bool lasts(const edits *e, const statement *s, int brace) {
    for (int i = s->first; i < s->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        const bool own = v && s->first <= v->declared && v->declared < s->end;
        if (v && !own && v->to < brace + v->is_loop) return false;
    }
    return true;
}

void edits_move(edits *e, int s, int before, bool at_end, int rank, const char *kind) {
    const statement *st = &e->statements[s];
    const int target = at_end ? e->statements[before].end - 2 : e->statements[before].first;  // before the }
    const ingredient names = {.first = st->first, .end = st->end};
    if (edits_usable(e, &names, target) && (!at_end || lasts(e, st, target + 1)))
        edits_move_as(e, s, before, at_end, rank, kind, edits_text(e, st->first, st->end));
}

void edits_exchange(edits *e, int s, int rank, const char *kind, const char *text) {
    edits_move_as(e, s, s, false, rank, kind, text);
}

bool edits_top(const edits *e, int s) {
    const int parent = e->statements[s].parent;
    return parent >= 0 && e->statements[parent].parent < 0;
}

bool edits_listed(const char *name, const char *list) {
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ',')) return true;
    return false;
}

bool edits_wanted(const edits *e, int s) {
    const statement *st = &e->statements[s];
    if (e->wanted && !edits_listed(e->functions[st->function].name, e->wanted)) return false;
    return e->u.tokens[st->end - 1].line >= e->first_line && e->u.tokens[st->first].line <= e->last_line;
}

static int by_rank(const void *a, const void *b) {
    const change *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : x->at != y->at ? x->at - y->at : x->id - y->id;
}

static int by_place(const void *a, const void *b) {
    const change *x = a, *y = b;
    return x->place != y->place ? x->place - y->place : by_rank(a, b);
}

// A condition that another operator makes false for good is a statement that goes: that is tried with it. The first n
// of all changes are chosen; returns how many then are.
static int add_removals(edits *e, int n, int all) {
    bool *with = keep(&e->u, (size_t)e->n_statements + 1);
    for (int i = 0; i < n; i++) {
        const int p = e->changes[i].place;
        if (p >= 0 && e->places[p].kind == P_CONDITION) with[e->places[p].statement] = true;
    }
    for (int i = n; i < all; i++) {
        const change c = e->changes[i];
        if (c.remove < 0 || c.insert >= 0 || !with[c.remove]) continue;
        e->changes[i] = e->changes[n], e->changes[n++] = c;
    }
    return n;
}

static bool same_change(const change *a, const change *b) {
    return a->place == b->place && a->insert == b->insert && a->insert_at_end == b->insert_at_end &&
           a->remove == b->remove && a->hash == b->hash && !a->n_more && !b->n_more &&
           (a->place < 0 || same_text(a->text, b->text)) && (a->insert < 0 || same_text(a->inserted, b->inserted));
}

// Two kinds may come to the same change: of the sorted ones the first stays.
static int drop_doubles(edits *e, int n) {
    enum { BUCKETS = 1 << 14 };
    int *head = keep(&e->u, sizeof *head * BUCKETS), *next = keep(&e->u, sizeof *next * (size_t)(n + 1)), kept = 0;
    memset(head, -1, sizeof *head * BUCKETS);
    for (int i = 0; i < n; i++) {
        change c = e->changes[i];
        if (c.insert >= 0) c.hash = hash_of(c.inserted);
        const unsigned key = (c.hash + 31u * (unsigned)(c.place + 7 * c.insert + 3 * c.remove)) % BUCKETS;
        int k = head[key];
        while (k >= 0 && !same_change(&e->changes[k], &c)) k = next[k];
        if (k >= 0) continue;
        e->changes[kept] = c, next[kept] = head[key], head[key] = kept++;
    }
    return kept;
}

// ATTN_OK - cols: nobody counts with a status.
static bool counts_with_status(const char *text) {
    for (const char *at = text; (at = strstr(at, "ATTN_"));) {
        while (isalnum((unsigned char)*at) || *at == '_') at++;
        while (*at == ' ') at++;
        if (*at && strchr("+-*/%", *at)) return true;
    }
    return false;
}

// Keeps the changes of these functions and lines, and of them the `limit` whose turn comes first.
// Those of one place get neighbouring numbers, and a number depends on nothing but these choices.
void edits_choose(edits *e, int limit) {
    int n = 0;
    for (int i = 0; i < e->n_changes; i++) {
        change c = e->changes[i];
        const int line = e->u.tokens[c.at].line, orders = e->lines && edits_is_barrier_between(&c, line, e->lines);
        if (line < e->first_line || line > e->last_line) continue;
        if (e->lines && !orders && !edits_listed(format(&e->u, "%d", line), e->lines)) continue;
        if (orders) c.rank = 1;
        if (strstr(c.new_shown, "ATTN_") && !strstr(c.old_shown, "ATTN_")) continue;  // a status is in nobody's formula
        if (c.place >= 0 && counts_with_status(c.text) && !counts_with_status(c.old_shown)) continue;
        if (edits_leaves_idle(e, &c) || edits_is_no_start(e, &c) || edits_takes_other_tile(e, &c) ||
            edits_sets_given(e, &c))
            continue;
        if (!edits_fits(e, &c)) continue;
        e->changes[n] = c;
        e->changes[n].id = n;
        n++;
    }
    qsort(e->changes, (size_t)n, sizeof *e->changes, by_rank);
    n = drop_doubles(e, n);
    edits_take_turns(e, n);
    const int all = n;
    if (limit > 0 && n > limit) n = limit;
    n = add_removals(e, n, all);
    qsort(e->changes, (size_t)n, sizeof *e->changes, by_place);
    for (int i = 0; i < n; i++) e->changes[i].id = i + 1;
    e->n_changes = n;
}
