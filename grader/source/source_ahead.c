// source_ahead.c: the next round's numbers are fetched into the array that this round is still to read:
//
//     fetch(a, 0);
//     for (int k = 0; k < n; k += 16) { __syncthreads(); fetch(a, k + 16); for (...) sum += a[..] * x[..]; }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, STATEMENT = 240, MOST_STATEMENTS = 6, MOST_ARRAYS = 2 };

typedef struct {
    const char *at, *body, *end;
    char name[LONGEST], from[LONGEST], next[2 * LONGEST], alias[LONGEST];  // next: k+16, alias: a name for it
} walk;

typedef struct {
    char name[MOST_ARRAYS][LONGEST];
    int n, by_lambda;
} arrays;

// for (int k = 0; ..; k += 16) { .. }; for (; ..; k++) { .. }
static int walk_at(const char *at, walk *w) {
    const char *open = at + 3 + strspn(at + 3, " "), *close = *open == '(' ? lab_matching(open) : NULL;
    const char *first = close ? memchr(open, ';', (size_t)(close - open)) : NULL;
    const char *second = first ? memchr(first + 1, ';', (size_t)(close - first - 1)) : NULL;
    char up[LONGEST];
    if (!second || !lab_copy_word(second + 1, close, up)) return 0;
    size_t n = 0;
    while (lab_is_word(up[n])) n++;
    if (!n || (strncmp(up + n, "+=", 2) && strcmp(up + n, "++"))) return 0;
    snprintf(w->name, sizeof w->name, "%.*s", (int)n, up);
    snprintf(w->next, sizeof w->next, "%s+%s", w->name, up[n + 1] == '+' ? "1" : up + n + 2);
    const char *set = memchr(open, '=', (size_t)(first - open));
    if (!set || !lab_copy_word(set + 1, first, w->from)) snprintf(w->from, sizeof w->from, "%s", w->name);
    w->at = at, w->body = lab_skip_blanks(close + 1), *w->alias = 0;
    w->end = *w->body == '{' ? lab_matching(w->body) : NULL;
    return w->end != NULL;
}

static int without_blanks(const char *from, const char *to, char out[STATEMENT]) {
    size_t n = 0;
    for (; from < to; from++)
        if (!strchr(" \t\n\\", *from) && n < STATEMENT - 1) out[n++] = *from;
    out[n] = 0;
    return n < STATEMENT - 1;
}

// The length of that expression, where it stands here alone or in brackets; 0: it does not.
static size_t stands(const char *start, const char *at, const char *expression) {
    const size_t n = strlen(expression), bracket = *at == '(' && n && !strncmp(at + 1, expression, n);
    if (!n || (at > start && lab_is_word(at[-1]) && lab_is_word(*at))) return 0;
    if (bracket && at[n + 1] == ')' && at > start && !lab_is_word(at[-1])) return n + 2;
    return !strncmp(at, expression, n) && !lab_is_word(at[n]) ? n : 0;
}

// The same statement, for the next round in the loop, and for the first one before it.
static int is_same(const walk *w, const char *in_loop, const char *before) {
    const char *s = in_loop, *p = before;
    int found = 0;
    while (*s && *p) {
        size_t n = stands(in_loop, s, w->next), first = stands(before, p, w->from);
        if (!n) n = stands(in_loop, s, w->alias);
        if (!first) first = stands(before, p, w->name);
        if (n && first)
            s += n, p += first, found = 1;
        else if (*s++ != *p++)
            return 0;
    }
    return found && !*s && !*p;
}

// const int ahead = k + 16;
static void look_for_alias(walk *w, const char *to) {
    lab_setting set[LAB_MOST_SET];
    char value[LONGEST];
    const int n = lab_settings_of(w->body, to, set);
    for (int i = 0; i < n; i++)
        if (lab_copy_word(set[i].value, set[i].end, value) && !strcmp(value, w->next))
            lab_copy_word(lab_last_word(&set[i]), set[i].left_end, w->alias);
}

