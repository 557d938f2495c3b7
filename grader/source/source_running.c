// source_running.c: exponentials that are stored with the maximum of the elements so far, in the loop that looks for it:
//
//     for (int c = 0; c < n; c++) {
//         m = fmaxf(m, s[c]);
//         p[c] = expf(s[c] - m);
//     }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_maximum.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Is A read in the loop by anything but l += A[c], of an l that nothing else there sets?
static int is_read_otherwise(const lab_loop *l, const lab_setting set[], int n, const lab_setting *s,
                             const char *root) {
    const char *behind = s->value;
    char sum[LONGEST], left[LONGEST], value[LONGEST], element[LONGEST];
    if (!lab_copy_word(s->left, s->left_end, element)) return 1;
    for (int i = 0; i < n; i++) {
        if (set[i].value < s->value || set[i].op != '+' || !lab_copy_word(set[i].value, set[i].end, value) ||
            strcmp(value, element) || !lab_copy_word(set[i].left, set[i].left_end, sum))
            continue;
        for (int k = 0; k < n; k++)
            if (k != i && lab_copy_word(set[k].left, set[k].left_end, left) && !strcmp(left, sum)) return 1;
        if (lab_has_word(behind, set[i].value, root)) return 1;
        behind = set[i].end;
    }
    return lab_has_word(behind, l->end, root);
}

// A[c] = e, with an exponential or a name that is one, and the loop does no more with A than add it up.
static int is_kept(const lab_loop *l, const lab_setting set[], int n, const lab_setting *s, const char *m) {
    const char *open = memchr(s->left, '[', (size_t)(s->left_end - s->left)), *first = open;
    char root[LONGEST], value[LONGEST], left[LONGEST];
    if (!open || s->op != '=' || !lab_has_word(open, s->left_end, l->name)) return 0;
    while (first > s->left && lab_is_word(first[-1])) first--;
    if (!lab_copy_word(first, open, root) || !*root) return 0;
    if (lab_has_word(l->body, s->left, root) || is_read_otherwise(l, set, n, s, root)) return 0;
    if (lab_is_exponential(s->value, s->end, m)) return 1;
    if (!lab_copy_word(s->value, s->end, value)) return 0;
    for (int i = 0; i < n; i++)
        if (lab_copy_word(set[i].left, set[i].left_end, left) && !strcmp(left, value) && set[i].op == '=' &&
            lab_is_exponential(set[i].value, set[i].end, m))
            return 1;
    return 0;
}

int lab_hint_of_running(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    lab_setting set[LAB_MOST_SET];
    char m[LONGEST];
    const int loops = lab_loops_of(text, from, to, all);
    for (int k = 0; k < loops; k++) {
        const lab_loop *l = &all[k];
        const int n = lab_settings_of(l->body, l->end, set);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && lab_is_raised(l->body, &set[i], m) && !lab_begins_in(l, m); j++) {
                if (j == i || !is_kept(l, set, n, &set[j], m)) continue;
                snprintf(
                    sentence, size,
                    "line %d: the exponentials are stored with the largest so far, as line %d still raises %s in "
                    "the same loop: those stored before keep a smaller one. Find the maximum in a loop of its own, "
                    "before",
                    lab_line_of(text, set[j].left), lab_line_of(text, set[i].left), m);
                return LAB_HINT_CAUSE;
            }
    }
    return LAB_HINT_NONE;
}
