// reducers.c: a number of each thread's own, where that of its group is meant: it is not handed to the function that makes
// one of them. How that is called the file says: elsewhere, or where it calls one that takes the same.
//
//     m = fmaxf(m, s);            m = fmaxf(m, warp_max(warp, s));      as warp_sum(warp, p) is called
//     const float top = peak;     const float top = all(peak, bigger);  as all(mass, plus), with another lambda
#include "reducers.h"

#include <string.h>

enum {
    IDLE = 1,
    CALLED = 3,
    TWICE = 5,
    DEEP = 2,
    LONGEST = 24
};  // ranks: of what nobody calls, calls elsewhere, calls here, too; calls in calls; tokens

static bool says_sync(const unit *u, int i) {
    static const char *const words[] = {"shfl", "shfl_xor", "shfl_down", "shfl_up", "__syncthreads", NULL};
    return is_any(u, i, words) || (is(u, i, "sync") && is(u, i - 1, ".")) ||
           (u->tokens[i].length > 6 && !strncmp(u->tokens[i].at, "__shfl", 6));
}

static bool exchanges(const edits *e, const function *f, int depth) {
    for (int i = f->body; i < f->end; i++) {
        if (says_sync(&e->u, i)) return true;
        for (int k = 0; depth < DEEP && is(&e->u, i + 1, "(") && k < e->n_functions; k++)
            if (&e->functions[k] != f && is(&e->u, i, e->functions[k].name) &&
                exchanges(e, &e->functions[k], depth + 1))
                return true;
    }
    return false;
}

// Which of its parameters is the number, where exactly one is of the result's type; -1: it is no such function.
static int number_of(const edits *e, const function *f) {
    int found = -1, n = 0;
    if (!f->device || f->kernel || !(edits_is_real(f->result) || f->result.base == BASE_STRUCT) || f->result.pointers)
        return -1;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->from != f->body) continue;
        if (edits_alike(v->type, f->result) && v->type.base == f->result.base && !v->type.pointers) {
            if (found >= 0) return -1;
            found = n;
        }
        n++;
    }
    return n == f->parameters && exchanges(e, f, 0) ? found : -1;
}

bool edits_reduces(const edits *e, const function *f) { return number_of(e, f) >= 0; }

static reduction kind_of(const char *text) {
    static const char *const most[] = {"max", "MAX", "larg", "big", "great", "true"};
    static const char *const sums[] = {" + ", "+=", "plus", "sum", "add", "false"};
    bool is_most = false, is_sum = false;
    for (int i = 0; i < 5; i++) is_most |= strstr(text, most[i]) != NULL, is_sum |= strstr(text, sums[i]) != NULL;
    return is_most == is_sum ? ANY_OF_BOTH : is_most ? A_MAXIMUM : A_SUM;
}

static void add(edits *e, reducer r) {
    reduction own = kind_of(edits_text(e, r.function->body, r.function->end));
    if (own == ANY_OF_BOTH) own = kind_of(format(&e->u, "%s%s", r.before, r.behind));
    r.kind = own, r.idle = !edits_is_called(e, r.function);
    for (int i = 0; i < e->n_reducers; i++)
        if (!strcmp(e->reducers[i].before, r.before) && !strcmp(e->reducers[i].behind, r.behind)) return;
    if (e->n_reducers < EDITS_MOST_REDUCERS) e->reducers[e->n_reducers++] = r;
}

static const char *with(edits *e, const char *text, const char *old, const char *new) {
    const char *at = strstr(text, old);
    return at ? format(&e->u, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) : NULL;
}

// Two lambdas, or two arrays of one type that are declared side by side.
static bool is_of_its_kind(const edits *e, const variable *v, const variable *w) {
    if (v->declared < 0 || w->declared < 0 || v->is_global || w->is_global || v->is_parameter || w->is_parameter)
        return false;
    if (v->value > 0 && is(&e->u, v->value, "["))
        return w->value > 0 && is(&e->u, w->value, "[") && edits_lambda(&e->u, v->value) &&
               edits_lambda(&e->u, w->value);
    return v->type.pointers && v->type.pointers == w->type.pointers && v->type.base == w->type.base && v->to == w->to;
}

