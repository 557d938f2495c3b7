// rooms.c: memory that is allocated before a parallel region and that each of its threads works in, in the same place. It
// is said only where the file is wrong with two threads and right with one.
//
//     float *p = malloc(n);                  p is one for all: it belongs within the region, or each thread
//     #pragma omp parallel                   works in a part of it that its number, or its round, names
//     { ... p[c] = 0; ... work(p); }
//     struct room w;  grab(&w, n);           w is one for all, too
//     struct room w = carve(p, n);           and this one, which is cut out of p
//
// Where the rounds of a loop go on with what the one before has left there, it can be nobody's own: carried.
//
//     for (...) {  fill(w);
//     #pragma omp parallel for
//         for (...) work(w);
//         store(w);  }                       the rounds of the loop around it are to be shared out
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
bool edits_names_thread(const edits *e, int first, int end) { return edits_depends(e, first, end, is_shared_out); }

// n = smaller(width, end - j0): how many there are in this round, and not which.
static bool is_count(const edits *e, const variable *v) {
    bool least = false, left = false;
    for (int i = v->value; v->value > 0 && i < v->value_end; i++) {
        least |= is(&e->u, i, ",") || is(&e->u, i, "?");
        left |= is(&e->u, i, "-") && edits_names_thread(e, i + 1, i + 2);
    }
    return least && left;
}

// work(o, run, i0): where the function is told which part is its own, no two threads work in the same one.
static bool is_told_part(const edits *e, int i) {
    const unit *u = &e->u;
    int open = i;
    while (open > 0 && !(is(u, open, "(") && u->tokens[open].match > i)) open--;
    for (int k = open + 1; open > 0 && k < u->tokens[open].match; k++) {
        const token *t = &u->tokens[k];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, k) : NULL;
        const bool whole = (is(u, k - 1, ",") || k == open + 1) && (is(u, k + 1, ",") || is(u, k + 1, ")"));
        if (v && whole && edits_is_whole(v->type) && !is_count(e, v) && edits_names_thread(e, k, k + 1)) return true;
    }
    return false;
}

// p[...] = ..., work(p), w.s = p: with all that stands beside it up to the next comma.
static bool is_worked_in(const edits *e, int i) {
    const unit *u = &e->u;
    if (is(u, i - 1, ".") || is(u, i - 1, "->") || is(u, i - 1, "!") || is(u, i - 2, "free")) return false;
    if (is(u, i + 1, "[")) {
        const int behind = u->tokens[i + 1].match + 1;
        return edits_assigns(u, behind) && !edits_names_thread(e, i + 2, behind - 1);
    }
    const bool handed = (is(u, i - 1, "(") && is_name(u, i - 2)) || is(u, i - 1, ",") ||
                        (is(u, i - 1, "=") && !adjacent(u, i - 2, "==") && !adjacent(u, i - 2, "!="));
    int end = i + 1;
    while (end < u->token_count && !is(u, end, ",") && !is(u, end, ";") && !is(u, end, ")") && !is(u, end, "}"))
        end = skip_group(u, end);
    return handed && !is(u, i - 2, "if") && !is(u, i - 2, "while") && !is(u, i + 1, "=") && !is(u, i + 1, "!") &&
           !edits_names_thread(e, i + 1, end) && !is_told_part(e, i);
}

static bool asks_for_memory(const edits *e, int first, int end) {
    static const char *const gives[] = {"malloc", "calloc", "aligned_alloc", "realloc", NULL};
    for (int i = first; i < end; i++)
        if (is_any(&e->u, i, gives)) return true;
    return false;
}

// Memory, or a part of it: float *l = p + n.
static bool is_allocated(const edits *e, const variable *v, int depth) {
    if (v->value <= 0 || depth == DEEP) return false;
    const token *t = &e->u.tokens[v->value];
    const variable *of = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, v->value) : NULL;
    const bool part = of && of->type.pointers && (v->value + 1 == v->value_end || is(&e->u, v->value + 1, "+"));
    return asks_for_memory(e, v->value, v->value_end) || (part && is_allocated(e, of, depth + 1));
}

// The function of this name, if it asks for memory; NULL: it does not, or is none of the file.
static const function *allocator(const edits *e, int name) {
    for (int f = 0; f < e->n_functions; f++)
        if (is(&e->u, name, e->functions[f].name) && asks_for_memory(e, e->functions[f].body, e->functions[f].end))
            return &e->functions[f];
    return NULL;
}

