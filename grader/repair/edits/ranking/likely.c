// likely.c: a change is the likelier, the more its surroundings look like the rest of the file: where it makes
// `O[base + qi * D`, and another line reads that, too; where it reads a variable that nobody reads.
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 1,
    REFUSES = 20,
    UNREAD = 26,
    WHOLE = 24,
    SAME = 20,
    HIDES = 100,
    OF_DEVICE = 60,
    NO_QUESTION = 16,
    FEW = 2
};

// A variable of this function that is declared, perhaps set, and then read nowhere.
bool edits_is_unread(const edits *e, const variable *v) {
    const unit *u = &e->u;
    const int n = (int)strlen(v->name);
    if (v->declared < 0 || v->is_global || v->from > v->to) return false;
    for (int i = v->from; i < v->to; i++)
        if (u->tokens[i].length == n && !memcmp(u->tokens[i].at, v->name, (size_t)n) && !is(u, i - 1, ".") &&
            !is(u, i - 1, "->") && !(is(u, i + 1, "=") && !is(u, i + 2, "=")) && !is(u, i - 2, "void") &&
            !(is(u, i + 1, ".") && is(u, i + 3, "=") && !is(u, i + 4, "=")))
            return false;
    return true;
}

static bool has_word(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) && !isalnum((unsigned char)at[n]) &&
            at[n] != '_')
            return true;
    return false;
}

// Who writes a function of his own gives it no parameter that it does not need; those of the contract are not chosen.
static bool is_own(const edits *e, const bool *unread, const variable *v) {
    int n = 0;
    for (int i = 0; i < e->n_variables; i++)
        n += unread[i] && e->variables[i].is_parameter && e->variables[i].from == v->from;
    if (n > FEW) return false;
    for (int i = 0; i < e->n_functions && !e->cuda; i++)
        if (e->functions[i].body == v->from) return strncmp(e->functions[i].name, "attn_", 5) != 0;
    return false;
}

static bool reads_unread(const edits *e, const bool *unread, const change *c) {
    const bool name = !strcmp(c->kind, "name");
    for (int i = 0; i < e->n_variables; i++)
        if (unread[i] && (name || !e->variables[i].is_loop) &&
            (name || !e->variables[i].is_parameter || is_own(e, unread, &e->variables[i])) &&
            has_word(c->new_shown, e->variables[i].name) && edits_sees(e, &e->variables[i], c->at))
            return true;
    return false;
}

// min(size, n) becomes n, and nobody reads size any more: with a tile as large as the whole most claims hold. What the
// student wrote down is meant to be read.
bool edits_leaves_idle(const edits *e, const change *c) {
    const unit *u = &e->u;
    const bool limit = c->place >= 0 && !strcmp(c->kind, "left out") && is_name(u, c->first) &&
                       is(u, c->first + 1, "(") && u->tokens[c->first + 1].match == c->end - 1;
    for (int i = 0; limit && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        bool read_here = false, read_elsewhere = false;
        if (v->declared < 0 || v->is_global || v->is_loop || v->from > v->to || has_word(c->new_shown, v->name))
            continue;
        for (int t = c->first; t < c->end; t++)
            read_here |= is(u, t, v->name) && !is(u, t - 1, ".") && !is(u, t - 1, "->") && edits_sees(e, v, t);
        for (int t = v->from; read_here && t < v->to && !read_elsewhere; t++)
            read_elsewhere = (t < c->first || t >= c->end) && is(u, t, v->name) && !is(u, t - 1, ".") &&
                             !is(u, t - 1, "->") && !(is(u, t + 1, "=") && !is(u, t + 2, "="));
        if (read_here && !read_elsewhere && !c->n_more) return true;
    }
    return false;
}

