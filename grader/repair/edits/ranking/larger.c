// larger.c: a tile that becomes larger. With tiles as large as the sequence many a mistake does not show, and the claims
// hold. What a function goes on by, or takes at most, is the size of a tile; C alone.
//
//     make(&s, br, bc)          make(&s, br, bc * br), where make sets s->bc and a walk goes on by s->bc
//                               make(&s, br, shape.seq_kv)
//     {.Bc = c->Bc}             {.Bc = c->Bc + Sk}
//     if (bc > n) bc = n;       if (bc < n) bc = n; of c.Bc and shape.seq_kv, too
//     bc = MIN(bc, n)           bc = n, or bc = MIN(bc * n, n)
//     pack(t, k, nk)            pack(t, k, bc), where nk = MIN(bc, n - j): it reads keys that are not there
#include "edits.h"

#include <string.h>

// left -= n; somewhere in the file
static bool becomes_less(const unit *u, int name) {
    for (int i = 0; i + 2 < u->token_count; i++)
        if (edits_same(u, i, name, 1) && adjacent(u, i + 1, "-=")) return true;
    return false;
}

// f(N, a - b) or f(a - b, N), with N alone in tokens [first, end): what is left, and at most N of it
static bool is_most(const unit *u, int first, int end) {
    const bool begins = is(u, first - 1, "(") && is(u, end, ","), ends = is(u, first - 1, ",") && is(u, end, ")");
    const int open = begins ? first - 1 : ends ? u->tokens[end].match : 0;
    const int from = begins ? end + 1 : open + 1, to = begins && open ? u->tokens[open].match : first - 1;
    if (open < 1 || !is_name(u, open - 1)) return false;
    bool left = false;
    for (int i = from; i < to; i++) {
        if (is(u, i, ",")) return false;
        left |= is(u, i, "-") || (to == from + 1 && becomes_less(u, i));
    }
    return left;
}

// Within these tokens a walk goes on by what is called so, or takes that much at most, or is counted in such pieces.
static bool is_step(const unit *u, const char *name, int from, int to) {
    for (int i = from + 1; i + 3 < to; i++) {
        if (!is(u, i, name)) continue;
        int first = i;
        while (is(u, first - 1, ".") || is(u, first - 1, "->")) first -= 2;
        if (adjacent(u, first - 2, "+=") && is(u, i + 1, ")")) return true;
        if (is(u, i + 1, "-") && is(u, i + 2, "1") && is(u, i + 3, ")") && is(u, i + 4, "/")) return true;
        if (is_most(u, first, i + 1)) return true;
    }
    return false;
}

// A parameter by which its function goes on, or that it keeps in a field by which somebody does.
static bool takes_step(const edits *e, const function *f, const variable *v) {
    const unit *u = &e->u;
    if (is_step(u, v->name, f->body, f->end)) return true;
    for (int i = f->body + 2; i + 2 < f->end; i++)
        if (is(u, i, "=") && is(u, i + 1, v->name) && (is(u, i + 2, ",") || is(u, i + 2, ";")) &&
            (is(u, i - 2, ".") || is(u, i - 2, "->")) && is_name(u, i - 1) &&
            is_step(u, edits_text((edits *)e, i - 1, i), 0, u->token_count))
            return true;
    return false;
}

// It asks for memory: with more of it what is written behind the end of a row does no harm.
static bool asks_for_memory(const edits *e, const function *f) {
    static const char *const words[] = {"malloc", "calloc", "aligned_alloc", "realloc", NULL};
    for (int i = f->body; i < f->end; i++)
        for (int k = 0; words[k]; k++)
            if (is(&e->u, i, words[k])) return true;
    return false;
}

// Tokens [first, end) are all that a function of the file is handed as one of its parameters: that one, and the function.
const variable *edits_handed_as(const edits *e, int first, int end, const function **of) {
    const unit *u = &e->u;
    int open = first - 1, nth = 0;
    if (!is(u, end, ",") && !is(u, end, ")")) return NULL;
    for (; open > 0 && !is(u, open, "("); open--) {
        if (is(u, open, ";") || is(u, open, "{") || is(u, open, "}")) return NULL;
        if (is(u, open, ")") || is(u, open, "]")) open = u->tokens[open].match;
        nth += is(u, open, ",");
    }
    if (open < 1 || (!is(u, first - 1, "(") && !is(u, first - 1, ","))) return NULL;
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = *of = &e->functions[i];
        if (!is(u, open - 1, f->name)) continue;
        for (int k = 0, at = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[k];
            if (v->is_parameter && f->open < v->declared && v->declared < f->body && at++ == nth) return v;
        }
    }
    return NULL;
}

