// private.c: what the threads of a parallel region share and should not: a variable that is declared outside, set within
// and named in no clause; or memory that is allocated outside.
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

static bool is_set_at(const edits *e, int i) {
    const unit *u = &e->u;
    return edits_assigns(u, i + 1) || adjacent(u, i + 1, "++") || adjacent(u, i + 1, "--") ||
           adjacent(u, i - 2, "++") || adjacent(u, i - 2, "--");
}

// Its token in the region where it is set; -1: it is not. The counter of the loop that is shared is each thread's own.
static int set_within(const edits *e, const statement *st, const variable *v) {
    const unit *u = &e->u;
    const int n = (int)strlen(v->name);
    for (int i = st->first; i < st->end; i++) {
        const token *t = &u->tokens[i];
        const bool own = st->kind == S_LOOP && i == st->first + 2;
        if (t->length != n || memcmp(t->at, v->name, (size_t)n) || is(u, i - 1, ".") || is(u, i - 1, "->") || own ||
            is(u, i - 1, "*") || !edits_sees(e, v, i) || !is_set_at(e, i))
            continue;
        const int d = edits_directive_before(e, i);
        if (d < 0 || !has_word(e->source + e->directives[d].first, e->source + e->directives[d].end, "omp")) return i;
    }
    return -1;
}

static bool is_own_counter(const edits *e, const statement *st, const variable *v) {
    return st->kind == S_LOOP && is(&e->u, st->first + 2, v->name);
}

void edits_write_shared(edits *e, FILE *out) {
    int n = 0;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const directive *d = parallel_above(e, st);
        for (int i = 0; d && i < e->n_variables && n < MOST; i++) {
            const variable *v = &e->variables[i];
            const bool outside =
                v->declared >= 0 && v->declared < st->first && v->to >= st->end && !v->owner && strlen(v->name) < NAME;
            if (!outside || v->is_const || is_own_counter(e, st, v) ||
                has_word(e->source + d->first, e->source + d->end, v->name))
                continue;
            const int at = set_within(e, st, v);
            if (at >= 0) fprintf(out, "%s\t%d\n", v->name, e->u.tokens[at].line), n++;
        }
    }
}
