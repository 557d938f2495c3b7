// data.c: a text as a tree in prefix notation, which hooks/evaluate.c runs. What it does not understand for certain (a call
// of the student's functions, a declaration, a loop) is no program: the compiler is asked.
#include "data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *assignment(reader *r);
static const char *unary(reader *r);

static const char *built_in(reader *r, const char *name) {
    static const char *const axes[] = {"x", "y", "z", NULL};
    if (!data_take(r, ".")) return data_fail(r);
    const char *axis = data_word(r);
    return data_is_word(axis, axes) ? data_slot(r, format(r->u, "%s.%s", name, axis), NULL) : data_fail(r);
}

static const char *arguments(reader *r, int *n) {
    const char *list = "";
    *n = 0;
    if (data_take(r, ")")) return list;
    do {
        list = format(r->u, "%s%s", list, assignment(r)), ++*n;
    } while (data_take(r, ",") && !r->failed);
    return data_take(r, ")") ? list : data_fail(r);
}

static const char *known_call(reader *r, const char *name) {
    static const char *const functions[][5] = {{"fmaxf"},
                                               {"fminf"},
                                               {"expf", "__expf"},
                                               {"exp2f"},
                                               {"logf", "__logf"},
                                               {"log2f", "__log2f"},
                                               {"sqrtf", "__fsqrt_rn"},
                                               {"rsqrtf"},
                                               {"fabsf"},
                                               {"fmaf", "__fmaf_rn"},
                                               {"__fdividef", "fdividef", "__fdiv_rn"},
                                               {"exp"},
                                               {"sqrt"},
                                               {"log"},
                                               {"max"},
                                               {"min"}};
    static const char wanted[] = "2211111113211122";
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 5 && functions[i][k]; k++) {
            if (strcmp(functions[i][k], name)) continue;
            int n;
            const char *list = arguments(r, &n);
            return n == wanted[i] - '0' ? format(r->u, "f%d;%d%s", i, n, list) : data_fail(r);
        }
    return data_fail(r);
}

static const char *name_here(reader *r) {
    static const char *const axes[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    static const char *const infinite[] = {"INFINITY", "HUGE_VALF", "CUDART_INF_F", NULL};
    const edits *e = r->d->e;
    const char *name = data_word(r);
    if (!strcmp(name, "std") && data_take(r, "::")) name = data_word(r);
    if (data_is_word(name, axes)) return e->functions[r->function].device ? built_in(r, name) : data_fail(r);
    if (data_is_word(name, infinite)) return "Rfinf;";
    if (!strcmp(name, "FLT_MAX")) return "Rf3.40282347e+38;";
    if (!strcmp(name, "NAN")) return "Rfnan;";
    if (!strcmp(name, "true")) return "Ib1;";
    if (!strcmp(name, "false")) return "Ib0;";
    const variable *v = edits_visible(e, name, (int)strlen(name), r->token);
    if (data_take(r, "(")) return v ? data_fail(r) : known_call(r, name);
    return v ? data_slot(r, name, v) : data_fail(r);
}

static const char *primary(reader *r) {
    data_blanks(r);
    const char *begin = r->at;
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1]))) return data_number(r);
    if (data_take(r, "sizeof")) {
        const char kind = data_take(r, "(") ? data_type(r) : 0;
        return kind && data_take(r, ")") ? format(r->u, "IL%d;", data_size(kind)) : data_fail(r);
    }
    if (data_take(r, "static_cast<")) {
        const char kind = data_type(r);
        if (!kind || !data_take(r, ">") || !data_take(r, "(")) return data_fail(r);
        const char *inside = assignment(r);
        return data_take(r, ")") ? format(r->u, "C%c%s", kind, inside) : data_fail(r);
    }
    if (data_take(r, "reinterpret_cast<")) {
        const char *type = data_pointer_type(r, ">");
        if (!type || !data_take(r, "(")) return data_fail(r);
        const char *inside = assignment(r);
        return data_take(r, ")") ? format(r->u, "T%s%s", type, inside) : data_fail(r);
    }
    char kind = data_type(r);
    if (kind) {  // float(x)
        if (!data_take(r, "(")) return data_fail(r);
        const char *inside = assignment(r);
        return data_take(r, ")") ? format(r->u, "C%c%s", kind, inside) : data_fail(r);
    }
    r->at = begin;
    if (data_take(r, "(")) {
        const char *type = data_pointer_type(r, ")");
        if (type) return format(r->u, "T%s%s", type, unary(r));
        kind = data_type(r);
        if (kind && data_take(r, ")")) return format(r->u, "C%c%s", kind, unary(r));
        if (kind) return data_fail(r);
        const char *inside = assignment(r);
        while (data_take(r, ",")) inside = format(r->u, ",%s%s", inside, assignment(r));
        return data_take(r, ")") ? inside : data_fail(r);
    }
    return data_letter(*r->at) ? name_here(r) : data_fail(r);
}

static int field_number(data *d, const char *name) {
    for (int i = 0; i < d->n_fields; i++)
        if (!strcmp(d->fields[i], name)) return i;
    edits_grow(&d->e->u, (void **)&d->fields, sizeof *d->fields, d->n_fields);
    d->fields[d->n_fields] = name;
    return d->n_fields++;
}

