// declarations.c: what names are declared, where they are visible, and the values that they begin with.
#include "edits.h"

#include <string.h>

enum { MOST = 24 };  // declarators of one declaration

static const char *const declaring[] = {
    "const",    "unsigned",     "signed",       "static", "register", "volatile", "auto",    "int",
    "long",     "short",        "float",        "double", "char",     "bool",     "size_t",  "__shared__",
    "extern",   "constexpr",    "struct",       "union",  "void",     "int32_t",  "int64_t", "uint32_t",
    "uint64_t", "__constant__", "thread_local", "_Bool",  NULL};

// float (*rows)[n] = ..., float (*restrict rows)[n], float (*f)(float), float (*list[3])[n].
static bool declares_rows(const unit *u, int i) {
    static const char *const qualifiers[] = {"const", "restrict", "__restrict__", "__restrict", NULL};
    const int name = i + 3 + is_any(u, i + 3, qualifiers), close = u->tokens[i + 1].match;
    return is(u, i + 2, "*") && is_name(u, name) && (is(u, name + 1, ")") || is(u, name + 1, "[")) && close > name &&
           (is(u, close + 1, "[") || is(u, close + 1, "("));
}

bool edits_is_declaration(const edits *e, int i) {
    static const char *const keywords[] = {"return", "break", "continue", "goto", "delete", "new",   "throw",
                                           "else",   "case",  "sizeof",   "if",   "for",    "while", NULL};
    const unit *u = &e->u;
    if (is_any(u, i, keywords)) return false;
    if (is_any(u, i, declaring)) return !is(u, i + 1, "(") || declares_rows(u, i);
    if (!is_name(u, i)) return false;
    while (is(u, i + 1, "::") && is_name(u, i + 2)) i += 2;
    int k = i + 1;
    if (is(u, k, "<")) {  // vector<int> x
        k = angle_close(u, k);
        while (k >= 0 && (is(u, k + 1, "*") || is(u, k + 1, "&") || is(u, k + 1, "const"))) k++;  // tiles<64> &t = ...
        if (k < 0 || !is_name(u, k + 1)) return false;
        return is(u, k + 2, "=") || is(u, k + 2, ";") || is(u, k + 2, ",") || is(u, k + 2, "{") || is(u, k + 2, "(");
    }
    bool stars = false;
    while (is(u, k, "*") || is(u, k, "&") || is(u, k, "const") || is(u, k, "restrict") || is(u, k, "__restrict__"))
        stars = true, k++;
    if (!is_name(u, k)) return false;
    return !stars || is(u, k + 1, "=") || is(u, k + 1, ";") || is(u, k + 1, ",") || is(u, k + 1, "[");
}

void edits_add_place(edits *e, place_kind kind, int first, int end, const char *cast, int statement) {
    if (first >= end || edits_directive_within(e, first, end)) return;
    const unit *u = &e->u;
    for (int i = first; i < end; i++)
        if (edits_lambda(u, i)) return edits_add_beside(e, first, end, statement);  // its statements have places
    int from = first;
    if (kind == P_STATEMENT && is(u, first, "return")) from++;
    if (cast) cast = format(&e->u, e->cuda ? "static_cast<%s>" : "(%s)", cast);
    *EDITS_ADD(e, places, n_places) = (place){.kind = kind,
                                              .first = first,
                                              .end = end,
                                              .cast = cast,
                                              .tree = from < end ? edits_parse(e, from, end) : NULL,
                                              .statement = statement};
}

// What all alternatives of a value are converted to, as the declaration would. NULL: nothing can be said.
static const char *converted_to(edits *e, int first, int type_end, const declarator *d, int from, value_type t) {
    static const char *const dropped[] = {"static", "register", "volatile", "__restrict__", "restrict", NULL};
    unit *u = &e->u;
    const bool simple = !t.pointers && (t.base == BASE_INT || t.base == BASE_FLOAT);
    const char *text = "";
    if (t.base == BASE_UNKNOWN || (!e->cuda && !simple && !t.pointers)) return NULL;
    for (int i = first; i < type_end; i++) {
        if (is_any(u, i, dropped) || (simple && is(u, i, "const"))) continue;
        if (!is_name(u, i)) return NULL;
        text = format(u, "%s%s%s", text, *text ? " " : "", edits_text(e, i, i + 1));
    }
    for (int i = from; i < d->name; i++) {
        if (is(u, i, "&") || is(u, i, "(")) return NULL;
        if (is(u, i, "*")) text = format(u, "%s *", text);
    }
    return *text && !is(u, d->name + 1, "[") ? text : NULL;
}

