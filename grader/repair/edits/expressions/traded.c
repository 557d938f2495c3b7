// traded.c: in the body of a macro two names change places wherever they stand, or two parts of a number made of several.
//
//     #define AT(b, h, s) (((b) * S + (s)) * H + (h))       ((b) * H + (h)) * S + (s)
#include "macros.h"

#include <ctype.h>
#include <string.h>

enum { FIELDS = 8 };
enum { ORDERED = 1, EXCHANGED = 3 };  // ranks

// Two parameters, or two fields, change places wherever they stand.
static const char *exchanged(edits *e, const char *body, const char *a, const char *b, bool fields) {
    const char *text = "";
    int n = 0, k = 0;
    for (const char *at = body, *end; *at; at = end) {
        for (end = at; edits_in_word(*end);) end++;
        const size_t length = (size_t)(end - at);
        end += !length;
        const bool counts = length && fields == (at > body && at[-1] == '.');
        const bool is_a = counts && length == strlen(a) && !memcmp(at, a, length),
                   is_b = counts && length == strlen(b) && !memcmp(at, b, length);
        n += is_a, k += is_b;
        text = format(&e->u, "%s%.*s", text,
                      is_a   ? (int)strlen(b)
                      : is_b ? (int)strlen(a)
                             : (int)(end - at),
                      is_a   ? b
                      : is_b ? a
                             : at);
    }
    return n && k ? text : NULL;
}

static void exchange(edits *e, const macro *m, const macro_use *list, int n, const char *a, const char *b,
                     bool fields) {
    const char *body = exchanged(e, m->body, a, b, fields);
    if (body) edits_add_of_macro(e, m, list, n, 0, (int)strlen(m->body), fields ? ORDERED : EXCHANGED, "macro", body);
}

static void trade_names(edits *e, const macro *m, const macro_use *list, int n) {
    const char *field[FIELDS];
    int fields = 0;
    for (int i = 0; i < m->n; i++)
        for (int k = i + 1; k < m->n; k++) exchange(e, m, list, n, m->parameter[i], m->parameter[k], false);
    for (const char *at = m->body, *end; (at = strchr(at, '.')) && fields < FIELDS; at = end) {
        for (end = at + 1; edits_in_word(*end);) end++;
        const char *name = edits_cut(e, at + 1, end);
        bool known = !isalpha((unsigned char)*name);
        for (int i = 0; i < fields; i++) known |= !strcmp(field[i], name);
        for (int i = 0; i < fields && !known; i++) exchange(e, m, list, n, field[i], name, true);
        if (!known) field[fields++] = name;
    }
}

// ---- A number made of several: ((b) * (H) + (h)) * (S) + (s)

// The name at `at`, in parentheses or not, with a field; NULL: there is none.
static const char *behind_name(const char *at) {
    const char *from = at;
    if (*at == '(') {
        if (!edits_in_word(at[1]) || !at[edits_closing(at, 0)]) return NULL;
        at += edits_closing(at, 0) + 1;
    }
    while (edits_in_word(*at) || (at > from && *at == '.' && isalpha((unsigned char)at[1]))) at++;
    return at > from ? at : NULL;
}

static const char *behind_blanks(const char *at) { return at + strspn(at, " "); }

// The end of "* (H) + (h)", which begins at `at`; NULL: there is no such thing.
static const char *behind_step(const char *at) {
    const char *end = *at == '*' ? behind_name(behind_blanks(at + 1)) : NULL;
    if (end) end = behind_blanks(end);
    return end && *end == '+' ? behind_name(behind_blanks(end + 1)) : NULL;
}

// Which of its parts counts faster.
static void exchange_steps(edits *e, const macro *m, const macro_use *list, int n) {
    for (const char *a = m->body, *behind; *a; a++) {
        if (!(behind = behind_step(a))) continue;
        for (const char *b = behind, *end; *b; b++)
            if ((end = behind_step(b)))
                edits_add_of_macro(e, m, list, n, 0, (int)strlen(m->body), ORDERED, "macro",
                                   format(&e->u, "%.*s%.*s%.*s%.*s%s", (int)(a - m->body), m->body, (int)(end - b), b,
                                          (int)(b - behind), behind, (int)(behind - a), a, end));
    }
}

void edits_trade_names(edits *e, const macro *m, const macro_use *list, int n) {
    trade_names(e, m, list, n);
    exchange_steps(e, m, list, n);
}
