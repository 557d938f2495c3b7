// scope.c: what a change reads is to be visible there, and a function of the file is called with as many arguments as it
// takes: a change that does not compile costs a compilation.
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { MOST_WORDS = 64 };

typedef struct {
    const char *at;
    size_t n;
} word;

static bool is_letter(char c) {
    const unsigned low = (unsigned char)c | 32;
    return low - 'a' < 26 || (unsigned)c - '0' < 10 || c == '_';
}

static bool same(word a, word b) { return a.n == b.n && !memcmp(a.at, b.at, a.n); }

static bool is_word(word w, const char *text) { return w.n == strlen(text) && !memcmp(w.at, text, w.n); }

// The names in a text that are no fields, each with what stands before it. Returns how many.
static int words_of(const char *text, word list[MOST_WORDS]) {
    int n = 0;
    for (const char *at = text; *at && n < MOST_WORDS;) {
        if (!is_letter(*at)) {
            at++;
            continue;
        }
        const char *end = at, *before = at;
        while (is_letter(*end) || (isdigit((unsigned char)*at) && *end == '.')) end++;
        while (before > text && before[-1] == ' ') before--;
        const bool field = before > text && (before[-1] == '.' || (before - text > 1 && !memcmp(before - 2, "->", 2)));
        if (!isdigit((unsigned char)*at) && !field) list[n++] = (word){at, (size_t)(end - at)};
        at = end;
    }
    return n;
}

static bool is_capital(word w) {
    for (size_t i = 0; i < w.n; i++)
        if (islower((unsigned char)w.at[i])) return false;
    return true;
}

// `int i = 0`, `float *p = x`, LOOP(i, n): what the text declares itself.
static bool declares(const word list[], int n, word name) {
    for (int i = 1; i < n; i++) {
        const char *between = list[i - 1].at + list[i - 1].n;
        const size_t gap = (size_t)(list[i].at - between);
        if (same(list[i], name) && strspn(between, " *") == gap && gap && between[gap - 1] != ' ') {
            if (list[i].at[list[i].n] == ' ' && list[i].at[list[i].n + 1] == '=') return true;
        } else if (same(list[i], name) && strspn(between, " ") == gap && gap && !is_word(list[i - 1], "return"))
            return true;
        else if (same(list[i], name) && *between == '(' && strspn(between, "( ") == gap && is_capital(list[i - 1]) &&
                 list[i].at[list[i].n] == ',')
            return true;
    }
    return false;
}

static bool is_local(const edits *e, word name) {
    bool found = false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool same_name = strlen(v->name) == name.n && !memcmp(v->name, name.at, name.n);
        if (same_name && ((v->is_global && v->to == e->u.token_count) || v->declared < 0)) return false;
        found |= same_name && v->from <= v->to;
    }
    for (int i = 0; i < e->n_functions; i++)
        if (strlen(e->functions[i].name) == name.n && !memcmp(e->functions[i].name, name.at, name.n)) return false;
    return found;
}

// At the } of a block what it declares is known, and what the loop right before it counts by is not.
static const variable *visible(const edits *e, word name, int token) {
    const variable *v = edits_visible(e, name.at, (int)name.n, token);
    return v && !(v->is_loop && is(&e->u, token + 1, "}") && v->to == token + 1) ? v : NULL;
}

static bool is_among(word w, const word list[], int n) {
    for (int i = 0; i < n; i++)
        if (same(w, list[i])) return true;
    return false;
}

// Those that are there already are visible, whatever this file knows of them; and what the change declares elsewhere.
static bool all_visible(const edits *e, const char *text, const char *old, const char *also, int token) {
    word list[MOST_WORDS], known[MOST_WORDS], elsewhere[MOST_WORDS];
    const int n = words_of(text, list);
    int m = -1;  // most words are visible: the other texts need not be read
    for (int i = 0; i < n; i++) {
        const variable *v = visible(e, list[i], token);
        if (v && !edits_suits(e, v, text, list[i].at, list[i].n) && !declares(list, n, list[i])) return false;
        if (v) continue;
        if (m < 0) m = words_of(old, known);
        if (is_among(list[i], known, m) || declares(list, n, list[i])) continue;
        if (declares(elsewhere, words_of(also, elsewhere), list[i])) continue;
        if (is_local(e, list[i])) return false;
    }
    return true;
}

