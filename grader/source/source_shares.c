// source_shares.c: a loop in which each thread begins at its own number and goes on one by one: all do nearly all of it.
// Where each writes the same, the numbers are right all the same. And pieces of n numbers that begin one number apart:
//
//     for (int j = threadIdx.x; j < threadIdx.x + share; j++)
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

// "for (int n = threadIdx.x;" at this place: the name that counts; 0: it is no such loop.
static int counter_of(const char *loop, char name[32], const char **behind) {
    static const char *const starts[] = {"threadIdx.x", "threadIdx.y"};
    const char *open = lab_skip_blanks(loop + strlen("for")), *set = strchr(open, '='), *semicolon = strchr(open, ';');
    if (*open != '(' || !set || !semicolon || set > semicolon) return 0;
    const char *value = lab_skip_blanks(set + 1), *end = semicolon, *last = set;
    while (end > value && strchr(" \t", end[-1])) end--;
    int known = 0;
    for (int i = 0; i < 2; i++)
        known |= (size_t)(end - value) == strlen(starts[i]) && strncmp(value, starts[i], strlen(starts[i])) == 0;
    while (last > open && strchr(" \t", last[-1])) last--;
    const char *first = last;
    while (first > open && lab_is_word(first[-1])) first--;
    if (!known || first == last || last - first > 30) return 0;
    snprintf(name, 32, "%.*s", (int)(last - first), first);
    *behind = semicolon + 1;
    return 1;
}

// The step, behind the second semicolon: name++, ++name or name += 1, and nothing more.
static int goes_one_by_one(const char *behind, const char *name) {
    const char *semicolon = strchr(behind, ';'), *end = semicolon ? strchr(semicolon, ')') : NULL;
    char step[64] = "", with[3][48];
    for (const char *c = semicolon ? semicolon + 1 : ""; end && c < end; c++)
        if (!strchr(" \t\n", *c) && strlen(step) + 2 < sizeof step) strncat(step, c, 1);
    snprintf(with[0], sizeof with[0], "%s++", name), snprintf(with[1], sizeof with[1], "++%s", name);
    snprintf(with[2], sizeof with[2], "%s+=1", name);
    return !strcmp(step, with[0]) || !strcmp(step, with[1]) || !strcmp(step, with[2]);
}

int lab_hint_of_shares(const char *text, char *sentence, size_t size) {
    for (const char *at = text; (at = strstr(at, "for")); at++) {
        char name[32];
        const char *behind;
        if ((at > text && lab_is_word(at[-1])) || lab_is_word(at[3])) continue;
        if (!counter_of(at, name, &behind) || !goes_one_by_one(behind, name)) continue;
        snprintf(sentence, size,
                 "the threads do not share the loop of line %d: each begins at its own number and goes on one by one, "
                 "so that most of it is done by many of them. Go on by the number of threads",
                 lab_line_of(text, at));
        return 1;
    }
    return 0;
}

// "SHARE = (LENGTH + ...) / ..." before the loop: the length, of which the last share may lack a part.
static int rounded_up_of(const char *text, const lab_loop *l, const char *share, char length[LAB_LONGEST_WORD]) {
    char set[LAB_LONGEST_WORD + 8];
    snprintf(set, sizeof set, " %.40s = (", share);
    const char *at = strstr(lab_function_of(text, l->at), set), *end;
    if (!at || at > l->at) return 0;
    at += strlen(set);
    for (end = at; lab_is_word(*end) || *end == '.';) end++;
    return end > at && *lab_skip_blanks(end) == '+' && lab_copy_word(at, end, length);
}

// for (c = t * share; c < (t + 1) * share; c++), and nobody asks where the whole ends. The product may have a name.
static int goes_beyond(const char *text, const lab_loop *l, const char *until, char *sentence, size_t size) {
    char thread[LAB_LONGEST_WORD], value[LAB_LONGEST_WORD], length[LAB_LONGEST_WORD], form[2][4 * LAB_LONGEST_WORD];
    const int named = !strchr(l->from, '*');
    if (named && !lab_origin(text, l->at, l->from, value)) return 0;
    const char *product = named ? value : l->from, *star = strrchr(product, '*');
    if (!star || !lab_copy_word(product, star, thread)) return 0;
    if (!named && !lab_origin(text, l->at, thread, value)) return 0;
    const char *share = star + 1;
    snprintf(form[0], sizeof form[0], "%s<(%s+1)*%s", l->name, thread, share);
    snprintf(form[1], sizeof form[1], "%s<%s+%s", l->name, l->from, share);
    if ((strcmp(until, form[0]) && strcmp(until, form[1])) || !rounded_up_of(text, l, share, length)) return 0;
    if (lab_has_word(l->body, l->end, "if") || lab_has_word(l->body, l->end, length)) return 0;
    snprintf(sentence, size,
             "line %d: the last pieces end behind %s, as %s is rounded up, and no line asks for it: it is %s < %s, too",
             lab_line_of(text, l->at), length, share, l->name, length);
    return 1;
}

int lab_hint_of_pieces(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    char until[LAB_LONGEST_WORD], begin[2 * LAB_LONGEST_WORD + 4], value[LAB_LONGEST_WORD];
    lab_loop l;
    lab_loops_begin();
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!behind || l.at < behind);) {
        const char *end = strchr(l.condition, ';');
        const size_t n = (size_t)snprintf(begin, sizeof begin, "%s<%s+", l.name, l.from);
        if (end && lab_copy_word(l.condition, end, until) && goes_beyond(text, &l, until, sentence, size))
            return LAB_HINT_CAUSE;
        if (!end || !lab_copy_word(l.condition, end, until) || strncmp(until, begin, n) || strcmp(l.step, "1"))
            continue;
        const char *share = until + n;
        if (!strcmp(share, "1") || !strncmp(share, "blockDim", 8) || !lab_origin(text, l.at, l.from, value) ||
            strchr(value, '*'))
            continue;
        snprintf(
            sentence, size,
            "line %d: the pieces of neighbouring threads overlap: the one of thread n has %s numbers and begins at "
            "n. Let it begin at n * %s",
            lab_line_of(text, l.at), share, share);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
