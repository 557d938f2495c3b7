// functions.c: what a file's functions are called and what they are given; lambdas, and the fields of a struct in its own
// functions.
#include "edits.h"

#include <ctype.h>
#include <string.h>

// The brace at i opens the body of a function: what it is called and what it takes.
void edits_add_function(edits *e, int brace) {
    const unit *u = &e->u;
    const int start = statement_start(u, brace);
    int open = -1;
    int name = -1;  // of operator+= ( ... ): where it begins
    for (int i = start; i < brace; i++) {
        if (is(u, i, "operator")) name = i, i += is(u, i + 1, "(") ? 3 : 1;
        const bool group = is(u, i, "__attribute__") || is(u, i, "__launch_bounds__") || is(u, i, "alignas");
        if (group)
            i = skip_group(u, i + 1) - 1;
        else if (u->tokens[i].bracket == '(' && (name >= 0 || is_name(u, i - 1))) {
            open = i;
            break;
        }
    }
    if (open < 0 || u->tokens[open].match < 0) return;
    if (name < 0) name = open - 1;
    function *f = EDITS_ADD(e, functions, n_functions);
    *f = (function){.name = edits_text(e, name, open), .open = open, .body = brace, .end = u->tokens[brace].match + 1};
    f->result = edits_declared_type(e, start, name, brace);
    for (int i = start; i < open; i++) {
        f->device |= is(u, i, "__device__") || is(u, i, "__global__");
        f->kernel |= is(u, i, "__global__");
        f->constant |= is(u, i, "constexpr") || is(u, i, "consteval");
    }
}

// [ at i begins a lambda: the brace of its body; 0: it does not.
int edits_lambda(const unit *u, int i) {
    const bool subscript =
        i && (is(u, i - 1, ")") || is(u, i - 1, "]") || (is_name(u, i - 1) && !is(u, i - 1, "return")));
    if (!is(u, i, "[") || u->tokens[i].match <= i || subscript) return 0;
    int k = u->tokens[i].match + 1;
    if (is(u, k, "(")) k = skip_group(u, k);
    while (is_name(u, k) || is(u, k, "->") || is(u, k, "::") || is(u, k, "*") || is(u, k, "&")) k++;
    return is(u, k, "{") && u->tokens[k].match > k ? k : 0;
}

static variable *add_parameter(edits *e, int name, value_type type, int from, int to) {
    variable *v = EDITS_ADD(e, variables, n_variables);
    *v = (variable){.name = edits_text(e, name, name + 1),
                    .type = type,
                    .from = from,
                    .to = to,
                    .declared = name,
                    .is_parameter = true};
    return v;
}

int edits_add_parameters(edits *e, int open, int from, int to) {
    const unit *u = &e->u;
    const int close = u->tokens[open].match;
    int n = 0;
    for (int i = open + 1, k = i; k <= close; k = skip_group(u, k)) {
        if (is(u, k, "<") && angle_close(u, k) > k) k = angle_close(u, k);
        if (!is(u, k, ",") && k != close) continue;
        int name = k - 1;
        while (name > i && is(u, name, "]")) name = u->tokens[name].match - 1;
        for (int d = i; d < k; d++)
            if (is(u, d, "=")) name = d - 1;
        if (name > i && is_name(u, name)) {
            add_parameter(e, name, edits_declared_type(e, i, name, name + 1), from, to);
            n++;
        }
        i = k + 1;
    }
    return n;
}

// The fields of the struct in which a function stands are names in it.
static void add_own_fields(edits *e, const function *f) {
    const unit *u = &e->u;
    for (int i = statement_start(u, f->open); i < f->open; i++)
        if (is(u, i, "static") || is(u, i, "friend")) return;  // it has none
    int open = f->body - 1;
    while (open >= 0 && !(is(u, open, "{") && u->tokens[open].match >= f->end)) open--;
    if (open < 0 || u->tokens[open].scope != SCOPE_CLASS) return;
    for (int i = 0, n = e->n_variables; i < n; i++) {
        variable v = e->variables[i];
        if (!v.owner || v.declared < open || v.declared >= u->tokens[open].match) continue;
        v.from = f->body, v.to = f->end, v.owner = NULL, v.declared = -1;
        *EDITS_ADD(e, variables, n_variables) = v;
    }
}

