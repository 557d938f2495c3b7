// source_lost.c: a result that each round of a loop stores in the same place, over the one of the round before:
//
//     for (int k0 = 0; k0 < E; k0 += 16) {
//         float dot = 0;
//         for (int k = k0; k < k0 + 16; k++) dot += x[k] * w[k];
//         y[r] = dot;
//     }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Is it set anew in each round, as the counter of a loop within is?
static int is_anew(const lab_setting set[], int n, const char *from, const char *to) {
    char name[LONGEST], left[LONGEST];
    if (!lab_copy_word(from, to, name)) return 0;
    for (int i = 0; i < n; i++)
        if (set[i].op == '=' && lab_copy_word(set[i].left, set[i].left_end, left) && !strcmp(left, name)) return 1;
    return 0;
}

// Names that are counted on from round to round, as by n++ or n += 4.
static void add_counted(const lab_loop *l, const lab_setting set[], int n, lab_names *in) {
    for (int i = 0; i < n; i++)
        if (set[i].op != '=' && !is_anew(set, n, lab_last_word(&set[i]), set[i].left_end))
            lab_add_word(lab_last_word(&set[i]), set[i].left_end, in);
    for (const char *at = l->body; at < l->end; at++) {
        if (strncmp(at, "++", 2) && strncmp(at, "--", 2)) continue;
        const char *first = at, *last = at + 2;
        while (first > l->body && lab_is_word(first[-1])) first--;
        while (lab_is_word(*last)) last++;
        if (!is_anew(set, n, first, at)) lab_add_word(first, at, in);
        if (!is_anew(set, n, at + 2, last)) lab_add_word(at + 2, last, in);
        at++;
    }
}

// float x[4] = {0}; within the loop: what its elements are made of is another value in each round.
static void add_arrays(const lab_loop *l, const lab_setting set[], int n, lab_names *in) {
    for (int i = 0; i < n; i++) {
        char name[LONGEST];
        const char *open = set[i].left;
        while (lab_is_word(*open)) open++;
        if (*open != '[' || open == set[i].left || !lab_copy_word(set[i].left, open, name)) continue;
        const char *first = l->body;
        while ((first = strstr(first, name)) && !lab_is_word_at(l->body, first, name)) first++;
        const char *before = first;
        while (before && before > l->body && before[-1] == ' ') before--;
        const int declared = first && before < first && lab_is_word(before[-1]) && before < set[i].left;
        if (declared && lab_has_one_of(set[i].value, set[i].end, in)) lab_add_word(set[i].left, open, in);
    }
}

// Is all that the loop does with it to store to it: ROOT[...] = ..., as to out[0] and out[1]?
static int only_stores(const lab_loop *l, const char *root) {
    for (const char *at = l->body; (at = strstr(at, root)) && at < l->end; at++) {
        if (!lab_is_word_at(l->body, at, root)) continue;
        const char *open = at + strlen(root), *close = *open == '[' ? lab_closing(open) : NULL;
        const char *sign = close ? lab_skip_blanks(close + 1) : "";
        if (*sign != '=' || sign[1] == '=') return 0;
    }
    return 1;
}

// if (room > 1) before it, which is the same in each round; *line: where the statement with its condition begins.
static int is_asked_alike(const lab_loop *l, const char **line, const lab_names *in) {
    const char *start = *line, *open = lab_skip_blanks(start), *close;
    if (!lab_is_word_at(l->body, open, "if") || !(close = lab_matching(open = lab_skip_blanks(open + 2)))) return 0;
    *line = close;
    return !lab_has_one_of(open, close, in);
}

static int times(const char *from, const char *to, const char *word) {
    int n = 0;
    for (const char *at = from; (at = strstr(at, word)) && at < to; at++) n += lab_is_word_at(from, at, word);
    return n;
}

// Does the loop do nothing else with what it stores to, and store under no condition?
static int is_alone(const lab_loop *l, const lab_setting *s, const char *open, const lab_names *in) {
    char root[LONGEST], base[LONGEST];
    const char *first = open, *dot = s->left, *start = s->left;
    while (first > s->left && lab_is_word(first[-1])) first--;
    while (lab_is_word(*dot)) dot++;
    if (!lab_copy_word(first, open, root) || !*root || !lab_copy_word(s->left, dot, base)) return 0;
    while (start > l->body && !strchr(";{}", start[-1])) start--;
    const char *line = start;
    if (!is_asked_alike(l, &line, in))
        for (int depth = 0; line > l->body && depth < 2; line--) depth += line[-1] == ';' || line[-1] == '}';
    const int is_field = first > s->left && strchr(".>", first[-1]);  // o.data: other structs have such a field, too
    return (is_field ? !times(l->body, s->left, base) && !times(s->left_end, l->end, base) : only_stores(l, root)) &&
           !lab_has_word(line, s->left, "if") && !lab_has_word(line, s->left, "else") &&
           !memchr(s->value, '?', (size_t)(s->end - s->value));
}

