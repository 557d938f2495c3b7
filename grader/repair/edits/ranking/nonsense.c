// nonsense.c: what no student means, and with which the claims may hold: it does more work than there is, or it takes a
// path out.
//
//     (n + 31) / 32              (n + 31) / 1, (n + 31) / 8, ((n + 31) + 31) / 32
//     e += n_threads             e += 32, where a block has 32 * ROWS threads
//     e < SIDE * SIDE / EACH     sqrtf((float)EACH) in place of EACH
//     (i / BLOCK + 1) * BLOCK    (i / size.heads + 1) * size.heads, (i / KIND + 1) * KIND
//     a < ROWS                   c * ROWS + a < ROWS
//     for (c = 0; c < n; c++)    for (c = 0; c > n; c++)
//     for (i = 0; i < 3; i++)    for (i = 0; i < 0; i++)
//     if (cols % 4 == 0)         if (cols == 0), where cols is a size
//     n > 64 && n % 2 == 0       n > 64 && n == 0
//     l = l * old + p;           if (threadIdx.x == 0) l = l * old + p; in a loop, where l is each thread's own
//     if (rows == ROWS)          if (rows == COLS), where rows = min(ROWS, n - i)
//     past[b] == past[0]         past[0] == past[0]
//     j < last                   j < n, where the next loop goes from last + 1 to n and stores over it
//     to * D                     in place of to + D, where to = (b * max_seq + slot) * D is a place of floats already
//     go<D - 8>(O, n)            go<D - 4>(O, n) within go, which may never come to an end
#include "edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"

// (n + SIZE - 1) / SIZE with another size in one of its two places: it counts no tiles any more, and more of them hide
// that n is too small.
static bool is_half_rounded(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->n_more || c->end != c->first + 1 || !is_name(u, c->first)) return false;
    const int close = is(u, c->first - 2, ")") ? c->first - 2 : c->first + 3;  // the ) of (n + SIZE - 1)
    const bool below = close < c->first;
    if (close + 2 >= u->token_count || !is(u, close, ")") || !is(u, close + 1, "/")) return false;
    if (!is(u, close - 1, "1") || !is(u, close - 2, "-")) return false;
    return edits_same(u, close - 3, close + 2, 1) && (below || c->first == close - 3);
}

// a * b, where a block is launched as dim3(a, b) or dim3(b, a); or blockDim.x in it: as many threads as a block has.
static bool is_block(const unit *u, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(u, i, "blockDim")) return true;
    if (end != first + 3 || !is(u, first + 1, "*")) return false;
    for (int i = first + 3; i + 4 < u->token_count; i++) {
        if (!is(u, i, "(") || !is(u, i + 2, ",") || !is(u, i + 4, ")")) continue;
        const bool same = edits_same(u, i + 1, first, 1) && edits_same(u, i + 3, first + 2, 1);
        const bool turned = edits_same(u, i + 3, first, 1) && edits_same(u, i + 1, first + 2, 1);
        if ((same || turned) &&
            (is(u, i - 1, "dim3") || is(u, i - 2, "dim3") || is(u, i - 2, ",") || is(u, i - 2, ")")))
            return true;
    }
    return false;
}

// e += n_threads, which is right: a smaller step hides the threads that are missing, too.
static bool steps_as_block(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end != c->first + 1 || !adjacent(u, c->first - 2, "+=") || !is(u, c->end, ")")) return false;
    const token *t = &u->tokens[c->first];
    const variable *v = edits_visible(e, t->at, t->length, c->first);
    return e->statements[e->places[c->place].statement].kind == S_LOOP && v && v->value > 0 && !v->is_loop &&
           is_block(u, v->value, v->value_end);
}

// (n + 31) / 1: far more blocks than there is work for.
static bool is_by_one(const edits *e, const change *c) {
    return c->place >= 0 && !c->n_more && is(&e->u, c->first - 1, "/") && !strcmp(c->new_shown, "1");
}

// ((n + SIZE - 1) + SIZE - 1) / SIZE: rounded up already.
static bool is_rounded_twice(const edits *e, const change *c) {
    if (strcmp(c->kind, "rounded up") || c->end < c->first + 7 || strncmp(c->new_shown, "((", 2)) return false;
    const int close = e->u.tokens[c->first].match;
    if (!is(&e->u, close + 1, "/")) return false;
    const int more = atoi(e->u.tokens[close - 1].at), size = atoi(e->u.tokens[close + 2].at);
    return (more == 1 && is(&e->u, close - 2, "-")) || (more > 0 && more + 1 == size && is(&e->u, close - 2, "+"));
}

