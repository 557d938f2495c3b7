// source_grid.c: a launch whose grid does not fit its kernel: 1 block in y where the kernel reads blockIdx.y, or as many
// blocks as a row has elements where blockIdx.x is the row. A kernel each of whose threads takes one row, of which there are more.
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_LAUNCHES = 64 };

typedef struct {
    const char *at, *grid, *grid_end, *block, *block_end, *arguments, *end;
    char name[LONGEST];
    const char *kernel, *kernel_end;  // its text
} launch;

// NAME or NAME<T> before "<<<".
static int name_before(const char *text, const char *at, char name[LONGEST]) {
    if (at > text && at[-1] == '>')
        for (at--; at > text && *at != '<' && *at != '\n';) at--;
    const char *start = at;
    while (start > text && lab_is_word(start[-1])) start--;
    return lab_copy_word(start, at, name);
}

static const char *kernel_of(const char *text, const char *name, const char **end) {
    char found[LONGEST];
    for (const char *at = text; (at = strstr(at, name)); at += strlen(name)) {
        const char *function = lab_function_of(text, at);
        const char *close = strstr(function, "\n}"), *global = strstr(function, "__global__");
        if (!close || at > close || !lab_name_of_function(function, found) || strcmp(found, name)) continue;
        if (!global || global > at) continue;
        *end = close;
        return function;
    }
    return NULL;
}

static const char *next_launch(const char *text, const char *at, launch *l) {
    for (; (at = strstr(at, "<<<")); at += 3) {
        const char *close = strstr(at, ">>>");
        if (!close || !name_before(text, at, l->name)) continue;
        l->at = at, l->grid = lab_in_list(at + 3, close, 0, &l->grid_end);
        l->block = lab_in_list(at + 3, close, 1, &l->block_end);
        l->arguments = close + 4, l->end = close[3] == '(' ? lab_behind_bracket(close + 3) - 1 : NULL;
        l->kernel = kernel_of(text, l->name, &l->kernel_end);
        if (l->grid && l->block && l->end && l->kernel) return at + 3;
    }
    return NULL;
}

// Side y (1) or z (2) of a grid or a block: "" if it is not known. A number, or dim3 with fewer: "1".
static void side(const char *from, const char *to, int which, char value[LONGEST]) {
    const char *open = memchr(from, '(', (size_t)(to - from)), *end;
    from += strspn(from, " \n");
    value[0] = 0;
    if (strncmp(from, "dim3(", 5)) {
        const size_t n = strspn(from, "0123456789");
        if (n && from + n == to) strcpy(value, "1");
        return;
    }
    if (lab_behind_bracket(open) != to) return;
    const char *at = lab_in_list(open + 1, to - 1, which, &end);
    if (!at || !lab_copy_word(at, end, value)) strcpy(value, at ? "" : "1");
}

static int is_one_sided(const char *text, const launch *l, char *sentence, size_t size) {
    static const struct {
        const char *index, *dim, *one, *of;
        int block, which;
    } sides[] = {{"blockIdx.y", "gridDim.y", "block", "grid", 0, 1},
                 {"blockIdx.z", "gridDim.z", "block", "grid", 0, 2},
                 {"threadIdx.y", "blockDim.y", "thread", "block", 1, 1},
                 {"threadIdx.z", "blockDim.z", "thread", "block", 1, 2}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char value[LONGEST];
        launch other;
        const char *read = strstr(l->kernel, sides[i].index);
        if (!read || read > l->kernel_end) continue;
        if (lab_has_word(l->kernel, l->kernel_end, sides[i].dim)) continue;
        side(sides[i].block ? l->block : l->grid, sides[i].block ? l->block_end : l->grid_end, sides[i].which, value);
        if (strcmp(value, "1")) continue;
        int n = 0, others = 0;
        for (const char *at = text; n < MOST_LAUNCHES && (at = next_launch(text, at, &other)); n++)
            others += other.at != l->at && !strcmp(other.name, l->name);
        if (others) continue;  // the other launch may have more
        snprintf(sentence, size,
                 "line %d launches %s with 1 %s in %c, so that %s, which line %d reads, is always 0: the %s needs one "
                 "in %c for each value that %s is to have",
                 lab_line_of(text, l->at), l->name, sides[i].one, sides[i].index[strlen(sides[i].index) - 1],
                 sides[i].index, lab_line_of(text, read), sides[i].of, sides[i].index[strlen(sides[i].index) - 1],
                 sides[i].index);
        return 1;
    }
    return 0;
}

