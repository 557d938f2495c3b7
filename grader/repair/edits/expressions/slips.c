// slips.c: what may be wrong in the body of a macro: a sign, a number, a name, the sides of ?:, a quotient that is not
// rounded up, parentheses.
#define _GNU_SOURCE  // strcasestr
#include "macros.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWAPPED = 2, ROUNDED = 3, GROUPED = 2, SIGN = 4, NUMBER = 6, NAME = 4, SISTER = 3 };  // ranks

// The bracket that closes the one at `at`, or the end of the text.
int edits_closing(const char *text, int at) {
    int depth = 0;
    for (; text[at]; at++) {
        depth += text[at] == '(', depth -= text[at] == ')';
        if (depth <= 0) return at;
    }
    return at;
}

// a ? b : c, from the ? at `at`.
static void swap_sides(edits *e, const macro *m, const macro_use *list, int n, int at) {
    int colon = at + 1, end;
    while (m->body[colon] && m->body[colon] != ':')
        colon = m->body[colon] == '(' ? edits_closing(m->body, colon) + 1 : colon + 1;
    if (!m->body[colon]) return;
    for (end = colon + 1; m->body[end] && m->body[end] != ')';)
        end = m->body[end] == '(' ? edits_closing(m->body, end) + 1 : end + 1;
    const char *yes = edits_cut(e, m->body + at + 1, m->body + colon),
               *no = edits_cut(e, m->body + colon + 1, m->body + end);
    int from = at + 1;
    while (m->body[from] == ' ') from++;
    edits_add_of_macro(e, m, list, n, from, end, SWAPPED, "macro", format(&e->u, "%s : %s", no, yes));
}

// x / y, with the / at `at`: rounded up.
static void round_up(edits *e, const macro *m, const macro_use *list, int n, int at) {
    const char *b = m->body;
    int from = at, to = at + 1, depth = 0;
    while (from > 0 && b[from - 1] == ' ') from--;
    do {
        from--;
        depth += b[from] == ')', depth -= b[from] == '(';
    } while (from > 0 && (depth > 0 || edits_in_word(b[from - 1]) || (depth == 0 && b[from] == ')')));
    while (b[to] == ' ') to++;
    const int second = to;
    if (b[to] == '(')
        to = edits_closing(b, to) + 1;
    else
        while (edits_in_word(b[to])) to++;
    const char *x = edits_cut(e, b + from, b + at), *y = edits_cut(e, b + second, b + to);
    if (*x && *y && depth == 0)
        edits_add_of_macro(e, m, list, n, from, to, ROUNDED, "rounded up",
                           format(&e->u, "(%s + %s - 1) / %s", x, y, y));
}

static void signs(edits *e, const macro *m, const macro_use *list, int n, int at) {
    static const struct {
        const char *was, *now[3];
    } table[] = {{"<=", {"<", ">="}}, {">=", {">", "<="}}, {"==", {"!="}}, {"<", {">", "<="}}, {">", {"<", ">="}},
                 {"+", {"-"}},        {"-", {"+"}},        {"*", {"/"}},   {"/", {"*", "%"}},  {"%", {"/"}}};
    const char *b = m->body;
    int before = at;
    while (before > 0 && b[before - 1] == ' ') before--;
    if (!before || !(edits_in_word(b[before - 1]) || b[before - 1] == ')') || strchr("<>-+", b[at + 1]) ||
        b[at + 1] == 0)
        return;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int length = (int)strlen(table[i].was);
        if (strncmp(b + at, table[i].was, (size_t)length)) continue;
        for (int k = 0; k < 3 && table[i].now[k]; k++)
            edits_add_of_macro(e, m, list, n, at, at + length, SIGN, "macro", table[i].now[k]);
        if (*table[i].was == '/') round_up(e, m, list, n, at);
        return;
    }
}

static void numbers(edits *e, const macro *m, const macro_use *list, int n, int at) {
    int to = at;
    while (isdigit((unsigned char)m->body[to])) to++;
    if (to - at > 6 || edits_in_word(m->body[to]) || m->body[to] == '.') return;
    const int value = (int)strtol(m->body + at, NULL, 10);
    edits_add_of_macro(e, m, list, n, at, to, NUMBER, "macro", format(&e->u, "%d", value + 1));
    if (value) edits_add_of_macro(e, m, list, n, at, to, NUMBER, "macro", format(&e->u, "%d", value - 1));
}