// Does a value depend on something that is known only when it runs? Otherwise it may be the length of an array.
static bool runs(const edits *e, int first, int end) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (t->kind != TOKEN_NAME) continue;
        const variable *v = edits_visible(e, t->at, t->length, i);
        if (v ? !v->is_global : is(&e->u, i + 1, "(") || is(&e->u, i + 1, ".")) return true;
    }
    return false;
}

// Is it the length of an array, a template's argument or a case? Then it must stay a constant.
static bool used_as_constant(const edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->from; i < v->to; i++) {
        if (!is(u, i, v->name)) continue;
        if (is(u, i - 1, "case") || (is(u, i - 1, "<") && is(u, i + 1, ">"))) return true;
        for (int k = i - 1; k > v->from && !is(u, k, ";") && !is(u, k, "{") && !is(u, k, "}"); k--)
            if (is(u, k, "[") && u->tokens[k].match > i && edits_is_declaration(e, statement_start(u, k))) return true;
    }
    return false;
}

static variable *add_variable(edits *e, int name, value_type type, int from, int to) {
    variable *v = EDITS_ADD(e, variables, n_variables);
    *v = (variable){.name = edits_text(e, name, name + 1), .type = type, .from = from, .to = to, .declared = name};
    return v;
}

void edits_add_list(edits *e, int open, int statement) {
    const unit *u = &e->u;
    const int close = u->tokens[open].match;
    for (int i = open + 1, k = i; k <= close && i < close; k = skip_group(u, k)) {
        if (!is(u, k, ",") && k != close) continue;
        if (is(u, i, ".") && is(u, i + 2, "=")) i += 3;                                       // .rows = n
        if (is(u, i, "[") && is(u, u->tokens[i].match + 1, "=")) i = u->tokens[i].match + 2;  // [KEY] = Wk
        if (i < k && !is(u, i, "{"))
            edits_add_place(e, P_VALUE, i, k, format(&e->u, "__typeof__(%s)", edits_text(e, i, k)), statement);
        i = k + 1;
    }
}

// auto f = rows<BR, BC>; ends behind the >.
static bool ends_in_template(const unit *u, int first, int end) {
    bool open = false;
    for (int k = first; k < end; k++) open |= is(u, k, "<");
    for (int k = end + 1; open && is(u, end, ",") && !is(u, k, ";") && !is(u, k, "="); k = skip_group(u, k))
        if (is(u, k, ">")) return true;
    return false;
}

static void add_values(edits *e, const declarator *d, int first, int type_end, int from, int v, int statement) {
    static const char *const fixed[] = {"static", "constexpr",    "__shared__", "__constant__",
                                        "extern", "thread_local", NULL};
    const unit *u = &e->u;
    for (int i = first; i < type_end; i++)
        if (is_any(u, i, fixed)) return;
    const value_type type = e->variables[v].type;
    const int list = d->initializer < 0 ? -1 : d->initializer + is(u, d->initializer, "=");
    if (is(u, d->name + 1, "(") && u->tokens[d->name + 1].match < d->end) {  // dim3 grid(x, y)
        const int close = u->tokens[d->name + 1].match;
        for (int i = d->name + 2, k = i; k <= close; k = skip_group(u, k))
            if (is(u, k, ",") || k == close) {
                edits_add_place(e, P_VALUE, i, k, format(&e->u, "__typeof__(%s)", edits_text(e, i, k)), statement);
                i = k + 1;
            }
    } else if (list >= 0 && is(u, list, "{")) {  // part p = {a, b}, part p{a, b}
        edits_add_list(e, list, statement);
    } else if (d->initializer >= 0 && is(u, d->initializer, "=")) {
        const bool length = e->variables[v].is_const && type.base != BASE_FLOAT && !type.pointers;
        if (ends_in_template(u, d->initializer + 1, d->end)) return;
        if (length && !runs(e, d->initializer + 1, d->end) && used_as_constant(e, &e->variables[v])) return;
        const int n = e->n_places;
        edits_add_place(e, P_VALUE, d->initializer + 1, d->end, converted_to(e, first, type_end, d, from, type),
                        statement);
        for (int i = from; i < d->name && e->n_places > n; i++) e->places[n].bound |= is(u, i, "&");
    }
}

