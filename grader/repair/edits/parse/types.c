// types.c: what is cheaply known of types: whole numbers, floats, structs, and how many pointers to them. Unknown
// is like everything.
#include "edits.h"

#include <string.h>

static base_type base_of(const unit *u, int i) {
    static const char *const integers[] = {"int",     "long",     "short",     "unsigned", "signed",
                                           "size_t",  "char",     "bool",      "int32_t",  "uint32_t",
                                           "int64_t", "uint64_t", "ssize_t",   "int8_t",   "uint8_t",
                                           "int16_t", "uint16_t", "ptrdiff_t", "_Bool",    NULL};
    static const char *const floats[] = {"float", "double", "__half", "half", NULL};
    return is_any(u, i, integers) ? BASE_INT
           : is_any(u, i, floats) ? BASE_FLOAT
           : is(u, i, "void")     ? BASE_VOID
                                  : BASE_UNKNOWN;
}

static bool qualifier(const unit *u, int i) {
    static const char *const words[] = {
        "const",        "static",       "volatile",     "restrict",        "__restrict__", "__restrict",
        "register",     "inline",       "extern",       "constexpr",       "__device__",   "__host__",
        "__global__",   "__shared__",   "__constant__", "__forceinline__", "struct",       "auto",
        "__noinline__", "thread_local", "ATTN_API",     "typename",        "__inline__",   NULL};
    return is_any(u, i, words);
}

// typedef size_t usize; using real = float; what a name stands for. What has braces is a struct.
static bool is_alias(edits *e, int name, value_type *type) {
    const unit *u = &e->u;
    const token *t = &u->tokens[name];
    for (int i = 0; i + 3 < name; i++) {
        const bool type_def = is(u, i, "typedef"), using = is(u, i, "using") && is(u, i + 2, "=");
        if (!type_def && !using) continue;
        int end = i + 1;
        while (end < name && !is(u, end, ";") && !is(u, end, "{")) end++;
        const int alias = using ? i + 1 : end - 1, first = using ? i + 3 : i + 1;
        const token *a = &u->tokens[alias];
        if (!is(u, end, ";") || a->length != t->length || memcmp(a->at, t->at, (size_t)t->length)) continue;
        *type = edits_declared_type(e, first, using ? end : alias, end);
        return type->base != BASE_UNKNOWN;
    }
    return false;
}

// [first, name): the type and what stands before the name; the [ ] behind it begin at `after`.
value_type edits_declared_type(edits *e, int first, int name, int after) {
    const unit *u = &e->u;
    value_type t = {.base = BASE_UNKNOWN};
    for (int i = first; i < name; i++) {
        const base_type base = base_of(u, i);
        if (base != BASE_UNKNOWN) {
            t.base = base;
        } else if (is(u, i, "const")) {
            t.constant |= !t.pointers;
        } else if (is(u, i, "*")) {
            t.pointers++;
        } else if (is(u, i, "(") && u->tokens[i].match < name) {  // __launch_bounds__(...)
            i = u->tokens[i].match > i ? u->tokens[i].match : i;
        } else if (is_name(u, i) && !qualifier(u, i) && t.base == BASE_UNKNOWN && !is(u, i + 1, "(")) {
            value_type alias;
            if (is_alias(e, i, &alias)) {
                t = (value_type){alias.base, t.pointers + alias.pointers, alias.word, t.constant || alias.constant};
            } else {
                t.base = BASE_STRUCT;
                t.word = edits_text(e, i, i + 1);
            }
        }
    }
    for (int i = after; is(u, i, "[") && u->tokens[i].match > i; i = u->tokens[i].match + 1) t.pointers++;
    return t;
}

bool is_operator(const edits *e, const expression *x, const char *list) {
    const char *op = x && x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    return *op && strchr(list, *op) && !op[1];
}

bool edits_alike(value_type a, value_type b) {
    if (a.base == BASE_UNKNOWN || b.base == BASE_UNKNOWN) return false;
    if (a.base != b.base || a.pointers != b.pointers) return false;
    return a.base != BASE_STRUCT || !strcmp(a.word, b.word);
}

bool edits_is_whole(value_type t) { return t.base == BASE_INT && !t.pointers; }

bool edits_is_real(value_type t) { return t.base == BASE_FLOAT && !t.pointers; }

// Names are looked up some million times: those of one first letter are linked, the last one first.
static int last_of(const edits *e, char letter) {
    edits *known = (edits *)e;
    for (int *i = &known->n_linked; *i < e->n_variables; (*i)++) {
        int *last = &known->last_of[*e->variables[*i].name & 127];
        known->variables[*i].before = *last - 1;
        *last = *i + 1;
    }
    return e->last_of[letter & 127] - 1;
}

// Names are short, and most that begin alike differ soon.
static bool is_called(const variable *v, const char *at, int length) {
    for (int i = 0; i < length; i++)
        if (v->name[i] != at[i]) return false;
    return !v->name[length];
}

const variable *edits_parameter(const edits *e, const function *f, int number) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].is_parameter && e->variables[i].from == f->body && number-- == 0) return &e->variables[i];
    return NULL;
}

const variable *edits_visible(const edits *e, const char *at, int length, int token) {
    for (int i = last_of(e, *at); i >= 0; i = e->variables[i].before) {
        const variable *v = &e->variables[i];
        if (v->from <= token && token < v->to && is_called(v, at, length)) return v;
    }
    return NULL;
}

bool edits_sees(const edits *e, const variable *v, int token) {
    return v->from <= token && token < v->to && edits_visible(e, v->name, (int)strlen(v->name), token) == v;
}

