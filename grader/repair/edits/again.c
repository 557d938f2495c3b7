// again.c: who makes a slip makes it again: in the next statement, in the next line that reads like this one. A change
// is tried in all such places at once.
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST = 8,
    LONGEST = 12,
    LIKELY = 38,
    LATER = 5,
    AROUND = 2,
    SURE = 8,
    DIVIDED = 16
};  // LATER: than the change in one place

typedef struct {
    int first[MOST], place[MOST];  // tokens, and the places in which they are
    int n;
} spots;

// A member is no variable of the same name.
static bool is_member(const edits *e, int i) { return i && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")); }

// = is no part of += or ==.
static bool cuts_operator(const edits *e, const change *c, int i) {
    const unit *u = &e->u;
    const int n = c->end - c->first;
    if (edits_operator(u, c->first) != n) return n == 1 && edits_operator(u, i) && i && edits_operator(u, i - 1) > 1;
    return edits_operator(u, i) != n || (i && edits_operator(u, i - 1) > 1);  // out++ = x has no +=
}

static bool ends_operand(const unit *u, int i) {
    static const char *const words[] = {"sizeof", "return", NULL};
    return (is_name(u, i) && !is_any(u, i, words)) || u->tokens[i].kind == TOKEN_NUMBER || is(u, i, ")") ||
           is(u, i, "]");
}

// A sign that multiplies is none that looks up, or says of a type that it is a pointer: *lane = k * n, (float *)p.
static bool is_other_sign(const edits *e, const change *c, int i, int place) {
    const unit *u = &e->u;
    static const char *const signs[] = {"*", "&", "-", "+", NULL};
    if (!i || c->end != c->first + 1 || !is_any(u, i, signs)) return false;
    const bool begins = i == e->places[place].first || !ends_operand(u, i - 1);
    return ends_operand(u, c->first - 1) && (begins || is(u, i + 1, ")"));
}

// What is set or counted up there stays a name, and what % divides a whole number.
static bool is_set_or_whole(const edits *e, const change *c, int i, int end) {
    const unit *u = &e->u;
    static const char *const reals[] = {"sqrtf(", "rsqrtf(", "expf(", "exp2f(", "logf("};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        if (!strncmp(c->new_shown, reals[k], strlen(reals[k])) && (is(u, i - 1, "%") || is(u, end, "%"))) return true;
    if (!is_name(u, c->first) || !strpbrk(c->new_shown, " (+-*/%<")) return false;
    return edits_assigns(u, end) || adjacent(u, end, "++") || adjacent(u, end, "--") || adjacent(u, i - 2, "++") ||
           adjacent(u, i - 2, "--");
}

// Are the names of the new text known there, too, as what they are here?
static bool is_known_at(const edits *e, const change *c, int token) {
    for (const char *at = c->new_shown; *at;) {
        int n = 0;
        while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
        const variable *here = n ? edits_visible(e, at, n, c->first) : NULL,
                       *there = here ? edits_visible(e, at, n, token) : NULL;
        if (here && !there) return false;
        const bool known = here && here->type.base != BASE_UNKNOWN && there->type.base != BASE_UNKNOWN;
        if (known && !edits_alike(here->type, there->type)) return false;
        at += n ? n : 1;
    }
    return true;
}

// Where the change's old text stands in [from, to), with as much of what is around it.
static void find(const edits *e, const change *c, int from, int to, int around, spots *s) {
    const int n = c->end - c->first, last = e->u.token_count;
    s->n = 0;
    for (int i = from; i + n <= to; i++) {
        if (i < around || i + n + around > last || !edits_same(&e->u, c->first - around, i - around, n + 2 * around) ||
            is_member(e, i) != is_member(e, c->first) || cuts_operator(e, c, i) || is_set_or_whole(e, c, i, i + n))
            continue;
        const int p = edits_place_of(e, i, i + n);
        if (p < 0 || is_other_sign(e, c, i, p) || (i != c->first && !is_known_at(e, c, i))) continue;
        if (s->n == MOST) {
            s->n = 0;
            return;
        }
        s->first[s->n] = i, s->place[s->n++] = p;
    }
}

// Places that are word for word as that of the change.
static void find_whole(const edits *e, const change *c, spots *s) {
    const place *p = &e->places[c->place];
    const int n = p->end - p->first;
    s->n = 0;
    for (int k = 0; k < e->n_places && s->n < MOST; k++) {
        const place *q = &e->places[k];
        if (q->kind == p->kind && q->end - q->first == n && edits_same(&e->u, p->first, q->first, n) &&
            is_known_at(e, c, q->first))
            s->first[s->n] = q->first + c->first - p->first, s->place[s->n++] = k;
    }
}

// The text from `at` to `end`, in one place, with the new words at all of its spots.
static const char *text_of(edits *e, const spots *s, int place, int at, int end, int n, const char *new_words) {
    const char *text = "";
    for (int i = 0; i < s->n; i++) {
        if (s->place[i] != place || s->first[i] < at || s->first[i] + n > end) continue;
        text = format(&e->u, "%s%s %s ", text, edits_text(e, at, s->first[i]), new_words);
        at = s->first[i] + n;
    }
    return format(&e->u, "%s%s", text, edits_text(e, at, end));
}

// Several spots of one line are shown whole: of `*` in two of them nobody could tell which.
static void show_whole(edits *e, change *c, const spots *s, int n, const char *new_words) {
    int last = -1;
    for (int i = 0; i < s->n; i++)
        if (s->place[i] == c->place) last = s->first[i];
    if (last <= c->first || c->n_more) return;
    const char *text = text_of(e, s, c->place, c->first, last + n, n, new_words);
    while (*text == ' ') text++;
    int length = (int)strlen(text);
    while (length && text[length - 1] == ' ') length--;
    c->old_shown = edits_text(e, c->first, last + n);
    c->new_shown = format(&e->u, "%.*s", length, text);
}

// i / n == j / m that becomes i % n == j % m: where both are multiples, that always holds, and hides that nobody asks.
static bool turns_division(const edits *e, const change *c) {
    return e->places[c->place].kind == P_CONDITION && ((is(&e->u, c->first, "/") && !strcmp(c->new_shown, "%")) ||
                                                       (is(&e->u, c->first, "%") && !strcmp(c->new_shown, "/")));
}

// In one of its places it makes a tile larger, or takes the piece n of min(i + n, all) away from i.
static bool hides(edits *e, const change *c, const spots *s) {
    bool is_sign = is(&e->u, c->first, "+") && !strcmp(c->new_shown, "-");
    for (int i = 0; i < s->n; i++) {
        change here = *c;
        here.place = s->place[i], here.first = s->first[i], here.end = here.first + c->end - c->first, here.n_more = 0;
        if (edits_is_larger_tile(e, &here)) return true;
    }
    // i + n < all ? i + n : all
    const int first = s->first[0] - 1, less = first + 3, n = s->n > 1 ? s->first[1] - 1 : 0;
    return is_sign && s->n == 2 && is(&e->u, less, "<") && is(&e->u, n - 1, "?") && is(&e->u, n + 3, ":") &&
           edits_same(&e->u, first, n, 3) && edits_same(&e->u, less + 1, n + 4, n - less - 2);
}

// One change for all spots; those of the first place come with it.
static void add(edits *e, const change *c, const spots *s) {
    const int n = c->end - c->first;
    change all = *c;
    place_text *more = keep(&e->u, sizeof *more * MOST);
    all.more = more, all.rank += LATER + (turns_division(e, c) ? DIVIDED : 0);
    if (s->n < 2 || s->first[0] != c->first || hides(e, c, s)) return;  // from the first spot only
    const struct place *p = &e->places[c->place], *q;
    all.text = text_of(e, s, c->place, p->first, p->end, n, c->new_shown);
    for (int i = 1; i < s->n; i++) {
        bool known = s->place[i] == c->place;
        for (int k = 0; k < all.n_more; k++) known |= more[k].place == s->place[i];
        if (known) continue;
        q = &e->places[s->place[i]];
        more[all.n_more++] = (place_text){s->place[i], text_of(e, s, s->place[i], q->first, q->end, n, c->new_shown)};
    }
    const int told = edits_told_by_words(e, s->first, s->n, n);
    const bool both =
        all.n_more && !told && s->n == 2 && edits_tell_both(e, &all, s->first, n, c->new_shown, c->new_shown);
    all.each = !all.n_more || both ? 0 : told == 2 ? 1 : told ? 0 : 2;
    show_whole(e, &all, s, n, c->new_shown);
    if (!edits_is_nonsense(e, &all)) *EDITS_ADD(e, changes, n_changes) = all;
}

void edits_replace_each(edits *e, int rank, const char *kind, const int *first, int n, const char *text) {
    spots s = {.n = n};
    if (n > MOST) return;
    for (int i = 0; i < n; i++) s.first[i] = first[i], s.place[i] = edits_place_of(e, first[i], first[i] + 1);
    for (int i = 0; i < n; i++)
        if (s.place[i] < 0) return;
    const change c = {.rank = rank - LATER,
                      .kind = kind,
                      .at = first[0],
                      .place = s.place[0],
                      .first = first[0],
                      .end = first[0] + 1,
                      .insert = -1,
                      .remove = -1,
                      .old_shown = edits_text(e, first[0], first[0] + 1),
                      .new_shown = text};
    add(e, &c, &s);
}

static bool same_spots(const spots *a, const spots *b) {
    return a->n == b->n && !memcmp(a->first, b->first, sizeof *a->first * (size_t)a->n);
}

// The statement of a list in which this one is, and the one behind it; -1: there is none.
static int listed(const edits *e, int s) {
    while (s >= 0 && !e->statements[s].listed) s = e->statements[s].parent;
    return s;
}

// x = a; y = b; to which both the same is added: a * f, b * f.
static void both_sides(edits *e, const change *c, int next) {
    const expression *x = e->places[c->place].tree, *y = NULL;
    const size_t n = strlen(c->old_shown);
    int place = -1;
    for (int p = 0; p < e->n_places && place < 0; p++)
        if (e->places[p].statement == next && e->places[p].kind == P_STATEMENT) place = p, y = e->places[p].tree;
    if (!x || !y || x->kind != E_ASSIGN || y->kind != E_ASSIGN || c->first != x->b->first || c->end != x->b->end ||
        strcmp(edits_operator_text(&e->u, x->op), edits_operator_text(&e->u, y->op)) ||
        strncmp(c->new_shown, c->old_shown, n) || (y->b->kind == E_BINARY) != (x->b->kind == E_BINARY))
        return;
    change both = *c;
    place_text *more = keep(&e->u, sizeof *more);
    const struct place *p = &e->places[place];
    *more = (place_text){place, format(&e->u, "%s%s%s", edits_text(e, p->first, y->b->end), c->new_shown + n,
                                       edits_text(e, y->b->end, p->end))};
    both.more = more, both.n_more = 1, both.rank += LATER;
    *EDITS_ADD(e, changes, n_changes) = both;
}

// int a = x, b = y; to which both the same is added.
static void both_values(edits *e, const change *c) {
    const struct place *p = &e->places[c->place];
    const size_t n = strlen(c->old_shown);
    place_text *more = NULL;
    change all = *c;
    if (p->kind != P_VALUE || c->end != p->end || strncmp(c->new_shown, c->old_shown, n)) return;
    for (int k = c->place + 1; k < e->n_places && all.n_more < MOST; k++) {
        const struct place *q = &e->places[k];
        if (q->statement != p->statement || q->kind != P_VALUE || !q->tree || !p->tree ||
            q->tree->kind != p->tree->kind || !edits_alike(edits_type_of(e, q->tree), edits_type_of(e, p->tree)))
            continue;
        if (!more) all.more = more = keep(&e->u, sizeof *more * MOST);
        more[all.n_more++] = (place_text){k, format(&e->u, "%s%s", edits_text(e, q->first, q->end), c->new_shown + n)};
    }
    all.rank += LATER;
    if (more) *EDITS_ADD(e, changes, n_changes) = all;
}

void edits_change_again(edits *e) {
    static const spots none;
    const int all = e->n_changes;
    for (int i = 0; i < all; i++) {
        const change c = e->changes[i];
        if (c.place < 0 || c.of || c.n_more || c.insert >= 0 || c.remove >= 0 || c.rank > LIKELY ||
            c.end - c.first > LONGEST)
            continue;
        if (!strcmp(c.kind, "habit") && c.rank > SURE) continue;  // there are many of them
        const int s = e->places[c.place].statement, at = listed(e, s), next = at < 0 ? -1 : edits_next(e, at);
        const function *f = &e->functions[e->statements[s].function];
        spots near = none, far = none, whole = none;
        if (at >= 0) find(e, &c, e->statements[at].first, e->statements[next < 0 ? at : next].end, 0, &near);
        find(e, &c, f->body, f->end, AROUND, &far);
        find_whole(e, &c, &whole);
        add(e, &c, &near);
        if (!same_spots(&far, &near)) add(e, &c, &far);
        if (!same_spots(&whole, &near) && !same_spots(&whole, &far)) add(e, &c, &whole);
        if (*c.old_shown) both_values(e, &c);
        if (next >= 0 && *c.old_shown) both_sides(e, &c, next);
    }
    edits_change_alike(e, all);
}
