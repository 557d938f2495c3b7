// reach.c: is one of the changes the one that makes this file that answer? For tests: parentheses that change
// nothing, (size_t) and the order of summands and factors do not count, nor whether a difference is one.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

static bool commutes(const char *op) {
    static const char *const list[] = {"+", "-", "*", "&&", "||", "==", "!=", NULL};
    for (int i = 0; list[i]; i++)
        if (!strcmp(op, list[i])) return true;
    return false;
}

static const char *print(edits *e, const expression *x);

static bool is_dressed(const edits *e, const expression *x) {
    return x->kind == E_PAREN || (x->kind == E_CAST && is(&e->u, x->first + 1, "size_t"));
}

// The operands of a chain of one operator, in the order of their texts.
enum { MOST = 32 };
static int chain(edits *e, const expression *x, const char *op, bool minus, const char **list, int n) {
    while (is_dressed(e, x)) x = x->a;
    const char *its = x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    const bool difference = *op == '+' && !strcmp(its, "-");
    if ((!strcmp(its, op) || difference) && n < MOST - 2)
        return chain(e, x->b, op, minus != difference, list, chain(e, x->a, op, minus, list, n));
    list[n] = minus ? format(&e->u, "-%s", print(e, x)) : print(e, x);
    return n + 1;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static const char *print_list(edits *e, const expression *x) {
    const char *text = "";
    for (; x; x = x->next) text = format(&e->u, "%s%s,", text, print(e, x));
    return text;
}

static const char *print(edits *e, const expression *x) {
    unit *u = &e->u;
    const char *list[MOST], *text = "";
    if (!x) return "";
    if (is_dressed(e, x)) return print(e, x->a);
    if (x->kind == E_BINARY && commutes(edits_operator_text(u, x->op))) {
        const char *op = is(u, x->op, "-") ? "+" : edits_operator_text(u, x->op);
        const int n = chain(e, x, op, false, list, 0);
        qsort(list, (size_t)n, sizeof *list, by_text);
        for (int i = 0; i < n; i++) text = format(u, "%s%s%s", text, i ? op : "", list[i]);
        return format(u, "(%s)", text);
    }
    if (x->kind == E_BINARY || x->kind == E_ASSIGN || x->kind == E_COMMA)
        return format(u, "(%s%s%s)", print(e, x->a), edits_text(e, x->op, x->op_end), print(e, x->b));
    if (x->kind == E_TERNARY) return format(u, "(%s?%s:%s)", print(e, x->a), print(e, x->b), print(e, x->c));
    if (x->kind == E_UNARY || x->kind == E_CAST)
        return format(u, "(%s%s)", edits_text(e, x->op, x->op_end), print(e, x->a));
    if (x->kind == E_INDEX) return format(u, "%s[%s]", print(e, x->a), print(e, x->b));
    if (x->kind == E_MEMBER) return format(u, "%s%s", print(e, x->a), edits_text(e, x->op, x->end));
    if (x->kind == E_POSTFIX) return format(u, "(%s%s)", print(e, x->a), edits_text(e, x->op, x->op_end));
    if (x->kind == E_CALL)
        return format(u, "%s<%s>(%s)", print(e, x->a), print_list(e, x->c), print_list(e, x->arguments));
    const char *all = edits_text(e, x->first, x->end);
    return !strcmp(all, "0.f") || !strcmp(all, "0.0") ? "0.0f" : all;
}

// A text of its own, as canonical as can be.
static const char *canonical(edits *e, const char *text) {
    edits part = {.cuda = e->cuda};
    part.u.text = text, part.u.size = strlen(text), part.u.report = e->u.report;
    lex(&part.u);
    match_brackets(&part.u);
    const bool returns = is(&part.u, 0, "return");
    expression *x = part.u.token_count > returns ? edits_parse(&part, returns, part.u.token_count) : NULL;
    const char *said = x ? print(&part, x) : edits_text(&part, 0, part.u.token_count);
    said = format(&e->u, "%s%s", returns ? "return " : "", said);
    free_memory(&part.u);
    return said;
}

static bool same_token(const edits *a, int i, const edits *b, int k) {
    const token *x = &a->u.tokens[i], *y = &b->u.tokens[k];
    return x->length == y->length && !memcmp(x->at, y->at, (size_t)x->length);
}

// The place's tokens in the answer, where all that differs is in this place.
static bool differs_here(const edits *e, const edits *answer, const place *p, int head, int tail, int *end) {
    *end = p->end + answer->u.token_count - e->u.token_count;
    return p->first <= head && tail >= e->u.token_count - p->end && *end >= p->first;
}

// Walks the answer while the changed file is put together; false as soon as they differ.
typedef struct {
    const edits *answer;
    int at;
    bool same;
} walk;

static void meet(walk *w, const edits *e, int first, int end) {
    for (int i = first; i < end && w->same; i++, w->at++)
        w->same = w->at < w->answer->u.token_count && same_token(e, i, w->answer, w->at);
}

static void meet_text(walk *w, edits *e, const char *text) {
    edits part = {.cuda = e->cuda};
    part.u.text = text, part.u.size = strlen(text), part.u.report = e->u.report;
    lex(&part.u);
    meet(w, &part, 0, part.u.token_count);
    free_memory(&part.u);
}

static bool reaches_word_for_word(edits *e, const edits *answer, const change *c) {
    const statement *gone = c->remove >= 0 ? &e->statements[c->remove] : NULL;
    const statement *at = c->insert >= 0 ? &e->statements[c->insert] : NULL;
    const place *p = c->place >= 0 ? &e->places[c->place] : NULL;
    const int point = !at ? -1 : c->insert_at_end ? at->end - 1 : at->first;
    walk w = {answer, 0, true};
    for (int i = 0; i < e->u.token_count && w.same; i++) {
        if (i == point) meet_text(&w, e, c->inserted);
        if (gone && i == gone->first) i = gone->end;
        if (p && i == p->first) meet_text(&w, e, c->text), i = p->end;
        for (int k = 0; k < c->n_more; k++)
            if (i == e->places[c->more[k].place].first)
                meet_text(&w, e, c->more[k].text), i = e->places[c->more[k].place].end;
        if (i < e->u.token_count) meet(&w, e, i, i + 1);
    }
    return w.same && w.at == answer->u.token_count;
}

// What stands before its first token and behind its last one stays: where the files differ there, it is another change.
static bool touches(const edits *e, const change *c, int head, int tail) {
    int first = e->u.token_count, end = 0;
#define TOUCH(from, to) first = (from) < first ? (from) : first, end = (to) > end ? (to) : end
    if (c->place >= 0) TOUCH(e->places[c->place].first, e->places[c->place].end);
    for (int i = 0; i < c->n_more; i++) TOUCH(e->places[c->more[i].place].first, e->places[c->more[i].place].end);
    if (c->remove >= 0) TOUCH(e->statements[c->remove].first, e->statements[c->remove].end);
    if (c->insert >= 0) {
        const statement *st = &e->statements[c->insert];
        const int at = c->insert_at_end ? st->end - 1 : st->first;
        TOUCH(at, at);
    }
#undef TOUCH
    return first <= head && tail >= e->u.token_count - end;
}

// The answer's text of the place that was asked for last: most changes of a list are of the same few places.
typedef struct {
    int first, end;
    const char *text;
} read_place;

static bool reaches(edits *e, edits *answer, const change *c, int head, int tail, read_place *last) {
    int end;
    if (!touches(e, c, head, tail)) return false;
    if (c->place < 0 || c->n_more || c->insert >= 0 || c->remove >= 0) return reaches_word_for_word(e, answer, c);
    const place *p = &e->places[c->place];
    if (!differs_here(e, answer, p, head, tail, &end)) return false;
    if (!last->text || last->first != p->first || last->end != end)
        *last = (read_place){p->first, end, canonical(e, edits_text(answer, p->first, end))};
    return !strcmp(canonical(e, c->text), last->text);
}

// Which of the changes, by their turns, makes this file the answer? From 1; 0: none does.
int edits_reach(edits *e, edits *answer) {
    const int n = e->u.token_count, m = answer->u.token_count;
    int head = 0, tail = 0, found = 0;
    read_place last = {0};
    while (head < n && head < m && same_token(e, head, answer, head)) head++;
    while (tail < n && tail < m && same_token(e, n - 1 - tail, answer, m - 1 - tail)) tail++;
    for (int i = 0; i < e->n_changes; i++) {
        const change *c = &e->changes[i];
        if (!reaches(e, answer, c, head, tail, &last)) continue;
        int before = 1;
        for (int k = 0; k < e->n_changes; k++) before += e->changes[k].turn < c->turn;
        if (!found || before < found) found = before;
    }
    return found;
}