// The size of its tiles.
static bool hands_step(const edits *e, int first, int end) {
    const function *f;
    const variable *v = edits_handed_as(e, first, end, &f);
    return v && edits_is_whole(v->type) && takes_step(e, f, v);
}

// It is handed a tensor, and goes through so many of it.
static bool reads_so_many(const edits *e, const function *f, const variable *v) {
    bool tensor = false, goes = false;
    for (int i = f->open; i < f->body; i++) tensor |= is(&e->u, i, "const") && is(&e->u, i + 1, "float");
    for (int i = f->body; i < f->end; i++)
        goes |= is(&e->u, i, v->name) && is(&e->u, i - 1, "<") && is(&e->u, i + 1, ";");
    return tensor && goes;
}

// n for nk = MIN(n, all - j), of which a function reads so many: those behind the last one, too.
static bool undoes_limit(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (e->cuda || c->place < 0 || c->end != c->first + 1 || !is_name(u, c->first)) return false;
    const token *t = &u->tokens[c->first];
    const variable *v = edits_visible(e, t->at, t->length, c->first);
    const char *name = c->new_shown + strspn(c->new_shown, " ");
    const int n = (int)strcspn(name, " ");
    bool least = false, left = false, names = false;
    for (int i = v ? v->value : 0; i > 0 && i < v->value_end; i++) {
        least |= is(u, i, ",") || is(u, i, "?"), left |= is(u, i, "-");
        names |= n > 0 && u->tokens[i].length == n && !memcmp(u->tokens[i].at, name, (size_t)n);
    }
    const function *f;
    const variable *as = least && left && names ? edits_handed_as(e, c->first, c->end, &f) : NULL;
    return as && edits_is_whole(as->type) && reads_so_many(e, f, as);
}

// {.Bc = c->Bc}, t.bc = bc: all that a field or variable gets by which somebody goes on.
static bool keeps_step(const edits *e, int first, int end) {
    const unit *u = &e->u;
    return first > 2 && is(u, first - 1, "=") && is_name(u, first - 2) &&
           (is(u, end, ",") || is(u, end, ";") || is(u, end, "}")) &&
           is_step(u, edits_text((edits *)e, first - 2, first - 1), 0, u->token_count);
}

// What is handed on there decides, and not what the change makes of it: changes of one place, of which a file has
// thousands, come one after another, and the answer of the last one is kept.
bool edits_hands_tile(const edits *e, const change *c) {
    static struct {
        const edits *of;
        int first, end;
        bool hands;
    } last;
    if (e->cuda || c->place < 0 || c->n_more || c->first >= c->end) return false;
    if (last.of != e || last.first != c->first || last.end != c->end) {
        last.of = e, last.first = c->first, last.end = c->end;
        last.hands = hands_step(e, c->first, c->end) || keeps_step(e, c->first, c->end);
    }
    return last.hands;
}

// seq_kv, or a variable that is as large: Sk.
static bool is_of_sequence(const edits *e, const change *c, const char *text) {
    const variable *v = edits_visible(e, text, (int)strlen(text), c->first);
    const int last = v && v->value > 0 ? v->value_end - 1 : 0;  // s.seq_kv, alone
    return strstr(text, "seq_") || (last && v->value_end - v->value <= 3 && !strncmp(e->u.tokens[last].at, "seq_", 4));
}

// Is it one of what a call is given behind the limit?
static bool is_handed_on(const unit *u, const char *name, int from, int to) {
    for (int i = from; i + 1 < to; i++)
        if (is(u, i, name) && (is(u, i - 1, ",") || is(u, i - 1, "(")) && (is(u, i + 1, ",") || is(u, i + 1, ")")))
            return true;
    return false;
}

