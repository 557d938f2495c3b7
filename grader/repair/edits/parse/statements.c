// statements.c: the functions of a file, their statements, and the places in them at which text may be replaced.
#include "edits.h"

#include <string.h>

typedef struct {
    edits *e;
    int function, block_end;
    int collapse;  // loops that follow are one with the one around them: nothing may stand between
} reader;

static int read_statement(reader *r, int i, int parent, bool listed);
static void read_lambdas(reader *r, int first, int end, int s);

static int add_statement(reader *r, int i, int parent, bool listed) {
    edits *e = r->e;
    const token *t = &e->u.tokens[i];
    const int before = edits_directive_before(e, i);
    size_t begin = (size_t)(t->at - e->u.text);
    bool fixed = false;
    for (int d = before; d >= 0 && d < e->n_directives && e->directives[d].first < begin; d++)
        fixed |= !e->directives[d].pragma;
    if (before >= 0 && !fixed) begin = e->directives[before].first;
    *EDITS_ADD(e, statements, n_statements) = (statement){.kind = S_OTHER,
                                                          .first = i,
                                                          .end = i + 1,
                                                          .begin = begin,
                                                          .parent = parent,
                                                          .body = -1,
                                                          .function = r->function,
                                                          .block_end = r->block_end,
                                                          .listed = listed,
                                                          .fixed = fixed};
    return e->n_statements - 1;
}

static int skip_to(const edits *e, int i, const char *what) {
    while (i < e->u.token_count && !is(&e->u, i, what) && !is(&e->u, i, "}")) i = skip_group(&e->u, i);
    return i;
}

// OpenMP wants `variable < bound`, and shares the loop when it begins: only the bound may be chosen.
static void add_bound(edits *e, int first, int end, int statement) {
    const expression *x = edits_parse(e, first, end);
    while (x && x->kind == E_BINARY && !strcmp(edits_operator_text(&e->u, x->op), "&&")) x = x->a;
    if (!x || x->kind != E_BINARY) return;
    const char *counter = edits_text(e, x->a->first, x->a->end), *bound = edits_text(e, x->b->first, x->b->end);
    const int known = e->n_places;
    edits_add_place(e, P_VALUE, x->b->first, x->b->end, format(&e->u, "__typeof__(%s)", bound), statement);
    if (e->n_places > known) e->places[known].without = counter;
}

// What the loop at i repeats: collapse(2) above it makes one loop of this one and the next.
static int read_body(reader *r, int i, int body, int s) {
    const int around = r->collapse;
    r->collapse = around > 0 ? around - 1 : edits_collapse_above(r->e, i) - 1;
    const int end = read_statement(r, body, s, false);
    r->collapse = around;
    return end;
}

static int read_for(reader *r, int i, int s) {
    edits *e = r->e;
    const unit *u = &e->u;
    const int open = i + 1, close = u->tokens[open].match;
    const int one = skip_to(e, open + 1, ";"), two = one < close ? skip_to(e, one + 1, ";") : close;
    const int first_new = e->n_variables;
    if (two < close) {
        const bool omp = edits_pragma_above(e, i, false) || r->collapse > 0;
        if (edits_is_declaration(e, open + 1))
            edits_declare(e, open + 1, close, s);
        else if (!omp)
            edits_add_place(e, P_VOID, open + 1, one, NULL, s);
        if (omp)
            add_bound(e, one + 1, two, s);
        else
            edits_add_place(e, P_CONDITION, one + 1, two, NULL, s);
        if (!omp) edits_add_place(e, P_VOID, two + 1, close, NULL, s);
    }
    const int last_new = e->n_variables;
    e->statements[s].kind = S_LOOP;
    // The body is read with the loop's variables in sight; where it ends is known afterwards.
    for (int k = first_new; k < last_new; k++) e->variables[k].to = u->token_count, e->variables[k].is_loop = true;
    e->statements[s].body = e->n_statements;
    const int end = read_body(r, i, close + 1, s);
    for (int k = first_new; k < last_new; k++) e->variables[k].to = end;
    return end;
}

static bool constant_condition(const edits *e, int i) {
    return is(&e->u, i + 1, "constexpr") || edits_is_declaration(e, i + 2);
}

static int read_if(reader *r, int i, int s) {
    edits *e = r->e;
    const unit *u = &e->u;
    const int open = i + 1 + is(u, i + 1, "constexpr"), close = skip_group(u, open) - 1;
    e->statements[s].kind = S_IF;
    if (!constant_condition(e, i)) edits_add_place(e, P_CONDITION, open + 1, close, NULL, s);
    read_lambdas(r, open + 1, close, s);
    int end = read_statement(r, close + 1, s, false);
    if (is(u, end, "else")) end = read_statement(r, end + 1, s, false);
    return end;
}

