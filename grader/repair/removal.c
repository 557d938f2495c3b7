// removal.c: a change beside one by which its statement goes: is it but another way to leave that out?
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rank.h"

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

int lab_is_jump(const char *statement) {
    return starts(statement, "if") && !strchr(statement, '{') &&
           (strstr(statement, "continue;") || strstr(statement, "break;") || strstr(statement, "return"));
}

// if (max > 0) return ATTN_OK; asks for no status: it leaves early, and all is well.
int lab_is_check(const char *statement) {
    static const char *const signs[] = {"return ATTN_", "cudaSuccess", "ATTN_OK", "NULL"};
    const char *well = strstr(statement, "return ATTN_OK;");
    for (size_t i = 0; starts(statement, "if") && i < sizeof signs / sizeof *signs; i++) {
        const char *at = strstr(statement, signs[i]);
        if (at && (!well || at < well)) return 1;
    }
    return 0;
}

static int turns_round(const lab_edit *e) {
    if (is(e->was, "==") && is(e->now, "!=")) return 1;
    return strchr("<>", *e->was) && strchr("<>", *e->now) && *e->was && *e->now && *e->was != *e->now;
}

// What stands in the way goes, rather than that it comes later: `sum += x;` in line 8 need not stand anywhere.
static int moves_past(const lab_edit *e, const lab_edit *removal) {
    const int before = starts(e->kind, "before line "), moved = before && *e->was && is(e->was, e->now);
    return moved && *removal->was && !*removal->now && strchr(removal->was, ';') && !lab_is_jump(removal->was) &&
           removal->line != e->line && atoi(e->kind + strlen("before line ")) == removal->line;
}

// What need not be there at all is not moved to where it does nothing: o /= l before the loop that sums both up.
static int moves_idle(const lab_edit *e, const lab_edit *removal) {
    const int moved = *e->was && is(e->was, e->now) && removal->line == e->line && e != removal;
    const int goes = *removal->was && !*removal->now && strchr(removal->was, ';') && strstr(e->was, removal->was);
    return moved && goes && !strstr(e->was, "__sync") && !starts(e->was, "free(") && !starts(e->was, "cuda");
}

int lab_is_returned(const lab_edit *e) {
    const char *at = strstr(e->whole, "return ");
    return at && at - e->whole < e->column - 1 - e->indent;
}

// Another sign in a condition that need not be there makes it one that always holds.
static int holds_always(const lab_edit *e, const lab_edit *always) {
    static const char *const signs[] = {"+", "-", "*", "/"};
    const int within =
        e->line == always->line && e->column >= always->column && e->column < always->column + (int)strlen(always->was);
    int sign = is(e->was, ">") && is(e->now, ">=") && strstr(e->whole, "-INFINITY");  // x >= -INFINITY: whatever x is
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) sign |= is(e->was, signs[i]);
    return lab_is_always(always) && e != always && within && sign;
}

// The claims hold without this loop: a change of its header mends because it leaves no round, as 32 % 2 in place of 32 / 2.
static int empties_loop(const lab_edit *e, const lab_edit *removal) {
    int depth = 0;
    const char *open = strchr(removal->was, '('), *close = open;
    for (; close && *close; close++) {
        depth += *close == '(', depth -= *close == ')';
        if (!depth) break;
    }
    return starts(removal->was, "for (") && *e->kind && !is(e->kind, "statement") && e->column > removal->column &&
           e->column - removal->column < close - removal->was;
}

int lab_is_always(const lab_edit *e) { return is(e->kind, "always"); }

int lab_switches_off(const lab_edit *e, const lab_edit *removal) {
    if (moves_past(e, removal) || moves_idle(e, removal) || holds_always(e, removal)) return 1;
    const int goes = *removal->was && !*removal->now && removal->line == e->line && e != removal && *e->now;
    if (lab_is_check(removal->was)) return 0;                         // a status that is asked for is to be asked for
    if (is(e->kind, "negation") && !strpbrk(e->was, "<>")) return 0;  // if (!(!ok)) continue: it is asked for
    if (is(e->kind, "up to")) return 0;                               // as far as what it calls goes
    if (lab_is_returned(e)) return 0;                                 // what is returned is not whether it is
    return goes && (lab_is_jump(removal->was) || turns_round(e) || empties_loop(e, removal));
}

int lab_asks_for_mask(const lab_edit *e, const lab_edit *removal) {
    const size_t now = strlen(e->now), was = strlen(e->was), gone = strlen(removal->was);
    if (is(e->kind, "asked")) return removal->line == e->line && !strcasestr(removal->now, "causal");
    if (!gone || *removal->now || removal->line != e->line || !is(e->kind, "guard") || !was || now <= was) return 0;
    const char *causal = strcasestr(e->now, "causal"), *statement = e->now + now - was;
    return starts(e->now, "if (") && is(statement, e->was) && causal && causal < statement &&
           !strncmp(removal->was, e->was, was < gone ? was : gone);
}

int lab_is_limit(const lab_edit *e) { return strstr(e->whole, "min(") || strstr(e->whole, "MIN("); }

// for (int e = 0; e < n; e++) o[e] += v[e * T]; is shown whole: does the change stand in its header?
static int in_header(const lab_edit *e) {
    const int at = e->column - 1 - e->indent;
    int depth = 0, end = 0;
    if (!starts(e->whole, "for") && !starts(e->whole, "while")) return 0;
    for (; e->whole[end]; end++) {
        depth += e->whole[end] == '(', depth -= e->whole[end] == ')';
        if (e->whole[end] == ')' && !depth) break;
    }
    return at < end;
}

// Without the limit of a loop more work is done, and the result is right.
int lab_leaves_limit_out(const lab_edit *e) {
    const int limit = lab_is_limit(e) || in_header(e);
    const int always = !strcmp(e->kind, "condition") && (!strcmp(e->now, "0") || !strcmp(e->now, "1"));
    const int larger = !strcasecmp(e->was, "min") && !strcasecmp(e->now, "max");
    return limit &&
           (larger || (!strcmp(e->kind, "left out") && *e->now) || always || (!*e->now && starts(e->was, "if")));
}
