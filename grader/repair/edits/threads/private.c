// private.c: what the threads of a parallel region share and should not: a variable that is declared outside, set within
// by all of them, to more than a constant, and named in no clause. One that nothing in the region reads, and what stands
// behind it does, is a result: it is to be protected, and not to be each thread's own.
#include "edits.h"

#include <string.h>

enum { MOST = 4, NAME = 64 };

static bool has_word(const char *at, const char *end, const char *word) {
    const size_t n = strlen(word);
    for (; at + n <= end; at++) {
        const bool before = at[-1] == '_' || (at[-1] >= '0' && at[-1] <= '9') || (at[-1] >= 'A' && at[-1] <= 'Z') ||
                            (at[-1] >= 'a' && at[-1] <= 'z');
        const char c = at[n];
        const bool after = c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!before && !after && !memcmp(at, word, n)) return true;
    }
    return false;
}

// The directive with `omp parallel` above the statement; NULL: none.
static const directive *parallel_above(const edits *e, const statement *st) {
    const size_t first = (size_t)(e->u.tokens[st->first].at - e->u.text);
    for (int i = 0; i < e->n_directives; i++) {
        const directive *d = &e->directives[i];
        const char *at = e->source + d->first, *end = e->source + d->end;
        if (d->first >= st->begin && d->first < first && has_word(at, end, "omp") && has_word(at, end, "parallel"))
            return d;
    }
    return NULL;
}

static bool is_pointer_of_struct(const edits *e, int field) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].owner && e->variables[i].type.pointers && is(&e->u, field, e->variables[i].name))
            return true;
    return false;
}

// make(&x, n), a function of the file that gives what it is handed memory: p->field = malloc(n).
static bool is_made_at(const edits *e, int i) {
    const unit *u = &e->u;
    const function *f;
    const variable *p = is(u, i - 1, "&") && !is(u, i - 2, "&") ? edits_handed_as(e, i - 1, i + 1, &f) : NULL;
    for (int k = p ? f->body : 0; p && k + 2 < f->end; k++) {
        if (is(u, k, p->name) && is(u, k + 1, "->") && edits_assigns(u, k + 3) && is_pointer_of_struct(e, k + 2))
            return true;
    }
    return false;
}

// x = 1, x++, and x.field = 1, which sets a part of it.
static bool is_set_at(const edits *e, int i) {
    const unit *u = &e->u;
    int end = i + 1;
    while (is(u, end, ".") && is_name(u, end + 1)) end += 2;
    return edits_assigns(u, end) || is_made_at(e, i) || adjacent(u, end, "++") || adjacent(u, end, "--") ||
           adjacent(u, i - 2, "++") || adjacent(u, i - 2, "--");
}

// failed = 1: whichever thread says it, and however many do.
static bool is_flag(const edits *e, int i) {
    const unit *u = &e->u;
    const int value = i + 2 + is(u, i + 2, "-");
    const variable *v =
        is_name(u, value) ? edits_visible(e, u->tokens[value].at, u->tokens[value].length, value) : NULL;
    return is(u, i + 1, "=") && (is(u, value + 1, ";") || is(u, value + 1, ",") || is(u, value + 1, ")")) &&
           (!is_name(u, value) || !v || v->is_global);
}

// Is its counter v? collapse: of so many loops, one in the other.
static bool counts(const edits *e, int loop, int collapse, const variable *v) {
    for (; loop >= 0 && loop < e->n_statements && e->statements[loop].kind == S_LOOP && collapse > 0; collapse--) {
        const statement *st = &e->statements[loop];
        if (is(&e->u, st->first + 2, v->name)) return true;
        loop = st->body >= 0 && e->statements[st->body].kind == S_BLOCK ? st->body + 1 : st->body;
    }
    return false;
}

// Does a directive above the statement say that one thread alone is there, or give each its own v?
static bool is_own_by(const edits *e, int s, const variable *v) {
    static const char *const shares[] = {"for", "simd", NULL};
    const statement *st = &e->statements[s];
    const size_t first = (size_t)(e->u.tokens[st->first].at - e->u.text);
    for (int i = 0; i < e->n_directives; i++) {
        const directive *d = &e->directives[i];
        const char *at = e->source + d->first, *end = e->source + d->end;
        if (d->first < st->begin || d->first >= first || !has_word(at, end, "omp")) continue;
        if (has_word(at, end, v->name) || counts(e, s, d->collapse > 1 ? d->collapse : 1, v)) return true;
        bool all = has_word(at, end, "parallel");
        for (int k = 0; shares[k]; k++) all |= has_word(at, end, shares[k]);
        if (!all || has_word(at, end, "sections")) return true;
    }
    return false;
}

