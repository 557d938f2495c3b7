// source_single.c: a tile of shared memory into which each thread stores one number, and which is larger than the block:
//
//     __shared__ float b[16][32];  b[threadIdx.y][threadIdx.x] = B[..];        in a block of 16 x 16 threads
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_AXES = 3 };

typedef struct {
    char name[LONGEST], axis[MOST_AXES][LONGEST];  // of the element that is read, and of the thread that stores there
    long index[MOST_AXES];
    int axes, stores;  // how many lines store to the array, or may
    const char *store, *store_end;
} tile;

// "shared b[0][16]" of the report.
static int element_of(const char *report, tile *t) {
    static const char is[] = "read of memory that was never written: shared ";
    const char *at = report + strlen(is);
    if (strncmp(report, is, strlen(is)) || !lab_copy_word(at, at + strcspn(at, "[;"), t->name)) return 0;
    for (at += strcspn(at, "[;"); *at == '['; at += strcspn(at, "]") + 1) {
        char *end;
        if (t->axes == MOST_AXES) return 0;
        t->index[t->axes++] = strtol(at + 1, &end, 10);
        if (*end != ']') return 0;
    }
    return t->axes > 0;
}

// The body of the function of that name. NULL: it is not of this file.
static const char *body_of(const char *text, const char *name, const char **function) {
    char of[LONGEST];
    for (const char *at = text; (at = strstr(at, name)); at++) {
        if (!lab_is_word_at(text, at, name) || at[strlen(name)] != '(') continue;
        *function = lab_function_of(text, at);
        const char *close = lab_matching(at + strlen(name)), *body = close ? lab_skip_blanks(close + 1) : "";
        if (*function <= at && lab_name_of_function(*function, of) && !strcmp(of, name) && *body == '{') return body;
    }
    return NULL;
}

// dst[r][c], where each of them is a thread's own number: by which axis?
static int is_own(const char *text, const char *body, const lab_setting *s, tile *t) {
    const char *at = s->left, *end = lab_matching(body);
    int n = 0;
    while (lab_is_word(*at)) at++;
    for (; *at == '[' && at < s->left_end && n < t->axes; n++) {
        const char *close = lab_closing(at);
        char word[LONGEST];
        if (!close || !lab_copy_word(at + 1, close, word) || !lab_origin(text, at, word, t->axis[n])) return 0;
        if (strncmp(t->axis[n], "threadIdx.", 10) || strlen(t->axis[n]) != 11) return 0;
        const char *made = body;  // const int r = threadIdx.y: not that one
        while ((made = strstr(made, word)) &&
               (!lab_is_word_at(body, made, word) || strncmp(made + strlen(word), " = ", 3)))
            made++;
        if (!end || lab_may_change(made && made < s->left ? made + strlen(word) : body, end, word)) return 0;
        for (int i = 0; i < n; i++)
            if (!strcmp(t->axis[i], t->axis[n])) return 0;
        at = close + 1;
    }
    return n == t->axes && at == s->left_end;
}