// float m = -INFINITY: below that nothing is. Where a maximum begins with something else, claims hold by chance; but one
// that is kept from tile to tile, m = *kept or m = all.m (running.c), goes on. What something is added to begins
// elsewhere, and so may a second one in a list.
bool edits_is_no_start(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || !strcmp(c->kind, "running")) return false;
    const place *p = &e->places[c->place];
    const statement *st = &e->statements[p->statement];
    if (p->kind != P_VALUE || st->kind != S_DECLARATION || p->end - p->first != 2 || !is(u, p->first, "-") ||
        !is(u, p->first + 1, "INFINITY"))
        return false;
    for (int i = st->first; i < p->first; i++)
        if (is(u, i, "INFINITY")) return false;
    const int name = p->first - 2;
    for (int i = 0; i < u->token_count && is_name(u, name); i++)
        if (u->tokens[i].length == u->tokens[name].length && adjacent(u, i + 1, "+=") &&
            !memcmp(u->tokens[i].at, u->tokens[name].at, (size_t)u->tokens[i].length))
            return false;
    for (int i = 0; i < e->n_variables && is_name(u, name); i++) {
        const variable *v = &e->variables[i];
        if (v->type.pointers && !v->type.constant && has_word(c->new_shown, v->name) && edits_sees(e, v, name))
            return false;
    }
    return true;
}

static bool is_one_name(const char *text) {
    while (isalnum((unsigned char)*text) || *text == '_') text++;
    return !*text;
}

// What a teacher sees seldom comes later; what is simple, sooner. Counted over some 270 mistakes: how often a kind is
// what mends, of how many changes of its kind and rank; eight points are a factor of e.
static int kind_gain(const change *c) {
    static const struct {
        const char *kind;
        int gain;
    } kinds[] = {{"condition", -14}, {"term", -4},    {"guard", -4},   {"barrier", 14},  {"subscript", 12},
                 {"cast", -6},       {"joined", 12},  {"bound", 8},    {"exchanged", 8}, {"left out", 6},
                 {"assignment", 6},  {"function", 8}, {"fraction", 6}, {"order", 8},     {"call", 2},
                 {"constant", 2},    {"one off", 6},  {"cut off", -8}};
    if (!strcmp(c->kind, "assignment") && c->rank >= 20) return -6;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(c->kind, kinds[i].kind)) return kinds[i].gain;
    const bool name = !strcmp(c->kind, "name");
    if (name && strncmp(c->new_shown, "ATTN_", 5) == 0) return -4;  // a status is seldom mistaken
    if (name && edits_related(c->old_shown, c->new_shown)) return 14;
    if (name && is_one_name(c->new_shown)) return is_one_name(c->old_shown) ? -2 : 8;
    return !strcmp(c->kind, "operator") && c->rank >= 20 ? -12 : 0;
}

// Sizes that are refused, and statuses that are handed on: seldom wrong, and never the reason for a wrong number. Who
// returns ATTN_OK refuses nothing: `if (!shape.causal) return ATTN_OK;` is a mask's condition like any other.
static bool only_refuses(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || e->places[c->place].kind != P_CONDITION) return false;
    const place *p = &e->places[c->place];
    for (int i = p->first; i < p->end; i++)
        if (is(u, i, "ATTN_OK")) return true;
    return is(u, p->end + 1, "return") && !strncmp(u->tokens[p->end + 2].at, "ATTN_", 5) &&
           !is(u, p->end + 2, "ATTN_OK");
}

// Who is refused is asked on the host, in a condition or in a function that answers yes or no.
static int far_from_status(const edits *e, const change *c) {
    const int s = edits_statement_of(e, c);
    const function *f = s >= 0 ? &e->functions[e->statements[s].function] : NULL;
    if (f && (f->device || f->kernel)) return OF_DEVICE;
    return (f && edits_answers(e, f)) || only_refuses(e, c) ? 0 : NO_QUESTION;
}

// Tiles of 32 that follow each other in steps of 1: each number is loaded and used alone, and what the tile does wrong with
// the others is hidden.
static bool steps_by_one(const change *c) {
    return !strcmp(c->kind, "constant") && atoi(c->old_shown) >= 4 && !strcmp(c->new_shown, "1");
}

// With smaller steps from threadIdx.x on, threads do each other's work once more: it is right, and not what is wrong.
static bool repeats_work(const edits *e, const change *c) {
    if (c->place < 0 || e->places[c->place].kind != P_VOID) return false;
    const statement *st = &e->statements[e->places[c->place].statement];
    bool threads = false;
    for (int i = st->first; i < c->first; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        threads |= is(&e->u, i, "threadIdx");
        for (int k = v && !v->is_loop ? v->value : 0; v && k < v->value_end && k > 0; k++)
            threads |= is(&e->u, k, "threadIdx");
    }
    const bool fewer = !strcmp(c->kind, "left out") || !strcmp(c->kind, "constant");
    return st->kind == S_LOOP && ((threads && fewer) || steps_by_one(c));
}