static int read_while(reader *r, int i, int s) {
    edits *e = r->e;
    const int close = skip_group(&e->u, i + 1) - 1;
    e->statements[s].kind = S_LOOP;
    edits_add_place(e, P_CONDITION, i + 2, close, NULL, s);
    e->statements[s].body = e->n_statements;
    return read_statement(r, close + 1, s, false);
}

static int read_do(reader *r, int i, int s) {
    edits *e = r->e;
    e->statements[s].kind = S_LOOP;
    e->statements[s].body = e->n_statements;
    const int end = read_statement(r, i + 1, s, false);
    const int close = skip_group(&e->u, end + 1) - 1;
    if (is(&e->u, end, "while")) edits_add_place(e, P_CONDITION, end + 2, close, NULL, s);
    return skip_to(e, end, ";") + 1;
}

static int read_block(reader *r, int open, int s) {
    const int outer = r->block_end, close = r->e->u.tokens[open].match;
    r->block_end = close;
    for (int i = open + 1; i < close;) i = read_statement(r, i, s, true);
    r->block_end = outer;
    return close + 1;
}

// Its first argument is the loop's variable, or it has one of its own.
static int read_macro_loop(reader *r, int i, int body, int s) {
    edits *e = r->e;
    const int known = e->n_variables;
    e->statements[s].kind = S_LOOP;
    const bool given = body > i + 3 && is_name(&e->u, i + 2) && (is(&e->u, i + 3, ",") || i + 4 == body);
    const char *counter = given ? edits_text(e, i + 2, i + 3) : edits_counter_of_macro(e, i);
    if (counter)
        *EDITS_ADD(e, variables, n_variables) = (variable){.name = counter,
                                                           .type = {.base = BASE_INT},
                                                           .from = body,
                                                           .to = e->u.token_count,
                                                           .declared = given ? i + 2 : i,
                                                           .is_loop = true};
    for (int from = i + 2, k = i + 2; k < body; k = skip_group(&e->u, k)) {
        if (!is(&e->u, k, ",") && k != body - 1) continue;
        const int places = e->n_places;
        if (from > i + 2 && from < k) edits_add_place(e, P_VALUE, from, k, NULL, s);
        if (e->n_places > places) e->places[places].of_macro = true;
        from = k + 1;
    }
    e->statements[s].body = e->n_statements;
    const int end = read_body(r, i, body, s);
    if (e->n_variables > known) e->variables[known].to = end;
    return end;
}

// then([&](int n) { ... }): the statements of each lambda's body, as a block within the statement s.
static void read_lambdas(reader *r, int first, int end, int s) {
    edits *e = r->e;
    const unit *u = &e->u;
    for (int i = first; i < end; i++) {
        const int brace = edits_lambda(u, i);
        if (!brace) continue;
        const int open = u->tokens[i].match + 1, close = u->tokens[brace].match;
        if (is(u, open, "(")) edits_add_parameters(e, open, brace, close + 1);
        const int body = add_statement(r, brace, s, false);
        e->statements[body].kind = S_BLOCK, e->statements[body].end = close + 1;
        read_block(r, brace, body);
        i = close;
    }
}

