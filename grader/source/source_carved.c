// source_carved.c: shared memory that is cut into tiles, and a tile whose rows are longer than what it was given:
//
//     at.v = at.k + BC * D;               k has BC * D floats
//     k[c * (D + 1) + d], load(at.k, ..., D + 1)      and its rows are D + 1 floats apart: the last ones lie in v
//     at.k + c * pitch(D)                             of pitch(n), which is n + 1
#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD, MOST_LOOKS = 400 };

typedef struct {
    const char *at;                        // where the next tile begins
    char tile[LONGEST], next[LONGEST];     // at.k and at.v
    char rows[LONGEST], columns[LONGEST];  // of the tile
} carving;

static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

// The name, or member of a struct, that begins here. Returns what is behind it and blanks, or NULL.
static const char *read_name(const char *at, char name[LONGEST]) {
    const char *end = at;
    while (lab_is_of_name(*end)) end++;
    return end > at && lab_copy_word(at, end, name) ? end + strspn(end, " ") : NULL;
}

static const char *expect(const char *at, char c) { return at && *at == c ? at + 1 + strspn(at + 1, " ") : NULL; }

// "NEXT = TILE + ROWS * COLUMNS", up to a comma or a semicolon, where this = stands.
static int is_carving(const char *text, const char *equals, carving *c) {
    const char *end = equals, *start;
    while (end > text && end[-1] == ' ') end--;
    for (start = end; start > text && lab_is_of_name(start[-1]);) start--;
    if (!lab_copy_word(start, end, c->next)) return 0;
    const char *at = read_name(equals + 1 + strspn(equals + 1, " "), c->tile);
    at = expect(at, '+');
    at = at ? read_name(at, c->rows) : NULL;
    at = expect(at, '*');
    at = at ? read_name(at, c->columns) : NULL;
    c->at = equals;
    return at && strchr(",;", *at) && !strchr("0123456789", *c->tile);
}

// pitch(D), where "#define pitch(n) ((n) + 1)" stands, or a function pitch(int n) that returns n + 1.
static int is_made_longer(const char *text, const carving *c, const char *value) {
    const char *open = strchr(value, '('), *body;
    char name[LONGEST], call[LONGEST + 8], made[LONGEST], end[8] = "";
    if (!open || open == value || !lab_copy_word(value, open, name)) return 0;
    snprintf(call, sizeof call, "(%.40s)", last_part(c->columns));
    if (strcmp(open, call) &&
        !(strlen(open) > strlen(call) && !strcmp(open + strlen(open) - strlen(call) + 1, call + 1)))
        return 0;
    for (const char *at = text; (at = strstr(at, name)); at++) {
        if (!lab_is_word_at(text, at, name) || at[strlen(name)] != '(') continue;
        const char *close = lab_matching(at + strlen(name)), *line = at;
        while (line > text && line[-1] != '\n') line--;
        const int is_macro = !strncmp(line, "#define ", 8);
        body = close ? lab_skip_blanks(close + 1) : NULL;
        if (!body || (!is_macro && *body != '{')) continue;
        if (*body == '{' && strncmp(body = lab_skip_blanks(body + 1), "return ", 7)) return 0;
        if (!lab_copy_word(body, body + strcspn(body, ";\n"), made)) return 0;
        snprintf(end, sizeof end, "%.7s", strchr(made, '+') ? strchr(made, '+') : "");
        return !strcmp(end, "+1") || !strcmp(end, "+1)");
    }
    return 0;
}