// A tile of shared memory that is read nowhere: another array is read in its place, and nothing is lost.
static int is_unread_tile(const char *text, const lab_loop *l, const char *left, const char *open) {
    char name[LONGEST];
    const char *function = lab_function_of(text, l->at), *end = strstr(l->end, "\n}");
    if (!lab_copy_word(left, open, name) || lab_has_word(l->end, end ? end : l->end + strlen(l->end), name)) return 0;
    for (const char *at = function; (at = strstr(at, "__shared__")) && at < l->at; at++)
        if (lab_has_word(at, at + strcspn(at, ";"), name)) return 1;
    return 0;
}

// A[r][k] * B[k][c], of which either factor is another one in each round: the rounds are the terms of a sum.
static int is_term(const lab_setting *s, const lab_names *in) {
    int depth = 0;
    for (const char *at = s->value; at < s->end; at++) {
        depth += *at == '(' || *at == '[', depth -= *at == ')' || *at == ']';
        if (*at == '*' && !depth && lab_has_one_of(s->value, at, in) && lab_has_one_of(at + 1, s->end, in)) return 1;
    }
    return 0;
}

// Is a number of this name, as sum.x, in what is stored?
static int has_number(const lab_setting *s, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = s->value; (at = strstr(at, name)) && at < s->end; at++)
        if (!lab_is_word(at[-1]) && at[-1] != '.' && !lab_is_word(at[n]) && at[n] != '.') return 1;
    return 0;
}

// float dot = 0; for (int k = k0; ...) dot += ...; Y[r] = dot: each round has a piece of one sum.
static int is_piece(const lab_loop all[], int loops, const lab_loop *l, const lab_setting *s, const lab_names *in) {
    lab_setting set[LAB_MOST_SET];
    for (int k = 0; k < loops; k++) {
        const lab_loop *inner = &all[k];
        if (!lab_is_within(inner, l) || inner->at > s->left || !lab_has_one_of(inner->at, inner->body, in)) continue;
        const int n = lab_settings_of(inner->body, inner->end, set);
        for (int i = 0; i < n; i++) {
            char name[LONGEST];
            if (set[i].op == '+' && lab_copy_word(set[i].left, set[i].left_end, name) && !strpbrk(name, "[>") &&
                inner->end <= s->left && has_number(s, name))
                return 1;
        }
    }
    return 0;
}

int lab_hint_of_losing(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    lab_setting set[LAB_MOST_SET];
    const int loops = lab_loops_of(text, from, to, all);
    for (int k = 0; k < loops; k++) {
        const lab_loop *l = &all[k];
        lab_names in = {.n = 1};
        strcpy(in.name[0], l->name);
        const int n = lab_settings_of(l->body, l->end, set);
        add_counted(l, set, n, &in);
        lab_varying(NULL, set, n, &in);
        add_arrays(l, set, n, &in);
        if (in.n == LAB_MOST_VARYING || n == LAB_MOST_SET || lab_has_word(l->body, l->end, "break") ||
            lab_has_word(l->body, l->end, "return"))
            continue;
        for (int i = 0; i < n; i++) {
            const char *open = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
            if (!open || set[i].op != '=' || lab_has_one_of(open, set[i].left_end, &in)) continue;
            if (!lab_has_one_of(set[i].value, set[i].end, &in) || !is_alone(l, &set[i], open, &in)) continue;
            if (is_unread_tile(text, l, set[i].left, open)) continue;
            const int piece = is_piece(all, loops, l, &set[i], &in), sum = piece || is_term(&set[i], &in);
            const size_t length = (size_t)(set[i].left_end - set[i].left);
            snprintf(sentence, size,
                     "line %d stores %.*s in each round of the loop of line %d, over what the round before has stored: "
                     "the last round's alone is left. Add up%s%s%s",
                     lab_line_of(text, set[i].left), (int)length, set[i].left, lab_line_of(text, l->at),
                     piece ? ": each round has a piece of one sum, which begins with 0 before the loop"
                     : sum ? ", with +="
                           : ", or let ",
                     sum ? "" : l->name, sum ? "" : " be a part of the index");
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