int edits_declare(edits *e, int first, int scope_end, int statement) {
    const unit *u = &e->u;
    declarator list[MOST];
    int n = declarators(u, first, list, MOST);
    for (int k = 0; k + 1 < n; k++)  // the , in x = 1 / sum<N, plus>(l); begins no other name
        if (list[k].initializer >= 0 && ends_in_template(u, list[k].initializer + 1, list[k].end))
            list[k].end = list[n - 1].end, n = k + 1;
    if (n <= 0) {
        int i = first;
        while (i < scope_end && !is(u, i, ";")) i = skip_group(u, i);
        return i + 1;
    }
    int type_end = list[0].name;
    while (type_end > first &&
           (is(u, type_end - 1, "*") || is(u, type_end - 1, "&") || is(u, type_end - 1, "(") ||
            is(u, type_end - 1, "const") || is(u, type_end - 1, "restrict") || is(u, type_end - 1, "__restrict__")))
        type_end--;
    if (type_end == first) type_end = list[0].name;
    for (int k = 0; k < n; k++) {
        value_type type = edits_declared_type(e, first, type_end, list[k].name + 1);
        const int from = k ? list[k - 1].end : type_end;
        for (int i = from; i < list[k].name; i++) type.pointers += is(u, i, "*");
        for (int i = list[k].name + 1; is(u, i, ")") && is(u, i + 1, "["); i = u->tokens[i + 1].match)
            type.pointers++;  // float (*rows)[n]
        variable *v = add_variable(e, list[k].name, type, list[k].end, scope_end);
        for (int i = first; i < type_end; i++) v->is_const |= is(u, i, "const") || is(u, i, "constexpr");
        if (type.pointers) v->is_const = is(u, list[k].name - 1, "const");
        if (list[k].initializer >= 0)
            v->value = list[k].initializer + is(u, list[k].initializer, "="), v->value_end = list[k].end;
        if (statement >= 0) edits_add_lengths(e, list[k].name, statement);
        if (statement >= 0) add_values(e, &list[k], first, type_end, from, e->n_variables - 1, statement);
    }
    return list[n - 1].end + 1;
}

// end: of the block in which they are known.
static void add_enumerators(edits *e, int open, int end) {
    const unit *u = &e->u;
    for (int i = open + 1; i < u->tokens[open].match; i = skip_group(u, i))
        if (is_name(u, i) && (is(u, i - 1, "{") || is(u, i - 1, ","))) {
            variable *v = add_variable(e, i, (value_type){.base = BASE_INT}, i, end);
            v->is_const = v->is_global = v->is_enumerator = true;
        }
}

// Those of the enums within a function, whose { this is.
static void add_local_enumerators(edits *e, int open) {
    const unit *u = &e->u;
    for (int i = open + 1; i < u->tokens[open].match; i++) {
        if (u->tokens[i].bracket != '{' || (!is(u, i - 1, "enum") && !is(u, i - 2, "enum"))) continue;
        int block = i - 1;
        while (u->tokens[block].bracket != '{' || u->tokens[block].match < i) block--;
        add_enumerators(e, i, u->tokens[block].match);
    }
}

