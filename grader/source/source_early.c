// source_early.c: a sum that is stored in each round of a loop before that round has added its part to it, and nowhere behind
// the loop: what the last round adds is lost.
//
//     for (int step = 0; step < steps; step++) {
//         C[r * n + c] = sum;
//         for (int x = 0; x < TILE; x++) sum += a[r][x] * b[x][c];
//     }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// NAME or NAME[...], and nothing else.
static int is_name(const lab_setting *s, char name[LONGEST]) {
    const char *first = lab_skip_blanks(s->value), *behind = first;
    while (lab_is_word(*behind)) behind++;
    const char *close = *behind == '[' ? lab_closing(behind) : NULL;
    return lab_copy_word(first, behind, name) && *name && (*name < '0' || *name > '9') &&
           lab_skip_blanks(close ? close + 1 : behind) == s->end;
}

static int begins_with(const lab_setting *s, const char *name) { return lab_is_word_at(s->left, s->left, name); }

// Which setting behind number i adds to this name, in the same round; 0: none. Who sets it begins anew, or hands it on.
static int added_behind(const lab_setting set[], int n, int i, const char *name) {
    int adds = 0;
    for (int k = 0; k < n; k++) {
        if (!begins_with(&set[k], name)) continue;
        if (set[k].op == '=' || (set[k].op == '+' && k < i)) return 0;
        if (set[k].op == '+' && !adds) adds = k;
    }
    return adds;
}

static int times(const char *from, const char *to, const char *word) {
    int n = 0;
    for (const char *at = from; (at = strstr(at, word)) && at < to; at++) n += lab_is_word_at(from, at, word);
    return n;
}

int lab_hint_of_storing_early(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    lab_setting set[LAB_MOST_SET];
    const int loops = lab_loops_of(text, from, to, all);
    for (int k = 0; k < loops; k++) {
        const lab_loop *l = &all[k];
        const char *behind = strstr(l->end, "\n}");
        lab_names in = {.n = 1};
        strcpy(in.name[0], l->name);
        const int n = lab_settings_of(l->body, l->end, set);
        if (n == LAB_MOST_SET || !behind) continue;
        for (int i = 0; i < n; i++) {
            char name[LONGEST], root[LONGEST];
            const char *open = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
            if (!open || set[i].op != '=' || !is_name(&set[i], name) || !lab_copy_word(set[i].left, open, root))
                continue;
            const int adds = added_behind(set, n, i, name);
            lab_names index = in;
            lab_varying(NULL, set, i, &index);
            if (!adds || lab_has_one_of(open, set[i].left_end, &index) || times(l->body, l->end, root) > 1) continue;
            if (lab_has_word(l->end, behind, name) || lab_has_word(l->end, behind, root)) continue;
            snprintf(sentence, size,
                     "line %d stores %s before line %d adds to it, in each round of the loop of line %d, and nothing "
                     "stores it behind that loop: what the last round adds is lost. Store it once, behind the loop",
                     lab_line_of(text, set[i].left), name, lab_line_of(text, set[adds].left), lab_line_of(text, l->at));
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