// "ROW * LENGTH" in the kernel, of blockIdx.x or a name that is made of it alone.
static const char *length_of_row(const launch *l, char length[LONGEST]) {
    char made[LONGEST] = "blockIdx.x";
    const char *set = strstr(l->kernel, " = blockIdx.x");
    if (set && set < l->kernel_end && strchr(",;", set[13])) {
        const char *start = set;
        while (lab_is_word(start[-1])) start--;
        if (!lab_copy_word(start, set, made)) return NULL;
    }
    for (const char *at = l->kernel; (at = strstr(at, made)) && at < l->kernel_end; at += strlen(made)) {
        const char *star = at + strlen(made), *to = star + 3;
        if (strncmp(star, " * ", 3) || lab_is_word(at[-1])) continue;
        while (lab_is_word(*to)) to++;
        if (lab_copy_word(star + 3, to, length) && !strchr("[(.-", *to)) return at;
    }
    return NULL;
}

// The other whole number that the launching function is given, if there is just one.
static void other_count(const char *text, const launch *l, const char *count, char other[LONGEST]) {
    const char *function = lab_function_of(text, l->at), *open = strchr(function, '('), *end, *at;
    int n = 0;
    other[0] = 0;
    for (int i = 0; open && (at = lab_in_list(open + 1, lab_behind_bracket(open) - 1, i, &end)); i++) {
        char name[LONGEST];
        at += strspn(at, " \n");
        if (strncmp(at, "int ", 4) || !lab_copy_word(at + 4, end, name) || !strcmp(name, count)) continue;
        if (!n++) strcpy(other, name);
    }
    if (n != 1) other[0] = 0;
}

static int has_the_length(const char *text, const launch *l, char *sentence, size_t size) {
    char grid[LONGEST], length[LONGEST], argument[LONGEST], rows[LONGEST];
    const char *end, *read = lab_copy_word(l->grid, l->grid_end, grid) ? length_of_row(l, length) : NULL;
    const int number = read ? lab_parameter_of(l->kernel, length) : -1;
    const char *given = number < 0 ? NULL : lab_in_list(l->arguments, l->end, number, &end);
    if (!given || !lab_copy_word(given, end, argument) || strcmp(argument, grid) || !lab_is_word(*grid)) return 0;
    if (*grid >= '0' && *grid <= '9') return 0;
    other_count(text, l, grid, rows);
    if (!*rows) return 0;
    snprintf(
        sentence, size,
        "line %d launches %s blocks, and line %d takes blockIdx.x for a row of %s elements: it needs %s blocks, one "
        "for each row",
        lab_line_of(text, l->at), grid, lab_line_of(text, read), length, rows);
    return 1;
}

int lab_hint_of_grid(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    launch l;
    int n = 0;
    for (const char *at = start; at && n < MOST_LAUNCHES && (at = next_launch(text, at, &l)); n++) {
        if (end && l.at >= end) break;
        if (is_one_sided(text, &l, sentence, size) || has_the_length(text, &l, sentence, size)) return 1;
    }
    return 0;
}

// NAME = threadIdx.x in the kernel, which asks whether NAME is below the end and never moves on.
static const char *one_row(const launch *l, char name[LONGEST]) {
    static const char made[] = " = threadIdx.x";
    for (const char *at = l->kernel; (at = strstr(at, made)) && at < l->kernel_end; at++) {
        const char *start = at;
        char asks[2][LONGEST + 8], moves[LONGEST + 8];
        while (lab_is_word(start[-1])) start--;
        if (!strchr(",;", at[strlen(made)]) || !lab_copy_word(start, at, name)) continue;
        snprintf(asks[0], sizeof asks[0], "if (%s >= ", name), snprintf(asks[1], sizeof asks[1], "if (%s < ", name);
        snprintf(moves, sizeof moves, "%s += ", name);
        const char *asked[] = {strstr(at, asks[0]), strstr(at, asks[1])}, *moved = strstr(at, moves);
        const int is_asked = (asked[0] && asked[0] < l->kernel_end) || (asked[1] && asked[1] < l->kernel_end);
        if (is_asked && !(moved && moved < l->kernel_end)) return at;
    }
    return NULL;
}

int lab_say_few_threads(const char *text, long threads, char *sentence, size_t size) {
    launch l;
    char block[LONGEST], name[LONGEST];
    int n = 0;
    for (const char *at = text; n < MOST_LAUNCHES && (at = next_launch(text, at, &l)); n++) {
        if (!lab_copy_word(l.block, l.block_end, block)) continue;
        const long has = *block >= '0' && *block <= '9' ? atol(block) : lab_constant(text, block, strlen(block));
        const char *row = has == threads ? one_row(&l, name) : NULL;
        if (!row) continue;
        snprintf(
            sentence, size,
            "line %d launches %s with %ld threads, and each takes one row, %s = threadIdx.x in line %d: those from "
            "%ld on are nobody's. A loop takes them all, %s += blockDim.x",
            lab_line_of(text, l.at), l.name, threads, name, lab_line_of(text, row), threads, name);
        return 1;
    }
    return 0;
}
