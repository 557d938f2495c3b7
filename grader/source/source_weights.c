// source_weights.c: the lines of weights that are none: the place of the largest score is kept, the root of a sum is taken
// for the sum, an exponential is taken of a number from which nothing has been subtracted.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"
#include "source_settings.h"

static const char *text_end(const char *at, const char *end, char sign) {
    const char *found = memchr(at, sign, (size_t)(end - at));
    return found ? found : end;
}

// The last "NAME = OTHER;" of a line, or "NAME = x > y ? OTHER : NAME;", without a type before it.
static int sets_name(const char *at, const char *end, char name[LAB_LONGEST_WORD]) {
    for (const char *set = end - 1; set > at + 1; set--) {
        if (*set != '=' || set[-1] != ' ' || set[1] != ' ' || (set[-2] != ')' && !lab_is_word(set[-2]))) continue;
        const char *behind = set - 1, *first = behind;
        while (first > at && lab_is_word(first[-1])) first--;
        const char *before = first;
        while (before > at && before[-1] == ' ') before--;
        if (first == behind || isdigit((unsigned char)*first) || (before > at && lab_is_word(before[-1]))) return 0;
        return lab_copy_word(first, behind, name);
    }
    return 0;
}

// "if (w[k] > w[best]) best = k;", "best = w[k] > top ? k : best;": a name that is a subscript elsewhere, and is set where
// something is compared.
int lab_keeps_place(const char *at, const char *end) {
    char name[LAB_LONGEST_WORD], other[LAB_LONGEST_WORD];
    const char *sign = text_end(at, end, '>') < end ? text_end(at, end, '>') : text_end(at, end, '<');
    if (sign == end || lab_has_text(at, end, "for (") || !sets_name(at, end, name)) return 0;
    const char *is = end;
    while (is > at && !(*is == '=' && is[-1] == ' ' && is[1] == ' ')) is--;
    const char *value = memchr(is, '?', (size_t)(end - is));
    value = value ? value + 1 : is + 1;
    while (*value == ' ') value++;
    const char *behind = value;
    while (lab_is_word(*behind)) behind++;
    return behind > value && !isdigit((unsigned char)*value) && strchr(";, ", *behind) &&
           lab_copy_word(value, behind, other) && strcmp(name, other) != 0 && sign < value &&
           (lab_has_text(at, end, "[") || lab_has_text(at, end, "("));
}

// The root of a number that is no size: sqrtf(sum), and not sqrtf((float)D).
int lab_takes_length(const char *at, const char *end) {
    static const char *const sizes[] = {"float)", "head_dim", "D", "d", "dim", "dims", "DIM", "HD", NULL};
    for (const char *c = at; (c = strstr(c, "sqrt")) && c < end; c++) {
        const char *open = strchr(c, '('), *close = open && open < end ? lab_matching(open) : NULL;
        int is_size = !close;
        for (int i = 0; sizes[i] && !is_size; i++)
            is_size = i ? lab_has_word(open, close, sizes[i]) : lab_has_text(open, close, sizes[i]);
        if (!is_size) return 1;
    }
    return 0;
}

typedef struct {
    const char *at, *first, *end;  // the call, and its argument
} call;

static int next_call(const char *from, call *found) {
    static const char *const names[] = {"expf", "exp", "exp2f", "exp2", "__expf", NULL};
    for (const char *c = from; *c; c++)
        for (int i = 0; names[i]; i++) {
            const size_t n = strlen(names[i]);
            const char *close = lab_is_word_at(from, c, names[i]) && c[n] == '(' ? lab_matching(c + n) : NULL;
            if (!close) continue;
            *found = (call){c, c + n + 1, close};
            return 1;
        }
    return 0;
}

enum { SHIFTED, BARE, UNKNOWN };

// A name alone is what the lines before it have made of it; a parameter may be anything.
static int shift_of(const char *text, const call *c) {
    lab_setting set[LAB_MOST_SET];
    char name[LAB_LONGEST_WORD];
    if (memchr(c->first, '-', (size_t)(c->end - c->first))) return SHIFTED;
    if (memchr(c->first, '(', (size_t)(c->end - c->first)) || memchr(c->first, ',', (size_t)(c->end - c->first)))
        return UNKNOWN;
    const int n = lab_settings_of(lab_function_of(text, c->at), c->at, set);
    if (n == LAB_MOST_SET) return UNKNOWN;
    if (!lab_copy_word(c->first, c->end, name) ||
        !lab_is_one_word(name)) {  // an element: of an array in which no line has put a difference
        const char *open = memchr(c->first, '[', (size_t)(c->end - c->first));
        for (int i = 0; i < n && open; i++)
            if (!strncmp(set[i].left, c->first, (size_t)(open - c->first + 1)) &&
                (set[i].op == '-' || memchr(set[i].value, '-', (size_t)(set[i].end - set[i].value))))
                return SHIFTED;
        return open ? BARE : UNKNOWN;
    }
    int sets = 0;
    for (int i = 0; i < n; i++) {
        char left[LAB_LONGEST_WORD];
        if (!lab_name_set(&set[i], left) || strcmp(left, name)) continue;
        const size_t length = (size_t)(set[i].end - set[i].value);
        const char *minus = memchr(set[i].value, '-', length);
        if (set[i].op == '-' || (minus && strncmp(minus, "-INFINITY", 9))) return SHIFTED;
        sets++;
    }
    return sets ? BARE : UNKNOWN;
}

int lab_say_unshifted(const char *text, char *sentence, size_t size) {
    lab_lines lines = {.n = 0};
    char what[160] = "", where[120];
    size_t used = 0;
    call c;
    for (const char *at = text; next_call(at, &c); at = c.end) {
        const int shift = shift_of(text, &c);
        if (shift == UNKNOWN) return 0;
        if (shift == SHIFTED) continue;
        lab_add_line(&lines, lab_line_of(text, c.at));
        if (used < sizeof what)
            used += (size_t)snprintf(what + used, sizeof what - used, "%s%.*s", used ? " and of " : "",
                                     (int)(c.end - c.first), c.first);
    }
    if (!lines.n || lines.n > LAB_MOST_LINES || used >= sizeof what) return 0;
    lab_say_lines(&lines, where, sizeof where);
    return snprintf(sentence, size, "in %s an exponential is taken of %s: nothing has been subtracted from it", where,
                    what) > 0;
}
