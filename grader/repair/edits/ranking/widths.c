// widths.c: min(n, head) of an int and a size_t, or a float, does not compile in C++: it takes two of one type.
#include "edits.h"

#include <ctype.h>
#include <string.h>

typedef enum { UNSURE, NARROW, WIDE, REAL } width;

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

// By the words that it is declared with: const size_t head = ...
static bool is_wide(const edits *e, const variable *v) {
    static const char *const words[] = {"size_t", "long", "int64_t", "uint64_t", "ptrdiff_t", "ssize_t", NULL};
    const unit *u = &e->u;
    for (int i = v->declared; i > 0 && !is(u, i, ";") && !is(u, i, "{") && !is(u, i, "}"); i--) {
        if (is_any(u, i, words)) return true;
        if (v->is_parameter && (is(u, i, ",") || is(u, i, "("))) return false;
    }
    return false;
}

static width of_name(const edits *e, const char *name, int n, int token, bool field) {
    if (field) return NARROW;  // of a shape
    const variable *v = edits_visible(e, name, n, token);
    if (!v) return UNSURE;
    if (v->declared < 0) return NARROW;  // a macro's number
    if (v->type.base == BASE_STRUCT && name[n] == '.') return NARROW;
    if (v->type.pointers || v->is_enumerator) return UNSURE;
    if (v->type.base == BASE_FLOAT) return REAL;
    if (v->type.base != BASE_INT) return UNSURE;
    return is_wide(e, v) ? WIDE : NARROW;
}

// Of a sum or a product of names and numbers, up to the comma or the ) behind it. What is longer may be of any type.
static width of_argument(const edits *e, const char *at, int token, const char **end) {
    width all = NARROW;
    bool sure = true, field = false;
    int depth = 0;
    for (; *at && (depth || !strchr(",)", *at)); field = at[-1] == '.' || (field && at[-1] == ' ')) {
        int n = 0;
        while (is_letter(at[n])) n++;
        sure &= n || strchr(" ()+-*/%.", *at);
        depth += (*at == '(') - (*at == ')');
        if (n && !isdigit((unsigned char)*at)) {
            const width one = at[n] == '(' ? UNSURE : of_name(e, at, n, token, field);
            sure &= one != UNSURE, all = one > all ? one : all;
        } else if (n && (at[n] == '.' || at[-1] == '.')) {
            all = REAL;
        } else if (n) {
            sure &= strspn(at, "0123456789") == (size_t)n;
        }
        at += n ? n : 1;
    }
    *end = at;
    return sure ? all : UNSURE;
}

// A min of the file's own may take both. Asked last: all of the file is read for it.
static bool has_own(const edits *e) {
    for (int i = 0; i < e->n_functions; i++)
        if (!strcmp(e->functions[i].name, "min") || !strcmp(e->functions[i].name, "max")) return true;
    return strstr(e->source, "define min(") || strstr(e->source, "define max(");
}

bool edits_widths_agree(const edits *e, const char *text, int token) {
    if (!e->cuda || (!strstr(text, "min(") && !strstr(text, "max("))) return true;
    for (const char *at = text; *at; at++) {
        if ((at > text && is_letter(at[-1])) || (strncmp(at, "min(", 4) && strncmp(at, "max(", 4))) continue;
        const char *end;
        const width one = of_argument(e, at + 4, token, &end);
        if (*end != ',' || one == UNSURE) continue;
        const width other = of_argument(e, end + 1, token, &end);
        if (*end == ')' && other != UNSURE && one != other && !has_own(e)) return false;
    }
    return true;
}
