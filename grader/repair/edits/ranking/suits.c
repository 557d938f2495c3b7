// suits.c: what does not compile for the type of a name: a float as a subscript, arithmetic with a struct as a whole, a field
// that a struct does not have. One such change among a hundred costs all of them a compilation.
#include "edits.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

// A struct of whose fields none is known may have any. What the file writes itself is right.
static bool has_field(const edits *e, const char *owner, const char *at, const char *field, size_t n) {
    char whole[80];
    bool known = false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->owner || strcmp(v->owner, owner)) continue;
        if (!strncmp(v->name, field, n) && !v->name[n]) return true;
        known = true;
    }
    const size_t length = (size_t)(field + n - at);
    if (!known || length >= sizeof whole) return true;
    memcpy(whole, at, length), whole[length] = 0;
    return strstr(e->source, whole) != NULL;
}

// Those of CUDA know no arithmetic, unless the file teaches them some.
static bool counts(const edits *e, const char *type) {
    static const char *const whole[] = {"dim3", "float2", "float3", "float4", "int2", "int4", "uint3", NULL};
    for (int i = 0; whole[i]; i++)
        if (!strcmp(whole[i], type)) return strstr(e->source, "operator") != NULL;
    return true;
}

static bool joins(char c) { return c && strchr("+-*/%<", c); }

static bool assigns(const char *at) {
    at += strspn(at, " ");
    return (*at == '=' && at[1] != '=') || (joins(*at) && at[1] == '=' && *at != '<');
}

// Behind x[i][j], which begins at `at`.
static const char *behind_subscripts(const char *at) {
    while (*at == '[') {
        int depth = 0;
        do depth += (*at == '[') - (*at == ']');
        while (*at++ && depth);
        if (depth) return "";
    }
    return at;
}

// A name of which the file itself takes elements has some, whatever is known of its type.
static bool is_subscripted(const edits *e, const char *behind, const char *before, const char *text, const char *at,
                           size_t n) {
    char whole[64];
    if (n + 2 > sizeof whole) return false;
    memcpy(whole, at, n), strcpy(whole + n, "[");
    const bool first = before > text && before[-1] == '(' && behind[0] == ')' && behind[1] == '[';
    return (*behind == '[' || first) && !strstr(e->source, whole);
}

static bool suits_struct(const edits *e, const variable *v, const char *text, const char *at, const char *behind,
                         const char *before) {
    const char *const type = v->type.word;
    const size_t arrow = *behind == '.' ? 1 : !strncmp(behind, "->", 2) ? 2 : 0;
    if (arrow) {
        const char *field = behind + arrow, *end = field;
        while (is_letter(*end)) end++;
        return v->type.pointers > 1 || *end == '(' || has_field(e, type, at, field, (size_t)(end - field));
    }
    if (counts(e, type)) return true;
    if (v->type.pointers) {
        const char *const end = behind_subscripts(behind);
        return end == behind || !assigns(end) || end[strspn(end, " ")] == '=';
    }
    const bool added = before > text + 1 && before[-1] == '=' && joins(before[-2]);
    const bool launched = before > text + 2 && !strncmp(before - 3, "<<<", 3);
    return launched ||
           !(added || (before > text && joins(before[-1])) || (joins(*behind) && strncmp(behind, "<<<", 3)));
}

bool edits_suits(const edits *e, const variable *v, const char *text, const char *at, size_t n) {
    const char *behind = at + n, *before = at;
    while (*behind == ' ') behind++;
    while (before > text && before[-1] == ' ') before--;
    const bool array = v->type.pointers && v->declared >= 0 && is(&e->u, v->declared + 1, "[");
    if (array && assigns(behind) && (before == text || before[-1] != '*')) return false;
    if (v->type.base == BASE_STRUCT && v->type.word) return suits_struct(e, v, text, at, behind, before);
    if (v->type.pointers) return true;
    if (v->type.base == BASE_INT) return !is_subscripted(e, behind, before, text, at, n);
    if (v->type.base != BASE_FLOAT) return true;
    const bool rest = *behind == '%' || (before > text && before[-1] == '%');
    return !rest && !is_subscripted(e, behind, before, text, at, n) &&
           (before == text || before[-1] != '[' || *behind != ']');
}

// A size of a grid is no number.
bool edits_suits_all(const edits *e, const char *text, const char *old) {
    return !e->cuda || !strstr(text, "dim3(") || strstr(old, "dim3(");
}