// from = b * H * N * D, to = b * H * N * D: two that have a name each are not the same.
static bool has_same_value(const edits *e, const change *c) {
    const place *p = &e->places[c->place];
    const int n = p->end - p->first;
    if (strcmp(c->kind, "name") || p->kind != P_VALUE || n < 4) return false;
    for (int q = 0; q < e->n_places; q++) {
        const place *other = &e->places[q];
        bool same = other->statement == p->statement && q != c->place && other->end - other->first == n;
        for (int i = 0; i < n && same; i++) {
            const token *a = &e->u.tokens[p->first + i], *b = &e->u.tokens[other->first + i];
            same = a->length == b->length && !memcmp(a->at, b->at, (size_t)a->length);
        }
        if (same) return true;
    }
    return false;
}

// for (d = 0; d < past; d++): d counts dims, and D is how many there are.
static bool counts_dims(const edits *e, const change *c) {
    const place *p = &e->places[c->place];
    return p->kind == P_CONDITION && e->statements[p->statement].kind == S_LOOP && !strcmp(c->kind, "name") &&
           !strcmp(c->new_shown, "D") && is(&e->u, c->first - 1, "<") && is(&e->u, c->first - 2, "d");
}

// count[0] becomes count[b], which stands elsewhere: what an array is asked for is the same in a file.
static bool is_subscript_of_file(const edits *e, const edits_words *x, const change *c) {
    if (is(&e->u, c->first - 1, "[") && is(&e->u, c->end, "]")) return edits_written(e, x, c, 2, 1);
    const size_t name = strcspn(c->old_shown, "[");
    const bool same = c->old_shown[name] && is_one_name(edits_text((edits *)e, c->first, c->first + 1)) &&
                      !strncmp(c->old_shown, c->new_shown, name + 1) && !strpbrk(c->new_shown, " ");
    return same && edits_written(e, x, c, 0, 0);
}

void edits_likely(edits *e) {
    static const struct {
        int left, right, gain;
    } looks[] = {{3, 3, 22}, {2, 2, 16}, {1, 2, 10}, {2, 1, 10}, {1, 1, 4}};
    const edits_words *x = edits_words_of(e);
    bool *unread = keep(&e->u, (size_t)e->n_variables + 1);
    for (int i = 0; i < e->n_variables; i++) unread[i] = edits_is_unread(e, &e->variables[i]);
    for (int s = 0; s < e->n_statements; s++) {
        const variable *counter = e->statements[s].kind == S_LOOP ? edits_unread_counter(e, &e->statements[s]) : NULL;
        if (counter) unread[counter - e->variables] = true;
    }
    for (int i = 0; i < e->n_changes; i++) {
        change *c = &e->changes[i];
        const int kind = kind_gain(c) - (e->statuses ? far_from_status(e, c) : 0);
        c->rank = c->rank > kind + LEAST ? c->rank - kind : LEAST;
        if (repeats_work(e, c)) c->rank += HIDES;
        if (!e->statuses && only_refuses(e, c)) {
            c->rank += REFUSES;
            continue;
        }
        int gain = *c->new_shown && c->remove < 0 && reads_unread(e, unread, c) ? UNREAD : 0;
        if (c->place < 0 || c->n_more || c->first >= c->end || !*c->new_shown) {
            c->rank = c->rank > gain + LEAST ? c->rank - gain : LEAST;
            continue;
        }
        if (is_subscript_of_file(e, x, c) || counts_dims(e, c)) gain += WHOLE;
        if (has_same_value(e, c)) gain = SAME;
        for (size_t k = 0; k < sizeof looks / sizeof *looks && !gain; k++)
            if (edits_written(e, x, c, looks[k].left, looks[k].right)) gain = looks[k].gain;
        c->rank = c->rank > gain + LEAST ? c->rank - gain : LEAST;
    }
}
