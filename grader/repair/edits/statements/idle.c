// idle.c: what stands in the file and does nothing: functions that nobody calls, results that nobody takes; what is
// read and never set (never_set.c), or the other way round (unused.c); a call that stands twice (same.c). For
// `edits SOURCE --idle .`: kind, name and line, with tabs between.
#include "edits.h"

#include <ctype.h>
#include <string.h>

bool edits_in_directive(const edits *e, const char *name, bool pragmas) {
    const size_t n = strlen(name);
    for (int d = 0; d < e->n_directives; d++) {
        if (e->directives[d].pragma && !pragmas) continue;
        const char *end = e->source + e->directives[d].end;
        for (const char *at = e->source + e->directives[d].first; at + n <= end; at++)
            if (!memcmp(at, name, n) && !isalnum((unsigned char)at[-1]) && !isalnum((unsigned char)at[n])) return true;
    }
    return false;
}

// A function of this name stands nowhere but where it is defined. Those of the contract are called from outside.
static bool is_called(const edits *e, const function *f) {
    int n = 0;
    for (int i = 0; i < e->u.token_count; i++) n += is(&e->u, i, f->name);
    return n != 1 || !strncmp(f->name, "attn_", 5) || !strncmp(f->name, "lab_", 4) ||
           edits_in_directive(e, f->name, true);
}

// operator+=, a destructor: they are called without their name. A constructor has its struct's.
static bool is_unnamed(const edits *e, const function *f) {
    return strstr(f->name, "operator") || strchr(f->name, '~') || !is_name(&e->u, f->open - 1);
}

// The function of the file that is called; NULL: it is none, or one that a struct only points to.
static const function *called(const edits *e, const expression *call) {
    for (int i = 0; i < e->n_functions; i++)
        if (is(&e->u, call->a->end - 1, e->functions[i].name)) return &e->functions[i];
    return NULL;
}

// A number, and no status: who does without that is often right.
static bool gives(const function *f) { return f && (edits_is_real(f->result) || edits_is_whole(f->result)); }

// call->linear(...), a pointer to a function: another one of them is asked for its status. A method, block.sync(), may
// give nothing back.
static bool is_asked_elsewhere(edits *e, int place, const expression *call) {
    if (call->a->kind != E_MEMBER || !is(&e->u, call->a->end - 2, "->") || called(e, call)) return false;
    const char *of = edits_text_of(e, call->a->a);
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        const bool taken = x && (x->kind == E_ASSIGN ? (x = x->b) != NULL : e->places[p].kind == P_VALUE);
        if (p != place && taken && x->kind == E_CALL && x->a->kind == E_MEMBER &&
            !strcmp(edits_text_of(e, x->a->a), of))
            return true;
    }
    return false;
}

// step(&state, x): what it gives back is a part of what it does, as long as another call of it takes that.
static bool is_taken_elsewhere(const edits *e, const function *f, const expression *call) {
    static const char *const takers[] = {"=", "+=", "*=", "return", "(", ",", "+", "-", "/", "<", ">", "?", ":"};
    bool changes = false, taken = false;
    for (const expression *x = call->arguments; x; x = x->next) changes = changes || is(&e->u, x->first, "&");
    for (int i = 1; i + 1 < e->u.token_count && f && changes; i++)
        for (size_t k = 0; k < sizeof takers / sizeof *takers && is(&e->u, i, f->name); k++)
            taken = taken || (is(&e->u, i - 1, takers[k]) && is(&e->u, i + 1, "("));
    return taken;
}

void edits_write_idle(edits *e, FILE *out) {
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        if (!is_called(e, f) && !is_unnamed(e, f))
            fprintf(out, "%s\t%s\t%d\n", f->kernel ? "kernel" : "function", f->name, e->u.tokens[f->open - 1].line);
    }
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (e->places[p].kind == P_STATEMENT && x && x->kind == E_CALL && !x->c &&
            e->statements[e->places[p].statement].kind == S_EXPRESSION &&
            (gives(called(e, x)) || is_asked_elsewhere(e, p, x)) && !is_taken_elsewhere(e, called(e, x), x))
            fprintf(out, "result\t%s\t%d\n", edits_text(e, x->a->end - 1, x->a->end), e->u.tokens[x->first].line);
    }
    if (!e->cuda) edits_write_never_set(e, out);
    edits_write_unused(e, out);
    edits_write_same(e, out);
}