// The lines of this body that store to the array, by the name that it has here; depth: of calls that it is handed on by.
static void look_for_stores(const char *text, const char *body, const char *name, int depth, tile *t) {
    lab_setting set[LAB_MOST_SET];
    const char *end = lab_matching(body);
    const int n = end ? lab_settings_of(body, end, set) : LAB_MOST_SET;
    if (n == LAB_MOST_SET) t->stores += 2;
    for (int i = 0; i < n && n < LAB_MOST_SET; i++) {
        char root[LONGEST];
        const char *open = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
        if (!open || !lab_copy_word(set[i].left, open, root) || strcmp(root, name)) continue;
        t->stores += set[i].op == '=' && lab_all_come(body, set[i].left) && is_own(text, body, &set[i], t) ? 1 : 2;
        t->store = set[i].left, t->store_end = set[i].left_end;
    }
    for (const char *at = body; end && (at = strstr(at, name)) && at < end; at++) {
        if (!lab_is_word_at(body, at, name) || at[strlen(name)] == '[') continue;
        const char *open = lab_bracket_around(text, at), *start = open, *function = NULL, *arg, *to = NULL;
        char called[LONGEST], handed[LONGEST], word[LONGEST];
        while (start && start > body && lab_is_word(start[-1])) start--;
        const char *its = open && lab_copy_word(start, open, called) ? body_of(text, called, &function) : NULL;
        int number = 0;
        while (its && (arg = lab_in_list(open + 1, lab_matching(open), number, &to)) && to <= at) number++;
        int is_handed = its && arg && lab_copy_word(arg, to, word) && !strcmp(word, name);
        const char *list = its ? strstr(function, called) + strlen(called) + 1 : NULL;
        const char *first = is_handed ? lab_in_list(list, its, number, &to) : NULL, *last = first;
        if (first && lab_has_word(first, to, "const")) continue;  // it reads
        for (; last && last < to && !strchr("[)", *last); last++)
            if (!lab_is_word(*last)) first = last + 1;
        is_handed = first && first < last && lab_copy_word(first, last, handed);
        if (!is_handed || !depth || !lab_all_come(body, at))
            t->stores += 2;
        else
            look_for_stores(text, its, handed, depth - 1, t);
    }
}

// How long it is along that axis, without a number of padding; a name with no value known: very long. 0: it is not known.
static long length_of(const char *text, const char *body, const tile *t, int axis) {
    for (const char *at = strstr(body, "__shared__"), *end = lab_matching(body); at && at < end;
         at = strstr(at + 1, "__shared__"))
        for (const char *open = at, *close = at + strcspn(at, ";"); (open = strstr(open, t->name)) && open < close;
             open++) {
            char *behind, length[LONGEST];
            if (!lab_is_word_at(at, open, t->name)) continue;
            open += strlen(t->name);
            for (int i = 0; i < axis && *open == '['; i++) open += strcspn(open, "]") + 1;
            if (*open != '[' || !lab_copy_word(open + 1, open + strcspn(open, "]"), length)) return 0;
            char *plus = length + strcspn(length, "+");
            const int padded = *plus != 0;
            if (padded && strcmp(plus, "+1")) return 0;
            *plus = 0;
            const long number = strtol(length, &behind, 10), named = lab_constant(text, length, strlen(length));
            if (!*behind) return number;
            return named > 0 ? named : padded ? 0 : 1L << 30;
        }
    return 0;
}

int lab_hint_of_single(const char *text, const char *report, char *sentence, size_t size) {
    tile t = {.stores = 0};
    char kernel[LONGEST], none[120] = "";
    const char *function, *name = strstr(report, "kernel ");
    if (!element_of(report, &t) || !name) return 0;
    name += strlen("kernel ");
    if (!lab_copy_word(name, name + strcspn(name, "<,; "), kernel)) return 0;
    const char *body = body_of(text, kernel, &function);
    if (!body) return 0;
    lab_loops_begin();
    look_for_stores(text, body, t.name, 1, &t);
    if (t.stores != 1) return 0;
    for (int i = 0; i < t.axes; i++) {
        if (!t.index[i]) continue;
        if (length_of(text, body, &t, i) <= t.index[i]) return 0;  // padding: another one should be read
        const size_t n = strlen(none);
        snprintf(none + n, sizeof none - n, "%s%s = %ld", n ? " and " : "", t.axis[i], t.index[i]);
    }
    if (!*none) return 0;
    snprintf(
        sentence, size,
        "line %d has each thread store one number of %s, %.*s, and no thread has %s: what is behind the block's own "
        "threads is never loaded. The tile has more numbers than the block has threads: let each thread load several, "
        "in a loop",
        lab_line_of(text, t.store), t.name, (int)(t.store_end - t.store), t.store, none);
    return 1;
}
