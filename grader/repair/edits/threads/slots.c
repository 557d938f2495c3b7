// slots.c: one piece of memory that is cut into a slot for each thread, of which one part is the same for all of them. It is
// said only where the file is wrong with two threads and right with one.
//
//     slot_of(pool, omp_get_thread_num());
//     t.acc = pool + thread * size, t.m = t.acc + n;       theirs
//     t.S = pool;                                          one for all
#include "edits.h"

enum { MOST = 12 };

typedef struct {
    int left, left_end;  // t.S
    const variable *of;  // the memory that it is a part of
    bool own;            // it begins where the number of the thread says
} part;

// A name that is set to begin within memory, at token i, which is =; false: it is none.
static bool read_part(const edits *e, int i, const part known[], int n, const variable *thread, part *p) {
    const unit *u = &e->u;
    if (!is(u, i, "=") || adjacent(u, i, "==") || !is_name(u, i - 1) || !is_name(u, i + 1)) return false;
    *p = (part){.left = i - 1, .left_end = i};
    while (is(u, p->left - 1, ".") || is(u, p->left - 1, "->")) p->left -= 2;
    int first = i + 1, behind = i + 2, end;
    while (is(u, behind, ".") || is(u, behind, "->")) behind += 2;
    for (end = behind; end < u->token_count && !is(u, end, ",") && !is(u, end, ";"); end++)
        if (is(u, end, "(") || is(u, end, "[")) end = u->tokens[end].match;
    if (behind != end && !is(u, behind, "+")) return false;
    for (int k = 0; k < n; k++)
        if (known[k].left_end - known[k].left == behind - first && edits_same(u, known[k].left, first, behind - first))
            p->of = known[k].of, p->own = known[k].own;
    const token *t = &u->tokens[first];
    const variable *v = edits_visible(e, t->at, t->length, first), *left = NULL;
    for (int k = 0; k < e->n_variables && p->left == i - 1; k++)
        if (e->variables[k].declared == i - 1) left = &e->variables[k];
    if (!p->of && behind == first + 1 && v && v->type.pointers == 1 && !v->type.constant) p->of = v;
    if (!p->of || (left && (!left->type.pointers || left->type.constant))) return false;
    for (int k = first; k < end; k++) p->own |= thread ? is(u, k, thread->name) : edits_names_thread(e, k, k + 1);
    return true;
}

// In these tokens; thread: the parameter that tells which thread it is.
static void write_parts(edits *e, int from, int to, const variable *thread, FILE *out) {
    part p[MOST];
    int n = 0;
    for (int i = from; i < to && n < MOST; i++) n += read_part(e, i, p, n, thread, &p[n]);
    for (int k = 0; k < n; k++) {
        bool others = false;
        for (int i = 0; i < n; i++) others |= p[i].of == p[k].of && p[i].own;
        if (others && !p[k].own && (thread || !p[k].of->is_parameter))
            fprintf(out, "%s\t%d\tslot\n", edits_text(e, p[k].left, p[k].left_end), e->u.tokens[p[k].left].line);
    }
}

// The parameter of a function that some call hands the number of the thread; NULL: there is none.
static const variable *told_thread(const edits *e, const function *f) {
    const unit *u = &e->u;
    for (int i = 0; i + 1 < u->token_count; i++) {
        if (!is(u, i, f->name) || !is(u, i + 1, "(") || i + 1 == f->open) continue;
        int nth = 0;
        for (int k = i + 2, close = u->tokens[i + 1].match; k < close; k++) {
            nth += is(u, k, ",");
            if (!is(u, k, "omp_get_thread_num") && !edits_names_thread(e, k, k + 1)) {
                if (is(u, k, "(")) k = u->tokens[k].match;
                continue;
            }
            for (int v = 0, at = 0; v < e->n_variables; v++) {
                const variable *x = &e->variables[v];
                if (x->is_parameter && f->open < x->declared && x->declared < f->body && at++ == nth)
                    return edits_is_whole(x->type) ? x : NULL;
            }
        }
    }
    return NULL;
}

void edits_write_slots(edits *e, FILE *out) {
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        const variable *thread = told_thread(e, f);
        write_parts(e, f->body, f->end, thread, out);
    }
}
