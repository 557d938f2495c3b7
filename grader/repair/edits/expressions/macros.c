// macros.c: a slip in the body of a macro takes effect wherever it is used: each use becomes what the changed body would
// be there. Macros that stand where a constant must (lengths of arrays, #if) or in other macros are left alone, and loops.
//
//     #define MIN(a, b) ((a) < (b) ? (b) : (a))        (a) : (b)
//     #define BLOCKS(n) ((n) / THREADS)                ((n) + THREADS - 1) / THREADS
#include "macros.h"

#include <ctype.h>
#include <string.h>

bool edits_in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *edits_cut(edits *e, const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from)) from++;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    return format(&e->u, "%.*s", (int)(to - from), from);
}

bool edits_read_macro(edits *e, const directive *d, macro *m) {
    const char *line = e->source + d->first, *end = e->source + d->end, *at = line, *to;
    while (at < end && (*at == '#' || isspace((unsigned char)*at))) at++;
    if (end - at < 9 || memcmp(at, "define ", 7)) return false;
    for (at += 7; at < end && *at == ' ';) at++;
    for (to = at; to < end && edits_in_word(*to);) to++;
    *m = (macro){.name = edits_cut(e, at, to), .n = -1};
    if (*to == '(') {
        m->n = 0;
        for (at = ++to; to < end && *to != ')'; at = to + (*to == ',')) {
            for (to = at; to < end && *to != ',' && *to != ')';) to++;
            if (m->n == MACRO_PARAMETERS || to == end) return false;
            m->parameter[m->n++] = edits_cut(e, at, to);
        }
        if (to < end) to++;
    }
    while (to < end && *to == ' ') to++;
    for (at = to; at < end; at++)
        if (strchr(";{\\#\"'", *at) || (*at == '/' && at + 1 < end && strchr("/*", at[1]))) {
            if (*at != '/') return false;
            break;
        }
    m->body = edits_cut(e, to, at), m->column = (int)(to - line) + 1, m->line = 1;
    for (const char *c = e->source; c < line; c++) m->line += *c == '\n';
    return *m->body && strncmp(m->body, "for", 3) && strncmp(m->body, "if", 2) && strncmp(m->body, "return ", 7);
}

static bool stands_in(const char *from, const char *end, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = from; at + n <= end; at++)
        if (!memcmp(at, word, n) && (at == from || !edits_in_word(at[-1])) && (at + n == end || !edits_in_word(at[n])))
            return true;
    return false;
}

int edits_macro_uses(const edits *e, const macro *m, macro_use *list) {
    int n = 0;
    for (int i = 0; i < e->n_directives; i++) {
        const directive *d = &e->directives[i];
        const char *text = e->source + d->first, *own = strstr(text, m->name), *end = e->source + d->end;
        const bool defines = own && own < end && memchr(text, '#', (size_t)(own - text)) && own - text < 24;
        if (stands_in(defines ? own + strlen(m->name) : text, end, m->name)) return 0;
    }
    for (int i = 0; i < e->u.token_count; i++) {
        if (!is(&e->u, i, m->name) || (m->n >= 0 && !is(&e->u, i + 1, "("))) continue;
        macro_use u = {.first = i, .end = m->n < 0 ? i + 1 : e->u.tokens[i + 1].match + 1};
        if (n == MACRO_USES || (n && u.first < list[n - 1].end) || u.end <= i ||
            (u.place = edits_place_of(e, u.first, u.end)) < 0)
            return 0;
        list[n++] = u;
    }
    return n;
}

static const char *argument(edits *e, const macro_use *u, int k) {
    int first = u->first + 2;
    for (int i = first, depth = 0; i < u->end; i++) {
        const bool last = i == u->end - 1;
        if (!last && (is(&e->u, i, "(") || is(&e->u, i, "[") || is(&e->u, i, "{"))) depth++;
        if (!last && (is(&e->u, i, ")") || is(&e->u, i, "]") || is(&e->u, i, "}"))) depth--;
        if (!last && (depth || !is(&e->u, i, ","))) continue;
        if (!k--) return edits_text(e, first, i);
        first = i + 1;
    }
    return NULL;
}

// What the body becomes there.
static const char *expanded(edits *e, const macro *m, const char *body, const macro_use *u) {
    const char *text = "";
    for (const char *at = body; *at;) {
        int n = 0;
        while (edits_in_word(at[n])) n++;
        const char *words = NULL;
        for (int k = 0; k < m->n && n && !words; k++)
            if ((int)strlen(m->parameter[k]) == n && !memcmp(m->parameter[k], at, (size_t)n)) {
                words = argument(e, u, k);
                if (!words) return NULL;
            }
        n += !n;
        text = words ? format(&e->u, "%s%s", text, words) : format(&e->u, "%s%.*s", text, n, at);
        at += n;
    }
    return text;
}

static const char *place_with(edits *e, const macro *m, const char *body, const macro_use *list, int n, int place) {
    int at = e->places[place].first;
    const char *text = "";
    for (int i = 0; i < n; i++) {
        if (list[i].place != place) continue;
        const char *words = expanded(e, m, body, &list[i]);
        if (!words) return NULL;
        text = format(&e->u, "%s%s %s ", text, edits_text(e, at, list[i].first), words);
        at = list[i].end;
    }
    return format(&e->u, "%s%s", text, edits_text(e, at, e->places[place].end));
}

void edits_add_of_macro(edits *e, const macro *m, const macro_use *list, int n, int from, int to, int rank,
                        const char *kind, const char *text) {
    const char *body = format(&e->u, "%.*s%s%s", from, m->body, text, m->body + to);
    place_text *more = keep(&e->u, sizeof *more * MACRO_USES);
    change c = {.rank = rank, .kind = kind, .at = list[0].first, .place = list[0].place, .insert = -1, .remove = -1};
    c.first = list[0].first, c.end = list[0].end, c.more = more, c.of = m->name;
    c.of_size = strpbrk(m->body, "?/%") != NULL;
    c.line = m->line, c.column = m->column + from;
    c.old_shown = format(&e->u, "%.*s", to - from, m->body + from), c.new_shown = text;
    c.text = place_with(e, m, body, list, n, c.place);
    for (int i = 1; i < n && c.text; i++) {
        bool known = list[i].place == c.place;
        for (int k = 0; k < c.n_more; k++) known |= more[k].place == list[i].place;
        if (known) continue;
        more[c.n_more] = (place_text){list[i].place, place_with(e, m, body, list, n, list[i].place)};
        if (!more[c.n_more++].text) return;
    }
    if (c.text) *EDITS_ADD(e, changes, n_changes) = c;
}
