// oftener.c: what hides a mistake. A walk whose body works on all of a step has the step that it needs: with a smaller
// one the same work is done again, and what was spoilt is overwritten. Tiles of as many keys as there are threads, or of
// 16, have one key for each of them, so that nothing goes on from one to the next. A float that sums up, or looks for a
// maximum, begins with no size.
//
//     for (i = 0; i < n; i += 2) both(i, i + 1 < n);                          i += 1
//     if (causal && j > last) break;                                          no break
//     if (j0 / bc > last) break;                                              j0 % bc, where j0 goes on by bc
//     end = causal ? min(n, last + 1) : n;                                    max in place of min
//     for (j = 0; j < n; j += BC) { there = min(BC, n - j); ... }             TEAM in place of BC in both
//     float sum = 0;                                                          s.seq_q in place of 0
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int begin, counter, step, close;  // tokens: for (begin ...; ...; counter += step)
} walk;

static bool is_walk(const unit *u, const statement *s, walk *w) {
    if (s->kind != S_LOOP || !is(u, s->first, "for") || !is(u, s->first + 1, "(")) return false;
    int n = 0;
    w->begin = s->first + 2, w->close = u->tokens[s->first + 1].match, w->counter = 0;
    for (int i = w->begin; i < w->close; i++)
        if (is(u, i, ";") && ++n == 2) w->counter = i + 1;
    w->step = w->counter + 3;
    return w->counter && is_name(u, w->counter) && adjacent(u, w->counter + 1, "+=") && w->step + 1 == w->close;
}

static bool is_number(const unit *u, int i) { return isdigit((unsigned char)*u->tokens[i].at); }

// i + 1, where the step is 2 or more, or i + k with k < STEP around it
static bool works_beyond(const unit *u, const walk *w, int i, int end) {
    if (!edits_same(u, i, w->counter, 1) || !is(u, i + 1, "+")) return false;
    const int by = i + 2;
    if (is_number(u, by)) return is_number(u, w->step) && atoi(u->tokens[by].at) < atoi(u->tokens[w->step].at);
    for (int k = w->close; is_name(u, by) && k + 2 < end; k++)
        if (edits_same(u, k, by, 1) && is(u, k + 1, "<") && edits_same(u, k + 2, w->step, 1) && is(u, k + 3, ";"))
            return true;
    return false;
}

// min(STEP, n - i), or min(n - i, STEP)
static bool is_cut(const unit *u, const walk *w, int i) {
    static const char *const least[] = {"min", "MIN", "imin", "std::min", "fmin", NULL};
    if (!is_any(u, i, least) || !is(u, i + 1, "(")) return false;
    const int close = u->tokens[i + 1].match;
    const bool first = edits_same(u, i + 2, w->step, 1) && is(u, i + 3, ",");
    const bool last = edits_same(u, close - 1, w->step, 1) && is(u, close - 2, ",");
    for (int k = i + 2; k < close; k++)
        if (edits_same(u, k, w->counter, 1) && is(u, k - 1, "-")) return first || last;
    return false;
}

static bool fits_its_body(const unit *u, const statement *s, const walk *w) {
    for (int i = w->close; i + 3 < s->end; i++)
        if (works_beyond(u, w, i, s->end) || is_cut(u, w, i)) return true;
    return false;
}

static bool grows_to(const unit *u, int old, const char *number) {
    return is_number(u, old) && isdigit((unsigned char)*number) && atoi(number) > atoi(u->tokens[old].at);
}

// threadIdx.x / N, % N: so many threads, or lanes
static bool counts_threads(const unit *u, const char *name) {
    for (int i = 2; i + 2 < u->token_count; i++)
        if (is(u, i - 2, "threadIdx") && (is(u, i + 1, "/") || is(u, i + 1, "%")) && is(u, i + 2, name)) return true;
    return false;
}

static const walk *walk_at(const edits *e, const change *c, walk *w) {
    const statement *s = &e->statements[e->places[c->place].statement];
    for (int at = e->places[c->place].statement; at >= 0; at = e->statements[at].parent) {
        s = &e->statements[at];
        if (is_walk(&e->u, s, w) && edits_same(&e->u, w->step, c->first, 1) && fits_its_body(&e->u, s, w)) return w;
    }
    return NULL;
}

static bool works_again(const edits *e, const change *c) {
    const unit *u = &e->u;
    const statement *s = &e->statements[e->places[c->place].statement];
    walk w;
    if (!is_walk(u, s, &w) || !fits_its_body(u, s, &w)) return false;
    return !c->n_more && c->first >= w.counter && c->end <= w.close && !grows_to(u, w.step, c->new_shown);
}

static bool loses_tile(const edits *e, const change *c) {
    walk w;
    if (!c->n_more || c->end != c->first + 1 || !walk_at(e, c, &w)) return false;
    return isdigit((unsigned char)*c->new_shown) || counts_threads(&e->u, c->new_shown);
}