// How many arguments stand between this ( and its ); -1: it does not end.
static int arguments_at(const char *open) {
    int depth = 0, n = 0;
    for (const char *at = open; *at; at++) {
        depth += strchr("([{", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL;
        if (!depth) return n;
        if (depth == 1 && *at == ',') n++;
        if (!n && at > open && *at != ' ') n = 1;
    }
    return -1;
}

// What is only read is handed over where it is to be written.
static bool is_read_only(const variable *given, const variable *taken) {
    return given->type.pointers && given->type.pointers == taken->type.pointers && given->type.constant &&
           !taken->type.constant && given->type.base == taken->type.base && given->type.base != BASE_UNKNOWN;
}

// A struct is handed over where another one is taken, or memory that may not be written.
static bool takes_other_type(const edits *e, const function *f, const char *open, int token) {
    const char *at = open + 1;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *taken = &e->variables[i];
        if (!taken->is_parameter || taken->from != f->body) continue;
        const char *name = at + strspn(at, " "), *end = name;
        while (is_letter(*end)) end++;
        const variable *given = edits_visible(e, name, (int)(end - name), token);
        const bool whole = given && strchr(",)", end[strspn(end, " ")]);
        if (e->cuda && given && strchr(",)+", end[strspn(end, " ")]) && is_read_only(given, taken)) return true;
        if (whole && given->type.base == BASE_STRUCT && taken->type.base == BASE_STRUCT &&
            given->type.pointers == taken->type.pointers && strcmp(given->type.word, taken->type.word))
            return true;
        int depth = 0;
        for (; *at && (depth || !strchr(",)", *at)); at++)
            depth += (strchr("([{", *at) != 0) - (strchr(")]}", *at) != 0);
        if (*at++ != ',') break;
    }
    return false;
}

// f(x), f<32>(x), f<<<blocks, threads>>>(x): the ( of x; NULL: it is no call.
static const char *open_of(const edits *e, const char *behind) {
    const char *at = behind + strspn(behind, " ");
    if (!e->cuda || *at != '<') return *at == '(' ? at : NULL;
    const char *close = !strncmp(at, "<<<", 3) ? strstr(at, ">>>(") : strstr(at, ">(");
    return close ? strchr(close, '(') : NULL;
}

static bool is_overloaded(const edits *e, const function *f) {
    for (int i = 0; i < e->n_functions; i++)
        if (&e->functions[i] != f && !strcmp(e->functions[i].name, f->name)) return true;
    return false;
}

// C++ counts arguments that are left out, and which of several functions is meant.
static bool all_called(const edits *e, const char *text, int token) {
    word list[MOST_WORDS];
    const int n = strchr(text, '(') ? words_of(text, list) : 0;
    for (int i = 0; i < n; i++) {
        const char *open = open_of(e, list[i].at + list[i].n);
        for (int f = 0; f < e->n_functions && open; f++) {
            if (!is_word(list[i], e->functions[f].name) || e->functions[f].parameters < 0) continue;
            if (e->cuda && is_overloaded(e, &e->functions[f])) continue;
            const int given = arguments_at(open);
            if (!e->cuda && given >= 0 && given != e->functions[f].parameters) return false;
            if (given > 0 && takes_other_type(e, &e->functions[f], open, token)) return false;
        }
    }
    return true;
}

static bool fits(const edits *e, const char *text, const char *old, const char *also, int token) {
    return all_visible(e, text, old, also, token) && edits_suits_all(e, text, old) &&
           (edits_widths_agree(e, text, token) || !edits_widths_agree(e, old, token)) && all_called(e, text, token);
}

// y[i * n], tile.sum, *at: what a reference can be bound to.
static bool is_object(const char *text) {
    int depth = 0;
    while (*text == '*' || *text == ' ') text++;
    if (isdigit((unsigned char)*text)) return false;
    for (const char *at = text; *at; at++) {
        depth += (*at == '[') - (*at == ']');
        if (depth || strchr(" ].", *at) || isalnum((unsigned char)*at) || *at == '_') continue;
        if (strncmp(at, "->", 2)) return false;
        at++;
    }
    return *text != 0;
}

static bool fits_place(edits *e, int place, const char *text, const char *also) {
    const struct place *p = &e->places[place];
    const char *now = edits_text(e, p->first, p->end);
    if (p->bound && is_object(now) && !is_object(text)) return false;
    return fits(e, text, now, also, p->first);
}

bool edits_fits(edits *e, const change *c) {
    const char *all = c->place >= 0 ? c->text : "";
    for (int i = 0; i < c->n_more; i++) all = format(&e->u, "%s; %s", all, c->more[i].text);
    if (c->place >= 0 && !fits_place(e, c->place, c->text, all)) return false;
    for (int i = 0; i < c->n_more; i++)
        if (!fits_place(e, c->more[i].place, c->more[i].text, all)) return false;
    if (c->insert < 0) return true;
    const statement *st = &e->statements[c->insert], *moved = c->remove >= 0 ? &e->statements[c->remove] : NULL;
    if (moved && !strcmp(c->inserted, edits_text(e, moved->first, moved->end))) return true;  // it has been looked at
    return fits(e, c->inserted, "", all, c->insert_at_end ? st->end - 2 : st->first);
}
