// source_unasked.c: of a stray read, lines in which each thread loads a number of a tile, and no line asks whether it lies in the
// matrix. That the result is stored under a condition does not help: what is loaded is in the sums of others.
//
//     As[ty][tx] = A[(row + ty) * k + k0 + tx];
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

typedef struct {
    const char *function, *body, *end;
    lab_setting set[LAB_MOST_SET];
    int n;
} kernel;

static int is_between(const char *from, const char *to, const char *what) {
    const char *at = strstr(from, what);
    return at && at < to;
}

// threadIdx.x % 16 is a place in the tile, and row % m one that was cut off.
static int cuts_off(const char *from, const char *to) {
    return is_between(from, to, "?") || is_between(from, to, "min(") ||
           (is_between(from, to, "%") && !is_between(from, to, "Idx."));
}

// One element, of an array or of one in a struct: A[...], left.base[...].
static int reads_one(const char *from, const char *to) {
    const char *open = lab_skip_blanks(from);
    while (lab_is_of_name(*open) || !strncmp(open, "->", 2) || (*open == '>' && open[-1] == '-')) open++;
    const char *close = *open == '[' && lab_is_word(open[-1]) ? lab_closing(open) : NULL;
    return close && lab_skip_blanks(close + 1) >= to && !cuts_off(from, to);
}

// Or one of two, FLAG ? A[...] : B[...], which asks nothing about either; and is nothing that it is made of cut off?
static int is_element(const kernel *f, const lab_setting *s) {
    const char *asks = strchr(s->value, '?'), *other = asks && asks < s->end ? strchr(asks, ':') : NULL;
    if (other && other < s->end ? !reads_one(asks + 1, other) || !reads_one(other + 1, s->end)
                                : !reads_one(s->value, s->end))
        return 0;
    for (int i = 0; i < f->n; i++) {
        char name[LONGEST];
        if (lab_name_set(&f->set[i], name) && &f->set[i] != s && lab_has_word(s->value, s->end, name) &&
            lab_is_one_word(name) && cuts_off(f->set[i].value, f->set[i].end))
            return 0;
    }
    return 1;
}

// for (r = ty; r < n; r += 16): r is asked in the loop.
static int goes_on(const kernel *f, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = f->body; (at = strstr(at, name)) && at < f->end; at += n)
        if (lab_is_word_at(f->body, at, name)) {
            const char *behind = lab_skip_blanks(at + n);
            if (*behind == '<' || !strncmp(behind, "+=", 2) || !strncmp(behind, "++", 2)) return 1;
        }
    return 0;
}

// tile[ty][tx]: each subscript is a thread's own number.
static int is_own_place(const char *text, const kernel *f, const lab_setting *s) {
    const char *at = s->left;
    int n = 0;
    while (lab_is_word(*at)) at++;
    for (; *at == '[' && at < s->left_end; n++) {
        const char *close = lab_closing(at);
        char word[LONGEST], axis[LONGEST];
        if (!close || !lab_copy_word(at + 1, close, word) || !lab_origin(text, at, word, axis)) return 0;
        if (strncmp(axis, "threadIdx.", 10) || goes_on(f, word)) return 0;
        at = close + 1;
    }
    return n == 2;
}

static int is_load(const char *text, const kernel *f, const lab_setting *s) {
    return s->op == '=' && is_own_place(text, f, s) && is_element(f, s) && lab_all_come(f->body, s->left);
}

static int find_kernel(const char *text, int line, kernel *f) {
    const char *at = lab_line_at(text, line);
    f->function = at ? lab_function_of(text, at) : NULL;
    f->body = f->function ? strchr(f->function, '{') : NULL, f->end = f->body ? lab_matching(f->body) : NULL;
    if (!f->end || f->end < at || f->body > at) return 0;
    f->n = lab_settings_of(f->body, f->end, f->set);
    return f->n < LAB_MOST_SET;
}

static int says_line(const char *text, int line, char *sentence, size_t size) {
    kernel f;
    int of_line = 0, others = 0;
    char list[200] = "";
    if (!find_kernel(text, line, &f)) return 0;
    for (int i = 0; i < f.n; i++) {
        if (!is_load(text, &f, &f.set[i])) continue;
        const int at = lab_line_of(text, f.set[i].left);
        if (at == line)
            of_line++;
        else if (others < 3)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", others++ ? ", " : "", at);
    }
    if (!of_line) return 0;
    const int used = snprintf(sentence, size,
                              "line %d loads a tile, and no line asks whether row and column lie in the matrix: what "
                              "lies outside is to be loaded as 0, for it is in the sums of threads that store",
                              line);
    if (others) snprintf(sentence + used, size - used, ". So it is in line%s %s", others > 1 ? "s" : "", list);
    return 1;
}

int lab_hint_of_unasked(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    if (strncmp(report, "access out of bounds: global", 28) || !strstr(report, "read thread")) return 0;
    const int lines = lab_lines_of(report, line, 2);
    for (int i = 0; i < lines; i++)
        if (says_line(text, line[i], sentence, size)) return 1;
    return 0;
}