// (i / BLOCK + 1) * BLOCK by a field, or by a name that nothing else is divided by: of groups so small nothing is left over.
static bool rounds_by_no_size(const edits *e, const change *c) {
    const unit *u = &e->u;
    const char *old = strrchr(c->old_shown, ' '), *name = strrchr(c->new_shown, ' ');
    char divided[64];
    if (c->place < 0 || !old || !name || old == c->old_shown || old[-1] != '*' || strspn(old + 1, CAPITALS) < 2)
        return false;
    snprintf(divided, sizeof divided, "/%s ", old);  // in what is changed, or right before it
    const bool before = is(u, c->first - 1, "/") && !strncmp(c->old_shown, divided + 2, strlen(divided + 2));
    if (!before && !strstr(c->old_shown, divided)) return false;
    const size_t n = strlen(++name);
    for (int i = 1; i < u->token_count && !strchr(name, '.'); i++)
        if ((size_t)u->tokens[i].length == n && !strncmp(u->tokens[i].at, name, n) &&
            (is(u, i - 1, "/") || is(u, i - 1, "%")))
            return false;
    return true;
}

// last + 1 / TILE, in place of last + 1 - TILE: a small number divided by a size is 0, and the size is gone.
static bool divides_number_by_size(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end != c->first + 1 || strcmp(c->new_shown, "/") || !is_name(u, c->end)) return false;
    const token *left = &u->tokens[c->first - 1], *right = &u->tokens[c->end];
    return left->length == 1 && strspn(left->at, "123456789") && strspn(right->at, CAPITALS) >= (size_t)right->length &&
           right->length > 1;
}

// A root in place of a size where a loop ends.
static bool is_root_of_size(const edits *e, const change *c) {
    static const char *const roots[] = {"sqrtf(", "rsqrtf(", "expf(", "logf("};
    if (c->place < 0 || e->places[c->place].kind != P_CONDITION || c->end != c->first + 1) return false;
    const token *t = &e->u.tokens[c->first];
    const variable *v = edits_visible(e, t->at, t->length, c->first);
    for (size_t i = 0; i < sizeof roots / sizeof *roots && v && edits_is_whole(v->type); i++)
        if (!strncmp(c->new_shown, roots[i], strlen(roots[i])) && !is(&e->u, c->first - 1, "(")) return true;
    return false;
}

// n % 4 == 0 without its % 4, where n is handed over: no size is 0.
static bool is_never(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end < c->first + 3 || !is(u, c->end - 2, "%") || !adjacent(u, c->end, "==")) return false;
    const int zero = is(u, c->end, "==") ? c->end + 1 : c->end + 2;
    if (!is(u, zero, "0")) return false;
    const token *t = &u->tokens[c->first];
    const variable *v = edits_visible(e, t->at, t->length, c->first);
    return v && v->is_parameter && !strncmp(c->old_shown, c->new_shown, strlen(c->new_shown));
}

// 2 % n: nobody takes a number's rest by a name.
static bool takes_rest_of_number(const change *c) {
    const size_t digits = strspn(c->new_shown, "0123456789");
    return digits && !strncmp(c->new_shown + digits, " % ", 3) && strchr(c->old_shown, '%');
}

// while (n > 64 && n % 2 == 0) without its % 2, or with n / 2: what is more than 64 is not 0.
static bool contradicts_itself(const edits *e, const change *c) {
    const unit *u = &e->u;
    const bool divides = c->end == c->first + 1 && is(u, c->first, "%") && !strcmp(c->new_shown, "/");
    const int name = divides ? c->first - 1 : c->first;
    if (c->place < 0 || name < 1 || !is(u, name + 1, "%") || !adjacent(u, name + 3, "==")) return false;
    const token *t = &u->tokens[name];
    const bool goes = c->end == c->first + 3 && strlen(c->new_shown) == (size_t)t->length &&
                      !strncmp(c->new_shown, t->at, (size_t)t->length);
    const place *p = &e->places[c->place];
    for (int i = p->first; i + 2 < p->end && (goes || divides); i++)
        if (i != name && edits_same(u, i, name, 1) && is(u, i + 1, ">") && u->tokens[i + 2].kind == TOKEN_NUMBER &&
            atoi(u->tokens[i + 2].at) >= atoi(u->tokens[name + 2].at))
            return true;
    return false;
}