void edits_parameters(edits *e, int function_index) {
    const unit *u = &e->u;
    const int end = e->functions[function_index].end;
    add_own_fields(e, &e->functions[function_index]);
    function *f = &e->functions[function_index];
    const int close = u->tokens[f->open].match, members = is(u, close + 1, ":") && !is(u, close + 2, ":");
    f->parameters = edits_add_parameters(e, f->open, members ? close + 1 : f->body, end);
    // template <int BC, class T> before it
    const int start = statement_start(u, f->open);
    for (int i = start; i < f->open; i++)
        if (is(u, i, "template") && is(u, i + 1, "<"))
            for (int k = i + 2; k < angle_close(u, i + 1); k++)
                if (is(u, k, "int") && is_name(u, k + 1)) {
                    variable *v = add_parameter(e, k + 1, (value_type){.base = BASE_INT}, f->body, end);
                    v->is_parameter = false, v->is_const = v->is_global = true;
                }
}

// return a < b ? a : b;
static bool takes_less(const edits *e, const function *f) {
    const unit *u = &e->u;
    for (int i = f->body; i + 6 < f->end; i++)
        if (is(u, i + 3, "?") && is(u, i + 5, ":"))
            return edits_same(u, i, is(u, i + 1, "<") ? i + 4 : i + 6, 1) && (is(u, i + 1, "<") || is(u, i + 1, ">"));
    return false;
}

// From the name on: NAME(v, n) for (...); NULL: the file defines no macro of that name.
static const char *definition_of(const edits *e, int token) {
    const unit *u = &e->u;
    unit *own = &((edits *)e)->u;
    for (int d = 0; d < e->n_directives; d++) {
        const char *line = format(own, "%.*s", (int)(e->directives[d].end - e->directives[d].first),
                                  e->source + e->directives[d].first);
        const char *name = strstr(line, format(own, " %.*s(", u->tokens[token].length, u->tokens[token].at));
        if (name) return name;
    }
    return NULL;
}

// #define BARRIER __syncthreads();
static const char *definition_without_arguments(const edits *e, int token) {
    const unit *u = &e->u;
    unit *own = &((edits *)e)->u;
    for (int d = 0; d < e->n_directives; d++) {
        const char *line = format(own, "%.*s ", (int)(e->directives[d].end - e->directives[d].first),
                                  e->source + e->directives[d].first);
        const char *name = strstr(line, "define ") ? strstr(line, "define ") + strlen("define ") : NULL;
        if (name && !strncmp(name, u->tokens[token].at, (size_t)u->tokens[token].length) &&
            name[u->tokens[token].length] == ' ')
            return name;
    }
    return NULL;
}

// #define FOR_EACH(v, n) for (...), #define EACH_LANE for (...): the token of the statement that it repeats; 0: it is none.
int edits_body_of_macro(const edits *e, int i) {
    const unit *u = &e->u;
    const bool called = is(u, i + 1, "(");
    const int body = !is_name(u, i) ? 0 : called ? skip_group(u, i + 1) : i + 1;
    if (!body || !(is_name(u, body) || is(u, body, "*") || is(u, body, "{"))) return 0;
    const char *macro = called ? definition_of(e, i) : definition_without_arguments(e, i);
    if (!macro || called) return macro && strstr(macro, "for") ? body : 0;
    return !strncmp(macro + u->tokens[i].length, " for (", 6) ? body : 0;
}

// #define EACH_LANE for (int w = 0; ...): w; NULL: the loop is given its variable, or none is declared there.
const char *edits_counter_of_macro(const edits *e, int i) {
    const char *macro = is(&e->u, i + 1, "(") ? NULL : definition_without_arguments(e, i);
    const char *name = macro ? strstr(macro, "for (int ") : NULL;
    if (!name) return NULL;
    name += strlen("for (int ");
    int n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_') n++;
    return format(&((edits *)e)->u, "%.*s", n, name);
}

// EACH(n, rows * D) out[n] = 0, whose condition nobody sees.
bool edits_loops_by_macro(const edits *e, int s) {
    const statement *st = &e->statements[s];
    return st->kind == S_LOOP && st->body >= 0 && edits_body_of_macro(e, st->first);
}

// Of such a loop: does its macro begin with, or go on by, what differs from thread to thread?
bool edits_macro_names_thread(const edits *e, int s) {
    const int first = e->statements[s].first;
    if (!edits_loops_by_macro(e, s)) return false;
    const bool called = is(&e->u, first + 1, "(");
    return strstr(called ? definition_of(e, first) : definition_without_arguments(e, first), "threadIdx");
}

