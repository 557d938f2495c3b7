// source_limits.c: a place inside of a tile that is compared with a size of the whole matrix: only the first tile is cut off
// where the matrix ends. Of a race between blocks, or a stray access, in global memory.
//
//     const int i0 = blockIdx.y * SIDE, i = i0 + t;      if (t < m) C[i * n + j] = sum;
#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_BASES = 12, MOST_TEXT = 12000 };

static char body[MOST_TEXT];  // of the kernel, without blanks

typedef struct {
    char place[LONGEST], limit[LONGEST], base[LONGEST];  // "t / 4", "m", "i0"
} compared;

// SIDE, 64, blockDim.x: the same in every launch.
static int is_side(const char *word) {
    if (!strncmp(word, "blockDim.", 9)) return 1;
    for (const char *c = word; *c; c++)
        if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_') return 0;
    return *word != 0;
}

// blockIdx.y * SIDE, SIDE * blockIdx.y
static int is_of_block(const char *value) {
    const char *star = strchr(value, '*');
    char side[LONGEST];
    if (star && !strncmp(value, "blockIdx.", 9) && star == value + 10) return is_side(star + 1);
    snprintf(side, sizeof side, "%.*s", star ? (int)(star - value) : 0, value);
    return star && is_side(side) && !strncmp(star + 1, "blockIdx.", 9) && !star[11];
}

// What counts whole tiles: i0 = blockIdx.y * SIDE, k0 of "k0 += STEP".
static int bases_of(const char *text, const char *from, const char *to, char base[MOST_BASES][LONGEST]) {
    lab_setting set[LAB_MOST_SET];
    lab_loop l;
    char value[LONGEST];
    int n = 0;
    const int settings = lab_settings_of(from, to, set);
    for (int i = 0; i < settings && n < MOST_BASES; i++)
        if (lab_copy_word(set[i].value, set[i].end, value) && is_of_block(value))
            n += lab_copy_word(set[i].left, set[i].left_end, base[n]) > 0;
    lab_loops_begin();
    for (const char *at = from; n < MOST_BASES && (at = lab_next_loop(text, at, &l)) && l.at < to;)
        if (!strcmp(l.from, "0") && strcmp(l.step, "1") && is_side(l.step)) strcpy(base[n++], l.name);
    return n;
}

static int goes_on(char c) { return lab_is_word(c) || (c && strchr("*/%.[-+", c)); }

// Does "base + place" stand in the kernel, or "place + base"?
static int is_added(const char *base, const char *place) {
    char sum[2 * LONGEST + 2];
    for (int way = 0; way < 2; way++) {
        snprintf(sum, sizeof sum, "%s+%s", way ? place : base, way ? base : place);
        for (const char *at = body; (at = strstr(at, sum)); at++)
            if (at > body && (at[-1] == '+' || !goes_on(at[-1])) && !goes_on(at[strlen(sum)])) return 1;
    }
    return 0;
}

// What stands before a comparison, back to where it begins.
static const char *begin_of(const char *from, const char *sign) {
    int depth = 0;
    const char *at = sign;
    for (; at > from; at--) {
        const char c = at[-1];
        depth += c == ')' || c == ']';
        if (!depth && strchr("(?:;,&|!={}\n", c)) break;
        depth -= c == '(' || c == '[';
    }
    return at;
}

// Does it hold a base, or a name that was set to one last? Then it is a place in the matrix.
static int has_base(const char *open, const char *line, const char *place, char base[MOST_BASES][LONGEST], int bases) {
    lab_setting set[LAB_MOST_SET];
    char name[LONGEST];
    const char *end = place + strlen(place);
    const int n = lab_settings_of(open, line, set);
    if (n == LAB_MOST_SET) return 1;
    for (int b = 0; b < bases; b++) {
        if (lab_has_word(place, end, base[b])) return 1;
        for (int i = n - 1; i >= 0; i--) {
            if (!lab_copy_word(lab_last_word(&set[i]), set[i].left_end, name) || !lab_has_word(place, end, name))
                continue;
            if (lab_has_word(set[i].value, set[i].end, base[b])) return 1;
            break;
        }
    }
    return 0;
}