// int rows() const { ... }, or without a body: the token behind it; 0: it is a field. float (*f)(float) is one.
static int end_of_method(const unit *u, int i, int close) {
    if (is(u, i, "alignas") || is(u, i, "__align__")) i = skip_group(u, i + 1);
    while (i < close && !is(u, i, "(") && !is(u, i, ";") && !is(u, i, "=") && !is(u, i, "{")) i++;
    if (!is(u, i, "(") || !is_name(u, i - 1) || is(u, i + 1, "*")) return 0;
    while (i < close && !is(u, i, ";") && !is(u, i, "{")) i = skip_group(u, i);
    return skip_group(u, i);
}

// The fields of a struct: known by their names, and visible nowhere (from > to).
static void add_fields(edits *e, int open) {
    const unit *u = &e->u;
    const int close = u->tokens[open].match;
    for (int i = open + 1; i < close;) {
        const int method = end_of_method(u, i, close);
        const int first_new = e->n_variables, next = method ? method : edits_declare(e, i, close, -1);
        for (int k = first_new; k < e->n_variables; k++) {
            e->variables[k].from = 1, e->variables[k].to = 0;
            e->variables[k].owner = is_name(u, close + 1)  ? edits_text(e, close + 1, close + 2)
                                    : is_name(u, open - 1) ? edits_text(e, open - 1, open)
                                                           : "";
        }
        i = next > i ? next : i + 1;
    }
}

// #define NAME 64
static void add_macros(edits *e) {
    for (int i = 0; i < e->n_directives; i++) {
        char name[64], value[64];
        const directive *d = &e->directives[i];
        const char *line = format(&e->u, "%.*s", (int)(d->end - d->first), e->source + d->first);
        if (sscanf(line, " # define %63[A-Za-z0-9_] %63s", name, value) != 2 || !strchr("0123456789(-.", *value))
            continue;
        const char *behind = strstr(line, name) + strlen(name);
        if (*behind == '(') continue;
        variable *v = EDITS_ADD(e, variables, n_variables);
        const bool point = strchr(value, '.') || strstr(value, "INF") || (!strstr(value, "0x") && strpbrk(value, "ef"));
        int from = 0;
        while (from < e->u.token_count && (size_t)(e->u.tokens[from].at - e->u.text) < d->end) from++;
        *v = (variable){.name = format(&e->u, "%s", name), .from = from, .to = e->u.token_count, .declared = -1};
        v->type = (value_type){.base = point ? BASE_FLOAT : BASE_INT};
        v->is_const = v->is_global = true;
    }
}

void edits_globals(edits *e) {
    const unit *u = &e->u;
    add_macros(e);
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '{' && t->match > i) {
            const int start = statement_start(u, i);
            bool is_enum = false, is_struct = false;
            for (int k = start; k < i; k++)
                is_enum |= is(u, k, "enum"), is_struct |= is(u, k, "struct") || is(u, k, "class");
            const bool bare = is_enum && !is_struct;  // enum class way { NT }: nobody knows NT, but way::NT
            if (bare && !is(u, i - 1, ")")) add_enumerators(e, i, u->token_count);  // f(enum way w) { is none
            if (t->scope == SCOPE_HOST || t->scope == SCOPE_DEVICE) add_local_enumerators(e, i);
            if (is_struct && !is_enum && t->scope == SCOPE_CLASS) add_fields(e, i);
            if (t->scope != SCOPE_NAMESPACE) i = t->match;
        } else if ((is(u, i, "const") || is(u, i, "constexpr")) &&
                   (!i || is(u, i - 1, ";") || is(u, i - 1, "{") || is(u, i - 1, "}") || is(u, i - 1, "static"))) {
            const int first_new = e->n_variables;
            bool body = false, value = false;  // NT = (BM / TM) * (BN / TN) is no function
            for (int k = i; k < u->token_count && !is(u, k, ";"); k++) {
                value |= is(u, k, "=");
                body |= is(u, k, "{") || (is(u, k, "(") && !value);
            }
            if (!body) edits_declare(e, i, u->token_count, -1);
            for (int k = first_new; k < e->n_variables; k++)
                e->variables[k].is_const = e->variables[k].is_global = true;
        }
    }
}
