// ragged.c: what stands behind the end of a row, or below the last row, is neither read nor written: the question is
// missing. An element says itself in which row and column it is, and how long a row is.
//
//     C[(size_t)r * n + c] = sum;                     if (c < n) C[...] = sum;      if (r < m) C[...] = sum;
//     x = Q[(head * Sq + i) * D + d];                 (i < Sq ? Q[...] : 0.0f)
//     o = O + (head * Sq + i) * D; ... o[d] = sum;    if (i < Sq) o[d] = sum;
#include "edits.h"

#include <string.h>

// Ranks: one of two questions is missing, none of them is asked; a row is read that a pointer begins at.
enum { ONE = 3, BOTH = 2, READ = 20, MOST = 8 };

typedef struct {
    const char *place, *limit;
} question;

typedef struct {
    edits *e;
    int function, at;
    const char *array, *before, *questions;  // before: the function's text up to here
    question column, rows[MOST];
    int ranks[MOST], n_rows;
} element;

static const expression *uncast(const expression *x) {
    while (x && (x->kind == E_CAST || x->kind == E_PAREN)) x = x->a;
    return x;
}

// A size that is known at run time alone: a parameter, a field, what is made of them.
static bool is_size(edits *e, const expression *x) {
    if (!x || (x->kind != E_NAME && x->kind != E_MEMBER) || !edits_is_whole(edits_type_of(e, x))) return false;
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    return v && !v->is_global && v->declared >= 0 && !v->is_enumerator && !v->is_loop;
}

// The last product of a sum whose last factor is a size, and all that is added to it, as a text; NULL: there is none.
static const expression *row_of(edits *e, const expression *sum, const char **rest, int depth) {
    const expression *found = NULL;
    sum = uncast(sum);
    *rest = "";
    while (is_operator(e, sum, "+") && !found && depth++ < MOST) {
        const expression *last = sum->b, *product = uncast(last);
        if (is_operator(e, product, "*") && is_size(e, product->b))
            found = product;
        else
            *rest = format(&e->u, **rest ? "%s + %s" : "%s%s", edits_text_of(e, last), *rest);
        sum = uncast(sum->a);
    }
    if (!found && is_operator(e, sum, "*") && is_size(e, sum->b)) found = sum;
    return found;
}

// Does a question of the function begin with this, right behind a sign that is no part of a sum?
static const char *asks(const char *text, const char *words) {
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
        const char *before = at;
        while (before > text && before[-1] == ' ') before--;
        if (before == text || strchr("(&|;,=?:", before[-1])) return at;
    }
    return NULL;
}

static bool leaves(const edits *e, const statement *st) {
    static const char *const jumps[] = {"return", "continue", "break", NULL};
    for (int i = st->first; i < st->end && st->kind == S_IF; i++)
        if (is_any(&e->u, i, jumps)) return true;
    return false;
}

// All that is asked before the element is met: by what stands around it, and by who leaves before.
static const char *questions_before(edits *e, int s, int at) {
    const char *text = edits_text(e, e->statements[s].first, at);
    for (int k = s; k >= 0; k = e->statements[k].parent) {
        const statement *st = &e->statements[k];
        if (st->kind == S_IF || st->kind == S_LOOP)
            text = format(&e->u, "%s;%s", text, edits_text(e, st->first, e->u.tokens[st->first + 1].match + 1));
    }
    for (int k = 0; k < s; k++)
        if (e->statements[k].function == e->statements[s].function && leaves(e, &e->statements[k]))
            text = format(&e->u, "%s;%s", text, edits_text(e, e->statements[k].first, e->statements[k].end));
    return text;
}

static bool is_asked(const element *x, const question *q) {
    const char *const signs[] = {"<", ">=", "<="};
    for (int i = 0; i < 3; i++)
        if (asks(x->questions, format(&x->e->u, "%s %s %s", q->place, signs[i], q->limit))) return true;
    return false;
}

static bool is_counter(const element *x, const char *place) {
    const variable *v = edits_visible(x->e, place, (int)strlen(place), x->at);
    return v && v->is_loop;
}

static void ask(element *x, const char *place, const char *limit, int rank) {
    for (int i = 0; i < x->n_rows; i++)
        if (!strcmp(x->rows[i].limit, limit)) return;
    if (x->n_rows < MOST && !is_counter(x, place))
        x->rows[x->n_rows] = (question){place, limit}, x->ranks[x->n_rows++] = rank;
}

// C += z * m * n: a matrix of C has m rows of n.
static bool makes_matrix(const element *x, const char *size, const char *pitch) {
    const char *product = format(&x->e->u, "* %s * %s", size, pitch);
    for (const char *at = strstr(x->before, product); at; at = strstr(at + 1, product)) {
        const char *from = at;
        while (from > x->before && !strchr(",;{", from[-1])) from--;
        for (const char *sign = from; sign < at && (sign = strchr(sign, '=')) && sign < at; sign++) {
            const char *end = sign;
            while (end > from && strchr(" +=", end[-1])) end--;
            const size_t n = strlen(x->array);
            if (end - from >= (long)n && !strncmp(end - n, x->array, n)) return true;
        }
    }
    return false;
}

// The sizes that the function is given: one of them says how many rows there are.
static void other_sizes(element *x, const char *row, const char *pitch) {
    edits *e = x->e;
    const function *f = &e->functions[x->function];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->from == f->body && edits_is_whole(v->type) && strcmp(v->name, pitch) &&
            !strstr(v->name, "causal") && strcmp(v->name, row) &&
            (makes_matrix(x, v->name, pitch) || edits_is_unread(e, v)))
            ask(x, row, v->name, ONE);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->function == x->function && edits_is_whole(g->type) && is(&e->u, g->end - 2, ".") &&
            strcmp(g->text, pitch) && edits_usable(e, g, x->at) && makes_matrix(x, g->text, pitch))
            ask(x, row, g->text, ONE);
    }
}

