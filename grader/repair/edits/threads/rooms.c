// rooms.c: memory that is allocated before a parallel region and that each of its threads works in, in the same place. It
// is said only where the file is wrong with two threads and right with one.
//
//     float *p = malloc(n);                  p is one for all: it belongs within the region, or each thread
//     #pragma omp parallel                   works in a part of it that its number, or its round, names
//     { ... p[c] = 0; ... work(p); }
//     struct room w;  grab(&w, n);           w is one for all, too
#include "edits.h"

#include <string.h>

enum { MOST = 3, DEEP = 6 };

static const directive *above(const edits *e, const statement *st, const char *word) {
    const size_t first = (size_t)(e->u.tokens[st->first].at - e->u.text);
    for (int i = 0; i < e->n_directives; i++) {
        const directive *d = &e->directives[i];
        if (d->first >= st->begin && d->first < first && edits_says(e, d, "omp") && edits_says(e, d, word)) return d;
    }
    return NULL;
}

// Is v the counter of a loop whose rounds are shared out, or of one that is one with it?
static bool is_shared_out(const edits *e, const variable *v) {
    for (int s = 0; s < e->n_statements; s++) {
        const directive *d = e->statements[s].kind == S_LOOP ? above(e, &e->statements[s], "for") : NULL;
        int loop = d ? s : -1;
        for (int n = d && d->collapse > 1 ? d->collapse : 1; loop >= 0 && loop < e->n_statements && n > 0; n--) {
            const statement *st = &e->statements[loop];
            if (st->kind != S_LOOP) break;
            const int body = st->body >= 0 ? e->statements[st->body].first : st->end;
            if (v->is_loop && v->declared > st->first && v->declared < body) return true;
            loop = st->body >= 0 && e->statements[st->body].kind == S_BLOCK ? st->body + 1 : st->body;
        }
    }
    return false;
}

// Whether the tokens are made of the thread's number, or of a variable of that kind, through what those are set to.
static bool depends(const edits *e, int first, int end, edits_kind_of *on, int depth) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (is(&e->u, i, "omp_get_thread_num")) return true;
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (!v || is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")) continue;
        if (on(e, v)) return true;
        if (v->value > 0 && depth < DEEP && depends(e, v->value, v->value_end, on, depth + 1)) return true;
    }
    return false;
}

bool edits_depends(const edits *e, int first, int end, edits_kind_of *on) { return depends(e, first, end, on, 0); }

// Does [first, end) name something that no two threads have alike?
static bool names_thread(const edits *e, int first, int end) { return edits_depends(e, first, end, is_shared_out); }

// work(o, run, i0): where the function is told which part is its own, no two threads work in the same one.
static bool is_told_part(const edits *e, int i) {
    const unit *u = &e->u;
    int open = i;
    while (open > 0 && !(is(u, open, "(") && u->tokens[open].match > i)) open--;
    for (int k = open + 1; open > 0 && k < u->tokens[open].match; k++) {
        const token *t = &u->tokens[k];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, k) : NULL;
        const bool whole = (is(u, k - 1, ",") || k == open + 1) && (is(u, k + 1, ",") || is(u, k + 1, ")"));
        if (v && whole && edits_is_whole(v->type) && names_thread(e, k, k + 1)) return true;
    }
    return false;
}

// p[...] = ..., work(p), w.s = p: with all that stands beside it up to the next comma.
static bool is_worked_in(const edits *e, int i) {
    const unit *u = &e->u;
    if (is(u, i - 1, ".") || is(u, i - 1, "->") || is(u, i - 1, "!") || is(u, i - 2, "free")) return false;
    if (is(u, i + 1, "[")) {
        const int behind = u->tokens[i + 1].match + 1;
        return edits_assigns(u, behind) && !names_thread(e, i + 2, behind - 1);
    }
    const bool handed = (is(u, i - 1, "(") && is_name(u, i - 2)) || is(u, i - 1, ",") ||
                        (is(u, i - 1, "=") && !adjacent(u, i - 2, "==") && !adjacent(u, i - 2, "!="));
    int end = i + 1;
    while (end < u->token_count && !is(u, end, ",") && !is(u, end, ";") && !is(u, end, ")") && !is(u, end, "}"))
        end = skip_group(u, end);
    return handed && !is(u, i - 2, "if") && !is(u, i - 2, "while") && !is(u, i + 1, "=") && !is(u, i + 1, "!") &&
           !names_thread(e, i + 1, end) && !is_told_part(e, i);
}

static bool asks_for_memory(const edits *e, int first, int end) {
    static const char *const gives[] = {"malloc", "calloc", "aligned_alloc", "realloc", NULL};
    for (int i = first; i < end; i++)
        if (is_any(&e->u, i, gives)) return true;
    return false;
}

static bool is_allocated(const edits *e, const variable *v) {
    return v->value > 0 && asks_for_memory(e, v->value, v->value_end);
}

// A struct that a function of the file has filled with memory, grab(&work, n), before this place.
static bool is_filled(const edits *e, const variable *v, int before) {
    const unit *u = &e->u;
    for (int i = v->declared + 1; i < before; i++) {
        if (!is(u, i, v->name) || !is(u, i - 1, "&") || !is(u, i - 2, "(") || !is_name(u, i - 3)) continue;
        for (int f = 0; f < e->n_functions; f++)
            if (is(u, i - 3, e->functions[f].name) && asks_for_memory(e, e->functions[f].body, e->functions[f].end))
                return true;
    }
    return false;
}

void edits_write_rooms(edits *e, FILE *out) {
    int n = 0;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const directive *d = above(e, st, "parallel");
        for (int k = 0; d && k < e->n_variables && n < MOST; k++) {
            const variable *v = &e->variables[k];
            if (v->declared < 0 || v->declared >= st->first || v->to < st->end || v->owner || v->type.constant ||
                !(v->type.pointers ? is_allocated(e, v) : is_filled(e, v, st->first)) || edits_says(e, d, "private"))
                continue;
            bool worked = false;
            for (int i = st->first; i < st->end && !worked; i++) {
                const token *t = &e->u.tokens[i];
                worked = is(&e->u, i, v->name) && edits_visible(e, t->at, t->length, i) == v && is_worked_in(e, i);
            }
            if (worked) fprintf(out, "%s\t%d\tmemory\n", v->name, e->u.tokens[v->declared].line), n++;
        }
    }
}
