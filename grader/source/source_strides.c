// source_strides.c: rows of one array that are taken for longer in one line than in another:
//
//     x = m.p[i * m.cols + j];
//     y = m.p[k * m.rows + j];
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 64 };

typedef struct {
    const char *at;
    char array[LONGEST], length[LONGEST];  // the member; of the length its last word
    char written[LONGEST];                 // the length as the line has it
    const char *local;                     // the function that alone knows the length: nobody has said what it is
} row_use;

static const char *end_of_name(const char *at) {
    while (lab_is_word(*at) || *at == '.' || (*at == '-' && at[1] == '>') || (*at == '>' && at[-1] == '-')) at++;
    return at;
}

static int last_word(const char *from, const char *to, char word[LONGEST]) {
    const char *first = to;
    while (first > from && lab_is_word(first[-1])) first--;
    return lab_copy_word(first, to, word);
}

// "= NAME" of a local name for a length, before this place in its function. Returns 0 if there is none: a parameter.
static int follow(const char *text, const char *at, char length[LONGEST]) {
    char set[LONGEST + 8];
    snprintf(set, sizeof set, " %s = ", length);
    const char *made = strstr(lab_function_of(text, at), set);
    if (!made || made > at) return 0;
    const char *from = made + strlen(set), *to = end_of_name(from);
    return to > from && strchr(",;", *lab_skip_blanks(to)) && (*from < '0' || *from > '9') &&
           last_word(from, to, length);
}

// BC and D_MAX are constants of the file; D may be a parameter.
static int is_constant(const char *name) {
    return strlen(name) > 1 && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(name);
}

// MEMBER[ROW * LENGTH + ...] whose bracket opens here.
static int is_use(const char *text, const char *open, row_use *use) {
    const char *first = open, *at = open + 1;
    while (first > text && lab_is_word(first[-1])) first--;
    if (first - text < 2 || first == open || (first[-1] != '.' && strncmp(first - 2, "->", 2))) return 0;
    if (!strncmp(at, "(size_t)", 8)) at += 8;
    const char *row = *at == '(' ? lab_matching(at) : NULL, *star = lab_skip_blanks(row ? row + 1 : end_of_name(at));
    if (*star != '*' || star == at || !lab_copy_word(first, open, use->array)) return 0;
    const char *from = lab_skip_blanks(star + 1), *to = end_of_name(from);
    if (to == from || *lab_skip_blanks(to) != '+' || !last_word(from, to, use->length)) return 0;
    strcpy(use->written, use->length), use->local = NULL;
    if (to - from == (long)strlen(use->length) && !follow(text, open, use->length) && !is_constant(use->length))
        use->local = lab_function_of(text, open);
    use->at = open;
    return 1;
}

// 1: they are the same length; -1: they are not; 0: two functions call it otherwise, and it may be the same.
static int compare(const row_use *a, const row_use *b) {
    if (!strcmp(a->length, b->length) || !strcmp(a->written, b->written)) return 1;
    return (!a->local && !b->local) || a->local == b->local ? -1 : 0;
}

int lab_hint_of_strides(const char *text, int from, int to, char *sentence, size_t size) {
    static row_use all[MOST];
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    int n = 0;
    for (const char *at = text; n < MOST && (at = strchr(at, '[')); at++) n += is_use(text, at, &all[n]);
    for (int i = 0; i < n; i++) {
        int other = -1, like = 0, unlike = 0;
        for (int k = 0; k < n; k++) {
            if (strcmp(all[k].array, all[i].array)) continue;
            const int same = compare(&all[i], &all[k]);
            like += same > 0, unlike += same < 0;
            if (same < 0) other = k;
        }
        if (other < 0 || like > unlike || !start || all[i].at < start || (behind && all[i].at >= behind)) continue;
        snprintf(sentence, size,
                 "line %d takes the rows of %s for %s numbers long, and line %d for %s: those of one array have one "
                 "length",
                 lab_line_of(text, all[i].at), all[i].array, all[i].length, lab_line_of(text, all[other].at),
                 all[other].length);
        return 1;
    }
    return 0;
}