// The question, or the name that it has: const bool there = base + r < n.
static const char *words_of(const element *x, const question *q, bool *asked) {
    edits *e = x->e;
    const char *words = format(&e->u, "%s < %s", q->place, q->limit);
    *asked = is_asked(x, q);
    for (int i = 0; i < e->n_variables && !*asked; i++) {
        const variable *v = &e->variables[i];
        if (v->value <= 0 || !edits_sees(e, v, x->at) || strcmp(edits_text(e, v->value, v->value_end), words)) continue;
        words = v->name, *asked = asks(x->questions, v->name) || asks(x->questions, format(&e->u, "!%s", v->name));
    }
    return words;
}

static bool read_element(element *x, const expression *sum) {
    edits *e = x->e;
    const char *column, *place;
    const expression *row = row_of(e, sum, &column, 0);
    if (!row || !*column) return false;
    const char *pitch = edits_text_of(e, row->b);
    x->column = (question){column, pitch};
    const expression *inner = row_of(e, row->a, &place, 0);
    if (inner && *place)
        ask(x, place, edits_text_of(e, inner->b), ONE);
    else
        other_sizes(x, edits_text_of(e, edits_bare(uncast(row->a))), pitch);
    return true;
}

// An element of a row at which a pointer begins: which row that is, the pointer's declaration says.
static bool read_row(element *x, const expression *array, bool stores) {
    edits *e = x->e;
    const token *t = array->kind == E_NAME ? &e->u.tokens[array->first] : NULL;
    const variable *v = t ? edits_visible(e, t->at, t->length, array->first) : NULL;
    if (!v || v->value <= 0 || v->type.pointers != 1) return false;
    const char *column, *place;
    const expression *row = row_of(e, edits_parse(e, v->value, v->value_end), &column, 0);
    const expression *inner = row && !*column ? row_of(e, row->a, &place, 0) : NULL;
    if (inner && *place) ask(x, place, edits_text_of(e, inner->b), stores ? ONE : READ);
    return x->n_rows > 0;
}

static const char *zero_of(value_type t) {
    if (t.pointers) return NULL;
    if (t.base == BASE_FLOAT) return "0.0f";
    return t.base == BASE_STRUCT && t.word && !strcmp(t.word, "float4") ? "make_float4(0, 0, 0, 0)" : NULL;
}

static int condition_of(const edits *e, int statement) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == statement && e->places[p].kind == P_CONDITION) return p;
    return -1;
}

// With the condition that is there, or with one of its own.
static void put(const element *o, int place, const expression *x, int rank, const char *question) {
    edits *e = o->e;
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const expression *up = x->parent, *value = x;
    if (up && up->kind == E_ASSIGN && up->a == x) {
        const bool inside = st->parent >= 0 && e->statements[st->parent].kind == S_IF && !st->listed;
        const int condition = inside ? condition_of(e, st->parent) : -1;
        if (p->kind != P_STATEMENT || p->tree != up) return;
        if (condition >= 0 && e->places[condition].end < p->first) {
            const struct place *c = &e->places[condition];
            edits_replace(e, condition, rank, "ragged", c->first, c->end, "%s && %s", edits_text(e, c->first, c->end),
                          question);
        } else {
            edits_replace(e, place, rank, "ragged", p->first, p->end, "if (%s) %s", question,
                          edits_text(e, p->first, p->end));
        }
        return;
    }
    const char *zero = zero_of(edits_type_of(e, x));
    if (!zero) return;
    while (up && (up->kind == E_PAREN || is_operator(e, up, "*"))) value = up, up = up->parent;
    if (up && up->kind == E_TERNARY && up->b == value)
        edits_replace(e, place, rank, "ragged", up->a->first, up->a->end, "%s && %s", edits_text_of(e, up->a),
                      question);
    else
        edits_replace(e, place, rank, "ragged", x->first, x->end, "(%s ? %s : %s)", question, edits_text_of(e, x),
                      zero);
}

void edits_change_ragged(edits *e, int place, const expression *x) {
    const expression *sum = x->kind == E_INDEX ? x->b : NULL;
    if (x->kind == E_UNARY && is(&e->u, x->op, "*")) sum = uncast(x->a);
    if (!sum || (x->kind == E_UNARY && !is_operator(e, sum, "+"))) return;
    const expression *array = x->kind == E_INDEX ? x->a : sum;
    while (is_operator(e, array, "+")) array = uncast(array->a);
    element o = {.e = e, .function = e->statements[e->places[place].statement].function, .at = x->first};
    const function *f = &e->functions[o.function];
    if (!f->device || (x->parent && x->parent->kind == E_INDEX)) return;
    const int s = e->places[place].statement;
    o.before = edits_text(e, f->open, x->first), o.questions = questions_before(e, s, x->first);
    o.array = edits_text_of(e, array);
    const bool whole = read_element(&o, sum);
    if (!whole && !read_row(&o, array, edits_is_set(e, x))) return;
    bool asked = true;
    const char *column = whole ? words_of(&o, &o.column, &asked) : NULL;
    const bool behind = !asked && !is_counter(&o, o.column.place);
    if (behind) put(&o, place, x, ONE, column);
    for (int i = 0; i < o.n_rows; i++) {
        const char *row = words_of(&o, &o.rows[i], &asked);
        if (asked) continue;
        put(&o, place, x, o.ranks[i], row);
        if (behind) put(&o, place, x, BOTH, format(&e->u, "%s && %s", row, column));
    }
}
