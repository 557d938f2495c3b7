// loose.c: where any larger number will do, none of them is the cure. A limit that cuts off too early lets every claim
// pass as soon as it no longer limits: times Sq, times D, plus Sk, or left out. The line is wrong, and that is all that is
// known of it.
#include <ctype.h>
#include <string.h>

#include "rank.h"

enum { SEVERAL = 2, NAMED = 4 };  // changes; the rank of what edits/loops/lasts knows of a mask

static int is_word(char c) { return c == '_' || isalnum((unsigned char)c); }

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int is_operator(const char *text) { return strspn(text, "=+-*/%<>!&|^") == strlen(text); }

// x becomes x * y, x + y or something with that in it.
int lab_grows(const lab_edit *e) {
    const char *was = e->was, *at;
    size_t n = strlen(was);
    if (n > 1 && *was == '(' && was[n - 1] == ')') was++, n -= 2;
    if (is_operator(was) || *e->also || strlen(e->now) <= strlen(e->was)) return 0;
    for (at = e->now; *at && strncmp(at, was, n); at++) continue;
    if (!*at || (at > e->now && is_word(at[-1]) && is_word(*was))) return 0;
    const size_t before = strcspn(e->now, "*+"), behind = strcspn(at + n, "*+");
    return before < (size_t)(at - e->now) || at[n + behind];
}

static int lifts_limit(const lab_edit *e) {
    return (*e->was && !*e->now) || is(e->kind, "left out") || is(e->kind, "function");
}

// f of x that becomes x * f; NULL: it does not.
static const char *factor_of(const lab_edit *e) {
    const size_t n = strlen(e->was);
    return !strncmp(e->was, e->now, n) && !strncmp(e->now + n, " * ", 3) ? e->now + n + 3 : NULL;
}

// "Sq" of "shape.seq_q"?
static int abbreviates(const char *name, const char *words) {
    const char *dot = strrchr(words, '.');
    for (const char *at = dot ? dot + 1 : words; *at; at++) {
        const int begins = is_word(*at) && *at != '_' && (at == words || at[-1] == '_' || !is_word(at[-1]));
        if (begins && tolower((unsigned char)*name++) != tolower((unsigned char)*at)) return 0;
    }
    return !*name;
}

// In (a + b) * D the sum or all of it is multiplied, by H or by shape.heads: that is one change, in other words.
static int is_in_other_words(const lab_edit *e, const lab_edit *first) {
    const char *by = factor_of(e), *own = factor_of(first);
    if (!by || !own || e->column != first->column) return 0;
    return is(by, own) || abbreviates(own, by) || abbreviates(by, own);
}

// k0 > first becomes k0 > first + rows - 1, rows becomes first + rows: a slip by name, which larger numbers hide.
int lab_means_last(const lab_edit *e) { return is(e->kind, "last") && e->rank <= NAMED; }

int lab_is_loose(const lab_found *f) {
    int larger = 0, lifted = 0;
    if (!f->n || !lab_grows(f->mend[0].edit)) return 0;
    for (int i = 1; i < f->n; i++) {
        const lab_edit *e = f->mend[i].edit;
        if (e->line != f->mend[0].edit->line || is_in_other_words(e, f->mend[0].edit)) continue;
        larger += lab_grows(e), lifted += lifts_limit(e);
    }
    return (larger >= SEVERAL && !lab_means_last(f->mend[0].edit)) || lifted;
}

int lab_stays_loose(const lab_found *f, int line) { return f->n && line && f->mend[0].edit->line == line; }

// a && b, where any larger number in b mends, and so does a alone: b is not to be asked.
void lab_leave_question_out(lab_found *f) {
    for (int i = 1; i < f->n && lab_is_loose(f); i++) {
        const lab_mend m = f->mend[i];
        const size_t n = strlen(m.edit->now);
        if (strncmp(m.edit->was, m.edit->now, n) || strncmp(m.edit->was + n, " && ", 4)) continue;
        memmove(f->mend + 1, f->mend, (size_t)i * sizeof *f->mend);
        f->mend[0] = m;
        return;
    }
}