static bool is_nothing_yet(const unit *u, int first, int end) {
    static const char *const zeros[] = {"0", "0.0f", "0.f", "0.0", "0.", NULL};
    const int last = end - 1;
    return (end == first + 1 && is_any(u, last, zeros)) ||
           (end == first + 2 && is(u, first, "-") && (is(u, last, "INFINITY") || is(u, last, "FLT_MAX")));
}

// A name, or a field: a whole number, whatever it counts.
static bool is_count(const edits *e, const change *c) {
    const char *name = c->new_shown, *end = name;
    for (const char *at = name; *at; at++) {
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '.') return false;
        if (*at == '.') name = at + 1;
        end = at + 1;
    }
    if (end == name || isdigit((unsigned char)*name)) return false;
    if (name == c->new_shown) {
        const variable *v = edits_visible(e, name, (int)(end - name), c->first);
        return v && edits_is_whole(v->type);
    }
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].owner && !strcmp(e->variables[i].name, name)) return edits_is_whole(e->variables[i].type);
    return false;
}

static bool begins_with_size(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (!is(u, c->first - 1, "=") || !is_name(u, c->first - 2) || !is_nothing_yet(u, c->first, c->end)) return false;
    const token *t = &u->tokens[c->first - 2];
    const variable *v = edits_visible(e, t->at, t->length, c->end);
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].declared == c->first - 2) v = &e->variables[i];
    return v && edits_is_real(v->type) && is_count(e, c);
}

// if (causal && j0 > last) break; goes: what is hidden is computed, too, and passes.
static bool loses_break(const edits *e, const change *c) {
    int s = c->remove;
    for (int up = 0; s >= 0 && e->statements[s].kind != S_IF && up < 2; up++) s = e->statements[s].parent;
    if (c->insert >= 0 || s < 0 || e->statements[s].kind != S_IF || !is(&e->u, e->statements[s].first + 1, "("))
        return false;
    const statement *asks = &e->statements[s];
    const int behind = e->u.tokens[asks->first + 1].match + 1;
    const bool leaves = is(&e->u, behind, "break") || (is(&e->u, behind, "{") && is(&e->u, behind + 1, "break"));
    return leaves && strstr(edits_text((edits *)e, asks->first, behind), "causal");
}

// causal ? min(n, last + 1) : n and n = min(n, last + 1) with max: the walk goes beyond all that there is, and what is hidden
// is computed, too, and passes.
static bool loses_end(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->end != c->first + 1 || c->n_more || !is(u, c->first, "min") || !is(u, c->first + 1, "(")) return false;
    const int close = u->tokens[c->first + 1].match;
    int comma = c->first + 2;
    while (comma < close && !is(u, comma, ",")) comma = is(u, comma, "(") ? u->tokens[comma].match + 1 : comma + 1;
    if (strcmp(c->new_shown, "max") || comma >= close) return false;
    for (int k = 0; k < 2; k++) {
        const int from = k ? comma + 1 : c->first + 2, n = (k ? close : comma) - from;
        if (is(u, close + 1, ":") && edits_same(u, close + 2, from, n)) return true;
        if (is(u, c->first - 1, "=") && c->first - 1 >= n && edits_same(u, c->first - 1 - n, from, n)) return true;
    }
    return false;
}

// j0 % Bc in place of j0 / Bc, where j0 goes on by Bc: that is 0 in every round, so that no question of it ends the walk.
static bool is_0_in_each_round(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || c->end != c->first + 1 || !is(u, c->first, "/") || strcmp(c->new_shown, "%")) return false;
    for (int s = e->places[c->place].statement; s >= 0; s = e->statements[s].parent) {
        const statement *loop = &e->statements[s];
        if (loop->kind != S_LOOP || !is(u, loop->first, "for") || !is(u, loop->first + 1, "(")) continue;
        const int close = u->tokens[loop->first + 1].match;
        int step = close;
        while (step > loop->first && !adjacent(u, step, "+=")) step--;
        const int n = close - step - 2;  // the tokens of what it goes on by
        if (step > loop->first && edits_same(u, step - 1, c->first - 1, 1) && n > 0 &&
            edits_same(u, close - n, c->first + 1, n))
            return true;
    }
    return false;
}

// j0 && causal / bc > last in place of causal && j0 / bc > last: a flag divided by a size is 0, and nothing ends the walk.
static bool divides_flag(const edits *e, const change *c) {
    const size_t n = c->place < 0 ? 0 : strlen(c->new_shown);
    const bool at_end = n >= 6 && !strcmp(c->new_shown + n - 6, "causal") && is(&e->u, c->end, "/");
    return at_end || (n && strstr(c->new_shown, "causal / ") && !strstr(c->old_shown, "causal / "));
}

bool edits_is_oftener(const edits *e, const change *c) {
    if (loses_break(e, c) || is_0_in_each_round(e, c) || divides_flag(e, c)) return true;
    return c->place >= 0 && (works_again(e, c) || loses_tile(e, c) || loses_end(e, c) || begins_with_size(e, c));
}
