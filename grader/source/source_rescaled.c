// source_rescaled.c: what is kept from round to round of a loop, and multiplied by the same number in each of them:
//
//     for (int j0 = 0; j0 < n; j0 += BC) {
//         for (int d = 0; d < D; d++) q[d] *= scale;
//         ...
//     }
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

// X *= f, X = X * f: where f begins; NULL: it is another setting.
static const char *factor_of(const lab_setting *s) {
    const size_t n = (size_t)(s->left_end - s->left);
    const char *value = lab_skip_blanks(s->value);
    if (s->op == '*') return value;
    if (s->op != '=' || value + n >= s->end || strncmp(value, s->left, n)) return NULL;
    const char *sign = lab_skip_blanks(value + n);
    return *sign == '*' && sign[1] != '=' ? lab_skip_blanks(sign + 1) : NULL;
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
            const char *factor = factor_of(&set[i]);
            if (!factor || lab_has_word(set[i].left, set[i].end, l->name) || is_set_otherwise(set, n, &set[i]) ||
                is_set(set, n, factor, set[i].end) || lab_calls_unknown(factor, set[i].end))
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