// A status of a function that asks for memory is none: of a struct somebody asks for a field.
static bool is_struct(const edits *e, const variable *v) {
    for (int i = v->declared + 1; i < v->to; i++)
        if (is(&e->u, i, v->name) && is(&e->u, i + 1, ".")) return true;
    return false;
}

// A struct that a function has made of memory: carve(p, n), or grab(n) that asks for it.
static bool is_made(const edits *e, const variable *v) {
    const unit *u = &e->u;
    if (v->value <= 0 || !is_name(u, v->value) || !is(u, v->value + 1, "(")) return false;
    if (edits_is_whole(v->type) || edits_is_real(v->type)) return false;
    for (int i = v->value + 2; i < v->value_end; i++) {
        const token *t = &u->tokens[i];
        const variable *of = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (of && of->type.pointers && is_allocated(e, of, 0) && !is(u, i + 1, "[")) return true;
    }
    return allocator(e, v->value) && is_struct(e, v);
}

// A struct that a function of the file has filled with memory, grab(&work, n), before this place.
static bool is_filled(const edits *e, const variable *v, int before) {
    const unit *u = &e->u;
    for (int i = v->declared + 1; i < before; i++)
        if (is(u, i, v->name) && is(u, i - 1, "&") && is(u, i - 2, "(") && is_name(u, i - 3) && allocator(e, i - 3))
            return true;
    return false;
}

// Is v memory that there is once for all threads of this region?
static bool is_room(const edits *e, const statement *region, const variable *v) {
    if (v->declared < 0 || v->declared >= region->first || v->to < region->end || v->owner) return false;
    if (v->type.pointers) return !v->type.constant && is_allocated(e, v, 0);
    return is_made(e, v) || (!v->type.constant && is_filled(e, v, region->first));
}

// The token at which these work in v, in the same place whoever does it; -1: they do not.
static int worked_in(const edits *e, int first, int end, const variable *v) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (is(&e->u, i, v->name) && edits_visible(e, t->at, t->length, i) == v && is_worked_in(e, i)) return i;
    }
    return -1;
}

// The same; a pointer that is set to it, or to a part, fills nothing.
static int filled_in(const edits *e, int first, int end, const variable *v) {
    int at = worked_in(e, first, end, v);
    while (at >= 0 && is(&e->u, at - 1, "=")) at = worked_in(e, at + 1, end, v);
    return at;
}

// The outermost loop around this one that begins behind v's declaration; NULL: there is none.
static const statement *loop_around(const edits *e, const statement *loop, const variable *v) {
    const statement *around = NULL;
    for (int s = loop->parent; s >= 0 && e->statements[s].first > v->declared; s = e->statements[s].parent)
        if (e->statements[s].kind == S_LOOP) around = &e->statements[s];
    return around;
}

// Its token behind the loop, where it is read; -1: it is not.
static int read_behind(const edits *e, int first, int end, const variable *v) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        const bool goes = is(&e->u, i - 2, "free");
        if (is(&e->u, i, v->name) && edits_visible(e, t->at, t->length, i) == v && !goes) return i;
    }
    return -1;
}

// Whose rounds are to be shared out in the place of this one's: by its line, or the calls of the function, by its name.
static void write_carried(const edits *e, const statement *loop, const variable *v, FILE *out) {
    const token *tokens = e->u.tokens;
    const statement *around = loop_around(e, loop, v);
    const function *f = loop->function >= 0 ? &e->functions[loop->function] : NULL;
    if (loop->kind != S_LOOP || !f || (!around && !edits_is_called(e, f))) return;
    const int before = filled_in(e, around ? around->first : v->declared + 1, loop->first, v);
    const int behind = before >= 0 ? read_behind(e, loop->end, around ? around->end : v->to, v) : -1;
    if (behind < 0) return;
    fprintf(out, "%s\t%d\t%d\t%d\t%d\t", v->name, tokens[v->declared].line, tokens[before].line,
            tokens[loop->first].line, tokens[behind].line);
    if (around)
        fprintf(out, "%d\n", tokens[around->first].line);
    else
        fprintf(out, "%s\n", f->name);
}

void edits_write_rooms(edits *e, bool carried, FILE *out) {
    int n = 0;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const directive *d = above(e, st, "parallel");
        for (int k = 0; d && k < e->n_variables && n < MOST; k++) {
            const variable *v = &e->variables[k];
            if (!is_room(e, st, v) || edits_says(e, d, "private") || worked_in(e, st->first, st->end, v) < 0) continue;
            if (carried)
                write_carried(e, st, v, out);
            else
                fprintf(out, "%s\t%d\tmemory\n", v->name, e->u.tokens[v->declared].line);
            n += !carried;
        }
    }
}