// #define CHECK(call) { ... }, or ...;, which needs no semicolon: the token behind CHECK(...), where there is none, or behind
// a macro without arguments; 0: it is none.
int edits_end_of_macro(const edits *e, int i) {
    const unit *u = &e->u;
    const bool called = is(u, i + 1, "(");
    const int end = !is_name(u, i) ? 0 : called ? skip_group(u, i + 1) : i + 1;
    const char *macro = !end || is(u, end, ";") ? NULL
                        : called                ? definition_of(e, i)
                                                : definition_without_arguments(e, i),
               *last = macro ? macro + strlen(macro) : NULL;
    while (last && last > macro && isspace((unsigned char)last[-1])) last--;
    return last && last > macro && (last[-1] == '}' || last[-1] == ';') ? end : 0;
}

// #define UNROLL _Pragma("unroll")      UNROLL for (...): the loop behind a directive. 0: it is none, or one of OpenMP, to
// which the loop's form matters.
int edits_behind_pragma(const edits *e, int i) {
    const unit *u = &e->u;
    const bool plain = is(u, i, "_Pragma") && is(u, i + 1, "(");
    const int behind = !is_name(u, i) ? 0 : plain || is(u, i + 1, "(") ? skip_group(u, i + 1) : i + 1;
    if (!behind || !is(u, behind, "for")) return 0;
    const char *text = plain               ? edits_text((edits *)e, i, behind)
                       : is(u, i + 1, "(") ? definition_of(e, i)
                                           : definition_without_arguments(e, i);
    return text && strstr(text, "_Pragma") && !strstr(text, "omp") ? behind : 0;
}

// #define CASE(D) case D: return go<D>(...)      CASE(8); is a label, which is there once
bool edits_labels_by_macro(const edits *e, int i) {
    const char *macro = is_name(&e->u, i) && is(&e->u, i + 1, "(") ? definition_of(e, i) : NULL;
    return macro && strstr(macro, " case ");
}

// #define DIMS(s) const int B = (s).batch, H = (s).heads      DIMS(shape); declares B and H, and so does HEAD without a
// semicolon that has its own. 0: it declares nothing.
int edits_declared_by_macro(edits *e, int i, int scope_end) {
    static const char *const types[] = {"const ",  "static ",   "int ",  "float ", "double ",     "extern ",
                                        "size_t ", "unsigned ", "long ", "auto ",  "__shared__ ", NULL};
    const bool called = is(&e->u, i + 1, "(");
    const int end = !is_name(&e->u, i) ? 0 : called ? skip_group(&e->u, i + 1) : i + 1, own = edits_end_of_macro(e, i);
    const char *at =
        end && (own || is(&e->u, end, ";")) ? called ? definition_of(e, i) : definition_without_arguments(e, i) : NULL;
    bool declares = false;
    if (!at || (called && !(at = strchr(at, ')')))) return 0;
    for (at += called ? 1 : e->u.tokens[i].length; isspace((unsigned char)*at) || *at == '\\';) at++;
    for (int k = 0; types[k]; k++) declares |= !strncmp(at, types[k], strlen(types[k]));
    const bool real = !strncmp(at, "const float", 11) || !strncmp(at, "float", 5) || strstr(at, "double ");
    for (int depth = 0; declares && *at; at++) {
        int n = 0, blanks = 0;
        depth += (*at == '(') - (*at == ')');
        while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
        while (at[n + blanks] == ' ') blanks++;
        if (n && !depth && at[n + blanks] == '=' && at[n + blanks + 1] != '=')
            *EDITS_ADD(e, variables, n_variables) = (variable){.name = format(&e->u, "%.*s", n, at),
                                                               .type = {.base = real ? BASE_FLOAT : BASE_INT},
                                                               .from = end,
                                                               .to = scope_end,
                                                               .declared = i,
                                                               .is_const = true};
        if (n) at += n - 1;
    }
    return !declares ? 0 : own ? end : end + 1;
}

// Of two numbers the smaller one, as the file or CUDA calls it; NULL: neither has a function for that.
const char *edits_least(const edits *e, int token) {
    enum { SHORT = 14 };
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        const bool two = f->parameters == 2 && f->result.base == BASE_INT && !f->result.pointers && f->open < token;
        if (two && (f->end - f->body < SHORT ? takes_less(e, f) : strstr(f->name, "min") != NULL)) return f->name;
    }
    return e->cuda ? "min" : NULL;
}