// Is it declared as NAME[..] or NAME[..][..] in these lines?
static int is_array(const char *from, const char *to, const char *name) {
    for (const char *at = from; (at = strstr(at, name)) && at < to; at++) {
        const char *open = at + strlen(name), *before = at;
        if (!lab_is_word_at(from, at, name) || *open != '[') continue;
        while (before > from && before[-1] == ' ') before--;
        int brackets = 0;
        for (; *open == '[' && lab_closing(open); brackets++) open = lab_closing(open) + 1;
        return brackets <= 2 && before > from && (before[-1] == ',' || (before < at && lab_is_word(before[-1])));
    }
    return 0;
}

// What a lambda of this name stores to, at the same places in all rounds.
static int stores_of_lambda(const char *from, const walk *w, const char *name, arrays *a) {
    lab_setting set[LAB_MOST_SET];
    char head[LONGEST + 16];
    snprintf(head, sizeof head, "auto %s = [", name);
    const char *at = strstr(from, head), *open = at && at < w->at ? strchr(at, '(') : NULL;
    const char *body = open ? strchr(open, '{') : NULL, *end = body ? lab_matching(body) : NULL;
    const int n = end && end < w->at ? lab_settings_of(body, end, set) : 0;
    for (int i = 0; i < n; i++) {
        const char *bracket = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
        if (!bracket) continue;
        for (const char *c = bracket; c < set[i].left_end; c++) {
            char word[LONGEST];
            const char *start = c;
            while (lab_is_word(*c)) c++;
            if (c > start && lab_copy_word(start, c, word) &&
                (lab_has_word(open, body, word) || lab_may_change(w->body, w->end, word)))
                return 0;
        }
        int k = 0;
        char root[LONGEST];
        if (!lab_copy_word(set[i].left, bracket, root) || !is_array(from, at, root)) return 0;
        while (k < a->n && strcmp(a->name[k], root)) k++;
        if (k == a->n && a->n < MOST_ARRAYS) strcpy(a->name[a->n++], root);
    }
    a->by_lambda = 1;
    return a->n > 0;
}

// The statement without a condition before it, and what it ends with.
static const char *bare(const char *at, const char *end, const char **its_end) {
    at = lab_skip_blanks(at);
    if (!strncmp(at, "if (", 4) && lab_matching(at + 3)) at = lab_skip_blanks(lab_matching(at + 3) + 1);
    if (*at == '{') at = lab_skip_blanks(at + 1);
    const char *semicolon = at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;
    *its_end = semicolon ? semicolon + 1 : end;
    return at;
}

// What a statement stores to: its array, the first array that is an argument of its call, or those of a lambda.
static int stores_of(const char *function, const walk *w, const char *at, const char *end, arrays *a) {
    char name[LONGEST], word[LONGEST];
    a->n = a->by_lambda = 0;
    const char *open = at, *to;
    while (lab_is_word(*open)) open++;
    if (open == at || open >= end || !lab_copy_word(at, open, name)) return 0;
    if (*open == '[' && is_array(function, w->at, name)) return strcpy(a->name[a->n++], name), 1;
    const char *close = *open == '(' ? lab_matching(open) : NULL;
    if (!close || close > end) return 0;
    for (int i = 0; (at = lab_in_list(open + 1, close, i, &to)); i++)
        if (lab_copy_word(at, to, word) && is_array(function, w->at, word)) return strcpy(a->name[a->n++], word), 1;
    return stores_of_lambda(function, w, name, a);
}

// Between these places nothing takes what lies in the arrays: a barrier does not.
static int is_quiet(const char *from, const char *to, const arrays *a) {
    for (int i = 0; i < a->n; i++)
        if (lab_has_word(from, to, a->name[i])) return 0;
    for (const char *at = from; a->by_lambda && at < to && (at = memchr(at, '(', (size_t)(to - at))); at++) {
        const char *start = at;
        while (start > from && lab_is_word(start[-1])) start--;
        const char *sync = strstr(start, "sync");
        if (!sync || sync > at) return 0;
    }
    return 1;
}

