// source_crews.c: half of the threads call a function for one tile and the others call it for another one, and it shares its
// work among all threads:
//
//     if (t < CREW / 2) load(a, t, CREW); else load(b, t - CREW / 2, CREW);
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

typedef struct {
    char thread[LONGEST], bound[LONGEST];  // if (thread < bound)
    const char *at, *end;                  // of the if
    const char *call[2], *open[2], *close[2];
    char name[LONGEST];  // of the function that is called in either case
} halves;

// The call that the statement consists of, behind a { where there is one.
static const char *call_in(const char *at, const char *end, char name[LONGEST], const char **open) {
    at += strspn(at, " \t\n\\{");
    *open = at;
    while (*open < end && (lab_is_of_name(**open) || !strncmp(*open, "->", 2))) *open += **open == '-' ? 2 : 1;
    if (**open != '(') return NULL;
    const char *start = *open;
    while (start > at && lab_is_word(start[-1])) start--;
    return lab_copy_word(start, *open, name) ? at : NULL;
}

static int halves_at(const char *text, const char *at, halves *h) {
    const char *open = at + 2 + strspn(at + 2, " "), *close = *open == '(' ? lab_matching(open) : NULL;
    const char *sign = close ? memchr(open, '<', (size_t)(close - open)) : NULL, *end;
    char other[LONGEST];
    if (!sign || sign[1] == '<' || sign[1] == '=' || memchr(open, '&', (size_t)(close - open))) return 0;
    if (!lab_copy_word(open + 1, sign, h->thread) || !lab_copy_word(sign + 1, close, h->bound)) return 0;
    if (!(end = lab_end_of_statement(close + 1))) return 0;
    h->at = at, h->call[0] = call_in(close + 1, end, h->name, &h->open[0]);
    const char *otherwise = h->call[0] ? strstr(h->call[0], "else") : NULL;
    if (!otherwise || !lab_is_word_at(text, otherwise, "else") || otherwise > lab_end_of_statement(at)) return 0;
    h->end = lab_end_of_statement(otherwise + 4);
    h->call[1] = h->end ? call_in(otherwise + 4, h->end, other, &h->open[1]) : NULL;
    if (!h->call[1] || strcmp(h->name, other)) return 0;
    for (int i = 0; i < 2; i++)
        if (!(h->close[i] = lab_matching(h->open[i]))) return 0;
    return 1;
}

static int has_argument(const halves *h, int call, const char *value) {
    char word[LONGEST];
    const char *end, *at;
    for (int i = 0; (at = lab_in_list(h->open[call] + 1, h->close[call], i, &end)); i++)
        if (lab_copy_word(at, end, word) && !strcmp(word, value)) return 1;
    return 0;
}

// load(.., t, CREW) and load(.., t - CREW / 2, CREW), where the bound is CREW / 2
static int hands_on_all(const halves *h, char step[LONGEST]) {
    char rest[2 * LONGEST];
    const size_t n = strlen(h->bound);
    if (n < 3 || strcmp(h->bound + n - 2, "/2")) return 0;
    snprintf(step, LONGEST, "%.*s", (int)(n - 2), h->bound);
    snprintf(rest, sizeof rest, "%s-%s", h->thread, h->bound);
    return has_argument(h, 0, h->thread) && has_argument(h, 1, rest) && has_argument(h, 0, step) &&
           has_argument(h, 1, step);
}

// The loop of the function that begins with the same number of the thread; 0: it has none.
static int loop_of_all(const char *text, const halves *h, lab_loop *l) {
    char mine[LONGEST], name[LONGEST], from[LONGEST];
    if (!lab_origin(text, h->at, h->thread, mine) || strncmp(mine, "threadIdx.", 10)) return 0;
    for (const char *at = text; (at = lab_next_loop(text, at, l));)
        if (lab_name_of_function(lab_function_of(text, l->at), name) && !strcmp(name, h->name) &&
            lab_origin(text, l->at, l->from, from) && !strcmp(from, mine) && strcmp(l->step, h->bound) &&
            strcmp(l->step, "1"))
            return 1;
    return 0;
}

static int says(const char *text, const halves *h, char *sentence, size_t size) {
    char step[LONGEST];
    lab_loop l;
    int used = snprintf(sentence, size,
                        "line %d: threads with %s < %s alone call %s for this, the others for what line %d says, and ",
                        lab_line_of(text, h->at), h->thread, h->bound, h->name, lab_line_of(text, h->call[1]));
    if (hands_on_all(h, step))
        used += snprintf(sentence + used, size - (size_t)used, "both go on by %s, which is all threads", step);
    else if (loop_of_all(text, h, &l))
        used += snprintf(sentence + used, size - (size_t)used, "its loop in line %d goes on by %s, for all threads",
                         lab_line_of(text, l.at), l.step);
    else
        return 0;
    snprintf(
        sentence + used, size - (size_t)used,
        ": the elements of those that do not come are never done, in either. Let all threads call it for both, or go "
        "on by as many as call it");
    return 1;
}

int lab_hint_of_crews(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    lab_loops_begin();
    for (; at && (at = strstr(at, "if")) && (!behind || at < behind); at++) {
        halves h;
        if (lab_is_word_at(text, at, "if") && halves_at(text, at, &h) && says(text, &h, sentence, size))
            return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
