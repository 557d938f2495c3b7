// source_nested.c: a sum that is added to in each round of a loop, though nothing that is added depends on the round.
//
//     for (int t = 0; t < DIMS; t++) {
//         l = fix * l + e;
//         o[t] = fix * o[t] + e * v[t];
//     }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// It stands in the block itself, under no condition.
static int is_plain(const char *open, const lab_setting *s) {
    int depth = 0;
    for (const char *at = open; at < s->left; at++) depth += *at == '{', depth -= *at == '}';
    const char *start = s->left;
    while (start > open && !strchr(";{}", start[-1])) start--;
    return depth == 1 && !memchr(start, '(', (size_t)(s->left - start)) &&
           !memchr(start, '=', (size_t)(s->left - start));
}

// A number with a point, and no pointer.
static int is_float(const char *text, const char *name) {
    static const char *const types[] = {"float ", "double ", NULL};
    for (int i = 0; types[i]; i++)
        for (const char *at = text; (at = strstr(at, types[i])); at++) {
            const char *end = at + strcspn(at, ";(){}");
            for (const char *word = at; (word = strstr(word, name)) && word < end; word++)
                if (lab_is_word_at(text, word, name) && word[-1] == ' ') return 1;
        }
    return 0;
}

// p[seen++]: another one in each round.
static int counts(const char *at, const char *end) {
    for (; at + 1 < end; at++)
        if (!strncmp(at, "++", 2) || !strncmp(at, "--", 2)) return 1;
    return 0;
}

static int is_number(const char *from, const char *end) {
    from = lab_skip_blanks(from);
    return *from >= '0' && *from <= '9' && !memchr(from, ' ', (size_t)(end - from));
}

// 1, or e, which was set to that last: how many rounds there are is counted.
static int is_count(const char *text, const lab_setting *s) {
    char name[LONGEST];
    const char *set = NULL;
    if (is_number(s->value, s->end)) return 1;
    if (!lab_copy_word(lab_skip_blanks(s->value), s->end, name)) return 0;
    for (const char *at = text; (at = strstr(at, name)) && at < s->left; at++)
        if (lab_is_word_at(text, at, name) && !strncmp(at + strlen(name), " = ", 3)) set = at + strlen(name) + 3;
    return set && is_number(set, set + strcspn(set, ",;"));
}

// s = s + e, s += e: of one number, of which nothing varies from round to round.
static int adds_the_same(const char *text, const char *open, const lab_setting *s, const lab_names *in) {
    char left[LONGEST], name[LONGEST];
    const char *word = lab_last_word(s);
    if (!lab_copy_word(s->left, s->left_end, left) || !lab_copy_word(word, s->left_end, name)) return 0;
    const int adds = s->op == '+' || (s->op == '=' && lab_has_word(s->value, s->end, name) &&
                                      memchr(s->value, '+', (size_t)(s->end - s->value)));
    return adds && !is_count(text, s) && !strchr(left, '[') && is_plain(open, s) && is_float(text, name) &&
           !lab_has_one_of(word, s->left_end, in) && !lab_has_one_of(s->value, s->end, in) &&
           !lab_calls_unknown(text, s->value, s->end) && !counts(s->value, s->end);
}

// Does the block do anything for one round alone: an index with its counter?
static int indexes(const char *open, const char *end, const char *name) {
    for (const char *at = open; at < end && (at = memchr(at, '[', (size_t)(end - at))); at++) {
        const char *close = lab_closing(at);
        if (close && close < end && lab_has_word(at, close, name)) return 1;
    }
    return 0;
}

