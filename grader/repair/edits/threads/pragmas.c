// pragmas.c: an OpenMP loop, and the other loops of its nest, which may be the one that is to be shared out. For
// `edits SOURCE --pragma OUT_SOURCE --number N`: the file with the N-th of them shared out, and on the output the line of
// the pragma, that of the loop, and how that begins, with tabs between. Nothing where there are no N.
#include "edits.h"

#include <string.h>

static bool is_loop(const edits *e, int s) {
    return e->statements[s].kind == S_LOOP && !is(&e->u, e->statements[s].first, "do");
}

static bool is_within(const edits *e, int s, int around) {
    for (int k = e->statements[s].parent; k >= 0; k = e->statements[k].parent)
        if (k == around) return true;
    return false;
}

bool edits_says(const edits *e, const directive *d, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = e->source + d->first, *end = e->source + d->end; at + n <= end; at++)
        if (!memcmp(at, word, n)) return true;
    return false;
}

// A loop of the nest under a parallel for of its own, which no other pragma shares out.
static bool may_be_shared(const edits *e, int from, int to) {
    const statement *st = &e->statements[to];
    if (to == from || !is_loop(e, to) || edits_directive_before(e, st->first) >= 0) return false;
    return is_within(e, from, to) || is_within(e, to, from);
}

static void copy(const edits *e, FILE *out, size_t from, size_t to) {
    if (to > from) fwrite(e->source + from, 1, to - from, out);
}

// The pragma goes, and comes right before that loop.
static void write_moved(const edits *e, const directive *d, int loop, FILE *out) {
    const size_t at = (size_t)(e->u.tokens[e->statements[loop].first].at - e->u.text);
    const int length = (int)(d->end - d->first);
    if (at < d->first) {
        copy(e, out, 0, at);
        fprintf(out, "\n%.*s\n", length, e->source + d->first);
        copy(e, out, at, d->first);
    } else {
        copy(e, out, 0, d->first);
        copy(e, out, d->end, at);
        fprintf(out, "\n%.*s\n", length, e->source + d->first);
    }
    copy(e, out, at < d->first ? d->end : at, e->size);
}

static int line_of(const edits *e, size_t byte) {
    int line = 1;
    for (size_t i = 0; i < byte; i++) line += e->source[i] == '\n';
    return line;
}

// How the loop begins: its header, up to a brace.
static const char *header_of(edits *e, int loop) {
    const statement *st = &e->statements[loop];
    return edits_text(e, st->first, e->u.tokens[st->first + 1].match + 1);
}

// The outer ones first: fewer threads are started.
bool edits_write_pragma(edits *e, int number, const char *path, FILE *said) {
    for (int s = 0; s < e->n_statements; s++) {
        const int d = is_loop(e, s) ? edits_directive_before(e, e->statements[s].first) : -1;
        const directive *its = d >= 0 ? &e->directives[d] : NULL;
        if (!its || !its->omp_loop || its->collapse > 1 || !edits_says(e, its, "parallel") ||
            !edits_says(e, its, "for"))
            continue;
        for (int k = 0; k < e->n_statements; k++) {
            if (!may_be_shared(e, s, k) || --number) continue;
            FILE *out = fopen(path, "w");
            if (!out) return false;
            write_moved(e, its, k, out);
            fprintf(said, "%d\t%d\t%s\n", line_of(e, its->first), e->u.tokens[e->statements[k].first].line,
                    header_of(e, k));
            return !fclose(out);
        }
    }
    return true;
}
