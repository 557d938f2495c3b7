// statics.c: a variable outside of all functions, or a static one in one of them, that the threads of a parallel region
// write to, each for itself: there is one of it for all.
//
//     static float m_old[64];
//     static void attend(tile t) { for (...) m_old[r] = t.m[r]; ... }      called in the region
#include "edits.h"

#include <string.h>

enum { MOST = 4, GLOBALS = 64 };

// A declaration that begins here: none of thread_local, __thread, const. No name that a pragma makes each thread's own.
static bool is_one_for_all(const edits *e, int first, int name) {
    static const char *const others[] = {"_Thread_local", "__thread", "thread_local", "const",  "constexpr", "_Atomic",
                                         "typedef",       "extern",   "using",        "return", NULL};
    const char *text = edits_text((edits *)e, name, name + 1);
    for (int i = first; i < name; i++)
        if (is_any(&e->u, i, others)) return false;
    for (int i = 0; i < e->n_directives; i++)
        if (edits_says(e, &e->directives[i], "threadprivate") && edits_says(e, &e->directives[i], text)) return false;
    return true;
}

// The names that stand outside of all functions, by their tokens: static float a[64], *b;
static int globals(const edits *e, int name[], int most) {
    const unit *u = &e->u;
    int n = 0, first = 0;
    for (int i = 0; i < u->token_count && n < most; i = skip_group(u, i)) {
        const bool ends = is(u, i + 1, ";") || is(u, i + 1, ",") || is(u, i + 1, "=") || is(u, i + 1, "[");
        if (i > first && is_name(u, i) && ends && (is_name(u, i - 1) || is(u, i - 1, "*") || is(u, i - 1, ",")) &&
            is_one_for_all(e, first, i))
            name[n++] = i;
        if (is(u, i, ";") || is(u, i, "{") || is(u, i, "(")) first = skip_group(u, i);
    }
    return n;
}

static bool is_static(const edits *e, const variable *v) {
    for (int i = v->declared;
         i > 0 && !is(&e->u, i, ";") && !is(&e->u, i, "{") && !is(&e->u, i, "(") && !is(&e->u, i, "}"); i--)
        if (is(&e->u, i, "static")) return is_one_for_all(e, i, v->declared);
    return false;
}

static bool is_given(const edits *e, const variable *v) {
    (void)e;
    return v->is_parameter || v->is_global;
}

// What the function was given may be the number of the thread, or made of it.
static bool names_given(const edits *e, int first, int end) { return edits_depends(e, first, end, is_given); }

static bool has_text(const unit *u, int token, const char *name) {
    return u->tokens[token].length == (int)strlen(name) &&
           !memcmp(u->tokens[token].at, name, (size_t)u->tokens[token].length);
}

// work(x, n), memset(x + at, ...): a pointer through which the callee may write, and no share of each thread.
static bool is_handed_at(const edits *e, int i) {
    const unit *u = &e->u;
    int open = i, argument = 0, end = i + 1, n = -1;
    while (open > 0 && !(is(u, open, "(") && u->tokens[open].match > i)) {
        argument += is(u, open, ",");
        if (is(u, open, ";") || is(u, open, "{") || is(u, open, "}")) return false;
        open = u->tokens[open].match >= 0 && u->tokens[open].match < open ? u->tokens[open].match - 1 : open - 1;
    }
    while (end < u->tokens[open].match && !is(u, end, ",")) end = skip_group(u, end);
    if ((!is(u, i - 1, "(") && !is(u, i - 1, ",")) || (end > i + 1 && !is(u, i + 1, "+")) || names_given(e, i + 1, end))
        return false;
    if (!argument && (is(u, open - 1, "memset") || is(u, open - 1, "memcpy"))) return true;
    for (int f = 0; f < e->n_functions; f++)
        for (int v = 0; has_text(u, open - 1, e->functions[f].name) && v < e->n_variables; v++) {
            const variable *p = &e->variables[v];
            if (!p->is_parameter || p->declared <= e->functions[f].open || p->declared >= e->functions[f].body)
                continue;
            if (++n == argument) return p->type.pointers && !p->type.constant;
        }
    return false;
}

// float *s = x + r * n; through which it is written.
static bool is_pointed_at(const edits *e, int i) {
    for (int v = 0; v < e->n_variables; v++) {
        const variable *p = &e->variables[v];
        if (p->value == i && p->declared >= 0 && p->type.pointers && !p->type.constant)
            return !names_given(e, i + 1, p->value_end) && (p->value_end == i + 1 || is(&e->u, i + 1, "+"));
    }
    return false;
}

