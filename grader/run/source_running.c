// source_running.c: exponentials that are stored with the maximum of the elements so far, in the loop that looks for it:
//
//     for (int c = 0; c < n; c++) {
//         m = fmaxf(m, s[c]);
//         p[c] = expf(s[c] - m);
//     }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

static const char *const maxima[] = {"fmaxf(", "fmax(", "max(", NULL};
static const char *const exponentials[] = {"expf(", "exp(", "__expf(", "exp2f(", "weight(", NULL};

static const char *call_of(const char *const names[], const char *from, const char *to) {
    for (int i = 0; names[i]; i++)
        for (const char *at = from; (at = strstr(at, names[i])) && at < to; at++)
            if (at == from || !lab_is_word(at[-1])) return at + strlen(names[i]);
    return NULL;
}

// m = fmaxf(m, ...), or m = x behind "if (x > m)".
static int is_raised(const char *open, const lab_setting *s, char name[LONGEST]) {
    if (s->op != '=' || !lab_copy_word(s->left, s->left_end, name) || strchr(name, '[')) return 0;
    const char *word = lab_last_word(s), *line = s->left, *call = call_of(maxima, s->value, s->end);
    char last[LONGEST], value[LONGEST], asked[2 * LONGEST + 8];
    if (!lab_copy_word(word, s->left_end, last)) return 0;
    if (call) return lab_has_word(call, s->end, last);
    while (line > open && !strchr(";{}", line[-1])) line--;
    if (!lab_copy_word(s->value, s->end, value)) return 0;
    snprintf(asked, sizeof asked, "(%s > %s)", value, name);
    const char *at =
        strstr(line > open && line[-1] == '{' ? line - 2 * LONGEST < open ? open : line - 2 * LONGEST : line, asked);
    return at && at < s->left;
}

// exp(... - m) between these places.
static int is_exponential(const char *from, const char *to, const char *m) {
    const char *call = call_of(exponentials, from, to);
    char less[2][LONGEST + 4];
    snprintf(less[0], sizeof less[0], "- %s", m), snprintf(less[1], sizeof less[1], ", %s)", m);
    for (int i = 0; call && i < 2; i++) {
        const char *at = strstr(call, less[i]);
        if (at && at < to && !lab_is_word(at[strlen(less[i])])) return 1;
    }
    return 0;
}

// A[c] = e, with an exponential or a name that is one, and A is not read in the loop.
static int is_kept(const lab_loop *l, const lab_setting set[], int n, const lab_setting *s, const char *m) {
    const char *open = memchr(s->left, '[', (size_t)(s->left_end - s->left)), *first = open;
    char root[LONGEST], value[LONGEST], left[LONGEST];
    if (!open || s->op != '=' || !lab_has_word(open, s->left_end, l->name)) return 0;
    while (first > s->left && lab_is_word(first[-1])) first--;
    if (!lab_copy_word(first, open, root) || !*root) return 0;
    if (lab_has_word(l->body, s->left, root) || lab_has_word(s->value, l->end, root)) return 0;
    if (is_exponential(s->value, s->end, m)) return 1;
    if (!lab_copy_word(s->value, s->end, value)) return 0;
    for (int i = 0; i < n; i++)
        if (lab_copy_word(set[i].left, set[i].left_end, left) && !strcmp(left, value) && set[i].op == '=' &&
            is_exponential(set[i].value, set[i].end, m))
            return 1;
    return 0;
}

// A maximum that is begun within the loop is one of this round alone.
static int is_declared(const lab_loop *l, const char *m) {
    for (const char *at = l->body; (at = strstr(at, "float ")) && at < l->end; at++)
        if (lab_has_word(at, at + strcspn(at, ";(){}"), m)) return 1;
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
            for (int j = 0; j < n && is_raised(l->body, &set[i], m) && !is_declared(l, m); j++) {
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