static int read_simple(reader *r, int i, int s) {
    static const char *const others[] = {"using", "typedef", "static_assert", "_Static_assert", "asm",   "__asm__",
                                         "enum",  "goto",    "extern",        "template",       "class", NULL};
    edits *e = r->e;
    const unit *u = &e->u;
    if (is_any(u, i, others)) return skip_to(e, i, ";") + 1;
    const int repeated = edits_body_of_macro(e, i);
    if (repeated) return read_macro_loop(r, i, repeated, s);
    const int declared = edits_declared_by_macro(e, i, r->block_end);
    if (declared) {
        e->statements[s].kind = S_DECLARATION;
        return declared;
    }
    if (!is(u, i + 1, "(") && edits_end_of_macro(e, i)) {  // BARRIER, and no type of what stands behind it
        e->statements[s].kind = S_EXPRESSION;
        return i + 1;
    }
    if (edits_is_declaration(e, i)) {
        e->statements[s].kind = S_DECLARATION;
        const int behind = edits_declare(e, i, r->block_end, s);
        read_lambdas(r, i, behind, s);
        return behind;
    }
    if (edits_labels_by_macro(e, i)) {
        e->statements[s].fixed = true;
        return skip_to(e, i, ";") + 1;
    }
    const int macro = edits_end_of_macro(e, i);
    int end = macro ? macro : i;
    while (end < r->block_end && !macro && !is(u, end, ";")) {
        if (u->tokens[end].bracket == '{' && is(u, end - 1, ")") && !is(u, i, "return") &&
            is_name(u, u->tokens[end - 1].match - 1))
            return end;  // FOR(i, n) { ... }, and not state = (pair){0, 1};
        end = skip_group(u, end);
    }
    e->statements[s].kind = is(u, i, "return") ? S_RETURN : S_EXPRESSION;
    if (is(u, i, "break") || is(u, i, "continue")) e->statements[s].kind = S_JUMP;
    const int list = is(u, i, "return") ? i + 1 : end;
    const int literal = list < end && is(u, list, "(") ? skip_group(u, list) : list;  // return (mass){max, sum};
    if (literal < end && is(u, literal, "{") && skip_group(u, literal) == end)
        edits_add_list(e, literal, s);
    else if (!edits_pragma_above(e, i, true))
        edits_add_place(e, P_STATEMENT, i, end, NULL, s);
    read_lambdas(r, i, end, s);
    return macro ? macro : end + 1;
}

static int read_statement(reader *r, int i, int parent, bool listed) {
    edits *e = r->e;
    const unit *u = &e->u;
    while (is(u, i, "case") || (is(u, i, "default") && is(u, i + 1, ":")) || (is_name(u, i) && is(u, i + 1, ":"))) {
        i = skip_to(e, i, ":") + 1;
        listed = false;
    }
    if (i >= r->block_end) return r->block_end;
    const int loop = edits_behind_pragma(e, i), s = add_statement(r, i, parent, listed);
    e->statements[s].fixed |= r->collapse > 0;
    if (loop) e->statements[s].first = i = loop;
    int end;
    if (is(u, i, "{") && u->tokens[i].match > i)
        e->statements[s].kind = S_BLOCK, end = read_block(r, i, s);
    else if (is(u, i, "if"))
        end = read_if(r, i, s);
    else if (is(u, i, "for"))
        end = read_for(r, i, s);
    else if (is(u, i, "while"))
        end = read_while(r, i, s);
    else if (is(u, i, "do"))
        end = read_do(r, i, s);
    else if (is(u, i, "switch") || is(u, i, "else"))
        end = read_statement(r, is(u, i, "else") ? i + 1 : skip_group(u, i + 1), s, false);
    else
        end = read_simple(r, i, s);
    if (end <= i) end = i + 1;
    e->statements[s].end = end;
    return end;
}

// Rows(const float *base, int D) : at(base + D), pitch(D) {}: what members begin with. Its names are no data: what those
// are is told in the body.
static void read_members(edits *e, int k) {
    const unit *u = &e->u;
    const function f = e->functions[k];
    const int close = u->tokens[f.open].match;
    if (!is(u, close + 1, ":") || is(u, close + 2, ":")) return;
    reader r = {.e = e, .function = k, .block_end = f.end - 1};
    const int s = add_statement(&r, close + 2, -1, false);
    e->statements[s].end = f.body, e->statements[s].fixed = true;
    for (int i = close + 2; i + 1 < f.body; i++) {
        if (!is_name(u, i) || !is(u, i + 1, "(")) continue;
        const int first = i + 2, end = u->tokens[i + 1].match, places = e->n_places;
        if (first < end && skip_group(u, i + 1) == end + 1)
            edits_add_place(e, P_VALUE, first, end, format(&e->u, "__typeof__(%s)", edits_text(e, first, end)), s);
        if (e->n_places > places) e->places[places].bound = true;
        i = end;
    }
}

void edits_statements(edits *e) {
    const unit *u = &e->u;
    edits_globals(e);
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        const bool body = t->bracket == '{' && t->match > i && (t->scope == SCOPE_HOST || t->scope == SCOPE_DEVICE);
        if (!body) continue;
        edits_add_function(e, i);
        i = t->match;
    }
    for (int k = 0; k < e->n_functions; k++) {
        const function f = e->functions[k];
        edits_parameters(e, k);
        if (f.constant) continue;
        read_members(e, k);
        reader r = {.e = e, .function = k, .block_end = f.end - 1};
        const int body = add_statement(&r, f.body, -1, false);
        e->statements[body].kind = S_BLOCK, e->statements[body].end = f.end;
        for (int i = f.body + 1; i < f.end - 1;) i = read_statement(&r, i, body, true);
    }
}