// Is it "COLUMNS + 1", or a name that is set to that, or what a function makes of it?
static int is_longer(const char *text, const carving *c, const char *value) {
    char longer[LONGEST + 8], set[LONGEST + 8], made[LONGEST];
    const char *plus = strstr(value, "+1");
    if (plus && !plus[2]) {
        snprintf(longer, sizeof longer, "%.*s", (int)(plus - value), value);
        return strcmp(last_part(longer), last_part(c->columns)) == 0;
    }
    if (strchr(value, '(')) return isupper((unsigned char)*last_part(c->rows)) && is_made_longer(text, c, value);
    snprintf(set, sizeof set, " %.40s = ", value);
    const char *at =
        *value && strspn(value, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == strlen(value)
            ? strstr(text, set)
            : NULL;
    if (!at) return 0;
    at += strlen(set);
    return lab_copy_word(at, at + strcspn(at, ",;\n"), made) && strstr(made, "+1") && is_longer(text, c, made);
}

// TILE[row * LENGTH + ...] whose bracket opens here: are its rows longer?
static int is_read_by_longer_rows(const char *text, const carving *c, const char *open) {
    const char *close = lab_closing(open), *star = close ? memchr(open, '*', (size_t)(close - open)) : NULL;
    char length[LONGEST];
    if (!star) return 0;
    const char *from = star + 1 + strspn(star + 1, " "), *to = from;
    if (*from == '(') {
        to = lab_matching(from++);
        if (!to || to > close) return 0;
    } else {
        while (lab_is_of_name(*to)) to++;
        if (*to == '(' && lab_matching(to)) to = lab_matching(to) + 1;
    }
    return lab_copy_word(from, to, length) && is_longer(text, c, length);
}

// TILE + row * LENGTH, behind the tile's name: the row of a thread.
static int is_pointed_to_by_longer_rows(const char *text, const carving *c, const char *at) {
    char length[LONGEST];
    at = expect(lab_skip_blanks(at), '+');
    if (at && !strncmp(at, "(size_t)", 8)) at += 8;
    const char *behind = at && *at == '(' ? lab_matching(at) : NULL, *to = at;
    while (!behind && to && lab_is_of_name(*to)) to++;
    if (behind) to = behind + 1;
    at = to ? expect(lab_skip_blanks(to), '*') : NULL;
    if (!at) return 0;
    to = *at == '(' ? lab_matching(at++) : at;
    while (to && *to != ')' && lab_is_of_name(*to)) to++;
    if (to && *to == '(') to = lab_matching(to) ? lab_matching(to) + 1 : NULL;
    return to && lab_copy_word(at, to, length) && is_longer(text, c, length);
}

// f(.., TILE, .., LENGTH) around this place: is one of its arguments longer?
static int is_handed_longer_rows(const char *text, const carving *c, const char *at) {
    const char *open = at, *end;
    while (open > text && !strchr("(;{}", *open)) open--;
    const char *close = *open == '(' && open > text && lab_is_word(open[-1]) ? lab_matching(open) : NULL;
    char value[LONGEST];
    for (int i = 0; close && i < 12; i++) {
        const char *from = lab_in_list(open + 1, close, i, &end);
        if (!from) return 0;
        if (lab_copy_word(from, end, value) && is_longer(text, c, value)) return 1;
    }
    return 0;
}

// A line that takes the tile's rows for longer. Of a name without a struct: in the function that cuts.
static const char *longer_rows(const char *text, const carving *c) {
    const char *name = last_part(c->tile), *function = lab_function_of(text, c->at);
    const int is_member = name != c->tile;
    const size_t n = strlen(name);
    int looks = 0;
    for (const char *at = text; looks++ < MOST_LOOKS && (at = strstr(at, name)); at += n) {
        if (at == text || lab_is_word(at[-1]) || lab_is_word(at[n]) || (at[-1] == '.') != is_member) continue;
        if (!is_member && lab_function_of(text, at) != function) continue;
        if (at[n] == '[' ? is_read_by_longer_rows(text, c, at + n)
                         : is_handed_longer_rows(text, c, at) || is_pointed_to_by_longer_rows(text, c, at + n))
            return at;
    }
    return NULL;
}

// Another tile of that function, behind this one, that has the same mistake.
static void add_next(const char *text, const carving *first, char *sentence, size_t size) {
    const char *end = strstr(first->at, "\n}");
    carving c;
    for (const char *at = first->at + 1; end && (at = strchr(at, '=')) && at < end; at++) {
        if (!is_carving(text, at, &c) || !longer_rows(text, &c)) continue;
        const size_t used = strlen(sentence);
        snprintf(sentence + used, size - used, ". The same of %s, behind which %s begins (line %d)", c.tile, c.next,
                 lab_line_of(text, at));
        return;
    }
}

int lab_hint_of_carving(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    carving c;
    int looks = 0;
    if (!strstr(text, "__shared__")) return LAB_HINT_NONE;
    for (const char *at = start; at && looks++ < MOST_LOOKS && (at = strchr(at, '=')) && (!behind || at < behind);
         at++) {
        const char *line = is_carving(text, at, &c) ? longer_rows(text, &c) : NULL;
        if (!line) continue;
        snprintf(sentence, size,
                 "line %d: %s begins %s * %s floats behind %s, and line %d takes the rows of %s for %s + 1 floats "
                 "long: its last ones lie in %s. Give it %s * (%s + 1) floats, here and in the bytes of the launch",
                 lab_line_of(text, at), c.next, c.rows, c.columns, c.tile, lab_line_of(text, line), c.tile,
                 last_part(c.columns), c.next, c.rows, c.columns);
        add_next(text, &c, sentence, size);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
