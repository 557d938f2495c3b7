// vacuous.c: a change that compares something with itself, m > m, asks nothing: it is true or false for good, and hides
// what the question was for.
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 160 };

static bool is_comparison(const char *text, const char *at) {
    if (*at != '<' && *at != '>' && !((*at == '=' || *at == '!') && at[1] == '=')) return false;
    if (at[1] == *at && *at != '=') return false;                                     // <<
    if (at > text && (at[-1] == '-' || strchr("<>=!+*/%&|^", at[-1]))) return false;  // ->, the second half
    return at > text;
}

// What stands on this side of an operator, without blanks, up to what is weaker than a comparison. Returns 0: too long.
static int side(const char *text, const char *from, int step, char *out) {
    int depth = 0, n = 0;
    for (const char *at = from; at >= text && *at; at += step) {
        const char open = step > 0 ? '(' : ')', close = step > 0 ? ')' : '(';
        depth += *at == open || (*at == '[' && step > 0) || (*at == ']' && step < 0);
        depth -= *at == close || (*at == ']' && step > 0) || (*at == '[' && step < 0);
        if (depth < 0 || (!depth && strchr(",;?:&|={}", *at))) break;
        if (*at == ' ') continue;
        if (n == LONGEST) return 0;
        out[n++] = *at;
    }
    for (int i = 0; i < n / 2 && step < 0; i++) {
        const char c = out[i];
        out[i] = out[n - 1 - i], out[n - 1 - i] = c;
    }
    return n;
}

static int vacuous(const char *text) {
    int found = 0;
    for (const char *at = text; *at; at++) {
        char a[LONGEST], b[LONGEST];
        if (!is_comparison(text, at)) continue;
        const int n = side(text, at - 1, -1, a), m = side(text, at + 1 + (at[1] == '='), 1, b);
        const int word = n > 6 && !strncmp(a, "return", 6) ? 6 : 0;
        found += n - word == m && m && !memcmp(a + word, b, (size_t)m);
    }
    return found;
}

bool edits_is_vacuous(edits *e, const change *c) {
    if (c->place < 0 || !c->text) return false;
    const place *p = &e->places[c->place];
    const int now = vacuous(c->text);
    return now && now > vacuous(edits_text(e, p->first, p->end));
}