// The same call for the other thing that is made of many: a maximum in place of a sum, and back.
static void add_other_kinds(edits *e, const reducer *r) {
    static const char *const twins[][2] = {
        {"return fmaxf(a, b);", "return a + b;"}, {"return fmaxf(x, y);", "return x + y;"}, {", true)", ", false)"}};
    reducer other = *r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if ((other.behind = with(e, r->behind, twins[i][k], twins[i][!k]))) add(e, other);
    other.behind = r->behind;
    if ((other.before = with(e, r->before, "<true>", "<false>"))) add(e, other);
    if ((other.before = with(e, r->before, "<false>", "<true>"))) add(e, other);
    other.before = r->before;
    const int last = r->right.end - 1;  // , plus) or , sums)
    const token *t = &e->u.tokens[last - 1];
    const variable *v = is_name(&e->u, last - 1) ? edits_visible(e, t->at, t->length, last - 1) : NULL;
    for (int i = 0; v && i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w == v || !is_of_its_kind(e, v, w)) continue;
        other.behind = format(&e->u, "%s%s%s)", edits_text(e, r->right.first, last - 1),
                              is(&e->u, last - 2, ",") ? " " : "", w->name);
        other.right = (ingredient){.first = w->declared, .end = w->declared + 1};
        add(e, other);
    }
}

// The function in which a token stands; NULL: it stands in none.
static const function *function_around(const edits *e, int token) {
    for (int i = 0; i < e->n_functions; i++)
        if (e->functions[i].body < token && token < e->functions[i].end) return &e->functions[i];
    return NULL;
}

static bool names(const unit *u, int first, int end, int token) {
    for (int i = first; i < end; i++)
        if (edits_same(u, i, token, 1)) return true;
    return false;
}

// template <class T> float sum(T x): the parameters say what T is. Of template <class Op> float all(float x) each call does.
bool edits_is_deduced(const edits *e, const function *f) {
    const unit *u = &e->u;
    const int first = statement_start(u, f->open), close = is(u, first, "template") ? angle_close(u, first + 1) : -1;
    for (int i = first + 2; i < close; i++)
        if (is_name(u, i) && (is(u, i + 1, ",") || i + 1 == close) && !names(u, f->open, f->body, i)) return false;
    return true;
}

// all<Op>(x), in a template whose Op it is: nobody else knows that name.
static bool is_of_template(const edits *e, int token) {
    const unit *u = &e->u;
    const function *f = function_around(e, token);
    const int first = f ? statement_start(u, f->open) : 0;
    return f && is_name(u, token) && is(u, first, "template") && names(u, first + 2, angle_close(u, first + 1), token);
}

// The call at token i, with the name of f, which takes its number at the same place.
static void add_call(edits *e, int i, int open, int number, const function *f) {
    const unit *u = &e->u;
    const int close = u->tokens[open].match;
    int first = open + 1, n = 0;
    for (int k = open + 1; k <= close; k = k < close ? skip_group(u, k) : k + 1) {
        if (k < close && !is(u, k, ",")) continue;
        if (n++ == number) {
            const char *gap = first > open + 1 ? " " : "";
            const reducer r = {format(&e->u, "%s%s%s", f->name, edits_text(e, i + 1, first), gap),
                               edits_text(e, k, close + 1),
                               {.first = i + 1, .end = first},
                               {.first = k, .end = close + 1},
                               f,
                               ANY_OF_BOTH,
                               false};
            add(e, r), add_other_kinds(e, &r);
            return;
        }
        first = k + 1;
    }
}

static void add_calls_of(edits *e, const function *g, int number) {
    const unit *u = &e->u;
    for (int i = 0; i + 2 < u->token_count; i++) {
        if (!is(u, i, g->name) || i == g->open - 1) continue;
        int open = i + 1;
        if (is(u, open, "<") && is(u, open + 2, ">")) {
            if (is_of_template(e, open + 1)) continue;
            open += 3;
        }
        if (!is(u, open, "(") || !u->tokens[open].match) continue;
        for (int k = 0; k < e->n_functions; k++) {
            const function *f = &e->functions[k];
            if (f != g && open == i + 1 && !edits_is_deduced(e, f)) continue;
            if (f == g ||
                (f->parameters == g->parameters && number_of(e, f) == number && edits_alike(f->result, g->result)))
                add_call(e, i, open, number, f);
        }
    }
}