// x = ..., x += ..., x[r] = ..., where the place is no one's share; no `done = 1`, which all may say.
static bool is_written_at(const edits *e, int i) {
    const unit *u = &e->u;
    int behind = i + 1;
    while (is(u, behind, "[")) {
        if (names_given(e, behind + 1, u->tokens[behind].match)) return false;
        behind = u->tokens[behind].match + 1;
    }
    if (is(u, i - 1, ".") || is(u, i - 1, "->") || is(u, i - 1, "*") || is(u, i - 1, "&")) return false;
    if (adjacent(u, behind, "++") || adjacent(u, i - 2, "++")) return true;
    const int value = behind + 1 + is(u, behind + 1, "-");
    return edits_assigns(u, behind) && !(is(u, behind, "=") && !is_name(u, value) && is(u, value + 1, ";"));
}

// Functions that tokens [first, end) name, and what these name.
static void mark_named(const edits *e, int first, int end, bool *named) {
    for (int f = 0; f < e->n_functions; f++)
        for (int i = first; i < end && !named[f]; i++)
            if (has_text(&e->u, i, e->functions[f].name)) {
                named[f] = true;
                mark_named(e, e->functions[f].body, e->functions[f].end, named);
            }
}

// Is there a directive with one of the words above the statement?
static bool is_under(const edits *e, const statement *st, const char *const words[]) {
    const size_t first = (size_t)(e->u.tokens[st->first].at - e->u.text);
    for (int i = 0; i < e->n_directives; i++)
        for (int k = 0; words[k]; k++)
            if (e->directives[i].first >= st->begin && e->directives[i].first < first &&
                edits_says(e, &e->directives[i], words[k]))
                return true;
    return false;
}

// One thread at a time, or one alone, is there.
static bool is_guarded(const edits *e, int token) {
    static const char *const guards[] = {"critical", "atomic", "single", "master", "masked", "ordered", NULL};
    for (int s = 0; s < e->n_statements; s++)
        if (e->statements[s].first <= token && token < e->statements[s].end && is_under(e, &e->statements[s], guards))
            return true;
    return false;
}

// The token at which a function that the threads call writes to it; -1: none does. v: NULL where it is outside of all.
static int written_by_threads(const edits *e, const bool *called, int name, const variable *v) {
    const token *of = &e->u.tokens[name];
    for (int f = 0; f < e->n_functions; f++)
        for (int i = e->functions[f].body; called[f] && i < e->functions[f].end; i++) {
            const token *t = &e->u.tokens[i];
            if (t->length == of->length && !memcmp(t->at, of->at, (size_t)t->length) && i != name &&
                edits_visible(e, t->at, t->length, i) == v &&
                (is_written_at(e, i) || is_handed_at(e, i) || is_pointed_at(e, i)) && !is_guarded(e, i))
                return i;
        }
    return -1;
}

static void say(const edits *e, int name, int at, FILE *out) {
    fprintf(out, "%.*s\t%d\tstatic\n", e->u.tokens[name].length, e->u.tokens[name].at, e->u.tokens[at].line);
}

void edits_write_statics(edits *e, FILE *out) {
    bool *called = keep(&e->u, (size_t)e->n_functions + 1);
    int name[GLOBALS], n_globals = globals(e, name, GLOBALS), n = 0;
    for (int i = 0; i < e->u.token_count; i++)
        if (is(&e->u, i, "omp_set_lock") || is(&e->u, i, "omp_set_nest_lock")) return;
    static const char *const region[] = {"parallel", NULL};
    for (int s = 0; s < e->n_statements; s++)
        if (is_under(e, &e->statements[s], region)) mark_named(e, e->statements[s].first, e->statements[s].end, called);
    for (int k = 0; k < n_globals && n < MOST; k++) {
        const int at = written_by_threads(e, called, name[k], NULL);
        if (at >= 0) say(e, name[k], at, out), n++;
    }
    for (int k = 0; k < e->n_variables && n < MOST; k++) {
        const variable *v = &e->variables[k];
        const int at = v->declared >= 0 && !v->owner && !v->is_global && is_static(e, v)
                           ? written_by_threads(e, called, v->declared, v)
                           : -1;
        if (at >= 0) say(e, v->declared, at, out), n++;
    }
}