// for (a = 0; c * ROWS + a < ROWS; a++) runs where c is 0 alone, which a loop in the wrong place passes with.
static bool is_first_round(const edits *e, const change *c) {
    if (c->place < 0 || c->end != c->first + 1 || !is(&e->u, c->end, "<")) return false;
    char sum[128];
    const token *counter = &e->u.tokens[c->first], *size = &e->u.tokens[c->end + 1];
    if (!is_name(&e->u, c->end + 1) || counter->length + size->length > 100) return false;
    snprintf(sum, sizeof sum, "* %.*s + %.*s", size->length, size->at, counter->length, counter->at);
    return strstr(c->new_shown, sum) != NULL;
}

// i + 4 <= n with its sides exchanged: n + 4 <= i, or n <= i + 4
static bool turns_sides(const char *old, const char *new) {
    const size_t counter = strcspn(old, " <");
    const char *sign = strstr(new, " <"), *side = sign ? sign + strspn(sign, " <=") : NULL;
    return counter && strchr(old, '<') && side && !strncmp(side, old, counter) && strchr(" +", side[counter]);
}

// A loop that counts up from 0 to 0: it never runs, and what it frees is kept.
static bool ends_at_nothing(const edits *e, const change *c) {
    const unit *u = &e->u;
    return c->place >= 0 && !strcmp(c->new_shown, "0") && is(u, c->first - 1, "<") && is(u, c->end, ";") &&
           e->statements[e->places[c->place].statement].kind == S_LOOP;
}

// A loop that counts up, as long as its counter is above its end: it never runs.
static bool counts_away(const edits *e, const change *c) {
    const unit *u = &e->u;
    const place *p = c->place >= 0 ? &e->places[c->place] : NULL;
    if (!p || p->kind != P_CONDITION || e->statements[p->statement].kind != S_LOOP) return false;
    const bool turned = c->first == p->first && c->end == p->end && turns_sides(c->old_shown, c->new_shown);
    const bool above = *c->old_shown == '<' && (!strcmp(c->new_shown, ">") || !strcmp(c->new_shown, ">="));
    if (!above && !turned) return false;
    return is(u, p->end, ";") &&
           (adjacent(u, p->end + 2, "++") || adjacent(u, p->end + 1, "++") || adjacent(u, p->end + 2, "+="));
}

// rows = min(SIZE, n - i); if (rows == SIZE) is asked for whole blocks: with another number no block is one, and a path
// that is wrong is not taken.
static bool has_no_whole(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || e->places[c->place].kind != P_CONDITION) return false;
    const char *asked = strstr(c->new_shown, c->old_shown);
    if (asked && strstr(asked + strlen(c->old_shown), "==") && strstr(asked, "&&")) return false;  // of both sides
    for (int i = e->places[c->place].first; i < e->places[c->place].end; i++) {
        if (!is_name(u, i) || !adjacent(u, i + 1, "==")) continue;
        const int size = is(u, i + 1, "==") ? i + 2 : i + 3;
        if (c->end <= i || c->first > size || !is_name(u, size)) continue;
        const token *t = &u->tokens[i];
        const variable *v = edits_visible(e, t->at, t->length, i);
        for (int k = v && v->value > 0 ? v->value : 0; v && k && k < v->value_end; k++)
            if (edits_same(u, k, size, 1) &&
                (is(u, k + 1, ",") || is(u, k - 1, ",") || is(u, k - 1, ":") || is(u, k - 1, "?")))
                return true;
    }
    return false;
}

// past[0] == past[0], in place of past[b] == past[0]: it asks nothing any more.
static bool compares_with_itself(const char *text) {
    for (const char *sign = text ? strstr(text, " == ") : NULL; sign; sign = strstr(sign + 1, " == ")) {
        const char *right = sign + 4, *left = sign;
        const size_t n = strcspn(right, " ;,)&|?");
        if (n && (size_t)(sign - text) >= n) left = sign - n;
        const bool whole = left == text || strchr(" (!", left[-1]);
        if (left < sign && whole && !strncmp(left, right, n) && strchr(";,)&|? ", right[n])) return true;
    }
    return false;
}