// Behind the statement: where one of the arrays is read. NULL: nowhere, or which part of it is read depends on the round.
static const char *read_behind(const walk *w, const char *from, const arrays *a) {
    const char *first = NULL;
    if (lab_has_word(from, w->end, "swap")) return NULL;
    for (int i = 0; i < a->n; i++)
        for (const char *at = from; (at = strstr(at, a->name[i])) && at < w->end; at++) {
            if (!lab_is_word_at(w->body, at, a->name[i])) continue;
            const char *end = at + strlen(a->name[i]), *close = *end == '[' ? lab_closing(end) : NULL;
            if (close && lab_has_word(end, close, w->name)) return NULL;
            while (*end == '[' && lab_closing(end)) end = lab_closing(end) + 1;
            end += strspn(end, " ");
            if (strchr("=+", *end) && end[1] != '=' && (*end == '=' || !close)) return NULL;
            if (!first || at < first) first = at;
        }
    return first;
}

// The same statement for the first round, before the loop.
static int begins_before(const char *function, const walk *w, const char *statement, const arrays *a) {
    char before[STATEMENT];
    const char *end = w->at;
    for (int i = 0; i < MOST_STATEMENTS; i++) {
        while (end > function && end[-1] != ';') {
            if (strchr("{}", end[-1])) return 0;
            end--;
        }
        const char *start = end - (end > function);
        while (start > function && !strchr(";{}", start[-1])) start--;
        if (start == function) return 0;
        const char *behind, *first = bare(start, end, &behind);
        if (without_blanks(first, behind, before) && is_same(w, statement, before)) return is_quiet(end, w->at, a);
        end = start;
    }
    return 0;
}

static int is_shared(const char *function, const walk *w, const char *name) {
    for (const char *at = function; (at = strstr(at, "__shared__")) && at < w->at; at++)
        if (lab_has_word(at, at + strcspn(at, ";"), name)) return 1;
    return 0;
}

static int says(const char *text, walk *w, char *sentence, size_t size) {
    const char *function = lab_function_of(text, w->at), *at = lab_skip_blanks(w->body + 1);
    char statement[STATEMENT];
    for (int i = 0; i < MOST_STATEMENTS && at < w->end; i++) {
        const char *end = lab_end_of_statement(at), *read, *behind, *first = bare(at, end ? end : at, &behind);
        arrays a;
        look_for_alias(w, at);
        if (end && end <= w->end && without_blanks(first, behind, statement) &&
            stores_of(function, w, first, behind, &a) && is_quiet(w->body, at, &a) &&
            begins_before(function, w, statement, &a) && (read = read_behind(w, behind, &a))) {
            snprintf(
                sentence, size,
                "line %d fetches the next round's numbers into %s%s%s before line %d reads there this round's: they "
                "are overwritten by then%s last line that reads them, or into another array",
                lab_line_of(text, first), a.name[0], a.n > 1 ? " and " : "", a.n > 1 ? a.name[1] : "",
                lab_line_of(text, read),
                is_shared(function, w, a.name[0])
                    ? ", and a barrier between the two does not help. Fetch after a barrier behind the"
                    : ". Fetch behind the");
            return 1;
        }
        if (!end) return 0;
        at = lab_skip_blanks(end);
    }
    return 0;
}

int lab_hint_of_fetching(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    enum { MOST = 200 };
    for (int n = 0; at && n < MOST && (at = strstr(at, "for")) && (!behind || at < behind); at += 3) {
        walk w;
        if (!lab_is_word_at(text, at, "for")) continue;
        n++;
        if (walk_at(at, &w) && says(text, &w, sentence, size)) return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
