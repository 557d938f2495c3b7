// source_few.c: of shared memory that was never written: a tile into which each thread of a block stores one number, in row
// t / WIDTH, and which has more rows than the block's threads make so:
//
//     const int c = threadIdx.x % 16, r = threadIdx.x / 16;   dst[c][r] = v;      256 threads: 16 rows of 64
#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// What stands there, if the text gives it away; 0: it does not.
static long value_of(const char *text, const char *from, const char *to) {
    const lab_number of = {.text = text, .place = from};
    const long n = lab_number_of(&of, from, to);
    return n > 0 ? n : 0;
}

// How many threads the block of this kernel, or of those that call this function, has, by its launch; or __launch_bounds__(N).
static long threads_of(const char *text, const char *place) {
    static const char block[] = "blockDim.x";
    const lab_number of = {.text = text, .place = place};
    const long n = lab_number_of(&of, block, block + sizeof block - 1);
    const char *bounds = strstr(text, "__launch_bounds__("), *list = bounds ? strchr(bounds, '(') : NULL, *to;
    if (n > 0 || !bounds) return n > 0 ? n : 0;
    const char *first = lab_in_list(list + 1, lab_behind_bracket(list) - 1, 0, &to);
    return first ? value_of(text, first, to) : 0;
}

// float (*dst)[16][N + 1], float dst[16][N + 1]: how long it is along that axis, without what is added.
static long length_of(const char *text, const char *from, const char *to, const char *name, int axis) {
    for (const char *at = from; (at = strstr(at, name)) && at < to; at++) {
        const char *open = at + strlen(name), *before = at;
        int n = 0;
        if (!lab_is_word_at(text, at, name)) continue;
        while (before > from && before[-1] == ' ') before--;
        if (*open == ')')
            open++, n = 1;  // a pointer to rows
        else if (before == at || !lab_is_word(before[-1]))
            continue;
        for (; *open == '[' && n < axis; n++) open += strcspn(open, "]") + 1;
        return *open == '[' ? value_of(text, open + 1, open + 1 + strcspn(open + 1, "]+")) : 0;
    }
    return 0;
}

// NAME = threadIdx.x / WIDTH, or that of a thread's number in its block, before any loop, and for good: WIDTH.
static long width_of(const char *text, const char *body, const lab_setting *s, char name[LONGEST]) {
    const char *slash = memchr(s->value, '/', (size_t)(s->end - s->value)), *before = s->left;
    char of[LONGEST];
    while (before > body && !strchr(";{}(", before[-1])) before--;
    if (!slash || s->op != '=' || before[-1] == '(' || !lab_copy_word(lab_last_word(s), s->left_end, name)) return 0;
    if (!lab_copy_word(s->value, slash, of)) return 0;
    const char *made = strncmp(of, "threadIdx.x", 11) ? strstr(body, of) : NULL;
    while (made && !lab_is_word_at(text, made, of)) made = strstr(made + 1, of);
    if (made && (made > s->left || !lab_has_word(made, made + strcspn(made, ";"), "threadIdx"))) return 0;
    if (!made && strcmp(of, "threadIdx.x")) return 0;
    if (made && lab_may_change(made + strcspn(made, ";"), lab_matching(body), of)) return 0;  // of a loop: e += NT
    return lab_may_change(s->end, lab_matching(body), name) ? 0 : value_of(text, slash + 1, s->end);
}

static int is_in_loop_of_its_own(const char *text, const char *declared, const char *store) {
    lab_loop l;
    for (const char *at = declared; (at = lab_next_loop(text, at, &l)) && l.at < store;)
        if (l.end > store) return 1;
    return 0;
}

static int look_in(const char *text, const char *body, char *sentence, size_t size) {
    const long threads = threads_of(text, body);
    lab_setting set[LAB_MOST_SET];
    const int n = threads ? lab_settings_of(body, lab_matching(body), set) : 0;
    for (int i = 0; i < n && n < LAB_MOST_SET; i++) {
        char row[LONGEST], root[LONGEST], word[LONGEST];
        const long width = width_of(text, body, &set[i], row);
        for (int k = i + 1; k < n && width > 0; k++) {
            const char *open = memchr(set[k].left, '[', (size_t)(set[k].left_end - set[k].left));
            if (!open || !lab_copy_word(set[k].left, open, root)) continue;
            int axis = 0;
            for (; *open == '[' && open < set[k].left_end; axis++, open += strcspn(open, "]") + 1)
                if (lab_copy_word(open + 1, open + strcspn(open, "]"), word) && !strcmp(word, row)) break;
            if (*open != '[' || open >= set[k].left_end || is_in_loop_of_its_own(text, set[i].left, set[k].left))
                continue;
            const char *value = lab_skip_blanks(set[i].value);
            const long rows = length_of(text, lab_function_of(text, body), set[k].left, root, axis);
            if (rows <= threads / width || threads % width) continue;
            return snprintf(sentence, size,
                            "line %d stores one number for each thread, to %.*s with %s = %.*s: of %ld threads that "
                            "are %ld of the %ld that the tile has there, and nobody loads the rest. Let each thread "
                            "load several, in a loop in which %s goes on by %ld",
                            lab_line_of(text, set[k].left), (int)(set[k].left_end - set[k].left), set[k].left, row,
                            (int)(set[i].end - value), value, threads, threads / width, rows, row, threads / width) > 0;
        }
    }
    return 0;
}

int lab_hint_of_few(const char *text, const char *report, char *sentence, size_t size) {
    if (strncmp(report, "read of memory that was never written: shared ", 46)) return 0;
    lab_loops_begin(), lab_constants_begin();
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        const char *before = at;
        while (before > text && strchr(" \n", before[-1])) before--;
        if (before > text && before[-1] == ')' && lab_matching(at) && look_in(text, at, sentence, size)) return 1;
    }
    return 0;
}
