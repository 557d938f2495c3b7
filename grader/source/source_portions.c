// source_portions.c: neighbouring elements for each thread, as many as all of them divided by the threads, rounded up. The last
// threads' go beyond the end, and nothing keeps them below it:
//
//     const int share = (cols + LANES - 1) / LANES, first = me * share, last = first + share;
//     for (int c = first; c < last; c++) sum += s[c];
//
// And of a stray access to global memory, or a race there: a row that is taken to be as long as whole tiles, or fours, are.
//
//     const int line = (n + 31) / 32 * 32;      C[row * line + column] = sum;
//     const int fours = (cols + 3) / 4;         float4 *p = (float4 *)P + row * fours;
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Of (N+T-1)/T and (N-1)/T+1: the N.
static int rounded_up(const char *value, char all[LONGEST]) {
    char by[LONGEST], form[3 * LONGEST + 8];
    const char *plus = strchr(value, '+'), *slash = strchr(value, '/');
    if (!slash || *value != '(') return 0;
    snprintf(by, sizeof by, "%.*s", (int)strcspn(slash + 1, "+"), slash + 1);
    snprintf(all, LONGEST, "%.*s", (int)strcspn(value + 1, "+-"), value + 1);
    snprintf(form, sizeof form, "(%s-1)/%s+1", all, by);
    if (!strcmp(value, form)) return lab_is_one_word(all);
    snprintf(form, sizeof form, "(%s+%s-1)/%s", all, by, by);
    return plus && !strcmp(value, form) && lab_is_one_word(all);
}

// Does this loop go from FIRST up to FIRST + SHARE, through elements of an array, and not ask for N?
static int goes_beyond(const lab_loop *l, const lab_setting set[], int n, const char *first, const char *share,
                       const char *all) {
    char condition[LONGEST], end[LONGEST], value[LONGEST], sum[2][2 * LONGEST + 2], form[LONGEST + 2];
    const char *semicolon = strchr(l->condition, ';');
    if (strcmp(l->from, first) || strcmp(l->step, "1") || !semicolon ||
        !lab_copy_word(l->condition, semicolon, condition))
        return 0;
    snprintf(form, sizeof form, "%s<", l->name);
    if (strncmp(condition, form, strlen(form))) return 0;
    snprintf(end, sizeof end, "%s", condition + strlen(form));
    const lab_setting *last = lab_set_once(set, n, end);
    if (last && lab_value_set(last, value)) snprintf(end, sizeof end, "%s", value);
    snprintf(sum[0], sizeof sum[0], "%s+%s", first, share), snprintf(sum[1], sizeof sum[1], "%s+%s", share, first);
    if (strcmp(end, sum[0]) && strcmp(end, sum[1])) return 0;
    const char *open = memchr(l->body, '[', (size_t)(l->end - l->body));
    const char *close = open ? lab_closing(open) : NULL;
    return close && lab_has_word(open, close, l->name) && !lab_has_word(l->condition, l->end, all);
}

static int tell(const char *text, const char *function, const lab_setting set[], int n, const lab_setting *of,
                char *sentence, size_t size) {
    static lab_loop loops[LAB_MOST_LOOPS];
    char value[LONGEST], all[LONGEST], share[LONGEST], first[LONGEST];
    const char *end = set[n - 1].end, *stop = strstr(function, "\n}");
    if (!lab_value_set(of, value) || !rounded_up(value, all) || !lab_name_set(of, share)) return 0;
    const int many = lab_loops_of(text, lab_line_of(text, function), lab_line_of(text, stop ? stop : end), loops);
    for (int i = 0; i < n; i++) {
        if (!lab_value_set(&set[i], value) || !lab_is_times(value, share) || !lab_name_set(&set[i], first)) continue;
        for (int k = 0; k < many; k++)
            if (goes_beyond(&loops[k], set, n, first, share, all)) {
                snprintf(
                    sentence, size,
                    "line %d: %s is rounded up, so that the parts of the last threads go beyond %s, and the loop of "
                    "line %d goes through them: it ends at the smaller of %s + %s and %s, and so does any other "
                    "loop over a part",
                    lab_line_of(text, of->left), share, all, lab_line_of(text, loops[k].at), first, share, all);
                return 1;
            }
    }
    return 0;
}

int lab_hint_of_portions(const char *text, int from, int to, char *sentence, size_t size) {
    return lab_ask_settings(text, from, to, tell, sentence, size);
}

// (N+T-1)/T*T: the N.
static int to_whole_tiles(const char *value, char all[LONGEST]) {
    char part[LONGEST];
    const char *star = strrchr(value, '*'), *slash = strrchr(value, '/');
    if (!star || !slash || slash > star || strncmp(slash + 1, star + 1, (size_t)(star - slash - 1)) ||
        strlen(star + 1) != (size_t)(star - slash - 1))
        return 0;
    snprintf(part, sizeof part, "%.*s", (int)(star - value), value);
    const char *constant = strchr(part, '+');
    if (!constant || constant[1] < '0' || constant[1] > '9') return rounded_up(part, all);
    snprintf(all, LONGEST, "%.*s", (int)(constant - part - 1), part + 1);  // (n+31)/32
    return *part == '(' && atoi(constant + 1) == atoi(slash + 1) - 1 && lab_is_one_word(all);
}