// if (omp_get_thread_num() == 0), if (!thread): one of them.
static bool asks_who(const edits *e, const statement *st) {
    const unit *u = &e->u;
    const int close = st->kind == S_IF ? u->tokens[st->first + 1].match : 0;
    for (int i = st->first + 2; i < close; i++) {
        if (is(u, i, "omp_get_thread_num")) return true;
        for (int k = 0; k + 2 < u->token_count && is_name(u, i); k++)
            if (is(u, k + 2, "omp_get_thread_num") && is(u, k + 1, "=") && u->tokens[k].length == u->tokens[i].length &&
                !memcmp(u->tokens[k].at, u->tokens[i].at, (size_t)u->tokens[i].length))
                return true;
    }
    return false;
}

static bool by_all(const edits *e, int region, int token, const variable *v) {
    int s = region;
    for (int k = region; k < e->n_statements && e->statements[k].first <= token; k++)
        if (e->statements[k].end > token) s = k;
    for (; s >= 0; s = s == region ? -1 : e->statements[s].parent)
        if (is_own_by(e, s, v) || asks_who(e, &e->statements[s])) return false;
    return true;
}

static bool is_declared_at(const edits *e, int token) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].declared == token) return true;
    return false;
}

// Its token in the region where each thread sets it; -1: none does.
static int set_within(const edits *e, int region, const variable *v) {
    const unit *u = &e->u;
    const statement *st = &e->statements[region];
    const int n = (int)strlen(v->name);
    for (int i = st->first; i < st->end; i++) {
        const token *t = &u->tokens[i];
        if (t->length == n && !memcmp(t->at, v->name, (size_t)n) && !is(u, i - 1, ".") && !is(u, i - 1, "->") &&
            !is(u, i - 1, "*") && is_set_at(e, i) && !is_flag(e, i) && !is_declared_at(e, i) &&
            edits_visible(e, t->at, n, i) == v && by_all(e, region, i, v))
            return i;
    }
    return -1;
}

static bool is_read_at(const edits *e, int i, const variable *v) {
    const unit *u = &e->u;
    const token *t = &u->tokens[i];
    return is(u, i, v->name) && !is(u, i - 1, ".") && !is(u, i - 1, "->") && !is_set_at(e, i) &&
           edits_visible(e, t->at, t->length, i) == v;
}

// What becomes of it: "sum" of all threads, a "result" of any of them, or each thread's "own".
static const char *use_of(const edits *e, const statement *region, const variable *v, int set) {
    bool within = false, behind = false, adds = true;
    for (int i = region->first; i < v->to && i < e->u.token_count; i++) {
        if (i < region->end) within |= is_read_at(e, i, v);
        if (i >= region->end) behind |= is_read_at(e, i, v);
        if (i < region->end && is(&e->u, i, v->name) && is(&e->u, i + 1, "=")) adds = false;
    }
    if (within || !behind) return "own";
    return adds && (is(&e->u, set + 1, "+=") || adjacent(&e->u, set + 1, "+=")) ? "sum" : "result";
}

// Locks, and sections of which each has its thread, are more than is read here.
static bool is_understood(const edits *e, const statement *st, const directive *d) {
    for (int i = st->first; i < st->end; i++)
        if (is(&e->u, i, "omp_set_lock")) return false;
    return !has_word(e->source + d->first, e->source + d->end, "sections");
}

// Each thread of a region around this one has a variable of its own.
static bool is_private_around(const edits *e, const variable *v) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->first < v->declared && v->declared < st->end && parallel_above(e, st)) return true;
    }
    return false;
}

void edits_write_shared(edits *e, FILE *out) {
    int n = 0;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const directive *d = parallel_above(e, st);
        for (int i = 0; d && is_understood(e, st, d) && i < e->n_variables && n < MOST; i++) {
            const variable *v = &e->variables[i];
            const bool outside =
                v->declared >= 0 && v->declared < st->first && v->to >= st->end && !v->owner && strlen(v->name) < NAME;
            const int at = outside && !v->is_const && !is_private_around(e, v) ? set_within(e, s, v) : -1;
            if (at >= 0) fprintf(out, "%s\t%d\t%s\n", v->name, e->u.tokens[at].line, use_of(e, st, v, at)), n++;
        }
    }
}