int edits_reducers(edits *e, const reducer **list) {
    if (!e->reducers) {
        e->reducers = keep(&e->u, sizeof *e->reducers * EDITS_MOST_REDUCERS);
        for (int i = 0; i < e->n_functions; i++) {
            const function *f = &e->functions[i];
            const int number = number_of(e, f);
            if (number < 0) continue;
            if (f->parameters == 1 && !is(&e->u, f->open - 1, ">") && edits_is_deduced(e, f))
                add(e,
                    (reducer){format(&e->u, "%s(", f->name), ")", {.first = 0}, {.first = 0}, f, ANY_OF_BOTH, false});
            add_calls_of(e, f, number);
        }
    }
    *list = e->reducers;
    return e->n_reducers;
}

bool edits_reducer_fits(const edits *e, const reducer *r, int token) {
    return r->function->end <= token && edits_usable(e, &r->left, token) && edits_usable(e, &r->right, token);
}

// What is done with x: where a maximum is looked for, where numbers are added up or divided by.
static bool is_used_as(const edits *e, int place, const expression *x, reduction kind) {
    const expression *up = x->parent;
    if (edits_is_value(e, place, x)) return true;
    if (!up) return false;
    if (up->kind == E_CALL && up->a != x && strstr(edits_text_of((edits *)e, up->a), "max")) return kind != A_SUM;
    const bool factor = is_operator(e, up, "*") && edits_is_value(e, place, up);
    return kind != A_MAXIMUM && (is_operator(e, up, "+") || factor || (is_operator(e, up, "/") && up->b == x));
}

static bool is_called_in(const edits *e, const function *f, const function *called) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, called->name)) return true;
    return false;
}

static bool is_reduced(const edits *e, const expression *x) {
    for (int i = x->first; i < x->end; i++)
        for (int k = 0; k < e->n_reducers; k++)
            if (is(&e->u, i, e->reducers[k].function->name)) return true;
    return false;
}

// Is it handed to this function already? A call that is given a lambda is no expression, so tokens tell.
static bool is_within_call(const edits *e, const expression *x, const function *f) {
    const unit *u = &e->u;
    for (int i = x->first - 1; i > f->end && !is(u, i, ";"); i--) {
        if ((is(u, i, ")") || is(u, i, "}")) && u->tokens[i].match)
            i = u->tokens[i].match;
        else if (is(u, i, "(") && is(u, i - 1, f->name))
            return true;
    }
    return false;
}

void edits_change_reducers(edits *e, int place, const expression *x) {
    static const expression_kind kinds[] = {E_NAME, E_INDEX, E_MEMBER, E_CALL};
    const reducer *list;
    const int n = edits_reducers(e, &list);
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    bool own = false;
    for (int i = 0; i < 4; i++) own |= x->kind == kinds[i];
    if (!n || !f->device || x->end - x->first > LONGEST || x->kind == E_NUMBER || x->kind == E_ASSIGN ||
        !(own || edits_is_value(e, place, x)) || edits_reduces(e, f))
        return;
    const value_type type = edits_type_of(e, x);
    for (int i = 0; i < n; i++) {
        const reducer *r = &list[i];
        if (edits_alike(type, r->function->result) && type.base == r->function->result.base && !type.pointers &&
            is_used_as(e, place, x, r->kind) && !is_reduced(e, x) && !is_within_call(e, x, r->function) &&
            edits_reducer_fits(e, r, x->first))
            edits_replace(e, place,
                          r->idle                           ? IDLE
                          : is_called_in(e, f, r->function) ? TWICE
                                                            : CALLED,
                          "reducer", x->first, x->end, "%s%s%s", r->before, edits_text_of(e, x), r->behind);
    }
}