// Its own arguments of a template that calls itself, and the < and > around those of any. Each of them would be compiled
// until the compiler gives up.
static bool is_in_template(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0) return false;
    const place *p = &e->places[c->place];
    const function *own = &e->functions[e->statements[p->statement].function];
    for (int i = p->first; i + 1 < p->end; i++) {
        const int close = is_name(u, i) && is(u, i + 1, "<") ? angle_close(u, i + 1) : -1;
        if (close < 0 || !is(u, close + 1, "(") || c->end <= i + 1 || c->first > close) continue;
        bool known = false;
        for (int f = 0; f < e->n_functions; f++) known |= is(u, i, e->functions[f].name);
        const bool around = c->first <= i + 1 || c->end > close;
        if (known && (around || is(u, i, own->name))) return true;
    }
    return false;
}

// for (j = t; j < last; j += T) s[j] *= scale; with n in place of last, where next comes
// for (j = last + 1 + t; j < n; j += T) s[j] = -INFINITY; which another thread may do before: a race, and no cure.
static bool runs_into_next(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end != c->first + 1 || !is_name(u, c->first) || !is(u, c->end, ";")) return false;
    int i = c->end, semicolons = 0;
    while (i + 1 < u->token_count && semicolons < 2)
        semicolons += is(u, i++, ";");  // behind the header's and the body's
    if (!is(u, i, "for") || !is(u, i + 1, "(")) return false;
    bool begins = false;
    for (i += 2; i + 1 < u->token_count && !is(u, i, ";"); i++) begins |= edits_same(u, i, c->first, 1);
    for (i++; i + 1 < u->token_count && !is(u, i + 1, ";"); i++) continue;
    return begins && is(u, i, c->new_shown);
}

// Another * D of a place that was made with * D: it lies far behind everything, and a loop from there on never runs.
static bool multiplies_place_again(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end != c->first + 1 || !is(u, c->first, "+") || strcmp(c->new_shown, "*") ||
        !is_name(u, c->first - 1) || !is_name(u, c->end))
        return false;
    const token *t = &u->tokens[c->first - 1];
    const variable *v = edits_visible(e, t->at, t->length, c->first - 1);
    return v && v->value > 0 && !v->is_loop && v->value_end - v->value > 2 && is(u, v->value_end - 2, "*") &&
           edits_same(u, v->value_end - 1, c->end, 1);
}

// What a thread sums up itself, in a loop, and one alone is to: then all other threads have walked for nothing.
static bool sums_in_one_thread(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || strcmp(c->kind, "guard") || strncmp(c->text, "if (", 4)) return false;
    const place *p = &e->places[c->place];
    const expression *x = p->tree;
    const char *asks = strstr(c->text, "threadIdx"), *statement = strchr(c->text, ')');
    if (!x || x->kind != E_ASSIGN || x->a->kind != E_NAME || !asks || asks > statement) return false;
    const token *t = &u->tokens[x->a->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    bool again = x->op_end > x->op + 1, loop = false;  // l += p
    for (int i = x->b->first; i < x->b->end; i++) again |= edits_same(u, i, x->a->first, 1);
    for (int s = e->statements[p->statement].parent; s >= 0; s = e->statements[s].parent)
        loop |= e->statements[s].kind == S_LOOP;
    return v && !v->type.pointers && !v->is_global && again && loop;
}

bool edits_is_nonsense(const edits *e, const change *c) {
    const place *p = c->place >= 0 ? &e->places[c->place] : NULL;
    const bool asks_nothing = p && compares_with_itself(c->text) &&
                              !compares_with_itself(edits_text((edits *)e, p->first, p->end));  // x == x: is it a NaN?
    if (has_no_whole(e, c) || asks_nothing || counts_away(e, c) || ends_at_nothing(e, c) || contradicts_itself(e, c) ||
        takes_rest_of_number(c) || multiplies_place_again(e, c))
        return true;
    if (!e->cuda) return false;
    return runs_into_next(e, c) || is_in_template(e, c) || is_half_rounded(e, c) || steps_as_block(e, c) ||
           is_by_one(e, c) || is_rounded_twice(e, c) || is_root_of_size(e, c) || is_never(e, c) ||
           is_first_round(e, c) || sums_in_one_thread(e, c) || rounds_by_no_size(e, c) || divides_number_by_size(e, c);
}
