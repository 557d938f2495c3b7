// source_rescaled.c: what is kept from round to round of a loop, and multiplied by the same number in each of them:
//
//     for (int j0 = 0; j0 < n; j0 += BC) {
//         for (int d = 0; d < D; d++) q[d] *= scale;
//         ...
//     }
//
// or by a factor of the online softmax, which is made before the loop:
//
//     const float a = expf(m - m_new);
//     for (int j = 0; j < n; j++) l = l * a + expf(s[j] - m_new);
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Up to its subscript: s.q of s.q[x].
static size_t length_of(const lab_setting *s) {
    size_t n = 0;
    while (s->left + n < s->left_end && s->left[n] != '[') n++;
    return n;
}

// Is what b multiplies that which a sets, or a member of it?
static int is_part_of(const lab_setting *a, const lab_setting *b) {
    const size_t n = length_of(a), of = length_of(b);
    return n && n <= of && !strncmp(a->left, b->left, n) && (n == of || strchr(".-", b->left[n]));
}

// Is it set, or any part of it, in the loop by anything but that product?
static int is_set_otherwise(const lab_setting set[], int n, const lab_setting *s) {
    for (int i = 0; i < n; i++)
        if (&set[i] != s && is_part_of(&set[i], s)) return 1;
    return 0;
}

static int is_set(const lab_setting set[], int n, const char *factor, const char *end) {
    char name[LONGEST];
    for (int i = 0; i < n; i++)
        if (lab_copy_word(lab_last_word(&set[i]), set[i].left_end, name) && *name && lab_has_word(factor, end, name))
            return 1;
    return 0;
}

int lab_hint_of_rescaled(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    lab_setting set[LAB_MOST_SET];
    const int loops = lab_loops_of(text, from, to, all);
    for (int k = 0; k < loops; k++) {
        const lab_loop *l = &all[k];
        const int n = lab_settings_of(l->body, l->end, set);
        for (int i = 0; i < n && n < LAB_MOST_SET; i++) {
            const char *factor = lab_factor_of(&set[i]);
            if (!factor || set[i].left == set[i].left_end || lab_has_word(set[i].left, set[i].end, l->name) ||
                is_set_otherwise(set, n, &set[i]) || is_set(set, n, factor, set[i].end) ||
                lab_calls_unknown(NULL, factor, set[i].end))
                continue;
            snprintf(sentence, size,
                     "line %d multiplies %.*s by %.*s in each round of the loop of line %d, which sets it nowhere: it "
                     "is multiplied again and again. Do it once, before the loop",
                     lab_line_of(text, set[i].left), (int)(set[i].left_end - set[i].left), set[i].left,
                     (int)(set[i].end - factor), factor, lab_line_of(text, l->at));
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}

// old of mass * old + e: a name that is made by an exponential, and that no line of the loop sets.
static int is_made_before(const char *text, const lab_loop *l, const lab_setting set[], int n, const char *factor,
                          const char *end, char name[LONGEST]) {
    size_t length = 0;
    lab_setting before[LAB_MOST_SET];
    while (factor + length < end && lab_is_word(factor[length])) length++;
    const char *behind = lab_skip_blanks(factor + length);
    if (!lab_copy_word(factor, factor + length, name) || (behind < end && *behind != '+')) return 0;
    if (is_set(set, n, factor, factor + length)) return 0;
    const int made = lab_settings_of(lab_function_of(text, l->at), l->at, before);
    int is = 0;
    for (int i = 0; i < made; i++) {
        char left[LONGEST];
        if (!lab_copy_word(lab_last_word(&before[i]), before[i].left_end, left) || strcmp(left, name)) continue;
        const char *value = lab_skip_blanks(before[i].value);
        is = before[i].op == '=' && (!strncmp(value, "expf(", 5) || !strncmp(value, "exp2f(", 6) ||
                                     !strncmp(value, "exp(", 4) || !strncmp(value, "__expf(", 7));
    }
    return is && made < LAB_MOST_SET;
}

int lab_hint_of_rescaling(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    lab_setting set[LAB_MOST_SET];
    char name[LONGEST];
    const int loops = lab_loops_of(text, from, to, all);
    for (int k = 0; k < loops; k++) {
        const lab_loop *l = &all[k];
        const int n = lab_settings_of(l->body, l->end, set);
        lab_names in = {.n = 1};
        strcpy(in.name[0], l->name);
        lab_varying(text, set, n, &in);
        for (int i = 0; i < n && n < LAB_MOST_SET && in.n < LAB_MOST_VARYING; i++) {
            const char *factor = lab_factor_of(&set[i]),
                       *sum = factor ? memchr(factor, '+', set[i].end - factor) : NULL;
            const char *indexed = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
            if (!sum || lab_has_word(set[i].left, set[i].left_end, l->name) || !lab_has_one_of(sum, set[i].end, &in) ||
                (indexed && lab_has_one_of(indexed, set[i].left_end, &in)) || is_set_otherwise(set, n, &set[i]) ||
                !is_made_before(text, l, set, n, factor, set[i].end, name))
                continue;
            snprintf(sentence, size,
                     "line %d multiplies %.*s by %s in each round of the loop of line %d, and %s is made before the "
                     "loop: what the rounds before have added is rescaled, too. Multiply once, before the loop, and "
                     "add in it",
                     lab_line_of(text, set[i].left), (int)(set[i].left_end - set[i].left), set[i].left, name,
                     lab_line_of(text, l->at), name);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