// What a member is: what its struct says of it, in this file or in task*.h, or the first one with a field of this name.
static value_type member_type(edits *e, const expression *x) {
    static const char *const whole[] = {"x", "y", "z", NULL};
    const unit *u = &e->u;
    static const char *const built_in[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    if (is_any(u, x->end - 1, whole) && is_any(u, x->first, built_in)) return (value_type){.base = BASE_INT};
    const token *t = &u->tokens[x->end - 1];
    const value_type of = x->a ? edits_type_of(e, x->a) : (value_type){.base = BASE_UNKNOWN};
    const variable *found = NULL;
    for (int i = 0; i < e->n_variables; i++) {  // fields are variables that are visible nowhere
        const variable *v = &e->variables[i];
        if (v->from <= v->to || strncmp(v->name, t->at, (size_t)t->length) || v->name[t->length]) continue;
        if (of.word && v->owner && !strcmp(of.word, v->owner)) return v->type;
        if (!found) found = v;
    }
    if (found) return found->type;
    static const char *const lanes[] = {"x", "y", "z", "w", NULL};  // of a float4
    return (value_type){
        .base = of.word && !strncmp(of.word, "float", 5) && is_any(u, x->end - 1, lanes) ? BASE_FLOAT : BASE_UNKNOWN};
}

static value_type type_of_call(edits *e, const expression *x) {
    static const char *const floats[] = {
        "expf",  "exp2f",      "__expf", "logf", "log2f",   "sqrtf",          "rsqrtf",       "fmaxf", "fminf",
        "fabsf", "fmaf",       "powf",   "exp",  "sqrt",    "__frcp_rn",      "fdividef",     "log",   "__logf",
        "exp2",  "__fdividef", "fmax",   "fmin", "__log2f", "__int2float_rn", "__half2float", NULL};
    static const char *const like_argument[] = {"max", "min", "__shfl_xor_sync", "__shfl_down_sync", "__shfl_sync",
                                                "abs", NULL};
    const unit *u = &e->u;
    if (x->a->kind != E_NAME) return (value_type){.base = BASE_UNKNOWN};
    static const char *const wholes[] = {"int", "unsigned", "size_t", "long", "ptrdiff_t", "uint32_t", "int64_t", NULL};
    if (is_any(u, x->first, wholes)) return (value_type){.base = BASE_INT};  // size_t(x)
    if (is_any(u, x->first, floats)) return (value_type){.base = BASE_FLOAT};
    if (is_any(u, x->first, like_argument) && x->arguments && x->arguments->next)
        return edits_type_of(e, x->arguments->next);
    const token *t = &u->tokens[x->first];
    for (int i = 0; i < e->n_functions; i++)
        if ((int)strlen(e->functions[i].name) == t->length && !memcmp(e->functions[i].name, t->at, (size_t)t->length))
            return e->functions[i].result;
    return (value_type){.base = BASE_UNKNOWN};
}

static value_type type_of_number(const unit *u, int i) {
    const token *t = &u->tokens[i];
    const bool hex = t->length > 1 && (t->at[1] == 'x' || t->at[1] == 'X');
    const bool point = memchr(t->at, '.', (size_t)t->length) || (!hex && memchr(t->at, 'e', (size_t)t->length));
    return (value_type){.base = point ? BASE_FLOAT : BASE_INT};
}

static value_type wider(value_type a, value_type b) {
    if (a.pointers) return a;
    if (b.pointers) return b;
    if (a.base == BASE_FLOAT || b.base == BASE_FLOAT) return a.base == BASE_FLOAT ? a : b;
    return a.base == BASE_UNKNOWN ? a : b;
}

value_type edits_type_of(edits *e, const expression *x) {
    static const char *const boolean[] = {"==", "!=", "<", ">", "<=", ">=", "&&", "||", NULL};
    static const char *const infinite[] = {"INFINITY", "FLT_MAX", "NAN", "HUGE_VALF", NULL};
    const unit *u = &e->u;
    value_type t = {.base = BASE_UNKNOWN};
    if (!x) return t;
    if (x->kind == E_NUMBER) return type_of_number(u, x->first);
    if (x->kind == E_PAREN || x->kind == E_POSTFIX) return edits_type_of(e, x->a);
    if (x->kind == E_CALL) return type_of_call(e, x);
    if (x->kind == E_MEMBER) return member_type(e, x);
    if (x->kind == E_ASSIGN) return edits_type_of(e, x->a);
    if (x->kind == E_TERNARY) return wider(edits_type_of(e, x->b), edits_type_of(e, x->c));
    if (x->kind == E_CAST) return edits_declared_type(e, x->op + 1, x->op_end - 1, x->op_end);
    if (x->kind == E_NAME) {
        const token *name = &u->tokens[x->first];
        const variable *v = edits_visible(e, name->at, name->length, x->first);
        if (v) return v->type;
        if (is_any(u, x->first, infinite)) t.base = BASE_FLOAT;
        return t;
    }
    if (x->kind == E_BINARY) {
        for (int i = 0; boolean[i]; i++)
            if (!strcmp(edits_operator_text(u, x->op), boolean[i])) return (value_type){.base = BASE_INT};
        return wider(edits_type_of(e, x->a), edits_type_of(e, x->b));
    }
    if (x->kind == E_INDEX || (x->kind == E_UNARY && is(u, x->op, "*"))) {
        t = edits_type_of(e, x->a);
        if (t.pointers)
            t.pointers--;
        else
            t.base = BASE_UNKNOWN;
        return t;
    }
    if (x->kind == E_UNARY && is(u, x->op, "&")) {
        t = edits_type_of(e, x->a);
        t.pointers++;
        return t;
    }
    return x->kind == E_UNARY ? edits_type_of(e, x->a) : t;
}