// if (a > b) a = b; of whole numbers, which begins at `first`; a may be a field, of what is as long as
// a sequence. Returns where a ends, or 0.
static int is_limit(const edits *e, int first, bool *of_sequence) {
    const unit *u = &e->u;
    int end = first + 3;
    if (!is(u, first, "if") || !is_name(u, first + 2)) return 0;
    while (is(u, end, ".") || is(u, end, "->")) end += 2;
    const token *t = &u->tokens[first + 2];
    const variable *v = edits_visible(e, t->at, t->length, first);
    const int close = u->tokens[first + 1].match, n = close - end - 1, length = end - first - 2;
    *of_sequence = n > 1 && !strncmp(u->tokens[close - 1].at, "seq_", 4);
    return (length == 1 ? v && edits_is_whole(v->type) : *of_sequence) && is(u, end, ">") && n > 0 &&
                   edits_same(u, close + 1, first + 2, length) && is(u, close + 1 + length, "=") &&
                   edits_same(u, close + 2 + length, end + 1, n) && is(u, close + 2 + length + n, ";")
               ? end
               : 0;
}

// Of a tile that is cut off at the sequence: it is always as large as that, or never cut off.
static bool turns_limit(edits *e, const change *c) {
    const bool asks = c->place >= 0 && e->places[c->place].kind == P_CONDITION;
    const int s = asks ? e->places[c->place].statement : c->remove, first = s >= 0 ? e->statements[s].first : 0;
    bool of_sequence = false;
    const int end = e->cuda || s < 0 || e->statements[s].kind != S_IF ? 0 : is_limit(e, first, &of_sequence);
    if (!end) return false;
    const function *f = &e->functions[e->statements[s].function];
    const char *tile = edits_text(e, end - 1, end);
    return of_sequence || is_step(&e->u, tile, f->body, f->end) ||
           is_handed_on(&e->u, tile, e->statements[s].end, f->end);
}

// bc = least(bc, n), of which n alone is left, or in which bc is more, or another number.
static bool drops_tile(edits *e, const change *c) {
    const unit *u = &e->u;
    if (e->cuda || c->place < 0 || c->n_more || c->first < 3) return false;
    const bool other = c->end - c->first == 1 && (is(u, c->first - 1, ",") || is(u, c->end, ","));
    const int close = is(u, c->end, ",") ? 0 : c->end, call = !other  ? c->first
                                                              : close ? u->tokens[close].match - 1
                                                                      : c->first - 2;
    if (call < 2 || !is(u, call - 1, "=") || !is_name(u, call - 2)) return false;
    const char *tile = edits_text(e, call - 2, call - 1);
    const function *f = &e->functions[e->statements[e->places[c->place].statement].function];
    bool names = false;
    for (int i = c->first; i < c->end; i++) names |= is(u, i, tile);
    const bool keeps = strstr(c->new_shown, tile) && !(other && strpbrk(c->new_shown, "*+"));
    if (!names || !is(u, call + 1, "(") || keeps) return false;
    return is_step(u, tile, f->body, f->end) || is_handed_on(u, tile, c->end, f->end);
}

// N * Sk or N + Sk for N, of a function that asks for memory
static bool is_more_room(const edits *e, const change *c, size_t n) {
    const function *f;
    const char *behind = c->new_shown + n;
    if (e->cuda || c->place < 0 || c->n_more || strncmp(c->new_shown, c->old_shown, n)) return false;
    if (strncmp(behind, " * ", 3) && strncmp(behind, " + ", 3)) return false;
    const variable *v = is_of_sequence(e, c, behind + 3) ? edits_handed_as(e, c->first, c->end, &f) : NULL;
    return v && edits_is_whole(v->type) && asks_for_memory(e, f);
}

// N * x, x * N or N + x for N, or the length of a sequence
bool edits_is_larger_tile(edits *e, const change *c) {
    if (turns_limit(e, c) || drops_tile(e, c) || undoes_limit(e, c)) return true;
    const char *old = c->old_shown, *text = c->new_shown;
    const size_t n = strlen(old), m = strlen(text);
    if (n && is_more_room(e, c, n)) return true;
    if (!n || !edits_hands_tile(e, c)) return false;
    if (is_of_sequence(e, c, text) && !strstr(old, "seq_")) return true;
    if (m < n + 3) return false;
    const bool before = !strncmp(text, old, n) && (!strncmp(text + n, " * ", 3) || !strncmp(text + n, " + ", 3));
    return before || (!strcmp(text + m - n, old) && !strncmp(text + m - n - 3, " * ", 3));
}
