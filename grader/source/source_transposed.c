// source_transposed.c: a tile that is stored with a row for each dim, and whose rows are as long as if they were keys':
//
//     const int row = e / D, col = e % D;
//     tile[col * (D + 1) + row] = from[e];        row counts up to BC: so long is a row, at least
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

typedef struct {
    char row[LONGEST], pitch[LONGEST], column[LONGEST];  // of X[row * pitch + column]
} place;

static int is_name(const char *word) {
    size_t n = 0;
    while (lab_is_word(word[n])) n++;
    return n && !word[n];
}

static int read_place(const lab_setting *s, place *p) {
    const char *open = memchr(s->left, '[', (size_t)(s->left_end - s->left)), *close = open ? lab_closing(open) : NULL;
    const char *times = close ? memchr(open, '*', (size_t)(close - open)) : NULL, *plus = close;
    while (plus > times && times && *plus != '+') plus--;
    return times && plus > times && close + 1 == s->left_end && lab_copy_word(open + 1, times, p->row) &&
           lab_copy_word(times + 1, plus, p->pitch) && lab_copy_word(plus + 1, close, p->column) && is_name(p->row) &&
           is_name(p->column);
}

// What the name is set to between these places, at last, without blanks. 0: nothing.
static int value_of(const char *from, const char *to, const char *name, char value[LONGEST]) {
    lab_setting set[LAB_MOST_SET];
    char left[LONGEST];
    const int n = lab_settings_of(from, to, set);
    for (int i = n - 1; i >= 0; i--)
        if (set[i].op == '=' && lab_copy_word(set[i].left, set[i].left_end, left) && !strcmp(left, name))
            return lab_copy_word(set[i].value, set[i].end, value);
    return 0;
}

// column = e / D and row = e % D, or e - column * D: D.
static int is_turned(const char *function, const lab_setting *s, const place *p, char D[LONGEST]) {
    char quotient[LONGEST], rest[LONGEST], same[2][3 * LONGEST];
    if (!value_of(function, s->left, p->column, quotient) || !value_of(function, s->left, p->row, rest)) return 0;
    const char *slash = strchr(quotient, '/');
    if (!slash || !is_name(slash + 1)) return 0;
    snprintf(D, LONGEST, "%s", slash + 1);
    snprintf(same[0], sizeof same[0], "%.*s%%%s", (int)(slash - quotient), quotient, D);
    snprintf(same[1], sizeof same[1], "%.*s-%s*%s", (int)(slash - quotient), quotient, p->column, D);
    return !strcmp(rest, same[0]) || !strcmp(rest, same[1]);
}

// How long a row is: by the call, where it is a parameter, and by what is set there.
static const char *length_of(const char *text, const char *function, const char *at, const place *p,
                             char length[LONGEST]) {
    char value[LONGEST];
    const int number = is_name(p->pitch) ? lab_parameter_of(function, p->pitch) : -1;
    const char *call = number < 0 ? NULL : lab_argument_of(text, function, number, value);
    if (number >= 0 && !call) return NULL;
    const char *from = call ? call : at;
    snprintf(length, LONGEST, "%s", call ? value : p->pitch);
    if (is_name(length) && value_of(lab_function_of(text, from), from, length, value)) strcpy(length, value);
    return from;
}

int lab_hint_of_transposing(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    if (strncmp(report, "data race: shared", 17)) return 0;
    const int lines = lab_lines_of(report, line, 2);
    for (int k = 0; k < lines; k++) {
        const char *at = lab_line_at(text, line[k]);
        lab_setting set[LAB_MOST_SET];
        place p;
        char D[LONGEST], length[LONGEST];
        if (!at || !lab_settings_of(at, at + strcspn(at, ";\n"), set)) continue;
        const char *function = lab_function_of(text, at);
        if (!read_place(&set[0], &p) || !is_turned(function, &set[0], &p, D)) continue;
        const char *from = length_of(text, function, at, &p, length);
        if (!from || !lab_has_word(length, length + strlen(length), D)) continue;
        snprintf(sentence, size,
                 "line %d stores a tile transposed, with a row for each %s: a row holds as many numbers as %s counts, "
                 "and %s, by line %d, is %s, the length of a row that is not transposed. Rows overlap, or the tile has "
                 "more of them than room: a row is as long as the tile has keys",
                 line[k], p.row, p.column, p.pitch, lab_line_of(text, from), length);
        return 1;
    }
    return 0;
}
