// source_factors.c: where a file makes the factor of an online softmax, exp(old maximum - new maximum), and what reads it:
//
//     al[r] = expf(mx[r] - m);  ...  sum[r] = (sum[r] + total) * al[r];
//
// A name is a maximum if a line sets it to a maximum, or to a name that is one, or sets such a name to it.
#include "source_kinds.h"
#include "source_lines.h"
#include "source_maximum.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_MAXIMA = 16, MOST_OF_FUNCTION = 16, PASSES = 3 };

typedef struct {
    char name[MOST_MAXIMA][LONGEST];
    int n;
} maxima;

// p->m[r] without its subscripts.
static int name_up_to(const char *from, const char *to, char name[LONGEST]) {
    const char *bracket = memchr(from, '[', (size_t)(to - from));
    return lab_copy_word(from, bracket ? bracket : to, name);
}

static int is_known(const maxima *all, const char *name) {
    for (int i = 0; i < all->n; i++)
        if (!strcmp(all->name[i], name)) return 1;
    return 0;
}

static void add(maxima *all, const char *name) {
    if (*name && !is_known(all, name) && all->n < MOST_MAXIMA) strcpy(all->name[all->n++], name);
}

// A name, or an element of an array, and nothing else.
static int is_one_name(const char *from, const char *to) {
    for (from = lab_skip_blanks(from); from < to && *from != '['; from += *from == '-' ? 2 : 1)
        if (!lab_is_of_name(*from) && strncmp(from, "->", 2)) return 0;
    const char *close = from < to ? lab_closing(from) : to - 1;
    return close && close + 1 >= to;
}

static maxima maxima_of(const lab_setting set[], int n) {
    maxima all = {.n = 0};
    char left[LONGEST], value[LONGEST];
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < n; i++) {
            if (set[i].op != '=' || !name_up_to(set[i].left, set[i].left_end, left)) continue;
            if (lab_takes_maximum(set[i].value, set[i].end)) add(&all, left);
            if (!is_one_name(set[i].value, set[i].end) || !name_up_to(set[i].value, set[i].end, value)) continue;
            if (is_known(&all, value)) add(&all, left);
            if (is_known(&all, left) && !strchr("0123456789", *value)) add(&all, value);
        }
    return all;
}

// expf(A - B), or a call with the arguments A and B of what takes an exponential of their difference.
static int is_factor(const char *text, const maxima *all, const lab_setting *s) {
    const char *at = lab_skip_blanks(s->value), *open = at, *end;
    char name[LONGEST], one[LONGEST], other[LONGEST];
    while (lab_is_word(*open)) open++;
    if (s->op != '=' || *open != '(' || !lab_copy_word(at, open, name)) return 0;
    const char *close = lab_matching(open);
    if (!close || close >= s->end + 1 || lab_skip_blanks(close + 1) < s->end) return 0;
    const char *minus = strstr(open, " - "), *second = lab_in_list(open + 1, close, 1, &end);
    const int takes = strstr(name, "exp") != NULL;
    if (takes && minus && minus < close && !second)
        return name_up_to(open + 1, minus, one) && name_up_to(minus + 3, close, other) && is_known(all, one) &&
               is_known(all, other);
    const char *made = NULL;
    for (const char *c = text; second && !made && (c = strstr(c, name)); c++)
        if (lab_is_word_at(text, c, name) && c != at && c > text && lab_is_word(c[-2]) &&
            strstr(c, "{") == lab_skip_blanks(c + strcspn(c, "{;")))
            made = c;
    const char *block = made ? strchr(made, '{') : NULL, *block_end = block ? lab_block_end(block + 1) : NULL;
    if (!block || !lab_has_text(block, block_end, "exp") || !lab_in_list(open + 1, close, 0, &end)) return 0;
    return name_up_to(open + 1, end, one) && name_up_to(second, close, other) && is_known(all, one) &&
           is_known(all, other);
}

// The lines of the function that read the name behind the one that sets it.
static lab_lines readers_of(const char *text, const lab_setting *s, const char *name) {
    lab_lines all = {.n = 0};
    const char *function = lab_function_of(text, s->left), *at = s->end;
    const int made = lab_line_of(text, s->left);
    for (; (at = strstr(at, name)) && lab_function_of(text, at) == function; at++)
        if (lab_is_word_at(text, at, name) && lab_line_of(text, at) != made) lab_add_line(&all, lab_line_of(text, at));
    return all;
}

int lab_say_factor(const char *text, char *sentence, size_t size) {
    static lab_setting set[LAB_MOST_SET];
    int found = 0;
    for (const char *at = text, *next; *at; at = next) {
        next = at + strcspn(at, "\n"), next += *next == '\n';
        if (!lab_is_word(*at)) continue;  // a function begins in column 1
        const char *end = next;
        while (*end && !(lab_is_word(*end) || *end == '#')) end += strcspn(end, "\n"), end += *end == '\n';
        const int n = lab_settings_of(at, end, set);
        const maxima all = maxima_of(set, n);
        for (int i = 0; i < n; i++) {
            char name[LONGEST], read[120];
            if (!is_factor(text, &all, &set[i])) continue;
            if (found++ || !name_up_to(set[i].left, set[i].left_end, name)) return 0;
            const lab_lines uses = readers_of(text, &set[i], name);
            if (!uses.n || uses.n > LAB_MOST_LINES) return 0;
            lab_say_lines(&uses, read, sizeof read);
            snprintf(sentence, size, "line %d makes %s of two maxima, and it is used in %s",
                     lab_line_of(text, set[i].left), name, read);
        }
    }
    return found;
}