// m = m_new, which does not vary either, behind a line that reads m: the next round reads the new one there.
static const lab_setting *set_too_early(const char *open, const lab_setting set[], int n, const lab_names *in,
                                        const char **reads) {
    char left[LONGEST];
    for (int i = 0; i < n; i++) {
        const lab_setting *s = &set[i];
        const char *before = s->left;
        while (strchr(" \t\n", before[-1])) before--;
        if (s->op != '=' || !strchr(";{}", before[-1]) || !is_plain(open, s) || lab_has_one_of(s->value, s->end, in) ||
            !lab_copy_word(s->left, s->left_end, left) || strchr(left, '['))
            continue;
        for (const char *at = open; (at = strstr(at, left)) && at < s->left; at++)
            if (lab_is_word_at(open, at, left)) return *reads = at, s;
    }
    return NULL;
}

// s[t] is added, or *s, and the block works on s[c], the element of this round. At: where that stands.
static const char *own_element(const char *open, const char *end, const lab_setting *s, const lab_loop *l,
                               char element[2 * LONGEST]) {
    for (const char *at = s->value; at < s->end; at++) {
        const char *first = at, *close = *at == '[' ? lab_closing(at) : NULL;
        if (*at == '*' && at == lab_skip_blanks(s->value)) {  // of a product the other factor stands before the sign
            for (first = at = lab_skip_blanks(at + 1); lab_is_word(*at);) at++;
            if (*at == '[' || *at == '(') continue;
        } else {
            while (lab_is_word(first[-1])) first--;
            if (!close || close > s->end) continue;
        }
        if (first == at || at - first >= LONGEST) continue;
        const int n = snprintf(element, 2 * LONGEST, "%.*s[%s]", (int)(at - first), first, l->name);
        for (const char *own = open; n < 2 * LONGEST && (own = strstr(own, element)) && own < end; own++)
            if (!lab_is_word(own[-1]) && own[-1] != ']') return own;
    }
    return NULL;
}

// What the line that adds needs, as far as it has to go with it; or which element it means.
static void say_all_of_it(const char *text, const lab_loop *l, const lab_setting *adds, const lab_setting *early,
                          const char *reads, char *sentence, size_t size) {
    char element[2 * LONGEST];
    const char *own = early ? NULL : own_element(lab_skip_blanks(l->body), l->end, adds, l, element);
    if (own)
        snprintf(sentence, size, "is it to be %s, this round's own, as in line %d?", element, lab_line_of(text, own));
    else if (early)
        snprintf(sentence, size,
                 "line %d sets %.*s, too, so that line %d reads the new one from the second round on, and not the old "
                 "one. Do both once, outside of the loop, and all that they need",
                 lab_line_of(text, early->left), (int)(early->left_end - early->left), early->left,
                 lab_line_of(text, reads));
    else
        snprintf(sentence, size, "it is added again and again. Do it once, outside of the loop, and all that it needs");
}

int lab_hint_of_nesting(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    lab_setting set[LAB_MOST_SET];
    lab_loop l;
    lab_loops_begin();
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!behind || l.at < behind);) {
        const char *open = lab_skip_blanks(l.body);
        lab_names in = {.n = 1};
        strcpy(in.name[0], l.name);
        if (*open != '{' || lab_has_word(open, l.end, "for") || lab_has_word(open, l.end, "while")) continue;
        const int n = lab_settings_of(open, l.end, set);
        lab_varying(text, set, n, &in);
        if (in.n == LAB_MOST_VARYING || n == LAB_MOST_SET) continue;
        const int by_its_names = indexes(open, l.end, l.name);
        for (int i = 0; i < n; i++) {
            const int indexed = by_its_names || (in.n > 1 && indexes(open, l.end, in.name[1]));
            if (!indexed || !adds_the_same(text, open, &set[i], &in)) continue;
            const char *reads = NULL;
            const lab_setting *early = set_too_early(open, set, n, &in, &reads);
            char all_of_it[300];
            say_all_of_it(text, &l, &set[i], early, reads, all_of_it, sizeof all_of_it);
            snprintf(
                sentence, size,
                "line %d adds to %.*s in each round of the loop of line %d, and nothing of what it adds depends on "
                "%s: %s",
                lab_line_of(text, set[i].left), (int)(set[i].left_end - set[i].left), set[i].left,
                lab_line_of(text, l.at), l.name, all_of_it);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