// Another parameter, or another field that the body names.
static void names(edits *e, const macro *m, const macro_use *list, int n, int at) {
    int to = at;
    while (edits_in_word(m->body[to])) to++;
    const char *own = edits_cut(e, m->body + at, m->body + to);
    for (int k = 0; k < m->n; k++)
        for (int i = 0; i < m->n && !strcmp(m->parameter[k], own); i++)
            if (i != k) edits_add_of_macro(e, m, list, n, at, to, NAME, "macro", m->parameter[i]);
    for (const char *c = m->body; at && m->body[at - 1] == '.' && (c = strchr(c, '.')); c++) {
        const char *end = c + 1;
        while (edits_in_word(*end)) end++;
        const char *field = edits_cut(e, c + 1, end);
        if (isalpha((unsigned char)*field) && strcmp(field, own))
            edits_add_of_macro(e, m, list, n, at, to, NAME, "macro", field);
    }
}

// a + b * b of a macro is not the square of a sum.
static void group(edits *e, const macro *m, const macro_use *list, int n) {
    const int length = (int)strlen(m->body);
    const char *all = m->body;
    for (int k = 0; k < m->n; k++) {
        const size_t size = strlen(m->parameter[k]);
        for (const char *at = all; (at = strstr(at, m->parameter[k])); at += size) {
            if ((at > all && edits_in_word(at[-1])) || edits_in_word(at[size]) || !size) continue;
            if (at > all && at[-1] == '(' && at[size] == ')') continue;
            all = format(&e->u, "%.*s(%s)%s", (int)(at - all), all, m->parameter[k], at + size);
            at = strstr(all, m->parameter[k]);
            if (!at) break;
        }
    }
    if (*m->body != '(' || edits_closing(m->body, 0) != length - 1)
        edits_add_of_macro(e, m, list, n, 0, length, GROUPED, "macro", format(&e->u, "(%s)", m->body));
    if (strcmp(all, m->body))
        edits_add_of_macro(e, m, list, n, 0, length, GROUPED, "macro", format(&e->u, "(%s)", all));
}

// Does MIN give the smaller one, and MAX the larger one?
static bool is_right_helper(const macro *m) {
    char body[64], a[16], sign[3], b[16], c[16], d[16];
    const bool least = strcasestr(m->name, "min") != NULL, most = strcasestr(m->name, "max") != NULL;
    size_t n = 0;
    for (const char *at = m->body; *at && n + 1 < sizeof body; at++)
        if (!strchr("() ", *at)) body[n++] = *at;
    body[n] = 0;
    if (least == most ||
        sscanf(body, "%15[A-Za-z0-9_]%2[<>=]%15[A-Za-z0-9_]?%15[A-Za-z0-9_]:%15[A-Za-z0-9_]", a, sign, b, c, d) != 5)
        return false;
    const bool smaller = (*sign == '<') == !strcmp(a, c);
    return ((!strcmp(a, c) && !strcmp(b, d)) || (!strcmp(a, d) && !strcmp(b, c))) && smaller == least;
}

// Another macro takes of the same array: as it does, and one before or behind that.
static void as_sister(edits *e, const macro *m, const macro_use *list, int n) {
    const int length = (int)strlen(m->body);
    const size_t array = strcspn(m->body, "[");
    for (int d = 0; d < e->n_directives && m->body[array]; d++) {
        macro other;
        if (!edits_read_macro(e, &e->directives[d], &other) || other.n != m->n || !strcmp(other.name, m->name) ||
            strncmp(other.body, m->body, array + 1))
            continue;
        bool same = true;
        for (int k = 0; k < m->n; k++) same &= !strcmp(m->parameter[k], other.parameter[k]);
        const char *end = strrchr(other.body, ']'), *one = strstr(other.body, " + 1]");
        if (!same || !end || end[1]) continue;
        const int kept = (int)((one ? one : end) - other.body);
        edits_add_of_macro(e, m, list, n, 0, length, SISTER, "macro",
                           format(&e->u, one ? "%.*s]" : "%.*s + 1]", kept, other.body));
    }
}

void edits_change_macros(edits *e) {
    for (int d = 0; d < e->n_directives; d++) {
        macro m;
        macro_use list[MACRO_USES];
        const int n = edits_read_macro(e, &e->directives[d], &m) ? edits_macro_uses(e, &m, list) : 0;
        if (!n) continue;
        group(e, &m, list, n);
        edits_trade_names(e, &m, list, n);
        as_sister(e, &m, list, n);
        for (int at = 0; m.body[at] && !is_right_helper(&m); at++) {
            const bool begins = !at || !edits_in_word(m.body[at - 1]);
            if (m.body[at] == '?') swap_sides(e, &m, list, n, at);
            if (strchr("<>=+-*/%", m.body[at])) signs(e, &m, list, n, at);
            if (begins && isalpha((unsigned char)m.body[at])) names(e, &m, list, n, at);
            if (begins && isdigit((unsigned char)m.body[at])) numbers(e, &m, list, n, at);
        }
    }
}