// The comparisons of a line of which the left side is the place within a tile alone.
static int compared_in(const char *function, const char *at, char base[MOST_BASES][LONGEST], int bases,
                       compared all[2]) {
    const char *end = at + strcspn(at, "\n");
    int n = 0;
    for (const char *sign = at; n < 2 && sign < end; sign++) {
        const int below = *sign == '<' && sign[1] == ' ', beyond = *sign == '>' && sign[1] == '=';
        if (!below && !beyond) continue;
        const char *limit = lab_skip_blanks(sign + 1 + beyond), *behind = limit;
        while (lab_is_of_name(*behind)) behind++;
        char owner[LONGEST];
        compared *c = &all[n];
        if (goes_on(*lab_skip_blanks(behind)) || !lab_copy_word(limit, behind, c->limit)) continue;
        snprintf(owner, sizeof owner, "%.*s", (int)strcspn(c->limit, "."), c->limit);
        if (lab_parameter_of(function, owner) < 0 || lab_may_change(strchr(function, '{'), at, owner)) continue;
        const char *begin = lab_skip_blanks(begin_of(at, sign));
        char place[LONGEST];
        if (!lab_copy_word(begin, sign, place) || sign - begin >= LONGEST) continue;
        if (has_base(strchr(function, '{'), at, place, base, bases)) continue;
        for (int b = 0; b < bases; b++)
            if (is_added(base[b], place)) {
                snprintf(c->place, LONGEST, "%.*s", (int)(sign - begin - (sign[-1] == ' ')), begin);
                strcpy(c->base, base[b]);
                n++;
                break;
            }
    }
    return n;
}

// Other lines of the kernel that do the same.
static void say_others(const char *text, const char *function, const char *end, int but, char base[MOST_BASES][LONGEST],
                       int bases, char *others, size_t size) {
    lab_lines same = {.n = 0};
    compared each[2];
    char where[80];
    *others = 0;
    for (const char *at = function; at < end; at += strcspn(at, "\n") + 1)
        if (lab_line_of(text, at) != but && compared_in(function, at, base, bases, each))
            lab_add_line(&same, lab_line_of(text, at));
    if (!same.n) return;
    lab_say_lines(&same, where, sizeof where);
    snprintf(others, size, ". Look at %s, too", where);
}

static int says_limit(const char *text, int line, char *sentence, size_t size) {
    char base[MOST_BASES][LONGEST], others[120];
    compared all[2];
    const char *at = lab_line_at(text, line), *function = at ? lab_function_of(text, at) : NULL;
    const char *open = function ? strchr(function, '{') : NULL, *end = open ? lab_matching(open) : NULL;
    if (!end || end < at || open > at || end - open >= MOST_TEXT) return 0;
    size_t used = 0;
    for (const char *c = open; c < end; c++)
        if (!isspace((unsigned char)*c)) body[used++] = *c;
    body[used] = 0;
    const int bases = bases_of(text, open, end, base), n = compared_in(function, at, base, bases, all);
    if (!n) return 0;
    say_others(text, function, end, line, base, bases, others, sizeof others);
    if (n == 1)
        snprintf(sentence, size,
                 "line %d compares %s with %s: that is the place within the tile, and %s belongs to the whole matrix. "
                 "Its place there is %s + %s%s",
                 line, all[0].place, all[0].limit, all[0].limit, all[0].base, all[0].place, others);
    else
        snprintf(
            sentence, size,
            "line %d compares %s with %s and %s with %s: these are places within the tile, and %s and %s belong to "
            "the whole matrix. Compare %s + %s and %s + %s%s",
            line, all[0].place, all[0].limit, all[1].place, all[1].limit, all[0].limit, all[1].limit, all[0].base,
            all[0].place, all[1].base, all[1].place, others);
    return 1;
}

int lab_hint_of_limits(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    if (strncmp(report, "access out of bounds: global", 28) && strncmp(report, "data race: global", 17)) return 0;
    const int lines = lab_lines_of(report, line, 2);
    for (int i = 0; i < lines; i++)
        if (says_limit(text, line[i], sentence, size)) return 1;
    return 0;
}