// (N+3)/4, or CEIL_DIV(N,4) of a macro or function of this file that rounds up: the N.
static int to_whole_fours(const char *text, const char *value, char all[LONGEST]) {
    char constant[LONGEST] = "";
    const size_t n = strcspn(value, "(");
    const char *end = value + strlen(value);
    if (end - value < 5 || (strcmp(end - 2, "/4") && strcmp(end - 3, ",4)"))) return 0;
    if (!n) {
        snprintf(all, LONGEST, "%.*s", (int)strcspn(value + 1, "+"), value + 1);
        snprintf(constant, sizeof constant, "(%.40s+3)/4", all);
        return !strcmp(value, constant) && lab_is_one_word(all);
    }
    snprintf(all, LONGEST, "%.*s", (int)strcspn(value + n + 1, ",("), value + n + 1);
    if (n + 1 + strlen(all) + 3 != strlen(value) || !lab_is_one_word(all)) return 0;
    for (const char *at = text; (at = strstr(at, "/")); at++) {  // "(((a) + (b) - 1) / (b))"
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        const char *name = line + strcspn(line, "(") - n, *minus = at;
        while (minus > line && *minus != '-') minus--;
        if (name >= line && name < at && !strncmp(name, value, n + 1) && *lab_skip_blanks(minus + 1) == '1') return 1;
    }
    return 0;
}

// Does a float4 pointer begin at a row's number times `fours` in one of these lines? Its array, in `array`.
static const lab_setting *rows_of_fours(const lab_setting set[], int n, const char *fours, char array[LONGEST]) {
    char value[LONGEST], product[2][LONGEST + 2];
    snprintf(product[0], sizeof product[0], "*%s", fours), snprintf(product[1], sizeof product[1], "%s*", fours);
    for (int i = 0; i < n; i++) {
        if (!lab_value_set(&set[i], value)) continue;
        const char *cast = strstr(value, "float4*"), *from = cast ? cast + strcspn(cast, ")>") : NULL;
        if (!from || (!strstr(from, product[0]) && !strstr(from, product[1]))) continue;
        from += strspn(from, ")>(");
        snprintf(array, LONGEST, "%.*s", (int)strcspn(from, ")+"), from);
        if (lab_is_one_word(array)) return &set[i];
    }
    return NULL;
}

// The lines of the function up to this place take rows to be a whole number of float4.
static int says_fours(const char *text, const lab_setting set[], int n, char *sentence, size_t size) {
    char value[LONGEST], all[LONGEST], name[LONGEST], array[LONGEST];
    for (int i = 0; i < n; i++) {
        if (!lab_value_set(&set[i], value) || !to_whole_fours(text, value, all) || !lab_name_set(&set[i], name))
            continue;
        const lab_setting *row = rows_of_fours(set, n, name, array);
        if (!row) continue;
        snprintf(sentence, size,
                 "line %d rounds %s up to whole groups of 4, and line %d takes that for the length of a row of %s: a "
                 "row has %s numbers, and the next one begins right behind them",
                 lab_line_of(text, set[i].left), all, lab_line_of(text, row->left), array, all);
        return 1;
    }
    return 0;
}

static int says_tiles(const char *text, const char *at, const lab_setting set[], int n, char *sentence, size_t size) {
    char names[LAB_MOST_NAMES][32], value[LONGEST], all[LONGEST], name[LONGEST];
    const char *open = strchr(at, '['), *close = open ? lab_closing(open) : NULL;
    if (!close || close > at + strcspn(at, "\n") || !lab_names_of(at, names)) return 0;
    for (int i = 0; i < n; i++) {
        if (!lab_value_set(&set[i], value) || !to_whole_tiles(value, all) || !lab_name_set(&set[i], name)) continue;
        if (!lab_has_word(open, close, name) || !memchr(open, '*', (size_t)(close - open))) continue;
        snprintf(sentence, size,
                 "line %d rounds %s up to whole tiles, and line %d takes that for the length of a row of %s: a row has "
                 "%s numbers, and the next one begins right behind them",
                 lab_line_of(text, set[i].left), all, lab_line_of(text, at), names[0], all);
        return 1;
    }
    return 0;
}

int lab_hint_of_padding(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    lab_setting set[LAB_MOST_SET];
    const int strays = !strncmp(report, "access out of bounds: global", 28);
    if (!strays && strncmp(report, "data race: global", 17)) return 0;
    const int lines = lab_lines_of(report, line, 2);
    for (int i = 0; i < lines; i++) {
        const char *at = lab_line_at(text, line[i]), *function = at ? lab_function_of(text, at) : NULL;
        const int n = function ? lab_settings_of(function, at + strcspn(at, "\n"), set) : 0;
        if (strays && !i && n && says_tiles(text, at, set, n, sentence, size)) return 1;
        if (n && says_fours(text, set, n, sentence, size)) return 1;
    }
    return 0;
}