static const char *postfix(reader *r) {
    const char *x = primary(r);
    while (!r->failed) {
        data_blanks(r);
        if (data_take(r, "[")) {
            const char *index = assignment(r);
            x = data_take(r, "]") ? format(r->u, "[%s%s", x, index) : data_fail(r);
        } else if (!strncmp(r->at, "->", 2) || (*r->at == '.' && data_letter(r->at[1]))) {
            const char op = *r->at == '.' ? '.' : '@';
            r->at += op == '.' ? 1 : 2;
            x = format(r->u, "%c%d;%s", op, field_number(r->d, data_word(r)), x);
            if (data_take(r, "(")) return data_fail(r);
        } else if (data_take(r, "++")) {
            x = format(r->u, "p%s", x);
        } else if (data_take(r, "--")) {
            x = format(r->u, "q%s", x);
        } else {
            return *r->at == '(' ? data_fail(r) : x;
        }
    }
    return x;
}

static const char *unary(reader *r) {
    data_blanks(r);
    if (data_take(r, "++")) return format(r->u, "m+%sIi1;", unary(r));
    if (data_take(r, "--")) return format(r->u, "m-%sIi1;", unary(r));
    if (data_take(r, "+")) return unary(r);
    if (data_take(r, "-")) return format(r->u, "n%s", unary(r));
    if (data_take(r, "!")) return format(r->u, "!%s", unary(r));
    if (data_take(r, "~")) return format(r->u, "~%s", unary(r));
    if (data_take(r, "*")) return format(r->u, "P%s", unary(r));
    if (r->at[0] == '&' && r->at[1] != '&' && data_take(r, "&")) return format(r->u, "A%s", unary(r));
    return postfix(r);
}

// The binary operator that stands here, and how tightly it binds; what assigns is none.
static int sign_here(reader *r, int *length, char *op) {
    static const struct {
        const char *text;
        int level;
        char op;
    } signs[] = {{"<<", 8, 's'}, {">>", 8, 'S'}, {"<=", 7, 'l'}, {">=", 7, 'g'}, {"==", 6, 'e'}, {"!=", 6, 'N'},
                 {"&&", 2, 'a'}, {"||", 1, 'o'}, {"+", 9, '+'},  {"-", 9, '-'},  {"*", 10, '*'}, {"/", 10, '/'},
                 {"%", 10, '%'}, {"<", 7, '<'},  {">", 7, '>'},  {"&", 5, '&'},  {"|", 3, '|'},  {"^", 4, '^'}};
    data_blanks(r);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t n = strlen(signs[i].text);
        if (strncmp(r->at, signs[i].text, n)) continue;
        const bool compares = strchr("lgeN", signs[i].op) != NULL;
        if ((r->at[n] == '=' && !compares) || (n == 1 && r->at[1] == r->at[0] && strchr("+-", *r->at))) return 0;
        *length = (int)n, *op = signs[i].op;
        return signs[i].level;
    }
    return 0;
}

static const char *binary(reader *r, int least) {
    const char *x = unary(r);
    int length, level;
    char op;
    while (!r->failed && (level = sign_here(r, &length, &op)) >= least && level) {
        r->at += length;
        const char *b = binary(r, level + 1);
        x = format(r->u, "%c%s%s", op, x, b);
    }
    return x;
}

static const char *assignment(reader *r) {
    static const char *const signs[] = {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
    static const char ops[] = "sS+-*/%&|^";
    const char *x = binary(r, 1);
    if (r->failed) return x;
    if (data_take(r, "?")) {
        const char *b = assignment(r);
        if (!data_take(r, ":")) return data_fail(r);
        return format(r->u, "?%s%s%s", x, b, assignment(r));
    }
    for (int i = 0; signs[i]; i++)
        if (data_take(r, signs[i])) return format(r->u, "m%c%s%s", ops[i], x, assignment(r));
    data_blanks(r);
    if (*r->at == '=' && r->at[1] != '=' && data_take(r, "=")) return format(r->u, "m=%s%s", x, assignment(r));
    return x;
}

static const char *sequence(reader *r) {
    const char *x = assignment(r);
    while (!r->failed && data_take(r, ",")) x = format(r->u, ",%s%s", x, assignment(r));
    return x;
}

// a = b;   if (c) a = b;   { a = b; c = d; }
static const char *statement_here(reader *r) {
    if (data_take(r, "{")) {
        const char *x = "Ii0;";
        while (!r->failed && !data_take(r, "}")) x = format(r->u, ",%s%s", x, statement_here(r));
        return x;
    }
    if (data_take(r, "if")) {
        if (!data_take(r, "(")) return data_fail(r);
        const char *condition = sequence(r);
        if (!data_take(r, ")")) return data_fail(r);
        const char *then = statement_here(r);
        return format(r->u, "w%s%s%s", condition, then, data_take(r, "else") ? statement_here(r) : "Ii0;");
    }
    if (data_take(r, ";")) return "Ii0;";
    const char *x = sequence(r);
    data_blanks(r);
    if (*r->at && !data_take(r, ";")) return data_fail(r);
    return x;
}

const char *edits_program(data *d, const char *text, int function, int token) {
    const int slots = d->n_slots, numbers = d->numbers[function];
    reader r = {.d = d, .u = &d->e->u, .at = text, .function = function, .token = token};
    const char *x = statement_here(&r);
    while (!r.failed && (data_blanks(&r), *r.at)) x = format(r.u, ",%s%s", x, statement_here(&r));
    if (!r.failed && strlen(x) < 2000) return x;
    d->n_slots = slots, d->numbers[function] = numbers;
    return NULL;
}
